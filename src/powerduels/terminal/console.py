"""Where lines are read and written: a terminal with its comforts, or a pipe without.

In a pipe every line that is read is written after its prompt, so that the transcript
reads like a dialogue; a secret line is not.  On a terminal the line can be edited, and
nothing of a secret line appears.
"""

import os
import sys
from typing import NamedTuple

from powerduels.terminal.layout import wrapped

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
        if secret and sys.stdin.isatty():
            return self._read_hidden(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            self.say()
            raise EndOfInput
        line = line.strip()
        self.say("" if secret or not line else " " + "".join(sign if sign.isprintable() else "?" for sign in line))
        return line

    def _read_hidden(self, prompt: str) -> str:
        from getpass import getpass

        try:
            # The prompt shows only when the echo is off.
            return getpass(prompt, sys.stdout).strip()
        except EOFError:
            self.say()
            raise EndOfInput from None

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
            super().say(*wrapped(line, self.width))

    def read(self, prompt: str, secret: bool = False) -> str:
        if secret:
            return self._read_hidden(f"{prompt} ")
        sys.stdout.flush()
        try:
            return input(f"{prompt} ").strip()
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
    if not sys.stdin.isatty():
        return Console()
    import signal

    signal.signal(signal.SIGTERM, _terminated)
    return TerminalConsole() if sys.stdout.isatty() else Console()


def _terminated(number: int, frame: object) -> None:
    # An exception passes those who changed the terminal, and they restore it.
    sys.exit(128 + number)


def _speaks_unicode() -> bool:
    # Where no locale is set, Python sets this one by itself, and it says nothing of the terminal.
    ours = ("LC_CTYPE", "C.UTF-8")
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((value for name in names if (value := os.environ.get(name)) and (name, value) != ours), "")
    return "utf" in locale.lower() and sys.stdout.encoding.lower().startswith("utf")
