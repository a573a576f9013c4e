"""Killed at any moment, a game goes on where it was: no move that was acknowledged is ever lost.

A move is acknowledged when anything that the program says after it can be read.  The game
is always Double Up counting upwards, so that the moves alone tell how far it had come.
"""

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dialogue_by_pipe import Dialogue
from driver import NONE, PATIENCE, environment, piped, terminal, typed_lines
from powerduels.games import GAMES
from powerduels.records import parse_record

PLAY = ("play", "double-up", "--set", "limit=10^18")
PROMPT = "Enter your selection:"
ACKNOWLEDGED = re.compile(r"Sequence Updated: \[[\d,\s]*?(\d+)\]")
DRAFT = re.compile(r"\.double-up-\d{8}-\d{6}\.json\.new")
BURST = 30
SHORT_GAME = 120
"""After so many moves a new game is begun, for the whole sequence is said with every move."""

Moment = Callable[[Dialogue, list[str], random.Random], None]


class Stopped(NamedTuple):
    """What a program that was stopped by a signal has left behind."""

    status: int
    said: str
    errors: str


def acknowledged(said: str) -> int:
    """How many moves the program has owned up to; the sequence starts with 1, and move 1 adds 2."""
    return max((int(number) - 1 for number in ACKNOWLEDGED.findall(said)), default=0)


def files_of(home: Path) -> list[Path]:
    return sorted(path for folder in home.rglob("powerduels/games") for path in folder.iterdir())


def moves_on_disk(home: Path) -> int:
    """How many moves the one saved game has, which must be whole; beside it only drafts may lie."""
    games = [file for file in files_of(home) if not DRAFT.fullmatch(file.name)]
    assert len(games) <= 1, games
    if not games:
        return 0
    record = parse_record(games[0].read_text(encoding="utf-8"), GAMES)
    assert record.result is None
    assert [number for (number,) in record.plies] == list(range(2, len(record.plies) + 2))
    return len(record.plies)


def command(home: Path) -> tuple[str, ...]:
    """What goes on with the saved game, or begins one; a game that has become long makes way."""
    if moves_on_disk(home) > SHORT_GAME:
        for file in files_of(home):
            file.unlink()
    return ("resume",) if any(file.suffix == ".json" for file in files_of(home)) else PLAY


def next_moves(home: Path) -> list[str]:
    known = moves_on_disk(home)
    return [str(known + 2 + number) for number in range(BURST)]


# The moments.  The pauses are where the signal is to hit; nothing has to have happened when they are over.


def while_starting(dialogue: Dialogue, moves: list[str], generator: random.Random) -> None:
    time.sleep(generator.uniform(0, 0.1))


def at_a_prompt(dialogue: Dialogue, moves: list[str], generator: random.Random) -> None:
    dialogue.hear(PROMPT)
    for move in moves[: generator.randint(1, 4)]:
        dialogue.answer(move)
        dialogue.hear(PROMPT)


def after_an_answer(dialogue: Dialogue, moves: list[str], generator: random.Random) -> None:
    dialogue.hear(PROMPT)
    dialogue.answer(moves[0])
    time.sleep(generator.choice([0, generator.uniform(0, 0.004)]))


def in_a_burst(dialogue: Dialogue, moves: list[str], generator: random.Random) -> None:
    dialogue.hear(PROMPT)
    dialogue.answer(*moves)
    time.sleep(generator.uniform(0, 0.03))


def stop(home: Path, moment: Moment, number: int, generator: random.Random) -> Stopped:
    """Go on with the game and send the program a signal at such a moment."""
    arguments = command(home)
    before, moves = moves_on_disk(home), next_moves(home)
    with Dialogue(home, *arguments) as dialogue:
        moment(dialogue, moves, generator)
        dialogue.send_signal(number)
        stopped = Stopped(dialogue.end(), dialogue.said, dialogue.errors())
    assert max(before, acknowledged(stopped.said)) <= moves_on_disk(home) <= before + len(moves)
    return stopped


def assert_it_can_go_on(home: Path) -> None:
    """The game is listed without a fault, and one more move can be played and is kept."""
    before = moves_on_disk(home)
    (listed,) = json.loads(piped(home, "games", "--json").output)["games"]
    assert listed["fault"] is None
    assert (listed["moves"], listed["finished"]) == (before, False)
    resumed = piped(home, "resume", typed=f"{before + 2}\n")
    assert resumed.status == 1
    assert f"Double Up goes on after {before} move" in resumed.output
    assert moves_on_disk(home) == before + 1
    assert f".{listed['name']}.json.new" not in {file.name for file in files_of(home)}


def test_killed_at_any_moment_a_game_in_a_pipe_loses_nothing(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    generator = random.Random(1)
    for _ in range(soak_or(20, 600)):
        moment = generator.choice([while_starting, at_a_prompt, after_an_answer, in_a_burst, in_a_burst])
        assert stop(tmp_path, moment, signal.SIGKILL, generator).status == -signal.SIGKILL
    assert_it_can_go_on(tmp_path)


def test_killed_at_any_moment_a_game_at_a_terminal_loses_nothing(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    generator = random.Random(2)
    for _ in range(soak_or(10, 300)):
        arguments = command(tmp_path)
        before, moves = moves_on_disk(tmp_path), next_moves(tmp_path)
        with terminal(tmp_path, *arguments) as window:
            for move in moves[:4]:
                window.answer(PROMPT, move)
            match generator.choice(["at once", "soon", "when the first word is said", "at a prompt"]):
                case "soon":
                    time.sleep(generator.uniform(0, 0.02))
                case "when the first word is said":
                    window.answer(PROMPT, moves[4])
                    window.expect(f" {moves[4]}]")
                case "at a prompt":
                    window.expect(PROMPT)
            window.signal(signal.SIGKILL)
            assert window.end() == -signal.SIGKILL
            said = window.raw.decode(errors="replace")
        assert max(before, acknowledged(said)) <= moves_on_disk(tmp_path) <= before + len(moves)
    assert_it_can_go_on(tmp_path)


KILLED_IN_THE_STORE = """
import os, signal, sys
from powerduels import store
from powerduels.cli import main

lines_left = int(sys.argv[1])

def count(frame, event, argument):
    global lines_left
    if frame.f_code.co_filename != store.__file__:
        return None
    if event == "line":
        lines_left -= 1
        if lines_left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return count

sys.settrace(count)
sys.exit(main(sys.argv[2:]))
"""
"""A launcher that plays, and dies when so many lines of the module that saves have run."""


def test_killed_between_any_two_steps_of_saving_a_game_loses_nothing(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    """Every moment of the first save, then of the following ones, each time with what the last death has left."""
    for folder, moves in (("first", 1), ("later", 2)):
        home = tmp_path / folder
        home.mkdir()
        lines, step, status = 0, soak_or(4, 1), -signal.SIGKILL
        while status == -signal.SIGKILL:
            if folder == "first":
                for file in files_of(home):
                    file.unlink()
            before = moves_on_disk(home)
            done = subprocess.run(
                [sys.executable, "-c", KILLED_IN_THE_STORE, str(lines), *command(home)],
                cwd=home,
                env=environment(home, NONE),
                input=typed_lines(next_moves(home)[:moves]),
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
            status = done.returncode
            assert max(before, acknowledged(done.stdout)) <= moves_on_disk(home) <= before + moves
            lines += step
        assert status == 1, done.stderr
        assert lines > 30
        assert_it_can_go_on(home)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_from_outside_a_game_loses_nothing(number: signal.Signals, tmp_path: Path) -> None:
    generator = random.Random(3)
    for moment in (at_a_prompt, after_an_answer, in_a_burst, while_starting, in_a_burst, at_a_prompt):
        assert stop(tmp_path, moment, number, generator).status == -number
    assert_it_can_go_on(tmp_path)


def test_interrupted_at_any_moment_a_game_is_saved_and_says_so(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    """Whatever Ctrl-C interrupts, the program leaves in order: no traceback, no draft, no false alarm."""
    generator = random.Random(4)
    for _ in range(soak_or(12, 400)):
        moment = generator.choice([at_a_prompt, after_an_answer, in_a_burst])
        stopped = stop(tmp_path, moment, signal.SIGINT, generator)
        assert (stopped.status, stopped.errors) == (130, "")
        (saved,) = files_of(tmp_path)
        told = rf"\nInterrupted\.\nSaved: {re.escape(str(saved))}\nGo on with: .*powerduels resume\n"
        assert re.search(rf"{told}\Z", stopped.said)
    assert_it_can_go_on(tmp_path)
