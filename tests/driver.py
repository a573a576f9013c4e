"""Runs the real program the way people do: through a pipe, and at a terminal with a screen.

Nothing here waits for a time to pass: a terminal is read until what is waited for stands
there, or the program has ended.
"""

import io
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import pexpect
import pyte

CTRL_C, CTRL_D, CTRL_Z = "\x03", "\x04", "\x1a"
PROGRAM = (sys.executable, "-m", "powerduels")
THROUGH_CAT = ("sh", "-c", '"$@" | cat', "sh", *PROGRAM)
PATIENCE = 20
"""Seconds after which a program that says nothing more counts as hanging."""
ROWS = 50
WIDE = 2000
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
PATH_ALONE = re.compile(r"~?(/[^/ ]+)+\.json")
SAVED_GAME = re.compile(r"\S*/powerduels/games/([a-z-]+)-\d{8}-\d{6}(-\d+)?(?=\.json)")


Variables = Mapping[str, str | None]
NONE: Variables = MappingProxyType({})


def environment(home: Path, variables: Variables) -> dict[str, str]:
    """All that the program sees of its surroundings; a variable that is None is not there at all."""
    usual = {
        # The command by its name is this very program.
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        # The key bindings of whoever runs the tests are not the program's.
        "INPUTRC": os.devnull,
    }
    return {name: value for name, value in {**usual, **variables}.items() if value is not None}


class Finished(NamedTuple):
    """What a program that read from a pipe has left behind."""

    status: int
    output: str
    errors: str


def piped(home: Path, *arguments: str, typed: str | bytes = "", variables: Variables = NONE) -> Finished:
    """Run the program with these bytes as its whole input."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        cwd=home,
        env=environment(home, variables),
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def typed_lines(answers: Sequence[str]) -> str:
    """The input in which each answer is a line."""
    return "".join(f"{answer}\n" for answer in answers)


def without_places(output: str) -> str:
    """The output with the folder and the moment left out of the names of saved games."""
    return SAVED_GAME.sub(r"GAMES/\1-DATE-TIME", output)


def saved_records(home: Path) -> list[dict[str, Any]]:
    """The records in the games folder of this home, wherever the platform keeps it."""
    files = (path for path in home.rglob("powerduels/games/*.json") if not path.name.startswith("."))
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(files)]


def saved_record(home: Path) -> dict[str, Any]:
    """The one record in the games folder of this home."""
    (record,) = saved_records(home)
    return record


class Terminal:
    """The program at a terminal of its own."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        columns: int = 80,
        variables: Variables = NONE,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self.columns = columns
        self._received = io.BytesIO()
        command, *first = program
        child = pexpect.spawn(
            command,
            [*first, *arguments],
            cwd=str(home),
            env=environment(home, variables),
            dimensions=(ROWS, columns),
            timeout=PATIENCE,
        )
        self._child = cast(Any, child)
        self._child.logfile_read = self._received
        self._child.delaybeforesend = None
        self._child.ptyproc.delayafterclose = self._child.ptyproc.delayafterterminate = 0

    @property
    def raw(self) -> bytes:
        """All bytes received so far."""
        return self._received.getvalue()

    @property
    def text(self) -> str:
        """All that was received, without escape sequences."""
        return "\n".join(text for text, _ in self._emitted(0))

    def expect(self, text: str) -> None:
        """Read on until this text stands there."""
        self._child.expect_exact(text.encode())

    def expect_prompt(self, beginning: str) -> None:
        """Read on until a whole prompt that begins like this stands there, and the program waits for an answer."""
        self._child.expect(re.escape(beginning.rstrip(":").encode()) + rb"[^\n]*?[:?] ")

    def press(self, keys: str) -> None:
        """Send keys without an Enter."""
        if CTRL_C in keys:
            self._await_sleep()
        self._child.send(keys)

    def type(self, line: str) -> None:
        self.press(f"{line}\r")

    def answer(self, prompt: str, line: str) -> None:
        """Wait for a prompt and answer it."""
        self.expect_prompt(prompt)
        self.type(line)

    def resize(self, columns: int) -> int:
        """Change the width of the window; returns where in the received bytes that was."""
        self.columns = columns
        self._child.setwinsize(ROWS, columns)
        return len(self.raw)

    def signal(self, number: int) -> None:
        self._await_sleep()
        self._child.kill(number)

    def _await_sleep(self) -> None:
        """Go on when the program waits for input.

        Between its prompt and its waiting lies an instant in which Python notes a signal but
        deals with it only after the next key.
        """
        deadline = time.monotonic() + PATIENCE
        while _state_of(self._child.pid) == "R":
            assert time.monotonic() < deadline, "The program neither waits nor ends."

    def hang_up(self) -> None:
        """Close the window with the program in it, and wait until the program has ended."""
        self._child.ptyproc.fileobj.close()
        self._child.ptyproc.closed = self._child.closed = True
        self._child.ptyproc.wait()

    def end(self) -> int:
        """Read on until the program has ended; its exit status, or minus the signal that ended it."""
        self._child.expect(pexpect.EOF)
        self._child.wait()
        status, killer = self._child.exitstatus, self._child.signalstatus
        return -killer if status is None and killer is not None else int(status or 0)

    def close(self) -> None:
        """Make an end of the program, however it stands with it."""
        if not self._child.closed:
            self._child.kill(signal.SIGKILL)
            self.hang_up()

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed by itself."""
        return bool(self._flags() & termios.ECHO)

    @property
    def is_sane(self) -> bool:
        """Whether the terminal is as a shell expects it: it echoes, edits lines, and knows Ctrl-C."""
        wanted = termios.ECHO | termios.ICANON | termios.ISIG
        return self._flags() & wanted == wanted

    def _flags(self) -> int:
        flags: int = termios.tcgetattr(self._child.child_fd)[3]
        return flags

    def screen(self) -> list[str]:
        """What the window shows now, its empty end aside."""
        screen = pyte.Screen(self.columns, ROWS)
        pyte.ByteStream(screen).feed(self.raw)
        lines = [line.rstrip() for line in screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def too_long(self, since: int = 0) -> list[str]:
        """The lines that would not fit the window, among those received since; a path alone in its line may be long."""
        long = [text for text, width in self._emitted(since) if width > self.columns]
        return [text for text in long if not PATH_ALONE.fullmatch(text)]

    def _emitted(self, since: int) -> Iterator[tuple[str, int]]:
        """Each line as the program meant it, with the columns it takes: on a window that is never too narrow."""
        received = self.raw[since:]
        screen = pyte.Screen(WIDE, received.count(b"\n") + 1)
        pyte.ByteStream(screen).feed(received)
        for row in range(screen.cursor.y + 1):
            cells = screen.buffer[row]
            width = max((column + 1 for column, cell in cells.items() if cell.data.strip()), default=0)
            yield "".join(cells[column].data for column in range(width)), width


def _state_of(process: int) -> str:
    """What a process does, in a letter; R is running."""
    status = Path(f"/proc/{process}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0]
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return shown.stdout.strip()[:1]


@contextmanager
def terminal(
    home: Path,
    *arguments: str,
    columns: int = 80,
    variables: Variables = NONE,
    program: Sequence[str] = PROGRAM,
) -> Iterator[Terminal]:
    """The program, or another one that starts it, at a terminal of its own, which is closed in the end."""
    opened = Terminal(home, *arguments, columns=columns, variables=variables, program=program)
    try:
        yield opened
    finally:
        opened.close()
