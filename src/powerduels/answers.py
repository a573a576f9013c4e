"""Exact answers as JSON and as lines of text: the one place that words them."""

from typing import TYPE_CHECKING, Any

from powerduels.analyse import Analysis, Choices, Judged, Solved
from powerduels.core import AnyGame, move_count
from powerduels.match import Match
from powerduels.records import result_json
from powerduels.solve.worth import Worth, gain
from powerduels.text import counted, format_ply, make_game, option_texts

if TYPE_CHECKING:
    from fractions import Fraction

LONGEST_FRACTION = 40
"""Characters of a fraction that people see in full; JSON has every digit."""


def fraction_text(value: "Fraction | int") -> str:
    """Exactly, however many digits that takes."""
    numerator, denominator = value.as_integer_ratio()
    return _digits(numerator) if denominator == 1 else f"{_digits(numerator)}/{_digits(denominator)}"


def _digits(number: int) -> str:
    """A number of ours as text; Python's own limit is for what others send."""
    import sys

    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(limit)


def solve_json(game: AnyGame, solved: Solved) -> dict[str, Any]:
    """The result of `solve` as interface and scripts know it."""
    worth, choices = solved.analysis.worth, solved.analysis.choices
    result: dict[str, Any]
    if not isinstance(worth, Worth):
        strategies = [_strategy(game, solved.analysis, player) for player in (0, 1)]
        result = {"value": fraction_text(worth), "best": None, "plies": None, "strategies": strategies}
    else:
        best = [move for listed in choices.values() for move in best_moves(game, solved.analysis.position, listed)]
        result = {"value": value_word(worth), "best": best, "plies": worth.plies}
        omitted = sum(listed.best_omitted for listed in choices.values())
        result |= {"best_omitted": omitted} if omitted else {}
    counts = {"positions": solved.positions, "seconds": round(solved.seconds, 6)}
    return {"game": game.id, "rules": option_texts(game), **result, **counts}


def analysis_json(match: Match, analysis: Analysis) -> dict[str, Any]:
    """The result of `analyse` as interface and scripts know it."""
    game, result = match.game, match.result
    seats, omitted, best_omitted = {}, {}, {}
    for player, choices in analysis.choices.items():
        seat = str(match.seat_of(player) + 1)
        seats[seat] = [_judged_json(game, one, player) for one in choices.moves]
        if choices.omitted:
            omitted[seat], best_omitted[seat] = choices.omitted, choices.best_omitted
    return {
        "game": game.id,
        "rules": option_texts(game),
        "moves": [format_ply(game, ply) for ply in match.plies],
        "turn": [seat + 1 for seat in match.actors],
        "result": None if result is None else result_json(result),
        "seats": seats,
        **({"omitted": omitted, "best_omitted": best_omitted} if omitted else {}),
    }


def _judged_json(game: AnyGame, one: Judged, player: int) -> dict[str, Any]:
    move = game.move_codec.format(one.move)
    if not isinstance(one.worth, Worth):
        return {"move": move, "value": fraction_text(one.worth), "weight": fraction_text(one.weight or 0)}
    return {"move": move, "value": worth_word(one.worth, player), "plies": one.worth.plies}


def _strategy(game: AnyGame, analysis: Analysis, player: int) -> dict[str, str]:
    weights = {one.move: one.weight or 0 for one in analysis.choices[player].moves}
    moves = game.legal(analysis.position, player)
    return {game.move_codec.format(move): fraction_text(weights[move]) for move in moves}


def best_moves(game: AnyGame, position: Any, choices: Choices) -> list[str]:
    """The moves that keep the worth, in the order in which the game lists its moves."""
    (player,) = game.actors(position)
    keeping = {one.move for one in choices.moves if one.keeps}
    legal = game.legal(position, player)
    ordered = legal if len(choices.moves) == move_count(legal) else [one.move for one in choices.moves]
    return [game.move_codec.format(move) for move in ordered if move in keeping]


def value_word(worth: Worth) -> str:
    """For whom a game is won, counted from who starts."""
    return "draw" if worth.winner is None else ("first", "second")[worth.winner]


def worth_word(worth: Worth, player: int) -> str:
    """What that is to one of the players."""
    return ("draw", "win", "loss")[gain(worth, player)]


def solve_lines(game: AnyGame, solved: Solved) -> list[str]:
    """The result of `solve` for people."""
    effort = f"{counted(solved.positions, 'position')} settled in {_seconds(solved.seconds)}."
    return [*result_lines(game, solved), effort]


def result_lines(game: AnyGame, solved: Solved) -> list[str]:
    """The game with its options, the verdict, and how to keep it: what is the same however long it took to know."""
    analysis = solved.analysis
    worth = analysis.worth
    lines = [_set_options(game)]
    if isinstance(worth, Worth):
        lines.append(_verdict(worth))
        lines += [_best_line(game, analysis.position, choices) for choices in analysis.choices.values()]
    else:
        lines.append(f"The expected score of seat 1 is {short_fraction(worth)} (win 1, draw 0, loss -1).")
        for player in analysis.choices:
            weights = _strategy(game, analysis, player).items()
            lines.append(f"An optimal mix for seat {player + 1}:")
            lines += [f"  {move:>7}  {_shortened(weight)}" for move, weight in weights]
    return lines


def analysis_lines(match: Match, analysis: Analysis) -> list[str]:
    """The result of `analyse` for people."""
    game = match.game
    if not analysis.choices:
        return [match.result.reason if match.result else "The game is over."]
    lines = []
    for player, choices in analysis.choices.items():
        lines.append(f"{match.names[match.seat_of(player)]} to choose:")
        lines += [f"  {game.move_codec.format(one.move):>7}  {_judged_text(one, player)}" for one in choices.moves]
        if choices.omitted:
            lines.append(f"  ... and {counted(choices.omitted, 'move')} more, {choices.best_omitted} of them as good.")
    return lines


def _judged_text(one: Judged, player: int) -> str:
    if not isinstance(one.worth, Worth):
        return f"{short_fraction(one.worth):<12} played {short_fraction(one.weight or 0)} of the time"
    mark = "=+-"[gain(one.worth, player)]
    soon = "" if one.worth.plies is None else f" in {counted(one.worth.plies, 'ply', 'plies')}"
    return f"{mark} {worth_word(one.worth, player)}{soon}"


def _verdict(worth: Worth) -> str:
    if worth.winner is None:
        return "By best play the game is a draw."
    who = ("who starts", "who goes second")[worth.winner]
    soon = "" if worth.plies is None else f", in {counted(worth.plies, 'ply', 'plies')}"
    return f"By best play the player {who} wins{soon}."


def _best_line(game: AnyGame, position: Any, choices: Choices) -> str:
    best = best_moves(game, position, choices)
    if len(best) == len(choices.moves) and not choices.omitted:
        return "Every first move is as good as any other."
    more = f" and {choices.best_omitted} more" if choices.best_omitted else ""
    return f"First moves that keep that: {' '.join(best)}{more}"


def _set_options(game: AnyGame) -> str:
    """The options that are not at their defaults, in a line."""
    defaults = option_texts(make_game(type(game), {}))
    changed = [f"{name}={value}" for name, value in option_texts(game).items() if value != defaults[name]]
    return f"{game.title}, with {', '.join(changed)}." if changed else f"{game.title}."


def short_fraction(value: "Fraction | int") -> str:
    """Exactly while that is short; else its size, marked as rounded."""
    return _shortened(fraction_text(value))


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_FRACTION:
        return text
    numerator, _, denominator = text.partition("/")
    return f"a fraction of {len(numerator.lstrip('-'))} by {len(denominator)} digits"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
