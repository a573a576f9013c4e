"""Where lines are read and written: a terminal with its comforts, or a pipe without.

In a pipe every line that is read is written after its prompt, so that the transcript
reads like a dialogue; a secret line is not.  On a terminal the line can be edited, and
nothing of a secret line appears, even if the program is stopped and continued meanwhile.
"""

import os
import signal
import sys
from codecs import lookup
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import NamedTuple

from powerduels.store import with_tilde
from powerduels.terminal.layout import columns_of, wrapped

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
    back: str
    """What the back of a card is full of."""


UNICODE = Marks("─", "·", "▮", "▯", "◉", "○", ("╭", "╮", "╰", "╯"), "│", "░")
ASCII = Marks("-", ".", "#", ".", "*", "o", ("+", "+", "+", "+"), "|", "#")


class Console:
    """Plain lines in and out: what a pipe gets, and the base of what a terminal gets."""

    is_terminal = False
    marks = ASCII
    seat_marks = ("A", "B")
    _come_back: Callable[[], None] | None = None
    """What makes the terminal again what the line that is being read needs."""

    @property
    def width(self) -> int:
        return WIDEST

    _after_blank = False
    """Whether the last line was blank; a second one in a row is not shown."""

    def say(self, *lines: str) -> None:
        for line in lines or ("",):
            if line or not self._after_blank:
                sys.stdout.write(f"{line}\n")
            self._after_blank = not line

    def say_whole(self, label: str, text: str) -> None:
        """Say something to be copied, like a path or a command: it is never broken."""
        self.say(f"{label} {text}")

    def path(self, path: str) -> str:
        """A path as it is shown here."""
        return path

    def read(self, prompt: str, secret: bool = False) -> str:
        """The next line without blanks at its ends; raises EndOfInput."""
        if secret and sys.stdin.isatty():
            return self._read_hidden(prompt)
        self._after_blank = False
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        answer = line.strip()
        echo = "" if secret or not answer else " " + "".join(sign if sign.isprintable() else "?" for sign in answer)
        sys.stdout.write(f"{echo}\n")
        if not line:
            raise EndOfInput
        return answer

    def _read_hidden(self, prompt: str) -> str:
        import termios

        terminal = sys.stdin.fileno()
        usual = termios.tcgetattr(terminal)
        hidden = [*usual[:3], usual[3] & ~termios.ECHO, *usual[4:]]

        def ask() -> None:
            # The prompt shows only when the echo is off, and what was typed before that does not count.
            termios.tcsetattr(terminal, termios.TCSAFLUSH, hidden)
            os.write(sys.stdout.fileno(), prompt.encode(errors="replace"))

        self._after_blank = False
        sys.stdout.flush()
        self._come_back = ask
        try:
            ask()
            line = sys.stdin.readline()
        finally:
            self._come_back = None
            # A terminal that is gone needs no echo.
            with suppress(termios.error):
                termios.tcsetattr(terminal, termios.TCSAFLUSH, usual)
        sys.stdout.write("\n")
        if not line:
            raise EndOfInput
        return line.strip()

    def continued(self, number: int, frame: object) -> None:
        """The program goes on after a stop, with the terminal as the shell left it."""
        # In the background the terminal is the shell's.
        if self._come_back is not None and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp():
            self._come_back()

    def seat(self, seat: int, text: str) -> str:
        """A text in a seat's colour."""
        return text

    def worth(self, worth: str, text: str) -> str:
        """A text in the colour of a win, a draw or a loss."""
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
        readline.set_startup_hook(self._note_editing)
        self._prompt = ""
        tokens = load_tokens()
        seats = tokens["seats"]
        self._worth_colours = {worth: token["terminal"] for worth, token in tokens["worth"].items()}
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

    def say_whole(self, label: str, text: str) -> None:
        whole = f"{label} {text}"
        super().say(*([whole] if columns_of(whole) <= self.width else [label, text]))

    def path(self, path: str) -> str:
        return with_tilde(path)

    def read(self, prompt: str, secret: bool = False) -> str:
        if secret:
            return self._read_hidden(f"{prompt} ")
        self._after_blank = False
        sys.stdout.flush()
        self._prompt = f"{prompt} "
        try:
            return input(self._prompt).strip()
        except EOFError:
            sys.stdout.write("\n")
            raise EndOfInput from None
        finally:
            self._come_back = None

    def _note_editing(self) -> None:
        """Readline begins to read, and has made the terminal what it needs."""
        import readline
        import termios

        terminal = sys.stdin.fileno()
        while_editing = termios.tcgetattr(terminal)

        def edit_again() -> None:
            termios.tcsetattr(terminal, termios.TCSADRAIN, while_editing)
            os.write(sys.stdout.fileno(), f"{self._prompt}{readline.get_line_buffer()}".encode(errors="replace"))

        self._come_back = edit_again

    def seat(self, seat: int, text: str) -> str:
        return self._styled(text, self._seat_colours[seat])

    def worth(self, worth: str, text: str) -> str:
        return self._styled(text, self._worth_colours[worth])

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
    # A name that the terminal cannot show must not end the game, nor must a stray byte; and where
    # the locale knows ASCII alone, whatever else is typed is most likely UTF-8.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stdin, TextIOWrapper):
        encoding = "utf-8" if lookup(sys.stdin.encoding).name == "ascii" else sys.stdin.encoding
        sys.stdin.reconfigure(encoding=encoding, errors="surrogateescape")
    if not sys.stdin.isatty():
        return Console()
    console = TerminalConsole() if sys.stdout.isatty() else Console()
    signal.signal(signal.SIGTERM, _terminated)
    signal.signal(signal.SIGCONT, console.continued)
    return console


def _terminated(number: int, frame: object) -> None:
    # An exception passes those who changed the terminal, and they restore it.
    sys.exit(128 + number)


def _speaks_unicode() -> bool:
    # Where no locale is set, Python sets this one by itself, and it says nothing of the terminal.
    ours = ("LC_CTYPE", "C.UTF-8")
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((value for name in names if (value := os.environ.get(name)) and (name, value) != ours), "")
    return "utf" in locale.lower() and sys.stdout.encoding.lower().startswith("utf")
