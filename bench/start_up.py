"""How long the program takes to start, against the bare interpreter."""

import os
import pty
import random
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from measuring import POWERDUELS, CannotMeasure, Figure, Section, read_until, spread, started

BARE = "python -c pass"
PROMPT = b"(1, 2, or 3):"
PLAY = (POWERDUELS, "play", "power-up")
SCREEN = (24, 80)


def measure(rounds: int, home: Path) -> Section:
    contestants: dict[str, tuple[Callable[[], float], float | None]] = {
        BARE: (lambda: _time_to_end((sys.executable, "-c", "pass"), home), None),
        "powerduels --version": (lambda: _time_to_end((POWERDUELS, "--version"), home), 2),
        "first prompt, piped": (lambda: _time_to_prompt_in_pipe(home), 3),
        "first prompt, on a terminal": (lambda: _time_to_prompt_on_terminal(home), 6),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    # The first round only fills the caches of the disk.
    for number in range(rounds + 1):
        for name in random.sample(list(contestants), len(contestants)):
            taken = contestants[name][0]()
            if number:
                seconds[name].append(taken)

    figures = []
    for name, (_, most) in contestants.items():
        ratios = spread([taken / bare for taken, bare in zip(seconds[name], seconds[BARE], strict=True)])
        figures.append(
            Figure(
                name=name,
                unit="ms",
                measured=spread([1000 * taken for taken in seconds[name]]),
                ratio=ratios.median,
                target=None if most is None else f"at most {most:g} times",
                met=None if most is None else ratios.median <= most,
                note="" if most is None else f"ratio {ratios.low:.2f} to {ratios.high:.2f}",
                details={"ratio_low": ratios.low, "ratio_high": ratios.high},
            )
        )
    return Section("Start of the program", f"to {BARE} in the same round", rounds, figures)


def _time_to_end(command: tuple[str, ...], home: Path) -> float:
    with started(command, home, subprocess.DEVNULL, subprocess.DEVNULL) as (program, begin):
        status = program.wait()
        taken = time.perf_counter() - begin
    if status:
        raise CannotMeasure(f"{' '.join(command)} ends with status {status}.")
    return taken


def _time_to_prompt_in_pipe(home: Path) -> float:
    with started(PLAY, home, subprocess.PIPE, subprocess.PIPE) as (program, begin):
        assert program.stdout
        return read_until(program.stdout.fileno(), PROMPT) - begin


def _time_to_prompt_on_terminal(home: Path) -> float:
    ours, theirs = map(os.fdopen, pty.openpty(), ("rb", "wb"), (0, 0))
    with ours, theirs:
        termios.tcsetwinsize(theirs, SCREEN)
        with started(PLAY, home, theirs, theirs) as (_, begin):
            # Only when nobody else holds the terminal open does its end show that the program is gone.
            theirs.close()
            return read_until(ours.fileno(), PROMPT) - begin
