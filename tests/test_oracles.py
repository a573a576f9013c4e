"""Oracles that know a game's structure against the general solver, and that against plain brute force."""

from collections import deque
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings

import powerduels
from naive import NAIVE_GAMES, NaiveGame
from powerduels.analyse import open_oracle
from powerduels.core import AnyGame
from powerduels.solve.graph import explore
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import DRAW, OutOfReach, Worth
from powerduels.text import option_texts, parse_ply
from strategies import games


class Known(NamedTuple):
    """A position as the naive rules see it: whose turn it is, or who has won, and what can follow."""

    player: int | None
    winner: int | None
    following: list[Any]


def naive_graph(game: AnyGame) -> dict[Any, Known]:
    """Every position, found and judged by the naive rules."""
    start: tuple[Any, NaiveGame] = game.initial(), NAIVE_GAMES[game.id](option_texts(game))
    graph: dict[Any, Known] = {}
    waiting = deque([start])
    while waiting:
        position, naive = waiting.popleft()
        if position in graph:
            continue
        if naive.finished():
            graph[position] = Known(None, naive.winner(), [])
            continue
        (player,) = naive.choices()
        following = [(game.apply(position, parse_ply(game, move)), naive.after(move)) for move in naive.moves()]
        graph[position] = Known(player, None, [reached for reached, _ in following])
        waiting.extend(following)
    return graph


def naive_worths(game: AnyGame) -> dict[Any, Worth]:
    """Who can force a win within no ply, one ply, two plies, and so on, until more plies help nobody."""
    graph = naive_graph(game)
    worths = {position: Worth(known.winner - 1, 0) for position, known in graph.items() if known.winner is not None}
    plies, before = 0, -1
    while len(worths) > before:
        plies, before = plies + 1, len(worths)
        forced = {}
        for position, (player, _, following) in graph.items():
            if position in worths or player is None:
                continue
            winners = [worths[reached].winner if reached in worths else None for reached in following]
            if player - 1 in winners:
                forced[position] = Worth(player - 1, plies)
            elif None not in winners:
                forced[position] = Worth(2 - player, plies)
        worths |= forced
    return {position: worths.get(position, DRAW) for position in graph}


def make(game_id: str, line: str) -> AnyGame:
    return powerduels.game(game_id, **dict(setting.split("=") for setting in line.split()))


SMALL = [
    *(("power-match", f"pool={pool} order={order}") for pool in (4, 5, 6) for order in ("alternate", "snake")),
    *(("double-up", f"limit={limit}") for limit in (1, 2, 3, 7, 20, 50)),
    ("double-up", "start=9 limit=40"),
    *(
        ("power-up", line)
        for line in (
            "",
            "stall_limit=1",
            "stall_limit=2",
            "stall_limit=none",
            "stalling=once",
            "exponents=2,3",
            "exponents=1,2 target=10^9 stalling=once",
            "exponents=1,3,4 base=3 target=10^30 stall_limit=none",
            "exponents=1,2,3,4,5,9 target=10^40 stall_limit=3",
        )
    ),
    *(
        ("power-line", line)
        for line in (
            "length=2 energy=4",
            "length=3 energy=5",
            "length=3 energy=4 nodes=2 head_start=1",
            "length=4 energy=3 capture=mutual",
            "length=3 energy=5 capture=takeover chain=2 ending=chain,power,energy,draw",
            "length=4 energy=3 chain=3 ending=draw",
            "length=3 energy=4 ending=energy,nodes,first level_max=2",
        )
    ),
]


@pytest.mark.parametrize(("game_id", "line"), SMALL)
def test_the_general_solver_is_right_at_every_position(game_id: str, line: str) -> None:
    game = make(game_id, line)
    expected = naive_worths(game)
    oracle = GeneralOracle(game)
    assert {position: oracle.worth(position) for position in expected} == expected
    assert oracle.settled == len(expected)


def assert_same_as_general(game: AnyGame) -> None:
    """At every position: the worth, the worth of each move, and which moves keep it."""
    general, own = GeneralOracle(game), open_oracle(game)
    assert type(own) is not GeneralOracle
    for position in explore(game, game.initial()).positions:
        assert own.worth(position) == general.worth(position), position
        actors = game.actors(position)
        if not actors:
            continue
        moves = game.legal(position, actors[0])
        assert list(own.best_moves(position)) == list(general.best_moves(position)), position
        for move in moves:
            assert own.worth_of_move(position, move) == general.worth_of_move(position, move), (position, move)


@pytest.mark.parametrize("order", ["alternate", "snake"])
@pytest.mark.parametrize("pool", range(4, 10))
def test_power_match(pool: int, order: str) -> None:
    assert_same_as_general(powerduels.game("power-match", pool=pool, order=order))


@pytest.mark.parametrize("limit", [*range(1, 70), 99, 100, 101, 127, 128, 129])
def test_double_up(limit: int) -> None:
    assert_same_as_general(powerduels.game("double-up", limit=limit))


@given(games("double-up", quick=True).filter(lambda game: game.rules.limit is not None and game.rules.limit <= 300))
def test_double_up_with_any_options(game: AnyGame) -> None:
    assert_same_as_general(game)


def test_double_up_without_a_limit_never_ends() -> None:
    game = powerduels.game("double-up", limit="none")
    oracle = open_oracle(game)
    for number in (1, 2, 50, 10**20):
        position = game.initial()._replace(last=number)
        assert oracle.worth(position) == DRAW
        assert oracle.best_moves(position) == game.legal(position, 0)


@settings(max_examples=200)
@given(games("power-up", quick=True))
def test_power_up_with_any_options(game: AnyGame) -> None:
    assert_same_as_general(game)


@given(games("power-up", stall_limit="none", target="10^60", base="2"))
def test_power_up_that_may_never_end(game: AnyGame) -> None:
    assert_same_as_general(game)


@given(games("power-up", stalling="once", target="10^60", base="3"))
def test_power_up_where_a_1_may_not_answer_a_1(game: AnyGame) -> None:
    assert_same_as_general(game)


@pytest.mark.parametrize("game_id", ["power-match", "double-up", "power-up"])
def test_a_best_move_keeps_the_worth_and_no_other_does(game_id: str) -> None:
    game = powerduels.game(game_id)
    oracle = open_oracle(game)
    for position in explore(game, game.initial()).positions:
        for player in game.actors(position):
            best = oracle.best_moves(position)
            for move in game.legal(position, player):
                keeps = oracle.worth_of_move(position, move).winner == oracle.worth(position).winner
                assert keeps == (move in best)


def test_the_general_solver_tells_its_progress_and_refuses_what_is_too_much() -> None:
    told: list[tuple[int, int]] = []
    game = powerduels.game("power-line", length=5, energy=5)
    oracle = GeneralOracle(game, lambda found, settled: told.append((found, settled)))
    assert told
    assert all(settled <= found <= oracle.settled for found, settled in told)
    assert told == sorted(told)
    with pytest.raises(OutOfReach, match="20,000"):
        GeneralOracle(game, most=20_000)
