"""Hints: the best moves of a position and, in a sentence or two, what they leave the opponent."""

from collections.abc import Sequence
from typing import Any

from powerduels.analyse import TurnExpert, expert
from powerduels.answers import fraction_text
from powerduels.bots.perfect import favourites
from powerduels.core import AnyGame, move_count
from powerduels.match import Match
from powerduels.solve.worth import OutOfReach, gain
from powerduels.text import counted, listed

MOST_NAMED = 8
"""So many moves are named one by one."""


def hint_lines(match: Match, seat: int) -> list[str]:
    """What is best for who sits there and must choose now, or that it is not known."""
    game, player = match.game, match.player_of(seat)
    try:
        if game.kind.simultaneous:
            return _about_a_mix(game, match.position, player)
        expert_on_game = expert(game)
        assert isinstance(expert_on_game, TurnExpert)
        if expert_on_game.oracle.searches and expert_on_game.oracle.quick_worth(match.position) is None:
            return ["There is no hint here: who wins is not known without a long search."]
        return _about_moves(expert_on_game, match.position, player, match.names[1 - seat])
    except OutOfReach as error:
        return [f"There is no hint here. {error}"]


def _about_a_mix(game: AnyGame, position: Any, player: int) -> list[str]:
    moves = expert(game).analyse(position).choices[player].moves
    weights = {one.move: one.weight for one in moves if one.weight}
    in_order = [move for move in game.legal(position, player) if move in weights]
    mix = listed(f"{game.move_codec.format(move)} ({fraction_text(weights[move])})" for move in in_order)
    if all(one.keeps for one in moves):
        return [f"Choose by chance: {mix}.", "No choice is better or worse than another; only do not be predictable."]
    wrong = listed(game.move_codec.format(one.move) for one in moves if not one.keeps)
    return [f"Choose by chance: {mix}.", f"That gives nothing away; {wrong} would."]


def _about_moves(expert_on_game: TurnExpert, position: Any, player: int, opponent: str) -> list[str]:
    game, oracle = expert_on_game.game, expert_on_game.oracle
    won = gain(oracle.worth(position), player)
    move = favourites(game, position)[0]
    text = game.move_codec.format(move)
    after = game.apply(position, (move,))
    if won == 1:
        claim = f"{text} wins{_in_plies(oracle.worth(position).plies)}"
    elif won == 0:
        claim = f"{text} keeps the draw"
    else:
        claim = (
            f"{text} sets the most problems, but {opponent} wins by best play{_in_plies(oracle.worth(position).plies)}"
        )
    lines = [f"{claim}{_left_with(expert_on_game, after, player, opponent, won)}"]
    if won >= 0 and not oracle.searches:
        lines += _equals(game, oracle.best_moves(position), move_count(game.legal(position, player)), move, won)
    return lines


def _in_plies(plies: int | None) -> str:
    return "" if plies is None or plies == 1 else f" in {plies} plies"


def _left_with(expert_on_game: TurnExpert, after: Any, player: int, opponent: str, won: int) -> str:
    """What the opponent can do after the move, told from the exact worth of the answers."""
    game, oracle = expert_on_game.game, expert_on_game.oracle
    actors = game.actors(after)
    if not actors:
        return " at once." if won == 1 else " and ends the game."
    if actors == (player,):
        return f": {opponent} can do nothing, and you move again."
    answers = move_count(game.legal(after, 1 - player))
    if won == 1:
        return f": whatever {opponent} answers, you can still win." if answers > 1 else f": {opponent} has one answer."
    if oracle.searches:
        return "."
    good = move_count(oracle.best_moves(after))
    does = _does(won, good)
    if good == answers:
        return f": whatever {opponent} answers {_does(won, 1)}."
    return f": {good} of {opponent}'s {counted(answers, 'answer')} {does}."


def _does(won: int, moves: int) -> str:
    """What so many moves do, in a draw or else for who wins."""
    verb, rest = ("keep", " the draw") if won == 0 else ("win", "")
    return f"{verb}{'s' * (moves == 1)}{rest}"


def _equals(game: AnyGame, best: Sequence[Any], legal: int, named: Any, won: int) -> list[str]:
    """The other moves that are as good."""
    count = move_count(best)
    if count == 1:
        return [] if legal == 1 else ["No other move does."]
    if count == legal:
        return [f"Every move {_does(won, 1)}."]
    if count > MOST_NAMED:
        return [f"{count - 1} other moves {_does(won, count)} too."]
    others = [game.move_codec.format(move) for move in best if move != named]
    return [f"{listed(others)} {_does(won, len(others))} too."]
