"""How long a move takes to be answered, beside what its write to the disk costs alone.

Whole games are played through a pipe.  After every answer a file of the same size is
written in the same folder in the same way, so that both meet the same disk.  A disk that
is slow or works in beats hides what the program itself takes; so the games are played in
memory too, where the system has a folder for that.
"""

import os
import random
import subprocess
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

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


class Timed(NamedTuple):
    """The milliseconds from an answer to the next prompt, and of the bare write beside it."""

    answer: float
    write: float


def measure(rounds: int, folders: dict[str, Path]) -> list[Section]:
    """Play in folders on different kinds of disk, named for people; a section for each."""
    contestants = [(game_id, kind) for game_id in GAMES for kind in folders]
    played: dict[tuple[str, str], list[list[Timed]]] = {contestant: [] for contestant in contestants}
    for number in range(rounds):
        for game_id, kind in random.sample(contestants, len(contestants)):
            played[game_id, kind].append(_play(make_game(GAMES[game_id], {}), folders[kind], number))
    return [
        Section(
            f"Answer to a move less its bare write, {kind}",
            f"to {MOST_MILLISECONDS} ms",
            rounds,
            [_figure(GAMES[game_id].title, played[game_id, kind]) for game_id in GAMES],
        )
        for kind in folders
    ]


def _figure(title: str, games: list[list[Timed]]) -> Figure:
    """The median answer less the median write; the quartiles are those of the differences one by one."""
    timed = [one for game in games for one in game]
    answer, write = median(one.answer for one in timed), median(one.write for one in timed)
    first = median(game[0].answer - game[0].write for game in games)
    own = answer - write
    return Figure(
        name=title,
        unit="ms",
        measured=spread([one.answer - one.write for one in timed])._replace(median=own),
        ratio=own / MOST_MILLISECONDS,
        target=f"at most {MOST_MILLISECONDS} ms",
        met=own <= MOST_MILLISECONDS,
        note=f"{answer:.2f} ms, {write / answer:.0%} the write; first of a game {first:.2f}; {len(timed)} answers",
        details={
            "answers": len(timed),
            "answer": answer,
            "write": write,
            "disk_share": write / answer,
            "first_of_a_game": first,
        },
    )


def _play(game: AnyGame, folder: Path, seed: int) -> list[Timed]:
    """Play a random game; what every ply but the last takes.

    Where both players choose, the second choice is the one that is saved and timed.
    """
    chance, prompt = random.Random(seed), PROMPTS[game.id]
    saved = folder / f"{game.id}-{seed}.json"
    command = (POWERDUELS, "play", game.id, "--p1", "human:Ann", "--p2", "human:Ben", "--save", str(saved))
    timed: list[Timed] = []
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
            timed.append(Timed(1000 * answer, 1000 * _time_to_write(folder, saved.read_bytes())))


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
