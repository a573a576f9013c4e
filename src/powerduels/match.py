"""The referee: one game between two seats, whoever sits there and wherever they play.

It keeps the history, maps the seats onto the players of the rules, seals choices until
everybody who must choose has chosen, and says who has won.  Seats are counted from 0.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.core import AnyGame, IllegalMove
from powerduels.records import Record, Result, called, read_plies, replay, result_by_rules, seat_of
from powerduels.text import counted


class View(NamedTuple):
    """All that a player may know of a match: everything but the sealed choices."""

    game: AnyGame
    positions: tuple[Any, ...]
    plies: tuple[tuple[Any, ...], ...]
    player: int

    @property
    def position(self) -> Any:
        return self.positions[-1]


class Match:
    """A match in play or finished; raises IllegalMove for what the rules do not allow."""

    def __init__(self, game: AnyGame, players: tuple[str, str] = ("Player 1", "Player 2"), first: int = 0) -> None:
        self.game = game
        self.players = players
        self.first = first
        self.positions: list[Any] = [game.initial()]
        self.plies: list[tuple[Any, ...]] = []
        self._sealed: dict[int, Any] = {}
        self.result = result_by_rules(game, players, first, self.position)

    @classmethod
    def of_moves(cls, game: AnyGame, texts: Sequence[str]) -> "Match":
        """A match after these moves; raises IllegalMove or UnreadableText naming the move."""
        plies = read_plies(game, texts)
        match = cls(game)
        match.positions, match.plies = replay(game, plies), list(plies)
        match.result = result_by_rules(game, match.players, match.first, match.position)
        return match

    @classmethod
    def from_record(cls, record: Record) -> "Match":
        match = cls(record.game, record.players, record.first)
        match.positions = replay(record.game, record.plies)
        match.plies = list(record.plies)
        match.result = record.result
        return match

    @property
    def position(self) -> Any:
        return self.positions[-1]

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called, by seat."""
        return called(self.players)

    def rename(self, seat: int, name: str | None) -> None:
        """Give a seat's player a name, in place of the one that stood for it."""
        if name is not None:
            self.players = (name, self.players[1]) if seat == 0 else (self.players[0], name)

    def seat_of(self, player: int) -> int:
        return seat_of(self.game, self.first, player)

    def player_of(self, seat: int) -> int:
        return seat_of(self.game, self.first, seat)

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that must choose in this position, whether or not they have."""
        if self.result is not None:
            return ()
        return tuple(map(self.seat_of, self.game.actors(self.position)))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that must still choose."""
        return tuple(seat for seat in self.actors if seat not in self._sealed)

    def view(self, seat: int) -> View:
        return View(self.game, tuple(self.positions), tuple(self.plies), self.player_of(seat))

    def choose(self, seat: int, move: Any) -> bool:
        """Seal a seat's choice; once all have chosen the ply is played and True returned."""
        if seat not in self.waiting_for:
            raise IllegalMove(f"{self.names[seat]} has nothing to choose now.")
        player = self.player_of(seat)
        if move not in self.game.legal(self.position, player):
            raise IllegalMove(self.game.refusal(self.position, player, move))
        self._sealed[seat] = move
        if self.waiting_for:
            return False
        ply = tuple(self._sealed[actor] for actor in self.actors)
        position = self.game.apply(self.position, ply)
        result = result_by_rules(self.game, self.players, self.first, position)
        self._sealed.clear()
        # One statement: an interruption from the keyboard finds the match before the ply or after it.
        self.positions, self.plies, self.result = [*self.positions, position], [*self.plies, ply], result
        return True

    def unseal(self) -> bool:
        """Give back the choices sealed so far in this position; False if there are none."""
        sealed = bool(self._sealed)
        self._sealed.clear()
        return sealed

    def take_back(self, plies: int) -> None:
        """Return to the position before the last plies of a match still in play."""
        left = len(self.plies) - plies
        if self.result is not None or not 0 <= left <= len(self.plies):
            raise IllegalMove(f"{counted(plies, 'move')} cannot be taken back here.")
        self._sealed.clear()
        self.positions, self.plies = self.positions[: left + 1], self.plies[:left]

    def last_choice_of(self, seat: int) -> int | None:
        """How many plies back this seat last chose; None if it has not yet."""
        player = self.player_of(seat)
        for back, position in enumerate(reversed(self.positions[:-1]), 1):
            if player in self.game.actors(position):
                return back
        return None

    def resign(self, seat: int) -> None:
        """End a match still in play in favour of the other seat."""
        if self.result is not None:
            raise IllegalMove("The game is over; nobody can resign.")
        loser, winner = self.names[seat], self.names[1 - seat]
        self._sealed.clear()
        self.result = Result(1 - seat, "resigned", f"{loser} has resigned. {winner} wins the game!")

    def record(self) -> Record:
        return Record(self.game, self.players, self.first, tuple(self.plies), self.result)
