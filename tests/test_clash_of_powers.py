"""Clash of Powers in detail: what messages say, and the ends of games."""

import pytest

from powerduels.core import IllegalMove, Kind
from powerduels.games.clash_of_powers import ClashOfPowers
from powerduels.text import make_game, parse_ply
from strategies import position_after


def game(**settings: object) -> ClashOfPowers:
    return make_game(ClashOfPowers, settings)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({}, Kind(simultaneous=True, can_cycle=False, can_draw=True, longest=6)),
        ({"tiebreak": "none"}, Kind(simultaneous=True, can_cycle=False, can_draw=True, longest=5)),
        ({"tiebreak": "repeat"}, Kind(simultaneous=True, can_cycle=True, can_draw=True, longest=None)),
        ({"powers": "1,2"}, Kind(simultaneous=True, can_cycle=False, can_draw=True, longest=3)),
    ],
)
def test_kind(settings: dict[str, str], kind: Kind) -> None:
    assert game(**settings).kind == kind


@pytest.mark.parametrize(
    ("settings", "moves", "explanation"),
    [
        ({}, "1/2 2/4 4/8", "Ann has won three duels and wins the game!"),
        ({}, "2/1 4/2 8/4", "Bob has won three duels and wins the game!"),
        ({"duels_to_win": 1}, "1/2", "Ann has won one duel and wins the game!"),
        (
            {},
            "4/4 16/16 1/2 2/8 8/1",
            "All powers are used. Ann has won more duels and wins the game, 2 victories to 1!",
        ),
        (
            {"powers": "1,3,9"},
            "3/1 1/9 9/3",
            "All powers are used. Ann has won more duels and wins the game, 2 victories to 1!",
        ),
        ({"powers": "1,2", "tiebreak": "none"}, "1/1 2/2", "The score is tied after all duels: the game is a draw."),
        ({"powers": "1,2"}, "1/1 2/2 2/2", "The score is tied after the final duel: the game is a draw."),
        ({"powers": "1,2"}, "1/1 2/2 2/1", "Bob has won the final duel and wins the game!"),
    ],
)
def test_the_end_is_explained(settings: dict[str, object], moves: str, explanation: str) -> None:
    here = game(**settings)
    position = position_after(here, moves)
    outcome = here.outcome(position)
    assert outcome is not None
    assert here.explain(position, outcome, ("Ann", "Bob")) == explanation


@pytest.mark.parametrize(("ply", "left"), [("3/1", "1, 2, 8, 16"), ("4/1", "1, 2, 8, 16"), ("1/8", "1, 2, 4, 16")])
def test_a_refusal_names_what_is_left_but_not_what_was_chosen(ply: str, left: str) -> None:
    """The choice is secret, and a slip may tell it."""
    with pytest.raises(IllegalMove) as refused:
        game().play(position_after(game(), "4/8"), parse_ply(game(), ply))
    assert str(refused.value) == f"That power is not among yours; left: {left}."


def test_both_must_choose() -> None:
    with pytest.raises(IllegalMove, match=r"^2 must choose here, but 1 moves are given\.$"):
        game().play(game().initial(), (4,))


def test_the_final_duel_is_not_counted_as_a_duel_before_it() -> None:
    """A victory in it may be the third, and is still told as the tiebreak's."""
    here = game()
    position = position_after(here, "4/8 16/16 8/4 2/1 1/2 4/8")
    assert position.score == (3, 2)
    outcome = here.outcome(position)
    assert outcome is not None
    assert outcome.reason == "tiebreak"
    assert here.actors(position) == ()
