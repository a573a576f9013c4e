"""Power Match in detail: what messages say, and who wins."""

import pytest

from powerduels.core import IllegalMove, Kind
from powerduels.games.power_match import Expression, PowerMatch, value
from powerduels.text import make_game, parse_ply
from strategies import position_after


def game(**settings: object) -> PowerMatch:
    return make_game(PowerMatch, settings)


@pytest.mark.parametrize("settings", [{}, {"pool": 99}, {"order": "snake"}])
def test_kind(settings: dict[str, object]) -> None:
    assert game(**settings).kind == Kind(simultaneous=False, can_cycle=False, can_draw=False, longest=4)


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ("7b 8b", "8e", "8 is taken; left: 1, 2, 3, 4, 5, 6, 9."),
        ("", "0b", "0 was never in the pool; left: 1, 2, 3, 4, 5, 6, 7, 8, 9."),
        ("", "10e", "10 was never in the pool; left: 1, 2, 3, 4, 5, 6, 7, 8, 9."),
        ("7b 8b", "9b", "The base is already 7; the exponent is free."),
        ("7e 8b", "9e", "The exponent is already 7; the base is free."),
        ("7e 8b 9b", "6b", "The base is already 8; the exponent is free."),
        ("7e 8b 9b 6e", "1b", "The game is over; no move can follow."),
    ],
)
def test_refusals(moves: str, move: str, message: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        game().play(position_after(game(), moves), parse_ply(game(), move))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("settings", "moves", "explanation"),
    [
        ({}, "7b 9b 2e 8e", "Bob wins! 9^8 is greater than 7^2."),
        ({}, "9b 7b 8e 2e", "Ann wins! 9^8 is greater than 7^2."),
        ({}, "8b 2b 1e 3e", "Bob wins! 2^3 equals 8^1, and Bob completed second."),
        ({"order": "snake"}, "8b 2b 3e 1e", "Ann wins! 8^1 equals 2^3, and Ann completed second."),
    ],
)
def test_the_end_is_explained(settings: dict[str, object], moves: str, explanation: str) -> None:
    here = game(**settings)
    position = position_after(here, moves)
    outcome = here.outcome(position)
    assert outcome is not None
    assert here.explain(position, outcome, ("Ann", "Bob")) == explanation


def test_values_are_exact() -> None:
    assert value(Expression(7, 2)) == 49
    assert len(str(value(Expression(98, 99)))) == 198
