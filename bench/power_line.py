"""How long the Power Line search takes: to prove a whole game, and to answer while somebody waits."""

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from measuring import POWERDUELS, CannotMeasure, Figure, Section, environment, spread
from powerduels.analyse import TurnExpert
from powerduels.bots.computer import Computer
from powerduels.core import AnyGame
from powerduels.games.power_line import PowerLine
from powerduels.match import View
from powerduels.text import make_game

PROOFS: dict[str, tuple[tuple[str, ...], float]] = {
    "default": ((), 600),
    "takeover": (("--preset", "takeover"), 30),
}
"""What is proven from nothing, with the seconds it may take."""
QUICK_PROOFS: dict[str, tuple[tuple[str, ...], float]] = {
    "energy 8": (("--set", "energy=8"), 30),
}
MOST_GIBIBYTES = 6

ANSWER_SECONDS, ANALYSIS_SECONDS = 2, 10
FIRST_ANALYSED_PLY = 8


def measure(games: int, home: Path, quick: bool) -> Iterator[Section]:
    proofs = [*_proofs(QUICK_PROOFS if quick else PROOFS, home)]
    yield Section("Power Line, proven from nothing", "the target", 1, proofs)
    yield Section("Power Line, while somebody waits", "the target", games, [*_answers(games), *_analyses(games)])


def _proofs(proofs: dict[str, tuple[tuple[str, ...], float]], home: Path) -> Iterator[Figure]:
    for name, (options, seconds) in proofs.items():
        # A folder of its own for each, for what was proven once is kept.
        folder = home / name.replace(" ", "-")
        start = time.perf_counter()
        done = subprocess.Popen(
            (POWERDUELS, "solve", "power-line", "--json", *options), stdout=subprocess.PIPE, env=environment(folder)
        )
        output = done.stdout.read() if done.stdout else b""
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
        taken = time.perf_counter() - start
        if done.returncode:
            raise CannotMeasure(f"powerduels solve power-line {' '.join(options)} has failed.")
        positions = json.loads(output)["positions"]
        gibibytes = usage.ru_maxrss / 2**20
        ratio = max(taken / seconds, gibibytes / MOST_GIBIBYTES)
        yield Figure(
            name,
            "s",
            spread([taken]),
            ratio,
            f"at most {seconds:g} s and {MOST_GIBIBYTES} GiB",
            ratio <= 1,
            f"{positions:,} positions, {gibibytes:.1f} GiB, {usage.ru_utime:.0f} s of processor time",
            {"positions": positions, "gibibytes": gibibytes},
        )


def _answers(games: int) -> Iterator[Figure]:
    """The perfect player against one that plays cheap moves at random, which keeps games long."""
    for preset in (None, "takeover"):
        game = make_game(PowerLine, {}, preset)
        for seat in (0, 1):
            times: list[float] = []
            for seed in range(games):
                times += _answer_times(game, seat, random.Random(seed))
            yield _slowest(f"{preset or 'default'}, computer:5 as player {seat + 1}", times, ANSWER_SECONDS)


def _answer_times(game: AnyGame, seat: int, chance: random.Random) -> Iterator[float]:
    computer = Computer(5, str(chance.random()))
    positions, plies = [game.initial()], list[Any]()
    while positions[-1].turn is not None:
        if positions[-1].turn == seat:
            start = time.perf_counter()
            move = computer.choose(View(game, tuple(positions), tuple(plies), seat))
            yield time.perf_counter() - start
        else:
            move = _cheap_move(game, positions[-1], chance)
        plies.append((move,))
        positions.append(game.apply(positions[-1], (move,)))


def _analyses(games: int) -> Iterator[Figure]:
    game = make_game(PowerLine, {})
    times = []
    for seed in range(games):
        chance, position, ply = random.Random(seed), game.initial(), 0
        expert = TurnExpert(game)
        while position.turn is not None:
            if ply >= FIRST_ANALYSED_PLY:
                start = time.perf_counter()
                expert.analyse(position)
                times.append(time.perf_counter() - start)
            position = game.apply(position, (_cheap_move(game, position, chance),))
            ply += 1
    yield _slowest("default, every move analysed from ply 8 on", times, ANALYSIS_SECONDS)


def _cheap_move(game: AnyGame, position: Any, chance: random.Random) -> Any:
    moves = game.legal(position, position.turn)
    return chance.choice([move for move in moves if (move.level or 2) <= 2] or moves)


def _slowest(name: str, times: Sequence[float], target: float) -> Figure:
    """The 99th percentile, beside the median and the slowest."""
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    told = f"99th percentile of {len(ordered)}; median {ordered[len(ordered) // 2]:.3f}, slowest {ordered[-1]:.2f} s"
    return Figure(name, "s", spread([late]), late / target, f"at most {target:g} s", late <= target, told)
