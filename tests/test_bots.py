"""The computer's levels: legal and repeatable choices, an exact order of strength, and a fifth that is perfect."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powerduels
from powerduels.analyse import expert
from powerduels.bots import perfect
from powerduels.bots.computer import LEVELS, Computer, computer, drawn, favourites
from powerduels.bots.habits import HABITS, optimal_mix
from powerduels.bots.measure import expected_score, exploitability, losses
from powerduels.bots.sights import sight_of
from powerduels.core import AnyGame, move_count
from powerduels.match import Match
from powerduels.players import PlayerError, parse_player
from powerduels.records import RecordError, parse_record
from powerduels.solve.graph import explore
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import gain, preference
from strategies import games, random_game

ROOT = Path(__file__).parent.parent
TURNS = ("power-match", "double-up", "power-up", "power-line")
SMALL_LINE = {"energy": "5", "length": "4", "nodes": "3"}


def play(game: AnyGame, players: tuple[Computer, Computer]) -> Match:
    match = Match(game)
    while match.result is None:
        for seat in match.waiting_for:
            match.choose(seat, players[seat].choose(match.view(seat)))
    return match


# Who they are


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_is_a_player(level: str) -> None:
    player = parse_player(f"computer:{level}", "seed")
    assert isinstance(player, Computer)
    assert player.level == int(level)


@pytest.mark.parametrize("who", ["computer:0", "computer:6", "computer:", "computer", "computer:05", "computer:five"])
def test_other_levels_are_refused(who: str) -> None:
    with pytest.raises(PlayerError, match="levels 1 to 5"):
        parse_player(who)


# What they choose


@settings(max_examples=40)
@given(games(quick=True), st.integers(1, 4), st.integers(0, 99))
def test_choices_are_legal_and_repeatable(game: AnyGame, level: int, seed: int) -> None:
    """Every choice is legal, and the same again from the same seed, whatever else was asked in between."""
    if game.kind.simultaneous and len(game.rules.powers) > 4:
        level = min(level, 2)
    once, again = computer(str(level), f"{seed}"), computer(str(level), f"{seed}")
    match = Match(game)
    for _ in range(6):
        if match.result is not None:
            break
        for seat in match.waiting_for:
            move = once.choose(match.view(seat))
            assert move in game.legal(match.position, match.player_of(seat))
            again.choose(match.view(match.waiting_for[-1]))
            assert again.choose(match.view(seat)) == move
            match.choose(seat, move)


def test_a_sealed_choice_changes_nothing() -> None:
    """What the other seat has sealed cannot be seen, so the same is chosen whatever it is."""
    chosen = set()
    for sealed in (1, 2, 4, 8, 16):
        match = Match(powerduels.game("clash-of-powers"))
        match.choose(0, sealed)
        chosen.add(tuple(computer(level, "seed").choose(match.view(1)) for level in LEVELS))
    assert len(chosen) == 1


def test_choices_among_moves_that_are_alike_differ_by_seed_and_by_ply() -> None:
    game = powerduels.game("power-match")
    view = Match(game).view(0)
    assert len({computer("1", f"{seed}").choose(view) for seed in range(50)}) > 5


def test_moves_are_drawn_as_often_as_a_mix_says() -> None:
    """Each of the draws there are comes once: a third is exactly a third."""

    class Counting(Random):
        def randrange(self, *arguments: Any) -> int:
            assert arguments == (6,)
            return next(places)

    places = iter(range(6))
    mix = {"a": Fraction(1, 3), "b": Fraction(1, 2), "c": Fraction(1, 6)}
    assert Counter(drawn(mix, Counting()) for _ in range(6)) == {"a": 2, "b": 3, "c": 1}


# Strength, exactly


@pytest.mark.parametrize(
    ("game_id", "options", "strict"),
    [
        ("power-match", {}, 4), ("power-match", {"order": "snake"}, 4), ("power-match", {"pool": "6"}, 4),
        ("double-up", {}, 5), ("double-up", {"limit": "31"}, 5), ("double-up", {"limit": "50"}, 5),
        ("power-up", {}, 3), ("power-up", {"target": "10^100"}, 3), ("power-up", {"stalling": "once"}, 4),
        ("power-up", {"stalling": "once", "target": "10^30"}, 5),
        ("power-up", {"exponents": "2,3,5", "target": "10^50"}, 4), ("power-line", SMALL_LINE, 5),
    ],
    ids=str,
)  # fmt: skip
def test_each_level_gives_away_less_than_the_one_below(game_id: str, options: dict[str, str], strict: int) -> None:
    """Up to the level that sees all there is in the game; from there on nothing is given away."""
    game = powerduels.game(game_id, **options)
    given = [losses(game, level).given_away for level in range(1, 6)]
    assert given[:strict] == sorted(set(given), reverse=True)
    assert given[strict - 1 :] == [0] * (6 - strict)


@pytest.mark.parametrize("preset", [None, "sharp"])
@pytest.mark.parametrize("player", [0, 1])
def test_habits_are_less_exploitable_from_level_to_level(preset: str | None, player: int) -> None:
    game = powerduels.game("clash-of-powers", preset=preset)
    exploitable = [exploitability(game, habit, player) for habit in HABITS]
    assert exploitable == sorted(set(exploitable), reverse=True)
    assert exploitable[-1] == 0


@pytest.mark.parametrize("preset", [None, "sharp"])
def test_each_habit_scores_against_the_one_below(preset: str | None) -> None:
    """The exact expected score: no number of games would be more significant."""
    game = powerduels.game("clash-of-powers", preset=preset)
    for below, habit in pairwise(HABITS):
        assert expected_score(game, (habit, below)) > 0
        assert expected_score(game, (below, habit)) < 0


@pytest.mark.parametrize("preset", [None, "sharp"])
def test_the_habits_are_mixes_everywhere(preset: str | None) -> None:
    game = powerduels.game("clash-of-powers", preset=preset)
    for seed in range(30):
        last = None
        for position, ply, _ in random_game(game, Random(seed), 9):
            for habit in HABITS:
                for player in (0, 1):
                    mix = habit(game, position, player, last)
                    assert sum(mix.values()) == 1
                    assert min(mix.values()) > 0
                    assert set(mix) <= set(game.legal(position, player))
            last = ply


GAMES_EACH = 60
"""A level that were only as good as the one below would pass with a chance of less than 1 in 1,000 each time."""


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_each_level_beats_the_one_below(level: int, soak_or: Callable[[int, int], int]) -> None:
    """By the sign test over decided games of all turn-based games from both seats, at 0.1 %."""
    option_sets: list[tuple[str, dict[str, str]]] = [
        ("power-match", {}), ("power-match", {"order": "snake"}), ("power-match", {"pool": "6"}), ("double-up", {}),
        ("double-up", {"limit": "50"}), ("double-up", {"limit": "200"}), ("power-up", {}),
        ("power-up", {"stalling": "once", "target": "10^30"}), ("power-up", {"target": "10^100"}),
        ("power-line", SMALL_LINE),
    ]  # fmt: skip
    won = lost = 0
    for game_id, options in option_sets:
        game = powerduels.game(game_id, **options)
        for number in range(soak_or(GAMES_EACH, 20 * GAMES_EACH)):
            seat = number % 2
            levels = (level, level - 1) if seat == 0 else (level - 1, level)
            result = play(game, tuple(Computer(one, f"{game_id}{number}") for one in levels)).result  # type: ignore[arg-type]
            assert result is not None
            won += result.winner == seat
            lost += result.winner == 1 - seat
    decided = won + lost
    chance = Fraction(sum(comb(decided, more) for more in range(won, decided + 1)), 2**decided)
    assert chance < Fraction(1, 1000), f"{won} won, {lost} lost"


# The perfect level


def quick_turn_games() -> st.SearchStrategy[AnyGame]:
    return (
        games("power-match", "double-up", "power-up", quick=True)
        | games("power-line", quick=True, energy="3", length="5", head_start="0")
        | games("power-line", quick=True, energy="2", head_start="1")
    )


@settings(max_examples=150)
@given(quick_turn_games(), st.integers(0, 2**32), st.booleans())
def test_perfect_play_never_gives_anything_away(game: AnyGame, seed: int, first: bool) -> None:
    """In any game with any options against random moves: no worth is lost, and nothing faster was there to win."""
    oracle = expert(game).oracle  # type: ignore[union-attr]
    player, position, chance = 0 if first else 1, game.initial(), Random(seed)
    for _ in range(60):
        actors = game.actors(position)
        if not actors:
            break
        legal = game.legal(position, actors[0])
        if actors == (player,):
            before = preference(oracle.worth(position), player)
            chosen = favourites(game, position, 5)
            after = [preference(oracle.worth_of_move(position, move), player) for move in chosen[:50]]
            assert set(after) == {before}
            move = chosen[0]
        else:
            move = legal[chance.randrange(move_count(legal))]
        position = game.apply(position, (move,))


@pytest.mark.parametrize(("game_id", "options"), [("power-match", {}), ("double-up", {}), ("power-up", {})])
def test_perfect_play_beats_every_level_where_it_can(game_id: str, options: dict[str, str]) -> None:
    """From the side that wins, against every level; where nobody can force a win, it is never beaten."""
    game = powerduels.game(game_id, **options)
    value = expert(game).analyse(game.initial()).worth.winner  # type: ignore[union-attr]
    for level in range(1, 6):
        for seed in range(10):
            for seat in (0, 1):
                levels = (5, level) if seat == 0 else (level, 5)
                result = play(game, tuple(Computer(one, f"{seed}") for one in levels)).result  # type: ignore[arg-type]
                assert result is not None
                if value == seat:
                    assert result.winner == seat
                elif value is None:
                    assert result.winner in (seat, None)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("power-up", {"stalling": "once", "target": "10^30"}), ("power-up", {"exponents": "2,3,5", "target": "10^50"}),
        ("double-up", {"limit": "40"}), ("power-match", {"pool": "5"}), ("power-line", {"energy": "2", "length": "4"}),
    ],
    ids=str,
)  # fmt: skip
def test_the_loser_delays_and_leaves_the_fewest_winning_answers(game_id: str, options: dict[str, str]) -> None:
    """In every lost position each chosen move lasts longest, and no other that does so is harder to answer."""
    game = powerduels.game(game_id, **options)
    oracle = GeneralOracle(game)
    graph = explore(game, game.initial())
    lost = 0
    for position, player in zip(graph.positions, graph.actors, strict=True):
        if player is None or gain(oracle.worth(position), player) >= 0:
            continue
        lost += 1
        longest = [
            move
            for move in game.legal(position, player)
            if oracle.worth_of_move(position, move).plies == oracle.worth(position).plies
        ]
        fewest = min(winning_answers(oracle, position, player, move) for move in longest)
        for move in favourites(game, position, 5):
            assert move in longest
            assert winning_answers(oracle, position, player, move) == fewest
    assert lost > 3


def winning_answers(oracle: GeneralOracle, position: Any, player: int, move: Any) -> int:
    after = oracle.game.apply(position, (move,))
    return len(oracle.best_moves(after)) if oracle.game.actors(after) == (1 - player,) else 0


def test_a_loser_who_can_only_search_picks_among_the_moves_that_strike_the_eye() -> None:
    """Of those, the ones with the fewest winning answers among the most striking, told by the general solver."""
    game = powerduels.game("power-line", **SMALL_LINE)
    oracle = GeneralOracle(game)
    assert expert(game).oracle.searches  # type: ignore[union-attr]
    order = sight_of(game).order
    seen = 0
    for seed in range(60):
        for position, _, _ in random_game(game, Random(seed), 12):
            (player,) = game.actors(position)
            striking = order(game, position)[: perfect.MOVES_SEARCHED]
            if gain(oracle.worth(position), player) >= 0 or len(game.legal(position, player)) == 1:
                continue
            counts = {}
            for move in striking:
                after = game.apply(position, (move,))
                goes_on = game.actors(after) == (1 - player,)
                answers = order(game, after)[: perfect.ANSWERS_SEARCHED] if goes_on else []
                wins = sum(gain(oracle.worth_of_move(after, answer), player) < 0 for answer in answers)
                counts[move] = (not game.actors(after), wins)
            seen += 1
            assert favourites(game, position, 5) == [move for move in striking if counts[move] == min(counts.values())]
    assert seen > 20


def test_perfect_duels_are_drawn_from_the_optimal_mix_of_the_answers() -> None:
    game = powerduels.game("clash-of-powers", preset="sharp")
    view = Match(game).view(0)
    drawn_moves = Counter(Computer(5, f"{seed}").choose(view) for seed in range(2000))
    mix = optimal_mix(game, game.initial(), 0)
    assert set(drawn_moves) == set(mix)
    assert all(abs(drawn_moves[move] - 2000 * weight) < 150 for move, weight in mix.items())


def test_where_answers_are_out_of_reach_it_looks_ahead() -> None:
    """With 99 energy nothing is known at the start, and still it moves."""
    game = powerduels.game("power-line", energy=99, nodes=21, length=21)
    assert set(favourites(game, game.initial(), 5)) <= set(favourites(game, game.initial(), 4))


@pytest.mark.parametrize("options", [{}, {"limit": "10^18"}, {"limit": "none"}], ids=str)
def test_long_ranges_of_moves_are_no_trouble(options: dict[str, str]) -> None:
    game = powerduels.game("double-up", **options)
    for level in LEVELS:
        match = Match(game)
        for _ in range(12):
            if match.result is None:
                (seat,) = match.waiting_for
                match.choose(seat, computer(level, "7").choose(match.view(seat)))


def test_a_record_may_name_the_computer() -> None:
    record = powerduels.format_record(
        play(powerduels.game("power-match"), (Computer(1, "1"), Computer(5, "1"))).record()
    )
    text = record.replace('"Player 1", "Player 2"', '"computer:1", "computer:5"')
    try:
        assert parse_record(text, powerduels.GAMES).players == ("computer:1", "computer:5")
    except RecordError as error:
        pytest.fail(str(error))


# The page about them


def test_the_page_about_the_levels_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "measure_levels.py"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
