"""The shared pieces of text: numbers, lists, codecs, plies and positions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powerduels.core import AnyGame, UnreadableText, move_count
from powerduels.games import GAMES
from powerduels.text import (
    LONGEST_NUMBER,
    NUMBER,
    NUMBERS,
    PLAYER,
    TRUTH,
    Choice,
    Each,
    Integer,
    Numbers,
    count_word,
    counted,
    format_ply,
    format_position,
    listed,
    make_game,
    meant,
    nearest,
    parse_ply,
    parse_position,
    read_integer,
    shown,
    words,
    write_integer,
)


def game_of(game_id: str, **settings: object) -> AnyGame:
    return make_game(GAMES[game_id], settings)


def unreadable(codec: Any, text: str) -> str:
    """The message with which a codec refuses a text."""
    with pytest.raises(UnreadableText) as refusal:
        codec.parse(text)
    return str(refusal.value)


class TestNumbers:
    """Reading and writing whole numbers exactly."""

    @given(st.integers(0, 10**900))
    def test_every_number_is_read_as_written(self, number: int) -> None:
        assert read_integer(str(number)) == number

    @given(st.integers(0, 10**20) | st.integers(0, 500).map(lambda exponent: 10**exponent))
    def test_abbreviated_numbers_are_read_too(self, number: int) -> None:
        assert read_integer(write_integer(number)) == number

    @pytest.mark.parametrize(
        ("text", "number"), [("0", 0), ("007", 7), ("10^18", 10**18), ("2^10", 1024), ("9^0", 1), ("1^1000", 1)]
    )
    def test_numbers_may_be_written_as_powers(self, text: str, number: int) -> None:
        assert read_integer(text) == number

    def test_numbers_up_to_the_longest_are_read(self) -> None:
        assert read_integer("9" * LONGEST_NUMBER) == 10**LONGEST_NUMBER - 1
        with pytest.raises(UnreadableText, match=r"^'9{37}\.\.\.' is too long a number\.$"):
            read_integer("9" * (LONGEST_NUMBER + 1))
        with pytest.raises(UnreadableText, match="too long"):
            read_integer(f"10^{LONGEST_NUMBER}")

    @pytest.mark.parametrize(
        ("number", "text"),
        [(1000000, "10^6"), (100000, "100000"), (1000001, "1000001"), (10**18, "10^18"), (2 * 10**18, "2" + "0" * 18)],
    )
    def test_only_long_powers_of_ten_are_abbreviated(self, number: int, text: str) -> None:
        assert write_integer(number) == text

    def test_counts(self) -> None:
        assert [counted(count, "duel") for count in (0, 1, 2)] == ["0 duels", "1 duel", "2 duels"]
        assert [counted(count, "victory", "victories") for count in (1, 2)] == ["1 victory", "2 victories"]
        assert [count_word(count) for count in (0, 1, 3, 10, 11)] == ["no", "one", "three", "ten", "11"]

    def test_move_count_of_any_range(self) -> None:
        assert move_count(range(5, 8)) == 3
        assert move_count(range(10**30, 3 * 10**30)) == 2 * 10**30
        assert move_count((1, 2)) == 2


class TestSentences:
    """Pieces that messages are made of."""

    def test_lists(self) -> None:
        assert listed([1]) == "1"
        assert listed([1, 2]) == "1 and 2"
        assert listed([1, 2, 3]) == "1, 2, and 3"
        assert listed("ab", "or") == "a or b"
        assert listed([]) == ""

    def test_input_is_shown_quoted_short_and_printable(self) -> None:
        assert shown("x") == "'x'"
        assert shown("a" * 40) == f"'{'a' * 40}'"
        assert shown("a" * 41) == f"'{'a' * 37}...'"
        assert shown("\x1b[31m\n") == r"'\x1b[31m\n'"

    def test_the_nearest_word(self) -> None:
        assert nearest("pol", ["pool", "order"]) == "Did you mean pool?"
        assert nearest("zzz", ["pool", "order"]) == "There are pool and order."
        assert nearest("zzz", []) == "There are none."


class TestCodecs:
    """Kinds of values with their texts."""

    @pytest.mark.parametrize(
        ("codec", "text"),
        [
            (Integer(1), "1 or more"),
            (Integer(1, 5), "1 to 5"),
            (Integer(1, 10**18, none="none"), "1 to 10^18, or none"),
            (Integer(2, 21, bound="length"), "2 to length"),
            (Numbers(2, 10, 1, 10**6), "2 to 10 different numbers from 1 to 10^6"),
            (words("a", "b", "c"), "a, b, or c"),
            (TRUTH, "true or false"),
        ],
    )
    def test_a_codec_describes_its_range(self, codec: object, text: str) -> None:
        assert str(codec) == text

    @pytest.mark.parametrize(
        ("codec", "text", "value"),
        [
            (NUMBER, "17", 17),
            (Integer(1, none="none"), "none", None),
            (NUMBERS, "3,1,2", (3, 1, 2)),
            (NUMBERS, "-", ()),
            (Numbers(1, 3, 1, 9), "1,2", (1, 2)),
            (PLAYER, "2", 1),
            (TRUTH, "false", False),
            (Choice({"1": 0, "-": None}), "-", None),
            (Each(NUMBER, 2), "3:4", (3, 4)),
            (Each(NUMBERS, 2), "1,2:-", ((1, 2), ())),
            (Each(NUMBER, 3, "/"), "3/4/5", (3, 4, 5)),
        ],
    )
    def test_values_and_their_texts(self, codec: Any, text: str, value: object) -> None:
        assert codec.parse(text) == value
        assert codec.format(value) == text

    def test_refusals(self) -> None:
        assert unreadable(Integer(3, 5), "6") == "'6' is out of range."
        assert unreadable(Integer(3), "2") == "'2' is out of range."
        assert unreadable(NUMBERS, "") == "'' is not a whole number."
        assert unreadable(NUMBERS, "1,-") == "'-' is not a whole number."
        assert unreadable(PLAYER, "3") == "'3' is not among them."
        assert unreadable(Each(NUMBER, 2), "3") == "'3' should be 2 values separated by ':'."
        assert unreadable(Each(NUMBER, 2), "3:4:5") == "'3:4:5' should be 2 values separated by ':'."

    def test_a_value_that_is_no_choice_is_written_as_it_is(self) -> None:
        """So that the message about it can repeat it."""
        assert words("a").format("b") == "b"
        assert TRUTH.format(7) == "7"


class TestPlies:
    """Moves as they are typed and recorded."""

    @pytest.mark.parametrize(
        ("game_id", "text", "ply"),
        [
            ("clash-of-powers", "4/8", (4, 8)),
            ("power-match", "7b", ((7, "b"),)),
            ("power-match", "2e", ((2, "e"),)),
            ("double-up", "17", (17,)),
            ("power-line", "5=2", ((5, 2),)),
            ("power-line", "5+", ((5, None),)),
            ("power-up", "3", (3,)),
        ],
    )
    def test_moves_and_their_texts(self, game_id: str, text: str, ply: object) -> None:
        assert parse_ply(game_of(game_id), text) == ply
        assert format_ply(game_of(game_id), parse_ply(game_of(game_id), text)) == text

    @pytest.mark.parametrize(
        ("game_id", "text", "message"),
        [
            ("clash-of-powers", "four", "'four' is not a whole number."),
            ("clash-of-powers", "4/", "'' is not a whole number."),
            ("double-up", "-3", "'-3' is less than 0."),
            ("power-match", "7", "'7' is not a number with b for base or e for exponent, like 7b."),
            ("power-match", "", "'' is not a number with b for base or e for exponent, like 7b."),
            ("power-match", "b", "'' is not a whole number."),
            ("power-match", "7B", "'7B' is not a number with b for base or e for exponent, like 7b."),
            ("power-line", "5", "'5' neither places a node, like 5=2, nor upgrades one, like 5+."),
            ("power-line", "+", "'' is not a whole number."),
            ("power-line", "=2", "'' is not a whole number."),
            ("power-line", "5=", "'' is not a whole number."),
            ("power-line", "5=2=1", "'2=1' is not a whole number."),
            ("power-up", "1.5", "'1.5' is not a whole number."),
        ],
    )
    def test_what_is_no_move_says_what_one_looks_like(self, game_id: str, text: str, message: str) -> None:
        with pytest.raises(UnreadableText) as refusal:
            parse_ply(game_of(game_id), text)
        assert str(refusal.value) == message


class TestPositions:
    """Positions as one line of text."""

    @pytest.mark.parametrize(
        ("game_id", "text"),
        [
            ("clash-of-powers", "hands=1,2,8:1,4,16 score=1:1 tiebroken=false"),
            ("clash-of-powers", "hands=-:- score=3:2 tiebroken=true"),
            ("power-match", "pool=1,3,4 expressions=7^2:_^9"),
            ("double-up", "last=17 turn=2"),
            ("power-line", "line=.A2..B10...... energy=3:15 turn=1"),
            ("power-line", "line=.A2..B10...... energy=0:0 turn=-"),
            ("power-up", "base=64 still=2 turn=1"),
        ],
    )
    def test_a_position_survives_being_read(self, game_id: str, text: str) -> None:
        game = game_of(game_id)
        assert format_position(game, parse_position(game, text)) == text

    @pytest.mark.parametrize(
        ("game_id", "text", "message"),
        [
            ("double-up", "", "A position of Double Up is written last=... turn=...."),
            ("double-up", "turn=1 last=2", "A position of Double Up is written last=... turn=...."),
            ("double-up", "last=17 turn=2 more=1", "A position of Double Up is written last=... turn=...."),
            ("double-up", "last=17 turn=3", "turn: '3' is not among them."),
            ("double-up", "last=x turn=1", "last: 'x' is not a whole number."),
            (
                "clash-of-powers",
                "hands=1,2 score=0:0 tiebroken=false",
                "hands: '1,2' should be 2 values separated by ':'.",
            ),
            ("power-match", "pool=1 expressions=7:7^_", "expressions: '7' is not an expression like 7^_."),
            ("power-match", "pool=1 expressions=x^2:7^_", "expressions: 'x' is not a whole number."),
        ],
    )
    def test_what_is_no_position_is_refused_with_its_place(self, game_id: str, text: str, message: str) -> None:
        with pytest.raises(UnreadableText) as refusal:
            parse_position(game_of(game_id), text)
        assert str(refusal.value) == message

    @pytest.mark.parametrize("line", ["x", ".A", "A2B", "C3", "A-1", "a1"])
    def test_what_is_no_line_is_refused(self, line: str) -> None:
        with pytest.raises(UnreadableText, match=r"^line: '.+' is not a line.*\.$"):
            parse_position(game_of("power-line"), f"line={line} energy=1:1 turn=1")


def test_the_registry_knows_five_games_and_no_more() -> None:
    assert list(GAMES) == ["clash-of-powers", "power-match", "double-up", "power-line", "power-up"]
    assert len(GAMES) == 5
    assert {game_id: GAMES[game_id].id for game_id in GAMES} == {game_id: game_id for game_id in GAMES}
    assert "chess" not in GAMES
    with pytest.raises(KeyError):
        GAMES["chess"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("power-up", ["power-up"]),
        ("Power Up", ["power-up"]),
        ("clash", ["clash-of-powers"]),
        ("LINE", ["power-line"]),
        ("up", ["double-up", "power-up"]),
        ("power", ["clash-of-powers", "power-match", "power-line", "power-up"]),
        ("chess", []),
        ("", []),
    ],
)
def test_a_name_may_be_meant_by_itself_by_its_start_or_by_a_part(text: str, names: list[str]) -> None:
    assert sorted(meant(text, GAMES)) == sorted(names)
