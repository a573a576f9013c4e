"""How long a move takes to be answered, beside what its write to the disk costs alone.

Whole games are played through a pipe.  After every answer a file of the same size is
written in the same folder in the same way, so that both meet the same disk.
"""

import os
import random
import subprocess
import time
from pathlib import Path
from typing import Any

from measuring import POWERDUELS, Figure, Section, read_until, spread, started
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.text import format_ply, make_game

PROMPTS = {
    "clash-of-powers": b"Select a power to play in this duel:",
    "power-match": b"Choose a number from the pool:",
    "double-up": b"Enter your selection:",
    "power-line": b"Enter choice (1 or 2):",
    "power-up": b"Choose an exponent (1, 2, or 3):",
}
MOST_MILLISECONDS = 2


def measure(rounds: int, folder: Path) -> Section:
    answers: dict[str, list[float]] = {game_id: [] for game_id in GAMES}
    writes: dict[str, list[float]] = {game_id: [] for game_id in GAMES}
    for number in range(rounds):
        for game_id in random.sample(list(GAMES), len(GAMES)):
            for answer, write in _play(make_game(GAMES[game_id], {}), folder, number):
                answers[game_id].append(1000 * answer)
                writes[game_id].append(1000 * write)
    figures = [_figure(GAMES[game_id].title, answers[game_id], writes[game_id]) for game_id in GAMES]
    return Section("Answer to a move, its write to the disk taken off", f"to {MOST_MILLISECONDS} ms", rounds, figures)


def _figure(title: str, answers: list[float], writes: list[float]) -> Figure:
    answer, write = spread(answers), spread(writes)
    differences = spread([taken - bare for taken, bare in zip(answers, writes, strict=True)])
    own = answer.median - write.median
    share = write.median / answer.median
    return Figure(
        name=title,
        unit="ms",
        measured=differences._replace(median=own),
        ratio=own / MOST_MILLISECONDS,
        target=f"at most {MOST_MILLISECONDS} ms",
        met=own <= MOST_MILLISECONDS,
        note=f"{len(answers)} answers in {answer.median:.2f} ms, of it the write {write.median:.2f} ms ({share:.0%})",
        details={"answers": len(answers), "answer": answer.median, "write": write.median, "disk_share": share},
    )


def _play(game: AnyGame, folder: Path, seed: int) -> list[tuple[float, float]]:
    """For each ply of a random game but the last: the seconds to the next prompt, and of the write alone.

    Where both players choose, the second choice is the one that is saved and timed.
    """
    chance, prompt = random.Random(seed), PROMPTS[game.id]
    saved = folder / f"{game.id}-{seed}.json"
    command = (POWERDUELS, "play", game.id, "--p1", "human:Ann", "--p2", "human:Ben", "--save", str(saved))
    timed = []
    with started(command, folder, subprocess.PIPE, subprocess.PIPE) as (program, _):
        assert program.stdin
        assert program.stdout
        read_until(program.stdout.fileno(), prompt)
        position = game.initial()
        while True:
            ply: tuple[Any, ...] = tuple(
                chance.choice(game.legal(position, player)) for player in game.actors(position)
            )
            position = game.apply(position, ply)
            if not game.actors(position):
                return timed
            for move in ply:
                begin = time.perf_counter()
                os.write(program.stdin.fileno(), f"{format_ply(game, (move,))}\n".encode())
                answer = read_until(program.stdout.fileno(), prompt) - begin
            timed.append((answer, _time_to_write(folder, saved.read_bytes())))


def _time_to_write(folder: Path, content: bytes) -> float:
    """What it costs to replace a file so that it is on the disk: write, flush, rename, flush the folder."""
    path, draft = str(folder / "bare"), str(folder / "bare.new")
    begin = time.perf_counter()
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(descriptor, content)
    os.fsync(descriptor)
    os.close(descriptor)
    os.replace(draft, path)
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    return time.perf_counter() - begin
