"""The referee: sealed choices, seats, taking back, resigning, and what an interruption leaves behind."""

import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powerduels.core import AnyGame, IllegalMove
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.records import Record, Result, format_record, parse_record, replay
from powerduels.text import make_game, option_texts, parse_ply
from strategies import SEEDS, games, ply_number

MOST_PLIES = 40
EVERY_GAME = pytest.mark.parametrize("game_id", GAMES)


def match_of(game_id: str, moves: str = "", first: int = 0, **options: str) -> Match:
    """A match after a list of moves, each chosen by whoever must."""
    match = Match(make_game(GAMES[game_id], options), ("Ann", "Ben"), first)
    for text in moves.split():
        for seat, move in zip(match.actors, parse_ply(match.game, text), strict=True):
            match.choose(seat, move)
    return match


def play_at_random(match: Match, generator: random.Random, most_plies: int) -> None:
    for _ in range(most_plies):
        if match.result is not None:
            return
        ply = ply_number(match.game, match.position, generator.getrandbits(128))
        for seat, move in zip(match.actors, ply, strict=True):
            match.choose(seat, move)


def everything_of(match: Match) -> tuple[Any, ...]:
    """All that anybody may ask of a match, but for whom it is waiting."""
    views = tuple(match.view(seat) for seat in (0, 1))
    positions = match.position, tuple(match.positions), tuple(match.plies)
    return match.record(), views, positions, match.actors, match.names, match.result


# Sealed choices


@pytest.mark.parametrize("sealing", [0, 1])
def test_nothing_tells_a_sealed_choice(sealing: int) -> None:
    """Whatever seat chooses first and whatever it chooses, all is as it was, but for who must still choose."""
    before = everything_of(match_of("clash-of-powers", "4/8"))
    seen = set()
    for power in (1, 2, 16):
        match = match_of("clash-of-powers", "4/8")
        assert not match.choose(sealing, power)
        assert everything_of(match) == before
        assert match.waiting_for == (1 - sealing,)
        seen.add(repr(everything_of(match)) + format_record(match.record()) + repr(match.waiting_for))
    assert len(seen) == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_duel_is_fought_when_both_have_chosen_in_any_order(order: tuple[int, int]) -> None:
    match, powers = match_of("clash-of-powers"), (4, 8)
    assert [match.choose(seat, powers[seat]) for seat in order] == [False, True]
    assert match.plies == [(4, 8)]
    assert match.waiting_for == match.actors == (0, 1)


def test_a_sealed_choice_cannot_be_changed_unless_it_is_given_back() -> None:
    match = match_of("clash-of-powers")
    match.choose(0, 4)
    with pytest.raises(IllegalMove, match=r"^Ann has nothing to choose now\.$"):
        match.choose(0, 8)
    assert match.unseal()
    assert match.waiting_for == (0, 1)
    assert not match.unseal()
    match.choose(0, 8)
    match.choose(1, 2)
    assert match.plies == [(8, 2)]


def test_an_illegal_choice_seals_nothing() -> None:
    match = match_of("clash-of-powers", "4/8")
    with pytest.raises(IllegalMove, match=r"^That power is not among yours; left: 1, 2, 8, 16\.$"):
        match.choose(0, 4)
    assert match.waiting_for == (0, 1)
    assert not match.unseal()


def test_taking_back_and_resigning_give_sealed_choices_back() -> None:
    match = match_of("clash-of-powers", "4/8")
    match.choose(1, 1)
    match.take_back(1)
    assert set(match.waiting_for) == {0, 1}
    match.choose(1, 1)
    match.resign(0)
    assert not match.waiting_for
    assert not match.unseal()


# Seats and turns


@EVERY_GAME
@pytest.mark.parametrize("first", [0, 1])
def test_first_says_which_seat_plays_first_unless_both_choose_at_once(game_id: str, first: int) -> None:
    match = match_of(game_id, first=first)
    if match.game.kind.simultaneous:
        assert match.actors == (0, 1)
        assert [match.player_of(seat) for seat in (0, 1)] == [0, 1]
        assert match.names == ("Ann", "Ben")
    else:
        assert match.actors == (first,)
        assert [match.player_of(seat) for seat in (0, 1)] == [first, 1 - first]
        assert match.names == ("Ann", "Ben")
    for seat in (0, 1):
        assert match.seat_of(match.player_of(seat)) == seat
        assert match.view(seat).player == match.player_of(seat)


@EVERY_GAME
@given(seed=SEEDS)
def test_the_same_moves_mean_the_same_from_either_seat(game_id: str, seed: random.Random) -> None:
    """Whoever starts, the positions are the same; who wins changes with the seats, if they have turns."""
    one = match_of(game_id)
    play_at_random(one, seed, MOST_PLIES)
    other = match_of(game_id, " ".join("/".join(map(one.game.move_codec.format, ply)) for ply in one.plies), first=1)
    assert other.positions == one.positions
    if one.result is None:
        assert other.result is None
    elif one.game.kind.simultaneous or one.result.winner is None:
        assert other.result == one.result
    else:
        assert other.result is not None
        assert other.result.winner == 1 - one.result.winner
        swapped = {"Ann": "Ben", "Ben": "Ann"}
        words = one.result.reason.replace(",", " ,").split(" ")
        assert other.result.reason == " ".join(swapped.get(word, word) for word in words).replace(" ,", ",")


def test_the_winner_is_named_by_seat() -> None:
    assert match_of("power-up", "3 2 2").result == Result(
        0, "rules", "Ann wins! Base number reached 4096 (target was 256)."
    )
    assert match_of("power-up", "3 2 2", first=1).result == Result(
        1, "rules", "Ben wins! Base number reached 4096 (target was 256)."
    )
    assert match_of("clash-of-powers", "4/1 16/2 8/16", first=1).result == Result(
        0, "rules", "Ann has won three duels and wins the game!"
    )
    assert match_of("power-up", "1 1 1 1 1 1 1 1").result == Result(
        None, "rules", "The game is a draw: 8 turns in a row left the base at 2."
    )


def test_a_player_who_can_do_nothing_is_passed_over() -> None:
    """With one energy more Ann acts twice in the end: Ben has nothing left to spend (L6)."""
    match = match_of("power-line", "0=1 10=1", energy="1", head_start="1")
    assert match.actors == (0,)
    assert match_of("power-line", "0=1 10=1", first=1, energy="1", head_start="1").actors == (1,)


@EVERY_GAME
def test_only_who_must_choose_can(game_id: str) -> None:
    match = match_of(game_id, first=1)
    move = match.game.legal(match.position, 0)[0]
    for seat in {0, 1} - set(match.actors):
        with pytest.raises(IllegalMove, match=r"^Ann has nothing to choose now\.$"):
            match.choose(seat, move)
    assert match.plies == []
    match.resign(0)
    for seat in (0, 1):
        with pytest.raises(IllegalMove, match=r"^(Ann|Ben) has nothing to choose now\.$"):
            match.choose(seat, move)


@given(games(), SEEDS)
def test_an_illegal_move_changes_nothing(game: AnyGame, seed: random.Random) -> None:
    match = Match(game, ("Ann", "Ben"), seed.randrange(2))
    play_at_random(match, seed, seed.randrange(8))
    before = everything_of(match)
    illegal = parse_ply(game, {"power-match": "0b", "power-line": "99=1"}.get(game.id, "0"))[0]
    for seat in (0, 1):
        with pytest.raises(IllegalMove):
            match.choose(seat, illegal)
    assert everything_of(match) == before
    assert match.waiting_for == match.actors


def test_a_seat_can_be_given_a_name() -> None:
    match = Match(make_game(GAMES["power-up"], {}))
    assert match.players == ("Player 1", "Player 2")
    match.rename(1, "Ben")
    match.rename(0, None)
    assert match.players == ("Player 1", "Ben")
    match.rename(0, "Ann")
    assert match.record().players == ("Ann", "Ben")


# Taking back, resigning


@given(games(), SEEDS, st.integers(0, MOST_PLIES))
def test_what_is_taken_back_has_never_been(game: AnyGame, seed: random.Random, most: int) -> None:
    match = Match(game, ("Ann", "Ben"), seed.randrange(2))
    snapshots = [everything_of(match)]
    for _ in range(most):
        play_at_random(match, seed, 1)
        if match.result is not None:
            break
        snapshots.append(everything_of(match))
    if match.result is None:
        back = seed.randrange(len(snapshots))
        match.take_back(back)
        assert everything_of(match) == snapshots[len(snapshots) - 1 - back]
        assert match.waiting_for == match.actors


@pytest.mark.parametrize("plies", [-1, 3, 100])
def test_no_more_can_be_taken_back_than_was_played(plies: int) -> None:
    match = match_of("power-up", "1 1")
    before = everything_of(match)
    with pytest.raises(IllegalMove, match=r"cannot be taken back here\.$"):
        match.take_back(plies)
    assert everything_of(match) == before


@pytest.mark.parametrize("end", [lambda match: match.resign(0), lambda match: match.choose(0, 2)])
def test_what_is_over_stays_over(end: Callable[[Match], object]) -> None:
    match = match_of("power-up", "3 2")
    end(match)
    before = everything_of(match)
    assert match.result is not None
    assert match.actors == match.waiting_for == ()
    with pytest.raises(IllegalMove, match=r"^1 move cannot be taken back here\.$"):
        match.take_back(1)
    with pytest.raises(IllegalMove, match=r"^The game is over; nobody can resign\.$"):
        match.resign(1)
    assert everything_of(match) == before


@pytest.mark.parametrize("seat", [0, 1])
@EVERY_GAME
def test_whoever_resigns_loses_whosever_turn_it_is(game_id: str, seat: int) -> None:
    match = match_of(game_id)
    match.resign(seat)
    loser, winner = ("Ann", "Ben") if seat == 0 else ("Ben", "Ann")
    assert match.result == Result(1 - seat, "resigned", f"{loser} has resigned. {winner} wins the game!")
    assert parse_record(format_record(match.record()), GAMES) == match.record()


def test_the_last_choice_of_a_seat_is_found_across_passes() -> None:
    match = match_of("power-line", "0=1 10=1 5=1", energy="1", head_start="2")
    assert match.last_choice_of(0) == 1
    assert match.last_choice_of(1) == 2
    assert match_of("power-up").last_choice_of(0) is None
    assert match_of("power-up", "1").last_choice_of(1) is None
    assert match_of("power-up", "1", first=1).last_choice_of(1) == 1
    assert match_of("clash-of-powers", "4/8 8/4").last_choice_of(0) == 1


# Records


@given(games(), SEEDS, st.integers(0, MOST_PLIES))
def test_a_match_goes_on_from_its_record_as_it_would_have(game: AnyGame, seed: random.Random, most: int) -> None:
    match = Match(game, ("Ann", "random"), seed.randrange(2))
    play_at_random(match, seed, most)
    again = Match.from_record(match.record())
    assert everything_of(again) == everything_of(match)
    assert again.waiting_for == match.waiting_for
    assert match.positions == replay(game, match.plies)
    state = seed.getstate()
    play_at_random(match, seed, MOST_PLIES)
    seed.setstate(state)
    play_at_random(again, seed, MOST_PLIES)
    assert everything_of(again) == everything_of(match)


def test_a_record_made_elsewhere_may_end_otherwise_than_by_the_rules() -> None:
    game = make_game(GAMES["power-up"], {})
    result = Result(None, "agreed", "They shook hands.")
    match = Match.from_record(Record(game, ("Ann", "Ben"), 1, ((1,),), result))
    assert match.result == result
    assert match.actors == ()
    assert match.record().result == result


def test_a_record_with_an_impossible_move_makes_no_match() -> None:
    game = make_game(GAMES["power-up"], {})
    with pytest.raises(IllegalMove, match=r"^move 2 '7': 7 is not one of the exponents"):
        Match.from_record(Record(game, ("Ann", "Ben"), 0, ((1,), (7,)), None))


@EVERY_GAME
def test_a_view_shows_the_whole_course_of_the_game_and_cannot_change_it(game_id: str) -> None:
    match = match_of(game_id)
    play_at_random(match, random.Random(3), 3)
    view = match.view(1)
    assert view.game == match.game
    assert view.position == match.position
    assert view.positions == tuple(match.positions)
    assert view.plies == tuple(match.plies)
    before = everything_of(match), view
    play_at_random(match, random.Random(4), 1)
    assert view == before[1]
    assert option_texts(view.game) == option_texts(match.game)


# Interruptions


def interrupted_after(steps: int, action: Callable[[], object]) -> bool:
    """Do something, as if Ctrl-C came after so many steps; False if it was done before that.

    Steps are the moments when Python looks for signals: a function begins, or one that is
    not written in Python has returned.
    """
    left = steps

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_return"):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        action()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.parametrize(
    ("game_id", "moves", "last"),
    [
        ("power-up", "3 2", "2"),
        ("power-up", "3", "2"),
        ("power-match", "7b 9b 2e", "8e"),
        ("double-up", "2 4 8 16 32 64", "100"),
        ("clash-of-powers", "4/1 16/2", "8/16"),
    ],
)
def test_an_interruption_leaves_the_match_before_the_ply_or_after_it(game_id: str, moves: str, last: str) -> None:
    before, after = match_of(game_id, moves), match_of(game_id, f"{moves} {last}")
    met = set()
    for steps in range(10_000):
        match = match_of(game_id, moves)
        ply = parse_ply(match.game, last)
        for seat, move in zip(match.actors[:-1], ply, strict=False):
            match.choose(seat, move)
        was_interrupted = interrupted_after(steps, lambda: match.choose(match.actors[-1], ply[-1]))  # noqa: B023
        match.unseal()
        assert everything_of(match) in (everything_of(before), everything_of(after))
        met.add(len(match.plies))
        if not was_interrupted:
            break
    assert not was_interrupted
    assert met == {len(before.plies), len(after.plies)}
