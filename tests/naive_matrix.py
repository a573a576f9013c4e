"""Matrix games the slow way: every support tried, with plain fractions; and what makes mixes punish."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

Table = Sequence[Sequence[Fraction | int]]
Mix = tuple[Fraction, ...]


class Corners(NamedTuple):
    """The value of a game and all corners of the sets of optimal mixes."""

    value: Fraction
    rows: set[Mix]
    columns: set[Mix]


def corners(payoffs: Table) -> Corners:
    """All corners; each pair of them belongs to a square part of the table (Shapley and Snow)."""
    found = list(_optimal_pairs(payoffs))
    (value,) = {value for value, _, _ in found}
    return Corners(value, {rows for _, rows, _ in found}, {columns for _, _, columns in found})


def naive_value(payoffs: Table) -> Fraction:
    return next(_optimal_pairs(payoffs))[0]


def _optimal_pairs(payoffs: Table) -> Iterator[tuple[Fraction, Mix, Mix]]:
    height, width = len(payoffs), len(payoffs[0])
    # The theorem wants a value other than 0, so all payoffs are made positive.
    shift = 1 - min(map(min, payoffs))
    shifted = [[Fraction(payoff + shift) for payoff in row] for row in payoffs]
    for size in range(1, min(height, width) + 1):
        for some_rows in combinations(range(height), size):
            for some_columns in combinations(range(width), size):
                part = [[shifted[row][column] for column in some_columns] for row in some_rows]
                columns = _weights(part, some_columns, width)
                rows = _weights([list(column) for column in zip(*part, strict=True)], some_rows, height)
                if rows is None or columns is None:
                    continue
                value = expected(shifted, rows, columns)
                if min(against_rows(shifted, rows)) >= value >= max(against_columns(shifted, columns)):
                    yield value - shift, rows, columns


def _weights(part: list[list[Fraction]], choices: tuple[int, ...], count: int) -> Mix | None:
    """The mix of these choices that makes all rows of a part equal, if it has just one solution and is a mix."""
    size = len(part)
    table = [[*row, Fraction(1)] for row in part]
    for step in range(size):
        pivot = next((row for row in range(step, size) if table[row][step]), None)
        if pivot is None:
            return None
        table[step], table[pivot] = table[pivot], table[step]
        table[step] = [entry / table[step][step] for entry in table[step]]
        for row in range(size):
            if row != step:
                factor = table[row][step]
                table[row] = [entry - factor * other for entry, other in zip(table[row], table[step], strict=True)]
    weights = [row[-1] for row in table]
    if min(weights) < 0 or not sum(weights):
        return None
    mix = [Fraction(0)] * count
    for choice, weight in zip(choices, weights, strict=True):
        mix[choice] = weight / sum(weights)
    return tuple(mix)


def against_rows(payoffs: Table, rows: Mix) -> list[Fraction]:
    """What each column comes to against a mix of the rows."""
    return [
        sum((weight * row[column] for weight, row in zip(rows, payoffs, strict=True)), Fraction())
        for column in range(len(payoffs[0]))
    ]


def against_columns(payoffs: Table, columns: Mix) -> list[Fraction]:
    """What each row comes to against a mix of the columns."""
    return [sum((weight * payoff for weight, payoff in zip(columns, row, strict=True)), Fraction()) for row in payoffs]


def expected(payoffs: Table, rows: Mix, columns: Mix) -> Fraction:
    return sum(
        (weight * result for weight, result in zip(rows, against_columns(payoffs, columns), strict=True)), Fraction()
    )


def is_optimal_and_punishes(payoffs: Table, value: Fraction, rows: Mix, columns: Mix) -> bool:
    """Whether no choice gains against these mixes, and each choice that they do not use loses.

    A choice that is used is in an optimal mix, so the choices that lose are just those in none.
    """
    by_row = [(value - result, weight) for result, weight in zip(against_columns(payoffs, columns), rows, strict=True)]
    by_column = [(result - value, weight) for result, weight in zip(against_rows(payoffs, rows), columns, strict=True)]
    return sum(rows) == sum(columns) == 1 and all(
        loss >= 0 and weight >= 0 and (loss > 0) != (weight > 0) for loss, weight in by_row + by_column
    )
