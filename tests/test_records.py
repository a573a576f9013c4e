"""Game records: written and read without loss, and refused with the place of whatever is wrong with them."""

import json
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from powerduels.core import AnyGame, IllegalMove, UnreadableText
from powerduels.games import GAMES
from powerduels.records import (
    ENDINGS,
    FIELDS,
    LONGEST_NAME,
    PROGRAMS,
    Record,
    RecordError,
    Result,
    format_record,
    is_program,
    name_fault,
    parse_record,
    read_plies,
    replay,
    result_by_rules,
)
from powerduels.text import format_ply, make_game, option_texts
from strategies import SEEDS, games, random_game

MOST_PLIES = 60

SENTENCES = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]) | st.just(" "), max_size=30)
NAMES = SENTENCES.filter(lambda text: name_fault(text) is None)
PROGRAM_TEXTS = st.just("random") | st.builds("{}:{}".format, st.sampled_from(PROGRAMS), SENTENCES.filter(bool))
PLAYERS = NAMES | PROGRAM_TEXTS


@st.composite
def records(draw: st.DrawFn, games_drawn: st.SearchStrategy[AnyGame]) -> Record:
    """Games played at random: to their end, broken off, or ended by something other than the rules."""
    game, players, first = draw(games_drawn), (draw(PLAYERS), draw(PLAYERS)), draw(st.integers(0, 1))
    plies, position = [], game.initial()
    for _, ply, following in random_game(game, draw(SEEDS), draw(st.integers(0, MOST_PLIES))):
        plies.append(ply)
        position = following
    result = result_by_rules(game, players, first, position)
    if result is None and draw(st.booleans()):
        by = draw(st.sampled_from([ending for ending in ENDINGS if ending != "rules"]))
        result = Result(draw(st.sampled_from([0, 1, None])), by, draw(SENTENCES))
    return Record(game, players, first, tuple(plies), result)


POWER_UP: dict[str, Any] = {
    "format": "powerduels/1",
    "game": "power-up",
    "rules": {"base": "2", "target": "256", "exponents": "1,2,3", "stall_limit": "8", "stalling": "free"},
    "players": ["Ann", "computer:5"],
    "first": 1,
    "moves": ["3", "2", "2"],
    "result": {
        "winner": 1,
        "by": "rules",
        "reason": "Ann wins! Base number reached 4096 (target was 256).",
    },
}
UNFINISHED = {**POWER_UP, "moves": ["3"], "result": None}

CLASH_RULES = {"powers": "1,2,4,8,16", "duels_to_win": "3", "exact_double": "true", "tiebreak": "single"}
CLASH: dict[str, Any] = {
    "format": "powerduels/1",
    "game": "clash-of-powers",
    "rules": CLASH_RULES,
    "players": ["random", "Ben"],
    "first": 2,
    "moves": ["4/8", "16/2"],
    "result": None,
}


def changed(record: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**record, **fields}


def with_rules(**rules: Any) -> dict[str, Any]:
    return changed(UNFINISHED, rules={**POWER_UP["rules"], **rules})


def with_result(**fields: Any) -> dict[str, Any]:
    return changed(POWER_UP, result={**POWER_UP["result"], **fields})


def resigned(**fields: Any) -> dict[str, Any]:
    return changed(UNFINISHED, result={"winner": 2, "by": "resigned", "reason": "Ann has resigned."} | fields)


def without(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {field: value for field, value in record.items() if field != name}


def parse(text: str) -> Record:
    return parse_record(text, GAMES)


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        parse(text)
    return str(refused.value)


def assert_kept_or_refused(text: str) -> None:
    """A text is a record that is written back with the same meaning, or it is refused in one short line."""
    try:
        record = parse(text)
    except RecordError as error:
        message = str(error)
        assert message.isprintable()
        assert message.endswith((".", "?"))
        assert len(message) < 500
        return
    written = format_record(record)
    assert json.loads(written) == json.loads(text)
    assert parse(written) == record


# Writing and reading back


@given(records(games()))
def test_a_record_survives_being_written(record: Record) -> None:
    text = format_record(record)
    assert parse(text) == record
    assert format_record(parse(text)) == text
    assert parse(text.encode().decode()) == record


@given(records(games()))
def test_the_written_fields_are_those_of_the_format(record: Record) -> None:
    fields = json.loads(format_record(record))
    assert list(fields) == ["format", "game", "rules", "players", "first", "moves", "result"]
    assert fields["format"] == "powerduels/1"
    assert fields["game"] == record.game.id
    assert fields["rules"] == option_texts(record.game)
    assert all(type(value) is str for value in [*fields["rules"].values(), *fields["players"], *fields["moves"]])
    assert fields["players"] == list(record.players)
    assert fields["first"] == record.first + 1
    assert fields["moves"] == [format_ply(record.game, ply) for ply in record.plies]
    if record.result is None:
        assert fields["result"] is None
    else:
        winner = record.result.winner
        assert list(fields["result"]) == ["winner", "by", "reason"]
        assert fields["result"]["winner"] == (None if winner is None else winner + 1)


@given(records(games()))
def test_the_order_of_fields_and_the_blanks_do_not_matter(record: Record) -> None:
    fields = json.loads(format_record(record))
    backwards = dict(reversed(fields.items()))
    assert parse(json.dumps(backwards)) == record
    assert parse(json.dumps(fields, indent=7)) == record
    assert parse(json.dumps(fields, ensure_ascii=True, separators=(",", ":"))) == record


def test_the_record_of_the_format_page_means_what_it_says() -> None:
    record = parse(json.dumps(POWER_UP))
    assert record == Record(
        make_game(GAMES["power-up"], {}),
        ("Ann", "computer:5"),
        0,
        ((3,), (2,), (2,)),
        Result(0, "rules", "Ann wins! Base number reached 4096 (target was 256)."),
    )


def test_a_record_is_written_with_a_line_for_each_field() -> None:
    lines = format_record(parse(json.dumps(POWER_UP))).splitlines()
    assert lines[0] == "{"
    assert lines[-1] == "}"
    assert [line.split('"')[1] for line in lines[1:-1]] == list(FIELDS)


def test_names_in_any_script_are_written_as_they_are() -> None:
    text = format_record(parse(json.dumps(changed(UNFINISHED, players=["Zoë", "Ωμέγα 数"]))))
    assert '"Zoë", "Ωμέγα 数"' in text


def test_a_half_chosen_duel_is_no_part_of_a_record() -> None:
    assert parse(json.dumps(CLASH)).plies == ((4, 8), (16, 2))
    assert refusal(json.dumps(changed(CLASH, moves=["4/8", "16"]))) == (
        "move 2 '16': 2 must choose here, but 1 moves are given."
    )


@pytest.mark.parametrize(("first", "winner"), [(1, 1), (2, 2)])
def test_whoever_starts_the_first_move_is_theirs(first: int, winner: int) -> None:
    """Three moves win Power Up for the player who made the first."""
    result = {"winner": winner, "by": "rules", "reason": "So it was."}
    record = parse(json.dumps(changed(POWER_UP, first=first, result=result)))
    assert record.result == Result(winner - 1, "rules", "So it was.")


@pytest.mark.parametrize("first", [1, 2])
def test_in_a_simultaneous_game_seats_stay_what_they_are_whoever_is_first(first: int) -> None:
    """Seat 1 wins these three duels, the last of them because 16 is exactly double 8."""
    result = {"winner": 1, "by": "rules", "reason": "Three duels."}
    duels = changed(CLASH, first=first, moves=["4/1", "16/2", "8/16"])
    assert parse(json.dumps(changed(duels, result=result))).result == Result(0, "rules", "Three duels.")
    assert refusal(json.dumps(changed(duels, result=result | {"winner": 2}))) == "result: by the moves the winner is 1."


@pytest.mark.parametrize("by", ["resigned", "time", "agreed", "forfeit"])
@pytest.mark.parametrize("winner", [1, 2, None])
def test_an_ending_that_is_not_by_the_rules_need_not_follow_from_the_moves(by: str, winner: int | None) -> None:
    text = json.dumps(resigned(by=by, winner=winner))
    assert json.loads(format_record(parse(text)))["result"]["winner"] == winner


def test_a_game_may_end_before_its_first_move() -> None:
    assert parse(json.dumps(resigned() | {"moves": []})).plies == ()


def test_a_game_that_is_over_at_its_start_has_a_record() -> None:
    rules = {"start": "7", "limit": "7"}
    result = {"winner": 2, "by": "rules", "reason": "Nothing can follow 7."}
    record = changed(UNFINISHED, game="double-up", rules=rules, moves=[], result=result)
    assert parse(json.dumps(record)).result == Result(1, "rules", "Nothing can follow 7.")
    assert refusal(json.dumps(changed(record, result=None))) == (
        "result: the moves end the game by its rules, but the result says otherwise."
    )


@given(records(games("double-up", "clash-of-powers", "power-line", "power-up", quick=True)))
def test_the_reason_of_a_result_is_free(record: Record) -> None:
    fields = json.loads(format_record(record))
    if fields["result"]:
        fields["result"]["reason"] = "In other words."
        assert parse(json.dumps(fields)).result == record.result._replace(reason="In other words.")  # type: ignore[union-attr]


# Who plays


@pytest.mark.parametrize(
    "player",
    ["Ann", "a", "x" * 40, "Player 1", "O'Hara, 2nd", "Zoë", "Random", "Human", "computer", "bot", "humans",
     "random", "computer:5", "computer:x", "bot:./my bot --fast", "llm:some-model@http://localhost:8080/v1"],
)  # fmt: skip
def test_players_that_a_record_may_name(player: str) -> None:
    assert parse(json.dumps(changed(UNFINISHED, players=[player, "Ben"]))).players == (player, "Ben")
    assert parse(json.dumps(changed(UNFINISHED, players=["Ben", player]))).players == ("Ben", player)


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("", "A name cannot be empty."),
        (" ", "A name cannot be empty."),
        ("human", "human stands for a kind of player and cannot be a name."),
        ("human:Ann", "A name cannot hold a colon."),
        ("human:", "A name cannot hold a colon."),
        ("random:7", "A name cannot hold a colon."),
        ("computer:", "A name cannot hold a colon."),
        ("bot:", "A name cannot hold a colon."),
        ("bot:a\nb", "A name cannot hold a colon."),
        ("Ann:Ben", "A name cannot hold a colon."),
        ("Computer:5", "A name cannot hold a colon."),
        ("random ", "A name consists of printable characters, with no blank at its ends."),
        (" Ann", "A name consists of printable characters, with no blank at its ends."),
        ("A\x00nn", "A name consists of printable characters, with no blank at its ends."),
        ("A\nnn", "A name consists of printable characters, with no blank at its ends."),
        ("A\x1b[2Jnn", "A name consists of printable characters, with no blank at its ends."),
        ("A\u202enn", "A name consists of printable characters, with no blank at its ends."),
        ("A\ud800nn", "A name consists of printable characters, with no blank at its ends."),
        ("x" * 41, "A name has at most 40 characters."),
    ],
)
def test_names_that_are_refused(player: str, fault: str) -> None:
    for players in ([player, "Ben"], ["Ben", player]):
        message = refusal(json.dumps(changed(UNFINISHED, players=players)))
        assert message.startswith("players: '")
        assert message.endswith(f"': {fault}")
        assert message.isprintable()


@given(st.text())
def test_an_entry_is_a_name_or_a_program_or_faulty_but_never_two_of_them(text: str) -> None:
    if is_program(text):
        assert text == "random" or name_fault(text)
    elif name_fault(text) is None:
        assert 1 <= len(text) <= LONGEST_NAME
        assert text.isprintable()
        assert ":" not in text


# What is refused

FAULTS = {
    # the object
    "a list": ([], "record: not a JSON object."),
    "a text": ("Ann", "record: not a JSON object."),
    "null": (None, "record: not a JSON object."),
    "an empty object": ({}, "record: format is missing."),
    "an unknown field": (
        changed(POWER_UP, move=[]),
        "record: 'move' is unknown. Did you mean moves?",
    ),
    "a comment": (
        changed(POWER_UP, comment="a fine game"),
        "record: 'comment' is unknown. There are format, game, rules, players, first, moves, and result.",
    ),
    # format
    "another format": (changed(POWER_UP, format="powerduels/2"), "format: 'powerduels/2' is not 'powerduels/1'."),
    "a format in capitals": (changed(POWER_UP, format="Powerduels/1"), "format: 'Powerduels/1' is not 'powerduels/1'."),
    "a format that is null": (changed(POWER_UP, format=None), "format: null is not 'powerduels/1'."),
    "a format that is a long list": (changed(POWER_UP, format=[7] * 9999), "format: a list is not 'powerduels/1'."),
    # game
    "a misspelt game": (changed(POWER_UP, game="powr-up"), "game: 'powr-up' is unknown. Did you mean power-up?"),
    "an unknown game": (
        changed(POWER_UP, game="chess"),
        "game: 'chess' is unknown. There are clash-of-powers, power-match, double-up, power-line, and power-up.",
    ),
    "a part of a game's id": (changed(POWER_UP, game="match"), "game: 'match' is unknown. Did you mean power-match?"),
    "a game that is a list": (
        changed(POWER_UP, game=["power-up"]),
        "game: a list is unknown. There are clash-of-powers, power-match, double-up, power-line, and power-up.",
    ),
    # rules
    "rules that are a list": (changed(POWER_UP, rules=[]), "rules: not a JSON object."),
    "a missing rule": (changed(POWER_UP, rules=without(POWER_UP["rules"], "target")), "rules: target is missing."),
    "an unknown rule": (with_rules(traget="1"), "rules: 'traget' is unknown. Did you mean target?"),
    "a rule of another game": (changed(POWER_UP, rules=CLASH_RULES), "rules: base is missing."),
    "a rule that is a number": (with_rules(target=256), "rules: target is not a text."),
    "a rule that is no number": (
        with_rules(target="many"),
        "rules: target: 'many' is not a whole number. Allowed: 3 to 10^100.",
    ),
    "a rule out of range": (
        with_rules(stall_limit="1001"),
        "rules: stall_limit: '1001' is out of range. Allowed: 1 to 1000, or none.",
    ),
    "rules that contradict one another": (
        with_rules(base="256"),
        "rules: base: 256 is not below the target, 256.",
    ),
    "a rule with a leading zero": (with_rules(target="0256"), "rules: target is written '256', not '0256'."),
    "a rule as a power of ten": (with_rules(target="10^3"), "rules: target is written '1000', not '10^3'."),
    "a rule with blanks": (with_rules(exponents="1, 2,3"), "rules: exponents is written '1,2,3', not '1, 2,3'."),
    "a rule out of order": (with_rules(exponents="2,1,3"), "rules: exponents is written '1,2,3', not '2,1,3'."),
    # players
    "players that are a text": (changed(POWER_UP, players="Ann"), "players: not a list of two texts."),
    "one player": (changed(POWER_UP, players=["Ann"]), "players: not a list of two texts."),
    "three players": (changed(POWER_UP, players=["Ann", "Ben", "Cid"]), "players: not a list of two texts."),
    "a player that is a number": (changed(POWER_UP, players=["Ann", 2]), "players: not a list of two texts."),
    # first
    "first below the range": (changed(POWER_UP, first=0), "first: 0 is neither 1 nor 2."),
    "first above the range": (changed(POWER_UP, first=3), "first: 3 is neither 1 nor 2."),
    "first as a text": (changed(POWER_UP, first="1"), "first: '1' is neither 1 nor 2."),
    "first as a fraction": (changed(POWER_UP, first=1.0), "first: 1.0 is neither 1 nor 2."),
    "first as a truth": (changed(POWER_UP, first=True), "first: true is neither 1 nor 2."),
    "first as an object": (changed(POWER_UP, first={}), "first: an object is neither 1 nor 2."),
    "first as a long number": (changed(POWER_UP, first=10**99), f"first: 1{'0' * 36}... is neither 1 nor 2."),
    # moves
    "moves that are a text": (changed(POWER_UP, moves="3 2 2"), "moves: not a list of texts."),
    "a move that is a number": (changed(POWER_UP, moves=["3", 2]), "moves: not a list of texts."),
    "an unreadable move": (changed(POWER_UP, moves=["3", "cube"]), "move 2 'cube': 'cube' is not a whole number."),
    "an empty move": (changed(POWER_UP, moves=[""]), "move 1 '': '' is not a whole number."),
    "a move with a blank": (changed(POWER_UP, moves=["3 "]), "move 1 '3 ': '3 ' is not a whole number."),
    "a move in foreign digits": (changed(POWER_UP, moves=["٣"]), "move 1 '٣': '٣' is not a whole number."),
    "a move with a leading zero": (changed(POWER_UP, moves=["3", "02"]), "move 2 '02': it is written '2'."),
    "an illegal move": (
        changed(POWER_UP, moves=["3", "4"]),
        "move 2 '4': 4 is not one of the exponents; choose 1, 2, or 3.",
    ),
    "two moves where one must choose": (
        changed(POWER_UP, moves=["3/2"]),
        "move 1 '3/2': 1 must choose here, but 2 moves are given.",
    ),
    "a move after the end": (
        changed(POWER_UP, moves=["3", "2", "2", "1"]),
        "move 4 '1': The game is over; no move can follow.",
    ),
    "an unreadable move after an illegal one": (
        changed(POWER_UP, moves=["4", "x"]),
        "move 2 'x': 'x' is not a whole number.",
    ),
    "a power used twice": (
        changed(CLASH, moves=["4/8", "16/8"]),
        "move 2 '16/8': That power is not among yours; left: 1, 2, 4, 16.",
    ),
    # result
    "a result that is false": (changed(UNFINISHED, result=False), "result: not a JSON object."),
    "a result without a reason": (
        changed(POWER_UP, result=without(POWER_UP["result"], "reason")),
        "result: reason is missing.",
    ),
    "a result with more": (
        with_result(because="of"),
        "result: 'because' is unknown. There are winner, by, and reason.",
    ),
    "a winner out of range": (with_result(winner=0), "result: winner is 0, but can be 1, 2 or null."),
    "a winner by name": (with_result(winner="Ann"), "result: winner is 'Ann', but can be 1, 2 or null."),
    "a winner that is true": (with_result(winner=True), "result: winner is true, but can be 1, 2 or null."),
    "a winner as a fraction": (with_result(winner=1.0), "result: winner is 1.0, but can be 1, 2 or null."),
    "an unknown way to end": (
        with_result(by="luck"),
        "result: by is 'luck', but can be rules, resigned, time, agreed, or forfeit.",
    ),
    "a way to end that is null": (
        with_result(by=None),
        "result: by is null, but can be rules, resigned, time, agreed, or forfeit.",
    ),
    "a reason that is null": (with_result(reason=None), "result: reason is not a text of printable characters."),
    "a reason that clears the screen": (
        with_result(reason="Ann\x1b[2J"),
        "result: reason is not a text of printable characters.",
    ),
    "a reason that no file can hold": (
        with_result(reason="\ud800"),
        "result: reason is not a text of printable characters.",
    ),
    "the wrong winner": (with_result(winner=2), "result: by the moves the winner is 1."),
    "a draw instead of a winner": (with_result(winner=None), "result: by the moves the winner is 1."),
    "a winner instead of a draw": (
        changed(with_result(winner=1), moves=["1"] * 8),
        "result: by the moves the winner is null.",
    ),
    "an end without a result": (
        changed(POWER_UP, result=None),
        "result: the moves end the game by its rules, but the result says otherwise.",
    ),
    "an end by the rules that is called another": (
        with_result(by="resigned"),
        "result: the moves end the game by its rules, but the result says otherwise.",
    ),
    "a result without an end": (
        changed(POWER_UP, moves=["3", "2"]),
        "result: the moves do not end the game by its rules.",
    ),
}


@pytest.mark.parametrize(("record", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_are_refused_with_their_place(record: Any, message: str) -> None:
    assert refusal(json.dumps(record)) == message


@pytest.mark.parametrize("name", FIELDS)
def test_no_field_may_be_missing(name: str) -> None:
    assert refusal(json.dumps(without(POWER_UP, name))) == f"record: {name} is missing."


@pytest.mark.parametrize("name", [*FIELDS, "target", "winner"])
def test_no_field_may_stand_twice_anywhere(name: str) -> None:
    text = json.dumps(POWER_UP)
    twice = text.replace(f'"{name}":', f'"{name}": null, "{name}":', 1)
    assert refusal(twice) == f"record: '{name}' stands there twice."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "record: not a JSON object (line 1: Expecting value)."),
        ("nonsense", "record: not a JSON object (line 1: Expecting value)."),
        ("\ufeff{}", "record: not a JSON object (line 1: Unexpected UTF-8 BOM (decode using utf-8-sig))."),
        ('{\n"format": }', "record: not a JSON object (line 2: Expecting value)."),
        (json.dumps(POWER_UP)[:-1], "record: not a JSON object (line 1: Expecting ',' delimiter)."),
        (json.dumps(POWER_UP) * 2, "record: not a JSON object (line 1: Extra data)."),
        ("[" * 100_000, "record: not a JSON object (nested too deeply)."),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "record: not a JSON object (nested too deeply)."),
        ("7" * 10_000, "record: not a game record (a number has thousands of digits)."),
        ("NaN", "record: not a JSON object."),
    ],
    ids=lambda text: text[:20],
)
def test_texts_that_are_no_json_object(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize(
    "value",
    ["7" * 10_000, "-" + "7" * 4300, "[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300, '"' + "x" * 10**6 + '"',
     "NaN", "-Infinity", "1e999", "-0", "[[], {}]"],
    ids=lambda value: value[:12],
)  # fmt: skip
def test_no_value_is_too_strange_to_be_refused_in_a_short_line(name: str, value: str) -> None:
    fields = {field: json.dumps(content) for field, content in POWER_UP.items()} | {name: value}
    text = "{" + ", ".join(f'"{field}": {content}' for field, content in fields.items()) + "}"
    message = refusal(text)
    assert len(message) < 300
    assert message.isprintable()


def test_numbers_of_thousands_of_digits_are_refused_wherever_they_stand() -> None:
    long = "7" * 10_000
    assert refusal(json.dumps(with_rules(target=long))) == (
        f"rules: target: '{'7' * 37}...' is too long. Allowed: 3 to 10^100."
    )
    assert refusal(json.dumps(changed(POWER_UP, moves=[long]))) == (
        f"move 1 '{'7' * 37}...': '{'7' * 37}...' is too long a number."
    )


def test_the_first_fault_is_the_one_that_is_named() -> None:
    """In the order of the fields, and only then whether the game could be played so."""
    everything: dict[str, Any] = {
        "format": 1, "game": 1, "rules": 1, "players": 1, "first": 0, "moves": 1, "result": 1,
    }  # fmt: skip
    for name in FIELDS:
        assert refusal(json.dumps(everything)).startswith(f"{name}: ")
        everything[name] = POWER_UP[name]
    assert parse(json.dumps(everything)) == parse(json.dumps(POWER_UP))


# Nothing but a record is ever taken for one, and nothing but RecordError is ever raised

FRAGMENTS = [*'{}[]":,\\/ \n\t01239-+.eabnul_', "null", "true", '""', "\\u0000", "\\ud800", "\x00", "é", "\U0001f600"]


def shortest_record(game_id: str) -> str:
    """A finished record in as few characters as it can have, so that few of them are blank."""
    game = make_game(GAMES[game_id], {})
    plies = [ply for _, ply, _ in random_game(game, random.Random(game_id), 200)]
    result = result_by_rules(game, ("A", "B"), 0, replay(game, plies)[-1])
    written = format_record(Record(game, ("A", "B"), 0, tuple(plies), result and result._replace(reason="So.")))
    return json.dumps(json.loads(written), separators=(",", ":"))


@pytest.mark.parametrize("game_id", GAMES)
def test_leaving_out_or_doubling_any_character_is_noticed_or_harmless(game_id: str) -> None:
    text = shortest_record(game_id)
    for at in range(len(text)):
        assert_kept_or_refused(text[:at] + text[at + 1 :])
        assert_kept_or_refused(text[:at] + text[at] + text[at:])


@settings(max_examples=5 * settings().max_examples)
@given(
    st.sampled_from(sorted(GAMES)), st.integers(0), st.sampled_from(FRAGMENTS) | st.text(max_size=3), st.integers(0, 3)
)
def test_any_change_of_a_record_is_noticed_or_harmless(game_id: str, place: int, inserted: str, dropped: int) -> None:
    text = shortest_record(game_id)
    at = place % (len(text) + 1)
    assert_kept_or_refused(text[:at] + inserted + text[at + dropped :])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["1", "random"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*FIELDS, "x"]), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
@example(POWER_UP)
def test_any_json_is_a_record_or_refused(value: Any) -> None:
    assert_kept_or_refused(json.dumps(value))


@given(st.text())
def test_any_text_is_a_record_or_refused(text: str) -> None:
    assert_kept_or_refused(text)


@given(records(games(quick=True)), st.data())
def test_a_record_with_any_value_replaced_is_refused_or_means_something_else(
    record: Record, data: st.DataObject
) -> None:
    fields = json.loads(format_record(record))
    spots: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            spots.append((value, key))
            if isinstance(value[key], dict | list):
                collect(value[key])

    collect(fields)
    container, key = data.draw(st.sampled_from(spots))
    if data.draw(st.booleans()):
        container[key] = data.draw(JSON_VALUES)
    else:
        del container[key]
    assert_kept_or_refused(json.dumps(fields))


# The parts that others use on their own


def test_a_move_list_is_read_and_its_faults_are_counted_from_one() -> None:
    game = make_game(GAMES["power-match"], {})
    assert [format_ply(game, ply) for ply in read_plies(game, ["7b", "2e"])] == ["7b", "2e"]
    assert read_plies(game, []) == ()
    with pytest.raises(UnreadableText, match=r"^move 2 '2x': '2x' is not a number with b for base"):
        read_plies(game, ["7b", "2x"])


def test_replaying_gives_the_position_before_and_after_each_ply() -> None:
    game = make_game(GAMES["double-up"], {})
    assert [position.last for position in replay(game, ((2,), (4,), (7,)))] == [1, 2, 4, 7]
    with pytest.raises(IllegalMove, match=r"^move 3 '9': 9 is more than twice 4; 5 to 8 are valid here\.$"):
        replay(game, ((2,), (4,), (9,)))


def test_a_record_has_no_place_for_the_seed_of_a_random_player() -> None:
    """It would foretell choices."""
    for place in ("seed", "random", "state"):
        assert refusal(json.dumps(changed(CLASH, **{place: 1}))).startswith(f"record: '{place}' is unknown.")
