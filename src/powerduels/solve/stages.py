"""Simultaneous games solved backwards, stage by stage: the exact value of every position.

The value is the expected score of player 0 (win 1, draw 0, loss -1) when both play best.
Every game of the common model will do; where one player chooses alone, the best move counts.

Positions that can come back are settled together, and going on for ever is a draw.  What
their values are is proven from both sides (Everett, Recursive games): player 0 can secure
numbers of at most 0, one for each of them, that one more ply does not make worse, and
whatever those grow into ply by ply; player 1 can hold the score to numbers of at least 0
that one more ply does not make better, and to whatever those shrink to.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeVar

from powerduels.core import BOTH, Game
from powerduels.solve.matrix import Ratio, Solution, solve, value_of
from powerduels.solve.worth import OutOfReach, Report, ignore

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

Bound = Callable[[Fraction, Fraction], Fraction]
MOST_POSITIONS = 1_000_000
"""A game with more positions than this is refused unless a caller has room for more."""

_BYTES_PER_POSITION = 1400
"""What settling takes of memory, values of thousands of digits included."""

_PACE = 1024
"""Positions between two reports of progress, unless settling one was work."""

_IMPROVEMENTS = 8
"""Better and better mixes tried where a position repeats itself; those of a rational value end sooner."""

_SETTLING_DOWN = 4
"""So many plies more than there are positions are tried where these come back to one another."""


class Undecided(OutOfReach):
    """Positions repeat in a way whose worth cannot be told exactly: it may not even be rational."""


class Settled(Generic[P, M]):
    """The exact value of every position that can be reached; mixes are worked out when asked for."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        numbers: dict[P, int],
        values: list[Ratio],
        loops: dict[int, list[int]],
    ) -> None:
        self.game = game
        self._numbers = numbers
        self._values = values
        self._loops = loops

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[P]:
        """Every position, the start first."""
        return iter(self._numbers)

    def value(self, position: P) -> Fraction:
        """The expected score of player 0 from here when both play best."""
        return Fraction(*self._values[self._numbers[position]])

    def payoffs(self, position: P) -> list[list[Fraction]]:
        """The value after each ply: a row for each move of player 0, a column for each of player 1.

        Whoever does not choose here has one row, or one column.
        """
        first, second = self._choices(position)
        return [[self.value(self.game.apply(position, one + other)) for other in second] for one in first]

    def solution(self, position: P) -> Solution:
        """The value of an unfinished position and for each player the optimal mix that punishes.

        Raises Undecided where a mix that is best for one ply might go on for ever instead.
        """
        loop = self._loops.get(self._numbers[position], [])
        if len(loop) > 1 and any(self._values[number][0] for number in loop):
            raise Undecided("No optimal mix is known here, for it might go round in circles for ever.")
        # Where all is worth 0, going on for ever costs nothing.  Where one position repeats
        # itself, some mix secured its value by leading on (see _settle_repeated); this one
        # uses whatever any optimal mix uses, so it leads on as well.
        return solve(self.payoffs(position))

    def _choices(self, position: P) -> list[list[tuple[Any, ...]]]:
        """For each player the part of a ply that is theirs: a move each, or nothing."""
        actors = self.game.actors(position)
        return [
            [(move,) for move in self.game.legal(position, player)] if player in actors else [()] for player in BOTH
        ]


def settle(
    game: Game[Any, P, M],
    report: Report = ignore,
    start: P | None = None,
    most: int = MOST_POSITIONS,
) -> Settled[P, M]:
    """Settle everything that can be reached from the start of a game, or from another position.

    Raises OutOfReach or Undecided where there is no exact answer within reach.
    Nothing is kept of a call that is interrupted.
    """
    graph = _Graph(game, game.initial() if start is None else start, report, most)
    settling = _Settling(graph, report)
    for group in graph.groups():
        settling.settle(group)
    report(len(graph.numbers), len(graph.numbers))
    values = [settling.ratios[worth] for worth in settling.worths]
    return Settled(game, graph.numbers, values, settling.loops)


def make_room(positions: int, most: int = MOST_POSITIONS) -> None:
    """Raises OutOfReach where a game that may have so many positions is too large to begin with."""
    if positions > most:
        needed, there = (count * _BYTES_PER_POSITION / 2**30 for count in (positions, most))
        raise OutOfReach(
            f"Up to {positions:,} positions can be reached here, which may take {needed:.1f} GiB of memory; "
            f"settled are at most {most:,}, in {there:.1f} GiB."
        )


class _Graph(Generic[P]):
    """All positions that can be reached, by number in the order found, and what follows each.

    `after` lists for each the numbers that follow, row by row: the plies with the first
    move of player 0, then those with the second, and so on; `heights` counts the rows.
    Where the game is over, `after` is empty and `heights` is the score of player 0.
    """

    def __init__(self, game: Game[Any, Any, Any], start: P, report: Report, most: int) -> None:
        self.numbers: dict[P, int] = {start: 0}
        self.after: list[list[int]] = []
        self.heights: list[int] = []
        self.onward = True
        """Whether each position was found before all others that follow it."""
        numbers, apply = self.numbers, game.apply
        waiting = [start]
        for position in waiting:
            following: list[int] = []
            actors = game.actors(position)
            moves = [game.legal(position, player) for player in actors]
            if len(actors) == len(BOTH):
                plies: Sequence[tuple[Any, ...]] = [(one, other) for one in moves[0] for other in moves[1]]
                height = len(moves[0])
            elif actors:
                plies = [(move,) for move in moves[0]]
                height = len(plies) if actors[0] == 0 else 1
            else:
                plies = ()
                height = _score(game, position)
            for ply in plies:
                reached = apply(position, ply)
                number = numbers.get(reached)
                if number is None:
                    number = numbers[reached] = len(waiting)
                    waiting.append(reached)
                following.append(number)
            here = len(self.after)
            if following and min(following) < here:
                self.onward = False
            self.after.append(following)
            self.heights.append(height)
            if len(waiting) > most:
                raise OutOfReach(f"More than {most:,} positions can be reached: too many to settle them all.")
            if not here % _PACE:
                report(len(waiting), 0)

    def groups(self) -> Iterator[list[int]]:
        """All positions, those first that follow others; together those that can come back to one another."""
        if self.onward:
            return ([number] for number in reversed(range(len(self.after))))
        return _components(self.after)


def _score(game: Game[Any, Any, Any], position: Any) -> int:
    outcome = game.outcome(position)
    assert outcome is not None
    return 0 if outcome.winner is None else 1 - 2 * outcome.winner


def _components(after: list[list[int]]) -> Iterator[list[int]]:
    """The strongly connected components of what can be reached from 0, each after all that it leads to (Tarjan)."""
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_ones: list[int] = []
    is_open = [False] * len(after)
    path: list[tuple[int, Iterator[int]]] = []

    def enter(number: int) -> None:
        order[number] = lowest[number] = len(order)
        open_ones.append(number)
        is_open[number] = True
        path.append((number, iter(after[number])))

    enter(0)
    while path:
        number, rest = path[-1]
        for following in rest:
            if following not in order:
                enter(following)
                break
            if is_open[following]:
                lowest[number] = min(lowest[number], order[following])
        else:
            path.pop()
            if path:
                parent = path[-1][0]
                lowest[parent] = min(lowest[parent], lowest[number])
            if lowest[number] == order[number]:
                component = []
                while is_open[number]:
                    component.append(open_ones.pop())
                    is_open[component[-1]] = False
                yield component


class _Settling:
    """The worths of positions as they become known.

    A worth is a number that stands for an exact ratio, and equal ratios have equal numbers.
    So two positions whose plies lead to equal worths, whatever moves lead there, look alike
    and are settled once; so are two that change into one another when the players change
    places.
    """

    def __init__(self, graph: _Graph[Any], report: Report) -> None:
        self.graph = graph
        self.report = report
        self.ratios: list[Ratio] = []
        self.negated: list[int] = []
        """For each worth the one of the same size and opposite sign."""
        self.worth_of: dict[Ratio, int] = {}
        self.worths = [-1] * len(graph.after)
        self.loops: dict[int, list[int]] = {}
        self.settled = 0
        self._as_met: dict[tuple[int, ...], int] = {}
        self._sorted: dict[tuple[tuple[int, ...], ...], int] = {}
        self._nothing = self.worth((0, 1))

    def settle(self, group: list[int]) -> None:
        number = group[0]
        if len(group) > 1 or number in self.graph.after[number]:
            self._settle_loop(group)
        else:
            self.worths[number] = self._after_a_ply(number)
        self.settled += len(group)
        if not self.settled % _PACE:
            self.report(len(self.worths), self.settled)

    def worth(self, ratio: Ratio) -> int:
        """The number that stands for a ratio."""
        worth = self.worth_of.get(ratio)
        if worth is None:
            numerator, denominator = ratio
            worth = self.worth_of[ratio] = len(self.ratios)
            self.ratios.append(ratio)
            self.negated.append(worth)
            if numerator:
                opposite = (-numerator, denominator)
                self.worth_of[opposite] = self.negated[worth] = worth + 1
                self.ratios.append(opposite)
                self.negated.append(worth)
        return worth

    def _after_a_ply(self, number: int) -> int:
        """The worth of a position, from the worths of those that follow it."""
        following, height, worths = self.graph.after[number], self.graph.heights[number], self.worths
        if len(following) < 2:
            return worths[following[0]] if following else self.worth((height, 1))
        key = (height, *[worths[other] for other in following])
        worth = self._as_met.get(key)
        if worth is None:
            width = len(following) // height
            worth = self._of_table([key[begin : begin + width] for begin in range(1, len(key), width)])
            self._as_met[key] = worth
        return worth

    def _of_table(self, table: Sequence[tuple[int, ...]]) -> int:
        ordered = _ordered(table)
        worth = self._sorted.get(ordered)
        if worth is None:
            worth = self.worth(value_of([[self.ratios[entry] for entry in row] for row in table]))
            negated = self.negated
            turned = [tuple([negated[entry] for entry in column]) for column in zip(*table, strict=True)]
            self._sorted[_ordered(turned)] = negated[worth]
            self._sorted[ordered] = worth
            self.report(len(self.worths), self.settled)
        return worth

    def _settle_loop(self, group: list[int]) -> None:
        """Settle positions that can come back to one another."""
        self.loops |= dict.fromkeys(group, group)
        if len(group) == 1:
            self._settle_repeated(group[0])
            return
        found = self._limit([self._nothing] * len(group), partial(self._next, group))
        if self._proven(group, found, min) != found or self._proven(group, found, max) != found:
            raise _undecided()
        self._set(group, found)

    def _proven(self, group: list[int], found: list[int], bound: Bound) -> list[int]:
        """What player 0 can secure, with `min`, or what player 1 can hold the score to, with `max`.

        First down from 0 (or up), until one more ply makes nothing worse (better), and from there back.
        """

        def beyond(worths: list[int]) -> list[int]:
            return self._bounds(bound, worths, self._next(group, worths))

        begun = self._limit(self._bounds(bound, found, [self._nothing] * len(group)), beyond)
        return self._limit(begun, partial(self._next, group))

    def _settle_repeated(self, number: int) -> None:
        """Settle a position that can come back to itself and to no other.

        What one ply makes of 0 tells who can expect more.  From 0 on, the best mix against
        coming back for the worth known so far, played for ever, secures as much or more;
        when a ply adds nothing to that, the other side can hold it there.
        """
        worth = self._nothing
        for _ in range(_IMPROVEMENTS):
            (better,) = self._next([number], [worth])
            if better == worth:
                self.worths[number] = worth
                return
            worth = self._secured(number, negated=self.ratios[better][0] < 0)
        raise _undecided()

    def _secured(self, number: int, negated: bool) -> int:
        """What the mix that is best for one ply secures when it is played for ever, as a worth.

        It is the mix of player 0, or with `negated` that of player 1, who sees all scores negated.
        """
        following, height = self.graph.after[number], self.graph.heights[number]
        sign = -1 if negated else 1
        payoffs = [sign * Fraction(*self.ratios[self.worths[other]]) for other in following]
        width = len(following) // height
        rows = [range(begin, begin + width) for begin in range(0, len(following), width)]
        own = list(zip(*rows, strict=True)) if negated else rows
        mix = solve([[payoffs[cell] for cell in line] for line in own]).rows
        secured = []
        for line in zip(*own, strict=True):
            leaving = [
                (share, payoffs[cell]) for share, cell in zip(mix, line, strict=True) if following[cell] != number
            ]
            # Some share leaves: coming back for sure would be worth no more than before this ply.
            secured.append(sum(share * payoff for share, payoff in leaving) / sum(share for share, _ in leaving))
        least = sign * min(secured)
        return self.worth((least.numerator, least.denominator))

    def _set(self, group: list[int], worths: list[int]) -> None:
        for number, worth in zip(group, worths, strict=True):
            self.worths[number] = worth

    def _next(self, group: list[int], worths: list[int]) -> list[int]:
        """The worths one ply earlier, if those of the group were these."""
        self._set(group, worths)
        return [self._after_a_ply(number) for number in group]

    def _bounds(self, bound: Bound, some: list[int], others: list[int]) -> list[int]:
        """The lower or the higher worth of each two."""
        fractions = (
            (Fraction(*self.ratios[one]), Fraction(*self.ratios[other]))
            for one, other in zip(some, others, strict=True)
        )
        limits = [bound(one, other) for one, other in fractions]
        return [self.worth((limit.numerator, limit.denominator)) for limit in limits]

    def _limit(self, worths: list[int], change: Callable[[list[int]], list[int]]) -> list[int]:
        """What these worths are when they change no more, if they soon do."""
        for _ in range(len(worths) + _SETTLING_DOWN):
            changed = change(worths)
            if changed == worths:
                return worths
            worths = changed
        raise _undecided()


def _undecided() -> Undecided:
    return Undecided("Positions repeat here in a way whose worth cannot be told exactly.")


def _ordered(table: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The same table with rows and columns in an order that does not depend on which moves they are.

    Only where two have the same entries may the order still differ; then a table is
    settled twice, which costs time alone.
    """
    return tuple(sorted(zip(*sorted(table, key=sorted), strict=True), key=sorted))
