"""Who may play: texts that name players, and the random player's choices."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powerduels.core import AnyGame, move_count
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.players import (
    Person,
    PlayerError,
    Program,
    RandomPlayer,
    fresh_seed,
    parse_player,
    player_of_record,
)
from powerduels.records import format_record, is_program, name_fault, parse_record
from powerduels.text import make_game, parse_ply
from strategies import games

MOST_PLIES = 60


def program(who: str, seed: str | None = None) -> Program:
    player = parse_player(who, seed)
    assert not isinstance(player, Person)
    return player


def play_on(match: Match, players: tuple[Program, Program], plies: int) -> None:
    for _ in range(plies):
        for seat in match.actors:
            match.choose(seat, players[seat].choose(match.view(seat)))


def match_of(game: AnyGame) -> Match:
    return Match(game, ("random", "random"))


# Texts


@pytest.mark.parametrize(
    ("who", "name"), [("human", None), ("human:Ann", "Ann"), ("human:Player 2", "Player 2"), ("human:Zoë", "Zoë")]
)
def test_people(who: str, name: str | None) -> None:
    assert parse_player(who) == Person(name)


def test_random_is_a_program() -> None:
    assert isinstance(parse_player("random"), RandomPlayer)
    assert isinstance(player_of_record("random"), RandomPlayer)


@pytest.mark.parametrize(
    "who",
    ["", "Ann", "Human", "HUMAN:Ann", " human", "random:", "random:7", "Random", "nobody:1", ":", ":Ann", "\x00"],
)
def test_texts_that_name_nobody(who: str) -> None:
    with pytest.raises(PlayerError) as refused:
        parse_player(who)
    assert str(refused.value).startswith(f"There is no player {who!r}. Players are human, human:NAME")
    assert str(refused.value).endswith(" and random.")


@pytest.mark.parametrize(
    ("who", "fault"),
    [
        ("human:", "A name cannot be empty."),
        ("human:human", "human stands for a kind of player and cannot be a name."),
        ("human:random", "random stands for a kind of player and cannot be a name."),
        ("human:a:b", "A name cannot hold a colon."),
        ("human: Ann", "A name consists of printable characters, with no blank at its ends."),
        ("human:A\x1bnn", "A name consists of printable characters, with no blank at its ends."),
        ("human:A\udcffnn", "A name consists of printable characters, with no blank at its ends."),
        (f"human:{'x' * 34}", None),
        (f"human:{'x' * 40}", None),
        (f"human:{'x' * 41}", "A name has at most 40 characters."),
    ],
)
def test_names_of_people(who: str, fault: str | None) -> None:
    if fault is None:
        assert parse_player(who) == Person(who.removeprefix("human:"))
        return
    with pytest.raises(PlayerError) as refused:
        parse_player(who)
    message = str(refused.value)
    assert message.startswith("'human:")
    assert message.endswith(f"': {fault}")
    assert message.isprintable()


@given(st.text(max_size=50) | st.text("human:rdo ", max_size=12))
def test_any_text_is_a_player_or_refused(who: str) -> None:
    try:
        player, refusal = parse_player(who), ""
    except PlayerError as error:
        player, refusal = None, str(error)
    if player is None:
        assert refusal.isprintable()
        assert refusal.endswith(".")
    else:
        assert who in ("human", "random") or player == Person(who.removeprefix("human:"))


@given(st.text(max_size=50).filter(lambda text: name_fault(text) is None))
def test_in_a_record_a_name_stands_for_a_person(entry: str) -> None:
    assert player_of_record(entry) == Person(entry)


@pytest.mark.parametrize("entry", ["bot:./bot", "llm:model@http://localhost"])
def test_a_record_may_name_programs_that_cannot_play_here(entry: str) -> None:
    assert is_program(entry)
    with pytest.raises(PlayerError, match=f"^There is no player '{entry}'"):
        player_of_record(entry)


# The random player


@given(games(), st.integers(0, 10**6), st.integers(0, MOST_PLIES), st.integers(1, MOST_PLIES))
def test_random_choices_are_repeated_by_their_seed_alone(game: AnyGame, seed: int, plies: int, back: int) -> None:
    """The same game comes out again, in one go, after a break, and after anything that was taken back."""
    players = program("random", str(seed)), program("random", str(seed))
    match = match_of(game)
    play_on(match, players, plies)
    goes_on = [Match.from_record(parse_record(format_record(match.record()), GAMES)), match_of(game)]
    if match.result is None:
        changed_minds = Match.from_record(match.record())
        changed_minds.take_back(min(back, len(match.plies)))
        goes_on.append(changed_minds)
    play_on(match, players, MOST_PLIES - len(match.plies))
    for again in goes_on:
        play_on(again, (program("random", str(seed)), program("random", str(seed))), MOST_PLIES - len(again.plies))
        assert again.record() == match.record()


def test_a_seed_says_the_same_on_every_machine_and_in_every_release() -> None:
    """Whoever notes down a seed can repeat the game later."""
    match = match_of(make_game(GAMES["power-line"], {}))
    play_on(match, (program("random", "7"), program("random", "7")), 6)
    assert " ".join(match.game.move_codec.format(move) for (move,) in match.plies) == "2=5 4=5 3=1 6=5 1=2 8=4"


def test_a_choice_depends_on_nothing_that_came_before() -> None:
    """Asked out of turn, twice or never before, the player answers alike."""
    match = match_of(make_game(GAMES["power-match"], {"pool": "99"}))
    player = program("random", "1")
    first = player.choose(match.view(0))
    assert player.choose(match.view(0)) == first
    match.choose(0, first)
    second = player.choose(match.view(1))
    assert program("random", "1").choose(match.view(1)) == second
    assert player.choose(match_of(match.game).view(0)) == first


def test_without_a_seed_no_two_players_choose_alike() -> None:
    match = match_of(make_game(GAMES["double-up"], {"start": str(10**17), "limit": str(10**18)}))
    choices = {program("random").choose(match.view(0)) for _ in range(50)}
    assert len(choices) == 50
    assert len({fresh_seed() for _ in range(50)}) == 50
    assert len(fresh_seed()) >= 32


@pytest.mark.parametrize(
    ("start", "limit"), [(1, 10**18), (10**17, 10**18), (10**18 - 1, 10**18), (10**30, "none"), (10**900, "none")]
)
def test_random_choices_work_on_windows_of_any_size(start: int, limit: int | str) -> None:
    game = make_game(GAMES["double-up"], {"start": start, "limit": str(limit)})
    match = match_of(game)
    for seed in range(20):
        move = program("random", str(seed)).choose(match.view(0))
        assert move in game.legal(match.position, 0)
    play_on(match, (program("random", "1"), program("random", "2")), 200)
    assert match.plies


def test_random_choices_reach_everywhere_in_a_large_window() -> None:
    """Each sixteenth of the window is met about as often as the others."""
    low = 10**17
    match = match_of(make_game(GAMES["double-up"], {"start": str(low), "limit": str(10**18)}))
    picks = (program("random", str(seed)).choose(match.view(0)) for seed in range(1600))
    assert_equally_likely(range(16), ((pick - low - 1) * 16 // low for pick in picks))


QUANTILES = {4: 18.47, 15: 37.70, 17: 40.79, 24: 51.18}
"""What chi-square exceeds once in a thousand times by chance, for each number of degrees of freedom."""


def assert_equally_likely(possible: Iterable[Any], picks: Iterable[Any]) -> None:
    """Every possibility was met about as often as the others, and nothing else was."""
    counts = dict.fromkeys(possible, 0)
    for pick in picks:
        counts[pick] += 1
    expected = sum(counts.values()) / len(counts)
    assert expected >= 20
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected
    assert chi_square < QUANTILES[len(counts) - 1]


def test_every_first_move_is_equally_likely_over_seeds() -> None:
    match = match_of(make_game(GAMES["power-match"], {}))
    picks = (program("random", str(seed)).choose(match.view(0)) for seed in range(1800))
    assert_equally_likely(match.game.legal(match.position, 0), picks)


def test_every_move_is_equally_likely_over_the_plies_of_one_seed() -> None:
    """The same position again and again: only the number of the ply tells the choices apart."""
    game = make_game(GAMES["clash-of-powers"], {})
    player, view = program("random", "1"), match_of(game).view(0)
    picks = [player.choose(view._replace(plies=((1, 1),) * plies)) for plies in range(2500)]
    assert_equally_likely(game.rules.powers, picks)
    assert_equally_likely(product(game.rules.powers, repeat=2), zip(picks[::2], picks[1::2], strict=True))


def test_two_random_players_with_one_seed_choose_independently() -> None:
    match = match_of(make_game(GAMES["clash-of-powers"], {}))
    pairs = []
    for seed in range(2500):
        player = program("random", str(seed))
        pairs.append((player.choose(match.view(0)), player.choose(match.view(1))))
    assert_equally_likely(product(match.game.rules.powers, repeat=2), pairs)


def test_a_random_choice_is_blind_to_what_the_other_has_sealed() -> None:
    choices = set()
    for power in (1, 2, 4, 8, 16):
        match = match_of(make_game(GAMES["clash-of-powers"], {}))
        match.choose(0, *parse_ply(match.game, str(power)))
        choices.add(program("random", "3").choose(match.view(1)))
    assert len(choices) == 1


def test_the_only_legal_move_is_found() -> None:
    match = match_of(make_game(GAMES["double-up"], {}))
    assert move_count(match.game.legal(match.position, 0)) == 1
    assert program("random").choose(match.view(0)) == 2
