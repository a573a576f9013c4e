"""Reviews: marks, accuracy, the turning point, and skill apart from luck, held against independent arithmetic."""

import json
import shlex
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powerduels
from driver import Finished, piped
from powerduels.analyse import expert
from powerduels.core import AnyGame
from powerduels.match import Match
from powerduels.records import format_record
from powerduels.review import Review, review, review_json, review_lines
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import gain
from strategies import games, random_game


def reviewed(game_id: str, moves: str, preset: str | None = None, **options: str) -> Review:
    match = Match.of_moves(powerduels.game(game_id, preset=preset, **options), moves.split())
    match.players = ("Ann", "Ben")
    return review(match.record())


def marks(told: Review) -> list[str]:
    return [move.mark for move in told.moves]


# Marks


@pytest.mark.parametrize(
    ("game_id", "moves", "options", "expected"),
    [
        ("power-match", "9b 8b 7e 6e", {}, ["best", "best", "best", "best"]),
        ("power-match", "5e 4e 1b 2b", {}, ["blunder", "blunder", "blunder", "best"]),
        ("power-up", "2 1 1 1 3 3", {}, ["best", "best", "best", "best", "loses", "best"]),
        ("power-up", "1", {"base": "8", "stall_limit": "1"}, ["slips"]),
        (
            "power-up",
            "3 2 1 3 3",
            {"stalling": "once", "target": "10^12"},
            ["blunder", "blunder", "best", "good", "best"],
        ),
    ],
    ids=str,
)
def test_marks(game_id: str, moves: str, options: dict[str, str], expected: list[str]) -> None:
    assert marks(reviewed(game_id, moves, **options)) == expected


def small_turn_games() -> st.SearchStrategy[AnyGame]:
    return games("power-match", "power-up", quick=True) | games("double-up", quick=True, limit="30", start="2")


@settings(max_examples=60)
@given(small_turn_games(), st.integers(0, 2**32))
def test_what_is_given_away_is_what_the_general_solver_says(game: AnyGame, seed: int) -> None:
    """Marks, scores and accuracy from the worth of every position, settled independently."""
    if game.kind.longest is None:
        return
    oracle, match = GeneralOracle(game), Match(game, ("Ann", "Ben"), first=seed % 2)
    kept = {0: [0, 0], 1: [0, 0]}
    expected: list[tuple[int, str, Fraction | None, Fraction | None]] = []
    for position, ply, after in random_game(game, Random(seed), 30):
        (player,) = game.actors(position)
        gains = [gain(oracle.worth_of_move(position, move), player) for move in game.legal(position, player)]
        before, now = max(gains), gain(oracle.worth(after), player)
        seat = match.seat_of(player)
        kept[seat][0] += before - now
        kept[seat][1] += before - min(gains)
        fastest = oracle.worth_of_move(position, ply[0]).plies == oracle.worth(position).plies
        mark = {(1, 0): "slips", (0, -1): "loses", (1, -1): "blunder"}.get((before, now), "best" if fastest else "good")
        expected.append((seat, mark, Fraction(before - now), Fraction(before - min(gains))))
        match.choose(seat, ply[0])
    told = review(match.record())
    assert [(move.seat, move.mark, move.given_away, move.at_stake) for move in told.moves] == expected
    for seat, (given_away, at_stake) in kept.items():
        assert told.accuracy(seat) == (100 * (1 - Fraction(given_away, at_stake)) if at_stake else None)
    mistakes = [number for number, (_, _, cost, _) in enumerate(expected, 1) if cost]
    assert (told.turning_point.ply if told.turning_point else None) == (mistakes[-1] if mistakes else None)


# Duels


@pytest.mark.parametrize("preset", [None, "sharp"])
def test_skill_and_luck_add_up_to_the_result(preset: str | None) -> None:
    """The result is the value of the game, less what seat 1 gave away, plus what seat 2 did, plus luck."""
    game = powerduels.game("clash-of-powers", preset=preset)
    lucky = 0
    for seed in range(40):
        match = Match(game, ("Ann", "Ben"))
        for _, ply, _ in random_game(game, Random(seed), 9):
            for seat, move in enumerate(ply):
                match.choose(seat, move)
        told = review(match.record())
        assert match.result is not None
        score = 0 if match.result.winner is None else 1 - 2 * match.result.winner
        assert told.course[0] - told.given_away(0) + told.given_away(1) + told.fortune == score  # type: ignore[operator]
        assert all(move.given_away is not None and move.given_away >= 0 for move in told.moves)
        lucky += told.fortune != 0
    assert lucky > 20


def test_luck_is_fair_where_both_play_an_optimal_mix() -> None:
    """Expected over both mixes, how a duel falls is worth nothing."""
    game = powerduels.game("clash-of-powers", preset="sharp")
    start = game.initial()
    choices = expert(game).analyse(start).choices
    fallen = Fraction()
    for first in choices[0].moves:
        for second in choices[1].moves:
            told = reviewed("clash-of-powers", f"{first.move}/{second.move}", preset="sharp")
            assert told.luck[0] is not None
            assert first.weight is not None
            assert second.weight is not None
            fallen += first.weight * second.weight * told.luck[0]
    assert fallen == 0


def test_where_no_choice_could_be_a_mistake_none_is_invented() -> None:
    told = reviewed("clash-of-powers", "16/8 8/4 4/2")
    assert {move.at_stake for move in told.moves} == {0}
    assert (told.accuracy(0), told.accuracy(1), told.turning_point) == (None, None, None)
    lines = review_lines(told)
    assert "Ann: no choice here could be a mistake." in lines
    assert "The game never turned: nobody gave anything away." in lines
    assert "Luck, in how the duels fell: Ben was luckier, by 1." in lines


def test_a_mistake_in_the_tiebreak_is_one() -> None:
    told = reviewed("clash-of-powers", "1/1 2/2 4/4 8/8 16/16 1/4")
    assert told.moves[-2].mark == "mistake"
    assert told.moves[-2].given_away == Fraction(1)
    assert told.accuracy(0) == 0
    assert told.accuracy(1) == 100
    assert told.turning_point == told.moves[-2]


# Unknown, unfinished, resigned


def test_what_cannot_be_settled_is_said_to_be_unknown() -> None:
    told = reviewed("power-line", "0=1 1=1", energy="99", nodes="21", length="21")
    assert marks(told) == ["unknown", "unknown"]
    assert told.course == [None, None, None]
    lines = review_lines(told)
    assert "The game is not over; who wins from here is not known." in lines
    assert "Where it turned cannot be told: not every position could be settled." in lines
    assert review_json(told)["accuracy"] == {"1": None, "2": None}


def test_the_last_plies_of_a_long_game_are_settled() -> None:
    """A default game of Power Line: whatever is known agrees with the winner, and nothing else is claimed."""
    game = powerduels.game("power-line")
    match = Match(game, ("Ann", "Ben"))
    for _, ply, _ in random_game(game, Random(5), 40):
        match.choose(match.actors[0], ply[0])
    told = review(match.record())
    assert match.result is not None
    assert told.course[-1] == 1 - 2 * match.result.winner  # type: ignore[operator]
    assert told.course[-2] is not None
    for move in told.moves:
        assert (move.mark == "unknown") == (move.given_away is None)


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("", "The game is not over: it is a draw by best play."),
        ("3", "The game is not over: Ben wins by best play."),
        ("2 3", "The game is not over: Ann wins by best play."),
    ],
)
def test_unfinished_games_are_reviewed(moves: str, told: str) -> None:
    assert review_lines(reviewed("power-up", moves))[-1] == told


def test_who_resigned_without_need_is_told() -> None:
    match = Match(powerduels.game("power-up"), ("Ann", "Ben"))
    match.choose(0, 3)
    match.resign(1)
    assert review_lines(review(match.record()))[-1].endswith("By best play Ben was ahead then.")


# The picture and the command


@pytest.mark.parametrize(("moves", "rows"), [
    ("2 1 1 1 3 3", ["  +", "  = =====", "  -      --", "    |......"]),
    ("", ["  +", "  = =", "  -", "    |"]),
])  # fmt: skip
def test_the_course_is_drawn(moves: str, rows: list[str]) -> None:
    lines = review_lines(reviewed("power-up", moves))
    begin = lines.index("The course for seat 1, from the start on:")
    assert lines[begin + 1 : begin + 5] == rows


def test_marks_of_worth_are_coloured_and_nothing_else() -> None:
    told = reviewed("power-up", "2 1 1 1 3 3")
    coloured = review_lines(told, lambda worth, text: f"<{worth}>{text}</>")
    plain = review_lines(told)
    assert "<loss>-</>" in "".join(coloured)
    for worth in ("win", "draw", "loss"):
        coloured = [line.replace(f"<{worth}>", "") for line in coloured]
    assert [line.replace("</>", "").rstrip() for line in coloured] == [line.rstrip() for line in plain]


@pytest.mark.parametrize(("game_id", "moves"), [
    ("double-up", " ".join(map(str, range(2, 101)))), ("clash-of-powers", "1/1 2/2 4/4 8/8 16/16 1/4"),
])  # fmt: skip
def test_pictures_fit_sixty_columns(game_id: str, moves: str) -> None:
    lines = review_lines(reviewed(game_id, moves))
    begin = next(number for number, line in enumerate(lines) if "seat 1" in line and number)
    picture = lines[begin : lines.index("", begin)]
    assert max(map(len, picture)) <= 60


def run(home: Path, line: str) -> Finished:
    return piped(home, *shlex.split(line))


def write(path: Path, game_id: str, moves: str) -> None:
    match = Match.of_moves(powerduels.game(game_id), moves.split())
    match.players = ("Ann", "Ben")
    path.write_text(format_record(match.record()), encoding="utf-8")


def test_the_command_tells_a_review_and_leaves_the_file_alone(tmp_path: Path) -> None:
    write(tmp_path / "game.json", "power-match", "5e 4e 1b 2b")
    before = (tmp_path / "game.json").read_bytes()
    told = run(tmp_path, "review game.json")
    assert (told.status, told.errors) == (0, "")
    assert "It turned at move 3, 1b by Ann." in told.output
    assert "\x1b" not in told.output
    assert (tmp_path / "game.json").read_bytes() == before


def test_the_command_answers_in_json(tmp_path: Path) -> None:
    write(tmp_path / "game.json", "power-match", "5e 4e 1b 2b")
    told = run(tmp_path, "review game.json --json")
    document: dict[str, Any] = json.loads(told.output)
    assert (told.status, told.errors) == (0, "")
    assert document["accuracy"] == {"1": "0", "2": "0"}
    assert document["turning_point"] == {"ply": 3, "seat": 1}
    assert document["course"] == ["1", "-1", "1", "-1", "-1"]
    assert document["moves"][0] == {
        "ply": 1, "seat": 1, "move": "5e", "mark": "blunder", "given_away": "2", "at_stake": "2",
        "better": ["9b", "9e"],
    }  # fmt: skip


@pytest.mark.parametrize("line", ["review", "review a b", "review none.json", "review game.json --jsn"])
def test_what_cannot_be_reviewed_is_refused(line: str, tmp_path: Path) -> None:
    told = run(tmp_path, line)
    assert told.status in (1, 2)
    assert told.output == ""
    assert "Traceback" not in told.errors
