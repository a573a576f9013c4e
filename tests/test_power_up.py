"""Power Up in detail: what messages say, and when games end."""

import pytest

from powerduels.core import IllegalMove, Kind
from powerduels.games.power_up import PowerUp
from powerduels.text import make_game, parse_ply
from strategies import position_after


def game(**settings: object) -> PowerUp:
    return make_game(PowerUp, settings)


@pytest.mark.parametrize(
    ("settings", "can_cycle", "can_draw", "longest"),
    [
        ({}, False, True, 24),
        ({"stall_limit": 1}, False, True, 3),
        ({"stall_limit": None}, True, True, None),
        ({"stalling": "once"}, False, False, 6),
        ({"stalling": "once", "stall_limit": None}, False, False, 6),
        ({"exponents": "2,3"}, False, False, 3),
        ({"exponents": "2,3", "stall_limit": None}, False, False, 3),
        ({"exponents": "1,3"}, False, True, 16),
        ({"base": 255}, False, True, 8),
    ],
)
def test_kind(settings: dict[str, object], can_cycle: bool, can_draw: bool, longest: int | None) -> None:
    expected = Kind(simultaneous=False, can_cycle=can_cycle, can_draw=can_draw, longest=longest)
    assert game(**settings).kind == expected


@pytest.mark.parametrize(
    ("settings", "moves", "move", "message"),
    [
        ({}, "", "4", "4 is not one of the exponents; choose 1, 2, or 3."),
        ({}, "", "0", "0 is not one of the exponents; choose 1, 2, or 3."),
        ({"exponents": "2,5"}, "", "3", "3 is not one of the exponents; choose 2 or 5."),
        ({"exponents": "1,2", "stalling": "once"}, "1", "1", "A 1 may not answer a 1; choose 2."),
        ({}, "3 3", "1", "The game is over; no move can follow."),
    ],
)
def test_refusals(settings: dict[str, object], moves: str, move: str, message: str) -> None:
    here = game(**settings)
    with pytest.raises(IllegalMove) as refused:
        here.play(position_after(here, moves), parse_ply(here, move))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("settings", "moves", "explanation"),
    [
        ({}, "3 2 2", "Ann wins! Base number reached 4096 (target was 256)."),
        ({}, "3 3", "Bob wins! Base number reached 512 (target was 256)."),
        ({}, "2" + " 1" * 8, "The game is a draw: 8 turns in a row left the base at 4."),
        ({"stall_limit": 1}, "1", "The game is a draw: 1 turn in a row left the base at 2."),
    ],
)
def test_the_end_is_explained(settings: dict[str, object], moves: str, explanation: str) -> None:
    here = game(**settings)
    position = position_after(here, moves)
    outcome = here.outcome(position)
    assert outcome is not None
    assert here.explain(position, outcome, ("Ann", "Bob")) == explanation


def test_reaching_the_target_ends_a_stall() -> None:
    """The last turn before the limit may still win."""
    here = game(stall_limit=2, base=16)
    position = position_after(here, "1 2")
    assert here.outcome(position) == (1, "target")


def test_numbers_are_exact_at_any_size() -> None:
    here = game(base=10**50 + 1, target="10^100", exponents="9")
    position = position_after(here, "9")
    assert position.base == (10**50 + 1) ** 9
