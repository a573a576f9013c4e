"""Exact answers about a game: who wins, what every move is worth, and how best to play.

Which way an answer is found depends on what the game declares and on what is known of its
structure; what comes out is the same data for all.  Players are counted as in the rules.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from powerduels.core import AnyGame, move_count
from powerduels.solve.worth import Oracle, Report, SearchingOracle, Worth, ignore, preference

if TYPE_CHECKING:
    from fractions import Fraction
    from types import ModuleType

MOST_MOVES = 1000
"""Of more legal moves only so many are listed, those that keep the worth first."""


class Judged(NamedTuple):
    """A legal move and what it is worth."""

    move: Any
    worth: "Worth | Fraction"
    """Who wins; in simultaneous games the expected score of who makes it against the opponent's optimal mix."""
    keeps: bool
    """Whether nothing is given away by it."""
    weight: "Fraction | None" = None
    """How often it is played in the optimal mix of a simultaneous game."""


class Choices(NamedTuple):
    """What one player may choose, the best first."""

    moves: Sequence[Judged]
    omitted: int = 0
    best_omitted: int = 0
    """How many moves are not listed, and how many of them keep the worth."""


class Analysis(NamedTuple):
    """The worth of a position, and of each move for each player who must choose."""

    position: Any
    worth: "Worth | Fraction"
    """Of the position: who wins, or the expected score of player 0."""
    choices: dict[int, Choices]


class Solved(NamedTuple):
    """The worth of a whole game, how it is kept at the start, and what it took to know."""

    analysis: Analysis
    positions: int
    seconds: float


class TurnExpert:
    """Answers about a game in which one player chooses at a time."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        self.game = game
        self.oracle = open_oracle(game, report)

    @property
    def positions(self) -> int:
        return self.oracle.settled

    def settle(self, position: Any) -> None:
        """Settle a position and its moves once and for all, with all the memory there is."""
        self.oracle.settle(position)

    def analyse(self, position: Any) -> Analysis:
        actors = self.game.actors(position)
        if not actors:
            outcome = self.game.outcome(position)
            return Analysis(position, Worth(outcome.winner if outcome else None, 0), {})
        (player,) = actors
        return Analysis(position, self.oracle.worth(position), {player: self._choices(position, player)})

    def _choices(self, position: Any, player: int) -> Choices:
        legal, best = self.game.legal(position, player), self.oracle.best_moves(position)
        listed = list(islice(best, MOST_MOVES))
        others = (move for move in legal if move not in best)
        listed += islice(others, MOST_MOVES - len(listed))
        worths = {move: self.oracle.worth_of_move(position, move) for move in listed}
        listed.sort(key=lambda move: preference(worths[move], player), reverse=True)
        return Choices(
            [Judged(move, worths[move], move in best) for move in listed],
            move_count(legal) - len(listed),
            max(0, move_count(best) - MOST_MOVES),
        )


class DuelExpert:
    """Answers about a game in which both choose at once."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        self.game = game
        from powerduels.solve.stages import make_room, settle

        structure = _structure(game)
        if structure:
            make_room(structure.position_bound(game))
        self._settled = settle(game, report)

    @property
    def positions(self) -> int:
        return len(self._settled)

    def settle(self, position: Any) -> None:
        """Every position is settled from the beginning."""

    def analyse(self, position: Any) -> Analysis:
        value = self._settled.value(position)
        if not self.game.actors(position):
            return Analysis(position, value, {})
        _, rows, columns = self._settled.solution(position)
        payoffs = self._settled.payoffs(position)
        first = [_expected(columns, row) for row in payoffs]
        second = [-_expected(rows, column) for column in zip(*payoffs, strict=True)]
        choices = {}
        for player, mix, scores in ((0, rows, first), (1, columns, second)):
            if player in self.game.actors(position):
                best = value if player == 0 else -value
                judged = [
                    Judged(move, score, score == best, weight)
                    for move, score, weight in zip(self.game.legal(position, player), scores, mix, strict=True)
                ]
                choices[player] = Choices(sorted(judged, key=_score, reverse=True))
        return Analysis(position, value, choices)


Expert = TurnExpert | DuelExpert


@lru_cache(maxsize=16)
def expert(game: AnyGame, report: Report = ignore) -> Expert:
    """Who answers about this game; asked again, what is settled is not settled again."""
    return DuelExpert(game, report) if game.kind.simultaneous else TurnExpert(game, report)


def open_oracle(game: AnyGame, report: Report = ignore) -> Oracle:
    """The fastest oracle for a game: its own, where its structure has one, else the general."""
    structure = _structure(game)
    if structure is None:
        from powerduels.solve.retrograde import GeneralOracle

        return GeneralOracle(game, report)
    oracle: Oracle = structure.ORACLE(game, report)
    if isinstance(oracle, SearchingOracle):
        from powerduels.store import answers_path

        oracle.keep_in(answers_path(game))
    return oracle


def _structure(game: AnyGame) -> "ModuleType | None":
    """What is known of a game's structure: a module named like the game's own, beside the general solvers or fast."""
    for package in ("solve", "fast"):
        module = f"powerduels.{package}.{game.id.replace('-', '_')}"
        if find_spec(module) is not None:
            return import_module(module)
    return None


def solve(game: AnyGame, report: Report = ignore) -> Solved:
    """Who wins a game from its start, and by which first moves."""
    start = time.perf_counter()
    expert_on_game = expert(game, report)
    expert_on_game.settle(game.initial())
    analysis = expert_on_game.analyse(game.initial())
    return Solved(analysis, expert_on_game.positions, time.perf_counter() - start)


def _expected(mix: "Sequence[Fraction]", scores: "Sequence[Fraction]") -> "Fraction":
    from fractions import Fraction

    return sum((weight * score for weight, score in zip(mix, scores, strict=True) if weight), Fraction())


def _score(judged: Judged) -> "Fraction":
    assert not isinstance(judged.worth, Worth)
    return judged.worth
