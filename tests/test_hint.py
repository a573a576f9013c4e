"""Hints: what they say is true of the position, and nothing is said where nothing is known."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import powerduels
from driver import piped
from powerduels.core import AnyGame
from powerduels.hints import hint_lines
from powerduels.match import Match
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import gain
from strategies import games


def hint(game_id: str, moves: str = "", preset: str | None = None, **options: str) -> list[str]:
    match = Match.of_moves(powerduels.game(game_id, preset=preset, **options), moves.split())
    return hint_lines(match, match.actors[0])


@pytest.mark.parametrize(
    ("game_id", "moves", "options", "told"),
    [
        ("power-match", "", {}, ["9b wins in 4 plies: whatever Player 2 answers, you can still win.", "9e wins too."]),
        ("power-match", "7b 9b 2e", {}, ["3e wins at once.", "4e, 5e, 6e, and 8e win too."]),
        (
            "power-match", "9b", {},
            ["7b sets the most problems, but Player 1 wins by best play in 3 plies: 1 of Player 1's 7 answers wins."],
        ),
        ("double-up", "", {}, ["2 wins in 11 plies: whatever Player 2 answers, you can still win."]),
        ("power-up", "3", {}, ["3 wins at once.", "No other move does."]),
        ("power-up", "2", {}, ["1 keeps the draw: 1 of Player 1's 3 answers keeps the draw.", "No other move does."]),
        ("double-up", "", {"limit": "none"}, ["2 keeps the draw: whatever Player 2 answers keeps the draw."]),
        (
            "clash-of-powers", "", {},
            [
                "Choose by chance: 1 (1/5), 2 (1/5), 4 (1/5), 8 (1/5), and 16 (1/5).",
                "No choice is better or worse than another; only do not be predictable.",
            ],
        ),
        (
            "clash-of-powers", "1/1 2/2 4/4 8/8 16/16", {},
            ["Choose by chance: 4 (1/3), 8 (1/3), and 16 (1/3).", "That gives nothing away; 2 and 1 would."],
        ),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_said(game_id: str, moves: str, options: dict[str, str], told: list[str]) -> None:
    assert hint(game_id, moves, **options) == told


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("power-line", {"energy": "99", "nodes": "21", "length": "21"}),
        ("clash-of-powers", {"powers": "1,2,3,4,5,6,7,8,9,10"}),
    ],
)
def test_where_nothing_is_known_nothing_is_said(game_id: str, options: dict[str, str]) -> None:
    (line,) = hint(game_id, **options)
    assert line.startswith("There is no hint here")


CLAIMS = {
    r"(\S+) wins(?: in \d+ plies)?(?: at once\.|: whatever|: \S+ has one|: .* can do nothing)": 1,
    r"(\S+) keeps the draw": 0,
    r"(\S+) sets the most problems, but .* wins by best play": -1,
}


@settings(max_examples=200)
@given(
    games("power-match", "double-up", "power-up", quick=True)
    | games("power-line", quick=True, energy="2", length="4", head_start="1"),
    st.integers(0, 2**32),
)
def test_what_is_said_of_a_move_is_true(game: AnyGame, seed: int) -> None:
    """The claim, the number of plies, and the answers counted, held against the general solver."""
    assume(game.kind.longest is not None and getattr(game.rules, "limit", 0) is not None)
    match = Match(game, ("Ann", "Ben"))
    chance = Random(seed)
    for _ in range(chance.randrange(6)):
        if match.result is not None:
            return
        moves = game.legal(match.position, match.player_of(match.actors[0]))
        match.choose(match.actors[0], moves[chance.randrange(len(moves))])
    if match.result is not None:
        return
    (seat,) = match.actors
    player, oracle = match.player_of(seat), GeneralOracle(game)
    first = hint_lines(match, seat)[0]
    ((claim, won),) = [(found, won) for pattern, won in CLAIMS.items() if (found := re.match(pattern, first))]
    move = game.move_codec.parse(claim[1])
    worth = oracle.worth_of_move(match.position, move)
    assert gain(worth, player) == gain(oracle.worth(match.position), player) == won
    if plies := re.search(r"in (\d+) plies", first):
        assert worth.plies == int(plies[1])
    if counts := re.search(r": (\d+) of \S+'s (\d+) answers?", first):
        after = game.apply(match.position, (move,))
        assert len(oracle.best_moves(after)) == int(counts[1])
        assert len(game.legal(after, 1 - player)) == int(counts[2])


def test_a_hint_is_given_at_the_prompt_and_costs_no_turn(tmp_path: Path) -> None:
    told = piped(tmp_path, "play", "power-match", "--p1=human:Ann", "--p2=human:Ben", typed="hint\nquit\n")
    assert "9b wins in 4 plies: whatever Ben answers, you can still win.\n9e wins too.\n" in told.output
    assert told.status == 0


def test_a_hint_tells_nothing_of_a_sealed_choice(tmp_path: Path) -> None:
    """The second player asks after the first has chosen; the answer is the same whatever that was."""
    said = {
        piped(tmp_path, "play", "clash", "--p1=human:Ann", "--p2=human:Ben", typed=f"{sealed}\nhint\n").output
        .partition("Saved")[0]
        for sealed in (1, 4, 16)
    }  # fmt: skip
    assert len(said) == 1
    assert "Choose by chance: 1 (1/5)" in said.pop()


def test_before_the_game_has_begun_there_is_no_hint(tmp_path: Path) -> None:
    told = piped(tmp_path, "play", "clash", typed="hint\n")
    assert "The game has not begun" in told.output
