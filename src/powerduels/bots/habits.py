"""How people are predictable where both choose at once: habits in duels, each a known mix.

A habit depends on the position and on the last duel alone, so that what an opponent who
knows it can gain by it is computed exactly.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from powerduels.analyse import expert
from powerduels.core import AnyGame

Mix = Mapping[Any, Fraction]
"""How often each move is chosen."""

Habit = Callable[[Any, Any, int, tuple[Any, ...] | None], Mix]
"""The mix of a player in a game and a position; the last is the ply before, None at the start."""


def optimal_mix(game: AnyGame, position: Any, player: int) -> Mix:
    """An optimal mix against which every choice that is in none of the opponent's loses; raises OutOfReach."""
    judged = expert(game).analyse(position).choices[player].moves
    return {one.move: one.weight for one in judged if one.weight}


def high_cards_first(game: Any, position: Any, player: int, last: tuple[Any, ...] | None) -> Mix:
    """Always the highest power."""
    return {max(game.legal(position, player)): Fraction(1)}


def fear_of_the_double(game: Any, position: Any, player: int, last: tuple[Any, ...] | None) -> Mix:
    """One time in three half of the highest power there is to fear, or else the highest that nothing can halve."""
    mine, theirs = game.legal(position, player), game.legal(position, 1 - player)
    halves = [power for power in mine if 2 * power == max(theirs)]
    safe = [power for power in mine if not any(power == 2 * other for other in theirs)]
    return _blended((1, _even(halves or [max(safe)] if halves or safe else mine)), (2, _even(mine)))


def repeats_what_won(game: Any, position: Any, player: int, last: tuple[Any, ...] | None) -> Mix:
    """Half of the time as it should be, one time in three by the last duel, else anything."""
    optimal, mine = optimal_mix(game, position, player), game.legal(position, player)
    return _blended((3, optimal), (2, _by_the_last_duel(game, mine, player, last) or optimal), (1, _even(mine)))


def habit_at_times(game: Any, position: Any, player: int, last: tuple[Any, ...] | None) -> Mix:
    """Four times in five as it should be, else by the last duel."""
    optimal, mine = optimal_mix(game, position, player), game.legal(position, player)
    return _blended((4, optimal), (1, _by_the_last_duel(game, mine, player, last) or optimal))


def without_habit(game: Any, position: Any, player: int, last: tuple[Any, ...] | None) -> Mix:
    return optimal_mix(game, position, player)


HABITS: tuple[Habit, ...] = (
    high_cards_first, fear_of_the_double, repeats_what_won, habit_at_times, without_habit,
)  # fmt: skip
"""By level, from 1 on."""


def _by_the_last_duel(game: Any, mine: Iterable[int], player: int, last: tuple[int, ...] | None) -> Mix | None:
    """The powers most like the one that has just won; after a defeat, the others."""
    winner = None if last is None else game.duel_winner(*last)
    if last is None or winner is None:
        return None
    distance = {power: abs(power - last[player]) for power in mine}
    alike = [power for power in distance if distance[power] == min(distance.values())]
    others = [power for power in distance if power not in alike]
    return _even(alike if winner == player else others or alike)


def _even(moves: Iterable[Any]) -> Mix:
    chosen = list(moves)
    return dict.fromkeys(chosen, Fraction(1, len(chosen)))


def _blended(*parts: tuple[int, Mix]) -> Mix:
    """Several mixes in one, each as often as its number says."""
    total = sum(share for share, _ in parts)
    blend: dict[Any, Fraction] = {}
    for share, mix in parts:
        for move, weight in mix.items():
            blend[move] = blend.get(move, Fraction()) + Fraction(share, total) * weight
    return blend
