"""What the dialogues of all games share: who speaks, what is asked, what is shown when."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from powerduels.core import AnyGame, IllegalMove, move_count
from powerduels.match import Match
from powerduels.terminal.console import Console

G = TypeVar("G", bound=AnyGame)
T = TypeVar("T")


class TakeBack(Exception):
    """The player wants to undo; a dialogue in the middle of a move goes back to its start."""


class Ask(Protocol):
    """Asks until an answer can be read; commands are dealt with on the way.

    `read` turns the answer into a value or raises a PowerduelsError.  `right` says what
    would be right here, for answers that cannot be read at all.  Without `prefixes` only
    a whole word is a command.
    """

    def __call__(
        self, prompt: str, read: Callable[[str], T], right: str, secret: bool = False, prefixes: bool = True
    ) -> T: ...


class Dialogue(ABC, Generic[G]):
    """One game's words, as its rulebook's sample has them, and its picture on a terminal."""

    def __init__(self, match: Match, console: Console, at_keyboard: Sequence[bool]) -> None:
        self.match = match
        self.game: G = match.game  # type: ignore[assignment]
        self.console = console
        self.say = console.say
        self.at_keyboard = at_keyboard
        """By seat: whether a person answers here, who is called "you"."""

    @property
    def position(self) -> Any:
        return self.match.position

    def name(self, seat: int) -> str:
        return self.match.names[seat]

    def legal(self, seat: int) -> Sequence[Any]:
        return self.match.game.legal(self.position, self.match.player_of(seat))

    def welcome(self, ask: Ask, unnamed: Sequence[int]) -> None:
        """What comes before the first position; may ask the people at `unnamed` seats for names."""

    @abstractmethod
    def situation(self) -> None:
        """The whole position, at the start and when a game goes on after a break."""

    @abstractmethod
    def announce(self, seats: Sequence[int]) -> None:
        """Who must choose now."""

    def announce_again(self, seat: int) -> None:
        """Who must choose now, once more while this seat is being asked: what was told has hidden it."""
        self.announce(self.match.actors)

    @abstractmethod
    def choose(self, seat: int, ask: Ask) -> Any:
        """Ask the person at this seat for a legal move."""

    def legal_move(self, seat: int) -> Callable[[str], Any]:
        """Reads a move of this seat; raises UnreadableText, or IllegalMove with what is right."""
        player = self.match.player_of(seat)

        def read(text: str) -> Any:
            move = self.game.move_codec.parse(text)
            if move not in self.legal(seat):
                raise IllegalMove(self.game.refusal(self.position, player, move))
            return move

        return read

    @abstractmethod
    def played(self, before: Any, ply: tuple[Any, ...]) -> None:
        """What the last ply has changed."""

    def ending(self) -> None:
        """Who has won and why, or why nobody has."""
        result = self.match.result
        assert result is not None
        if result.by == "rules" and result.winner is not None:
            self.won(result.winner, result.reason)
        else:
            self.say("", result.reason)

    def won(self, winner: int, reason: str) -> None:
        """Who has won by the rules, and why."""
        self.say("", reason)

    def seat_name(self, seat: int) -> str:
        """A player's name with the seat's colour, and on a terminal its mark."""
        if not self.console.is_terminal:
            return self.name(seat)
        return self.console.seat(seat, f"{self.console.seat_marks[seat]} {self.name(seat)}")


def open_dialogue(match: Match, console: Console, at_keyboard: Sequence[bool]) -> Dialogue[Any]:
    """The dialogue of the match's game, from the module named after the game."""
    module = import_module(f"powerduels.terminal.{match.game.id.replace('-', '_')}")
    dialogue: Dialogue[Any] = module.DIALOGUE(match, console, at_keyboard)
    return dialogue


def bracketed(values: Sequence[Any], brackets: str = "[]", most: int | None = None) -> str:
    """`[1, 2, 3]`; with more than `most` values `[1, 2, ..., 9]`."""
    if most is not None and move_count(values) > most:
        inner = f"{values[0]}, {values[1]}, ..., {values[-1]}"
    else:
        inner = ", ".join(map(str, values))
    return f"{brackets[0]}{inner}{brackets[1]}"
