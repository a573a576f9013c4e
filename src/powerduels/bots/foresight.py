"""How people look ahead: a few plies, at the moves that strike the eye, and no farther.

What lies beyond the last ply looked at is judged by its looks alone.  Foresight is exact
about what it sees; its mistakes are those of not seeing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.bots.sights import sight_of
from powerduels.core import AnyGame

ATTENTION = 16_000
"""Positions that somebody can picture before a move; where there is more to see, they look less far."""


class Foresight(NamedTuple):
    """How far somebody looks, at how many answers in each position, and how much they make of its looks."""

    plies: int
    answers: int
    wisdom: int


FORESIGHTS = {1: Foresight(1, 1, 1), 2: Foresight(2, 2, 2), 3: Foresight(3, 3, 3), 4: Foresight(4, 5, 3)}
"""By level; the fifth knows instead of looking ahead."""

FARTHEST = FORESIGHTS[4]

Prospect = tuple[int, int, Any]
"""Won or lost as far as seen, how soon, and how the end of the line looks."""


def favourites(game: AnyGame, position: Any, foresight: Foresight) -> list[Any]:
    """The moves that seem best to somebody of this foresight, all alike to them."""
    return _View(game, position, foresight).favourites()


class _View:
    """What one player sees from one position."""

    def __init__(self, game: AnyGame, position: Any, foresight: Foresight) -> None:
        self._game = game
        self._position = position
        (self._player,) = game.actors(position)
        self._sight = sight_of(game)
        self._answers = foresight.answers
        self._wisdom = foresight.wisdom
        self._moves = self._sight.order(game, position)
        self._plies = self._within_attention(foresight.plies, len(self._moves))
        self._seen: dict[tuple[Any, int], Prospect] = {}

    def _within_attention(self, plies: int, moves: int) -> int:
        pictured = moves if self._sight.pictures_all else self._answers
        while plies > 1 and moves * pictured * self._answers ** (plies - 2) > ATTENTION:
            plies -= 1
        return plies

    def favourites(self) -> list[Any]:
        prospects = [self._prospect(self._game.apply(self._position, (move,)), self._plies - 1) for move in self._moves]
        best = max(prospects)
        return [move for move, prospect in zip(self._moves, prospects, strict=True) if prospect == best]

    def _prospect(self, position: Any, plies: int) -> Prospect:
        key = (position, plies)
        if key not in self._seen:
            self._seen[key] = self._look(position, plies)
        return self._seen[key]

    def _look(self, position: Any, plies: int) -> Prospect:
        game = self._game
        outcome = game.outcome(position)
        if outcome is not None:
            won = 0 if outcome.winner is None else 1 if outcome.winner == self._player else -1
            return won, won * plies, ()
        if plies == 0:
            return 0, 0, self._sight.judge(game, position, self._player)[: self._wisdom]
        (actor,) = game.actors(position)
        considered: Sequence[Any] = self._sight.order(game, position)[: self._answers]
        prospects = [self._prospect(game.apply(position, (move,)), plies - 1) for move in considered]
        return max(prospects) if actor == self._player else min(prospects)
