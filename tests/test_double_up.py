"""Double Up in detail: what messages say, and numbers of any size."""

import pytest

from powerduels.core import IllegalMove, Kind, move_count
from powerduels.games.double_up import DoubleUp
from powerduels.text import format_ply, format_position, make_game, parse_ply, parse_position
from strategies import position_after


def game(**settings: object) -> DoubleUp:
    return make_game(DoubleUp, settings)


@pytest.mark.parametrize(
    ("settings", "longest"),
    [
        ({}, 99),
        ({"limit": 1}, 0),
        ({"start": 7, "limit": 30}, 23),
        ({"limit": 10**18}, 10**18 - 1),
        ({"limit": None}, None),
    ],
)
def test_kind(settings: dict[str, object], longest: int | None) -> None:
    assert game(**settings).kind == Kind(simultaneous=False, can_cycle=False, can_draw=False, longest=longest)


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ("", "3", "3 is more than twice 1; only 2 is valid here."),
        ("", "1", "1 is not greater than 1; only 2 is valid here."),
        ("2", "0", "0 is not greater than 2; 3 to 4 are valid here."),
        ("2 4 8 16 32 64", "128", "128 is above the limit, 100; 65 to 100 are valid here."),
        ("2 4 8 16 32 64", "129", "129 is more than twice 64; 65 to 100 are valid here."),
        ("2 4 8 16 32 64 99", "101", "101 is above the limit, 100; only 100 is valid here."),
        ("2 4 8 16 32 64 100", "101", "The game is over; no move can follow."),
    ],
)
def test_refusals(moves: str, move: str, message: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        game().play(position_after(game(), moves), parse_ply(game(), move))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("settings", "moves", "explanation"),
    [
        ({"limit": 8}, "2 4 8", "Bob cannot make a valid move: 8 is the limit. Ann wins the game!"),
        ({"limit": 8}, "2 3 4 8", "Ann cannot make a valid move: 8 is the limit. Bob wins the game!"),
        ({"limit": 1}, "", "Ann cannot make a valid move: 1 is the limit. Bob wins the game!"),
    ],
)
def test_the_end_is_explained(settings: dict[str, object], moves: str, explanation: str) -> None:
    here = game(**settings)
    position = position_after(here, moves)
    outcome = here.outcome(position)
    assert outcome is not None
    assert here.explain(position, outcome, ("Ann", "Bob")) == explanation


def test_the_list_of_moves_is_lazy_sized_and_searchable() -> None:
    here = game(start=10**18 // 2, limit=10**18)
    moves = here.legal(here.initial(), 0)
    assert isinstance(moves, range)
    assert move_count(moves) == 10**18 // 2
    assert 10**18 in moves
    assert 10**18 + 1 not in moves
    assert moves[12345] == 10**18 // 2 + 12346


@pytest.mark.parametrize("digits", [1, 31, 1000])
def test_moves_and_positions_of_any_size_survive_being_written(digits: int) -> None:
    """Without a limit the numbers grow beyond the longest that `start` may be."""
    here = game(start=10 ** (digits - 1), limit=None)
    position = here.initial()
    for _ in range(10):
        ply = (2 * position.last,)
        assert parse_ply(here, format_ply(here, ply)) == ply
        position = here.play(position, ply)
        assert parse_position(here, format_position(here, position)) == position
