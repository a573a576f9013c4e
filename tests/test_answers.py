"""Exact answers as JSON and as text: every field of what `solve` and `analyse` print, and how they end."""

import json
import shlex
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import powerduels
from driver import piped
from powerduels.analyse import expert, solve
from powerduels.answers import analysis_json, fraction_text, short_fraction, solve_json
from powerduels.match import Match
from powerduels.text import option_texts

SOLVE_FIELDS = {"game", "rules", "value", "best", "plies", "positions", "seconds"}
ANALYSE_FIELDS = {"game", "rules", "moves", "turn", "result", "seats"}
OMISSIONS = {"omitted", "best_omitted"}


def answer(home: Path, line: str) -> dict[str, Any]:
    """What a command prints with --json: one document, and nothing anywhere else."""
    done = piped(home, *shlex.split(line), "--json")
    assert (done.status, done.errors) == (0, "")
    document: dict[str, Any] = json.loads(done.output)
    return document


@pytest.mark.parametrize("game_id", ["power-match", "double-up", "power-up"])
def test_solve_tells_every_field(game_id: str, tmp_path: Path) -> None:
    document = answer(tmp_path, f"solve {game_id}")
    assert set(document) == SOLVE_FIELDS
    assert document["game"] == game_id
    assert document["rules"] == option_texts(powerduels.game(game_id))
    assert document["value"] in ("first", "second", "draw")
    assert all(isinstance(move, str) for move in document["best"])
    assert document["plies"] is None if document["value"] == "draw" else isinstance(document["plies"], int)
    assert isinstance(document["positions"], int)
    assert document["positions"] > 0
    assert isinstance(document["seconds"], float)


def test_solve_tells_the_mixes_where_chance_is_part_of_best_play(tmp_path: Path) -> None:
    document = answer(tmp_path, "solve clash --preset sharp")
    assert set(document) == SOLVE_FIELDS | {"strategies"}
    assert document["rules"]["duels_to_win"] == "2"
    assert (document["value"], document["best"], document["plies"]) == ("0", None, None)
    assert len(document["strategies"]) == 2
    for mix in document["strategies"]:
        assert list(mix) == ["1", "2", "4", "8", "16"]
        assert sum(map(Fraction, mix.values())) == 1
        assert all(Fraction(weight) >= 0 for weight in mix.values())


@pytest.mark.parametrize(
    ("line", "plies"),
    [("power-match", 4), ("double-up", 11), ("double-up --set limit=10^18", 117), ("power-up --set stalling=once", 5),
     ("power-up", None), ("double-up --set limit=none", None), ("double-up --set start=100", 0)],
)  # fmt: skip
def test_plies_are_the_length_under_best_play(line: str, plies: int | None, tmp_path: Path) -> None:
    assert answer(tmp_path, f"solve {line}")["plies"] == plies


def test_a_game_that_is_over_at_once_has_no_best_move(tmp_path: Path) -> None:
    document = answer(tmp_path, "solve double-up --set start=100")
    assert (document["value"], document["best"]) == ("second", [])


def test_where_every_first_move_is_as_good_all_are_told(tmp_path: Path) -> None:
    """A thousand of them at most; how many more there are is told as well."""
    lost = answer(tmp_path, "solve double-up --set start=11")
    assert lost["best"] == [str(number) for number in range(12, 23)]
    assert set(lost) == SOLVE_FIELDS
    many = answer(tmp_path, "solve double-up --set start=5000 --set limit=none")
    assert many["best"] == [str(number) for number in range(5001, 6001)]
    assert many["best_omitted"] == 4000
    assert set(many) == SOLVE_FIELDS | {"best_omitted"}
    assert "and 4000 more" in piped(tmp_path, "solve", "double-up", "--set", "start=5000", "--set", "limit=none").output


def test_analyse_tells_every_field(tmp_path: Path) -> None:
    document = answer(tmp_path, "analyse power-up --moves '3 1'")
    assert set(document) == ANALYSE_FIELDS
    assert (document["game"], document["moves"], document["turn"], document["result"]) == (
        "power-up",
        ["3", "1"],
        [1],
        None,
    )
    assert document["rules"] == option_texts(powerduels.game("power-up"))
    assert document["seats"] == {
        "1": [
            {"move": "3", "value": "win", "plies": 1},
            {"move": "1", "value": "loss", "plies": 2},
            {"move": "2", "value": "loss", "plies": 2},
        ]
    }


def test_worth_is_told_from_the_point_of_view_of_the_seat_named(tmp_path: Path) -> None:
    first, second = (answer(tmp_path, f"analyse double-up --moves '{moves}'") for moves in ("2 4", "2 4 5"))
    assert (first["turn"], set(first["seats"])) == ([1], {"1"})
    assert {one["move"]: one["value"] for one in first["seats"]["1"]} == {
        "5": "win", "6": "loss", "7": "loss", "8": "loss",
    }  # fmt: skip
    assert (second["turn"], set(second["seats"])) == ([2], {"2"})
    assert {one["value"] for one in second["seats"]["2"]} == {"loss"}


def test_analyse_tells_expected_scores_and_weights_of_both_seats(tmp_path: Path) -> None:
    """At preset `sharp` after 16 against 4 the scores are those of a game that is no longer even."""
    document = answer(tmp_path, "analyse clash --preset sharp --moves 16/4")
    assert set(document) == ANALYSE_FIELDS
    assert (document["moves"], document["turn"]) == (["16/4"], [1, 2])
    game = powerduels.game("clash-of-powers", "sharp")
    analysis = expert(game).analyse(game.play(game.initial(), (16, 4)))
    assert not isinstance(analysis.worth, tuple)
    for seat, hand, sign in (("1", "1 2 4 8", 1), ("2", "1 2 8 16", -1)):
        entries = document["seats"][seat]
        assert {frozenset(entry) for entry in entries} == {frozenset({"move", "value", "weight"})}
        assert sorted((entry["move"] for entry in entries), key=int) == hand.split()
        assert sum(Fraction(entry["weight"]) for entry in entries) == 1
        expected = sum(Fraction(entry["weight"]) * Fraction(entry["value"]) for entry in entries)
        assert expected == sign * analysis.worth
        assert max(Fraction(entry["value"]) for entry in entries) == expected
    assert analysis.worth != 0


@pytest.mark.parametrize(
    ("line", "winner"),
    [("power-up --moves '3 2 2'", 1), ("double-up --set limit=3 --moves '2 3'", 2),
     ("clash --moves '1/1 2/2 4/4 8/8 16/16 4/4'", None), ("power-match --moves '9b 8b 7e 6e'", 1),
     ("power-up --moves '1 1 1 1 1 1 1 1'", None)],
)  # fmt: skip
def test_a_finished_position_has_nobody_to_choose(line: str, winner: int | None, tmp_path: Path) -> None:
    document = answer(tmp_path, f"analyse {line}")
    assert set(document) == ANALYSE_FIELDS
    assert (document["turn"], document["seats"]) == ([], {})
    assert set(document["result"]) == {"winner", "by", "reason"}
    assert (document["result"]["winner"], document["result"]["by"]) == (winner, "rules")
    assert piped(tmp_path, "analyse", *shlex.split(line)).output == f"{document['result']['reason']}\n"


@pytest.mark.parametrize(
    ("line", "listed", "omitted", "best_omitted"),
    [
        ("--set start=5000 --set limit=10000", 1000, 4000, 0),
        ("--set start=10^17 --set limit=10^18", 1000, 10**17 - 1000, 0),
        ("--set start=4999 --set limit=10000", 1000, 3999, 3999),
        ("--set start=5000 --set limit=none", 1000, 4000, 4000),
    ],
)
def test_of_many_moves_those_that_keep_the_worth_come_first(
    line: str, listed: int, omitted: int, best_omitted: int, tmp_path: Path
) -> None:
    document = answer(tmp_path, f"analyse double-up {line}")
    assert set(document) == ANALYSE_FIELDS | OMISSIONS
    (entries,) = document["seats"].values()
    assert len(entries) == listed == len({entry["move"] for entry in entries})
    assert (document["omitted"], document["best_omitted"]) == ({"1": omitted}, {"1": best_omitted})
    values = [entry["value"] for entry in entries]
    if not best_omitted:
        assert values == ["win", *["loss"] * 999]
    shown = piped(tmp_path, "analyse", "double-up", *shlex.split(line)).output
    assert f"and {omitted} moves more, {best_omitted} of them as good" in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("analyse power-up --moves '3 x'", "move 2 'x'"),
        ("analyse power-up --moves '3 4'", "4 is not one of the exponents"),
        ("analyse power-up --moves '3 2 2 1'", "move 4"),
        ("analyse clash --moves 4", "1 moves are given"),
        ("analyse clash --moves 4/3", "That power is not among yours"),
        ("analyse power-match --moves '9b 9e'", "9 is taken"),
        (f"analyse double-up --moves {'1' * 5000}", "too long a number"),
        ("analyse power-down", "There is no game"),
        ("solve power-up --set base=300", "not below the target"),
        ("solve double-up --set limt=5", "Did you mean limit?"),
        ("solve double-up --moves 2", "--moves"),
    ],
)
def test_what_cannot_be_answered_for_is_wrong_usage(line: str, told: str, tmp_path: Path) -> None:
    for json_wanted in ([], ["--json"]):
        done = piped(tmp_path, *shlex.split(line), *json_wanted)
        assert (done.status, done.output) == (2, "")
        assert told in done.errors
        assert done.errors.count("\n") <= 2


def test_python_answers_like_the_command(tmp_path: Path) -> None:
    for game_id in ("power-match", "double-up", "power-up", "clash-of-powers"):
        game = powerduels.game(game_id)
        told = answer(tmp_path, f"solve {game_id}") | {"seconds": None}
        assert solve_json(game, solve(game)) | {"seconds": None} == told
        match = Match(game)
        assert analysis_json(match, expert(game).analyse(match.position)) == answer(tmp_path, f"analyse {game_id}")


def test_people_are_told_in_sentences(tmp_path: Path) -> None:
    said = piped(tmp_path, "solve", "power-match", "--set", "pool=6").output.splitlines()
    assert said[:-1] == [
        "Power Match, with pool=6.",
        "By best play the player who starts wins, in 4 plies.",
        "First moves that keep that: 4b 5e 6b 6e",
    ]
    assert said[-1].startswith("1")
    assert piped(tmp_path, "analyse", "power-up", "--moves", "2").output.splitlines() == [
        "Player 2 to choose:",
        "        1  = draw",
        "        2  - loss in 2 plies",
        "        3  - loss in 2 plies",
    ]


def test_numbers_of_thousands_of_digits_are_told_in_full(tmp_path: Path) -> None:
    """Python alone would refuse to write more than 4,300 of them, and so it does with what others send."""
    document = answer(tmp_path, "solve clash --set powers=1,2,3,4,5,6,7")
    weights = [weight for mix in document["strategies"] for weight in mix.values()]
    assert max(map(len, weights)) > 2 * sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert [sum(map(Fraction, mix.values())) for mix in document["strategies"]] == [1, 1]
    finally:
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)


@given(st.fractions())
def test_a_fraction_is_told_exactly(value: Fraction) -> None:
    assert Fraction(fraction_text(value)) == value
    assert fraction_text(int(value)) == str(int(value))


def test_long_fractions_leave_the_limit_for_input_as_it_is() -> None:
    before = sys.get_int_max_str_digits()
    assert fraction_text(Fraction(10**5000 + 1, 10**4999)) == f"1{'0' * 4999}1/1{'0' * 4999}"
    assert sys.get_int_max_str_digits() == before
    with pytest.raises(ValueError, match="limit"):
        int("1" * 5000)


def test_people_are_told_the_size_of_a_long_fraction() -> None:
    assert short_fraction(Fraction(-1, 3)) == "-1/3"
    assert short_fraction(Fraction(-(10**50) - 1, 10**60)) == "a fraction of 51 by 61 digits"
