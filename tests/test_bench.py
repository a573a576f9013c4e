"""The benchmarks: every target gets its figure, and what cannot be measured is said; nothing depends on the time."""

import json
import math
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

import powerduels
from powerduels.games import GAMES
from powerduels.solve.stages import settle

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench" / "run.py"

TITLES = [game_class.title for game_class in GAMES.values()]
ANSWERS = "Answer to a move less its bare write, on the disk"
STARTS = {
    "powerduels --version": "at most 2 times",
    "first prompt, piped": "at most 3 times",
    "first prompt, on a terminal": "at most 6 times",
}
TARGETS = {
    "Start of the program": STARTS,
    ANSWERS: dict.fromkeys(TITLES, "at most 2 ms"),
    "Random moves a second by the rules alone": {
        "Power Match": "at least 250,000/s",
        "Power Line": "at least 100,000/s",
    },
    "Power Line, proven from nothing": {"energy 8": "at most 30 s and 6 GiB"},
    "Power Line, while somebody waits": {
        "default, computer:5 as player 1": "at most 2 s",
        "default, computer:5 as player 2": "at most 2 s",
        "takeover, computer:5 as player 1": "at most 2 s",
        "takeover, computer:5 as player 2": "at most 2 s",
        "default, every move analysed from ply 8 on": "at most 10 s",
    },
    "Solve, from start to end": {
        "Clash of Powers": "at most 8 times",
        "Power Match": "at most 8 times",
        "Double Up": "at most 8 times",
        "Power Up": "at most 8 times",
    },
    "Exact results, after the start of the program": {
        "Clash of Powers": "at most 30 ms",
        "Clash of Powers, 7 powers": "at most 5 s",
        "Clash of Powers, 8 powers": "at most 40 s",
        "Power Match, pool of 99": "at most 10 s",
        "Double Up to 10^18": "at most 10 ms",
        "Power Up to 10^100": "at most 10 ms",
    },
    "Exact results beside other ways": {"Clash of Powers, 6 powers": "at most 1/8 of Fraction"},
}


def bench(*arguments: str, python: Path | str = sys.executable, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), str(BENCH), "--quick", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """What a quick run prints, and the figures it writes."""
    file = tmp_path_factory.mktemp("bench") / "figures.json"
    done = bench("--json", str(file), OPENSPIEL_PYTHON="")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, json.loads(file.read_text(encoding="utf-8"))


def figures_of(report: dict[str, Any], title: str) -> dict[str, dict[str, Any]]:
    (section,) = (section for section in report["sections"] if section["title"] == title)
    assert section["rounds"] > 0
    return {figure["name"]: figure for figure in section["figures"]}


@pytest.mark.parametrize("title", TARGETS)
def test_every_target_has_a_figure(quick_run: tuple[str, dict[str, Any]], title: str) -> None:
    found = {name: figure for name, figure in figures_of(quick_run[1], title).items() if figure["target"]}
    assert {name: figure["target"] for name, figure in found.items()} == TARGETS[title]
    for figure in found.values():
        assert math.isfinite(figure["ratio"])
        assert all(math.isfinite(value) for value in (*figure["measured"].values(), *figure["details"].values()))


def test_a_target_is_met_exactly_when_its_ratio_says_so(quick_run: tuple[str, dict[str, Any]]) -> None:
    _, report = quick_run
    for section in report["sections"]:
        for figure in section["figures"]:
            words = (figure["target"] or "").split()
            if not words:
                assert figure["met"] is None
            elif words[-1] == "times":
                assert figure["met"] == (figure["ratio"] <= int(words[2]))
            else:
                assert figure["met"] == (figure["ratio"] <= 1 if words[1] == "most" else figure["ratio"] >= 1)


def test_starts_are_compared_with_the_bare_interpreter(quick_run: tuple[str, dict[str, Any]]) -> None:
    figures = figures_of(quick_run[1], "Start of the program")
    assert figures["python -c pass"]["ratio"] == 1
    for name in STARTS:
        assert figures[name]["measured"]["median"] > 0
        assert figures[name]["details"]["ratio_low"] <= figures[name]["ratio"] <= figures[name]["details"]["ratio_high"]


def test_answers_are_what_is_left_without_the_write(quick_run: tuple[str, dict[str, Any]]) -> None:
    for figure in figures_of(quick_run[1], ANSWERS).values():
        details = figure["details"]
        assert details["answers"] > 0
        assert details["write"] > 0
        assert figure["measured"]["median"] == pytest.approx(details["answer"] - details["write"])
        assert details["disk_share"] == pytest.approx(details["write"] / details["answer"])


def test_every_game_is_played_by_the_rules_alone(quick_run: tuple[str, dict[str, Any]]) -> None:
    """Choices of both players are counted apart from the duels they make."""
    figures = figures_of(quick_run[1], "Random moves a second by the rules alone")
    played = {name.partition(",")[0] for name in figures}
    assert played == set(TITLES)
    assert all(figure["measured"]["median"] > 0 for figure in figures.values())
    duels, choices = (figures[f"Clash of Powers, {what}"]["measured"]["median"] for what in ("duels", "choices"))
    assert choices == pytest.approx(2 * duels)


def test_the_output_says_under_which_conditions_and_shows_every_figure(quick_run: tuple[str, dict[str, Any]]) -> None:
    output, report = quick_run
    assert sys.executable in report["conditions"]["Interpreter"]
    for what, value in report["conditions"].items():
        assert f"{what} " in output
        assert value in output
    for section in report["sections"]:
        _, _, table = output.partition(f"{section['title']} ({section['rounds']} rounds;")
        lines = table.partition("\n\n")[0].splitlines()[2:]
        for figure, line in zip(section["figures"], lines, strict=True):
            assert line.startswith(f"  {figure['name']} ")
            assert (figure["target"] or "") in line
            assert {True: "  met", False: "  MISSED", None: ""}[figure["met"]] in line


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        (None, "does not start: No such file or directory."),
        ("#!/bin/sh\necho 'Choose (1, 2, or 3):'; exit 3\n", "ends with status 3."),
        (
            "#!/bin/sh\n[ $1 = --version ] || echo Welcome\n",
            "The prompt '(1, 2, or 3):' did not come; instead: 'Welcome",
        ),
    ],
    ids=["missing", "failing", "silent"],
)
def test_a_program_that_cannot_be_measured_is_a_failure(tmp_path: Path, program: str | None, complaint: str) -> None:
    """In an environment of its own, whose command is not there or not the program at all."""
    venv.create(tmp_path, symlinks=True)
    command = tmp_path / "bin" / "powerduels"
    if program:
        command.write_text(program, encoding="utf-8")
        command.chmod(0o755)
    figures = tmp_path / "figures.json"
    done = bench("--json", str(figures), python=tmp_path / "bin" / "python", PYTHONPATH=str(ROOT / "src"))
    assert done.returncode == 1
    (error,) = done.stderr.splitlines()
    assert error.startswith("bench: ")
    assert complaint in error
    assert not figures.exists()


def test_another_interpreter_that_cannot_do_it_is_a_failure(tmp_path: Path) -> None:
    done = bench(OPENSPIEL_PYTHON=str(tmp_path / "missing"))
    assert done.returncode == 1
    assert done.stderr.startswith("bench: ")
    assert str(tmp_path / "missing") in done.stderr


def test_plain_elimination_finds_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared does the same work."""
    monkeypatch.syspath_prepend(str(BENCH.parent))
    import solving

    for options in ({}, {"duels_to_win": 2}, {"exact_double": "false", "tiebreak": "none"}):
        game = powerduels.game("clash-of-powers", powers="1,2,4,8", **options)
        settled = settle(game)
        assert solving.settle_by_fractions(game) == {position: settled.value(position) for position in settled}
