"""Write docs/pictures: moments of real games, as a terminal shows them, in SVG.

Each game is played by the program itself on a pseudo-terminal; the last screen is drawn
cell by cell, with the colours of `tokens.json`.  `--check` writes nothing; it names the
pictures that are out of date and exits with status 1 if there are any.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from io import BytesIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

import pexpect
import pyte

from powerduels.tokens import load_tokens

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"

LONGEST_WAIT = 10
"""Seconds until a prompt that does not come is an error."""


class Scene(NamedTuple):
    """A game up to the moment of its picture: what is typed at which prompt, and the last prompt."""

    file: str
    command: str
    columns: int
    rows: int
    typed: tuple[tuple[str, str], ...]
    last: str
    told: str
    """What the picture shows, for those who cannot see it."""


def answers(prompt: str, lines: str) -> tuple[tuple[str, str], ...]:
    """One answer after the other, all to the same prompt."""
    return tuple((prompt, line) for line in lines.split())


ACTION = "Enter choice (1 or 2):"
NUMBER = "Choose a number from the pool:"
POWER = "Select a power to play in this duel:"
PLAYERS = "--p1 human:Ann --p2 human:Ben"

SCENES = (
    Scene(
        "terminal.svg",
        f"play power-line {PLAYERS}",
        72,
        26,
        (
            *answers(ACTION, "2=2 8=2 3=1 7=1 5=3 4=2"),
            (ACTION, "1"),
            ("Enter position to place the node (0-10):", "3"),
            ("Enter power level for the new node (1-5):", "3"),
        ),
        ACTION,
        "A game of Power Line in a terminal: Ann has just captured a node of Ben's",
    ),
    Scene(
        "power-match.svg",
        f"play power-match {PLAYERS}",
        72,
        20,
        (*answers(NUMBER, "9b 8e 7"), ("Assign 7 to (base/exponent):", "exponent")),
        NUMBER,
        "A game of Power Match in a terminal: Ann has completed 9 to the power of 7, Ben has the exponent 8",
    ),
    Scene(
        "clash.svg",
        f"play clash-of-powers {PLAYERS}",
        72,
        24,
        answers(POWER, "8 4 16 1"),
        POWER,
        "A game of Clash of Powers in a terminal: each has won a duel, and Ann is to choose a card in secret",
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="name the pictures that are out of date, write nothing")
    checking = parser.parse_args(arguments).check
    outdated = outdated_pictures()
    for path, text in outdated.items():
        if checking:
            print(f"{path} is out of date; make picture draws it anew.", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path} is written.")
    return 1 if checking and outdated else 0


def outdated_pictures() -> dict[Path, str]:
    """The pictures that are missing or differ from what the program shows, with their right text."""
    pictures = {}
    for scene in SCENES:
        command = f"powerduels {scene.command.removesuffix(PLAYERS).strip()}"
        pictures[PICTURES / scene.file] = draw(play(scene), command, scene.told)
    return {path: text for path, text in pictures.items() if not path.exists() or path.read_text("utf-8") != text}


class Screen(pyte.Screen):
    """A screen that keeps faint text apart, as italics: those the program never writes, and faint pyte knows not."""

    def select_graphic_rendition(self, *codes: int, **settings: bool) -> None:
        instead = {2: (3,), 22: (22, 23)}
        super().select_graphic_rendition(
            *(code for given in codes for code in instead.get(given, (given,))), **settings
        )


def play(scene: Scene) -> Screen:
    """The screen at the last prompt of the scene."""
    output = BytesIO()
    with TemporaryDirectory() as home:
        program: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            ["-m", "powerduels", *scene.command.split()],
            dimensions=(scene.rows, scene.columns),
            env=_surroundings(home),
            timeout=LONGEST_WAIT,
        )
        program.logfile_read = output
        program.delaybeforesend = None
        for prompt, answer in (*scene.typed, (scene.last, None)):
            try:
                program.expect_exact(f"{prompt} ")
            except pexpect.ExceptionPexpect:
                said = output.getvalue()[-500:].decode(errors="replace")
                raise SystemExit(f"{scene.file}: the prompt {prompt!r} did not come. The last words:\n{said}") from None
            if answer is not None:
                program.sendline(answer)
        program.close(force=True)
    screen = Screen(scene.columns, scene.rows)
    pyte.ByteStream(screen).feed(output.getvalue())
    return screen


def _surroundings(home: str) -> dict[str, str]:
    """The environment for the program, in which nobody's own settings show."""
    return {
        "HOME": home,
        "INPUTRC": os.devnull,
        "LC_ALL": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "XDG_STATE_HOME": home,
    }


# Lengths in pixels.  Lines are as close as the signs are high, so that frames of several lines close.
CELL, LINE, BASELINE, SIZE = 8.4, 16, 12.5, 14
MARGIN, BAR, ROUNDING = 18, 34, 10

# A dark terminal brings its own ground, so that it can be read on any page.
GROUND, TITLE_BAR, EDGE = "#11161d", "#1b222b", "#39424e"
TEXT, TITLE = "#d9dfe7", "#98a3b0"
FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

BASE_COLOURS = {
    "black": "#30363d", "red": "#d05c5c", "green": "#4ac26b", "brown": "#c9a227",
    "blue": "#4f8fd0", "magenta": "#c678b5", "cyan": "#4fb3bf", "white": "#c5ccd4",
    "brightblack": "#7d8794", "brightred": "#f08080", "brightgreen": "#7ee2a0", "brightbrown": "#e6c65c",
    "brightblue": "#82b8f0", "brightmagenta": "#e5a3d5", "brightcyan": "#86d5de", "brightwhite": "#ffffff",
}  # fmt: skip
"""The 16 colours of the terminal by pyte's names, where no token says otherwise."""

PIECES = re.compile(r"[!-~]+(?: [!-~]+)*|([^ -~])\1*")
"""What is drawn as one: words with single blanks between them, or one sign several times.

Signs beyond ASCII may come from a font of another width, so each stays in its own cells.
"""


class Style(NamedTuple):
    colour: str
    ground: str
    bold: bool


def draw(screen: Screen, title: str, told: str) -> str:
    """The screen from its first line with text on, in a window, as the text of an SVG file."""
    top = next(row for row, line in enumerate(screen.display) if line.strip())
    width = round(2 * MARGIN + screen.columns * CELL)
    height = BAR + 2 * MARGIN + (screen.lines - top) * LINE
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"})
    for name, value in {"width": width, "height": height, "role": "img", "aria-labelledby": "told"}.items():
        svg.set(name, str(value))
    svg.set("font-family", FONT)
    svg.set("font-size", str(SIZE))
    _add(svg, "title", id="told").text = told
    _draw_window(svg, width, height, title)
    palette = _palette()
    body = _add(svg, "g", transform=f"translate({MARGIN} {BAR + MARGIN - top * LINE})", fill=TEXT)
    for row in range(top, screen.lines):
        _draw_row(body, screen, row, palette)
    _add_ground(body, screen.cursor.y, screen.cursor.x, 1).set("opacity", "0.7")
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _draw_window(svg: ElementTree.Element, width: int, height: int, title: str) -> None:
    # Half a pixel in, so that the edge fills whole pixels.
    window = {"x": 0.5, "y": 0.5, "width": width - 1, "height": height - 1, "rx": ROUNDING}
    arc = f"a{ROUNDING} {ROUNDING} 0 0 1 {ROUNDING}"
    side = 0.5 + ROUNDING
    _add(svg, "rect", **window, fill=GROUND)
    _add(svg, "path", d=f"M.5 {BAR}V{side}{arc}-{ROUNDING}H{width - side}{arc} {ROUNDING}V{BAR}z", fill=TITLE_BAR)
    _add(svg, "rect", **window, fill="none", stroke=EDGE)
    for disc in range(3):
        _add(svg, "circle", cx=MARGIN + 5 + 18 * disc, cy=BAR / 2, r=5, fill=EDGE)
    words = _add(svg, "text", x=width / 2, y=BAR / 2 + 4.5, fill=TITLE)
    words.set("text-anchor", "middle")
    words.text = title


def _draw_row(body: ElementTree.Element, screen: Screen, row: int, palette: dict[str, str]) -> None:
    cells = [screen.buffer[row][column] for column in range(screen.columns)]
    column = 0
    for style, group in groupby(cells, lambda cell: _style(cell, palette)):
        text = "".join(cell.data for cell in group)
        if style.ground != GROUND:
            _add_ground(body, row, column, len(text)).set("fill", style.ground)
        for piece in PIECES.finditer(text):
            words = _add(body, "text", x=(column + piece.start()) * CELL, y=row * LINE + BASELINE)
            # Whatever the width of the viewer's font, the words end where they end in the terminal.
            words.set("textLength", f"{len(piece[0]) * CELL:g}")
            words.set("lengthAdjust", "spacingAndGlyphs")
            if style.colour != TEXT:
                words.set("fill", style.colour)
            if style.bold:
                words.set("font-weight", "bold")
            words.text = piece[0]
        column += len(text)


def _style(cell: pyte.screens.Char, palette: dict[str, str]) -> Style:
    colour = TEXT if cell.fg == "default" else palette[cell.fg]
    ground = GROUND if cell.bg == "default" else palette[cell.bg]
    if cell.reverse:
        colour, ground = ground, colour
    return Style(_faint(colour, ground) if cell.italics else colour, ground, cell.bold)


def _palette() -> dict[str, str]:
    """The base colours by pyte's names, those of the tokens in their version for dark ground."""
    tokens = load_tokens()
    named = {entry["terminal"]: entry["dark"] for entry in (*tokens["seats"], *tokens["worth"].values())}
    return BASE_COLOURS | {
        name.replace("dark_grey", "brightblack").replace("light_", "bright").replace("yellow", "brown"): colour
        for name, colour in named.items()
    }


def _faint(colour: str, ground: str) -> str:
    """Two thirds of the colour and one third of the ground."""
    mixed = ((2 * int(colour[at : at + 2], 16) + int(ground[at : at + 2], 16)) // 3 for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _add_ground(parent: ElementTree.Element, row: int, column: int, cells: int) -> ElementTree.Element:
    return _add(parent, "rect", x=column * CELL, y=row * LINE, width=cells * CELL, height=LINE)


def _add(parent: ElementTree.Element, tag: str, **attributes: str | float) -> ElementTree.Element:
    written = {name: value if isinstance(value, str) else f"{round(value, 2):g}" for name, value in attributes.items()}
    return ElementTree.SubElement(parent, tag, written)


if __name__ == "__main__":
    sys.exit(main())
