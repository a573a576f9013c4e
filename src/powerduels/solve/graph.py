"""Everything that can be reached from a position, each position once and numbered."""

from collections.abc import Hashable
from typing import Any, NamedTuple

from powerduels.core import AnyGame
from powerduels.solve.worth import OutOfReach, Report, ignore

MOST_POSITIONS = 3_000_000
"""About 2 GiB of Python objects; more is refused."""
REPORT_EVERY = 1 << 14


class Graph(NamedTuple):
    """Positions by number, in the order they were found; the start has number 0."""

    positions: list[Any]
    numbers: dict[Hashable, int]
    actors: list[int | None]
    """Who chooses there; None where the game is over."""
    successors: list[list[int]]
    """For each legal move in order, the number of the position it leads to."""


def explore(game: AnyGame, start: Any, report: Report = ignore, most: int = MOST_POSITIONS) -> Graph:
    """The graph of a game in which one player chooses at a time.

    Raises OutOfReach where there are too many positions.
    """
    actors_of, legal, apply = game.actors, game.legal, game.apply
    positions, numbers = [start], {start: 0}
    actors: list[int | None] = []
    successors: list[list[int]] = []
    for position in positions:
        choosing = actors_of(position)
        reached: list[int] = []
        successors.append(reached)
        if not choosing:
            actors.append(None)
            continue
        (player,) = choosing
        actors.append(player)
        for move in legal(position, player):
            child = apply(position, (move,))
            number = numbers.setdefault(child, len(positions))
            if number == len(positions):
                positions.append(child)
            reached.append(number)
        if len(successors) % REPORT_EVERY == 0:
            report(len(positions), 0)
            if len(positions) > most:
                raise OutOfReach(f"More than {most:,} positions can be reached; that is more than is settled here.")
    return Graph(positions, numbers, actors, successors)
