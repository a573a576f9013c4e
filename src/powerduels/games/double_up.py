"""Double Up: grow a sequence; whoever cannot go on loses.

Rules
- The sequence starts with `start`.  In turn each player adds a number greater than the
  last one and at most twice as great (conditions A and B).
- A player who cannot add a number loses; the other made the last move and wins.

Rulings
- D1  Some number between N and 2N always exists, so nobody is ever stuck.  No number may
  exceed `limit`; `none` is the game as written, which goes on until someone resigns.
- D2  Condition C, that a number may not be used twice, can never bite: a number greater
  than the last one is new.  So a position is its last number, and C needs no code.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.core import NOBODY, ONLY, Game, Kind, OptionError, Outcome
from powerduels.text import NUMBER, PLAYER, Integer, Option, brief


class Rules(NamedTuple):
    start: int
    limit: int | None


class Position(NamedTuple):
    last: int
    turn: int


class DoubleUp(Game[Rules, Position, int]):
    id = "double-up"
    title = "Double Up"
    options = (
        Option("start", Integer(1), "1", "the number the sequence starts with"),
        Option("limit", Integer(1, 10**18, none="none"), "100", "no number may be greater than this"),
    )
    move_codec = NUMBER
    position_type = Position
    position_codecs = (NUMBER, PLAYER)

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "DoubleUp":
        rules = Rules(**values)
        if rules.limit is not None and rules.start > rules.limit:
            raise OptionError(f"start: {rules.start} is above the limit, {rules.limit}.")
        return cls(rules)

    def _declare_kind(self) -> Kind:
        start, limit = self.rules
        longest = None if limit is None else limit - start
        return Kind(simultaneous=False, can_cycle=False, can_draw=False, longest=longest)

    def initial(self) -> Position:
        return Position(self.rules.start, 0)

    def actors(self, position: Position) -> tuple[int, ...]:
        return NOBODY if position.last == self.rules.limit else ONLY[position.turn]

    def legal(self, position: Position, player: int) -> Sequence[int]:
        last, limit = position.last, self.rules.limit
        highest = 2 * last if limit is None else min(2 * last, limit)
        return range(last + 1, highest + 1)

    def apply(self, position: Position, ply: tuple[int, ...]) -> Position:
        (number,) = ply
        return Position(number, 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(1 - position.turn, "stuck") if position.last == self.rules.limit else None

    def refusal(self, position: Position, player: int, move: int) -> str:
        window = self.legal(position, player)
        lowest, highest = window[0], window[-1]
        if move < lowest:
            wrong = f"is not greater than {position.last}"
        elif move > 2 * position.last:
            wrong = f"is more than twice {position.last}"
        else:
            wrong = f"is above the limit, {self.rules.limit}"
        right = f"only {lowest} is" if lowest == highest else f"{lowest} to {highest} are"
        return f"{brief(move)} {wrong}; {right} valid here."

    def explain(self, position: Position, outcome: Outcome, names: tuple[str, str]) -> str:
        stuck, winner = names[position.turn], names[1 - position.turn]
        return f"{stuck} cannot make a valid move: {position.last} is the limit. {winner} wins the game!"
