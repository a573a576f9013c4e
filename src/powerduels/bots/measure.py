"""How strong a level is, exactly: what it gives away over all positions, and what can be gained on it.

Worth counts as score: a win 1, a draw 0, a loss -1.
"""

from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from powerduels.analyse import TurnExpert, expert
from powerduels.bots.computer import favourites
from powerduels.bots.habits import Habit
from powerduels.core import BOTH, AnyGame
from powerduels.solve.graph import explore
from powerduels.solve.worth import gain


class Losses(NamedTuple):
    """What a level gives away where a choice matters, on the average over all such positions."""

    decisions: int
    given_away: Fraction
    """Of score."""
    mistakes: Fraction
    """Of all choices."""


def losses(game: AnyGame, level: int) -> Losses:
    """Over all positions that can be reached in which some move gives worth away and one does not.

    Where several moves are alike to the level, each counts with equal weight.
    """
    expert_on_game = expert(game)
    assert isinstance(expert_on_game, TurnExpert)
    oracle = expert_on_game.oracle
    graph = explore(game, game.initial())
    decisions = 0
    given_away, mistakes = Fraction(), Fraction()
    for position, player in zip(graph.positions, graph.actors, strict=True):
        if player is None:
            continue
        gains = {move: gain(oracle.worth_of_move(position, move), player) for move in game.legal(position, player)}
        best = max(gains.values())
        if best == min(gains.values()):
            continue
        chosen = favourites(game, position, level)
        decisions += 1
        given_away += Fraction(sum(best - gains[move] for move in chosen), len(chosen))
        mistakes += Fraction(sum(gains[move] < best for move in chosen), len(chosen))
    count = max(decisions, 1)
    return Losses(decisions, given_away / count, mistakes / count)


def exploitability(game: Any, habit: Habit, player: int = 0) -> Fraction:
    """What an opponent who knows the habit of a player gains on it, beyond the value of the game."""

    @cache
    def least(position: Hashable, last: tuple[Any, ...] | None) -> Fraction:
        outcome = game.outcome(position)
        if outcome is not None:
            return _score(outcome.winner, player)
        mix = habit(game, position, player, last)
        answers = []
        for answer in game.legal(position, 1 - player):
            plies = {move: (move, answer) if player == 0 else (answer, move) for move in mix}
            answers.append(
                sum((mix[move] * least(game.apply(position, ply), ply) for move, ply in plies.items()), Fraction())
            )
        return min(answers)

    value = expert(game).analyse(game.initial()).worth
    assert isinstance(value, Fraction)
    return (value if player == 0 else -value) - least(game.initial(), None)


def expected_score(game: Any, habits: tuple[Habit, Habit]) -> Fraction:
    """The expected score of player 0 when two habits meet."""

    @cache
    def expected(position: Hashable, last: tuple[Any, ...] | None) -> Fraction:
        outcome = game.outcome(position)
        if outcome is not None:
            return _score(outcome.winner, 0)
        first, second = (habits[player](game, position, player, last) for player in BOTH)
        return sum(
            (
                share * other * expected(game.apply(position, (move, answer)), (move, answer))
                for move, share in first.items()
                for answer, other in second.items()
            ),
            Fraction(),
        )

    return expected(game.initial(), None)


def _score(winner: int | None, player: int) -> Fraction:
    return Fraction(0 if winner is None else 1 if winner == player else -1)
