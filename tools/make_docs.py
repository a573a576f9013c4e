"""Write docs/games/*.md: each game's rules, rulings, options, texts and counts.

Everything in these pages comes from the program itself.  `--check` writes nothing; it
names the pages that are out of date and exits with status 1 if there are any.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from powerduels.core import AnyGame, move_count
from powerduels.games import GAMES
from powerduels.guide import Guide, Ruling, load
from powerduels.records import read_plies, replay
from powerduels.text import counted, format_position, make_game

PAGES = Path(__file__).resolve().parent.parent / "docs" / "games"
COUNTED_LENGTH = 4


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="name the pages that are out of date, write nothing")
    checking = parser.parse_args(arguments).check
    outdated = outdated_pages()
    for path, text in outdated.items():
        if checking:
            print(f"{path} is out of date; python tools/make_docs.py writes it anew.", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path} is written.")
    return 1 if checking and outdated else 0


def outdated_pages() -> dict[Path, str]:
    """The pages that are missing or differ from what the program says, with their right text."""
    pages = {PAGES / f"{game_id}.md": page_text(game_class) for game_id, game_class in GAMES.items()}
    return {path: text for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text}


def page_text(game_class: type[AnyGame]) -> str:
    """The page of a game, in Markdown."""
    guide, game = load(game_class), make_game(game_class, {})
    sections = {
        "Rules": ["\n".join(f"{number}. {rule}" for number, rule in enumerate(guide.rules, 1))],
        "Rulings": [_ruling_text(ruling) for ruling in guide.rulings],
        "Options": _options(game_class, guide),
        "Encoding": _encoding(game, guide),
        "Known values": _known_values(game),
        "Version": [f"Version {guide.version} of the rules. It changes only when the behaviour of the game does."],
    }
    parts = [f"# {game_class.title}", guide.headline, guide.goal]
    for heading, paragraphs in sections.items():
        parts += [f"## {heading}", *paragraphs]
    return "\n\n".join(parts) + "\n"


def _ruling_text(ruling: Ruling) -> str:
    told = {"Doubt": ruling.doubt, "Here": ruling.decision, "Or": ruling.otherwise}
    lines = [f"- *{label}:* {text}" for label, text in told.items() if text]
    return "\n".join([f'**{ruling.id}.** The rulebook: "{ruling.rulebook}"', *lines])


def _options(game_class: type[AnyGame], guide: Guide) -> list[str]:
    rows = [(f"`{name}`", str(codec), default, told) for name, codec, default, told, _ in game_class.options]
    paragraphs = [
        "An option is set with `--set NAME=VALUE`.",
        _table(("Option", "Allowed", "Default", "What it is"), rows),
    ]
    if game_class.presets:
        presets = [
            (f"`{name}`", f"`{' '.join(map('='.join, settings.items()))}`", guide.presets[name])
            for name, settings in game_class.presets.items()
        ]
        paragraphs += ["A preset is chosen with `--preset NAME`.", _table(("Preset", "Sets", "What it is"), presets)]
    return paragraphs


def _encoding(game: AnyGame, guide: Guide) -> list[str]:
    example = replay(game, read_plies(game, guide.example.split()))[-1]
    return [
        guide.notation,
        "A position is one line, `field=value` for each of its fields:",
        _table(("Field", "Value"), ((f"`{name}`", told) for name, told in guide.position.items())),
        "The initial position by default:",
        f"```\n{format_position(game, game.initial())}\n```",
        f"The position after the moves `{guide.example}`:",
        f"```\n{format_position(game, example)}\n```",
    ]


def _known_values(game: AnyGame) -> list[str]:
    together = ", where both players choosing at once is one move" if game.kind.simultaneous else ""
    assert game.kind.longest is not None
    return [
        f"By default there are so many sequences of moves from the start{together}:",
        _table(("Moves", "Sequences"), ((str(length), f"{n:,}") for length, n in enumerate(_sequences(game), 1))),
        f"The longest game by default has {counted(game.kind.longest, 'move')}.",
    ]


def _sequences(game: AnyGame) -> list[int]:
    """How many sequences of one move, of two moves and so on lead from the start."""
    counts: list[int] = []
    ways: Counter[Any] = Counter({game.initial(): 1})
    while True:
        choices = {
            position: [game.legal(position, player) for player in actors]
            for position in ways
            if (actors := game.actors(position))
        }
        counts.append(sum(ways[position] * prod(map(move_count, moves)) for position, moves in choices.items()))
        if len(counts) == COUNTED_LENGTH:
            return counts
        longer: Counter[Any] = Counter()
        for position, moves in choices.items():
            for ply in product(*moves):
                longer[game.apply(position, ply)] += ways[position]
        ways = longer


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
