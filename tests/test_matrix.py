"""Matrix games: values and mixes are exact, agree with brute force, and punish what can be punished."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive_matrix import corners, is_optimal_and_punishes, naive_value
from powerduels.solve import matrix
from powerduels.solve.matrix import Solution, is_optimal, solve, value_of

Table = list[list[Fraction]]

HALF = Fraction(1, 2)
TINY = Fraction(1, 3**400)
LONG = Fraction(7**200, 11**180)


def tables(payoffs: st.SearchStrategy[Fraction], most: int = 4) -> st.SearchStrategy[Table]:
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(payoffs, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


COARSE = st.integers(-2, 2).map(Fraction)
"""So few different payoffs that most tables have many optimal mixes."""

FINE = st.fractions(-1, 1, max_denominator=60)
LONG_ONES = st.builds(Fraction, st.integers(-(10**120), 10**120), st.integers(10**119, 10**120))
NEARLY_COARSE = st.builds(lambda coarse, tiny: coarse + tiny * TINY, COARSE, COARSE)


def value_alone(payoffs: Table) -> Fraction:
    return Fraction(*value_of([[(payoff.numerator, payoff.denominator) for payoff in row] for row in payoffs]))


def check(payoffs: Table) -> Solution:
    """Solve a table and hold everything against all corners of the sets of optimal mixes."""
    expected = corners(payoffs)
    solution = solve(payoffs)
    assert solution.value == value_alone(payoffs) == expected.value
    assert is_optimal(payoffs, *solution)
    assert [weight > 0 for weight in solution.rows] == [any(mixes) for mixes in zip(*expected.rows, strict=True)]
    assert [weight > 0 for weight in solution.columns] == [any(mixes) for mixes in zip(*expected.columns, strict=True)]
    assert is_optimal_and_punishes(payoffs, *solution)
    return solution


@given(tables(COARSE))
def test_few_different_payoffs(payoffs: Table) -> None:
    check(payoffs)


@given(tables(FINE))
def test_many_different_payoffs(payoffs: Table) -> None:
    check(payoffs)


@given(tables(LONG_ONES))
def test_long_payoffs(payoffs: Table) -> None:
    check(payoffs)


@given(tables(NEARLY_COARSE))
def test_payoffs_that_rounding_makes_equal(payoffs: Table) -> None:
    check(payoffs)


@given(tables(COARSE))
def test_long_payoffs_with_many_optimal_mixes(payoffs: Table) -> None:
    """Multiplied all alike, payoffs keep their optimal mixes, and long ones are no reason to forget some."""
    solution = check(payoffs)
    long_ones = [[payoff * LONG for payoff in row] for row in payoffs]
    assert solve(long_ones) == solution._replace(value=solution.value * LONG)
    assert value_alone(long_ones) == solution.value * LONG


@given(st.integers(1, 6), st.data())
@pytest.mark.parametrize("payoffs", [COARSE, FINE, LONG_ONES], ids=["coarse", "fine", "long"])
def test_tables_that_negate_themselves(payoffs: st.SearchStrategy[Fraction], size: int, data: st.DataObject) -> None:
    """When the players could change places, nobody is at an advantage."""
    above = [[data.draw(payoffs) for _ in range(size)] for _ in range(size)]
    table = [
        [
            above[row][column] if row < column else -above[column][row] if row > column else Fraction()
            for column in range(size)
        ]
        for row in range(size)
    ]
    solution = solve(table)
    assert solution.value == value_alone(table) == 0
    assert is_optimal_and_punishes(table, *solution)


@given(st.lists(LONG_ONES.filter(bool).map(abs), min_size=3, max_size=3), st.permutations(range(3)))
def test_long_tables_without_a_determinant(payoffs: list[Fraction], order: list[int]) -> None:
    """Rock, paper, scissors with stakes of their own is worth nothing in whatever order choices are listed."""
    rock, paper, scissors = payoffs
    table = [[Fraction(), -rock, paper], [rock, Fraction(), -scissors], [-paper, scissors, Fraction()]]
    assert check([[row[column] for column in order] for row in table]).value == 0


def test_every_small_table() -> None:
    """All ways to fill three rows of three with -1, 0 and 1: every kind of tie there is."""
    for rows in combinations_with_replacement(product((-1, 0, 1), repeat=3), 3):
        table = [[Fraction(payoff) for payoff in row] for row in rows]
        solution = solve(table)
        assert is_optimal_and_punishes(table, *solution), table
        assert value_alone(table) == solution.value, table


@pytest.mark.parametrize(
    ("table", "value", "rows", "columns"),
    [
        ([[5]], 5, (1,), (1,)),
        ([[1, 3, 2]], 1, (1,), (1, 0, 0)),
        ([[1], [3], [2]], 3, (0, 1, 0), (1,)),
        ([[0, 0], [0, 0]], 0, (HALF, HALF), (HALF, HALF)),
        ([[4, 2], [3, 1]], 2, (1, 0), (0, 1)),
        ([[1, -1], [-1, 1]], 0, (HALF, HALF), (HALF, HALF)),
        ([[3, 0], [0, 1]], Fraction(3, 4), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 4), Fraction(3, 4))),
        ([[2, -2, 0], [-1, 1, 0]], 0, (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 4), Fraction(1, 4), HALF)),
        ([[2, 0, 5], [0, 2, 5], [-1, -1, 5]], 1, (HALF, HALF, 0), (HALF, HALF, 0)),
    ],
    ids=["one", "one row", "one column", "nothing at stake", "saddle", "even", "mixed", "choice of mixes", "dominated"],
)
def test_known_solutions(
    table: list[list[int]], value: Fraction, rows: tuple[Fraction, ...], columns: tuple[Fraction, ...]
) -> None:
    payoffs = [[Fraction(payoff) for payoff in row] for row in table]
    solution = check(payoffs)
    assert solution.value == value
    assert solution.rows == rows
    assert solution.columns == columns


@pytest.mark.parametrize(
    ("value", "rows", "columns"),
    [
        (0, (1, 0), (HALF, HALF)),
        (0, (HALF, HALF), (0, 1)),
        (HALF, (HALF, HALF), (HALF, HALF)),
        (-HALF, (HALF, HALF), (HALF, HALF)),
        (0, (HALF, 0), (HALF, HALF)),
        (0, (HALF, HALF), (1, 1)),
        (0, (HALF, HALF, 0), (HALF, HALF)),
        (0, (HALF, HALF), (1,)),
    ],
)
def test_what_is_not_optimal_is_told(
    value: Fraction, rows: tuple[Fraction, ...], columns: tuple[Fraction, ...]
) -> None:
    assert not is_optimal([[1, -1], [-1, 1]], value, rows, columns)


def test_negative_weights_are_no_mix() -> None:
    table = [[0, 0], [0, 0]]
    assert is_optimal(table, Fraction(), (HALF, HALF), (HALF, HALF))
    assert not is_optimal(table, Fraction(), (Fraction(2), Fraction(-1)), (HALF, HALF))


def test_a_guess_that_rounding_decides_is_not_taken() -> None:
    """Here the support depends on what rounding throws away; far from that it is told at once."""
    unit = (1 / TINY).numerator
    assert matrix._certain_support([[unit, 1], [-1, unit]], unit) == ([0, 1], [0, 1])
    assert matrix._certain_support([[unit, unit + 1], [unit, unit]], unit) is None
    assert matrix._certain_support([[1, -1], [-1, 0]], unit) is None


def test_the_naive_way_knows_a_textbook_game() -> None:
    """The yardstick itself: rock, paper, scissors, where a win with rock counts double."""
    table = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]
    (rows,) = corners(table).rows
    assert naive_value(table) == 0
    assert rows == (Fraction(1, 4), HALF, Fraction(1, 4))


class Bounded(matrix._Tableau):
    """A tableau that does not take more steps than any but an endless search needs here."""

    steps = 0

    def pivot(self, at_row: int, at_column: int) -> None:
        self.steps += 1
        assert self.steps <= 30
        super().pivot(at_row, at_column)


def test_no_table_comes_back() -> None:
    """Where the steepest column alone goes round in circles (Chvátal), the simplex method still ends."""
    rows = [[2, -22, -10, 36, 0], [2, -6, -2, 4, 0], [4, 0, 0, 0, 4], [-40, 228, 36, 96, 0]]
    tableau = Bounded(rows, [4, 5, 6], [0, 1, 2, 3], 4)
    tableau.maximise()
    assert Fraction(tableau.objective, tableau.common) == 1
