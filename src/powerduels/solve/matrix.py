"""Matrix games: both players choose at once, and the value and the best mixes are exact.

The player of the rows wants the payoff high, the player of the columns wants it low; each
may mix.  All arithmetic is on whole numbers and their ratios, so every answer is exact:
what is guessed on the way (see `_certain_support`) is proven before it is used.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import ge, le
from typing import NamedTuple, TypeVar

T = TypeVar("T")

Mix = tuple[Fraction, ...]
Ratio = tuple[int, int]
"""A numerator and a positive denominator without common factor."""

Integers = list[list[int]]
Ratios = Sequence[Sequence[Ratio]]

_LONG = 300
"""From this many bits on a common denominator is long enough for a guess to pay."""

_GUESS_BITS = 128
"""How finely a guess rounds the payoffs."""


class Solution(NamedTuple):
    """The value of a matrix game and an optimal mix for each side.

    Each mix lies inside the set of all optimal mixes of its side: it uses every choice that
    any of them uses, and the other side loses by every choice that is in no optimal mix of
    its own.
    """

    value: Fraction
    rows: Mix
    columns: Mix


class _Support(NamedTuple):
    """The rows and columns that the one optimal pair of mixes uses: equally many."""

    rows: list[int]
    columns: list[int]


def solve(payoffs: Sequence[Sequence[Fraction | int]]) -> Solution:
    """The value, and for each side an optimal mix that punishes (see Solution)."""
    ratios = [[(payoff.numerator, payoff.denominator) for payoff in row] for row in payoffs]
    numbers, unit = _on_one_denominator(ratios)
    height, width = len(numbers), len(numbers[0])
    total = _even_total(numbers)
    if total is not None:
        # Both even mixes use everything, so every choice is in an optimal mix and nothing can be punished.
        return Solution(Fraction(total, unit * width), _normed([1] * height), _normed([1] * width))
    if unit.bit_length() > _LONG:
        support = _certain_support(numbers, unit)
        if support:
            return _solution_on(support, ratios)
    tableau, least = _solved_tableau(numbers, unit)
    value = Fraction(tableau.common + least * tableau.objective, unit * tableau.objective)
    columns, rows = tableau.inner_point(), tableau.dual().inner_point()
    return Solution(value, _normed(rows[width:]), _normed(columns[:width]))


def value_of(ratios: Ratios) -> Ratio:
    """The value alone, by the shortest proof that applies."""
    if _negates_itself(ratios):
        return 0, 1
    numbers, unit = _on_one_denominator(ratios)
    total = _even_total(numbers)
    if total is not None:
        return _reduced(total, unit * len(numbers[0]))
    rows, columns = _undominated(numbers)
    if len(rows) < len(numbers) or len(columns) < len(numbers[0]):
        numbers, ratios = _part(numbers, rows, columns), _part(ratios, rows, columns)
    # A saddle point: here neither side can do better, whatever the other does.
    secured = max(map(min, numbers))
    if secured == min(map(max, zip(*numbers, strict=True))):
        return _reduced(secured, unit)
    if len(rows) == len(columns) == 2:
        # Without a saddle point both mix, each so that the other's choices come to the same.
        (a, b), (c, d) = numbers
        return _reduced(a * d - b * c, unit * (a + d - b - c))
    if unit.bit_length() > _LONG:
        support = _certain_support(numbers, unit)
        if support:
            return _value_on(_part(ratios, *support))
    tableau, least = _solved_tableau(numbers, unit)
    return _reduced(tableau.common + least * tableau.objective, unit * tableau.objective)


def is_optimal(payoffs: Sequence[Sequence[Fraction | int]], value: Fraction, rows: Mix, columns: Mix) -> bool:
    """Whether these are mixes, and no choice of the other side gets past the value against either."""
    return (
        len(rows) == len(payoffs)
        and len(columns) == len(payoffs[0])
        and all(sum(mix) == 1 and min(mix) >= 0 for mix in (rows, columns))
        and all(_scalar(rows, column) >= value for column in zip(*payoffs, strict=True))
        and all(_scalar(columns, row) <= value for row in payoffs)
    )


def _scalar(mix: Mix, payoffs: Sequence[Fraction | int]) -> Fraction:
    return sum((share * payoff for share, payoff in zip(mix, payoffs, strict=True) if share), Fraction())


def _normed(weights: Sequence[Fraction | int]) -> Mix:
    total = sum(weights)
    return tuple(Fraction(weight) / total for weight in weights)


def _reduced(numerator: int, denominator: int) -> Ratio:
    shared = gcd(numerator, denominator)
    if denominator < 0:
        shared = -shared
    return numerator // shared, denominator // shared


def _part(table: Sequence[Sequence[T]], rows: list[int], columns: list[int]) -> list[list[T]]:
    return [[table[row][column] for column in columns] for row in rows]


def _on_one_denominator(ratios: Ratios) -> tuple[Integers, int]:
    unit = lcm(*{denominator for row in ratios for _, denominator in row})
    return [[numerator * (unit // denominator) for numerator, denominator in row] for row in ratios], unit


def _even_total(numbers: Integers) -> int | None:
    """The sum of each row, if all rows agree in it and all columns agree in theirs.

    Then each even mix makes all choices of the other side equal, so both are optimal.
    """
    sums = {sum(row) for row in numbers}
    if len(sums) > 1 or len({sum(column) for column in zip(*numbers, strict=True)}) > 1:
        return None
    return sums.pop()


def _negates_itself(ratios: Ratios) -> bool:
    """Whether swapping the sides negates every payoff: then whatever one side secures the other does too."""
    return len(ratios) == len(ratios[0]) and all(
        ratios[column][row] == (-numerator, denominator)
        for row, payoffs in enumerate(ratios)
        for column, (numerator, denominator) in enumerate(payoffs[: row + 1])
    )


def _undominated(numbers: Integers) -> tuple[list[int], list[int]]:
    """The rows and columns left when, again and again, choices no better than another one are left out.

    Whatever a mix gives to such a choice it can give to the better one, so the value stays.
    """
    rows, columns = list(range(len(numbers))), list(range(len(numbers[0])))
    while True:
        by_row = {row: [numbers[row][column] for column in columns] for row in rows}
        fewer_rows = _best(by_row, le)
        by_column = {column: [numbers[row][column] for row in fewer_rows] for column in columns}
        fewer_columns = _best(by_column, ge)
        if len(fewer_rows) == len(rows) and len(fewer_columns) == len(columns):
            return rows, columns
        rows, columns = fewer_rows, fewer_columns


def _best(choices: dict[int, list[int]], no_better: Callable[[int, int], bool]) -> list[int]:
    kept = dict(choices)
    for choice, payoffs in choices.items():
        if any(other != choice and all(map(no_better, payoffs, better)) for other, better in kept.items()):
            del kept[choice]
    return list(kept)


class _Tableau:
    """The simplex method on whole numbers: every entry stands for itself over `common`.

    It maximises the sum of some quantities of at least 0, one for each column, while for
    each row their sum weighted by its entries stays within the row's bound.  Quantities
    below the width are those; the others are what is left of each row's bound.  At any
    time each row gives a quantity (`basic`) by those of the columns (`free`), which are 0:
    it is its last entry minus the others times theirs.  The last row does so for the sum.

    A division by the common denominator always leaves no rest, for entries are minors of
    the table it began with (Edmonds; Bareiss).
    """

    def __init__(self, rows: Integers, basic: list[int], free: list[int], common: int) -> None:
        self.rows = rows
        self.basic = basic
        self.free = free
        self.common = common

    @classmethod
    def starting(cls, payoffs: Integers, bounds: list[int]) -> "_Tableau":
        height, width = len(payoffs), len(payoffs[0])
        rows = [[*row, bound] for row, bound in zip(payoffs, bounds, strict=True)]
        return cls([*rows, [-1] * width + [0]], list(range(width, width + height)), list(range(width)), 1)

    @property
    def objective(self) -> int:
        return self.rows[len(self.basic)][-1]

    def pivot(self, at_row: int, at_column: int) -> None:
        """Exchange the quantity of a row and that of a column."""
        pivot_row, common = self.rows[at_row], self.common
        pivot = pivot_row[at_column]
        for index, row in enumerate(self.rows):
            if index != at_row:
                factor = row[at_column]
                if factor:
                    pairs = zip(row, pivot_row, strict=True)
                    self.rows[index] = [(entry * pivot - factor * other) // common for entry, other in pairs]
                    self.rows[index][at_column] = -factor
                else:
                    self.rows[index] = [entry * pivot // common for entry in row]
        pivot_row[at_column] = common
        self.common = pivot
        if pivot < 0:
            self.rows = [[-entry for entry in row] for row in self.rows]
            self.common = -pivot
        self.basic[at_row], self.free[at_column] = self.free[at_column], self.basic[at_row]

    def maximise(self) -> None:
        self._climb(len(self.basic), list(range(len(self.free))))

    def _climb(self, goal: int, columns: list[int]) -> None:
        """Exchange quantities until none of these columns improves what the row `goal` gives.

        The steepest column goes first; but after a step that gained nothing, the one of
        lowest number, so that no table comes back (Bland).
        """
        stuck = False
        while True:
            slopes = self.rows[goal]
            rising = [column for column in columns if slopes[column] < 0]
            if not rising:
                return
            column = min(rising, key=self.free.__getitem__ if stuck else slopes.__getitem__)
            row = self._tightest(column)
            stuck = self.rows[row][-1] == 0
            self.pivot(row, column)

    def _tightest(self, column: int) -> int:
        """The row whose quantity is the first to reach 0 when that of the column grows."""
        tightest = -1
        for index, label in enumerate(self.basic):
            row = self.rows[index]
            if row[column] > 0:
                if tightest >= 0:
                    best = self.rows[tightest]
                    lead = row[-1] * best[column] - best[-1] * row[column]
                    if lead > 0 or (lead == 0 and label > self.basic[tightest]):
                        continue
                tightest = index
        return tightest

    def dual(self) -> "_Tableau":
        """The same of the other side, at the optimum: rows and columns change places.

        The quantities keep their numbers: what is left of a row's bound gives way to the
        weight of that row, and the other way round for columns.
        """
        *rows, slopes = self.rows
        turned = [[-row[column] for row in rows] + [slopes[column]] for column in range(len(self.free))]
        bounds = [row[-1] for row in rows]
        return _Tableau([*turned, [*bounds, -slopes[-1]]], list(self.free), list(self.basic), self.common)

    def inner_point(self) -> list[Fraction]:
        """All quantities, by number, at the mean of optimal corners that leaves none at 0 needlessly.

        A quantity that is 0 at all corners found so far has its chance when the sum of all
        such is maximised over what is optimal; if that sum stays 0, they all are 0 there.
        """
        level = [column for column, slope in enumerate(self.rows[-1][:-1]) if slope == 0]
        corner = self._corner()
        mean, corners = corner, 1
        while level and self._raise({label for label, amount in enumerate(mean) if amount == 0}, level):
            corner = self._corner()
            mean = [before + amount for before, amount in zip(mean, corner, strict=True)]
            corners += 1
        return [amount / corners for amount in mean]

    def _raise(self, labels: set[int], level: list[int]) -> bool:
        """Go to an optimal corner where the sum of these quantities is highest; whether it is above 0."""
        goal = [0] * len(self.rows[0])
        for column in level:
            if self.free[column] in labels:
                goal[column] -= self.common
        for label, row in zip(self.basic, self.rows, strict=False):
            if label in labels:
                goal = [entry + other for entry, other in zip(goal, row, strict=True)]
        self.rows.append(goal)
        self._climb(len(self.basic) + 1, level)
        return self.rows.pop()[-1] > 0

    def _corner(self) -> list[Fraction]:
        amounts = [Fraction()] * (len(self.basic) + len(self.free))
        for label, row in zip(self.basic, self.rows, strict=False):
            amounts[label] = Fraction(row[-1], self.common)
        return amounts


def _solved_tableau(numbers: Integers, unit: int) -> tuple[_Tableau, int]:
    """The optimal tableau for these payoffs less a number that makes all of them positive, and that number.

    Then a mix of the columns that holds the rows to v is, divided by v, a set of
    quantities that keeps every row within 1; the best v has the greatest sum, 1/v.
    """
    least = min(map(min, numbers)) - unit
    tableau = _Tableau.starting([[number - least for number in row] for row in numbers], [1] * len(numbers))
    tableau.maximise()
    return tableau, least


def _certain_support(numbers: Integers, unit: int) -> _Support | None:
    """What the optimal mixes use, if it is found and proven by rounded payoffs.

    Let Q be the payoffs of the support in the rounded game, positive by a shift, and Q + E
    the exact ones, no entry of E above 1.  With B the largest sum of absolute values in a
    row of the inverse of Q, k its size and e = kB at most 1/2, Q + E has an inverse too, and
    its weights y (Qy = 1 against (Q + E)y = 1) differ from the rounded ones by no more than
    2e times the largest of them.  So weights and slacks that lie farther from 0 than this
    allows have the same sign in the exact game: there, too, the support is optimal, and
    with all inequalities strict nothing else is.
    """
    rounded = [[(number << _GUESS_BITS) // unit for number in row] for row in numbers]
    tableau, least = _solved_tableau(rounded, 1 << _GUESS_BITS)
    width, height = len(numbers[0]), len(numbers)
    largest = max(map(max, rounded)) - least
    if _stands(tableau, range(width), largest) and _stands(tableau.dual(), range(width, width + height), largest):
        rows = sorted(label - width for label in tableau.free if label >= width)
        return _Support(rows, sorted(label for label in tableau.basic if label < width))
    return None


def _stands(tableau: _Tableau, own: range, largest: int) -> bool:
    """Whether each quantity of an optimal tableau is surely above 0 when payoffs change by up to 1."""
    common = tableau.common
    used = [row for label, row in zip(tableau.basic, tableau.rows, strict=False) if label in own]
    spare = [row[-1] for label, row in zip(tableau.basic, tableau.rows, strict=False) if label not in own]
    inverse = [column for column, label in enumerate(tableau.free) if label not in own]
    size = len(used)
    steepness = size * max(sum(abs(row[column]) for column in inverse) for row in used)
    most = max(row[-1] for row in used)
    # Everything is over `common` once, and where a product is compared, over its square.
    if 2 * steepness > common or any(row[-1] * common <= 2 * steepness * most for row in used):
        return False
    # A slack is 1 less the weighted payoffs: the payoffs change by 1, the weights as above.
    return all(slack * common > 2 * size * most * (common + largest * steepness) for slack in spare)


def _value_on(ratios: Ratios) -> Ratio:
    """The value when both sides use all of a square game's choices: by elimination, without remainders.

    The weights y and the value v solve Ay = v for every row of A, and sum(y) = 1.  Each row
    has a denominator of its own, which keeps the numbers far shorter than one for all.
    """
    size = len(ratios)
    units = [lcm(*{denominator for _, denominator in row}) for row in ratios]
    table = [
        [*(numerator * (unit // denominator) for numerator, denominator in row), unit]
        for row, unit in zip(ratios, units, strict=True)
    ]
    table.append([1] * size + [0])
    common = 1
    for step in range(size):
        candidates = [index for index in range(step, size) if table[index][step]]
        if not candidates:
            return 0, 1
        table[step], table[candidates[0]] = table[candidates[0]], table[step]
        pivot_row = table[step]
        pivot = pivot_row[step]
        for index in range(step + 1, size + 1):
            row = table[index]
            factor = row[step]
            for column in range(step + 1, size + 1):
                row[column] = (row[column] * pivot - factor * pivot_row[column]) // common
        common = pivot
    return _reduced(-common, table[size][size])


def _solution_on(support: _Support, ratios: Ratios) -> Solution:
    """The value and both mixes when the support is known to be the only optimal one."""
    block = _part(ratios, *support)
    if _negates_itself(block):
        weights = _kernel(block)
        return Solution(
            Fraction(),
            _spread(support.rows, weights, len(ratios)),
            _spread(support.columns, weights, len(ratios[0])),
        )
    least = min(numerator // denominator for row in block for numerator, denominator in row) - 1
    units = [lcm(*{denominator for _, denominator in row}) for row in block]
    table = [
        [(numerator - least * denominator) * (unit // denominator) for numerator, denominator in row]
        for row, unit in zip(block, units, strict=True)
    ]
    size = len(block)
    tableau = _Tableau.starting(table, units)
    for column in range(size):
        row = next(row for row in range(size) if tableau.basic[row] >= size and tableau.rows[row][column])
        tableau.pivot(row, column)
    columns, slopes = [0] * size, [0] * size
    for label, entries in zip(tableau.basic, tableau.rows, strict=False):
        columns[label] = entries[-1]
    for label, slope in zip(tableau.free, tableau.rows[-1], strict=False):
        slopes[label - size] = slope * units[label - size]
    return Solution(
        Fraction(tableau.common + least * tableau.objective, tableau.objective),
        _spread(support.rows, slopes, len(ratios)),
        _spread(support.columns, columns, len(ratios[0])),
    )


def _spread(choices: list[int], weights: Sequence[int], count: int) -> Mix:
    """The mix of all choices in the proportion of the weights, 0 for those without."""
    total = sum(weights)
    mix = [Fraction()] * count
    for choice, weight in zip(choices, weights, strict=True):
        mix[choice] = Fraction(weight, total)
    return tuple(mix)


def _kernel(ratios: Ratios) -> list[int]:
    """Whole numbers y with Ay = 0, for a table A of odd size that changes its sign when turned over.

    They are Pfaffians of A without one row and column, of alternating sign: half as long as
    determinants.  Rows and columns are multiplied alike by what clears the denominators
    above the diagonal.
    """
    size = len(ratios)
    units = [lcm(*(denominator for _, denominator in row[index + 1 :])) for index, row in enumerate(ratios)]
    table = [
        [numerator * (unit * other // denominator) for (numerator, denominator), other in zip(row, units, strict=True)]
        for row, unit in zip(ratios, units, strict=True)
    ]
    known: dict[tuple[int, ...], int] = {(): 1}

    def pfaffian(indices: tuple[int, ...]) -> int:
        if indices not in known:
            first, *others = indices
            known[indices] = sum(
                (-1) ** place * table[first][index] * pfaffian((*others[:place], *others[place + 1 :]))
                for place, index in enumerate(others)
            )
        return known[indices]

    everything = tuple(range(size))
    return [
        (-1) ** left_out * units[left_out] * pfaffian(everything[:left_out] + everything[left_out + 1 :])
        for left_out in everything
    ]
