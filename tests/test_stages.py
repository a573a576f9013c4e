"""Simultaneous games settled backwards: exact values, mixes that are optimal and punish, and loops."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import powerduels
from naive_matrix import against_columns, against_rows, is_optimal_and_punishes, naive_value
from powerduels.core import NOBODY, AnyGame, Game, Kind, Outcome
from powerduels.solve import stages
from powerduels.solve.matrix import Solution, is_optimal
from powerduels.solve.stages import Settled, Undecided, settle
from powerduels.solve.worth import OutOfReach

THIRD = Fraction(1, 3)
TIEBREAKS = ("single", "repeat", "none")


def clash(powers: str | int = 5, duels_to_win: int = 3, exact_double: bool = True, tiebreak: str = "single") -> AnyGame:
    """Clash of Powers with these powers, or with so many as in 1, 2, 4, ..."""
    if isinstance(powers, int):
        powers = ",".join(str(2**exponent) for exponent in range(powers))
    return powerduels.game(
        "clash-of-powers", powers=powers, duels_to_win=duels_to_win, exact_double=exact_double, tiebreak=tiebreak
    )


def unfinished(settled: Settled[Any, Any]) -> list[Any]:
    return [position for position in settled if settled.game.actors(position)]


def naive_values(game: AnyGame) -> dict[Any, Fraction]:
    """Every value by plain recursion and brute force; a duel that is repeated must turn out even."""
    values: dict[Any, Fraction] = {}

    def value(position: Any) -> Fraction:
        if position not in values:
            outcome = game.outcome(position)
            if outcome:
                values[position] = Fraction({None: 0, 0: 1, 1: -1}[outcome.winner])
            else:
                values[position] = Fraction(0)
                first, second = (game.legal(position, player) for player in (0, 1))
                found = naive_value([[value(game.apply(position, (one, other))) for other in second] for one in first])
                assert found == 0 or all(game.apply(position, ply) != position for ply in product(first, second))
                values[position] = found
        return values[position]

    value(game.initial())
    return values


OPTION_SETS = [
    (powers, duels, exact_double, tiebreak)
    for powers in (2, 3, 4, "3,5,6", "1,2,3,6")
    for duels in range(1, (powers if isinstance(powers, int) else powers.count(",") + 1) + 1)
    for exact_double, tiebreak in product((True, False), TIEBREAKS)
] + [
    (5, 1, True, "single"),
    (5, 2, True, "single"),
    (5, 2, True, "repeat"),
    (5, 2, False, "none"),
    (5, 3, True, "single"),
    (5, 4, True, "repeat"),
    (5, 5, False, "single"),
    ("2,3,4,6,8", 2, True, "single"),
]


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: "-".join(map(str, options)))
def test_values_and_mixes_at_every_position(options: tuple[Any, ...]) -> None:
    """Values are those of brute force; no pure choice gains against a mix, and those in no optimal mix lose."""
    game = clash(*options)
    settled = settle(game)
    assert {position: settled.value(position) for position in settled} == naive_values(game)
    for position in unfinished(settled):
        payoffs, solution = settled.payoffs(position), settled.solution(position)
        assert solution.value == settled.value(position)
        assert is_optimal(payoffs, *solution)
        assert is_optimal_and_punishes(payoffs, *solution)


@pytest.mark.parametrize("duels_to_win", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("exact_double", [True, False])
@pytest.mark.parametrize("tiebreak", TIEBREAKS)
def test_mixes_with_five_powers(duels_to_win: int, exact_double: bool, tiebreak: str) -> None:
    settled = settle(clash(5, duels_to_win, exact_double, tiebreak))
    assert settled.value(settled.game.initial()) == 0
    for position in unfinished(settled):
        assert is_optimal_and_punishes(settled.payoffs(position), *settled.solution(position))


@pytest.mark.parametrize("duels_to_win", [2, 3, 4])
def test_mixes_with_six_powers(duels_to_win: int) -> None:
    """Here fractions grow long, up to 60 digits."""
    settled = settle(clash(6, duels_to_win))
    assert settled.value(settled.game.initial()) == 0
    for position in unfinished(settled):
        solution = settled.solution(position)
        assert solution.value == settled.value(position)
        assert is_optimal_and_punishes(settled.payoffs(position), *solution)


def test_seven_powers() -> None:
    """Values of hundreds of digits are still exact: the mixes of the first duels prove them."""
    game = clash(7)
    settled = settle(game)
    start = game.initial()
    assert len(settled) == 19_993
    for position in [start, *(game.apply(start, ply) for ply in product(game.legal(start, 0)[:3], repeat=2))]:
        solution = settled.solution(position)
        assert solution.value == settled.value(position)
        assert is_optimal_and_punishes(settled.payoffs(position), *solution)
    assert settled.value(start) == 0
    assert max(settled.value(position).denominator for position in settled) > 10**590


@pytest.mark.parametrize("duels_to_win", [3, 4, 5])
def test_with_five_powers_an_even_mix_is_optimal(duels_to_win: int) -> None:
    """More duels are needed than half the powers, so a random order cannot be beaten."""
    game = clash(5, duels_to_win)
    settled = settle(game)
    even = (Fraction(1, 5),) * 5
    assert is_optimal(settled.payoffs(game.initial()), Fraction(), even, even)
    assert settled.solution(game.initial()) == Solution(Fraction(), even, even)


def test_four_powers_have_two_optimal_mixes() -> None:
    game = clash(4)
    payoffs = settle(game).payoffs(game.initial())
    even = (Fraction(1, 4),) * 4
    assert is_optimal(payoffs, Fraction(), even, even)
    assert is_optimal(payoffs, Fraction(), (Fraction(0), Fraction(3, 8), Fraction(1, 8), Fraction(1, 2)), even)


def test_in_the_tiebreak_only_4_8_and_16_are_good() -> None:
    game = clash()
    settled = settle(game)
    last = [position for position in settled if game.actors(position) and not position.hands[0]]
    mix = (Fraction(0), Fraction(0), THIRD, THIRD, THIRD)
    assert [settled.solution(position) for position in last] == [Solution(Fraction(), mix, mix)] * 3


@pytest.mark.parametrize(("duels_to_win", "count"), [(3, 0), (2, 108)])
def test_positions_that_punish(duels_to_win: int, count: int) -> None:
    """Before the tiebreak a player can make a mistake in 108 positions if two victories win, in none by default."""
    settled = settle(clash(5, duels_to_win))
    wrong = [0, 0]
    for position in unfinished(settled):
        if position.hands[0]:
            payoffs, (value, rows, columns) = settled.payoffs(position), settled.solution(position)
            wrong[0] += min(against_columns(payoffs, columns)) < value
            wrong[1] += max(against_rows(payoffs, rows)) > value
    assert wrong == [count, count]


def test_swapping_the_players_negates_the_value() -> None:
    settled = settle(clash(5, 2))
    for position in settled:
        swapped = position._replace(hands=position.hands[::-1], score=position.score[::-1])
        assert settled.value(swapped) == -settled.value(position)


def test_from_a_position_on() -> None:
    """Settling only what follows a position gives the same values, and nothing else."""
    game = clash(4, 2)
    whole = settle(game)
    start = game.apply(game.initial(), (4, 2))
    part = settle(game, start=start)
    assert 1 < len(part) < len(whole)
    assert next(iter(part)) == start
    assert all(part.value(position) == whole.value(position) for position in part)
    with pytest.raises(KeyError):
        part.value(game.initial())


@pytest.mark.parametrize(
    ("game_id", "options", "value"),
    [
        ("power-match", {"pool": 4}, 1),
        ("power-match", {"pool": 5, "order": "snake"}, -1),
        ("power-match", {"pool": 7, "order": "snake"}, 1),
        *(("double-up", {"limit": limit}, 1 if limit in (2, 5, 6, 11, 12, 13, 14) else -1) for limit in range(2, 16)),
        ("power-up", {}, 0),
        ("power-up", {"stalling": "once"}, 1),
        ("power-up", {"stall_limit": None}, 0),
        ("power-up", {"stall_limit": None, "base": 4}, 0),
        *(("power-up", {"stall_limit": None, "base": base}, 1) for base in (8, 16, 64)),
        ("power-up", {"exponents": "2,3"}, 1),
        ("power-up", {"exponents": "2,3", "base": 4}, -1),
    ],
    ids=str,
)
def test_games_of_turns_are_settled_as_well(game_id: str, options: dict[str, Any], value: int) -> None:
    """Known winners; without a stall limit the positions of Power Up come back to one another."""
    game = powerduels.game(game_id, **options)
    assert settle(game).value(game.initial()) == value


class Place(NamedTuple):
    """A position of a game that is written down as a table: each row holds what follows the moves of player 0.

    What follows is another position by name, or a score for player 0.
    """

    actors: tuple[int, ...]
    rows: Sequence[Sequence[str | int]]


class TableGame(Game[None, str | int, int]):
    """A game written down position by position, the start first; a move is a row or a column."""

    def __init__(self, **places: Place) -> None:
        super().__init__(None)
        self.places = places

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "TableGame":
        return cls(**values)

    def _declare_kind(self) -> Kind:
        return Kind(simultaneous=True, can_cycle=True, can_draw=True, longest=None)

    def initial(self) -> str | int:
        return next(iter(self.places))

    def actors(self, position: str | int) -> tuple[int, ...]:
        return NOBODY if isinstance(position, int) else self.places[position].actors

    def legal(self, position: str | int, player: int) -> Sequence[int]:
        rows = self.places[str(position)].rows
        return range(len(rows[0]) if player else len(rows))

    def apply(self, position: str | int, ply: tuple[int, ...]) -> str | int:
        actors, rows = self.places[str(position)]
        chosen = dict(zip(actors, ply, strict=True))
        return rows[chosen.get(0, 0)][chosen.get(1, 0)]

    def outcome(self, position: str | int) -> Outcome | None:
        return Outcome({1: 0, 0: None, -1: 1}[position], "table") if isinstance(position, int) else None

    def refusal(self, position: str | int, player: int, move: int) -> str:
        raise NotImplementedError

    def explain(self, position: str | int, outcome: Outcome, names: tuple[str, str]) -> str:
        raise NotImplementedError


def both(*rows: Sequence[str | int]) -> Place:
    return Place((0, 1), rows)


def first(*moves: str | int) -> Place:
    return Place((0,), [[move] for move in moves])


def second(*moves: str | int) -> Place:
    return Place((1,), [moves])


def test_choosing_alone_takes_the_best() -> None:
    game = TableGame(a=first("b", "c"), b=second(1, 0, 1), c=both([1, -1], [-1, 1], [-1, -1]))
    settled = settle(game)
    assert [settled.value(name) for name in "abc"] == [0, 0, 0]
    assert settled.solution("b") == Solution(Fraction(0), (Fraction(1),), (Fraction(0), Fraction(1), Fraction(0)))
    assert settle(TableGame(a=first("b", -1), b=second(1, "c"), c=first(1, -1))).value("a") == 1


LOOPS: dict[str, tuple[TableGame, list[Fraction | int]]] = {
    "even": (TableGame(a=both(["a", 1, -1], [-1, "a", 1], [1, -1, "a"])), [0]),
    "for ever rather than lose": (TableGame(a=first("a", -1)), [0]),
    "stop and win": (TableGame(a=first("a", 1)), [1]),
    "held for ever": (TableGame(a=second("a", 1)), [0]),
    "lost": (TableGame(a=second("a", -1)), [-1]),
    "no end": (TableGame(a=both(["a"])), [0]),
    "better than even": (TableGame(a=both(["a", 1, 0], [0, "a", 1], [1, 0, "a"])), [Fraction(1, 2)]),
    "the same for the other": (TableGame(a=both(["a", -1, 0], [0, "a", -1], [-1, 0, "a"])), [-Fraction(1, 2)]),
    "two in turn": (TableGame(a=first("b", 0), b=second("a", 1)), [0, 0]),
    "two in turn, both could win": (TableGame(a=first("b", 1), b=second("a", -1)), [1, -1]),
    "a way out that loses": (TableGame(a=first("b", -1), b=first("a", -1)), [0, 0]),
    "a long way out": (TableGame(a=first("b", "a"), b=first("c", "a"), c=first("a", 1)), [1, 1, 1]),
    "a long way out for the other": (TableGame(a=second("b", "a"), b=second("c", "a"), c=second("a", -1)), [-1] * 3),
    "a gain on the way to a loss": (
        TableGame(a=both(["b", -1], [-1, "b"]), b=first("a", "c"), c=both([1, 0], [0, 1])),
        [-Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)],
    ),
    "beyond a loop": (TableGame(a=first("a", "b"), b=both([1, -1], ["c", 1]), c=second("c", 1)), [THIRD, THIRD, 0]),
}


@pytest.mark.parametrize("name", LOOPS)
def test_positions_that_come_back(name: str) -> None:
    game, values = LOOPS[name]
    settled = settle(game)
    assert [settled.value(place) for place in game.places] == values


def secured(
    payoffs: Sequence[Sequence[Fraction]], stays: Sequence[Sequence[bool]], mix: Sequence[Fraction]
) -> Fraction:
    """The least that a mix of the rows comes to when it is played for ever, coming back where it stays."""
    results = []
    for column in range(len(stays[0])):
        ends = [
            (weight, row[column]) for weight, row, stay in zip(mix, payoffs, stays, strict=True) if not stay[column]
        ]
        share = sum(weight for weight, _ in ends)
        results.append(sum((weight * payoff for weight, payoff in ends), Fraction()) / share if share else Fraction())
    return min(results)


def turned(table: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The table when the players change places."""
    return [
        [entry if isinstance(entry, str | bool) else -entry for entry in column] for column in zip(*table, strict=True)
    ]


@given(
    st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda size: st.lists(
            st.lists(st.sampled_from(["a", 1, 0, -1]), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )
)
def test_a_position_that_repeats_itself(rows: list[list[str | int]]) -> None:
    """What is told is right: each mix, played for ever, secures the value; and it is told to either side alike."""
    try:
        settled = settle(TableGame(a=both(*rows)))
    except Undecided:
        with pytest.raises(Undecided):
            settle(TableGame(a=both(*turned(rows))))
        return
    stays = [[entry == "a" for entry in row] for row in rows]
    payoffs, solution = settled.payoffs("a"), settled.solution("a")
    value = settled.value("a")
    assert secured(payoffs, stays, solution.rows) >= value
    assert secured(turned(payoffs), turned(stays), solution.columns) >= -value
    assert settle(TableGame(a=both(*turned(rows)))).value("a") == -value


@pytest.mark.parametrize("name", [name for name, (game, _) in LOOPS.items() if len(game.places) > 1])
def test_other_values_of_a_loop_are_not_proven(name: str) -> None:
    """The proof itself is tested: of all whole scores it holds for the true ones alone."""
    game, values = LOOPS[name]
    report: Callable[[int, int], None] = lambda found, settled: None  # noqa: E731
    graph = stages._Graph(game, game.initial(), report, 100)
    settling = stages._Settling(graph, report)
    for group in graph.groups():
        settling.settle(group)
    group = [graph.numbers[place] for place in game.places]
    for claim in product((-1, 0, 1), repeat=len(values)):
        claimed = [settling.worth((score, 1)) for score in claim]
        try:
            proven = all(settling._proven(group, claimed, bound) == claimed for bound in (min, max))
        except Undecided:
            proven = False
        assert proven == (list(claim) == values)


@pytest.mark.parametrize(
    "game",
    [
        # Worth 1, which comes as near as one likes while nothing reaches it.
        TableGame(a=both(["a", 1], [1, -1])),
        # Worth v with 1 - 3v + 2v² - 2v³ = 0, which no fraction solves.
        TableGame(a=both(["a", 1, -1], [0, "a", 1], [1, 0, "a"])),
        TableGame(a=both(["b", 1], [1, -1]), b=first("a")),
    ],
    ids=["out of reach", "no fraction", "by way of another"],
)
def test_what_cannot_be_told_exactly_is_refused(game: TableGame) -> None:
    with pytest.raises(Undecided):
        settle(game)


def test_a_mix_that_might_go_round_in_circles_is_refused() -> None:
    game, _ = LOOPS["a long way out"]
    settled = settle(game)
    with pytest.raises(Undecided):
        settled.solution("a")
    assert settle(LOOPS["two in turn"][0]).solution("a").value == 0


class Counting(TableGame):
    """There is always one more position."""

    def initial(self) -> str:
        return "1"

    def actors(self, position: str | int) -> tuple[int, ...]:
        return (0,)

    def legal(self, position: str | int, player: int) -> Sequence[int]:
        return (1,)

    def apply(self, position: str | int, ply: tuple[int, ...]) -> str:
        return str(int(position) + 1)


def test_a_game_without_end_is_refused() -> None:
    with pytest.raises(OutOfReach, match=r"More than 1,000 positions"):
        settle(Counting(), most=1000)
    with pytest.raises(OutOfReach):
        settle(clash(4), most=180)
    assert len(settle(clash(4), most=181)) == 181


def reports_of(run: Callable[[Callable[[int, int], None]], object]) -> list[tuple[int, int]]:
    reports: list[tuple[int, int]] = []
    run(lambda found, settled: reports.append((found, settled)))
    return reports


def test_progress_is_told() -> None:
    """Both counts only grow, and in the end everything that was found is settled."""
    game = clash(6)
    reports = reports_of(lambda progress: settle(game, progress))
    assert reports == sorted(reports)
    assert len({found for found, _ in reports}) > 3
    assert len({settled for _, settled in reports}) > 20
    assert reports[-1] == (4502, 4502)


@pytest.mark.parametrize("at", [0, 3, 100])
def test_an_interrupted_call_leaves_nothing_behind(at: int) -> None:
    game = clash(6)
    calls = 0

    def interrupt(found: int, settled: int) -> None:
        nonlocal calls
        calls += 1
        if calls > at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        settle(game, interrupt)
    settled = settle(game)
    assert len(settled) == 4502
    assert settled.value(game.initial()) == 0
