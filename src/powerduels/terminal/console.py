"""Where lines are read and written: a terminal with its comforts, or a pipe without.

In a pipe every line that is read is written after its prompt, so that the transcript
reads like a dialogue; a secret line is not.  On a terminal the line can be edited, and
nothing of a secret line appears.
"""

import os
import sys
from typing import NamedTuple

NARROWEST, WIDEST = 40, 80


class EndOfInput(Exception):
    """Nobody will type anything any more."""


class Marks(NamedTuple):
    """The signs that pictures are drawn with, the seats' own aside."""

    wire: str
    empty: str
    full: str
    spent: str
    lamp: str
    dark_lamp: str
    corners: tuple[str, str, str, str]
    upright: str


UNICODE = Marks("─", "·", "▮", "▯", "◉", "○", ("╭", "╮", "╰", "╯"), "│")
ASCII = Marks("-", ".", "#", ".", "*", "o", ("+", "+", "+", "+"), "|")


class Console:
    """Plain lines in and out: what a pipe gets, and the base of what a terminal gets."""

    is_terminal = False
    marks = ASCII
    seat_marks = ("A", "B")

    @property
    def width(self) -> int:
        return WIDEST

    def say(self, *lines: str) -> None:
        for line in lines or ("",):
            sys.stdout.write(f"{line}\n")

    def read(self, prompt: str, secret: bool = False) -> str:
        """The next line without blanks at its ends; raises EndOfInput."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = self._read_secret() if secret and sys.stdin.isatty() else sys.stdin.readline()
        if not line:
            self.say()
            raise EndOfInput
        line = line.strip()
        self.say("" if secret or not line else " " + "".join(sign if sign.isprintable() else "?" for sign in line))
        return line

    def _read_secret(self) -> str:
        from getpass import getpass

        try:
            return getpass("") + "\n"
        except EOFError:
            return ""

    def seat(self, seat: int, text: str) -> str:
        """A text in a seat's colour."""
        return text

    def strong(self, text: str) -> str:
        return text

    def faint(self, text: str) -> str:
        return text


class TerminalConsole(Console):
    """A terminal: colours by its own theme, lines that fit, editing and history."""

    is_terminal = True

    def __init__(self) -> None:
        # Importing readline is what gives `input` editing and history.
        import readline

        from termcolor import can_colorize, colored

        from powerduels.tokens import load_tokens

        readline.set_auto_history(True)
        seats = load_tokens()["seats"]
        self._colored = colored
        self._in_colour = can_colorize()
        self._seat_colours = [seat["terminal"] for seat in seats]
        self.marks, mark = (UNICODE, "mark") if _speaks_unicode() else (ASCII, "letter")
        self.seat_marks = (seats[0][mark], seats[1][mark])

    @property
    def width(self) -> int:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except OSError:
            columns = WIDEST
        return max(NARROWEST, min(columns, WIDEST))

    def say(self, *lines: str) -> None:
        for line in lines or ("",):
            if "\x1b" in line or len(line) <= self.width:
                super().say(line)
            else:
                from textwrap import wrap

                super().say(*wrap(line, self.width, subsequent_indent="  ", break_on_hyphens=False))

    def read(self, prompt: str, secret: bool = False) -> str:
        from getpass import getpass

        sys.stdout.flush()
        try:
            return (getpass if secret else input)(f"{prompt} ").strip()
        except EOFError:
            self.say()
            raise EndOfInput from None

    def seat(self, seat: int, text: str) -> str:
        return self._styled(text, self._seat_colours[seat])

    def strong(self, text: str) -> str:
        return self._styled(text, None, "bold")

    def faint(self, text: str) -> str:
        return self._styled(text, None, "dark")

    def _styled(self, text: str, colour: str | None, *attributes: str) -> str:
        if not self._in_colour:
            return text
        return self._colored(text, colour, attrs=attributes, force_color=True)


def open_console() -> Console:
    """The console for this process's input and output."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A name or a stray byte that the terminal cannot show must not end the game.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    return TerminalConsole() if sys.stdin.isatty() and sys.stdout.isatty() else Console()


def _speaks_unicode() -> bool:
    locale = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := os.environ.get(name))), "")
    return "utf" in locale.lower() and sys.stdout.encoding.lower().startswith("utf")
