"""Measure how fast the program starts, answers and plays, and hold the figures against their targets.

Figures that are compared are taken in turn, in rounds of random order; shown are the
median and the quartiles.  A target that is missed is marked and nothing else: the exit
status is 1 only where something cannot be measured at all.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import answers
import power_line
import powerduels
import random_games
import solving
import start_up
from measuring import CannotMeasure, Figure, Section, environment

ON_DISK = Path(__file__).resolve().parent.parent / "build"
IN_MEMORY = Path("/dev/shm")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that everything can be measured")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to this file as well")
    options = parser.parse_args(arguments)
    try:
        report = _measure(options.quick)
        if options.json:
            options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    except (CannotMeasure, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


def _measure(quick: bool) -> dict[str, Any]:
    """Measure and print everything; returns the figures for the JSON file."""
    with ExitStack() as folders:
        ON_DISK.mkdir(exist_ok=True)
        home = Path(folders.enter_context(TemporaryDirectory(dir=ON_DISK)))
        places = {"on the disk": home}
        if os.access(IN_MEMORY, os.W_OK):
            places["in memory"] = Path(folders.enter_context(TemporaryDirectory(dir=IN_MEMORY)))
        _compile(home)
        conditions = _conditions()
        for what, value in conditions.items():
            print(f"{what:<12} {value}")
        sections = []
        for section in _sections(quick, home, places):
            print("", *_table(section), sep="\n", flush=True)
            sections.append(section)
    missed = [
        f"{figure.name} ({section.title})" for section in sections for figure in section.figures if figure.met is False
    ]
    load = _load()
    print(f"\nLoad average at the end: {load}")
    print(f"Missed: {'; '.join(missed)}" if missed else "All targets are met.")
    if quick:
        print("With so few rounds that says nothing but that everything can be measured.")
    return {"conditions": conditions, "load_at_the_end": load, "sections": list(map(_section_json, sections))}


def _sections(quick: bool, home: Path, places: dict[str, Path]) -> Iterator[Section]:
    yield start_up.measure(2 if quick else 60, home)
    yield from answers.measure(2 if quick else 20, places)
    yield random_games.measure(2 if quick else 20, 0.01 if quick else 0.1)
    yield from solving.measure(1 if quick else 20, home)
    yield from power_line.measure(1 if quick else 30, home, quick)


def _compile(home: Path) -> None:
    """Compile the package, as installing it does; an editable checkout may never have been."""
    (package,) = powerduels.__path__
    done = subprocess.run([sys.executable, "-m", "compileall", "-q", package], env=environment(home), check=False)
    if done.returncode:
        raise CannotMeasure(f"The bytecode of {package} cannot be written.")


def _conditions() -> dict[str, str]:
    return {
        "Program": f"powerduels {powerduels.__version__} in {powerduels.__path__[0]}",
        "Bytecode": "compiled before measuring",
        "Interpreter": f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}",
        "Machine": f"{_processor()}, {os.cpu_count()} cores, {platform.platform()}",
        "Load average": _load(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _load() -> str:
    return f"{os.getloadavg()[0]:.2f} over the last minute"


def _table(section: Section) -> list[str]:
    head = ("", "median", "quartiles", "ratio", "target", "", "")
    rows = [head, *map(_row, section.figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.ljust(width) if left else text.rjust(width)
            for text, width, left in zip(row, widths, (True, False, False, False, True, True, True), strict=True)
        ).rstrip()
        for row in rows
    ]
    return [f"{section.title} ({section.rounds} rounds; ratio {section.compared})", *(f"  {line}" for line in lines)]


def _row(figure: Figure) -> tuple[str, ...]:
    def shown(number: float) -> str:
        return f"{number:,.0f}" if figure.unit == "/s" else f"{number:.2f}"

    median, low, high = figure.measured
    return (
        figure.name,
        f"{shown(median)} {figure.unit}",
        f"{shown(low)} to {shown(high)}",
        "" if figure.ratio is None else f"{figure.ratio:.2f}",
        figure.target or "",
        {None: "", True: "met", False: "MISSED"}[figure.met],
        figure.note,
    )


def _section_json(section: Section) -> dict[str, Any]:
    return section._asdict() | {
        "figures": [figure._asdict() | {"measured": figure.measured._asdict()} for figure in section.figures]
    }


if __name__ == "__main__":
    sys.exit(main())
