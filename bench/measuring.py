"""What every measurement shares: figures with their spread and target, and programs that answer."""

import os
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

POWERDUELS = str(Path(sys.executable).with_name("powerduels"))
"""The command that is installed beside the interpreter that runs the benchmarks."""

LONGEST_WAIT = 60
"""Seconds after which a program that says nothing is given up."""

Stream = int | IO[Any]


class CannotMeasure(Exception):
    """Something did not run as it must, so that no figure would mean anything."""


class Spread(NamedTuple):
    """The median of what was measured, and the quartiles around it."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


class Figure(NamedTuple):
    """Something measured, and its ratio to what it is compared with."""

    name: str
    unit: str
    measured: Spread
    ratio: float | None = None
    target: str | None = None
    """The target in words, None where there is none."""
    met: bool | None = None
    note: str = ""
    details: dict[str, float] = {}
    """What else was measured on the way, for the JSON file."""


class Section(NamedTuple):
    """Figures that were measured side by side."""

    title: str
    compared: str
    """What the ratio of each figure is a ratio to."""
    rounds: int
    figures: list[Figure]


def environment(home: Path) -> dict[str, str]:
    """Everyday surroundings for a program: no settings for Python, an ordinary terminal, a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "LC_"))}
    return kept | {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
    }


@contextmanager
def started(
    command: Sequence[str], home: Path, stdin: Stream, stdout: Stream
) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """A program in a session of its own with the moment of its start; it is gone afterwards."""
    surroundings = environment(home)
    begin = time.perf_counter()
    try:
        program = subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, env=surroundings, start_new_session=True
        )
    except OSError as error:
        raise CannotMeasure(f"{command[0]} does not start: {error.strerror}.") from None
    with program:
        try:
            yield program, begin
        finally:
            program.kill()


def read_until(source: int, prompt: bytes) -> float:
    """Read until the prompt has come; the moment when it had."""
    read = b""
    while prompt not in read:
        ready, _, _ = select.select([source], [], [], LONGEST_WAIT)
        try:
            piece = os.read(source, 65536) if ready else b""
        except OSError:
            # So Linux reports the end of a pseudo-terminal.
            piece = b""
        if not piece:
            said = read[-200:].decode(errors="replace")
            raise CannotMeasure(f"The prompt {prompt.decode()!r} did not come; instead: {said!r}")
        read += piece
    return time.perf_counter()
