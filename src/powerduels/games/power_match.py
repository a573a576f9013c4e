"""Power Match: build the greater power from a shared pool of numbers.

Rules
- The pool holds the numbers 1 to `pool`.  In turn each player takes one of them and makes
  it the base or the exponent of the own expression; nothing is ever moved or used twice.
- When both expressions are complete, the greater value of base^exponent wins.

Rulings
- M1  Equal values do occur with four different numbers, as in 8^1 = 2^3.  The player who
  completed the own expression second wins.
- M2  "If a player's expression is complete, they skip" never happens when turns alternate.
  `order=snake` plays 1, 2, 2, 1: there the player who starts completes second.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.core import NOBODY, ONLY, Game, Kind, Outcome, UnreadableText
from powerduels.text import NUMBERS, Each, Integer, Option, brief, read_integer, shown, words

BASE, EXPONENT = "b", "e"
PART_NAMES = {BASE: "base", EXPONENT: "exponent"}
ORDERS = {"alternate": (0, 1, 0, 1), "snake": (0, 1, 1, 0)}


class Rules(NamedTuple):
    pool: int
    order: str


class Expression(NamedTuple):
    base: int | None
    exponent: int | None


class Position(NamedTuple):
    pool: tuple[int, ...]
    expressions: tuple[Expression, Expression]


class Move(NamedTuple):
    number: int
    part: str


class MoveCodec:
    """`7b`, `2e`."""

    def format(self, value: Move) -> str:
        return f"{value.number}{value.part}"

    def parse(self, text: str) -> Move:
        if text[-1:] not in PART_NAMES:
            raise UnreadableText(f"{shown(text)} is not a number with b for base or e for exponent, like 7b.")
        return Move(read_integer(text[:-1]), text[-1])


class ExpressionCodec:
    """`7^2`, with `_` for what is still open."""

    def format(self, value: Expression) -> str:
        return "^".join("_" if number is None else str(number) for number in value)

    def parse(self, text: str) -> Expression:
        base, mark, exponent = text.partition("^")
        if not mark:
            raise UnreadableText(f"{shown(text)} is not an expression like 7^_.")
        return Expression(*(None if part == "_" else read_integer(part) for part in (base, exponent)))


class PowerMatch(Game[Rules, Position, Move]):
    id = "power-match"
    title = "Power Match"
    options = (
        Option("pool", Integer(4, 99), "9", "the pool holds the numbers from 1 to this"),
        Option("order", words("alternate", "snake"), "alternate", "turns go 1, 2, 1, 2 or 1, 2, 2, 1"),
    )
    move_codec = MoveCodec()
    position_type = Position
    position_codecs = (NUMBERS, Each(ExpressionCodec(), 2))

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "PowerMatch":
        return cls(Rules(**values))

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        turns = ORDERS[rules.order]
        self._actors = dict(zip(range(rules.pool, rules.pool - 4, -1), (ONLY[turn] for turn in turns), strict=True))
        self._as_base = {number: Move(number, BASE) for number in range(1, rules.pool + 1)}
        self._as_exponent = {number: Move(number, EXPONENT) for number in range(1, rules.pool + 1)}
        self._as_either = {number: (self._as_base[number], self._as_exponent[number]) for number in self._as_base}

    def _declare_kind(self) -> Kind:
        return Kind(simultaneous=False, can_cycle=False, can_draw=False, longest=4)

    def initial(self) -> Position:
        empty = Expression(None, None)
        return Position(tuple(range(1, self.rules.pool + 1)), (empty, empty))

    def actors(self, position: Position) -> tuple[int, ...]:
        return self._actors.get(len(position.pool), NOBODY)

    def legal(self, position: Position, player: int) -> Sequence[Move]:
        base, exponent = position.expressions[player]
        if base is None and exponent is None:
            return [move for number in position.pool for move in self._as_either[number]]
        moves = self._as_base if base is None else self._as_exponent
        return [moves[number] for number in position.pool]

    def apply(self, position: Position, ply: tuple[Move, ...]) -> Position:
        ((number, part),) = ply
        pool, (first, second) = position
        taken = pool.index(number)
        left = pool[:taken] + pool[taken + 1 :]
        if self._actors[len(pool)] == ONLY[0]:
            return Position(left, (_assign(first, number, part), second))
        return Position(left, (first, _assign(second, number, part)))

    def outcome(self, position: Position) -> Outcome | None:
        if len(position.pool) in self._actors:
            return None
        first, second = map(value, position.expressions)
        if first == second:
            return Outcome(ORDERS[self.rules.order][-1], "second")
        return Outcome(0 if first > second else 1, "value")

    def refusal(self, position: Position, player: int, move: Move) -> str:
        if move.number not in position.pool:
            taken = "is taken" if 1 <= move.number <= self.rules.pool else "was never in the pool"
            return f"{brief(move.number)} {taken}; left: {', '.join(map(str, position.pool))}."
        expression = position.expressions[player]
        filled = expression.base if move.part == BASE else expression.exponent
        free = PART_NAMES[EXPONENT if move.part == BASE else BASE]
        return f"The {PART_NAMES[move.part]} is already {filled}; the {free} is free."

    def explain(self, position: Position, outcome: Outcome, names: tuple[str, str]) -> str:
        assert outcome.winner is not None
        winner = names[outcome.winner]
        mine, theirs = (f"{base}^{exponent}" for base, exponent in _winner_first(position, outcome.winner))
        if outcome.reason == "second":
            return f"{winner} wins! {mine} equals {theirs}, and {winner} completed second."
        return f"{winner} wins! {mine} is greater than {theirs}."


def value(expression: Expression) -> int:
    """The exact value of a complete expression."""
    base, exponent = expression
    assert base is not None
    assert exponent is not None
    power: int = base**exponent
    return power


def _assign(expression: Expression, number: int, part: str) -> Expression:
    base, exponent = expression
    return Expression(number, exponent) if part == BASE else Expression(base, number)


def _winner_first(position: Position, winner: int) -> tuple[Expression, Expression]:
    first, second = position.expressions
    return (first, second) if winner == 0 else (second, first)
