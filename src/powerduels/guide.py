"""The guide to a game: its rules, rulings and options told to people.

Beside the module of each game lies a text in TOML with what its rules say in our own
words.  What the module itself declares (options, their ranges and defaults, presets) is
taken from there, so that nothing is told twice.
"""

from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import Any, NamedTuple

from powerduels.core import AnyGame
from powerduels.text import Option, default_texts, make_game, option_texts, shown

INDENT = "  "


class Ruling(NamedTuple):
    """A doubt that the rulebook leaves, and how it is played."""

    id: str
    rulebook: str
    """The sentence it rests on, quoted."""
    doubt: str
    decision: str
    otherwise: str
    """What the options below do instead; empty where there are none."""
    options: tuple[str, ...]


class Guide(NamedTuple):
    """What is told about a game beyond what its module declares."""

    version: int
    """The version of the rules: it changes only when the game's behaviour does."""
    tagline: str
    headline: str
    goal: str
    rules: tuple[str, ...]
    moves: str
    """How a move is typed when it is asked for."""
    notation: str
    """How a move is written in lists of moves and in records."""
    example: str
    """A move list whose last position shows how a position is written."""
    rulings: tuple[Ruling, ...]
    presets: dict[str, str]
    """What each preset plays."""
    position: dict[str, str]
    """What each field of a position holds."""


def load(game_class: type[AnyGame]) -> Guide:
    """The guide of a game; raises ValueError where it does not fit the game's declarations."""
    # Only who reads a guide pays for such imports, not every start of the program.
    import tomllib
    from importlib.resources import files

    package, _, name = game_class.__module__.rpartition(".")
    data = tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))
    place = f"{name}.toml"
    _check_names(f"{place}, top level", data, Guide._fields)
    _check_names(f"{place}, presets", data["presets"], game_class.presets)
    _check_names(f"{place}, position", data["position"], game_class.position_type._fields)
    rulings = tuple(_ruling(place, table, game_class) for table in data["rulings"])
    return Guide(**{**data, "rules": tuple(data["rules"]), "rulings": rulings})


def _ruling(place: str, table: dict[str, Any], game_class: type[AnyGame]) -> Ruling:
    place = f"{place}, ruling {table.get('id')}"
    fields = {"otherwise": "", **table}
    _check_names(place, fields, Ruling._fields)
    ruling = Ruling(**{**fields, "options": tuple(fields["options"])})
    if bool(ruling.otherwise) != bool(ruling.options):
        raise ValueError(f"{place}: options and what they do otherwise belong together.")
    for name in set(ruling.options) - {option.name for option in game_class.options}:
        raise ValueError(f"{place}: {game_class.title} has no option {shown(name)}.")
    return ruling


def _check_names(place: str, table: Mapping[str, Any], names: Iterable[str]) -> None:
    missing, unknown = set(names) - set(table), set(table) - set(names)
    if missing or unknown:
        raise ValueError(f"{place}: missing {sorted(missing)}, unknown {sorted(unknown)}.")


def guide_json(game_class: type[AnyGame]) -> dict[str, Any]:
    """All that `guide_text` tells, as data that JSON can hold."""
    guide, defaults = load(game_class), option_texts(make_game(game_class, {}))
    return {
        "game": game_class.id,
        "title": game_class.title,
        "tagline": guide.tagline,
        "headline": guide.headline,
        "goal": guide.goal,
        "rules": list(guide.rules),
        "moves": guide.moves,
        "notation": guide.notation,
        "rulings": [{**ruling._asdict(), "options": list(ruling.options)} for ruling in guide.rulings],
        "options": [
            {"name": option.name, "help": option.help, "allowed": str(option.codec), "default": defaults[option.name]}
            for option in game_class.options
        ],
        "presets": [
            {"name": name, "plays": guide.presets[name], "options": dict(settings)}
            for name, settings in game_class.presets.items()
        ],
    }


def guide_text(game: AnyGame, width: int) -> str:
    """The guide as plain text for a terminal, wrapped to the width; it says which options are not as usual."""
    game_class = type(game)
    guide = load(game_class)
    sections = [
        f"{game_class.title.upper()}\n{'=' * len(game_class.title)}",
        _hanging("", guide.headline, width),
        *_this_game(game, width),
        _section("Goal", [_hanging(INDENT, guide.goal, width)]),
        _section("Rules", [_hanging(f"{number:3}. ", rule, width) for number, rule in enumerate(guide.rules, 1)]),
        _section("How to type a move", [_hanging(INDENT, text, width) for text in (guide.moves, guide.notation)]),
        _section(
            "Where the rulebook leaves a doubt", [_ruling_text(ruling, width) for ruling in guide.rulings], "\n\n"
        ),
        _section("Options", [f"{INDENT}Set one with --set NAME=VALUE.", *_option_texts(game_class.options, width)]),
    ]
    if game_class.presets:
        presets = [_preset_text(name, guide.presets[name], game_class.presets[name], width) for name in guide.presets]
        sections.append(_section("Presets", [f"{INDENT}Choose one with --preset NAME.", *presets]))
    return "\n\n".join(sections) + "\n"


def _this_game(game: AnyGame, width: int) -> list[str]:
    """What is set otherwise than by default, if anything is; the rules below tell the defaults."""
    usual = default_texts(game)
    unusual = [
        f"{name}={text} (default {usual[name]})" for name, text in option_texts(game).items() if text != usual[name]
    ]
    return [_hanging("This game: ", ", ".join(unusual), width)] if unusual else []


def _section(heading: str, items: Iterable[str], separator: str = "\n") -> str:
    return f"{heading.upper()}\n{separator.join(items)}"


def _ruling_text(ruling: Ruling, width: int) -> str:
    told = {
        "Rulebook": f'"{ruling.rulebook}"',
        "Doubt": ruling.doubt,
        "Here": ruling.decision,
        "Or": ruling.otherwise,
    }
    marks = chain([ruling.id], repeat(""))
    return "\n".join(
        _hanging(f"{INDENT}{mark:4}{label:10}", text, width)
        for mark, (label, text) in zip(marks, told.items(), strict=False)
        if text
    )


def _option_texts(options: tuple[Option, ...], width: int) -> list[str]:
    column = max(len(option.name) for option in options) + 2
    return [
        "\n".join(
            (
                _hanging(f"{INDENT}{option.name:{column}}", option.help, width),
                _hanging(INDENT + " " * column, f"default {option.default}; allowed: {option.codec}", width),
            )
        )
        for option in options
    ]


def _preset_text(name: str, plays: str, settings: Mapping[str, str], width: int) -> str:
    mark = f"{INDENT}{name}  "
    assignments = " ".join(map("=".join, settings.items()))
    return f"{_hanging(mark, plays, width)}\n{_hanging(' ' * len(mark), assignments, width)}"


def _hanging(mark: str, text: str, width: int) -> str:
    """A paragraph behind a mark, with all of its lines beside the mark."""
    import textwrap

    return textwrap.fill(text, width, initial_indent=mark, subsequent_indent=" " * len(mark))
