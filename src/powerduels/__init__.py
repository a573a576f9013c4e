"""Powerduels: five two-player number games to play, study and train programs on.

>>> import powerduels
>>> game = powerduels.game("power-up", target=1000)
>>> position = game.play(game.initial(), (3,))
>>> game.legal(position, *game.actors(position))
(1, 2, 3)
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
"""Checkers take it for true.  That of `typing` costs as much as the rest of `--version`."""

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
"""What the program says when it ends."""

if TYPE_CHECKING:
    from typing import Any

    from powerduels.core import AnyGame, Game, IllegalMove, Kind, OptionError, Outcome, PowerduelsError, UnreadableText
    from powerduels.games import GAMES
    from powerduels.match import Match
    from powerduels.records import Record, RecordError, Result, format_record, replay
    from powerduels.text import format_ply, format_position, parse_ply, parse_position

_HOMES = {
    "core": (
        "AnyGame", "Game", "IllegalMove", "Kind", "OptionError", "Outcome", "PowerduelsError", "UnreadableText",
    ),
    "games": ("GAMES",),
    "match": ("Match",),
    "records": ("Record", "RecordError", "Result", "format_record", "replay"),
    "text": ("format_ply", "format_position", "parse_ply", "parse_position"),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "GAMES", "AnyGame", "Game", "IllegalMove", "Kind", "Match", "OptionError", "Outcome", "PowerduelsError", "Record",
    "RecordError", "Result", "UnreadableText", "format_ply", "format_position", "format_record", "game",
    "parse_ply", "parse_position", "parse_record", "replay",
]  # fmt: skip


def game(game_id: str, preset: str | None = None, **options: object) -> "AnyGame":
    """A game by its id, with options given as values or as `--set` takes them."""
    from powerduels.core import OptionError
    from powerduels.games import GAMES
    from powerduels.text import make_game, nearest, shown

    if game_id not in GAMES:
        raise OptionError(f"There is no game {shown(game_id)}. {nearest(game_id, GAMES)}")
    return make_game(GAMES[game_id], options, preset)


def parse_record(text: str) -> "Record":
    """Read a game record; raises RecordError naming the place of the fault."""
    from powerduels.games import GAMES
    from powerduels.records import parse_record

    return parse_record(text, GAMES)


def __getattr__(name: str) -> "Any":
    # Names are looked up when first used: the program's start must not pay for all of them.
    if name not in _HOME_OF:
        raise AttributeError(f"module 'powerduels' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"powerduels.{_HOME_OF[name]}"), name)
