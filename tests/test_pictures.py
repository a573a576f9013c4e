"""Pictures of results: they show what was found, stand alone, and are written whole to a new file or not at all."""

import itertools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import powerduels
from driver import piped
from powerduels.analyse import expert, solve
from powerduels.answers import worth_word
from powerduels.core import AnyGame
from powerduels.pictures import picture
from powerduels.solve.worth import Worth
from powerduels.tokens import load_tokens

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
TOKENS = load_tokens()
WORTHS = ("win", "draw", "loss")

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "clash": ("clash-of-powers", {}),
    "clash, sharp": ("clash-of-powers", {"duels_to_win": 2}),
    "match": ("power-match", {}),
    "match, snake": ("power-match", {"pool": 12, "order": "snake"}),
    "match, all numbers": ("power-match", {"pool": 99}),
    "double up": ("double-up", {}),
    "double up, lost": ("double-up", {"limit": 127}),
    "double up, over": ("double-up", {"start": 100}),
    "double up, far": ("double-up", {"limit": 10**18}),
    "double up, from afar": ("double-up", {"start": 3 * 10**17, "limit": 10**18}),
    "double up, endless": ("double-up", {"limit": "none"}),
    "up": ("power-up", {}),
    "up, one step": ("power-up", {"base": 255}),
    "up, once": ("power-up", {"stalling": "once"}),
    "up, far": ("power-up", {"target": "10^100", "exponents": "1,2,3,4,5,6"}),
    "line": ("power-line", {"length": 5, "energy": 4}),
    "line, takeover": ("power-line", {"length": 6, "energy": 4, "chain": 3, "capture": "takeover"}),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)


def game_of(case: str) -> AnyGame:
    game_id, options = CASES[case]
    return powerduels.game(game_id, **options)


def drawn(game: AnyGame) -> ElementTree.Element:
    return ElementTree.fromstring(picture(game, solve(game)))


def texts(root: ElementTree.Element, *classes: str) -> list[str]:
    """All that is written in a picture, or what is written in elements that have these classes."""
    found = root.iter(f"{SVG}text")
    return [text.text or "" for text in found if set(classes) <= set(text.attrib["class"].split())]


def shapes(root: ElementTree.Element, tag: str, *classes: str) -> list[ElementTree.Element]:
    return [one for one in root.iter(f"{SVG}{tag}") if set(classes) <= set(one.attrib["class"].split())]


@EVERY_CASE
def test_a_picture_stands_alone_and_is_told_in_words(case: str) -> None:
    game = game_of(case)
    text = picture(game, solve(game))
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    told = {one.attrib["id"]: one.text or "" for one in root if "id" in one.attrib}
    assert root.attrib["aria-labelledby"].split() == list(told) == ["title", "told"]
    assert game.title in told["title"]
    assert "best play" in told["told"] or "expected score" in told["told"]
    assert not re.search(r"url\(|href|@import|<image|<script|<path[^>]*font|foreignObject", text)
    assert text.count("http") == 1, "nothing but the name space"


@EVERY_CASE
def test_every_class_has_its_colours_on_light_and_on_dark_ground(case: str) -> None:
    root = drawn(game_of(case))
    style = root.findtext(f"{SVG}style") or ""
    light, dark_rule, dark = style.partition("@media (prefers-color-scheme: dark)")
    assert dark_rule
    used = {name for one in root.iter() for name in one.attrib.get("class", "").split()}
    for name in used:
        assert f".{name}" in light
    entries = dict(zip(("one", "two"), TOKENS["seats"], strict=True)) | TOKENS["worth"]
    for name, token in entries.items():
        assert f".{name} {{ fill: {token['light']} }}" in light
        assert f".{name} {{ fill: {token['dark']} }}" in dark


@EVERY_CASE
def test_nothing_runs_out_of_the_picture(case: str) -> None:
    """By the usual width of letters, 0.62 of their size; digits and words of every text stay inside."""
    root = drawn(game_of(case))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for text in root.iter(f"{SVG}text"):
        long = 0.58 * float(text.attrib["font-size"]) * len(text.text or "")
        left = float(text.attrib["x"]) - long * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
        assert left >= 0, text.text
        assert left + long <= width, text.text
        assert 0 < float(text.attrib["y"]) < height
    for rect in root.iter(f"{SVG}rect"):
        x, y, wide, tall = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        assert min(x, y, wide, tall) >= 0
        assert x + wide <= width
        assert y + tall <= height


def cells(root: ElementTree.Element, size: float) -> list[tuple[float, float, str]]:
    """The cells of a heat map, row by row: where they are, and their worth."""
    found = []
    for rect in root.iter(f"{SVG}rect"):
        worth = rect.attrib["class"].split()[0]
        if worth in WORTHS and float(rect.attrib["width"]) == size:
            found.append((float(rect.attrib["y"]), float(rect.attrib["x"]), worth))
    return sorted(found)


def test_power_match_shows_each_number_as_base_and_as_exponent() -> None:
    root = drawn(powerduels.game("power-match", order="snake"))
    assert [worth for _, _, worth in cells(root, 54)] == ["loss"] * 9 + ["loss"] * 8 + ["win"]
    marks = texts(root, "ground", "strong")
    assert marks.count(TOKENS["worth"]["win"]["mark"]) == len(shapes(root, "rect", "win"))
    assert marks.count(TOKENS["worth"]["loss"]["mark"]) == len(shapes(root, "rect", "loss"))


def test_power_match_shows_every_answer_where_there_is_room() -> None:
    """Two rows hold no loss: those of the first moves that win."""
    game = powerduels.game("power-match")
    answers = cells(drawn(game), 32)
    rows = [[worth for _, _, worth in row] for _, row in itertools.groupby(answers, lambda cell: cell[0])]
    assert len(rows) == 18
    assert {len(row) for row in rows} == {16}, "the number that is taken cannot be the answer"
    assert [number for number, row in enumerate(rows) if "loss" not in row] == [8, 17]
    assert cells(drawn(powerduels.game("power-match", pool=13)), 32) == []


def test_power_line_shows_each_level_at_each_position() -> None:
    game = powerduels.game("power-line", length=4, energy=4, head_start=1)
    root = drawn(game)
    found = [worth for _, _, worth in cells(root, 56)]
    moves = sorted(
        expert(game).analyse(game.initial()).choices[0].moves, key=lambda one: (-one.move.level, one.move.at)
    )
    expected = [worth_word(one.worth, 0) for one in moves if isinstance(one.worth, Worth)]
    assert len(set(expected)) == 2, "a map of one colour would show no mistake"
    assert found == expected
    assert {"0", "3", "level", "5"} <= set(texts(root))


def test_double_up_shows_the_numbers_to_hand_over() -> None:
    root = drawn(powerduels.game("double-up"))
    assert texts(root, "one", "strong")[1:] == ["2", "5", "11", "24", "49", "100"]
    assert "from here only 50 to 98" in texts(root)
    heights = [float(line.attrib["y1"]) for line in shapes(root, "line", "one", "thick")]
    assert heights == sorted(heights, reverse=True)
    windows = shapes(root, "rect", "two", "tint")
    assert len(windows) == 5
    for window, rung in zip(windows, heights[1:], strict=True):
        assert float(window.attrib["y"]) > rung, "the next rung is out of reach"


def test_double_up_shows_whose_ladder_it_is() -> None:
    root = drawn(powerduels.game("double-up", limit=127))
    assert texts(root, "two", "strong")[1:] == ["1", "3", "7", "15", "31", "63", "127"]
    assert texts(root, "two", "strong")[0] == TOKENS["seats"][1]["mark"]


def test_double_up_is_drawn_to_the_end_at_any_limit() -> None:
    assert texts(drawn(game_of("double up, far")), "one", "strong")[-1] == str(10**18)
    assert len(texts(drawn(game_of("double up, far")), "one", "strong")) == 60
    assert "The ladder has no top" in " ".join(texts(drawn(game_of("double up, endless"))))


def test_power_up_shows_the_stalemates() -> None:
    root = drawn(powerduels.game("power-up"))
    boxes = texts(root, "ground", "strong")
    assert [text for text in boxes if len(text) > 1] == ["2 =", "4 =", "8 +", "16 +", "64 +"]
    loops = [path for path in root.iter(f"{SVG}path") if "c-10 -30" in path.attrib["d"]]
    assert [("thick" in path.attrib["class"]) for path in loops] == [True, True, False, False, False]
    assert "256 or more" in texts(root)


def test_clash_of_powers_shows_both_mixes() -> None:
    root = drawn(powerduels.game("clash-of-powers"))
    for seat in ("one", "two"):
        bars = shapes(root, "rect", seat)
        assert len(bars) == 5
        assert len({bar.attrib["width"] for bar in bars}) == 1
    assert texts(root).count("1") == 10 + 1, "five fractions for each seat, and a power"


def test_the_longer_the_bar_the_greater_the_weight() -> None:
    game = game_of("clash, sharp")
    weights = [float(one.weight or 0) for one in solve(game).analysis.choices[0].moves]
    lengths = [float(bar.attrib["width"]) for bar in shapes(drawn(game), "rect", "one")]
    assert max(lengths) / min(lengths) == pytest.approx(max(weights) / min(weights), rel=0.01)


def test_the_command_draws_into_a_new_file(tmp_path: Path) -> None:
    done = piped(tmp_path, "solve", "double-up", "--picture", "ladder.svg", "--json")
    assert (done.status, done.errors) == (0, "")
    assert json.loads(done.output)["value"] == "first"
    game = powerduels.game("double-up")
    assert (tmp_path / "ladder.svg").read_text(encoding="utf-8") == picture(game, solve(game))
    assert [path.name for path in tmp_path.glob("*.svg*")] + [path.name for path in tmp_path.glob(".*.new")] == [
        "ladder.svg"
    ]


@pytest.mark.parametrize("there", ["file", "folder", "dangling link"])
def test_what_is_there_is_never_overwritten(there: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.svg"
    match there:
        case "file":
            path.write_text("mine", encoding="utf-8")
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to("nowhere")
    done = piped(tmp_path, "solve", "double-up", "--picture", "mine.svg")
    assert (done.status, done.output) == (1, "")
    assert done.errors == "powerduels: mine.svg is there already and is not overwritten.\n"
    assert there != "file" or path.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["missing/ladder.svg", "''", "x/"])
def test_a_name_that_cannot_be_written_is_refused_before_the_work(name: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "solve", "double-up", "--picture", name.strip("'"))
    assert (done.status, done.output) == (1, "")
    assert "is no name of a file that can be written" in done.errors


def make_solving(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools" / "make_solving.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_page_about_solving_is_up_to_date() -> None:
    done = make_solving(ROOT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_out_of_date_is_named_and_written_anew(tmp_path: Path) -> None:
    """In a copy: a changed figure, a missing picture; then a page that has lost a marker."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "make_solving.py", tmp_path / "tools")
    for path in (ROOT / "docs" / "pictures").glob("solve-*.svg"):
        shutil.copy(path, tmp_path / "docs" / "pictures")
    page, right = tmp_path / "docs" / "solving.md", (ROOT / "docs" / "solving.md").read_text(encoding="utf-8")
    page.write_text(right.replace("447", "448"), encoding="utf-8")
    gone = tmp_path / "docs" / "pictures" / "solve-power-up.svg"
    gone.unlink()
    done = make_solving(tmp_path, "--check")
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == [str(page), str(gone)]
    assert "448" in page.read_text(encoding="utf-8")
    assert make_solving(tmp_path).returncode == 0
    assert page.read_text(encoding="utf-8") == right
    assert make_solving(tmp_path, "--check").returncode == 0
    page.write_text(right.replace("<!-- end clash -->", ""), encoding="utf-8")
    done = make_solving(tmp_path)
    assert done.returncode == 1
    assert "has no place for clash" in done.stderr


def test_every_picture_is_shown_on_the_page_and_every_one_shown_is_there() -> None:
    page = (ROOT / "docs" / "solving.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\]\(pictures/([^)]+)\)", page))
    assert shown == {path.name for path in (ROOT / "docs" / "pictures").glob("solve-*.svg")}
