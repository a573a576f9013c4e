"""How many games there are: move sequences, distinct positions, the order of moves, the longest game.

The tables in `perft/` hold the expected numbers for the defaults and for a selection of
option sets.  They are checked twice: against the package at every depth, and against the
naive rules as deep as these can go.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from naive import NAIVE_GAMES, NaiveGame
from powerduels.core import AnyGame, move_count
from powerduels.games import GAMES
from powerduels.text import format_ply, make_game, option_texts
from strategies import plies, position_after

TABLES = Path(__file__).parent / "perft"
NAIVE_LEAVES = 2500
NAIVE_POSITIONS = 6000
"""The naive rules are asked for no more move sequences and no more positions than these."""


def entries(most_positions: int | None = None) -> list[Any]:
    """The entries of all tables; with a number only those whose positions are counted and no more than it."""
    found = []
    for game_id in GAMES:
        for entry in json.loads((TABLES / f"{game_id}.json").read_text(encoding="utf-8")):
            if most_positions is None or entry.get("positions", most_positions + 1) <= most_positions:
                settings = " ".join(f"{name}={value}" for name, value in entry["set"].items())
                found.append(pytest.param(game_id, entry, id=f"{game_id} {settings}".strip()))
    return found


EVERY_ENTRY = pytest.mark.parametrize(("game_id", "entry"), entries())
ENTRIES_WITH_FEW_POSITIONS = pytest.mark.parametrize(("game_id", "entry"), entries(NAIVE_POSITIONS))


def sequences(game: AnyGame, depth: int) -> int:
    """The number of move sequences of this length."""

    def count(position: Any, left: int) -> int:
        if left == 1:
            actors = game.actors(position)
            return prod(move_count(game.legal(position, player)) for player in actors) if actors else 0
        return sum(count(game.apply(position, ply), left - 1) for ply in plies(game, position))

    return count(game.initial(), depth)


def reachable(game: AnyGame) -> set[Any]:
    """Every position that some play reaches."""
    seen = {game.initial()}
    open_positions = list(seen)
    while open_positions:
        position = open_positions.pop()
        for ply in plies(game, position):
            following = game.apply(position, ply)
            if following not in seen:
                seen.add(following)
                open_positions.append(following)
    return seen


def naive_sequences(game: NaiveGame, depth: int) -> int:
    if depth == 1:
        return len(game.moves())
    return sum(naive_sequences(game.after(move), depth - 1) for move in game.moves())


@cache
def longest_game(game: AnyGame) -> int:
    """The number of plies of the longest game, by trying everything."""

    @cache
    def longest_from(position: Any) -> int:
        return max((1 + longest_from(game.apply(position, ply)) for ply in plies(game, position)), default=0)

    return longest_from(game.initial())


@EVERY_ENTRY
def test_move_sequences_and_positions_are_as_many_as_the_table_says(game_id: str, entry: dict[str, Any]) -> None:
    game = make_game(GAMES[game_id], entry["set"])
    counted = [sequences(game, depth) for depth in range(1, len(entry["sequences"]) + 1)]
    assert counted == entry["sequences"]
    if "positions" in entry:
        assert len(reachable(game)) == entry["positions"]


@EVERY_ENTRY
def test_the_naive_rules_count_the_same(game_id: str, entry: dict[str, Any]) -> None:
    options = option_texts(make_game(GAMES[game_id], entry["set"]))
    for depth, expected in enumerate(entry["sequences"], 1):
        if depth == 1 or expected <= NAIVE_LEAVES:
            assert naive_sequences(NAIVE_GAMES[game_id](options), depth) == expected


@ENTRIES_WITH_FEW_POSITIONS
def test_the_naive_rules_agree_in_every_position(game_id: str, entry: dict[str, Any]) -> None:
    """The same choices, the same end and the same winner, wherever play may lead."""
    game = make_game(GAMES[game_id], entry["set"])
    start = NAIVE_GAMES[game_id](option_texts(game))
    seen, naive_states = {game.initial()}, {start.state()}
    to_compare = [(game.initial(), start)]
    while to_compare:
        position, naive = to_compare.pop()
        legal = {
            player: [game.move_codec.format(move) for move in game.legal(position, player - 1)]
            for player in (1, 2)
            if player - 1 in game.actors(position)
        }
        assert {player: sorted(moves) for player, moves in legal.items()} == {
            player: sorted(moves) for player, moves in naive.choices().items()
        }
        outcome = game.outcome(position)
        assert naive.finished() == (outcome is not None)
        if outcome is not None:
            assert naive.winner() == (None if outcome.winner is None else outcome.winner + 1)
        for ply in plies(game, position):
            following = game.apply(position, ply)
            if following not in seen:
                seen.add(following)
                to_compare.append((following, naive.after(format_ply(game, ply))))
                naive_states.add(to_compare[-1][1].state())
    assert len(seen) == len(naive_states) == entry["positions"]


@EVERY_ENTRY
def test_moves_come_in_the_order_of_the_table(game_id: str, entry: dict[str, Any]) -> None:
    """The order is part of what others rely on: a seeded game would play differently with another."""
    game = make_game(GAMES[game_id], entry["set"])
    for moves, expected in entry["order"].items():
        position = position_after(game, moves)
        first_moves = [
            " ".join(map(game.move_codec.format, game.legal(position, player)[:12])) for player in game.actors(position)
        ]
        assert " / ".join(first_moves) == expected


@pytest.mark.parametrize(
    ("game_id", "expected"),
    [
        ("power-match", [18, 288, 2016, 12096]),
        ("double-up", [1, 2, 7, 41]),
        ("power-up", [3, 9, 24, 48]),
        ("clash-of-powers", [25, 400, 3600, 12672]),
        ("power-line", [55, 2750, 127300, 5320050]),
    ],
)
def test_the_first_counts_of_the_defaults(game_id: str, expected: list[int]) -> None:
    default, *_ = json.loads((TABLES / f"{game_id}.json").read_text(encoding="utf-8"))
    assert default["set"] == {}
    assert default["sequences"][:4] == expected


@pytest.mark.parametrize(("pool", "expected"), [(4, 129), (5, 331), (9, 4339), (12, 15073)])
def test_distinct_positions_of_power_match(pool: int, expected: int) -> None:
    """Counting the start and the finished ones; a position is the pool left and both expressions."""
    assert len(reachable(make_game(GAMES["power-match"], {"pool": pool}))) == expected


def test_distinct_positions_of_clash_of_powers() -> None:
    """Finished ones and the three tied scores before the final duel count; what comes after it does not."""
    found = reachable(make_game(GAMES["clash-of-powers"], {}))
    before_the_final_duel = {position for position in found if not position.tiebroken}
    assert len(before_the_final_duel) == 934
    assert len({position for position in before_the_final_duel if not position.hands[0] and _tied(position)}) == 3
    assert len(found) - 934 == 3 * 3


def _tied(position: Any) -> bool:
    score: tuple[int, int] = position.score
    return score[0] == score[1]


def power_line_positions(energy: int) -> tuple[int, int]:
    """Distinct positions of Power Line, mirror images merged, in two ways of counting.

    First as the rules here have it: a forced pass is no move, and when the game is over it
    is nobody's turn.  Then with passes: every action hands the turn to the opponent, so that
    whoever cannot act has one more position to pass in, and the same finished line counts
    twice where either player's action may have been the last.
    """
    game = make_game(GAMES["power-line"], {"energy": energy})

    def merged(position: Any, turn: int | None) -> tuple[object, ...]:
        return min(position.line, position.line[::-1]), position.energy, turn

    start = game.initial()
    seen, with_passes = {merged(start, 0)}, {merged(start, 0)}
    open_positions = [start]
    while open_positions:
        position = open_positions.pop()
        for ply in plies(game, position):
            following = game.apply(position, ply)
            with_passes.add(merged(following, 1 - position.turn))
            if following.turn is not None:
                with_passes.add(merged(following, following.turn))
            key = merged(following, following.turn)
            if key not in seen:
                seen.add(key)
                open_positions.append(following)
    return len(seen), len(with_passes)


def test_distinct_positions_of_power_line(soak_or: Callable[[int, int], int]) -> None:
    """With passes there are 42,516 at energy 3 and 538,216 at energy 4."""
    energy = soak_or(3, 4)
    assert power_line_positions(energy) == {3: (39090, 42516), 4: (473904, 538216)}[energy]


LONGEST = [
    ("power-match", 4, "1b 2b 3e 4e"),
    ("double-up", 99, " ".join(map(str, range(2, 101)))),
    ("power-up", 24, " ".join(["1 1 1 1 1 1 1 2"] * 3)),
    ("clash-of-powers", 6, "1/1 2/2 4/4 8/8 16/16 4/8"),
    (
        "power-line",
        25,
        "6=1 4=1 1=1 7=1 9=1 0=1 3=1 2=1 3+ 10=1 8=1 7+ 6=1 2=1 4=1 8=1 1+ 5=1 9+ 5+ 0=1 2=1 6=1 4=1 10=1",
    ),
]


@pytest.mark.parametrize(("game_id", "longest", "moves"), LONGEST)
def test_a_game_as_long_as_declared_exists(game_id: str, longest: int, moves: str) -> None:
    game = make_game(GAMES[game_id], {})
    assert game.outcome(position_after(game, moves)) is not None
    assert len(moves.split()) == longest == game.kind.longest


def small_games() -> Iterator[AnyGame]:
    """Option sets with few enough positions to try every game."""
    for tiebreak, duels in product(("single", "none"), (1, 2, 3)):
        yield make_game(GAMES["clash-of-powers"], {"powers": "1,2,3", "duels_to_win": duels, "tiebreak": tiebreak})
    for order in ("alternate", "snake"):
        yield make_game(GAMES["power-match"], {"pool": 5, "order": order})
    for start, limit in ((1, 1), (1, 7), (4, 20)):
        yield make_game(GAMES["double-up"], {"start": start, "limit": limit})
    for stall_limit, exponents in product((1, 2, 3), ("1,2", "1,3", "2,3", "1,2,3")):
        for stalling in ("free", "once"):
            settings = {"target": 300, "exponents": exponents, "stall_limit": stall_limit, "stalling": stalling}
            yield make_game(GAMES["power-up"], settings)
    yield make_game(GAMES["power-up"], {"stalling": "once", "stall_limit": "none"})
    yield make_game(GAMES["power-up"], {"exponents": "2,3", "stall_limit": "none"})


@pytest.mark.parametrize(
    "game", list(small_games()), ids=lambda game: " ".join([game.id, *option_texts(game).values()])
)
def test_the_declared_longest_game_is_the_longest(game: AnyGame) -> None:
    assert longest_game(game) == game.kind.longest


@pytest.mark.parametrize("capture", ["mover", "mutual", "takeover"])
@pytest.mark.parametrize("length", [2, 3])
def test_no_power_line_game_is_longer_than_declared(length: int, capture: str) -> None:
    for nodes, energy, head_start in product((1, 2, 3), (1, 2, 3), (0, 2, 6)):
        settings = {"length": length, "capture": capture, "nodes": nodes, "energy": energy, "head_start": head_start}
        game = make_game(GAMES["power-line"], settings)
        declared = game.kind.longest
        assert declared is not None
        assert longest_game(game) <= declared, settings


@pytest.mark.parametrize(
    ("game_id", "settings"),
    [
        ("clash-of-powers", {"tiebreak": "repeat"}),
        ("double-up", {"limit": "none"}),
        ("power-up", {"stall_limit": "none"}),
    ],
)
def test_a_game_as_written_that_never_ends_declares_no_longest(game_id: str, settings: dict[str, str]) -> None:
    assert make_game(GAMES[game_id], settings).kind.longest is None
