"""What holds for every game, every option set and every position, tried on random ones."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import NAIVE_GAMES
from powerduels.core import AnyGame, IllegalMove, UnreadableText, move_count
from powerduels.games import GAMES
from powerduels.text import format_ply, format_position, make_game, option_texts, parse_ply, parse_position
from strategies import SEEDS, games, games_with_positions, option_texts_of, plies, ply_number, random_game

ENDLESS_CUT = 300
"""Plies after which random play of a game without a declared longest is broken off."""

NAMES = ("Ann", "Bob")

_small = st.integers(0, 25) | st.integers(0, 10**40)
READABLE_MOVES = {
    "clash-of-powers": _small.map(str),
    "power-match": st.builds("{}{}".format, _small, st.sampled_from("be")),
    "double-up": _small.map(str),
    "power-line": st.builds("{}={}".format, _small, _small) | st.builds("{}+".format, _small),
    "power-up": _small.map(str),
}
"""Texts that say something as a move, whether legal in a position or not."""


def read_unless_refused(read: Callable[[AnyGame, str], Any], game: AnyGame, text: str) -> Any:
    """What the text stands for, or None where it is refused, which must be in a printable sentence."""
    try:
        return read(game, text)
    except UnreadableText as refusal:
        message = str(refusal)
    assert message.isprintable()
    assert message.endswith(".")
    return None


@given(games_with_positions(unfinished=True), st.integers(0, 2**64))
def test_apply_changes_nothing_and_always_gives_the_same(drawn: tuple[AnyGame, Any], choice: int) -> None:
    game, position = drawn
    ply = ply_number(game, position, choice)
    before = (repr(game), repr(position), repr(ply), hash(game), hash(position))
    first, second = game.apply(position, ply), game.apply(position, ply)
    assert before == (repr(game), repr(position), repr(ply), hash(game), hash(position))
    assert first == second
    assert hash(first) == hash(second)


@given(games(), SEEDS)
def test_replaying_the_moves_in_a_game_made_again_gives_equal_positions(game: AnyGame, seed: random.Random) -> None:
    again = make_game(type(game), option_texts(game))
    assert again == game
    assert hash(again) == hash(game)
    replayed = again.initial()
    for _, ply, position in random_game(game, seed, ENDLESS_CUT):
        replayed = again.play(replayed, parse_ply(again, format_ply(game, ply)))
        assert replayed == position
        assert hash(replayed) == hash(position)


@given(games_with_positions(unfinished=True))
def test_every_legal_move_is_accepted(drawn: tuple[AnyGame, Any]) -> None:
    game, position = drawn
    few_enough = max(move_count(game.legal(position, player)) for player in game.actors(position)) <= 300
    everything = plies(game, position) if few_enough else [ply_number(game, position, n) for n in range(100)]
    for ply in everything:
        assert game.play(position, ply) == game.apply(position, ply)


@given(games_with_positions(), st.data())
def test_every_illegal_move_is_refused_with_a_message(drawn: tuple[AnyGame, Any], data: st.DataObject) -> None:
    game, position = drawn
    actors = game.actors(position)
    texts = [data.draw(READABLE_MOVES[game.id]) for _ in actors or (0,)]
    ply = parse_ply(game, "/".join(texts))
    if actors and all(move in game.legal(position, player) for player, move in zip(actors, ply, strict=True)):
        game.play(position, ply)
        return
    with pytest.raises(IllegalMove) as refused:
        game.play(position, ply)
    message = str(refused.value)
    assert len(message) > 10
    assert message.endswith(".")
    assert message[0].isupper() or message[0].isdigit()


@given(games_with_positions(unfinished=True), st.integers(0, 2**64))
def test_a_ply_has_one_move_for_each_actor(drawn: tuple[AnyGame, Any], choice: int) -> None:
    game, position = drawn
    ply = ply_number(game, position, choice)
    for wrong in ((), (*ply, ply[0])):
        with pytest.raises(IllegalMove, match=f"{len(ply)} must choose here"):
            game.play(position, wrong)


@given(games(), st.text() | st.text("0123456789be=+/^-. AB", max_size=12))
def test_any_text_is_a_ply_or_unreadable(game: AnyGame, text: str) -> None:
    ply = read_unless_refused(parse_ply, game, text)
    assert ply is None or parse_ply(game, format_ply(game, ply)) == ply


@given(games_with_positions(), st.text() | st.text("0123456789:^-_.,AB", max_size=12), st.integers(0, 2))
def test_any_text_is_a_position_or_unreadable(drawn: tuple[AnyGame, Any], text: str, place: int) -> None:
    game, position = drawn
    fields = format_position(game, position).split()
    at = place % len(fields)
    name, _, _ = fields[at].partition("=")
    for candidate in (text, " ".join([*fields[:at], f"{name}={text}", *fields[at + 1 :]])):
        read = read_unless_refused(parse_position, game, candidate)
        assert read is None or parse_position(game, format_position(game, read)) == read


@given(games_with_positions(), st.integers(0, 2**64))
def test_moves_and_positions_survive_being_written(drawn: tuple[AnyGame, Any], choice: int) -> None:
    game, position = drawn
    text = format_position(game, position)
    assert parse_position(game, text) == position
    assert format_position(game, parse_position(game, text)) == text
    if game.actors(position):
        ply = ply_number(game, position, choice)
        assert parse_ply(game, format_ply(game, ply)) == ply
        assert format_ply(game, ply) == format_ply(game, parse_ply(game, format_ply(game, ply)))
        assert " " not in format_ply(game, ply)


@given(games())
def test_a_game_survives_having_its_options_written(game: AnyGame) -> None:
    texts = option_texts(game)
    assert list(texts) == [option.name for option in game.options]
    assert make_game(type(game), texts) == game
    assert option_texts(make_game(type(game), texts)) == texts
    assert make_game(type(game), dict(zip(texts, game.rules, strict=True))) == game


@given(games_with_positions(), st.data())
def test_legal_moves_are_different_and_are_those_found_in_the_list(
    drawn: tuple[AnyGame, Any], data: st.DataObject
) -> None:
    game, position = drawn
    for player in game.actors(position):
        legal = game.legal(position, player)
        assert move_count(legal) > 0
        some = legal[:500]
        assert len(set(some)) == len(some)
        assert all(move in legal for move in some)
        assert game.legal(position, player) == legal
        (other,) = parse_ply(game, data.draw(READABLE_MOVES[game.id]))
        assert (other in legal) == (other in set(some) or (len(some) == 500 and other in legal[500:]))


@given(games_with_positions())
def test_a_game_has_an_outcome_exactly_when_nobody_must_choose(drawn: tuple[AnyGame, Any]) -> None:
    game, position = drawn
    actors, outcome = game.actors(position), game.outcome(position)
    assert (outcome is not None) == (actors == ())
    assert len(actors) in ((0, 2) if game.kind.simultaneous else (0, 1))
    assert set(actors) <= {0, 1}
    if outcome is not None:
        assert outcome.winner in (0, 1, None)
        explanation = game.explain(position, outcome, NAMES)
        assert explanation.endswith((".", "!"))
        assert outcome.winner is None or NAMES[outcome.winner] in explanation
        with pytest.raises(IllegalMove, match="The game is over"):
            game.play(position, parse_ply(game, {"power-match": "1b", "power-line": "0=1"}.get(game.id, "1")))


@given(games(), SEEDS)
def test_random_playouts_end_as_declared(game: AnyGame, seed: random.Random) -> None:
    """Within the longest, without a draw and without a repeated position where these are ruled out."""
    kind = game.kind
    seen = {game.initial()}
    length = 0
    position = game.initial()
    for _, _, position in random_game(game, seed, ENDLESS_CUT if kind.longest is None else kind.longest + 1):
        length += 1
        assert kind.can_cycle or position not in seen
        seen.add(position)
    outcome = game.outcome(position)
    if kind.longest is not None:
        assert length <= kind.longest
        assert outcome is not None
    assert kind.can_draw or outcome is None or outcome.winner is not None


@given(games("power-up", "clash-of-powers", quick=True), SEEDS)
def test_only_games_that_can_cycle_lack_a_longest(game: AnyGame, seed: random.Random) -> None:
    assert game.kind.can_cycle == (game.kind.longest is None)
    if game.kind.longest is not None:
        assert sum(1 for _ in random_game(game, seed, ENDLESS_CUT)) <= game.kind.longest


@given(games("power-line"), SEEDS)
def test_every_action_of_power_line_costs_energy(game: AnyGame, seed: random.Random) -> None:
    """L1: energy never comes back, so every game ends."""
    for before, (move,), after in random_game(game, seed, ENDLESS_CUT):
        spent = [was - left for was, left in zip(before.energy, after.energy, strict=True)]
        assert spent[before.turn] >= 1
        assert spent[1 - before.turn] == 0
        assert min(after.energy) >= 0
        assert move.level is None or spent[before.turn] == move.level


@given(games("double-up"), SEEDS)
def test_no_number_of_double_up_could_ever_be_used_twice(game: AnyGame, seed: random.Random) -> None:
    """D2: condition C never bites, for every valid number is greater than all numbers used."""
    used = {game.initial().last}
    for before, (number,), _ in random_game(game, seed, ENDLESS_CUT):
        valid = game.legal(before, before.turn)
        assert valid[0] > max(used)
        assert number not in used
        used.add(number)


@given(games("power-line", capture="mover") | games("power-line", capture="mutual"), SEEDS)
def test_only_a_takeover_starts_a_chain_reaction(game: AnyGame, seed: random.Random) -> None:
    """L4: a captured node that is removed leaves its captor nothing more to capture."""
    for before, (move,), after in random_game(game, seed, ENDLESS_CUT):
        sign = 1 if before.turn == 0 else -1
        level = after.line[move.at] * sign
        neighbours = [at for at in (move.at - 1, move.at + 1) if 0 <= at < len(after.line)]
        assert not [at for at in neighbours if 0 < -after.line[at] * sign < level]
        changed = {at for at, node in enumerate(before.line) if after.line[at] != node}
        assert changed <= {move.at, *neighbours}


@given(games("power-line", capture="mutual"), SEEDS)
def test_mutual_capture_leaves_no_unequal_neighbours(game: AnyGame, seed: random.Random) -> None:
    """L3: so a node that is upgraded never stays the weaker one, and only newcomers are lost."""
    for _, _, after in random_game(game, seed, ENDLESS_CUT):
        pairs = zip(after.line, after.line[1:], strict=False)
        assert all(left * right >= 0 or left == -right for left, right in pairs)


@given(games("power-line"), SEEDS)
def test_no_player_has_more_nodes_on_the_line_than_placed_or_taken(game: AnyGame, seed: random.Random) -> None:
    """Placing needs a free node; only takeovers bring more nodes than `nodes`."""
    for before, (move,), _ in random_game(game, seed, ENDLESS_CUT):
        nodes_on_the_line = [sum(node * sign > 0 for node in before.line) for sign in (1, -1)]
        assert move.level is None or nodes_on_the_line[before.turn] < game.rules.nodes
        assert game.rules.capture == "takeover" or max(nodes_on_the_line) <= game.rules.nodes


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=4 * settings().max_examples)
@given(data=st.data(), seed=SEEDS)
def test_random_play_agrees_with_the_naive_rules(game_id: str, data: st.DataObject, seed: random.Random) -> None:
    options = data.draw(option_texts_of(game_id, quick=True))
    game, naive = make_game(GAMES[game_id], options), NAIVE_GAMES[game_id](options)
    position = game.initial()
    for _ in range(40):
        legal = {
            player + 1: sorted(map(game.move_codec.format, game.legal(position, player)))
            for player in game.actors(position)
        }
        assert legal == {player: sorted(moves) for player, moves in naive.choices().items()}
        outcome = game.outcome(position)
        assert naive.finished() == (outcome is not None)
        if outcome is not None:
            assert naive.winner() == (None if outcome.winner is None else outcome.winner + 1)
            break
        if game_id == "double-up" and position.last > 2000:
            break
        ply = ply_number(game, position, seed.getrandbits(128))
        naive.do(format_ply(game, ply))
        position = game.apply(position, ply)


@given(games_with_positions("power-match", "double-up", "power-up"))
def test_different_moves_lead_to_different_positions(drawn: tuple[AnyGame, Any]) -> None:
    game, position = drawn
    for player in game.actors(position):
        some = game.legal(position, player)[:200]
        assert len({game.apply(position, (move,)) for move in some}) == len(some)
