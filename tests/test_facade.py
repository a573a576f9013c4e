"""`import powerduels`: the same games for programs, as the interface promises them."""

import doctest
import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version

import pytest

import powerduels


def test_the_example_in_the_docstring_runs() -> None:
    results = doctest.testmod(powerduels)
    assert results.failed == 0
    assert results.attempted >= 4


def test_every_name_that_is_offered_is_there() -> None:
    for name in powerduels.__all__:
        assert getattr(powerduels, name) is not None
    assert len(set(powerduels.__all__)) == len(powerduels.__all__)


def test_every_name_can_be_imported_with_a_star() -> None:
    names: dict[str, object] = {}
    exec("from powerduels import *", names)  # what people type into an interpreter
    assert set(powerduels.__all__) <= set(names)


def test_nothing_is_offered_that_is_not_said() -> None:
    """What the façade looks up in other modules is in `__all__` and the other way round, but for its own two."""
    assert set(powerduels._HOME_OF) == set(powerduels.__all__) - {"game", "parse_record"}
    for name, module in powerduels._HOME_OF.items():
        assert getattr(powerduels, name) is getattr(import_module(f"powerduels.{module}"), name)


@pytest.mark.parametrize("name", ["nonsense", "__wrapped__", "make_game", "store"])
def test_other_names_are_not_there(name: str) -> None:
    """In a fresh interpreter, for modules that were imported elsewhere become attributes."""
    program = f"""
import powerduels
try:
    powerduels.{name}
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"module 'powerduels' has no attribute '{name}'\n"


def test_the_version_is_that_of_the_installed_package() -> None:
    assert powerduels.__version__ == version("powerduels")


def test_importing_the_package_loads_nothing_of_it() -> None:
    program = "import sys, powerduels; print(*sorted(name for name in sys.modules if name.startswith('powerduels')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "powerduels\n"


# Games


@pytest.mark.parametrize("game_id", powerduels.GAMES)
def test_a_game_is_made_by_its_id(game_id: str) -> None:
    game = powerduels.game(game_id)
    assert isinstance(game, powerduels.Game)
    assert type(game) is powerduels.GAMES[game_id]
    assert game == powerduels.game(game_id)
    assert hash(game) == hash(powerduels.game(game_id))
    assert isinstance(game.kind, powerduels.Kind)
    assert game.title in ("Clash of Powers", "Power Match", "Double Up", "Power Line", "Power Up")


def test_there_are_five_games() -> None:
    assert list(powerduels.GAMES) == ["clash-of-powers", "power-match", "double-up", "power-line", "power-up"]
    assert len(powerduels.GAMES) == 5
    assert "chess" not in powerduels.GAMES


def test_options_are_given_as_values_or_as_texts() -> None:
    assert powerduels.game("power-up", target=1000, exponents=(1, 2), stall_limit=None) == powerduels.game(
        "power-up", target="10^3", exponents="1,2", stall_limit="none"
    )
    assert powerduels.game("clash-of-powers", exact_double=False) == powerduels.game(
        "clash-of-powers", exact_double="false"
    )
    assert powerduels.game("power-match", pool=12).rules.pool == 12


def test_options_override_the_preset() -> None:
    game = powerduels.game("power-line", "takeover", chain=4)
    assert (game.rules.capture, game.rules.chain) == ("takeover", 4)
    assert powerduels.game("power-line", preset="takeover").rules.chain == 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: powerduels.game("powr-up"), "There is no game 'powr-up'. Did you mean power-up?"),
        (lambda: powerduels.game("match"), "There is no game 'match'. Did you mean power-match?"),
        (lambda: powerduels.game("power-up", traget=9), "Power Up has no option 'traget'. Did you mean target?"),
        (lambda: powerduels.game("power-up", "easy"), "Power Up has no preset 'easy'. There are none."),
        (lambda: powerduels.game("power-match", pool=3), "pool: '3' is out of range. Allowed: 4 to 99."),
        (lambda: powerduels.game("power-match", pool=9.5), "pool: '9.5' is not a whole number. Allowed: 4 to 99."),
    ],
)
def test_what_cannot_be_made_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(powerduels.OptionError) as refused:
        make()
    assert str(refused.value) == message


def test_every_error_is_one_of_ours() -> None:
    for error in (
        powerduels.OptionError, powerduels.UnreadableText, powerduels.IllegalMove, powerduels.RecordError,
    ):  # fmt: skip
        assert issubclass(error, powerduels.PowerduelsError)


# Playing


def test_a_game_is_played_on_immutable_positions() -> None:
    game = powerduels.game("power-match", pool=4)
    start = game.initial()
    (player,) = game.actors(start)
    assert player == 0
    assert len(game.legal(start, player)) == 8
    after = game.play(start, powerduels.parse_ply(game, "4b"))
    assert start == game.initial()
    assert game.outcome(after) is None
    assert {start, after, game.initial()} == {start, after}
    with pytest.raises(AttributeError):
        after.pool = ()
    for text in ("3b", "2e", "1e"):
        after = game.play(after, powerduels.parse_ply(game, text))
    assert game.actors(after) == ()
    outcome = game.outcome(after)
    assert outcome == powerduels.Outcome(0, "value")


def test_both_choose_at_once_where_the_game_is_simultaneous() -> None:
    game = powerduels.game("clash-of-powers")
    start = game.initial()
    assert game.actors(start) == (0, 1)
    assert game.play(start, powerduels.parse_ply(game, "4/8")) == game.play(start, (4, 8))


@pytest.mark.parametrize("game_id", powerduels.GAMES)
def test_moves_and_positions_are_printed_and_parsed(game_id: str) -> None:
    game = powerduels.game(game_id)
    position = game.initial()
    while actors := game.actors(position):
        ply = tuple(game.legal(position, player)[-1] for player in actors)
        text = powerduels.format_ply(game, ply)
        assert powerduels.parse_ply(game, text) == ply
        position = game.play(position, ply)
        assert powerduels.parse_position(game, powerduels.format_position(game, position)) == position
    assert game.outcome(position) is not None


def test_what_cannot_be_read_and_what_is_not_allowed_are_different_errors() -> None:
    game = powerduels.game("double-up")
    with pytest.raises(powerduels.UnreadableText, match="'two' is not a whole number"):
        powerduels.parse_ply(game, "two")
    with pytest.raises(powerduels.IllegalMove, match="3 is more than twice 1; only 2 is valid here"):
        game.play(game.initial(), powerduels.parse_ply(game, "3"))


def test_legal_moves_of_any_number_are_at_hand_at_once() -> None:
    """The list is lazy: sized and searchable without being written out."""
    game = powerduels.game("double-up", start=10**17, limit=10**18)
    legal = game.legal(game.initial(), 0)
    assert len(legal) == 10**17
    assert 2 * 10**17 in legal
    assert 2 * 10**17 + 1 not in legal
    assert (legal[0], legal[-1]) == (10**17 + 1, 2 * 10**17)


def test_a_match_makes_a_record_that_is_written_and_read() -> None:
    game = powerduels.game("power-up")
    match = powerduels.Match(game, ("Ann", "Ben"), first=1)
    for exponent in (3, 2, 2):
        (seat,) = match.actors
        match.choose(seat, exponent)
    record = match.record()
    assert record.result == powerduels.Result(1, "rules", "Ben wins! Base number reached 4096 (target was 256).")
    text = powerduels.format_record(record)
    assert json.loads(text)["result"]["winner"] == 2
    assert powerduels.parse_record(text) == record
    assert [position.base for position in powerduels.replay(record.game, record.plies)] == [2, 8, 64, 4096]
    with pytest.raises(powerduels.RecordError, match=r"^format: 'chess/1' is not 'powerduels/1'\.$"):
        powerduels.parse_record(text.replace("powerduels/1", "chess/1"))
    assert isinstance(record, powerduels.Record)
