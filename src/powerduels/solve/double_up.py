"""Double Up by its structure: the numbers worth handing over form one chain.

Whoever must move from the limit has lost.  If all numbers above N up to L lose and win as
known, the next losing number below L is the greatest from which L is out of reach: twice
it is less than L.  So the losing numbers are L, (L - 1) // 2, and so on; every window from
N + 1 to 2N holds at most one of them.  The winner therefore always has exactly one move,
and the loser can delay nothing: whatever is played, the winner hands over the next number
of the chain.
"""

from collections.abc import Sequence

from powerduels.core import AnyGame
from powerduels.games.double_up import Position
from powerduels.solve.worth import DRAW, Oracle, Report, Worth, ignore


class DoubleUpOracle(Oracle):
    """Answers for any position at once."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        super().__init__(game, report)
        self._limit: int | None = game.rules.limit
        self._steps: dict[int, int] = {}
        """For each number to hand over, how many of them follow."""
        losing = self._limit or 0
        while losing > 0:
            self._steps[losing] = len(self._steps)
            losing = (losing - 1) // 2

    @property
    def chain(self) -> tuple[int, ...]:
        """The numbers worth handing over, the smallest first."""
        return tuple(sorted(self._steps))

    @property
    def settled(self) -> int:
        return len(self._steps)

    def worth(self, position: Position) -> Worth:
        last, turn = position
        if self._limit is None:
            return DRAW
        if last in self._steps:
            return Worth(1 - turn, 2 * self._steps[last])
        return Worth(turn, 2 * self._steps[self._handed_over(last)] + 1)

    def best_moves(self, position: Position) -> Sequence[int]:
        if self._limit is None or position.last in self._steps:
            return self.game.legal(position, position.turn)
        return [self._handed_over(position.last)]

    def _handed_over(self, last: int) -> int:
        """The one number of the chain that can be reached from a number outside it."""
        return next(number for number in self._steps if last < number <= 2 * last)


ORACLE = DoubleUpOracle
