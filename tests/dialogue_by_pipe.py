"""A running program that is played through a pipe, an answer at a time.

What it says is read as it comes, so that a test can act between two prompts, or kill the
program and still know what it had said.
"""

import os
import selectors
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from driver import NONE, PATIENCE, PROGRAM, environment


class Dialogue:
    """One running program with its three streams."""

    def __init__(self, home: Path, *arguments: str, through: Sequence[str] = ()) -> None:
        """`through` is a command that starts the program, like `nice`."""
        self.said = ""
        self._process = subprocess.Popen(
            [*through, *PROGRAM, *arguments],
            cwd=home,
            env=environment(home, NONE),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        assert self._process.stdout is not None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    @property
    def process_id(self) -> int:
        return self._process.pid

    def answer(self, *lines: str) -> None:
        """Type these lines, whatever the program does meanwhile."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def hear(self, prompt: str) -> str:
        """Read on until the program has said this and waits; returns all that it has said since the last time."""
        heard = len(self.said)
        while not self.said.endswith(prompt) or len(self.said) == heard:
            assert self._read(), f"It ended without {prompt!r}:\n{self.said}\n{self.errors()}"
        return self.said[heard:]

    def errors(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read().decode()

    def send_signal(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> int:
        """Let the input end and read on until the program has; its exit status, or minus the signal that ended it."""
        assert self._process.stdin is not None
        if not self._process.stdin.closed:
            self._process.stdin.close()
        while self._read():
            pass
        return self._process.wait(PATIENCE)

    def __enter__(self) -> "Dialogue":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave nothing behind."""
        self._process.kill()
        self._process.wait()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _read(self) -> bool:
        """Take in what was said since; False once the program says no more."""
        assert self._process.stdout is not None
        assert self._selector.select(PATIENCE), f"The program hangs:\n{self.said}"
        received = os.read(self._process.stdout.fileno(), 2**16)
        self.said += received.decode()
        return bool(received)
