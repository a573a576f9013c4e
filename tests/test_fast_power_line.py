"""The compiled search of Power Line against the readable rules, and the books that it made."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from powerduels.core import AnyGame
from powerduels.fast import power_line
from powerduels.fast.book import book_path, canonical, read_book
from powerduels.fast.power_line import PowerLineOracle, Search
from powerduels.games.power_line import PowerLine
from powerduels.solve.graph import explore
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import OutOfReach
from powerduels.text import make_game, parse_position
from strategies import random_game

SMALL_TABLE = 2**22

MOST_ENERGY_IN_SAMPLE = 24
"""Of both players together: positions of the books that are settled again within a second or two."""

SMALL_RULES: list[dict[str, object]] = [
    {"length": 5, "energy": 4},
    {"length": 4, "energy": 6, "nodes": 3},
    {"length": 6, "energy": 4, "nodes": 2, "head_start": 1},
    {"length": 5, "energy": 5, "capture": "mutual", "nodes": 3},
    {"length": 4, "energy": 5, "capture": "mutual", "ending": "nodes,energy,draw"},
    {"length": 5, "energy": 5, "capture": "takeover", "chain": 3, "nodes": 3},
    {"length": 4, "energy": 7, "capture": "takeover", "chain": 3, "ending": "chain,power,energy,second"},
    {"length": 5, "energy": 4, "chain": 2},
    {"length": 5, "energy": 4, "ending": "draw"},
    {"length": 4, "energy": 5, "ending": "power,chain,first", "place_max": 1},
    {"length": 3, "energy": 9, "level_max": 3, "ending": "energy,draw"},
    {"length": 2, "energy": 12, "nodes": 1, "head_start": 2},
    {"length": 7, "energy": 3, "ending": "nodes,chain,power,energy,second"},
]


def game_of(preset: str | None = None, /, **options: object) -> AnyGame:
    return make_game(PowerLine, options, preset)


def after_random_plies(game: AnyGame, seed: int, plies: int) -> Any:
    return [game.initial(), *(after for _, _, after in random_game(game, random.Random(seed), plies))][-1]


@pytest.mark.parametrize("options", SMALL_RULES, ids=str)
def test_the_search_agrees_with_the_general_solver_at_every_position(options: dict[str, object]) -> None:
    game = game_of(**options)
    general, search = GeneralOracle(game), Search(game, SMALL_TABLE, threads=1)
    graph = explore(game, game.initial())
    running = [position for position, actor in zip(graph.positions, graph.actors, strict=True) if actor is not None]
    sample = running if len(running) < 3000 else random.Random(7).sample(running, 3000)
    for position in sample:
        assert search.winner(position) == general.worth(position).winner, position


@pytest.mark.parametrize("preset", [None, "takeover"])
def test_a_good_move_keeps_the_worth_and_best_moves_are_all_that_do(preset: str | None) -> None:
    game = game_of(preset, energy=7)
    oracle = PowerLineOracle(game, table_bytes=SMALL_TABLE)
    for seed in range(20):
        position = after_random_plies(game, seed, 6)
        if position.turn is None:
            continue
        worth, best = oracle.worth(position), oracle.best_moves(position)
        assert best == [
            move
            for move in game.legal(position, position.turn)
            if oracle.worth_of_move(position, move).winner == worth.winner
        ]
        assert oracle.good_move(position) in best


def test_mirror_images_share_what_is_known_of_them() -> None:
    game = game_of(energy=6)
    oracle = PowerLineOracle(game, table_bytes=SMALL_TABLE)
    position = after_random_plies(game, 3, 2)
    mirrored = position._replace(line=position.line[::-1])
    assert canonical(position) == canonical(mirrored)
    move, mirrored_move = oracle.good_move(position), oracle.good_move(mirrored)
    assert (mirrored_move.at, mirrored_move.level) == (len(position.line) - 1 - move.at, move.level)
    assert oracle.worth(position) == oracle.worth(mirrored)


def test_a_search_that_is_not_to_take_longer_gives_up_and_can_be_asked_again() -> None:
    search = Search(game_of(energy=9), 2**24)
    start = game_of(energy=9).initial()
    with pytest.raises(OutOfReach, match=r"not finished after 100 positions"):
        search.winner(start, 100)
    assert search.winner(start) == 1


def test_whoever_stops_waiting_stops_the_search() -> None:
    search = Search(game_of(), 2**24)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.winner(game_of().initial(), meanwhile=interrupt)
    nearly_over = game_of().initial()._replace(energy=(3, 3))
    assert search.winner(nearly_over) == 1


def test_what_cannot_be_searched_is_refused_at_once_with_its_size() -> None:
    game = game_of(length=21, nodes=21, energy=50)
    with pytest.raises(OutOfReach, match=r"lines of nodes can come about; up to 2\.0 x 10\^11 can be searched"):
        PowerLineOracle(game, table_bytes=SMALL_TABLE).worth(game.initial())


def test_what_took_long_is_kept_and_known_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power_line, "KEPT_FROM_SECONDS", 0.0)
    game = game_of(energy=6)
    path = str(tmp_path / "answers")
    first = PowerLineOracle(game, table_bytes=SMALL_TABLE)
    first.keep_in(path)
    first.settle(game.initial())
    again = PowerLineOracle(game, table_bytes=SMALL_TABLE)
    again.keep_in(path)
    again.settle(game.initial())
    assert again.settled == first.settled
    assert again.worth(game.initial()) == first.worth(game.initial())
    assert again.best_moves(game.initial()) == first.best_moves(game.initial())


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    game = game_of("takeover")
    book = read_book(game, book_path(game))
    assert len(book) > 1000
    book.write(tmp_path / "copy")
    copy = read_book(game, tmp_path / "copy")
    assert list(copy) == sorted(book)
    for text in book:
        position = parse_position(game, text)
        assert copy.winner(position) == book.winner(position)
        assert copy.good_move(position) == book.good_move(position)


@pytest.mark.parametrize("content", [b"", b"nothing", b"\x1f\x8b\x08\x00 cut"])
def test_a_kept_file_that_cannot_be_read_is_as_good_as_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "answers").write_bytes(content)
    assert len(read_book(game_of(), tmp_path / "answers")) == 0


@pytest.mark.parametrize("preset", [None, "takeover"])
def test_the_books_are_right(preset: str | None, soak_or: Callable[[int, int], int]) -> None:
    """A fresh search, which knows no book, comes to what the book says; and its good moves win."""
    game = game_of(preset)
    book = read_book(game, book_path(game))
    search = Search(game, 2**28)
    positions = [parse_position(game, text) for text in sorted(book)]
    settled_soon = [position for position in positions if sum(position.energy) <= MOST_ENERGY_IN_SAMPLE]
    for position in random.Random(11).sample(settled_soon, soak_or(10, 200)):
        assert search.winner(position) == book.winner(position), position
        move = book.good_move(position)
        if move is not None:
            after = game.apply(position, (move,))
            assert after.turn is None or search.winner(after) == position.turn
