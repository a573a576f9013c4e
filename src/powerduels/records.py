"""Game records: one game as one JSON object, written and read without loss or repair.

Seats are counted from 0 here and written as 1 and 2.  Everything that is wrong with a
record is refused with its place; nothing is guessed, completed or dropped.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from powerduels.core import AnyGame, IllegalMove, PowerduelsError, UnreadableText
from powerduels.text import format_ply, listed, make_game, nearest, option_texts, parse_ply, shown

FORMAT = "powerduels/1"
FIELDS = ("format", "game", "rules", "players", "first", "moves", "result")
RESULT_FIELDS = ("winner", "by", "reason")
ENDINGS = ("rules", "resigned", "time", "agreed", "forfeit")
PROGRAMS = ("computer", "bot", "llm")
"""Kinds of players that are no people: written `KIND:` and what they need to know."""
RANDOM = "random"
LONGEST_NAME = 40


class RecordError(PowerduelsError):
    """A record is not one: the message names the place of the fault and the reason."""


class Result(NamedTuple):
    """How a game ended: the winning seat or None, by what, and a sentence for people."""

    winner: int | None
    by: str
    reason: str


class Record(NamedTuple):
    """A game that is or was played; players by seat, and the seat that started."""

    game: AnyGame
    players: tuple[str, str]
    first: int
    plies: tuple[tuple[Any, ...], ...]
    result: Result | None


def name_fault(name: str) -> str | None:
    """What keeps a text from being a person's name, if anything does."""
    if not name.strip():
        return "A name cannot be empty."
    if name in ("human", RANDOM):
        return f"{name} stands for a kind of player and cannot be a name."
    if ":" in name:
        return "A name cannot hold a colon."
    if not name.isprintable() or name != name.strip():
        return "A name consists of printable characters, with no blank at its ends."
    return f"A name has at most {LONGEST_NAME} characters." if len(name) > LONGEST_NAME else None


def is_program(player: str) -> bool:
    """Whether an entry of a record's players is a program rather than a person's name."""
    kind, _, argument = player.partition(":")
    return player == RANDOM or (kind in PROGRAMS and argument != "" and player.isprintable())


def called(players: tuple[str, str]) -> tuple[str, str]:
    """What the players are called where they must be told apart, though their names are the same."""
    first, second = players
    return (f"{first} 1", f"{second} 2") if first == second else players


def seat_of(game: AnyGame, first: int, player: int) -> int:
    """The seat of a player; with a seat instead of the player, the player at that seat.

    Players are counted from who starts.  Where both choose at once nobody starts, and players are seats.
    """
    return player if game.kind.simultaneous else player ^ first


def result_by_rules(game: AnyGame, players: tuple[str, str], first: int, position: Any) -> Result | None:
    """What the rules say of a position; players by seat, and the seat that started."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    at_seats = called(players)
    names = (at_seats[seat_of(game, first, 0)], at_seats[seat_of(game, first, 1)])
    winner = None if outcome.winner is None else seat_of(game, first, outcome.winner)
    return Result(winner, "rules", game.explain(position, outcome, names))


def replay(game: AnyGame, plies: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The initial position and that after each ply; raises IllegalMove naming the move."""
    positions = [game.initial()]
    for number, ply in enumerate(plies, 1):
        try:
            positions.append(game.play(positions[-1], ply))
        except IllegalMove as error:
            raise IllegalMove(f"move {number} {shown(format_ply(game, ply))}: {error}") from None
    return positions


def read_plies(game: AnyGame, texts: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """The plies of a move list; raises UnreadableText naming the move."""
    plies = []
    for number, text in enumerate(texts, 1):
        try:
            plies.append(parse_ply(game, text))
        except UnreadableText as error:
            raise UnreadableText(f"move {number} {shown(text)}: {error}") from None
    return tuple(plies)


def format_record(record: Record) -> str:
    """The record as a JSON object, a line for each field."""
    import json

    game, players, first, plies, result = record
    values: tuple[Any, ...] = (
        FORMAT,
        game.id,
        option_texts(game),
        players,
        first + 1,
        [format_ply(game, ply) for ply in plies],
        result and result_json(result),
    )
    lines = (f'  "{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in zip(FIELDS, values, strict=True))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def result_json(result: Result) -> dict[str, Any]:
    """A result as JSON has it, with the seat counted from 1."""
    return dict(zip(RESULT_FIELDS, (_seat_number(result.winner), result.by, result.reason), strict=True))


def parse_record(text: str, games: Mapping[str, type[AnyGame]]) -> Record:
    """The record that a text holds; raises RecordError naming the place of the fault."""
    fields = _object(_json(text), "record", FIELDS)
    if fields["format"] != FORMAT:
        raise RecordError(f"format: {_value_text(fields['format'])} is not {FORMAT!r}.")
    game_id = fields["game"] if isinstance(fields["game"], str) else ""
    if game_id not in games:
        raise RecordError(f"game: {_value_text(fields['game'])} is unknown. {nearest(game_id, games)}")
    game = _read_rules(fields["rules"], games[game_id])
    players = _read_players(fields["players"])
    if type(fields["first"]) is not int or fields["first"] not in (1, 2):
        raise RecordError(f"first: {_value_text(fields['first'])} is neither 1 nor 2.")
    plies = _read_moves(fields["moves"], game)
    record = Record(game, players, fields["first"] - 1, plies, _read_result(fields["result"]))
    try:
        last = replay(game, plies)[-1]
    except IllegalMove as error:
        raise RecordError(str(error)) from None
    _check_result(record.result, result_by_rules(game, players, record.first, last))
    return record


def _json(text: str) -> Any:
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, value in pairs:
            if name in fields:
                raise RecordError(f"record: {shown(name)} stands there twice.")
            fields[name] = value
        return fields

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise RecordError(f"record: not a JSON object (line {error.lineno}: {error.msg}).") from None
    except RecursionError:
        raise RecordError("record: not a JSON object (nested too deeply).") from None
    except ValueError:
        raise RecordError("record: not a game record (a number has thousands of digits).") from None


def _value_text(value: Any) -> str:
    """What stands where something else should, as a message repeats it: short whatever it is."""
    import json

    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shown(value) if isinstance(value, str) else shown(json.dumps(value))[1:-1]


def _object(value: Any, place: str, names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{place}: not a JSON object.")
    for name in names:
        if name not in value:
            raise RecordError(f"{place}: {name} is missing.")
    for name in value:
        if name not in names:
            raise RecordError(f"{place}: {shown(name)} is unknown. {nearest(name, names)}")
    return value


def _read_rules(value: Any, game_class: type[AnyGame]) -> AnyGame:
    settings = _object(value, "rules", [option.name for option in game_class.options])
    for name, setting in settings.items():
        if not isinstance(setting, str):
            raise RecordError(f"rules: {name} is not a text.")
    try:
        game = make_game(game_class, settings)
    except PowerduelsError as error:
        raise RecordError(f"rules: {error}") from None
    for name, canonical in option_texts(game).items():
        if settings[name] != canonical:
            raise RecordError(f"rules: {name} is written {shown(canonical)}, not {shown(settings[name])}.")
    return game


def _read_players(value: Any) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(player, str) for player in value):
        raise RecordError("players: not a list of two texts.")
    for player in value:
        fault = None if is_program(player) else name_fault(player)
        if fault:
            raise RecordError(f"players: {shown(player)}: {fault}")
    return value[0], value[1]


def _read_moves(value: Any, game: AnyGame) -> tuple[tuple[Any, ...], ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise RecordError("moves: not a list of texts.")
    try:
        plies = read_plies(game, value)
    except UnreadableText as error:
        raise RecordError(str(error)) from None
    for number, (text, ply) in enumerate(zip(value, plies, strict=True), 1):
        canonical = format_ply(game, ply)
        if text != canonical:
            raise RecordError(f"move {number} {shown(text)}: it is written {shown(canonical)}.")
    return plies


def _read_result(value: Any) -> Result | None:
    if value is None:
        return None
    fields = _object(value, "result", RESULT_FIELDS)
    if type(fields["winner"]) not in (int, type(None)) or fields["winner"] not in (1, 2, None):
        raise RecordError(f"result: winner is {_value_text(fields['winner'])}, but can be 1, 2 or null.")
    if fields["by"] not in ENDINGS:
        raise RecordError(f"result: by is {_value_text(fields['by'])}, but can be {listed(ENDINGS, 'or')}.")
    if not isinstance(fields["reason"], str) or not fields["reason"].isprintable():
        raise RecordError("result: reason is not a text of printable characters.")
    return Result(None if fields["winner"] is None else fields["winner"] - 1, fields["by"], fields["reason"])


def _check_result(result: Result | None, by_rules: Result | None) -> None:
    if by_rules is None:
        if result is not None and result.by == "rules":
            raise RecordError("result: the moves do not end the game by its rules.")
        return
    if result is None or result.by != "rules":
        raise RecordError("result: the moves end the game by its rules, but the result says otherwise.")
    if result.winner != by_rules.winner:
        winner = _seat_number(by_rules.winner)
        raise RecordError(f"result: by the moves the winner is {'null' if winner is None else winner}.")


def _seat_number(seat: int | None) -> int | None:
    return None if seat is None else seat + 1
