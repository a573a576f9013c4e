"""The pictures of games: they show what the program shows, in the tokens' colours, and they are up to date."""

import io
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from powerduels.tokens import load_tokens

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tools" / "make_picture.py"
PICTURES = ROOT / "docs" / "pictures"
TOOL: dict[str, Any] = runpy.run_path(str(SCRIPT))
FILES = [scene.file for scene in TOOL["SCENES"]]
SEATS = load_tokens()["seats"]
SVG = "{http://www.w3.org/2000/svg}"

EVERY_PICTURE = pytest.mark.parametrize("file", FILES)


def make_picture(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools" / SCRIPT.name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def screen_texts(svg: str) -> list[ElementTree.Element]:
    """What stands on the screen of a picture, its window aside."""
    picture = ElementTree.fromstring(svg)
    assert picture.tag == f"{SVG}svg"
    return picture.findall(f"{SVG}g/{SVG}text")


def lines(svg: str) -> list[str]:
    """The lines of the screen, put together again from where each text stands and ends."""
    cell, rows = TOOL["CELL"], dict[float, str]()
    for text in screen_texts(svg):
        words, row = text.text or "", float(text.attrib["y"])
        column, end = (float(text.attrib["x"]) / cell, float(text.attrib["textLength"]) / cell)
        assert column == pytest.approx(round(column))
        assert end == pytest.approx(len(words))
        before = rows.get(row, "")
        assert len(before) <= round(column), "two texts share a cell"
        rows[row] = before.ljust(round(column)) + words
    return [rows[row] for row in sorted(rows)]


def drawn(output: bytes) -> str:
    """The picture of a small terminal after this output."""
    screen = TOOL["Screen"](40, 4)
    TOOL["pyte"].ByteStream(screen).feed(output)
    return str(TOOL["draw"](screen, "title & <words>", "told 'so' & \"so\""))


def test_pictures_are_up_to_date() -> None:
    checked = make_picture(ROOT, "--check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_check_names_what_is_out_of_date_and_writing_mends_it(tmp_path: Path) -> None:
    for folder in ("tools", "docs/pictures"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    changed, missing = (tmp_path / "docs" / "pictures" / file for file in FILES[:2])
    changed.write_text(changed.read_text(encoding="utf-8").replace("Turn", "Tour"), encoding="utf-8")
    missing.unlink()

    checked = make_picture(tmp_path, "--check")
    assert checked.returncode == 1
    assert re.findall(r"([a-z-]+)\.svg is out of date", checked.stderr) == [changed.stem, missing.stem]
    assert not missing.exists()

    assert make_picture(tmp_path).returncode == 0
    for picture in (changed, missing):
        assert picture.read_text(encoding="utf-8") == (PICTURES / picture.name).read_text(encoding="utf-8")


@EVERY_PICTURE
def test_a_picture_shows_both_seats_by_mark_and_colour(file: str) -> None:
    texts = screen_texts((PICTURES / file).read_text(encoding="utf-8"))
    for seat in SEATS:
        marks = [text for text in texts if text.text == seat["mark"]]
        assert marks
        assert {text.get("fill") for text in marks} == {seat["dark"]}


@EVERY_PICTURE
def test_a_picture_ends_with_the_prompt_and_the_cursor_behind_it(file: str) -> None:
    svg = (PICTURES / file).read_text(encoding="utf-8")
    (scene,) = (scene for scene in TOOL["SCENES"] if scene.file == file)
    shown = lines(svg)
    assert shown[-1] == scene.last
    cursor = ElementTree.fromstring(svg).findall(f"{SVG}g/{SVG}rect")[-1]
    assert float(cursor.attrib["x"]) == pytest.approx((len(scene.last) + 1) * TOOL["CELL"])


def test_the_first_picture_shows_a_line_with_nodes_of_both_after_a_capture() -> None:
    shown = lines((PICTURES / FILES[0]).read_text(encoding="utf-8"))
    assert any("capture" in line for line in shown)
    wire = max(shown, key=lambda line: sum(line.count(seat["mark"]) for seat in SEATS))
    for seat in SEATS:
        assert len(re.findall(rf"{seat['mark']}\d", wire)) >= 2


def test_text_stands_in_the_picture_as_it_stands_on_the_screen() -> None:
    """Signs with a meaning in XML come through, and so do columns beside wide gaps and signs beyond ASCII."""
    output = "\r\n<a href=\"x\"> & 'b'   c]]>\r\n  ●●▲2──·── d  e".encode()
    assert lines(drawn(output)) == ["<a href=\"x\"> & 'b'   c]]>", "  ●●▲2──·── d  e"]


def test_the_title_and_what_is_told_are_escaped() -> None:
    picture = ElementTree.parse(io.StringIO(drawn(b"x"))).getroot()
    assert picture.findtext(f"{SVG}title") == "told 'so' & \"so\""
    assert picture.findtext(f"{SVG}text") == "title & <words>"


def test_colour_weight_and_faintness_are_drawn() -> None:
    svg = drawn(b"plain\x1b[1mbold\x1b[0m\x1b[94mblue\x1b[2mless\x1b[22mmore\x1b[91mred\x1b[0m\x1b[7mturned\x1b[0m")
    plain, bold, blue, less, more, red, turned = screen_texts(svg)
    assert (plain.get("fill"), plain.get("font-weight")) == (None, None)
    assert (bold.get("fill"), bold.get("font-weight")) == (None, "bold")
    assert [text.get("fill") for text in (blue, more, red)] == [SEATS[0]["dark"], SEATS[0]["dark"], SEATS[1]["dark"]]
    assert less.get("fill") not in (None, blue.get("fill"))
    ground, cursor = ElementTree.fromstring(svg).findall(f"{SVG}g/{SVG}rect")
    assert (turned.get("fill"), ground.get("fill")) == (TOOL["GROUND"], TOOL["TEXT"])
    assert ground.get("x") == turned.get("x")
    assert cursor.get("fill") is None
