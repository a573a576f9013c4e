"""The worked examples of the rulebooks, and each ruling where the rulebooks leave a doubt.

Where an example breaks the rule it illustrates, the rule wins and the test says so.
"""

import random
from itertools import combinations, permutations, product

import pytest

from powerduels.core import AnyGame, IllegalMove
from powerduels.games.clash_of_powers import ClashOfPowers
from powerduels.games.double_up import DoubleUp
from powerduels.games.power_line import PowerLine
from powerduels.games.power_match import Expression, PowerMatch, value
from powerduels.games.power_up import PowerUp
from powerduels.text import format_position, make_game, parse_ply, parse_position
from strategies import position_after, random_game


def clash(**settings: object) -> ClashOfPowers:
    return make_game(ClashOfPowers, settings)


def match(**settings: object) -> PowerMatch:
    return make_game(PowerMatch, settings)


def double(**settings: object) -> DoubleUp:
    return make_game(DoubleUp, settings)


def line(**settings: object) -> PowerLine:
    return make_game(PowerLine, settings)


def up(**settings: object) -> PowerUp:
    return make_game(PowerUp, settings)


def winner_after(game: AnyGame, moves: str) -> tuple[int | None, str]:
    """Who has won after these moves (1, 2, or None for a draw) and by which rule."""
    outcome = game.outcome(position_after(game, moves))
    assert outcome is not None
    return None if outcome.winner is None else outcome.winner + 1, outcome.reason


def actors_after(game: AnyGame, moves: str) -> tuple[int, ...]:
    """Who must choose after these moves, as 1 and 2."""
    return tuple(player + 1 for player in game.actors(position_after(game, moves)))


def line_after(game: PowerLine, moves: str) -> str:
    """The line after these moves, as text."""
    return game.position_codecs[0].format(position_after(game, moves).line)


def refusal(game: AnyGame, moves: str, move: str) -> str:
    """The message with which a move is refused after some moves."""
    with pytest.raises(IllegalMove) as refused:
        game.play(position_after(game, moves), parse_ply(game, move))
    return str(refused.value)


# Clash of Powers


@pytest.mark.parametrize(
    ("duel", "sample", "by_the_rule"),
    [("4/8", (0, 1), (1, 0)), ("16/8", (1, 0), (0, 1)), ("8/4", (0, 1), (0, 1)), ("2/1", (0, 1), (0, 1))],
)
def test_clash_of_powers_sample_rounds(duel: str, sample: tuple[int, int], by_the_rule: tuple[int, int]) -> None:
    """Rounds 1 and 2 of the sample forget the Exact Double Rule (C1), rounds 3 and 4 apply it."""
    assert position_after(clash(), duel).score == by_the_rule
    plain = position_after(clash(exact_double=False), duel).score
    assert sample in (by_the_rule, plain)


def test_clash_of_powers_sample_by_the_rules() -> None:
    """As the sample's lists of used powers have it Player 2 plays 16 in round 2 (C2); so two victories are the most."""
    game = clash()
    scores = [position_after(game, moves).score for moves in ("4/8", "4/8 16/16", "4/8 16/16 8/4")]
    assert scores == [(1, 0), (1, 0), (1, 1)]
    last = position_after(game, "4/8 16/16 8/4 2/1")
    assert last.score == (1, 2)
    assert last.hands == ((1,), (2,))
    assert game.outcome(last) is None


def test_c1_exactly_double_loses() -> None:
    game, plain = clash(), clash(exact_double=False)
    for lower, higher in combinations((1, 2, 4, 8, 16), 2):
        lower_wins = higher == 2 * lower
        assert game.duel_winner(lower, higher) == (0 if lower_wins else 1)
        assert game.duel_winner(higher, lower) == (1 if lower_wins else 0)
        assert game.exactly_double(lower, higher) == game.exactly_double(higher, lower) == lower_wins
        assert plain.duel_winner(lower, higher) == 1
        assert plain.duel_winner(higher, lower) == 0
        assert not plain.exactly_double(lower, higher)
    assert game.duel_winner(4, 4) is None


def test_c2_a_power_is_used_once() -> None:
    """Player 2's 8 of round 2 was played in round 1."""
    assert refusal(clash(), "4/8", "16/8") == "That power is not among yours; left: 1, 2, 4, 16."


ALL_TIED = "1/1 2/2 4/4 8/8 16/16"


def test_c3_one_final_duel_with_the_full_hand_decides() -> None:
    game = clash()
    tied = position_after(game, ALL_TIED)
    assert game.awaits_tiebreak(tied)
    assert not game.awaits_tiebreak(game.initial())
    assert [game.legal(tied, player) for player in game.actors(tied)] == [(1, 2, 4, 8, 16)] * 2
    assert winner_after(game, f"{ALL_TIED} 4/8") == (1, "tiebreak")
    assert winner_after(game, f"{ALL_TIED} 4/16") == (2, "tiebreak")
    assert winner_after(game, f"{ALL_TIED} 4/4") == (None, "tiebreak")


def test_c3_two_victories_each_await_the_final_duel_too() -> None:
    evenly = "4/8 16/16 8/4 2/1 1/2"
    assert position_after(clash(), evenly).score == (2, 2)
    assert winner_after(clash(), f"{evenly} 1/16") == (2, "tiebreak")


def test_c3_repeated_until_somebody_wins() -> None:
    game = clash(tiebreak="repeat")
    assert position_after(game, f"{ALL_TIED} 4/4 8/8") == position_after(game, ALL_TIED)
    assert winner_after(game, f"{ALL_TIED} 4/4 8/8 4/16") == (2, "tiebreak")
    assert game.kind.can_cycle
    assert game.kind.can_draw, "endless repeating counts as a draw"


def test_c3_no_tiebreak() -> None:
    assert winner_after(clash(tiebreak="none"), ALL_TIED) == (None, "tied")
    assert clash(tiebreak="none").kind.longest == 5


def test_c4_play_goes_on_where_nobody_can_catch_up() -> None:
    game = clash()
    position = position_after(game, "1/1 2/2 4/8 8/16")
    assert position.score == (2, 0)
    assert position.hands == ((16,), (4,))
    assert actors_after(game, "1/1 2/2 4/8 8/16") == (1, 2)


def test_c4_three_victories_end_the_game_at_once() -> None:
    assert winner_after(clash(), "1/2 2/4 4/8") == (1, "victories")
    assert winner_after(clash(), "2/1 4/2 8/4") == (2, "victories")
    assert refusal(clash(), "1/2 2/4 4/8", "8/16") == "The game is over; no move can follow."


def test_more_victories_win_when_all_powers_are_used() -> None:
    assert winner_after(clash(), "4/4 16/16 1/2 2/8 8/1") == (1, "most")
    assert winner_after(clash(), "4/4 16/16 2/1 8/2 1/8") == (2, "most")


def test_c5_a_position_shows_both_hands_and_no_choice() -> None:
    game = clash()
    assert format_position(game, game.initial()) == "hands=1,2,4,8,16:1,2,4,8,16 score=0:0 tiebroken=false"
    assert format_position(game, position_after(game, "4/8")) == "hands=1,2,8,16:1,2,4,16 score=1:0 tiebroken=false"


# Power Match


def test_power_match_example_game() -> None:
    game = match()
    turns = ("7b", "7b 9b", "7b 9b 2e", "7b 9b 2e 8e")
    assert [format_position(game, position_after(game, moves)) for moves in turns] == [
        "pool=1,2,3,4,5,6,8,9 expressions=7^_:_^_",
        "pool=1,2,3,4,5,6,8 expressions=7^_:9^_",
        "pool=1,3,4,5,6,8 expressions=7^2:9^_",
        "pool=1,3,4,5,6 expressions=7^2:9^8",
    ]
    assert list(map(value, position_after(game, turns[-1]).expressions)) == [49, 43046721]
    assert winner_after(game, turns[-1]) == (2, "value")


EQUAL_RESULTS = [
    (8, 1, 2, 3),
    (9, 1, 3, 2),
    (4, 3, 8, 2),
    (4, 3, 2, 6),
    (2, 9, 8, 3),
    (3, 4, 9, 2),
    (4, 9, 8, 6),
    (3, 8, 9, 4),
]


def test_m1_equal_results_occur_in_eight_ways() -> None:
    found = {four for four in permutations(range(1, 10), 4) if four[0] ** four[1] == four[2] ** four[3]}
    assert found == {*EQUAL_RESULTS, *((c, d, a, b) for a, b, c, d in EQUAL_RESULTS)}


@pytest.mark.parametrize(("a", "b", "c", "d"), EQUAL_RESULTS)
def test_m1_equal_results_are_won_by_who_completed_second(a: int, b: int, c: int, d: int) -> None:
    assert winner_after(match(), f"{a}b {c}b {b}e {d}e") == (2, "second")
    assert winner_after(match(), f"{d}e {b}e {c}b {a}b") == (2, "second")
    assert winner_after(match(order="snake"), f"{a}b {c}b {d}e {b}e") == (1, "second")


def test_m1_results_are_exact() -> None:
    product_of_all = 1
    for _ in range(99):
        product_of_all *= 98
    assert value(Expression(98, 99)) == product_of_all
    assert winner_after(match(pool=99), "9b 81b 98e 49e") == (2, "second")
    assert winner_after(match(), "8b 3b 1e 2e") == (2, "value")
    assert winner_after(match(pool=99), "98b 97b 96e 99e") == (2, "value")
    assert winner_after(match(pool=99), "98b 99b 97e 96e") == (1, "value")


def test_m2_nobody_skips_when_turns_alternate() -> None:
    game = match(pool=4)
    for seed in range(50):
        actors = [game.actors(before) for before, _, _ in random_game(game, random.Random(seed), 4)]
        assert actors == [(0,), (1,), (0,), (1,)]


def test_m2_in_snake_order_the_starter_completes_second() -> None:
    game = match(order="snake")
    assert [actors_after(game, moves) for moves in ("", "8b", "8b 2b", "8b 2b 3e")] == [(1,), (2,), (2,), (1,)]
    assert winner_after(game, "8b 2b 3e 1e") == (1, "second")
    assert winner_after(game, "7b 9b 8e 2e") == (2, "value")


# Double Up


@pytest.mark.parametrize("sequence", [(2, 3, 5, 6, 9, 10, 19, 20), (2, 4, 8, 16, 17, 34, 50)])
def test_double_up_example_games(sequence: tuple[int, ...]) -> None:
    """The valid numbers are the ones that the examples list: greater than the last, at most twice as great."""
    game = double()
    position = game.initial()
    for turn, number in enumerate(sequence):
        assert game.actors(position) == (turn % 2,)
        assert game.legal(position, turn % 2) == range(position.last + 1, 2 * position.last + 1)
        position = game.play(position, (number,))
    assert game.outcome(position) is None


def test_who_cannot_make_a_valid_move_in_double_up_loses() -> None:
    assert winner_after(double(limit=8), "2 4 8") == (1, "stuck")
    assert winner_after(double(limit=8), "2 3 4 8") == (2, "stuck")
    assert winner_after(double(limit=1), "") == (2, "stuck")


def test_d1_no_number_is_above_the_limit() -> None:
    doubling = "2 4 8 16 32 64"
    for limit in (100, 70):
        game = double() if limit == 100 else double(limit=limit)
        assert game.legal(position_after(game, doubling), 0) == range(65, limit + 1)
    assert refusal(double(), doubling, "101") == "101 is above the limit, 100; 65 to 100 are valid here."


def test_d1_as_written_nobody_is_ever_stuck() -> None:
    game = double(limit=None)
    position = game.initial()
    for _ in range(200):
        position = game.play(position, (2 * position.last,))
    assert position.last == 2**200
    assert game.actors(position) == (0,)
    assert not game.kind.can_draw


def test_d1_the_highest_limit() -> None:
    assert winner_after(double(start=10**18 - 1, limit="10^18"), str(10**18)) == (1, "stuck")


def test_d2_condition_c_never_bites() -> None:
    """Whatever was played before, no valid number is among the numbers used."""
    game = double(limit=10)

    def explore(sequence: tuple[int, ...]) -> None:
        position = position_after(game, " ".join(map(str, sequence[1:])))
        valid = game.legal(position, position.turn)
        assert not set(valid) & set(sequence)
        for number in valid:
            explore((*sequence, number))

    explore((1,))


# Power Up


def test_power_up_example_gameplay() -> None:
    assert [position_after(up(), moves).base for moves in ("3", "3 2", "3 2 2")] == [8, 64, 4096]
    assert winner_after(up(), "3 2 2") == (1, "target")


def test_the_target_of_power_up_may_be_reached_exactly() -> None:
    assert position_after(up(), "2 2 2").base == 256
    assert winner_after(up(), "2 2 2") == (1, "target")


def test_invalid_exponents_are_refused() -> None:
    assert refusal(up(), "3", "4") == "4 is not one of the exponents; choose 1, 2, or 3."


def test_u1_at_4_whoever_raises_the_base_loses() -> None:
    for raising, answer in product("23", repeat=2):
        assert winner_after(up(), f"2 {raising} {answer}") == (1, "target")


def test_u1_eight_turns_in_a_row_without_a_change_are_a_draw() -> None:
    assert up().outcome(position_after(up(), "2 1 1 1 1 1 1 1")) is None
    assert winner_after(up(), "2 1 1 1 1 1 1 1 1") == (None, "stall")
    assert up().outcome(position_after(up(), "1 1 1 1 1 1 1 2 1")) is None, "a change starts the count again"
    assert winner_after(up(stall_limit=3), "1 1 1") == (None, "stall")
    assert up().kind.can_draw


def test_u1_as_written_a_stall_may_last_for_ever() -> None:
    game = up(stall_limit=None)
    assert game.kind.can_cycle
    assert position_after(game, "2 1 1") == position_after(game, "2" + " 1" * 100)
    assert actors_after(game, "1 " * 1001) == (2,)


@pytest.mark.parametrize("stall_limit", [1, 8, None])
def test_u1_a_1_may_not_answer_a_1(stall_limit: int | None) -> None:
    """Then somebody always wins, and the stall limit has no effect."""
    game = up(stalling="once", stall_limit=stall_limit)
    assert refusal(game, "2 1", "1") == "A 1 may not answer a 1; choose 2 or 3."
    assert refusal(game, "2 1", "5") == "5 is not one of the exponents; choose 2 or 3."
    assert winner_after(game, "1 2 1 2 1 2") == (2, "target")
    assert not game.kind.can_draw
    assert not game.kind.can_cycle


def test_u1_without_exponent_1_the_base_always_grows() -> None:
    game = up(exponents="2,3")
    assert refusal(game, "", "1") == "1 is not one of the exponents; choose 2 or 3."
    assert not game.kind.can_draw
    assert game.kind.longest == 3


# Power Line

EXAMPLE_TURNS = ("3=3", "3=3 4=2", "3=3 4=2 3+", "3=3 4=2 3+ 2=5")


def test_power_line_example_by_the_rule() -> None:
    """The newcomer of turn 2 is weaker and stays (L3); so the upgrade of turn 3 captures it."""
    lines = [line_after(line(), moves) for moves in EXAMPLE_TURNS]
    assert lines == ["...A3.......", "...A3B2......", "...A4.......", "..B5........"]
    energies = [position_after(line(), moves).energy for moves in EXAMPLE_TURNS]
    assert energies == [(12, 15), (12, 13), (8, 13), (8, 8)]


def test_power_line_example_with_mutual_capture() -> None:
    """As in the example Player 2 loses the newcomer of turn 2 at once."""
    game = line(capture="mutual")
    lines = [line_after(game, moves) for moves in EXAMPLE_TURNS]
    assert lines == ["...A3.......", "...A3.......", "...A4.......", "..B5........"]
    available = [game.nodes_left(position_after(game, EXAMPLE_TURNS[1]), player) for player in (0, 1)]
    assert available == [4, 5]


def decided(ending: str, nodes: str, energy: str = "0:0") -> tuple[int | None, str]:
    """How an ending decides a game in which neither player can act any more."""
    game = line(ending=ending)
    outcome = game.outcome(parse_position(game, f"line={nodes} energy={energy} turn=-"))
    assert outcome is not None
    return None if outcome.winner is None else outcome.winner + 1, outcome.reason


def test_l1_as_written_the_goal_is_out_of_reach() -> None:
    """Eleven places have to be filled, and nobody ever has more than five nodes on the line."""
    game = line()
    assert game.rules.chain == 11
    for seed in range(100):
        for _, _, position in random_game(game, random.Random(seed), 25):
            assert max(game.standing(position, "chain")) <= max(game.standing(position, "nodes")) <= 5
        outcome = game.outcome(position)
        assert outcome is not None
        assert outcome.reason != "connected"


def test_l1_when_neither_can_act_the_longest_chain_then_the_power_then_second_decides() -> None:
    assert decided("chain,power,second", "A1A1..B9......") == (1, "chain")
    assert decided("chain,power,second", "A1...B1B1......") == (2, "chain")
    assert decided("chain,power,second", "A1...B2......") == (2, "power")
    assert decided("chain,power,second", "A1...B1......") == (2, "second")
    assert line().rules.ending == ("chain", "power", "second")


def test_l1_other_criteria_and_closings() -> None:
    assert decided("energy,second", "A1...B9......", "2:1") == (1, "energy")
    assert decided("nodes,chain,first", "A1.A1.A1.B9B9...") == (1, "nodes")
    assert decided("nodes,chain,first", "A1.A1..B9B9...") == (2, "chain")
    assert decided("nodes,chain,first", "A1...B9......") == (1, "first")
    assert decided("power,draw", "A1...B1......", "2:1") == (None, "draw")


def test_l1_as_written_the_game_is_stuck_at_the_end() -> None:
    game = line(ending="draw")
    assert decided("draw", "A1A1..B9......") == (None, "draw")
    assert game.kind.can_draw
    assert not line().kind.can_draw


def test_l2_a_chain_of_the_set_length_wins_at_once() -> None:
    game = line(chain=3)
    assert winner_after(game, "0=1 5=1 1=1 6=1 2=1") == (1, "connected")
    assert winner_after(game, "0=1 5=1 1=1 6=1 9=1 7=1") == (2, "connected")
    assert line(length=7).rules.chain == 7


def test_l2_captures_are_settled_before_the_chain_is_tested() -> None:
    """A newcomer that is lost completes no chain; one that is taken over does."""
    losing = line(capture="mutual", chain=2)
    assert line_after(losing, "0=1 2=3 1=1") == "A1.B3........"
    assert actors_after(losing, "0=1 2=3 1=1") == (2,)
    assert winner_after(line(chain=2), "0=1 2=3 1=1") == (1, "connected")
    assert winner_after(line(capture="takeover", chain=3), "0=1 2=1 1=2") == (1, "connected")


def test_l2_the_whole_line_can_be_filled_where_it_is_short() -> None:
    assert winner_after(line(length=2, capture="mutual"), "0=2 1=1 1=1") == (1, "connected")


def test_l3_only_the_player_who_acts_captures() -> None:
    assert line_after(line(), "3=3 4=2") == "...A3B2......"
    assert line_after(line(), "3=3 4=2 8=1 4+") == "...A3B3...A1.."
    assert line_after(line(), "3=2 4=2") == "...A2B2......"


def test_l3_mutual_capture_settles_the_newcomers_captures_first() -> None:
    game = line(capture="mutual")
    assert line_after(game, "0=1 3=2 1=1 5=5") == "A1A1.B2.B5....."
    assert line_after(game, "0=1 3=2 1=1 5=5 4=3") == "A1A1...B5....."
    assert line_after(game, "3=2 4=2") == "...A2B2......"


def test_l4_a_captured_node_is_removed_and_can_be_placed_again() -> None:
    game = line()
    assert line_after(game, "0=1 5=2 1=1 6=1 4=3") == "A1A1..A3.B1...."
    assert game.nodes_left(position_after(game, "0=1 5=2 1=1 6=1 4=3"), 1) == 4


def test_l4_a_takeover_goes_on_from_node_to_node() -> None:
    game = line(capture="takeover", nodes=3)
    assert line_after(game, "0=1 5=2 1=1 6=1 4=3") == "A1A1..A3A2A1...."
    assert line_after(game, "0=1 5=2 1=1 6=2 4=3") == "A1A1..A3A2B2...."
    assert line_after(game, "0=1 5=3 1=1 6=1 4=3") == "A1A1..A3B3B1...."


def test_l4_nodes_taken_over_count_when_placing() -> None:
    game = line(capture="takeover", nodes=3)
    taken = "0=1 5=2 1=1 6=1 4=3 9=1"
    assert game.nodes_left(position_after(game, taken), 0) == -2
    assert refusal(game, taken, "10=1") == "All of your nodes are on the line; upgrade one of them."
    assert [game.move_codec.format(move) for move in game.legal(position_after(game, taken), 0)] == [
        "0+",
        "1+",
        "4+",
        "5+",
        "6+",
    ]


def test_l5_above_level_6_nothing_can_be_paid_for() -> None:
    for placed, reached in product(range(1, 6), range(1, 11)):
        cost = placed + sum(range(placed + 1, reached + 1))
        assert reached <= 6 or cost > 15
    assert refusal(line(), "0=5 10=1 0+ 9=1", "0+") == "Upgrading the node at 0 to level 7 costs 7; you have 4 energy."
    assert refusal(line(), "", "0=6") == "A new node can have level 1 to 5 here; you have 15 energy."


def test_l5_with_more_energy_level_10_is_the_highest() -> None:
    game = line(energy=99, place_max=10)
    assert refusal(game, "0=9 10=1 0+ 9=1", "0+") == "The node at 0 has level 10, the highest there is."
    assert line_after(game, "0=10") == "A10.........."


def test_l6_who_lacks_the_energy_is_passed_over() -> None:
    game = line(energy=1, head_start=2)
    assert [actors_after(game, moves) for moves in ("0=1", "0=1 5=1", "0=1 5=1 1=1")] == [(2,), (1,), (1,)]
    assert actors_after(game, "0=1 5=1 1=1 2=1") == ()


def test_l6_who_has_nothing_to_place_and_nothing_to_upgrade_is_passed_over() -> None:
    game = line(nodes=1, level_max=2)
    assert actors_after(game, "0=2 2=1") == (2,)
    assert actors_after(game, "0=2 2=1 2+") == ()
    full = line(length=2, level_max=1)
    assert actors_after(full, "0=1 1=1") == ()


def test_l6_who_can_act_must() -> None:
    """There is no text for a pass, and an actor always has a move."""
    game = line()
    for seed in range(50):
        for before, _, _ in random_game(game, random.Random(seed), 25):
            assert game.legal(before, before.turn)


def test_l7_a_head_start_is_energy_for_the_first_player() -> None:
    assert line().initial().energy == (15, 15)
    assert line(head_start=1).initial().energy == (16, 15)


def test_l8_an_upgrade_captures_on_both_sides() -> None:
    assert line_after(line(), "3=1 2=1 8=1 4=1") == "..B1A1B1...A1.."
    assert line_after(line(), "3=1 2=1 8=1 4=1 3+") == "...A2....A1.."


def test_l9_the_sample_dialogue_starts_with_8_energy_and_4_nodes() -> None:
    game = line(energy=8, nodes=4)
    start = game.initial()
    assert [game.nodes_left(start, player) for player in (0, 1)] == [4, 4]
    assert format_position(game, start) == "line=........... energy=8:8 turn=1"
    assert format_position(game, position_after(game, "5=2")) == "line=.....A2..... energy=6:8 turn=2"
    assert format_position(game, position_after(game, "5=2 4=3")) == "line=....B3...... energy=6:5 turn=1"
