"""`computer:1` to `computer:5`: what each level sees of a game, and how it chooses among what seems alike.

Levels 1 to 4 play as people do: they look a few plies ahead, overlook what does not strike
the eye, and have habits in duels.  Level 5 is perfect.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from powerduels.core import AnyGame, move_count
from powerduels.players import PlayerError, chance_for
from powerduels.text import shown

if TYPE_CHECKING:
    from random import Random

    from powerduels.bots.habits import Mix
    from powerduels.match import View

LEVELS = ("1", "2", "3", "4", "5")
PERFECT = 5


class Computer:
    """Plays by its level; where several moves are alike to it, the seed, the player and the ply decide."""

    def __init__(self, level: int, seed: str) -> None:
        self.level = level
        self._seed = seed

    def choose(self, view: "View") -> Any:
        game, chance = view.game, chance_for(self._seed, view)
        if not game.kind.simultaneous:
            moves = favourites(game, view.position, self.level)
            return moves[chance.randrange(move_count(moves))]
        from powerduels.bots.habits import HABITS

        last = view.plies[-1] if view.plies else None
        return drawn(HABITS[self.level - 1](game, view.position, view.player, last), chance)


def computer(argument: str, seed: str) -> Computer:
    """The player that stands behind `computer:LEVEL`; raises PlayerError."""
    if argument not in LEVELS:
        raise PlayerError(f"computer has levels 1 to 5, like computer:3, and none {shown(argument)}.")
    return Computer(int(argument), seed)


def favourites(game: AnyGame, position: Any, level: int) -> Sequence[Any]:
    """The moves of who must choose alone that are best to a level, all alike to it."""
    if level == PERFECT:
        from powerduels.bots.perfect import favourites as perfect_moves
        from powerduels.solve.worth import OutOfReach

        try:
            return perfect_moves(game, position)
        except OutOfReach:
            # Until the rest of the game can be settled, it can only look ahead.
            level = PERFECT - 1
    from powerduels.bots.foresight import FORESIGHTS
    from powerduels.bots.foresight import favourites as favourites_by_sight

    return favourites_by_sight(game, position, FORESIGHTS[level])


def drawn(mix: "Mix", chance: "Random") -> Any:
    """A move drawn from a mix, in whole numbers, so that every chance is exactly what it is said to be."""
    from math import lcm

    unit = lcm(*(weight.denominator for weight in mix.values()))
    place = chance.randrange(unit)
    for move, weight in mix.items():
        place -= weight.numerator * (unit // weight.denominator)
        if place < 0:
            return move
    raise AssertionError("The weights of a mix add up to 1.")
