"""How many random moves a second the pure rules play, by nothing but their own methods."""

import random
import time
from collections.abc import Callable

from measuring import Figure, Section, spread
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.text import make_game

LEAST = {"power-match": 250_000, "power-line": 100_000}


def measure(rounds: int, seconds: float) -> Section:
    """Every game is played for so many seconds in each round."""
    games = {game_id: make_game(game_class, {}) for game_id, game_class in GAMES.items()}
    rates: dict[str, list[float]] = {game_id: [] for game_id in games}
    for number in range(rounds):
        for game_id in random.sample(list(games), len(games)):
            rates[game_id].append(_rate(games[game_id], random.Random(number).random, seconds))

    figures = []
    for game_id, game in games.items():
        if game.kind.simultaneous:
            # A duel is one ply but two choices; neither may pass for the other.
            figures.append(_figure(f"{game.title}, duels", rates[game_id], None))
            figures.append(_figure(f"{game.title}, choices", [2 * rate for rate in rates[game_id]], None))
        else:
            figures.append(_figure(game.title, rates[game_id], LEAST.get(game_id)))
    return Section("Random moves a second by the rules alone", "to the target", rounds, figures)


def _figure(name: str, rates: list[float], least: int | None) -> Figure:
    measured = spread(rates)
    if least is None:
        return Figure(name, "/s", measured)
    met = measured.median >= least
    return Figure(name, "/s", measured, measured.median / least, f"at least {least:,}/s", met)


def _rate(game: AnyGame, chance: Callable[[], float], seconds: float) -> float:
    """Play random games for so many seconds; the plies a second."""
    plies, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        plies += _play(game, chance)
    return plies / passed


def _play(game: AnyGame, chance: Callable[[], float]) -> int:
    """Play one random game to its outcome; the number of its plies."""
    position, plies = game.initial(), 0
    while actors := game.actors(position):
        ply = []
        for player in actors:
            moves = game.legal(position, player)
            ply.append(moves[int(chance() * len(moves))])
        position = game.apply(position, tuple(ply))
        plies += 1
    assert game.outcome(position) is not None
    return plies
