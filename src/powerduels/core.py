"""The common model: what a two-player game is, whoever plays, draws or solves it.

A game together with its options is a value, and so is every position.  Players are
numbered in the order in which they play: player 0 starts.  Which seat at the table that
is decides the referee (see `match`), so no rule ever asks for it.

Simultaneous choice is the general case: a position names the players who must choose
now (none, one or both), and a ply is one move for each of them, in that order.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

R = TypeVar("R", bound=Hashable)
P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

NOBODY: tuple[int, ...] = ()
ONLY: tuple[tuple[int, ...], ...] = ((0,), (1,))
BOTH: tuple[int, ...] = (0, 1)


class PowerduelsError(Exception):
    """Something people are told in a sentence or two; the message is what they read."""


class OptionError(PowerduelsError):
    """An option is unknown, out of range, or contradicts another."""


class UnreadableText(PowerduelsError):
    """A text is no move, position or value of the wanted kind at all."""


class IllegalMove(PowerduelsError):
    """A move is readable but not allowed in this position; the message says what is."""


class Outcome(NamedTuple):
    """How a game ended: the winning player, or None for a draw, and by which rule."""

    winner: int | None
    reason: str


class Kind(NamedTuple):
    """What generic code may ask about a game with its options instead of its name."""

    simultaneous: bool
    can_cycle: bool
    can_draw: bool
    longest: int | None
    """No game has more plies than this; None where there is no such bound."""


class Codec(Protocol):
    """A kind of value with its text: `parse` undoes `format`, or raises UnreadableText."""

    def format(self, value: Any) -> str: ...
    def parse(self, text: str) -> Any: ...


class Game(ABC, Generic[R, P, M]):
    """A game with its options R, positions P and moves M: rules only, every method pure.

    The class attributes declare the text of options, moves and positions as data; the
    module `text` reads and writes all three from these declarations.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[tuple[Any, ...]]
    """One `text.Option` for each field of R, in order."""
    presets: ClassVar[dict[str, dict[str, str]]] = {}
    move_codec: ClassVar[Codec]
    position_type: ClassVar[type[Any]]
    position_codecs: ClassVar[tuple[Codec, ...]]
    """One for each field of P, in order."""

    def __init__(self, rules: R) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((type(self), self.rules))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rules!r})"

    @classmethod
    @abstractmethod
    def from_options(cls, values: dict[str, Any]) -> "Game[R, P, M]":
        """The game with these option values, one for each option, each in its own range.

        Raises OptionError where they contradict one another.
        """

    @cached_property
    def kind(self) -> Kind:
        """What the game declares of itself under its options."""
        return self._declare_kind()

    @abstractmethod
    def _declare_kind(self) -> Kind: ...

    @abstractmethod
    def initial(self) -> P: ...

    @abstractmethod
    def actors(self, position: P) -> tuple[int, ...]:
        """The players who must choose now: nobody exactly when the game is over."""

    @abstractmethod
    def legal(self, position: P, player: int) -> Sequence[M]:
        """What an actor may choose, always in the same order; may be a lazy sequence."""

    @abstractmethod
    def apply(self, position: P, ply: tuple[M, ...]) -> P:
        """The position after a ply of legal moves, one for each actor."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the game ended here, or None where somebody must still choose."""

    @abstractmethod
    def refusal(self, position: P, player: int, move: M) -> str:
        """Why this move is not legal here, and what would be."""

    @abstractmethod
    def explain(self, position: P, outcome: Outcome, names: tuple[str, str]) -> str:
        """Why the game ended here with this outcome, for people; `names` are the players'."""

    def play(self, position: P, ply: tuple[M, ...]) -> P:
        """Like `apply`, but raises IllegalMove where the ply is not legal."""
        actors = self.actors(position)
        if not actors:
            raise IllegalMove("The game is over; no move can follow.")
        if len(ply) != len(actors):
            raise IllegalMove(f"{len(actors)} must choose here, but {len(ply)} moves are given.")
        for player, move in zip(actors, ply, strict=True):
            if move not in self.legal(position, player):
                raise IllegalMove(self.refusal(position, player, move))
        return self.apply(position, ply)


AnyGame = Game[Any, Any, Any]


def move_count(moves: Sequence[Any]) -> int:
    """The length of a move list; `len` alone fails on ranges beyond a machine word."""
    return moves.stop - moves.start if isinstance(moves, range) else len(moves)
