"""Known results of whole games, found independently, through the command and through Python; and what is refused."""

import json
import os
import pty
import signal
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import powerduels
from driver import NONE, PATIENCE, PROGRAM, environment, piped
from powerduels.analyse import expert, solve
from powerduels.answers import best_moves, value_word
from powerduels.solve.clash_of_powers import position_bound
from powerduels.solve.matrix import is_optimal
from powerduels.solve.stages import settle
from powerduels.solve.worth import OutOfReach, Worth

FIRST, SECOND, DRAW = "first", "second", "draw"


class Known(NamedTuple):
    """A game with options as `--set` takes them, who wins it, and the only good first moves where they are known."""

    game_id: str
    settings: str
    value: str
    best: str | None = None


def power_match() -> list[Known]:
    best = {6: "4b 5e 6b 6e", 9: "9b 9e"}
    alternating = [Known("power-match", f"pool={pool}", FIRST, best.get(pool)) for pool in range(4, 13)]
    snake = [Known("power-match", f"pool={pool} order=snake", SECOND) for pool in (4, 5, 6)]
    snake += [Known("power-match", f"pool={pool} order=snake", FIRST, f"{pool}e") for pool in range(7, 13)]
    return alternating + snake


def double_up() -> list[Known]:
    won = [2, 5, 6, *range(11, 15), *range(23, 31), 50, 100, 999, 10**18]
    lost = [3, 4, *range(7, 11), *range(15, 23), *range(31, 41), 68, 127, 128]
    lost_starts, handed_over = (2, 5, 11, 24, 49), {3: 5, 10: 11, 13: 24, 30: 49, 60: 100}
    return [
        *(Known("double-up", f"limit={limit}", FIRST, "2") for limit in won),
        *(Known("double-up", f"limit={limit}", SECOND, "2") for limit in lost),
        *(Known("double-up", f"start={start}", SECOND) for start in lost_starts),
        *(Known("double-up", f"start={start}", FIRST, str(number)) for start, number in handed_over.items()),
        Known("double-up", "limit=none", DRAW, "2"),
        Known("double-up", "start=100", SECOND, ""),
    ]


def power_up() -> list[Known]:
    return [
        Known("power-up", "", DRAW, "1 2"),
        Known("power-up", "base=4", DRAW, "1"),
        *(Known("power-up", f"base={base}", FIRST) for base in (8, 16, 64)),
        Known("power-up", "stall_limit=none", DRAW, "1 2"),
        Known("power-up", "base=4 stall_limit=none", DRAW, "1"),
        *(Known("power-up", f"base={base} stall_limit=none", FIRST) for base in (8, 16, 64)),
        Known("power-up", "exponents=2,3", FIRST, "2"),
        Known("power-up", "base=4 exponents=2,3", SECOND, "2 3"),
        Known("power-up", "stalling=once", FIRST, "1"),
        Known("power-up", "target=10^100 exponents=1,2,3,4,5,6", DRAW),
    ]


KNOWN = [*power_match(), *double_up(), *power_up()]
EVERY_RESULT = pytest.mark.parametrize("known", KNOWN, ids=lambda known: f"{known.game_id} {known.settings}")


@EVERY_RESULT
def test_known_results_by_the_command(known: Known, tmp_path: Path) -> None:
    settings = [part for setting in known.settings.split() for part in ("--set", setting)]
    done = piped(tmp_path, "solve", known.game_id, *settings, "--json")
    assert (done.status, done.errors) == (0, "")
    document = json.loads(done.output)
    assert document["value"] == known.value
    assert known.best is None or document["best"] == known.best.split()
    assert (document["plies"] is None) == (known.value == DRAW)


@EVERY_RESULT
def test_known_results_in_python(known: Known) -> None:
    game = powerduels.game(known.game_id, **dict(setting.split("=") for setting in known.settings.split()))
    analysis = solve(game).analysis
    assert isinstance(analysis.worth, Worth)
    assert value_word(analysis.worth) == known.value
    best = " ".join(
        move for choices in analysis.choices.values() for move in best_moves(game, analysis.position, choices)
    )
    assert known.best is None or best == known.best


def test_the_numbers_to_hand_over_in_double_up() -> None:
    """Up to the limit of 100, these are the numbers from which who must move loses, and no others are."""
    worths = {start: solve(powerduels.game("double-up", start=start)).analysis.worth for start in range(1, 101)}
    lost = [start for start, worth in worths.items() if isinstance(worth, Worth) and worth.winner == 1]
    assert lost == [2, 5, 11, 24, 49, 100]


def test_an_even_mix_is_optimal_in_clash_of_powers(tmp_path: Path) -> None:
    even = dict.fromkeys(("1", "2", "4", "8", "16"), "1/5")
    document = json.loads(piped(tmp_path, "solve", "clash", "--json").output)
    assert (document["value"], document["best"], document["plies"]) == ("0", None, None)
    assert document["strategies"] == [even, even]


def test_two_mixes_are_optimal_with_four_powers_and_the_one_that_is_told_is_one_too() -> None:
    game = powerduels.game("clash-of-powers", powers="1,2,4,8")
    settled = settle(game)
    payoffs, (value, rows, columns) = settled.payoffs(game.initial()), settled.solution(game.initial())
    quarter = Fraction(1, 4)
    assert value == 0
    for mix in ((quarter,) * 4, (Fraction(0), Fraction(3, 8), Fraction(1, 8), Fraction(1, 2)), rows):
        assert is_optimal(payoffs, value, mix, columns)


def test_only_4_8_and_16_are_played_in_the_tiebreak(tmp_path: Path) -> None:
    document = json.loads(piped(tmp_path, "analyse", "clash", "--moves", "1/1 2/2 4/4 8/8 16/16", "--json").output)
    assert document["turn"] == [1, 2]
    for seat in ("1", "2"):
        weights = {one["move"]: one["weight"] for one in document["seats"][seat]}
        values = {one["move"]: one["value"] for one in document["seats"][seat]}
        assert weights == {"1": "0", "2": "0", "4": "1/3", "8": "1/3", "16": "1/3"}
        assert values == {"1": "-1", "2": "-1/3", "4": "0", "8": "0", "16": "0"}


def test_before_the_tiebreak_nobody_can_make_a_mistake(tmp_path: Path) -> None:
    """While three of five duels are needed, all choices are worth the same against an even mix."""
    for moves in ("", "8/4", "8/4 4/16 2/2"):
        document = json.loads(piped(tmp_path, "analyse", "clash", "--moves", moves, "--json").output)
        for seat in document["seats"].values():
            assert len({one["value"] for one in seat}) == 1, moves


@pytest.mark.parametrize("duels_to_win", range(1, 6))
@pytest.mark.parametrize("powers", ["1,2", "1,2,3", "1,2,4,8", "3,5,6,10,12", "1,2,4,8,16", "1,2,3,4,5,6"])
@pytest.mark.parametrize("tiebreak", ["single", "repeat", "none"])
def test_no_clash_has_more_positions_than_are_reckoned_with(powers: str, duels_to_win: int, tiebreak: str) -> None:
    duels = min(duels_to_win, powers.count(",") + 1)
    game = powerduels.game("clash-of-powers", powers=powers, duels_to_win=duels, tiebreak=tiebreak)
    positions = len(settle(game))
    assert positions <= position_bound(game) <= 3 * positions + 10


@pytest.mark.parametrize(
    ("settings", "reachable"), [("", "1,794,283"), ("tiebreak=none", "1,794,283"), ("duels_to_win=10", "3,203,504")]
)
def test_what_is_out_of_reach_is_refused_with_its_size(settings: str, reachable: str, tmp_path: Path) -> None:
    powers = ",".join(str(2**power) for power in range(10))
    options = [part for setting in [f"powers={powers}", *settings.split()] for part in ("--set", setting)]
    for command in ("solve", "analyse"):
        done = piped(tmp_path, command, "clash", *options, "--json")
        assert (done.status, done.output) == (1, "")
        assert f"Up to {reachable} positions can be reached here" in done.errors
        assert "settled are at most 1,000,000" in done.errors
        assert "GiB" in done.errors


def test_what_is_out_of_reach_is_refused_before_any_work() -> None:
    told = []
    with pytest.raises(OutOfReach):
        expert(
            powerduels.game("clash-of-powers", powers=",".join(map(str, range(1, 11)))),
            lambda found, settled: told.append((found, settled)),
        )
    assert told == []


@pytest.mark.parametrize("powers", [8, 9])
def test_what_is_within_reach_is_not_refused(powers: int) -> None:
    game = powerduels.game("clash-of-powers", powers=",".join(map(str, range(1, powers + 1))), duels_to_win=powers)
    assert position_bound(game) < 1_000_000


def read_to_end(source: int) -> bytes:
    """All that is still to come from a terminal; Linux reports its end as an error."""
    read = b""
    while True:
        try:
            piece = os.read(source, 4096)
        except OSError:
            return read
        if not piece:
            return read
        read += piece


def start_long_work(home: Path, stderr: int) -> subprocess.Popen[bytes]:
    powers = ",".join(str(2**power) for power in range(9))
    command = (*PROGRAM, "solve", "clash", "--set", f"powers={powers}", "--json")
    return subprocess.Popen(command, cwd=home, env=environment(home, NONE), stdout=subprocess.PIPE, stderr=stderr)


def test_progress_is_told_on_a_terminal_and_an_interruption_ends_it_cleanly(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with start_long_work(tmp_path, theirs) as program:
        os.close(theirs)
        try:
            seen = b""
            while b"positions found" not in seen:
                seen += os.read(ours, 4096)
            program.send_signal(signal.SIGINT)
            seen += read_to_end(ours)
            output, _ = program.communicate(timeout=PATIENCE)
        finally:
            program.kill()
            os.close(ours)
    assert (program.returncode, output) == (130, b"")
    # The line of progress is wiped out before the word about the interruption.
    assert seen.endswith(b"\r\x1b[Kpowerduels: Interrupted.\r\n")
    assert b"Traceback" not in seen


def test_progress_is_told_nowhere_else(tmp_path: Path) -> None:
    powers = ",".join(str(2**power) for power in range(7))
    done = piped(tmp_path, "solve", "clash", "--set", f"powers={powers}")
    assert (done.status, done.errors) == (0, "")
    assert "positions settled" in done.output
    assert "found" not in done.output


def test_results_in_python_need_no_terminal_and_count_what_was_settled() -> None:
    found: list[Any] = []
    solved = solve(powerduels.game("clash-of-powers"), lambda *counts: found.append(counts))
    assert solved.positions == 943
    assert found[-1] == (943, 943)
    assert solved.seconds > 0
