"""Making games from options: defaults, ranges, presets, and what is refused in which words."""

from collections.abc import Iterator
from typing import Any

import pytest

from powerduels.core import OptionError
from powerduels.games import GAMES
from powerduels.text import make_game, option_texts

DEFAULTS = {
    "clash-of-powers": {"powers": "1,2,4,8,16", "duels_to_win": "3", "exact_double": "true", "tiebreak": "single"},
    "power-match": {"pool": "9", "order": "alternate"},
    "double-up": {"start": "1", "limit": "100"},
    "power-line": {
        "length": "11",
        "nodes": "5",
        "energy": "15",
        "head_start": "0",
        "place_max": "5",
        "level_max": "10",
        "chain": "11",
        "capture": "mover",
        "ending": "chain,power,second",
    },
    "power-up": {"base": "2", "target": "256", "exponents": "1,2,3", "stall_limit": "8", "stalling": "free"},
}

RANGES = [
    # Game, option, lowest, highest (None where there is no end), other settings that the range needs.
    ("clash-of-powers", "duels_to_win", 1, 5, {}),
    ("clash-of-powers", "duels_to_win", 1, 2, {"powers": "1,2"}),
    ("clash-of-powers", "duels_to_win", 1, 10, {"powers": "1,2,3,4,5,6,7,8,9,10"}),
    ("power-match", "pool", 4, 99, {}),
    ("double-up", "start", 1, 100, {}),
    ("double-up", "start", 1, None, {"limit": "none"}),
    ("double-up", "limit", 1, 10**18, {}),
    ("double-up", "limit", 7, 10**18, {"start": "7"}),
    ("power-line", "length", 2, 21, {}),
    ("power-line", "nodes", 1, 21, {}),
    ("power-line", "energy", 1, 99, {}),
    ("power-line", "head_start", 0, 20, {}),
    ("power-line", "place_max", 1, 10, {}),
    ("power-line", "place_max", 1, 7, {"level_max": "7"}),
    ("power-line", "level_max", 1, 10, {}),
    ("power-line", "level_max", 4, 10, {"place_max": "4"}),
    ("power-line", "chain", 2, 11, {}),
    ("power-line", "chain", 2, 4, {"length": "4"}),
    ("power-line", "chain", 2, 21, {"length": "21"}),
    ("power-up", "base", 2, 255, {}),
    ("power-up", "base", 2, 10**100 - 1, {"target": "10^100"}),
    ("power-up", "target", 3, 10**100, {}),
    ("power-up", "target", 6, 10**100, {"base": "5"}),
    ("power-up", "stall_limit", 1, 1000, {}),
]

WORDS = [
    ("clash-of-powers", "exact_double", ("true", "false")),
    ("clash-of-powers", "tiebreak", ("single", "repeat", "none")),
    ("power-match", "order", ("alternate", "snake")),
    ("power-line", "capture", ("mover", "mutual", "takeover")),
    ("power-up", "stalling", ("free", "once")),
]


def options_of(game_id: str, preset: str | None = None, **settings: object) -> dict[str, str]:
    """All options of the game as texts, after some are set."""
    return option_texts(make_game(GAMES[game_id], settings, preset))


def refused(game_id: str, preset: str | None = None, **settings: object) -> str:
    """The message with which these settings are refused."""
    with pytest.raises(OptionError) as refusal:
        make_game(GAMES[game_id], settings, preset)
    message = str(refusal.value)
    assert message.endswith((".", "?"))
    assert len(message) < 300
    return message


@pytest.mark.parametrize("game_id", GAMES)
def test_defaults(game_id: str) -> None:
    assert options_of(game_id) == DEFAULTS[game_id]
    assert options_of(game_id, **DEFAULTS[game_id]) == DEFAULTS[game_id]


def test_every_option_has_its_range_tested() -> None:
    tested = {(game_id, name) for game_id, name, *_ in [*RANGES, *WORDS]}
    lists = {("clash-of-powers", "powers"), ("power-line", "ending"), ("power-up", "exponents")}
    assert tested | lists == {(game_id, option.name) for game_id in GAMES for option in GAMES[game_id].options}


def ends() -> Iterator[Any]:
    for game_id, name, low, high, others in RANGES:
        for end, beyond in ((low, low - 1), (high, None if high is None else high + 1)):
            if end is not None:
                settings = " ".join(f"{other}={value}" for other, value in others.items())
                yield pytest.param(game_id, name, end, beyond, others, id=f"{game_id} {name}={end} {settings}".strip())


@pytest.mark.parametrize(("game_id", "name", "end", "beyond", "others"), list(ends()))
@pytest.mark.parametrize("kind", [str, int])
def test_both_ends_of_each_range_are_accepted_and_nothing_beyond(
    game_id: str, name: str, end: int, beyond: int, others: dict[str, str], kind: type
) -> None:
    """Given as texts and as Python values."""
    assert options_of(game_id, **others, **{name: kind(end)})[name] == str(end)
    # The contradicting option may be the one that is named: whichever it is, both are in the message.
    message = refused(game_id, **others, **{name: kind(beyond)})
    assert name in message


@pytest.mark.parametrize(("game_id", "name", "words"), WORDS)
def test_words_are_accepted_and_no_others(game_id: str, name: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert options_of(game_id, **{name: word})[name] == word
    for other in ("", "maybe", words[0].upper()):
        assert refused(game_id, **{name: other}).startswith(f"{name}: {other!r} is not among them. Allowed: {words[0]}")


@pytest.mark.parametrize(("game_id", "name"), [("double-up", "limit"), ("power-up", "stall_limit")])
def test_none_is_a_value_where_a_rule_can_be_left_out(game_id: str, name: str) -> None:
    assert options_of(game_id, **{name: None})[name] == options_of(game_id, **{name: "none"})[name] == "none"
    assert refused(game_id, **{name: ""}).startswith(f"{name}: '' is not a whole number.")


def test_none_is_no_value_where_it_is_not_declared() -> None:
    assert refused("power-match", pool=None) == "pool: 'None' is not a whole number. Allowed: 4 to 99."
    assert refused("power-match", pool="none") == "pool: 'none' is not a whole number. Allowed: 4 to 99."


class TestFollowingDefaults:
    """Defaults that depend on other options, and stay behind what is set."""

    @pytest.mark.parametrize(("powers", "duels"), [("1,2", "2"), ("1,2,3", "3"), ("1,2,3,4", "3")])
    def test_duels_to_win_is_at_most_the_number_of_powers(self, powers: str, duels: str) -> None:
        assert options_of("clash-of-powers", powers=powers)["duels_to_win"] == duels
        assert options_of("clash-of-powers", powers=powers, duels_to_win=1)["duels_to_win"] == "1"

    @pytest.mark.parametrize(("level_max", "place_max"), [(1, "1"), (4, "4"), (5, "5"), (6, "5")])
    def test_place_max_is_at_most_level_max(self, level_max: int, place_max: str) -> None:
        assert options_of("power-line", level_max=level_max)["place_max"] == place_max
        assert options_of("power-line", level_max=level_max, place_max=1)["place_max"] == "1"

    @pytest.mark.parametrize("length", [2, 7, 21])
    def test_chain_is_the_whole_line(self, length: int) -> None:
        assert options_of("power-line", length=length)["chain"] == str(length)
        assert options_of("power-line", length=length, chain=2)["chain"] == "2"


class TestPresets:
    """Named option sets, which single settings override."""

    def test_presets_are_the_declared_ones(self) -> None:
        assert {game_id: list(GAMES[game_id].presets) for game_id in GAMES if GAMES[game_id].presets} == {
            "clash-of-powers": ["sharp"],
            "power-line": ["takeover"],
        }

    def test_sharp(self) -> None:
        assert options_of("clash-of-powers", "sharp") == DEFAULTS["clash-of-powers"] | {"duels_to_win": "2"}

    def test_takeover(self) -> None:
        changes = {"capture": "takeover", "chain": "5", "ending": "chain,power,energy,second"}
        assert options_of("power-line", "takeover") == DEFAULTS["power-line"] | changes

    def test_settings_override_the_preset(self) -> None:
        assert options_of("clash-of-powers", "sharp", duels_to_win=4)["duels_to_win"] == "4"
        changed = options_of("power-line", "takeover", chain=4, energy=9)
        assert (changed["capture"], changed["chain"], changed["energy"]) == ("takeover", "4", "9")

    def test_a_preset_may_contradict_a_setting(self) -> None:
        assert refused("power-line", "takeover", length=4) == "chain: 5 is longer than the line; it can be 2 to 4."

    def test_unknown_presets(self) -> None:
        assert refused("clash-of-powers", "sharpe") == "Clash of Powers has no preset 'sharpe'. Did you mean sharp?"
        assert refused("power-line", "x") == "Power Line has no preset 'x'. There is takeover."
        assert refused("power-up", "sharp") == "Power Up has no preset 'sharp'. There are none."


@pytest.mark.parametrize(
    ("game_id", "unknown", "answer"),
    [
        ("power-match", "pol", "Power Match has no option 'pol'. Did you mean pool?"),
        ("power-line", "lenght", "Power Line has no option 'lenght'. Did you mean length?"),
        ("clash-of-powers", "duel_to_wins", "Clash of Powers has no option 'duel_to_wins'. Did you mean duels_to_win?"),
        ("double-up", "zzz", "Double Up has no option 'zzz'. There are start and limit."),
        ("power-up", "x" * 1000, f"Power Up has no option '{'x' * 37}...'. There are"),
    ],
)
def test_unknown_options_are_refused_with_the_nearest_name(game_id: str, unknown: str, answer: str) -> None:
    assert refused(game_id, **{unknown: "5"}).startswith(answer)


@pytest.mark.parametrize(
    ("game_id", "settings", "answer"),
    [
        ("power-up", {"base": 256}, "base: 256 is not below the target, 256."),
        ("power-up", {"base": 9, "target": 5}, "base: 9 is not below the target, 5."),
        ("power-up", {"exponents": "1"}, "exponents: one of them must be above 1, or the base never grows."),
        ("double-up", {"start": 101}, "start: 101 is above the limit, 100."),
        ("double-up", {"start": 9, "limit": 8}, "start: 9 is above the limit, 8."),
        ("power-line", {"place_max": 6, "level_max": 5}, "place_max: 6 is above level_max, 5."),
        ("power-line", {"chain": 12}, "chain: 12 is longer than the line; it can be 2 to 11."),
        (
            "clash-of-powers",
            {"powers": "1,2,3", "duels_to_win": 4},
            "duels_to_win: with 3 powers it can be 1 to 3.",
        ),
    ],
)
def test_contradictory_sets_are_refused(game_id: str, settings: dict[str, object], answer: str) -> None:
    assert refused(game_id, None, **settings) == answer


class TestNumberLists:
    """`powers` and `exponents`: different numbers, kept in ascending order."""

    def test_any_order_and_blanks_are_read(self) -> None:
        assert options_of("clash-of-powers", powers="8, 1,4")["powers"] == "1,4,8"
        assert options_of("clash-of-powers", powers=[8, 1, 4])["powers"] == "1,4,8"
        assert options_of("power-up", exponents=(3, 2))["exponents"] == "2,3"

    def test_range_ends(self) -> None:
        assert options_of("clash-of-powers", powers="1,1000000")["powers"] == "1,1000000"
        assert options_of("clash-of-powers", powers=range(1, 11))["powers"] == "1,2,3,4,5,6,7,8,9,10"
        assert options_of("power-up", exponents="1,9")["exponents"] == "1,9"
        assert options_of("power-up", exponents="2,3,4,5,6,7")["exponents"] == "2,3,4,5,6,7"

    ALLOWED_POWERS = "Allowed: 2 to 10 different numbers from 1 to 10^6."
    ALLOWED_EXPONENTS = "Allowed: 1 to 6 different numbers from 1 to 9."

    @pytest.mark.parametrize(
        ("powers", "problem"),
        [
            ("4", "'4' names 1 number."),
            (range(1, 12), "'1,2,3,4,5,6,7,8,9,10,11' names 11 numbers."),
            ("1,4,4", "'1,4,4' names a number twice."),
            ("0,4", "'0' is out of range."),
            ("1,1000001", "'1000001' is out of range."),
            ("", "'' is not a whole number."),
            ("1,,2", "'' is not a whole number."),
            ("1,-2", "'-2' is less than 0."),
        ],
    )
    def test_refused_powers(self, powers: object, problem: str) -> None:
        assert refused("clash-of-powers", powers=powers) == f"powers: {problem} {self.ALLOWED_POWERS}"

    def test_a_value_that_is_no_list(self) -> None:
        message = refused("clash-of-powers", powers=7)
        assert message.startswith("powers: ")
        assert message.endswith(f" cannot be read. {self.ALLOWED_POWERS}")

    @pytest.mark.parametrize(
        ("exponents", "problem"),
        [("0,2", "'0' is out of range."), ("2,10", "'10' is out of range."), ("2,2", "'2,2' names a number twice.")],
    )
    def test_refused_exponents(self, exponents: str, problem: str) -> None:
        assert refused("power-up", exponents=exponents) == f"exponents: {problem} {self.ALLOWED_EXPONENTS}"


class TestEnding:
    """`ending`: criteria in order, closed by a word that leaves no doubt."""

    @pytest.mark.parametrize(
        "ending", ["draw", "first", "chain,power,second", "nodes,energy,power,chain,draw", ("energy", "first")]
    )
    def test_accepted(self, ending: object) -> None:
        expected = ending if isinstance(ending, str) else "energy,first"
        assert options_of("power-line", ending=ending)["ending"] == expected

    @pytest.mark.parametrize(
        "ending",
        ["", "chain", "chain,power", "draw,chain", "chain,chain,draw", "luck,draw", "first,second", "chain, draw"],
    )
    def test_refused(self, ending: str) -> None:
        assert refused("power-line", ending=ending) == (
            f"ending: {ending!r} is not such a list. "
            "Allowed: any of chain, power, energy, and nodes in order, closed by first, second, or draw."
        )

    def test_a_value_that_is_no_list(self) -> None:
        assert " cannot be read. Allowed: any of chain, power," in refused("power-line", ending=5)


class TestWrittenNumbers:
    """Numbers that are tedious to type, and those nobody should have to wait for."""

    def test_powers_of_ten_are_read(self) -> None:
        assert options_of("double-up", limit="10^18")["limit"] == str(10**18)
        assert options_of("power-up", target="10^100")["target"] == str(10**100)

    @pytest.mark.parametrize(
        "text",
        ["9" * 1_000_000, "10^999999999", "9^9999", "9" * 900 + "^9", "1" + "0" * 5000, "10^" + "9" * 1_000_000],
        ids=lambda text: f"{text[:12]}, {len(text)} long",
    )
    def test_absurdly_long_numbers_are_refused_unread(self, text: str) -> None:
        assert "is too long" in refused("double-up", limit=text)
        assert "is too long" in refused("double-up", start=text, limit="none")
        assert "is too long" in refused("clash-of-powers", powers=f"1,{text}")

    def test_absurdly_large_python_numbers_are_refused_too(self) -> None:
        for game_id, name in (("double-up", "limit"), ("power-up", "target")):
            message = refused(game_id, None, **{name: 10**5000})
            assert message.startswith(f"{name}: ")
            assert " cannot be read. Allowed: " in message

    @pytest.mark.parametrize(
        "text", ["", "-", "+5", "5.0", "1e3", "five", "0x10", "٥", "²", " 5", "10^", "^5", "2^3^2"]
    )
    def test_what_is_no_whole_number_is_refused(self, text: str) -> None:
        assert refused("power-match", pool=text) == f"pool: {text!r} is not a whole number. Allowed: 4 to 99."

    @pytest.mark.parametrize("value", [9.0, True, [9], b"9"])
    def test_values_of_another_kind_are_refused(self, value: object) -> None:
        assert refused("power-match", pool=value).startswith("pool: ")

    def test_truth_values(self) -> None:
        assert options_of("clash-of-powers", exact_double=False)["exact_double"] == "false"
        assert options_of("clash-of-powers", exact_double=True)["exact_double"] == "true"


def test_games_are_values() -> None:
    default = make_game(GAMES["power-match"], {})
    assert default == make_game(GAMES["power-match"], {"pool": "9"})
    assert default != make_game(GAMES["power-match"], {"pool": "10"})
    assert default != make_game(GAMES["double-up"], {})
    assert default != "power-match"
    assert repr(default) == "PowerMatch(Rules(pool=9, order='alternate'))"
    assert len({default, make_game(GAMES["power-match"], {"order": "alternate"})}) == 1
