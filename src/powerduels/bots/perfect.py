"""Perfect play where one player chooses at a time: the worth is kept, and the opponent is not helped.

The winner hurries.  Who is lost delays, and leaves the opponent the fewest moves that win;
in a draw the fewest that hold it.  Where only winners are known, and each by a search, the
loser looks at a few answers to a few moves, the most striking ones; who cannot find out in
time who wins does so with the moves that seem best from looking ahead.
"""

from collections.abc import Sequence
from typing import Any

from powerduels.analyse import MOST_MOVES, TurnExpert, expert
from powerduels.bots.foresight import FARTHEST
from powerduels.bots.foresight import favourites as foreseen
from powerduels.bots.sights import sight_of
from powerduels.core import AnyGame, move_count
from powerduels.solve.worth import Oracle, SearchingOracle, gain, preference

MOVES_SEARCHED, ANSWERS_SEARCHED = 4, 4
"""How many moves a loser considers, and answers to each, where every answer takes a search."""

PATIENCE = 1_500_000
"""Positions searched to find out who wins, about a second's worth."""


def favourites(game: AnyGame, position: Any) -> Sequence[Any]:
    """The best moves, all equally good as far as this goes; raises OutOfReach where nothing is known."""
    expert_on_game = expert(game)
    assert isinstance(expert_on_game, TurnExpert)
    oracle = expert_on_game.oracle
    (player,) = game.actors(position)
    if move_count(game.legal(position, player)) == 1:
        return game.legal(position, player)
    if isinstance(oracle, SearchingOracle):
        return _found_by_search(oracle, position, player)
    keeping = oracle.best_moves(position)[:MOST_MOVES]
    worths = [oracle.worth_of_move(position, move) for move in keeping]
    best = max(preference(worth, player) for worth in worths)
    chosen = [move for move, worth in zip(keeping, worths, strict=True) if preference(worth, player) == best]
    if gain(oracle.worth(position), player) > 0:
        return chosen
    return _least([(problems(oracle, position, player, move), move) for move in chosen])


def problems(oracle: Oracle, position: Any, player: int, move: Any) -> tuple[int, int]:
    """How many of the opponent's answers are good ones, and minus how many there are; the less, the harder."""
    game = oracle.game
    after = game.apply(position, (move,))
    if game.actors(after) != (1 - player,):
        return 0, 0
    return move_count(oracle.best_moves(after)), -move_count(game.legal(after, 1 - player))


def _least(counted: Sequence[tuple[Any, Any]]) -> list[Any]:
    least = min(count for count, _ in counted)
    return [move for count, move in counted if count == least]


def _found_by_search(oracle: SearchingOracle, position: Any, player: int) -> Sequence[Any]:
    game = oracle.game
    worth = oracle.quick_worth(position, PATIENCE)
    if worth is not None and gain(worth, player) >= 0:
        ends = [move for move in game.legal(position, player) if _wins_at_once(game, position, player, move)]
        return ends or [oracle.good_move(position)]
    prepared = oracle.prepared_move(position)
    if prepared is not None:
        return [prepared]
    striking = sight_of(game).order(game, position) if worth else foreseen(game, position, FARTHEST)
    considered = striking[:MOVES_SEARCHED]
    return _least([(_answers_that_win(oracle, position, player, move), move) for move in considered])


def _wins_at_once(game: AnyGame, position: Any, player: int, move: Any) -> bool:
    outcome = game.outcome(game.apply(position, (move,)))
    return outcome is not None and outcome.winner == player


def _answers_that_win(oracle: Oracle, position: Any, player: int, move: Any) -> tuple[bool, int]:
    """Whether the move ends the game, and of a few answers how many are not known to let the loser off."""
    game = oracle.game
    after = game.apply(position, (move,))
    if not game.actors(after):
        return True, 0
    if game.actors(after) == (player,):
        return False, 0
    answers = sight_of(game).order(game, after)[:ANSWERS_SEARCHED]
    worths = [oracle.quick_worth(game.apply(after, (answer,))) for answer in answers]
    return False, sum(worth is None or gain(worth, player) < 0 for worth in worths)
