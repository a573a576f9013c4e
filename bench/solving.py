"""How long exact answers take: by the clock, and beside other ways to find the same.

Every figure is that of a program of its own, so that nothing is known or warm before; what
it tells itself is the time from its first look at the game to the result, without the
start of Python.  The other ways are plain elimination with `Fraction`, written here, and
value iteration by OpenSpiel.  That needs an environment of its own with `open_spiel`,
`cvxpy` and `ecos`, whose interpreter is named in the variable OPENSPIEL_PYTHON; without
one it is left out.  For these ways this file is a program too.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import powerduels
from measuring import POWERDUELS, CannotMeasure, Figure, Section, environment, spread, started
from powerduels.core import BOTH, AnyGame
from powerduels.solve.stages import settle

BARE = (sys.executable, "-c", "pass")
SMALL_GAMES = ("clash-of-powers", "power-match", "double-up", "power-up")
LONGEST_START = 8
"""Times the bare interpreter: so long may `solve` on the defaults of a small game take."""


def powers(count: int) -> str:
    return "powers=" + ",".join(str(2**power) for power in range(count))


RESULTS: dict[str, tuple[tuple[str, ...], float]] = {
    "Clash of Powers": (("clash-of-powers",), 0.03),
    "Clash of Powers, 7 powers": (("clash-of-powers", powers(7)), 5),
    "Clash of Powers, 8 powers": (("clash-of-powers", powers(8)), 40),
    "Power Match, pool of 99": (("power-match", "pool=99"), 10),
    "Double Up to 10^18": (("double-up", "limit=10^18"), 0.01),
    "Power Up to 10^100": (("power-up", "target=10^100", "exponents=1,2,3,4,5,6"), 0.01),
}
"""What is solved, with the options that are set, and the seconds that it may take."""

SHARE_OF_FRACTION = 8
SHARES_OF_OPENSPIEL = {"clash-of-powers": 500, "power-match": 5}
"""One in so many parts of the other's time is what an answer may take."""

ELIMINATED = 6
"""So many powers are settled by plain elimination."""

MOST_ERROR = 1e-6
"""How exact the value iteration has to be; it never gets to the exact value."""


def measure(rounds: int, home: Path) -> Iterator[Section]:
    yield _starts(rounds, home)
    yield _results(rounds, home)
    yield _beside_others(max(1, rounds // 5), home)


def _starts(rounds: int, home: Path) -> Section:
    """The whole command, from its start to its end."""
    commands = {game_id: (POWERDUELS, "solve", game_id) for game_id in SMALL_GAMES} | {"": BARE}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    # The first round only fills the caches of the disk.
    for number in range(rounds + 1):
        for name in random.sample(list(commands), len(commands)):
            taken = _time_to_end(commands[name], home)
            if number:
                seconds[name].append(taken)
    bare = seconds.pop("")
    figures = [Figure("python -c pass", "ms", spread([1000 * taken for taken in bare]), 1)]
    for game_id, all_taken in seconds.items():
        ratio = spread([taken / other for taken, other in zip(all_taken, bare, strict=True)])
        figures.append(
            Figure(
                name=powerduels.GAMES[game_id].title,
                unit="ms",
                measured=spread([1000 * taken for taken in all_taken]),
                ratio=ratio.median,
                target=f"at most {LONGEST_START} times",
                met=ratio.median <= LONGEST_START,
                note=f"ratio {ratio.low:.2f} to {ratio.high:.2f}",
            )
        )
    return Section("Solve, from start to end", "to python -c pass in the same round", rounds, figures)


def _time_to_end(command: tuple[str, ...], home: Path) -> float:
    with started(command, home, subprocess.DEVNULL, subprocess.DEVNULL) as (program, begin):
        status = program.wait()
        taken = time.perf_counter() - begin
    if status:
        raise CannotMeasure(f"{' '.join(command)} ends with status {status}.")
    return taken


def _results(rounds: int, home: Path) -> Section:
    """What `solve` says of its own time; what takes seconds is measured a few times only."""
    figures = []
    for name, (line, most) in RESULTS.items():
        count = rounds if most < 1 else max(1, rounds // 10)
        measured = spread([_solved(line, home) for _ in range(count)])
        unit, scale = ("ms", 1000) if most < 1 else ("s", 1)
        figures.append(
            Figure(
                name=name,
                unit=unit,
                measured=measured._replace(**{part: scale * value for part, value in measured._asdict().items()}),
                ratio=measured.median / most,
                target=f"at most {scale * most:g} {unit}",
                met=measured.median <= most,
            )
        )
    return Section("Exact results, after the start of the program", "to the target", rounds, figures)


def _solved(line: tuple[str, ...], home: Path) -> float:
    seconds: float = _answer(_solve_command(line), environment(home))["seconds"]
    return seconds


def _solve_command(line: tuple[str, ...]) -> tuple[str, ...]:
    game_id, *settings = line
    return (POWERDUELS, "solve", game_id, *(part for setting in settings for part in ("--set", setting)), "--json")


def _answer(command: tuple[str, ...], surroundings: dict[str, str]) -> dict[str, Any]:
    """The JSON document that a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings)
    if done.returncode:
        raise CannotMeasure(f"{' '.join(command)} ends with status {done.returncode}: {done.stderr[-200:]!r}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _beside_others(rounds: int, home: Path) -> Section:
    figures = [_beside_fraction(rounds, home)]
    interpreter = os.environ.get("OPENSPIEL_PYTHON")
    if interpreter:
        figures += [_beside_openspiel(interpreter, game_id, rounds, home) for game_id in SHARES_OF_OPENSPIEL]
    return Section("Exact results beside other ways", "to the target share of the other's time", rounds, figures)


class Other(NamedTuple):
    """Another way to a result, the command that goes it, and the share of its time that is the target."""

    name: str
    command: tuple[str, ...]
    share: int


def _beside_fraction(rounds: int, home: Path) -> Figure:
    game = ("clash-of-powers", powers(ELIMINATED))
    own, other = ((sys.executable, __file__, way, *game) for way in ("stages", "fraction"))
    return _share(
        f"Clash of Powers, {ELIMINATED} powers", own, Other("Fraction", other, SHARE_OF_FRACTION), rounds, home
    )


def _beside_openspiel(interpreter: str, game_id: str, rounds: int, home: Path) -> Figure:
    other = Other("OpenSpiel", (interpreter, __file__, "openspiel", game_id), SHARES_OF_OPENSPIEL[game_id])
    return _share(powerduels.GAMES[game_id].title, _solve_command((game_id,)), other, rounds, home)


def _share(name: str, command: tuple[str, ...], other: Other, rounds: int, home: Path) -> Figure:
    """What a result takes here, beside what the other way to it takes."""
    surroundings = environment(home) | {"PYTHONPATH": str(Path(powerduels.__path__[0]).parent)}
    own, others = [], []
    for _ in range(rounds):
        own.append(_answer(command, surroundings)["seconds"])
        others.append(_answer(other.command, surroundings)["seconds"])
    measured, theirs = spread(own), spread(others)
    ratio = other.share * measured.median / theirs.median
    return Figure(
        name=name,
        unit="ms",
        measured=measured._replace(**{part: 1000 * value for part, value in measured._asdict().items()}),
        ratio=ratio,
        target=f"at most 1/{other.share} of {other.name}",
        met=ratio <= 1,
        note=f"{other.name} {theirs.median:.3f} s, {theirs.median / measured.median:,.0f} times as long",
        details={"other": theirs.median, "times": theirs.median / measured.median},
    )


def settle_by_fractions(game: AnyGame) -> dict[Any, Fraction]:
    """Every value of a game of duels by plain recursion and plain elimination."""
    values: dict[Any, Fraction] = {}

    def value(position: Any) -> Fraction:
        if position not in values:
            outcome = game.outcome(position)
            if outcome:
                values[position] = Fraction({None: 0, 0: 1, 1: -1}[outcome.winner])
            else:
                first, second = (game.legal(position, player) for player in BOTH)
                table = [[value(game.apply(position, (one, other))) for other in second] for one in first]
                values[position] = _value_of(table)
        return values[position]

    value(game.initial())
    return values


def _value_of(table: list[list[Fraction]]) -> Fraction:
    """The value of a matrix game, by the simplex method with Bland's rule."""
    height, width, shift = len(table), len(table[0]), 2
    # Maximise the sum of the columns' shares so that no row gets more than 1; all payoffs are raised above 0.
    rows = [
        [entry + shift for entry in row] + [Fraction(int(one == other)) for other in range(height)] + [Fraction(1)]
        for one, row in enumerate(table)
    ]
    goal = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    while (entering := next((column for column, gain in enumerate(goal[:-1]) if gain < 0), None)) is not None:
        limits = [
            (row[-1] / row[entering], basis[number], number) for number, row in enumerate(rows) if row[entering] > 0
        ]
        leaving = min(limits)[2]
        pivot = rows[leaving][entering]
        rows[leaving] = [entry / pivot for entry in rows[leaving]]
        for number, row in enumerate(rows):
            if number != leaving and row[entering]:
                rows[number] = [one - row[entering] * other for one, other in zip(row, rows[leaving], strict=True)]
        goal = [one - goal[entering] * other for one, other in zip(goal, rows[leaving], strict=True)]
        basis[leaving] = entering
    return 1 / goal[-1] - shift


def iterate_in_openspiel(game: AnyGame) -> tuple[float, float]:
    """The seconds that value iteration takes on the same game, and the value of the start."""
    # By name, for checkers need not have them.
    np: Any = import_module("numpy")
    pyspiel: Any = import_module("pyspiel")
    game_class, state_class = pyspiel.Game, pyspiel.State
    value_iteration: Any = import_module("open_spiel.python.algorithms.value_iteration")

    simultaneous = game.kind.simultaneous
    dynamics = pyspiel.GameType.Dynamics
    kind = pyspiel.GameType(
        short_name=f"python_{game.id.replace('-', '_')}",
        long_name=game.title,
        dynamics=dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    plies = product(*(game.legal(game.initial(), player) for player in game.actors(game.initial())))
    moves = sorted({move for ply in plies for move in ply})
    numbers = {move: number for number, move in enumerate(moves)}

    class OpenSpielGame(game_class):  # type: ignore[misc, valid-type]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            info = pyspiel.GameInfo(
                num_distinct_actions=len(moves),
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=game.kind.longest,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> "OpenSpielState":
            return OpenSpielState(self)

    class OpenSpielState(state_class):  # type: ignore[misc, valid-type]
        def __init__(self, own_game: OpenSpielGame) -> None:
            super().__init__(own_game)
            self.position = game.initial()

        def current_player(self) -> int:
            actors = game.actors(self.position)
            if not actors:
                return int(pyspiel.PlayerId.TERMINAL)
            return int(pyspiel.PlayerId.SIMULTANEOUS) if len(actors) == len(BOTH) else actors[0]

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(numbers[move] for move in game.legal(self.position, player))

        def _apply_action(self, action: int) -> None:
            self.position = game.apply(self.position, (moves[action],))

        def _apply_actions(self, actions: list[int]) -> None:
            self.position = game.apply(self.position, tuple(moves[action] for action in actions))

        def _action_to_string(self, player: int, action: int) -> str:
            return game.move_codec.format(moves[action])

        def is_terminal(self) -> bool:
            return not game.actors(self.position)

        def returns(self) -> Any:
            outcome = game.outcome(self.position)
            winner = outcome.winner if outcome else None
            return np.array([0.0, 0.0] if winner is None else [1 - 2.0 * winner, 2.0 * winner - 1])

        def __str__(self) -> str:
            return repr(tuple(self.position))

    pyspiel.register_game(kind, OpenSpielGame)
    begin = time.perf_counter()
    # "Cyclic" makes it look at each position once; otherwise it walks the whole tree, which takes far longer.
    values = value_iteration.value_iteration(OpenSpielGame(), -1, MOST_ERROR, cyclic_game=True)
    return time.perf_counter() - begin, values[repr(tuple(game.initial()))]


def main(way: str, game_id: str, *settings: str) -> None:
    """Settle a game one way or another; prints the seconds it took and the value of the start."""
    game = powerduels.game(game_id, None, **dict(setting.split("=") for setting in settings))
    if way == "openspiel":
        seconds, value = iterate_in_openspiel(game)
        text = f"{value:.9f}"
    else:
        begin = time.perf_counter()
        if way == "fraction":
            text = str(settle_by_fractions(game)[game.initial()])
        else:
            text = str(settle(game).value(game.initial()))
        seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "value": text}))


if __name__ == "__main__":
    main(*sys.argv[1:])
