"""Results as pictures in SVG: each game drawn as its theory sees it.

A picture stands alone: it brings its own style, is readable on light and dark ground, and
says in words what it shows.  The colours and marks are those of `tokens.json`.
"""

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from powerduels.analyse import Judged, Solved, expert
from powerduels.answers import fraction_text, result_lines, worth_word
from powerduels.core import AnyGame, PowerduelsError
from powerduels.solve.double_up import DoubleUpOracle
from powerduels.solve.worth import Worth
from powerduels.text import write_integer
from powerduels.tokens import load_tokens

if TYPE_CHECKING:
    from fractions import Fraction

WIDTH, MARGIN = 760, 28
WORDS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
GROUNDS = {
    "ground": ("#ffffff", "#11161d"),
    "panel": ("#f1f4f7", "#1b222b"),
    "edge": ("#c3cad3", "#465160"),
    "ink": ("#1b222b", "#e4e9ef"),
    "quiet": ("#565f6b", "#9aa5b1"),
}
"""What is no seat and no worth, on light and on dark ground."""

SEATS = ("one", "two")
WORTHS = {"win": "wins", "draw": "draws", "loss": "loses"}

CHARACTER = 7.6
"""About the width of a letter at 15 pixels, for lines that must not run out of the picture."""


def picture(game: AnyGame, solved: Solved) -> str:
    """The result of `solve` as the text of an SVG file.

    Raises PowerduelsError where nobody has said how this game is to be drawn.
    """
    if game.id not in DRAWINGS:
        raise PowerduelsError(f"There is no picture for results of {game.title}.")
    lines = result_lines(game, solved)
    sheet = Sheet(f"{game.title}, solved", " ".join(map(str.strip, lines)))
    top = _headline(sheet, game, solved, lines)
    bottom = DRAWINGS[game.id](sheet, game, solved, top)
    return sheet.finish(bottom + MARGIN)


class Sheet:
    """An SVG that is being drawn; what is what in it say the names of its classes."""

    def __init__(self, title: str, told: str) -> None:
        self.root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
        self.root.set("aria-labelledby", "title told")
        self._tokens = load_tokens()
        self.add("title", id="title").text = title
        self.add("desc", id="told").text = told
        self.add("style").text = self._style()
        self._ground = self.rect((0.5, 0.5, WIDTH - 1, 0), "ground edged", rounding=12)

    def add(self, tag: str, **attributes: str | float) -> ElementTree.Element:
        written = {
            name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else f"{round(value, 1):g}"
            for name, value in attributes.items()
        }
        return ElementTree.SubElement(self.root, tag, written)

    def text(
        self, at: tuple[float, float], words: str, classes: str = "ink", anchor: str = "start", size: float = 15
    ) -> ElementTree.Element:
        element = self.add("text", x=at[0], y=at[1], class_=classes, font_size=size)
        if anchor != "start":
            element.set("text-anchor", anchor)
        element.text = words
        return element

    def rect(self, place: tuple[float, float, float, float], classes: str, rounding: float = 0) -> ElementTree.Element:
        x, y, width, height = place
        element = self.add("rect", x=x, y=y, width=width, height=height, class_=classes)
        if rounding:
            element.set("rx", f"{rounding:g}")
        return element

    def line(self, x: float, y: float, to_x: float, to_y: float, classes: str) -> None:
        self.add("line", x1=x, y1=y, x2=to_x, y2=to_y, class_=classes)

    def mark(self, worth: str) -> str:
        return str(self._tokens["worth"][worth]["mark"])

    def seat_mark(self, seat: int) -> str:
        return str(self._tokens["seats"][seat]["mark"])

    def finish(self, height: float) -> str:
        self._ground.set("height", f"{height - 1:g}")
        for name, value in {"viewBox": f"0 0 {WIDTH} {height:g}", "width": str(WIDTH), "height": f"{height:g}"}.items():
            self.root.set(name, value)
        ElementTree.indent(self.root)
        return ElementTree.tostring(self.root, encoding="unicode") + "\n"

    def _style(self) -> str:
        """Rules for light ground and, where it is preferred, for dark; without variables, which few viewers know."""
        colours = dict(GROUNDS)
        for name, token in (*zip(SEATS, self._tokens["seats"], strict=True), *self._tokens["worth"].items()):
            colours[name] = (token["light"], token["dark"])
        rules = [
            f"text {{ font-family: {WORDS}; font-variant-numeric: tabular-nums }}",
            ".strong { font-weight: 700 }",
            ".edged, .rule, .way { stroke-width: 1 }",
            ".rule, .way, .stroke { fill: none }",
            ".dashed { stroke-dasharray: 3 3 }",
            ".thick { stroke-width: 2.5 }",
            ".faded { opacity: .4 }",
            ".tint { opacity: .3 }",
        ]
        light, dark = (
            [
                *(f".{name} {{ fill: {pair[ground]} }}" for name, pair in colours.items()),
                *(f".stroke.{name} {{ fill: none; stroke: {pair[ground]} }}" for name, pair in colours.items()),
                f".edged, .rule {{ stroke: {colours['edge'][ground]} }}",
                f".way {{ stroke: {colours['quiet'][ground]} }}",
            ]
            for ground in (0, 1)
        )
        order = [*light, *rules, "@media (prefers-color-scheme: dark) {", *dark, ".rule, .way { fill: none }", "}"]
        return "\n" + "\n".join(order) + "\n"


def _headline(sheet: Sheet, game: AnyGame, solved: Solved, lines: Sequence[str]) -> float:
    """The name of the game, its options and the verdict; returns how far down they reach."""
    sheet.text((MARGIN, 44), game.title, "ink strong", size=24)
    y = 44.0
    options = lines[0].removeprefix(game.title).strip(", .")
    for part in textwrap.wrap(options, 80):
        y += 20
        sheet.text((MARGIN, y), part, "quiet", size=14)
    worth, x = solved.analysis.worth, float(MARGIN)
    y += 28
    if isinstance(worth, Worth) and worth.winner is not None:
        sheet.text((x, y), sheet.seat_mark(worth.winner), f"{SEATS[worth.winner]} strong", size=16)
        x += 22
    sheet.text((x, y), lines[1], "ink", size=16)
    return y + 26


Told = tuple[str, int | None]
"""A worth in a word, and the number of plies where it is known."""


class Axis(NamedTuple):
    """What stands along one side of a heat map."""

    name: str
    heads: Sequence[str]


def _heat_map(
    sheet: Sheet, top: float, size: float, axes: tuple[Axis, Axis], cell: Callable[[int, int], "Told | None"]
) -> float:
    """A table of worths by column and row, with cells of this size; returns how far down it reaches."""
    across, down = axes
    side = MARGIN + 12 + 8.0 * max(map(len, (down.name, *down.heads)))
    small = min(13.0, size * 0.46)
    sheet.text((side, top + 12), across.name, "quiet", size=13)
    sheet.text((side - 10, top + 12), down.name, "quiet", anchor="end", size=13)
    top += 20
    for column, head in enumerate(across.heads):
        sheet.text((side + (column + 0.5) * size, top + 12), head, "ink", "middle", small)
    top += 18
    for row, head in enumerate(down.heads):
        y = top + row * size
        sheet.text((side - 10, y + size / 2 + 0.35 * small), head, "ink", "end", small)
        for column in range(len(across.heads)):
            known, x = cell(column, row), side + column * size
            if known is None:
                sheet.rect((x + 1.5, y + 1.5, size - 3, size - 3), "panel", rounding=3)
                continue
            worth, plies = known
            tall = plies is not None and size >= 36
            sheet.rect((x + 1, y + 1, size - 2, size - 2), worth, rounding=3)
            middle = x + size / 2
            lower = y + size / 2 + (1 if tall else 0.34 * min(20, size * 0.7))
            sheet.text((middle, lower), sheet.mark(worth), "ground strong", "middle", min(20, size * 0.7))
            if tall:
                sheet.text((middle, y + size - 6), str(plies), "ground", "middle", 12)
    return top + len(down.heads) * size


def _legend(sheet: Sheet, y: float, who: str, worths: Iterable[str], more: str = "") -> float:
    """What the marks mean; returns how far down it reaches."""
    x, y = float(MARGIN), y + 28
    shown = set(worths)
    for worth in [word for word in WORTHS if word in shown]:
        sheet.rect((x, y - 14, 18, 18), worth, rounding=3)
        sheet.text((x + 9, y), sheet.mark(worth), "ground strong", "middle", 14)
        words = f"{who} {WORTHS[worth]}"
        sheet.text((x + 25, y), words, "quiet", size=13)
        x += 25 + 7 * len(words) + 24
    sheet.text((x, y), more, "quiet", size=13)
    return y + 4


def _first_moves(game: AnyGame, solved: Solved) -> dict[Any, Judged]:
    """What is known of each first move."""
    return {one.move: one for choices in solved.analysis.choices.values() for one in choices.moves}


def _told(one: Judged | None, player: int = 0) -> "Told | None":
    """The worth of a move to a player as a heat map shows it."""
    if one is None:
        return None
    assert isinstance(one.worth, Worth)
    return worth_word(one.worth, player), one.worth.plies


def _draw_power_match(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """Each number as base and as exponent; below, where there is room, every answer to it."""
    known, pool = _first_moves(game, solved), game.rules.pool
    by_text = {game.move_codec.format(move): one for move, one in known.items()}
    parts = Axis("", ("base", "exponent"))
    per_row = min(pool, 25)
    size = min(56.0, (WIDTH - 2 * MARGIN - 86) / per_row)
    for begin in range(1, pool + 1, per_row):
        numbers = range(begin, min(begin + per_row, pool + 1))

        def worth_of(column: int, row: int, numbers: range = numbers) -> "Told | None":
            told = _told(by_text.get(f"{numbers[column]}{'be'[row]}"))
            return told and (told[0], None)

        name = "the number taken first, as base and as exponent" if begin == 1 else ""
        top = _heat_map(sheet, top, size, (Axis(name, list(map(str, numbers))), parts), worth_of) + 8
    if pool <= 12:
        top = _draw_answers(sheet, game, solved, top + 14)
    return _legend(sheet, top, "who starts", {_worth_of(one) for one in known.values()})


def _worth_of(one: Judged) -> str:
    told = _told(one)
    assert told
    return told[0]


def _draw_answers(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """The worth of every answer to every first move, to who starts."""
    knowing, start = expert(game), solved.analysis.position

    def by_part(move: Any) -> tuple[str, int]:
        return move.part, move.number

    firsts = sorted(_first_moves(game, solved), key=by_part)
    answers = {
        first: {one.move: one for choices in knowing.analyse(game.apply(start, (first,))).choices.values()
                for one in choices.moves}
        for first in firsts
    }  # fmt: skip
    heads = [game.move_codec.format(move) for move in firsts]

    def worth_of(column: int, row: int) -> "Told | None":
        told = _told(answers[firsts[row]].get(firsts[column]))
        return told and (told[0], None)

    size = min(34.0, (WIDTH - 2 * MARGIN - 60) / len(firsts))
    return _heat_map(sheet, top, size, (Axis("the answer", heads), Axis("first", heads)), worth_of)


def _draw_power_line(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """Each level at each position of the empty line."""
    known = {(move.at, move.level): one for move, one in _first_moves(game, solved).items()}
    levels = sorted({level for _, level in known}, reverse=True)
    size = min(58.0, (WIDTH - 2 * MARGIN - 60) / game.rules.length)

    def worth_of(column: int, row: int) -> "Told | None":
        return _told(known.get((column, levels[row])))

    positions = Axis("the position of the first node", [str(at) for at in range(game.rules.length)])
    bottom = _heat_map(sheet, top, size, (positions, Axis("level", list(map(str, levels)))), worth_of)
    counted = any(isinstance(one.worth, Worth) and one.worth.plies is not None for one in known.values())
    more = "small: in so many plies" if counted and size >= 36 else ""
    return _legend(sheet, bottom, "who starts", map(_worth_of, known.values()), more)


def _draw_double_up(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """The ladder of the numbers worth handing over, on a doubling scale, each with its window."""
    start, limit = game.rules
    worth = solved.analysis.worth
    assert isinstance(worth, Worth)
    if limit is None or worth.winner is None:
        told = "The ladder has no top: every number can be doubled, so nobody is ever stuck."
        sheet.text((MARGIN, top + 8), told, "quiet")
        return top + 12
    rungs = [number for number in DoubleUpOracle(game).chain if number >= start]
    doublings = math.log2(limit / start) if limit > start else 0
    step = min(52.0, max(26.0, 420 / max(doublings, 1)))
    bottom = top + step * doublings + 12

    def height(number: float) -> float:
        return bottom - step * math.log2(number / start)

    left, seat, other = 290.0, SEATS[worth.winner], SEATS[1 - worth.winner]
    axis = MARGIN + 44.0
    for power in range(math.ceil(math.log2(start)), math.floor(math.log2(limit)) + 1):
        sheet.line(axis - 5, height(2**power), axis, height(2**power), "rule")
        label = str(2**power) if 2**power < 10**4 else f"2^{power}"
        sheet.text((axis - 10, height(2**power) + 4), label, "quiet", "end", 11)
    sheet.line(axis, height(start), axis, height(limit), "rule")
    right = left + 150
    for side in (left, right):
        sheet.line(side, height(start), side, height(limit), "rule")
    for number in rungs:
        y = height(number)
        if number < limit:
            sheet.rect((left + 40, height(2 * number), 70, y - height(2 * number)), f"{other} tint")
        sheet.line(left, y, right, y, f"stroke {seat} thick")
        sheet.text((left - 12, y + 6), str(number), f"{seat} strong", "end", 19 if number < 10**6 else 13)
        if number == limit:
            told = "the limit: who must move is stuck"
        elif number < 10**6:
            told = f"from here only {number + 1} to {2 * number}" if number > 1 else "from here only 2"
        else:
            told = f"from here up to {2 * number}"
        sheet.text((right + 16, y + 5), told, "quiet", size=13)
    if start not in rungs:
        sheet.line(left, height(start), right, height(start), "way")
        sheet.text((left - 12, height(start) + 6), str(start), "ink strong", "end", 19)
        sheet.text((right + 16, height(start) + 5), "the start", "quiet", size=13)
    mark = sheet.seat_mark(worth.winner)
    captions = (
        f"{mark} hands over one rung after the other.",
        "Shaded: what a rung leads to, never the next one.",
    )
    for line, words in enumerate(captions):
        sheet.text((MARGIN, bottom + 40 + 20 * line), words, "quiet", size=13)
    return bottom + 66


class Way(NamedTuple):
    """An exponent, the base it leads to (the target, where it comes so far), and whether it keeps the worth."""

    exponent: int
    reached: int
    keeps: bool


class Base(NamedTuple):
    """A base number of Power Up with its worth to who moves from it and where the exponents lead."""

    number: int
    worth: str
    ways: tuple[Way, ...]


def _draw_power_up(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """The bases that can come up, each with its worth to who moves; a stalemate turns upon itself."""
    bases = _bases(game)
    bottom = GraphOfBases(sheet, game, bases, top).draw()
    worths = {base.worth for base in bases.values()}
    return _legend(sheet, bottom, "who moves", worths, "thick: what keeps the worth")


class GraphOfBases:
    """Bases from left to right, those that take as many raises in a column, and the target at the right edge."""

    GOAL = 110.0

    def __init__(self, sheet: Sheet, game: AnyGame, bases: dict[int, Base], top: float) -> None:
        self.sheet, self.rules, self.bases = sheet, game.rules, bases
        columns: dict[int, list[int]] = {}
        for number in sorted(bases):
            columns.setdefault(_raises(game.rules.base, number), []).append(number)
        self.few = len(bases) <= 12
        self.gap, self.tall = (64.0, 34.0) if self.few else (42.0, 22.0)
        step = (WIDTH - 2 * MARGIN - self.GOAL - 30) / len(columns)
        self.wide = min(112.0, step - (40 if self.few else 12))
        span = self.gap * max(map(len, columns.values()))
        self.middle, self.bottom = top + 24 + span / 2, top + 32 + span
        self.places = {
            number: (MARGIN + column * step, self.middle + self.gap * (row - (len(numbers) - 1) / 2))
            for column, (_, numbers) in enumerate(sorted(columns.items()))
            for row, number in enumerate(numbers)
        }
        self.last = max(x for x, _ in self.places.values())
        self.goal = (WIDTH - MARGIN - self.GOAL, self.middle)

    def draw(self) -> float:
        """Draw ways and, on top of them, bases; returns how far down they reach."""
        for base in self.bases.values():
            for reached in dict.fromkeys(way.reached for way in base.ways):
                self._draw_ways(base, [way for way in base.ways if way.reached == reached])
        for base in self.bases.values():
            label = f"{_base_text(base.number, self.rules.base)} {self.sheet.mark(base.worth)}"
            self._draw_box(self.places[base.number], self.wide, base.worth, label, "ground")
        self._draw_box(self.goal, self.GOAL, "panel edged", _target_text(self.rules.target), "ink")
        return self.bottom

    def _draw_box(self, place: tuple[float, float], width: float, classes: str, label: str, ink: str) -> None:
        x, y = place
        size = min(17.0 if self.few else 12.0, 1.5 * width / len(label))
        self.sheet.rect((x, y - self.tall / 2, width, self.tall), classes, rounding=6)
        self.sheet.text((x + width / 2, y + 0.35 * size), label, f"{ink} strong", "middle", size)

    def _draw_ways(self, base: Base, ways: "Sequence[Way]") -> None:
        """One line for all exponents that make the same of a base, which may be the base itself."""
        (x, y), reached = self.places[base.number], ways[0].reached
        keeps = any(way.keeps for way in ways)
        classes = f"stroke {base.worth} thick" if keeps else "way" if self.few else "way faded"
        label = ", ".join(str(way.exponent) for way in ways)
        if reached == base.number:
            at = (x + self.wide / 2, y - self.tall / 2 - 8)
            self.sheet.add("path", d=f"M{at[0] - 14:g} {at[1] + 7:g}c-10 -30 38 -30 28 0", class_=classes)
            anchor = "middle"
        else:
            x += self.wide
            to_x, to_y = self.places.get(reached, self.goal)
            side = 1 if y >= self.middle else -1
            # A way that passes by other bases swings around them.
            sag = self.gap * side if self.few and reached == self.rules.target and x < self.last else 0
            bend = (to_x - x) / 2
            curve = f"{x + bend:g} {y + sag:g} {to_x - bend:g} {to_y + sag:g} {to_x:g} {to_y:g}"
            self.sheet.add("path", d=f"M{x:g} {y:g}C{curve}", class_=classes)
            below = sag > 0 or (not sag and to_y > y)
            at, anchor = (x + 8, y + 0.22 * sag + 0.1 * (to_y - y if not sag else 0) + (14 if below else -5)), "start"
        if self.few:
            self.sheet.text(at, label, "ink" if keeps else "quiet", anchor, 12)


def _bases(game: AnyGame) -> dict[int, Base]:
    """All bases below the target that can come up."""
    knowing, found = expert(game), dict[int, Base]()
    waiting = [game.initial()]
    for position in waiting:
        if position.base in found:
            continue
        analysis = knowing.analyse(position)
        (player,) = analysis.choices
        ways = []
        for one in analysis.choices[player].moves:
            reached = game.apply(position, (one.move,))
            ways.append(Way(one.move, min(reached.base, game.rules.target), one.keeps))
            if game.actors(reached) and reached.base != position.base:
                waiting.append(reached)
        assert isinstance(analysis.worth, Worth)
        found[position.base] = Base(position.base, worth_word(analysis.worth, player), tuple(sorted(ways)))
    return found


def _raises(start: int, base: int) -> int:
    """How many prime exponents lead from the start to a base; bases of the same rank do not lead to one another."""
    power, rank, prime = _power(start, base), 0, 2
    while power > 1:
        if power % prime:
            prime += 1
        else:
            power, rank = power // prime, rank + 1
    return rank


def _power(start: int, base: int) -> int:
    """The exponent that makes the base from the start."""
    power, number = 1, start
    while number < base:
        power, number = power + 1, number * start
    return power


def _base_text(base: int, start: int) -> str:
    return str(base) if base < 10**6 else f"{start}^{_power(start, base)}"


def _target_text(target: int) -> str:
    text = write_integer(target)
    return f"{text} or more" if len(text) <= 8 else f"{len(str(target))} digits"


def _draw_clash(sheet: Sheet, game: AnyGame, solved: Solved, top: float) -> float:
    """Both mixes as bars, seat 1 to the left and seat 2 to the right of each power."""
    choices = solved.analysis.choices
    mixes = [{one.move: one.weight or 0 for one in choices[player].moves} for player in (0, 1)]
    most = max(max(mix.values()) for mix in mixes)
    centre, longest, row = WIDTH / 2, 190.0, 46.0
    for player, anchor, edge in ((0, "end", centre - 44), (1, "start", centre + 44)):
        words = f"{sheet.seat_mark(player)} seat {player + 1}" if player else f"seat 1 {sheet.seat_mark(0)}"
        sheet.text((edge, top + 8), words, f"{SEATS[player]} strong", anchor)
    top += 24
    for number, power in enumerate(game.rules.powers):
        y = top + number * row
        sheet.text((centre, y + 25), str(power), "ink strong", "middle", 22 if power < 10**4 else 14)
        for player, mix in enumerate(mixes):
            length = float(longest * mix[power] / most)
            edge = centre + (44 if player else -44)
            if length:
                sheet.rect((edge if player else edge - length, y + 5, length, 26), SEATS[player], rounding=3)
            _draw_fraction(sheet, edge + (length + 12) * (1 if player else -1), y + 18, mix[power], bool(player))
    bottom = top + len(game.rules.powers) * row
    sheet.text(
        (MARGIN, bottom + 22), "How often each power is played in an optimal mix of the first duel.", "quiet", size=13
    )
    return bottom + 26


def _draw_fraction(sheet: Sheet, x: float, y: float, value: "Fraction | int", rightwards: bool) -> None:
    """One number over the other with a bar between, or about how much where they are long."""
    numerator, bar, denominator = fraction_text(value).partition("/")
    anchor = "start" if rightwards else "end"
    if not bar:
        sheet.text((x, y + 5), numerator, "ink", anchor, 14)
    elif len(denominator) > 4:
        sheet.text((x, y + 5), f"about {float(value):.4f}", "ink", anchor, 14)
    else:
        width = 8.5 * max(len(numerator), len(denominator)) + 2
        middle = x + (width / 2 if rightwards else -width / 2)
        sheet.text((middle, y - 4), numerator, "ink", "middle", 13)
        sheet.line(middle - width / 2, y, middle + width / 2, y, "stroke ink")
        sheet.text((middle, y + 13), denominator, "ink", "middle", 13)


DRAWINGS: dict[str, Callable[[Sheet, AnyGame, Solved, float], float]] = {
    "clash-of-powers": _draw_clash,
    "double-up": _draw_double_up,
    "power-line": _draw_power_line,
    "power-match": _draw_power_match,
    "power-up": _draw_power_up,
}
"""How the result of each game is drawn; each returns how far down its drawing reaches."""
