"""Power Up by its structure: bases only grow, and how long one may stand still makes no difference.

A base is settled after all greater ones.  Only the move 1 leads on to the same base, one
step nearer to the draw.  Whoever wins by raising the base does so.  Else both stand still
up to the draw, for the base is the same for the other, who cannot win by raising it
either.  So a base is won at once, or drawn whatever the limit; where a 1 may not answer a
1, standing still hands the raising over to the other.
"""

from powerduels.core import AnyGame
from powerduels.games.power_up import Position
from powerduels.solve.worth import DRAW, Oracle, Report, Worth, ignore, preference


class PowerUpOracle(Oracle):
    """Settles a base when it is first asked for, and all greater ones it can lead to."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        super().__init__(game, report)
        rules = game.rules
        self._raising = [exponent for exponent in rules.exponents if exponent > 1]
        self._may_stall = 1 in rules.exponents
        self._once = rules.stalling == "once"
        self._limit: int | None = None if self._once else rules.stall_limit
        self._stills = 1 if not self._may_stall else 2 if self._once else 1 + (self._limit or 0)
        self._worths: dict[int, tuple[Worth, Worth]] = {}
        """For each base the worth for player 0 to move: where all may be chosen, and where only raising is left."""

    @property
    def settled(self) -> int:
        return 2 * self._stills * len(self._worths)

    def worth(self, position: Position) -> Worth:
        base, still, turn = position
        if base >= self.game.rules.target:
            return Worth(1 - turn, 0)
        if still == self._limit:
            return DRAW
        free, pressed = self._settled(base)
        return self._seen_by(turn, pressed if still and self._once else free)

    @staticmethod
    def _seen_by(turn: int, worth: Worth) -> Worth:
        """A worth for player 0 to move, told for whoever moves."""
        return worth if turn == 0 or worth.winner is None else Worth(1 - worth.winner, worth.plies)

    def _settled(self, base: int) -> tuple[Worth, Worth]:
        if base not in self._worths:
            self._worths[base] = self._settle(base)
        return self._worths[base]

    def _settle(self, base: int) -> tuple[Worth, Worth]:
        raised = max((self._later(self._raise(base**power)) for power in self._raising), key=_liking)
        if not self._may_stall:
            return raised, raised
        standing = self._later(raised) if self._once else DRAW
        return max(raised, standing, key=_liking), raised

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
