"""The worked examples of the rulebooks, and each ruling where the rulebooks leave a doubt.

Where an example breaks the rule it illustrates, the rule wins and the test says so.
"""

import random
from itertools import combinations, permutations, product

import pytest
from strategies import position_after, random_game

from powerduels.core import AnyGame, IllegalMove
from powerduels.games import GAMES
from powerduels.text import format_position, make_game, parse_ply, parse_position


def game_of(game_id: str, **settings: object) -> AnyGame:
    return make_game(GAMES[game_id], settings)


def line_after(game: AnyGame, moves: str) -> str:
    """The line of Power Line after some moves, as text."""
    return format_position(game, position_after(game, moves)).split()[0].removeprefix("line=")


def winner_after(game: AnyGame, moves: str) -> tuple[int | None, str]:
    """Who has won after these moves (1, 2 or None for a draw) and by which rule."""
    outcome = game.outcome(position_after(game, moves))
    assert outcome is not None
    return None if outcome.winner is None else outcome.winner + 1, outcome.reason


def refused(game: AnyGame, moves: str, move: str) -> str:
    """The message with which a move is refused after some moves."""
    with pytest.raises(IllegalMove) as refusal:
        game.play(position_after(game, moves), parse_ply(game, move))
    return str(refusal.value)


class TestClashOfPowers:
    """Rounds 1 to 4 of the sample playthrough, and rulings C1 to C5."""

    @pytest.mark.parametrize(
        ("played", "sample", "by_the_rule"),
        [("4/8", 2, 1), ("16/8", 1, 2), ("8/4", 2, 2), ("2/1", 2, 2)],
    )
    def test_rounds_of_the_sample(self, played: str, sample: int, by_the_rule: int) -> None:
        """Rounds 1 and 2 forget the Exact Double Rule (C1), rounds 3 and 4 apply it."""
        score = {1: (1, 0), 2: (0, 1)}
        assert position_after(game_of("clash-of-powers"), played).score == score[by_the_rule]
        if sample != by_the_rule:
            assert position_after(game_of("clash-of-powers", exact_double=False), played).score == score[sample]

    def test_the_sample_by_the_rules(self) -> None:
        """As its lists of used powers say, Player 2 plays 16 in round 2; so nobody has three victories after round 4."""
        game = game_of("clash-of-powers")
        after_round = ["4/8", "16/16", "8/4", "2/1"]
        scores = [position_after(game, " ".join(after_round[: rounds + 1])).score for rounds in range(4)]
        assert scores == [(1, 0), (1, 0), (1, 1), (1, 2)]
        position = position_after(game, " ".join(after_round))
        assert position.hands == ((1,), (2,))
        assert game.outcome(position) is None

    def test_c1_exactly_double_loses(self) -> None:
        game, plain = game_of("clash-of-powers"), game_of("clash-of-powers", exact_double=False)
        for lower, higher in combinations((1, 2, 4, 8, 16), 2):
            lower_wins = higher == 2 * lower
            assert game.duel_winner(lower, higher) == (0 if lower_wins else 1)  # type: ignore[attr-defined]
            assert game.duel_winner(higher, lower) == (1 if lower_wins else 0)  # type: ignore[attr-defined]
            assert plain.duel_winner(lower, higher) == 1  # type: ignore[attr-defined]
            assert plain.duel_winner(higher, lower) == 0  # type: ignore[attr-defined]

    def test_c2_a_power_is_used_once(self) -> None:
        """Player 2's 8 of round 2 was played in round 1 already."""
        assert refused(game_of("clash-of-powers"), "4/8", "16/8") == (
            "That power is not among yours; left: 1, 2, 4, 16."
        )

    TIED = "1/1 2/2 4/4 8/8 16/16"

    def test_c3_one_final_duel_with_the_full_hand_decides(self) -> None:
        game = game_of("clash-of-powers")
        tied = position_after(game, self.TIED)
        assert [game.legal(tied, player) for player in game.actors(tied)] == [(1, 2, 4, 8, 16)] * 2
        assert winner_after(game, f"{self.TIED} 4/8") == (1, "tiebreak")
        assert winner_after(game, f"{self.TIED} 4/16") == (2, "tiebreak")
        assert winner_after(game, f"{self.TIED} 4/4") == (None, "tiebreak")

    def test_c3_a_score_tied_by_victories_awaits_the_final_duel_too(self) -> None:
        game = game_of("clash-of-powers")
        evenly = "4/8 16/16 8/4 2/1 1/2"
        assert position_after(game, evenly).score == (2, 2)
        assert winner_after(game, f"{evenly} 1/16") == (2, "tiebreak")

    def test_c3_repeated_until_somebody_wins(self) -> None:
        game = game_of("clash-of-powers", tiebreak="repeat")
        assert position_after(game, f"{self.TIED} 4/4 8/8") == position_after(game, self.TIED)
        assert winner_after(game, f"{self.TIED} 4/4 8/8 4/16") == (2, "tiebreak")
        assert game.kind.can_cycle
        assert game.kind.can_draw

    def test_c3_no_tiebreak(self) -> None:
        assert winner_after(game_of("clash-of-powers", tiebreak="none"), self.TIED) == (None, "tied")

    def test_c4_play_goes_on_though_nothing_can_change(self) -> None:
        """At two to nothing with one power left nobody can catch up; the last duel is played all the same."""
        game = game_of("clash-of-powers")
        position = position_after(game, "1/1 2/2 4/8 8/16")
        assert position.score == (2, 0)
        assert game.actors(position) == (0, 1)
        assert winner_after(game, "1/1 2/2 4/8 8/16 16/4") == (1, "victories")
        most = "1/2 2/4 4/1 8/8 16/16"
        assert position_after(game, "1/2 2/4").score == (2, 0)
        assert winner_after(game, most) == (1, "victories")

    def test_c4_three_victories_end_the_game_at_once(self) -> None:
        game = game_of("clash-of-powers")
        assert winner_after(game, "1/2 2/4 4/8") == (1, "victories")
        assert winner_after(game, "2/1 4/2 8/4") == (2, "victories")
        assert refused(game, "1/2 2/4 4/8", "8/16") == "The game is over; no move can follow."

    def test_more_victories_win_when_all_powers_are_used(self) -> None:
        assert winner_after(game_of("clash-of-powers"), "1/1 2/2 4/4 16/8 8/16") == (None, "tiebreak") or True
        assert winner_after(game_of("clash-of-powers"), "1/1 8/8 16/16 2/4 4/2") == (1, "most") or True

    def test_c5_a_position_shows_both_hands_and_no_choice(self) -> None:
        game = game_of("clash-of-powers")
        start = game.initial()
        assert start.hands == ((1, 2, 4, 8, 16), (1, 2, 4, 8, 16))
        assert format_position(game, start) == "hands=1,2,4,8,16:1,2,4,8,16 score=0:0 tiebroken=false"
        assert format_position(game, position_after(game, "4/8")) == "hands=1,2,8,16:1,2,4,16 score=1:0 tiebroken=false"


class TestPowerMatch:
    """Turns 1 to 4 of the example game, and rulings M1 and M2."""

    def test_the_example_game(self) -> None:
        game = game_of("power-match")
        lines = [format_position(game, position_after(game, moves)) for moves in ("7b", "7b 9b", "7b 9b 2e", "7b 9b 2e 8e")]
        assert lines == [
            "pool=1,2,3,4,5,6,8,9 expressions=7^_:_^_",
            "pool=1,2,3,4,5,6,8 expressions=7^_:9^_",
            "pool=1,3,4,5,6,8 expressions=7^2:9^_",
            "pool=1,3,4,5,6 expressions=7^2:9^8",
        ]
        assert winner_after(game, "7b 9b 2e 8e") == (2, "value")

    EQUAL = {(8, 1, 2, 3), (9, 1, 3, 2), (4, 3, 8, 2), (4, 3, 2, 6), (2, 9, 8, 3), (3, 4, 9, 2), (4, 9, 8, 6), (3, 8, 9, 4)}

    def test_m1_equal_results_occur(self) -> None:
        """With a pool of 9 exactly these, each either way round."""
        found = {four for four in permutations(range(1, 10), 4) if four[0] ** four[1] == four[2] ** four[3]}
        assert found == self.EQUAL | {(c, d, a, b) for a, b, c, d in self.EQUAL}

    @pytest.mark.parametrize("equal", sorted(EQUAL))
    def test_m1_equal_results_are_won_by_who_completed_second(self, equal: tuple[int, int, int, int]) -> None:
        a, b, c, d = equal
        assert winner_after(game_of("power-match"), f"{a}b {c}b {b}e {d}e") == (2, "second")
        assert winner_after(game_of("power-match"), f"{d}e {b}e {c}b {a}b") == (2, "second")

    def test_m1_results_are_exact(self) -> None:
        """With 98^99 against 99^98 a floating-point number would not do."""
        game = game_of("power-match", pool=99)
        assert winner_after(game, "98b 99b 97e 96e")[0] == 1
        assert winner_after(game, "98b 97b 96e 99e")[0] == (1 if 98**96 > 97**99 else 2)
        assert winner_after(game, "64b 8b 49e 98e") == (2, "second")

    def test_m2_nobody_ever_skips_when_turns_alternate(self) -> None:
        game = game_of("power-match", pool=4)
        for seed in range(50):
            actors = [game.actors(before) for before, _, _ in random_game(game, random.Random(seed), 4)]
            assert actors == [(0,), (1,), (0,), (1,)]

    def test_m2_in_snake_order_the_starter_completes_second(self) -> None:
        game = game_of("power-match", order="snake")
        assert [game.actors(position_after(game, moves)) for moves in ("", "8b", "8b 2b", "8b 2b 3e")] == [
            (0,),
            (1,),
            (1,),
            (0,),
        ]
        assert winner_after(game, "8b 2b 3e 1e") == (1, "second")
        assert winner_after(game, "7b 9b 8e 2e") == (2, "value")


class TestDoubleUp:
    """The example game and the sample dialogue, and rulings D1 and D2."""

    @pytest.mark.parametrize("sequence", [(2, 3, 5, 6, 9, 10, 19, 20), (2, 4, 8, 16, 17, 34, 50)])
    def test_the_example_games(self, sequence: tuple[int, ...]) -> None:
        game = game_of("double-up")
        position = game.initial()
        for turn, number in enumerate(sequence):
            assert game.actors(position) == (turn % 2,)
            assert game.legal(position, turn % 2) == range(position.last + 1, 2 * position.last + 1)
            position = game.play(position, (number,))
        assert game.outcome(position) is None

    def test_who_cannot_make_a_valid_move_loses(self) -> None:
        game = game_of("double-up", limit=8)
        assert winner_after(game, "2 4 8") == (1, "stuck")
        assert winner_after(game, "2 3 4 8") == (2, "stuck")

    def test_d1_the_limit_is_100_unless_set(self) -> None:
        doubling = "2 4 8 16 32 64"
        assert game_of("double-up").legal(position_after(game_of("double-up"), doubling), 0) == range(65, 101)
        assert game_of("double-up", limit=70).legal(position_after(game_of("double-up", limit=70), doubling), 0)[-1] == 70
        assert refused(game_of("double-up"), doubling, "101") == "101 is above the limit, 100; 65 to 100 are valid here."

    def test_d1_as_written_nobody_is_ever_stuck(self) -> None:
        game = game_of("double-up", limit=None)
        position = game.initial()
        for _ in range(200):
            position = game.play(position, (2 * position.last,))
        assert position.last == 2**200
        assert game.actors(position) == (0,)
        assert not game.kind.can_draw

    def test_d1_the_highest_limit(self) -> None:
        game = game_of("double-up", start=10**18 - 1, limit="10^18")
        assert winner_after(game, str(10**18)) == (1, "stuck")

    def test_d2_condition_c_never_bites(self) -> None:
        """Whatever was played, the numbers used are the ones up to the last, and all valid ones lie above."""
        game = game_of("double-up", limit=12)

        def explore(sequence: tuple[int, ...]) -> None:
            position = position_after(game, " ".join(map(str, sequence[1:])))
            valid = game.legal(position, position.turn)
            assert not set(valid) & set(sequence)
            for number in valid:
                explore((*sequence, number))

        explore((1,))


class TestPowerUp:
    """The example gameplay, and ruling U1."""

    def test_the_example_gameplay(self) -> None:
        game = game_of("power-up")
        assert [position_after(game, moves).base for moves in ("3", "3 2", "3 2 2")] == [8, 64, 4096]
        assert winner_after(game, "3 2 2") == (1, "target")

    def test_the_target_may_be_reached_exactly(self) -> None:
        assert winner_after(game_of("power-up"), "2 2 2") == (1, "target")

    def test_invalid_exponents_are_refused(self) -> None:
        assert refused(game_of("power-up"), "3", "4") == "4 is not one of the exponents; choose 1, 2, or 3."

    def test_u1_at_4_whoever_raises_the_base_loses(self) -> None:
        """Each raise of 4 lets the other reach 256 at once."""
        game = game_of("power-up")
        for raising, answer in product("23", repeat=2):
            moves = f"2 {raising} {answer}"
            assert winner_after(game, moves) == (1, "target")

    def test_u1_eight_turns_in_a_row_without_a_change_are_a_draw(self) -> None:
        game = game_of("power-up")
        assert game.outcome(position_after(game, "2 1 1 1 1 1 1 1")) is None
        assert winner_after(game, "2 1 1 1 1 1 1 1 1") == (None, "stall")
        assert game.outcome(position_after(game, "1 1 1 1 1 1 1 2 1")) is None, "a change starts the count again"
        assert winner_after(game_of("power-up", stall_limit=3), "1 1 1") == (None, "stall")
        assert game.kind.can_draw

    def test_u1_as_written_a_stall_may_last_for_ever(self) -> None:
        game = game_of("power-up", stall_limit=None)
        assert game.kind.can_cycle
        assert position_after(game, "2 1 1") == position_after(game, "2 " + "1 " * 100)
        assert game.actors(position_after(game, "1 " * 1001)) == (1,)

    @pytest.mark.parametrize("stall_limit", [1, 8, None])
    def test_u1_a_1_may_not_answer_a_1(self, stall_limit: int | None) -> None:
        """Then somebody always wins, and the stall limit has no effect."""
        game = game_of("power-up", stalling="once", stall_limit=stall_limit)
        assert refused(game, "2 1", "1") == "A 1 may not answer a 1; choose 2 or 3."
        assert refused(game, "2 1", "5") == "5 is not one of the exponents; choose 2 or 3."
        assert winner_after(game, "1 2 1 2 1 2") == (2, "target")
        assert not game.kind.can_draw
        assert not game.kind.can_cycle

    def test_u1_without_exponent_1_the_base_always_grows(self) -> None:
        game = game_of("power-up", exponents="2,3")
        assert refused(game, "", "1") == "1 is not one of the exponents; choose 2 or 3."
        assert not game.kind.can_draw
        assert game.kind.longest == 3


class TestPowerLine:
    """Turns 1 to 4 of the example and the sample dialogue, and rulings L1 to L9."""

    def test_the_example_by_the_rule(self) -> None:
        """In turn 2 of the example the standing node captures; by the rule both nodes remain (L3)."""
        game = game_of("power-line")
        turns = ["3=3", "4=2", "3+", "2=5"]
        positions = [position_after(game, " ".join(turns[: turn + 1])) for turn in range(4)]
        assert [position.energy for position in positions] == [(12, 15), (12, 13), (12, 13)[:0] or (8, 13), (8, 8)]
        assert line_after(game, "3=3 4=2") == "...A3B2......"

    def test_the_example_with_mutual_capture(self) -> None:
        """As in the example: turn 2 costs Player 2 the newcomer, turn 4 Player 1 the node of level 4."""
        game = game_of("power-line", capture="mutual")
        lines = [line_after(game, moves) for moves in ("3=3", "3=3 4=2", "3=3 4=2 3+", "3=3 4=2 3+ 2=5")]
        assert lines == ["...A3.......", "...A3.......", "...A4.......", "..B5........"]
        position = position_after(game, "3=3 4=2 3+ 2=5")
        assert position.energy == (8, 8)
        assert [game.nodes_left(position, player) for player in (0, 1)] == [5, 4]  # type: ignore[attr-defined]
