"""Power Up: raise the base to reach the target.

Rules
- The base starts at `base`.  In turn each player chooses one of the `exponents`, and the
  base becomes itself to that power.
- Whoever makes the base reach or pass the `target` wins.

Rulings
- U1  An exponent of 1 leaves the base as it is, so good play need never end.  After
  `stall_limit` turns in a row without a change the game is drawn; `none` plays on for
  ever; with `stalling=once` a 1 may not answer a 1, and the limit has no effect.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.core import NOBODY, ONLY, Game, Kind, OptionError, Outcome
from powerduels.text import NUMBER, PLAYER, Integer, Numbers, Option, brief, counted, listed, words


class Rules(NamedTuple):
    base: int
    target: int
    exponents: tuple[int, ...]
    stall_limit: int | None
    stalling: str


class Position(NamedTuple):
    base: int
    still: int
    """Turns in a row that left the base as it is, as far as the rules count them."""
    turn: int


class PowerUp(Game[Rules, Position, int]):
    id = "power-up"
    title = "Power Up"
    options = (
        Option("base", Integer(2, bound="target - 1"), "2", "the base number at the start"),
        Option("target", Integer(3, 10**100), "256", "the number to reach or exceed"),
        Option("exponents", Numbers(1, 6, 1, 9), "1,2,3", "the exponents to choose from"),
        Option("stall_limit", Integer(1, 1000, none="none"), "8", "turns in a row without a change that make a draw"),
        Option("stalling", words("free", "once"), "free", "whether a 1 may answer a 1 (free) or may not (once)"),
    )
    move_codec = NUMBER
    position_type = Position
    position_codecs = (NUMBER, NUMBER, PLAYER)

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "PowerUp":
        rules = Rules(**values)
        if rules.base >= rules.target:
            raise OptionError(f"base: {rules.base} is not below the target, {rules.target}.")
        if rules.exponents == (1,):
            raise OptionError("exponents: one of them must be above 1, or the base never grows.")
        return cls(rules)

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._draw_after = rules.stall_limit if rules.stalling == "free" else None
        self._counts_stalls = self._draw_after is not None or rules.stalling == "once"
        self._raising = tuple(exponent for exponent in rules.exponents if exponent > 1)

    def _declare_kind(self) -> Kind:
        may_stall = 1 in self.rules.exponents
        draws = may_stall and self._draw_after is not None
        cycles = may_stall and not self._counts_stalls
        return Kind(simultaneous=False, can_cycle=cycles, can_draw=draws or cycles, longest=self._longest())

    def initial(self) -> Position:
        return Position(self.rules.base, 0, 0)

    def actors(self, position: Position) -> tuple[int, ...]:
        if position.base >= self.rules.target or position.still == self._draw_after:
            return NOBODY
        return ONLY[position.turn]

    def legal(self, position: Position, player: int) -> Sequence[int]:
        if self.rules.stalling == "once" and position.still:
            return self._raising
        return self.rules.exponents

    def apply(self, position: Position, ply: tuple[int, ...]) -> Position:
        (exponent,) = ply
        still = position.still + 1 if exponent == 1 and self._counts_stalls else 0
        return Position(position.base**exponent, still, 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        if position.base >= self.rules.target:
            return Outcome(1 - position.turn, "target")
        if position.still == self._draw_after:
            return Outcome(None, "stall")
        return None

    def refusal(self, position: Position, player: int, move: int) -> str:
        allowed = listed(self.legal(position, player), "or")
        if move in self.rules.exponents:
            return f"A 1 may not answer a 1; choose {allowed}."
        return f"{brief(move)} is not one of the exponents; choose {allowed}."

    def explain(self, position: Position, outcome: Outcome, names: tuple[str, str]) -> str:
        if outcome.winner is None:
            still = counted(position.still, "turn")
            return f"The game is a draw: {still} in a row left the base at {position.base}."
        winner = names[outcome.winner]
        return f"{winner} wins! Base number reached {position.base} (target was {self.rules.target})."

    def _longest(self) -> int | None:
        raises, base = 0, self.rules.base
        while base < self.rules.target:
            base, raises = base ** self._raising[0], raises + 1
        if 1 not in self.rules.exponents:
            return raises
        if not self._counts_stalls:
            return None
        return raises * (2 if self._draw_after is None else self._draw_after)
