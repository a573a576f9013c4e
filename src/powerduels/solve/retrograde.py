"""The general solver: every position is settled backwards from the ends of the game.

It takes any game in which one player chooses at a time.  A position is won by who chooses
there if one move leads to a position that this player wins, and lost if all moves lead to
positions that the other wins.  Positions are settled in the order of their distance from
the end, so that the first win found is the fastest and the last loss the slowest.  What
is never settled is a draw: an end without a winner, or a loop that neither player leaves.
"""

from typing import Any

from powerduels.core import AnyGame
from powerduels.solve.graph import MOST_POSITIONS, REPORT_EVERY, explore
from powerduels.solve.worth import DRAW, Oracle, Report, Worth, ignore


class GeneralOracle(Oracle):
    """The worth of every position that can be reached from the start of a game."""

    def __init__(self, game: AnyGame, report: Report = ignore, most: int = MOST_POSITIONS) -> None:
        super().__init__(game, report)
        graph = explore(game, game.initial(), report, most)
        self._numbers = graph.numbers
        self._worths = _settle(game, graph.positions, graph.actors, graph.successors, report)

    @property
    def settled(self) -> int:
        return len(self._worths)

    def worth(self, position: Any) -> Worth:
        return self._worths[self._numbers[position]]


def _settle(
    game: AnyGame,
    positions: list[Any],
    actors: list[int | None],
    successors: list[list[int]],
    report: Report,
) -> list[Worth]:
    count = len(positions)
    worths = [DRAW] * count
    unsettled = [len(reached) for reached in successors]
    predecessors: list[list[int]] = [[] for _ in range(count)]
    frontier: list[int] = []
    for number, actor in enumerate(actors):
        if actor is None:
            outcome = game.outcome(positions[number])
            if outcome is not None and outcome.winner is not None:
                worths[number] = Worth(outcome.winner, 0)
                frontier.append(number)
        for reached in successors[number]:
            predecessors[reached].append(number)

    plies = settled = 0
    while frontier:
        plies += 1
        wins = (Worth(0, plies), Worth(1, plies))
        farther: list[int] = []
        for number in frontier:
            winner = worths[number].winner
            assert winner is not None
            for before in predecessors[number]:
                if worths[before] is not DRAW:
                    continue
                unsettled[before] -= 1
                if actors[before] == winner or not unsettled[before]:
                    worths[before] = wins[winner]
                    farther.append(before)
        settled += len(frontier)
        if settled >= REPORT_EVERY:
            report(count, settled)
        frontier = farther
    return worths
