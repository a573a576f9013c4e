"""What tests are made of: games with any options, positions by random play or after given moves.

Games are drawn from what they declare: a value for each option within its own range, and
within what the options drawn before it leave open.
"""

import random
from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from powerduels.core import AnyGame, move_count
from powerduels.games import GAMES
from powerduels.games.power_line import CLOSINGS, CRITERIA, EndingCodec
from powerduels.text import Choice, Integer, Numbers, Option, make_game, parse_ply

Ply = tuple[Any, ...]

SEEDS = st.integers(0, 2**32).map(random.Random)

UNBOUNDED_HIGH = 10**30
"""Where an option declares no upper bound, this is far enough."""

QUICK_HIGH = {"start": 40, "limit": 150, "length": 12, "energy": 12, "head_start": 6, "pool": 12, "stall_limit": 12}
"""Upper bounds that keep a game small enough to be played by the naive rules."""


def _range_left(game_id: str, option: Option, chosen: dict[str, str]) -> tuple[int, int]:
    """The lowest and highest value of an integer option that the options before it allow."""
    assert isinstance(option.codec, Integer)
    low, high = option.codec.low, UNBOUNDED_HIGH if option.codec.high is None else option.codec.high
    match game_id, option.name:
        case "clash-of-powers", "duels_to_win":
            high = len(chosen["powers"].split(","))
        case "double-up", "start":
            high = 10**18
        case "double-up", "limit":
            low = int(chosen["start"])
        case "power-up", "target":
            low = int(chosen["base"]) + 1
        case "power-line", "level_max":
            low = int(chosen["place_max"])
        case "power-line", "chain":
            high = int(chosen["length"])
    return low, high


@st.composite
def _option_text(draw: st.DrawFn, game_id: str, option: Option, chosen: dict[str, str], quick: bool) -> str:
    codec = option.codec
    if isinstance(codec, Integer):
        if codec.none is not None and draw(st.integers(0, 7)) == 0:
            return codec.none
        low, high = _range_left(game_id, option, chosen)
        if quick and option.name in QUICK_HIGH:
            high = max(low, min(high, QUICK_HIGH[option.name]))
        # Close to the lower end games are small and their corners near.
        return str(draw(st.integers(low, min(high, low + 5)) | st.integers(low, high)))
    if isinstance(codec, Numbers):
        ranges = [range(codec.low, min(codec.high, codec.low + 17) + 1), range(codec.low, codec.high + 1)]
        numbers = st.sampled_from(draw(st.sampled_from(ranges)))
        drawn = draw(st.lists(numbers, min_size=codec.least, max_size=codec.most, unique=True))
        if option.name == "exponents" and drawn == [1]:
            drawn.append(2)
        return ",".join(map(str, drawn))
    if isinstance(codec, EndingCodec):
        criteria = draw(st.lists(st.sampled_from(list(CRITERIA)), unique=True))
        return ",".join([*criteria, draw(st.sampled_from(CLOSINGS))])
    assert isinstance(codec, Choice)
    return draw(st.sampled_from(list(codec.meanings)))


@st.composite
def option_texts_of(
    draw: st.DrawFn, game_id: str, quick: bool = False, fixed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Texts for all options of a game that do not contradict one another; some may be fixed."""
    chosen: dict[str, str] = {}
    for option in GAMES[game_id].options:
        chosen[option.name] = fixed.get(option.name) or draw(_option_text(game_id, option, chosen, quick))
    return chosen


@st.composite
def games(draw: st.DrawFn, /, *game_ids: str, quick: bool = False, **fixed: str) -> AnyGame:
    """Any of the five games (or of those named) with any options; `quick` keeps it small."""
    game_id = draw(st.sampled_from(game_ids or tuple(GAMES)))
    return make_game(GAMES[game_id], draw(option_texts_of(game_id, quick, fixed)))


@st.composite
def games_with_positions(draw: st.DrawFn, *game_ids: str, unfinished: bool = False) -> tuple[AnyGame, Any]:
    """A game and a position that random play reaches in it; `unfinished` rules out that the game is over there."""
    game = draw(games(*game_ids))
    position = game.initial()
    for _, _, following in random_game(game, draw(SEEDS), draw(st.integers(0, 40))):
        if unfinished and not game.actors(following):
            break
        position = following
    assume(game.actors(position) or not unfinished)
    return game, position


def ply_number(game: AnyGame, position: Any, choice: int) -> Ply:
    """One of the plies that are legal here, chosen by a number of any size."""
    ply = []
    for player in game.actors(position):
        moves = game.legal(position, player)
        choice, index = divmod(choice, move_count(moves))
        ply.append(moves[index])
    return tuple(ply)


def position_after(game: AnyGame, moves: str) -> Any:
    """The position after a list of moves from the start, each of them checked."""
    position = game.initial()
    for text in moves.split():
        position = game.play(position, parse_ply(game, text))
    return position


def plies(game: AnyGame, position: Any) -> list[Ply]:
    """Everything that can happen next: each combination of the actors' legal moves."""
    actors = game.actors(position)
    return list(product(*(game.legal(position, player) for player in actors))) if actors else []


def random_game(game: AnyGame, generator: random.Random, most_plies: int) -> Iterator[tuple[Any, Ply, Any]]:
    """Random play from the start, step by step: the position before, the ply, the position after."""
    position = game.initial()
    for _ in range(most_plies):
        if not game.actors(position):
            return
        ply = ply_number(game, position, generator.getrandbits(128))
        following = game.apply(position, ply)
        yield position, ply, following
        position = following
