"""Power Match by its structure: whoever completes an expression takes the greatest number.

A greater number never makes the own power smaller, as base or as exponent, and it is one
that the other cannot have.  So once a player is to complete an expression, taking the
greatest number left is as good as any move: what remains to be searched are the first
numbers of both.  Every game has four plies.
"""

from powerduels.core import AnyGame
from powerduels.games.power_match import Position
from powerduels.solve.worth import Oracle, Report, Worth, ignore

PLIES = 4


class PowerMatchOracle(Oracle):
    """Answers for any position by looking at the first numbers that are still to come."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        super().__init__(game, report)
        self._winners: dict[Position, int] = {}

    @property
    def settled(self) -> int:
        return len(self._winners)

    def worth(self, position: Position) -> Worth:
        made = self.game.rules.pool - len(position.pool)
        return Worth(self._winner(position), PLIES - made)

    def _winner(self, position: Position) -> int:
        known = self._winners.get(position)
        if known is None:
            known = self._winners[position] = self._find_winner(position)
        return known

    def _find_winner(self, position: Position) -> int:
        game = self.game
        outcome = game.outcome(position)
        if outcome is not None and outcome.winner is not None:
            return outcome.winner
        (player,) = game.actors(position)
        moves = game.legal(position, player)
        if len(moves) == len(position.pool):
            return self._winner(game.apply(position, (moves[-1],)))
        won = any(self._winner(game.apply(position, (move,))) == player for move in moves)
        return player if won else 1 - player


ORACLE = PowerMatchOracle
