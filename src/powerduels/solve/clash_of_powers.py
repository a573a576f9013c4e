"""Clash of Powers by its structure: how many positions there can be, known before one is looked at.

After k duels both have used k powers, i of them the same ones.  A duel ties only when both
play the same power, so at most i duels were tied, and at least k - i were won.
"""

from math import comb

from powerduels.core import AnyGame


def position_bound(game: AnyGame) -> int:
    """No more positions than this can be reached, those included in which the game is over."""
    powers, needed = len(game.rules.powers), game.rules.duels_to_win
    before_the_tiebreak = sum(
        comb(powers, same)
        * comb(powers - same, used - same)
        * comb(powers - used, used - same)
        # The last factor is the number of scores.
        * _scores(needed, used - same, used)
        for used in range(powers + 1)
        for same in range(used + 1)
    )
    tied_scores, final_duels = powers // 2 + 1, 3
    return before_the_tiebreak + tied_scores * final_duels


def _scores(needed: int, fewest: int, most: int) -> int:
    """In how many ways so many won duels are shared out until somebody has all that are needed."""
    ours = range(needed + 1)
    return sum(fewest <= one + other <= most and one + other < 2 * needed for one in ours for other in ours)
