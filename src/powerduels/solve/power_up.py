"""Power Up by its structure: bases only grow, and what stands still can be counted.

A base is settled after all greater ones.  What its raising moves are worth does not depend
on how long it has stood still; only the move 1 leads on to the same base, one step nearer
to the draw, so a base is settled from the draw backwards in one sweep.
"""

from powerduels.core import AnyGame
from powerduels.games.power_up import Position
from powerduels.solve.worth import DRAW, Oracle, Worth, preference


class PowerUpOracle(Oracle):
    """Settles a base when it is first asked for, and all greater ones it can lead to."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        rules = game.rules
        self._raising = [exponent for exponent in rules.exponents if exponent > 1]
        self._may_stall = 1 in rules.exponents
        self._once = rules.stalling == "once"
        self._limit: int | None = None if self._once else rules.stall_limit
        self._worths: dict[int, list[Worth]] = {}
        """For each base, by the turns it has stood still, the worth for player 0 to move."""

    @property
    def settled(self) -> int:
        return 2 * sum(map(len, self._worths.values()))

    def worth(self, position: Position) -> Worth:
        base, still, turn = position
        if base >= self.game.rules.target:
            return Worth(1 - turn, 0)
        return self._seen_by(turn, self._settled(base)[still])

    @staticmethod
    def _seen_by(turn: int, worth: Worth) -> Worth:
        """A worth for player 0 to move, told for whoever moves."""
        return worth if turn == 0 or worth.winner is None else Worth(1 - worth.winner, worth.plies)

    def _settled(self, base: int) -> list[Worth]:
        if base not in self._worths:
            self._worths[base] = self._settle(base)
        return self._worths[base]

    def _settle(self, base: int) -> list[Worth]:
        raised = max((self._later(self._raise(base**power)) for power in self._raising), key=_liking)
        if not self._may_stall:
            return [raised]
        if self._once:
            return [max(raised, self._later(raised), key=_liking), raised]
        if self._limit is None:
            # Standing still for ever is a draw, so nobody who stands better off need move on.
            return [max(raised, DRAW, key=_liking)]
        worths = [DRAW]
        for _ in range(self._limit):
            worths.append(max(raised, self._later(worths[-1]), key=_liking))
        return worths[::-1]

    def _raise(self, base: int) -> Worth:
        """The worth for player 0 of moving from a base just reached."""
        return Worth(1, 0) if base >= self.game.rules.target else self._settled(base)[0]

    def _later(self, worth: Worth) -> Worth:
        """What a move is worth to player 0 that hands over a position of this worth."""
        winner, plies = self._seen_by(1, worth)
        return Worth(winner, None if plies is None else plies + 1)


def _liking(worth: Worth) -> tuple[int, int]:
    return preference(worth, 0)


ORACLE = PowerUpOracle
