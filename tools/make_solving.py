"""Write what the program itself says into docs/solving.md, and draw docs/pictures/solve-*.svg.

The page keeps its words; between the markers `<!-- begin NAME -->` and `<!-- end NAME -->`
stands what is generated.  `--check` writes nothing; it names the files that are out of
date and exits with status 1 if there are any.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import powerduels
from powerduels.analyse import solve
from powerduels.answers import best_moves, value_word, worth_word
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.pictures import picture
from powerduels.solve.stages import settle
from powerduels.solve.worth import Worth
from powerduels.text import make_game

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "solving.md"

PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "double-up": ("double-up", {}),
    "double-up-127": ("double-up", {"limit": 127}),
    "power-up": ("power-up", {}),
    "power-match": ("power-match", {}),
    "clash": ("clash-of-powers", {}),
    "clash-sharp": ("clash-of-powers", {"preset": "sharp"}),
}
"""The pictures by the ends of their names: a game with options."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="name the files that are out of date, write nothing")
    checking = parser.parse_args(arguments).check
    outdated = outdated_files()
    for path, text in outdated.items():
        if checking:
            print(f"{path} is out of date; python tools/make_solving.py writes it anew.", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path} is written.")
    return 1 if checking and outdated else 0


def outdated_files() -> dict[Path, str]:
    """The files that are missing or differ from what the program says, with their right text."""
    files = {PAGE: page_text(PAGE.read_text(encoding="utf-8"))}
    for name, (game_id, options) in PICTURES.items():
        game = powerduels.game(game_id, **options)
        files[DOCS / "pictures" / f"solve-{name}.svg"] = picture(game, solve(game))
    return {path: text for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text}


def page_text(text: str) -> str:
    """The page with every block written anew."""
    for name, block in BLOCKS.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise SystemExit(f"{PAGE} has no place for {name}: the lines {begin} and {end} are missing.")
        text = f"{before}{begin}\n{block()}\n{end}{after}"
    return text


def _console(*lines: str) -> str:
    """What commands print, as a terminal shows it; only the time that it took is left out."""
    shown = []
    for line in lines:
        done = subprocess.run(
            [sys.executable, "-m", "powerduels", *shlex.split(line)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"powerduels {line} ends with status {done.returncode}: {done.stderr}")
        shown.append(f"$ powerduels {line}\n{re.sub(r' settled in .*', ' settled.', done.stdout)}")
    return "```text\n" + "\n".join(shown) + "```"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


def _value(game: AnyGame) -> str:
    worth = solve(game).analysis.worth
    assert isinstance(worth, Worth)
    return {"first": "who starts", "second": "who goes second", "draw": "nobody"}[value_word(worth)]


def _best(game: AnyGame) -> str:
    analysis = solve(game).analysis
    return " ".join(move for choices in analysis.choices.values() for move in best_moves(game, game.initial(), choices))


def _double_up() -> str:
    def chain(limit: int) -> str:
        numbers = []
        for start in range(1, limit + 1):
            worth = solve(powerduels.game("double-up", start=start, limit=limit)).analysis.worth
            assert isinstance(worth, Worth)
            if worth.winner == 1:
                numbers.append(str(start))
        return " ".join(numbers)

    limits = (100, 126, 127, 128, 190, 191, 999)
    table = _table(
        ("limit", "winner", "numbers to hand over"),
        ((str(limit), _value(powerduels.game("double-up", limit=limit)), chain(limit)) for limit in limits),
    )
    return "\n\n".join([_console("solve double-up", "solve double-up --set limit=10^18"), table])


def _power_up() -> str:
    def worth(base: int, reading: dict[str, str]) -> str:
        game = make_game(GAMES["power-up"], {"base": base, **reading})
        analysis = solve(game).analysis
        assert isinstance(analysis.worth, Worth)
        return f"{worth_word(analysis.worth, 0)}: {_best(game)}"

    readings: tuple[dict[str, str], ...] = ({}, {"stall_limit": "none"}, {"stalling": "once"}, {"exponents": "2,3"})
    rows = [(str(base), *(worth(base, reading) for reading in readings)) for base in (2, 4, 8, 16, 64)]
    head = ("base", "by default", "`stall_limit=none`", "`stalling=once`", "`exponents=2,3`")
    return "\n\n".join([_console("solve power-up", 'analyse power-up --moves "2"'), _table(head, rows)])


def _power_match() -> str:
    rows = []
    for pool in (*range(4, 13), 20, 50, 99):
        games = [powerduels.game("power-match", pool=pool, order=order) for order in ("alternate", "snake")]
        rows.append([str(pool), *(text for game in games for text in (_value(game), _few(_best(game))))])
    head = ("pool", "winner", "by first", "winner, `order=snake`", "by first")
    return "\n\n".join([_console("solve power-match"), _table(head, rows)])


def _few(moves: str) -> str:
    listed = moves.split()
    return moves if len(listed) <= 8 else f"any of {len(listed)}"


def _clash() -> str:
    tied = "1/1 2/2 4/4 8/8 16/16"
    return _console("solve clash", f'analyse clash --moves "{tied}"')


def _clash_sharp() -> str:
    return _console("solve clash --preset sharp")


def _clash_sizes() -> str:
    rows = []
    for powers in range(2, 8):
        settled = settle(powerduels.game("clash-of-powers", powers=",".join(str(2**power) for power in range(powers))))
        longest = max(settled.value(position).denominator for position in settled)
        rows.append((str(powers), f"{len(settled):,}", f"{len(str(longest)):,}"))
    return _table(("powers", "positions", "digits of the longest denominator of a value"), rows)


def _overview() -> str:
    rows = []
    for game_id in ("power-match", "double-up", "power-up"):
        game = powerduels.game(game_id)
        solved = solve(game)
        assert isinstance(solved.analysis.worth, Worth)
        plies = solved.analysis.worth.plies
        length = "-" if plies is None else str(plies)
        rows.append((game.title, _value(game), _best(game), length, f"{solved.positions:,}"))
    game = powerduels.game("clash-of-powers")
    positions = f"{solve(game).positions:,}"
    rows.append((game.title, "value 0", "any, evenly mixed", "-", positions))
    return _table(("game", "winner by default", "best first moves", "plies", "positions settled"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "overview": _overview,
    "double-up": _double_up,
    "power-up": _power_up,
    "power-match": _power_match,
    "clash": _clash,
    "clash-sharp": _clash_sharp,
    "clash-sizes": _clash_sizes,
}
"""What stands between the markers of each name."""


if __name__ == "__main__":
    sys.exit(main())
