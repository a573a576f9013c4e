"""The terminal player at a real terminal: what fits, what is hidden, what survives, and what every prompt obeys.

Pictures are not pinned here, only what must be true of any picture.
"""

import random
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from driver import COLOUR, CTRL_C, CTRL_D, Terminal, Variables, saved_record, saved_records, terminal
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.games.power_match import PART_NAMES
from powerduels.terminal.session import COMMANDS
from powerduels.text import format_ply, make_game, parse_ply
from strategies import random_game

UP, LEFT, BACKSPACE = "\x1b[A", "\x1b[D", "\x7f"


class Step(NamedTuple):
    """A prompt and its answer; the turn it belongs to, and the seat that answers."""

    turn: int
    seat: int
    prompt: str
    answer: str


class Play(NamedTuple):
    """A whole game between two people: its options and its moves."""

    game_id: str
    settings: tuple[str, ...]
    moves: tuple[str, ...]
    names: tuple[str, ...] = ()
    """The names that people type where they are asked for them."""

    @property
    def arguments(self) -> list[str]:
        return ["play", self.game_id, *(f"--set={setting}" for setting in self.settings)]

    @property
    def game(self) -> AnyGame:
        return make_game(GAMES[self.game_id], dict(setting.split("=") for setting in self.settings))


def steps(play: Play) -> list[Step]:
    """All prompts of the game with their answers; names that are asked for are turn 0."""
    game = play.game
    asked = [Step(0, seat, f"Player {seat + 1}, enter your name:", name) for seat, name in enumerate(play.names)]
    position = game.initial()
    for turn, text in enumerate(play.moves, 1 if play.names else 0):
        ply = parse_ply(game, text)
        for seat, move in zip(game.actors(position), ply, strict=True):
            asked += [Step(turn, seat, prompt, answer) for prompt, answer in dialogue(game.id, move)]
        position = game.play(position, ply)
    return asked


def dialogue(game_id: str, move: Any) -> list[tuple[str, str]]:
    """The beginnings of the prompts through which a move is asked for, and their answers."""
    match game_id:
        case "power-up":
            return [("Choose an exponent", str(move))]
        case "double-up":
            return [("Enter your selection:", str(move))]
        case "clash-of-powers":
            return [("Select a power to play in this duel:", str(move))]
        case "power-match":
            return [("Choose a number from the pool:", str(move.number)), ("Assign ", PART_NAMES[move.part])]
    if move.level is None:
        return [("Enter choice", "2"), ("Enter position of the node to upgrade", str(move.at))]
    return [
        ("Enter choice", "1"),
        ("Enter position to place the node", str(move.at)),
        ("Enter power level for the new node", str(move.level)),
    ]


PLAYS = {
    play.game_id: play
    for play in (
        Play("power-up", (), ("3", "2", "2")),
        Play("double-up", ("limit=8",), ("2", "4", "8")),
        Play("power-match", (), ("7b", "9b", "2e", "8e")),
        Play("power-line", ("energy=3", "length=4"), ("0=1", "3=1", "0+", "3+")),
        Play("clash-of-powers", ("powers=1,2",), ("1/1", "2/2", "1/2"), ("Ann", "Bob")),
    )
}
PLACES = [
    pytest.param(play, place, id=f"{game_id}-{place}")
    for game_id, places in {
        "power-up": (0, 1),
        "double-up": (0, 2),
        "power-match": (0, 1, 6),
        "power-line": (0, 1, 2, 3, 7),
        "clash-of-powers": (0, 1, 2, 3, 5, 6, 7),
    }.items()
    for play, place in ((PLAYS[game_id], place) for place in places)
]
"""A prompt of every kind: the first of its kind and, where it differs, one in the middle of a game."""


def go_on(shown: Terminal, asked: list[Step]) -> None:
    for step in asked:
        shown.answer(step.prompt, step.answer)


def start_of_turn(asked: list[Step], place: int) -> int:
    """Where the turn starts that this prompt belongs to."""
    return next(at for at, step in enumerate(asked) if step.turn == asked[place].turn)


def where_it_goes_on(play: Play, place: int) -> int:
    """The prompt with which a game goes on that was left at this one: a half-made move is made again."""
    asked = steps(play)
    return place if play.names and asked[place].turn == 0 else start_of_turn(asked, place)


def finish(home: Path, play: Play, asked: list[Step], *arguments: str) -> None:
    """Resume the game, play what is left, and see that the record holds all of it."""
    with terminal(home, "resume", *arguments) as shown:
        go_on(shown, asked)
        assert shown.end() == 0, shown.text
    record = saved_record(home)
    assert tuple(record["moves"]) == play.moves
    assert record["result"]["by"] == "rules"
    if play.names:
        assert tuple(record["players"]) == play.names


# Whole games, and what fits the window


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_is_played_to_its_end_and_fits(game_id: str, columns: int, tmp_path: Path) -> None:
    play = PLAYS[game_id]
    with terminal(tmp_path, *play.arguments, columns=columns) as shown:
        go_on(shown, steps(play))
        assert shown.end() == 0
        assert shown.too_long() == []
        assert shown.is_sane
    record = saved_record(tmp_path)
    assert tuple(record["moves"]) == play.moves
    winner = record["players"][record["result"]["winner"] - 1]
    assert re.search(rf"\b{winner}\b[^.]* wins\b", " ".join(shown.text.split()))


def random_moves(game_id: str, seed: int, most: int, *settings: str) -> Play:
    """Random play; a game that is not over after so many plies is resigned."""
    empty = Play(game_id, settings, ())
    played = random_game(empty.game, random.Random(seed), most)
    return empty._replace(moves=tuple(format_ply(empty.game, ply) for _, ply, _ in played))


LONG_NAME = "Wilhelmina Brandeis-Montgomery of Hull "
POWERS = "powers=999991,999992,999993,999994,999995,999996,999997,999998,999999,1000000"
LARGE = {
    "power-up to 10^100": random_moves(
        "power-up", 1, 40, "base=2", "target=10^100", "exponents=1,2,3,5,7,9", "stall_limit=1000"
    ),
    "power-up from 10^99": random_moves("power-up", 1, 40, "base=10^99", "target=10^100", "exponents=1,2,3,5,7,9"),
    "power-up standing still": Play("power-up", ("stall_limit=100",), ("1",) * 60),
    "double-up step by step": Play("double-up", ("limit=60",), tuple(map(str, range(2, 61)))),
    "double-up to 10^18": random_moves("double-up", 2, 8, "start=10^17", "limit=10^18"),
    "double-up beyond": random_moves("double-up", 2, 3, "start=10^30", "limit=none"),
    "power-match from 99": Play("power-match", ("pool=99",), ("99b", "98b", "97e", "96e")),
    "power-line of 21": random_moves("power-line", 3, 12, "length=21", "energy=99", "nodes=21", "head_start=20"),
    "power-line full of nodes": Play(
        "power-line",
        ("length=21", "nodes=21", "energy=20", "head_start=20", "place_max=10"),
        ("0=1", "20=10", "1=1", "19=10", *(f"{at}=1" for at in range(2, 19)), "0+", "18+"),
    ),
    "power-line of high levels": random_moves("power-line", 5, 12, "length=21", "energy=99", "place_max=10"),
    "clash-of-powers of ten": random_moves("clash-of-powers", 4, 12, POWERS, "duels_to_win=10"),
}


def play_large(home: Path, play: Play, columns: int, *arguments: str) -> None:
    with terminal(home, *play.arguments, *arguments, columns=columns) as shown:
        go_on(shown, steps(play))
        # A game that is not over is given up; how long its last prompt is, counts as well.
        if saved_game_goes_on(play):
            shown.expect_prompt(steps(play)[-1].prompt if play.game_id != "power-line" else "Enter choice")
            shown.type("resign")
        assert shown.end() == 0
        assert shown.too_long() == []


def saved_game_goes_on(play: Play) -> bool:
    position = play.game.initial()
    for text in play.moves:
        position = play.game.play(position, parse_ply(play.game, text))
    return bool(play.game.actors(position))


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", LARGE)
def test_large_games_fit(name: str, columns: int, tmp_path: Path) -> None:
    play_large(tmp_path, LARGE[name], columns, *(f"--p{seat}=human:{LONG_NAME}{seat}" for seat in (1, 2)))


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", [LONG_NAME, "名" * 39, "x" * 39], ids=["words", "wide", "a word"])
@pytest.mark.parametrize("game_id", GAMES)
def test_games_between_people_with_long_names_fit(game_id: str, name: str, columns: int, tmp_path: Path) -> None:
    names = (f"--p1=human:{name}1", f"--p2=human:{name}2")
    play_large(tmp_path, PLAYS[game_id]._replace(names=()), columns, *names)


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game_id", GAMES)
def test_what_commands_say_fits(game_id: str, columns: int, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", game_id, "--p1=human:Ann", "--p2=human:Bob", columns=columns) as shown:
        for command in ("help", "rules", "moves", "save", "nonsense", "r", "undo", "quit"):
            shown.answer(steps(PLAYS[game_id])[-1 if game_id == "clash-of-powers" else 0].prompt, command)
        assert shown.end() == 0
        assert shown.too_long() == []


@pytest.mark.parametrize("game_id", GAMES)
def test_games_between_programs_fit(game_id: str, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", game_id, "--p1=random", "--p2=random", "--seed=1", columns=60) as shown:
        assert shown.end() == 0
        assert shown.too_long() == []


@pytest.mark.parametrize("game_id", GAMES)
def test_a_window_made_narrower_fits_from_the_next_screen_on(game_id: str, tmp_path: Path) -> None:
    play = PLAYS[game_id]
    asked = steps(play)
    middle = len(asked) // 2
    with terminal(tmp_path, *play.arguments, "--p1=human:Bartholomew", "--p2=human:Wilhelmina") as shown:
        asked = [step for step in asked if not step.prompt.endswith("name:")]
        go_on(shown, asked[:middle])
        shown.expect_prompt(asked[middle].prompt)
        since = shown.resize(50)
        shown.type(asked[middle].answer)
        go_on(shown, asked[middle + 1 :])
        assert shown.end() == 0
        assert shown.too_long(since) == []


# Colours and locales


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(
    ("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=str
)
def test_colours_are_there_unless_unwanted(game_id: str, variables: Variables, coloured: bool, tmp_path: Path) -> None:
    play = PLAYS[game_id]
    with terminal(tmp_path, *play.arguments, variables=variables) as shown:
        go_on(shown, steps(play))
        assert shown.end() == 0
        assert bool(COLOUR.search(shown.raw)) == coloured


def test_a_dumb_terminal_gets_no_escape_sequence_at_all(tmp_path: Path) -> None:
    with terminal(tmp_path, *PLAYS["power-line"].arguments, variables={"TERM": "dumb"}) as shown:
        go_on(shown, steps(PLAYS["power-line"]))
        assert shown.end() == 0
        assert b"\x1b" not in shown.raw


LOCALES: dict[str, Variables] = {
    "C": {"LC_ALL": "C"},
    "POSIX": {"LC_ALL": "POSIX"},
    "LANG=C": {"LANG": "C"},
    "unset": {"LANG": None},
    "C over UTF-8": {"LC_ALL": "C", "LANG": "en_US.UTF-8"},
}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game_id", GAMES)
def test_an_ascii_locale_gets_ascii_alone(game_id: str, locale: str, tmp_path: Path) -> None:
    play = PLAYS[game_id]
    with terminal(tmp_path, *play.arguments, variables=LOCALES[locale]) as shown:
        for command in ("help", "rules"):
            shown.answer(steps(play)[0].prompt, command)
        go_on(shown, steps(play))
        assert shown.end() == 0
        assert shown.raw.isascii()


@pytest.mark.parametrize("variables", [{"LANG": "C.UTF-8"}, {"LANG": None, "LC_ALL": "en_US.utf8"}], ids=str)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_utf8_locale_gets_the_marks_of_the_seats(game_id: str, variables: Variables, tmp_path: Path) -> None:
    play = PLAYS[game_id]
    with terminal(tmp_path, *play.arguments, variables=variables) as shown:
        go_on(shown, steps(play))
        assert shown.end() == 0
        assert "●" in shown.text
        assert "▲" in shown.text


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LANG": None}], ids=str)
def test_names_of_other_letters_do_no_harm_in_an_ascii_locale(locale: Variables, tmp_path: Path) -> None:
    play = PLAYS["clash-of-powers"]
    with terminal(tmp_path, *play.arguments, "--p1=human:Zoë Ωmega 名", variables=locale) as shown:
        shown.answer("Player 2, enter your name:", "Jürgen")
        go_on(shown, steps(play)[2:])
        assert shown.end() == 0, shown.text


def test_names_of_other_letters_are_kept(tmp_path: Path) -> None:
    play = PLAYS["clash-of-powers"]._replace(names=("Zoë", "名前"))
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, steps(play))
        assert shown.end() == 0
        assert "Zoë" in shown.text
    assert saved_record(tmp_path)["players"] == ["Zoë", "名前"]


# Editing


def test_a_line_can_be_edited(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "double-up", "--set=start=9") as shown:
        shown.expect_prompt("Enter your selection:")
        shown.type("7" + LEFT + "1")
        shown.expect_prompt("Enter your selection:")
        assert "Enter your selection: 17" in shown.screen()
        shown.type("38" + BACKSPACE + "0")
        shown.expect_prompt("Enter your selection:")
        assert "Enter your selection: 30" in shown.screen()
        shown.type("quit")
        assert shown.end() == 0
    assert saved_record(tmp_path)["moves"] == ["17", "30"]


def test_an_answer_can_be_recalled(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "power-up") as shown:
        shown.answer("Choose an exponent", "2")
        shown.answer("Choose an exponent", "1")
        shown.answer("Choose an exponent", UP + UP)
        shown.answer("Choose an exponent", "quit")
        assert shown.end() == 0
    assert saved_record(tmp_path)["moves"] == ["2", "1", "2"]


def test_a_secret_answer_cannot_be_recalled(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "clash-of-powers") as shown:
        shown.answer("Player 1, enter your name:", "Ann")
        shown.answer("Player 2, enter your name:", "Bob")
        shown.answer("Select a power", "16")
        for keys in (UP, UP + UP, "\x10"):
            shown.expect_prompt("Select a power")
            before = len(shown.raw)
            shown.type(keys)
            shown.expect("Your powers: 1, 2, 4, 8, 16.")
            assert b"16" not in shown.raw[before:].replace(b"1, 2, 4, 8, 16", b"")
        shown.answer("Select a power", "quit")
        assert shown.end() == 0
    (record,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert record.suffix == ".json"


# Secrets


def said_until_reveal(home: Path, *secrets: str) -> bytes:
    """The bytes between the first secret prompt and the reveal; each secret is what one of the seats types."""
    home.mkdir()
    with terminal(home, "play", "clash-of-powers", "--p1=human:Ann", "--p2=human:Bob") as shown:
        shown.expect_prompt("Select a power")
        since = len(shown.raw)
        for secret in secrets:
            shown.type(secret)
            shown.expect_prompt("Select a power")
        return shown.raw[since:]


def test_no_choice_shows_before_the_reveal(tmp_path: Path) -> None:
    """Whatever is chosen, the terminal gets the same bytes until both have chosen; not even the length shows."""
    choices = ("4", "16", "  1", "8\r2", "1" + BACKSPACE + "2")
    said = {said_until_reveal(tmp_path / f"{number}", choice) for number, choice in enumerate(choices)}
    assert len(said) == 1, said


def test_nothing_wrong_that_is_typed_in_secret_shows(tmp_path: Path) -> None:
    for number, wrong in enumerate(("7531", "xyzzy", "3 and 5", "16 4", "9" * 300, "zoë", "re 77")):
        said = said_until_reveal(tmp_path / f"{number}", wrong)
        assert wrong.encode() not in said
        assert len(said) < 200, said


def test_a_secret_does_not_show_where_only_the_output_is_piped(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "clash", "--p1=human:Ann", "--p2=human:Bob", through_cat=True) as shown:
        for _ in range(2):
            shown.expect("Select a power to play in this duel:")
            shown.type("7531")
            shown.expect("That power is not among yours")
            shown.expect("Select a power to play in this duel:")
            shown.type("16")
        shown.expect("Determining the winner...")
        assert "7531" not in shown.text
        assert shown.text.partition("has selected")[0].count("16") == 4


def test_the_terminal_echoes_nothing_while_choosing_and_everything_after(tmp_path: Path) -> None:
    play = PLAYS["clash-of-powers"]
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, steps(play)[:2])
        for step in steps(play)[2:]:
            shown.expect_prompt(step.prompt)
            assert not shown.echoes
            shown.type("wrong")
            shown.expect_prompt(step.prompt)
            assert not shown.echoes
            shown.type(step.answer)
        assert shown.end() == 0
        assert shown.is_sane


@pytest.mark.parametrize("typed", ["quit", "resign", CTRL_C, CTRL_D])
@pytest.mark.parametrize("place", [2, 3, 7])
def test_the_terminal_echoes_again_after_leaving_in_secret(typed: str, place: int, tmp_path: Path) -> None:
    play = PLAYS["clash-of-powers"]
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, steps(play)[:place])
        shown.expect_prompt(steps(play)[place].prompt)
        shown.press(typed if typed in (CTRL_C, CTRL_D) else f"{typed}\r")
        shown.end()
        assert shown.is_sane


# Leaving, at a prompt of every kind


WAYS_TO_LEAVE = {
    "Ctrl-C": (CTRL_C, 130, "Interrupted."),
    "Ctrl-D": (CTRL_D, 1, "The input has ended before the game has."),
    "quit": ("quit\r", 0, "Go on with: powerduels resume"),
}


@pytest.mark.parametrize(("play", "place"), PLACES)
@pytest.mark.parametrize("way", WAYS_TO_LEAVE)
def test_a_game_left_at_any_prompt_goes_on_there(way: str, play: Play, place: int, tmp_path: Path) -> None:
    keys, status, told = WAYS_TO_LEAVE[way]
    asked = steps(play)
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, asked[:place])
        shown.expect_prompt(asked[place].prompt)
        shown.press(keys)
        assert shown.end() == status
        assert shown.is_sane
        assert told in shown.text
        assert "Saved:" in shown.text
        assert "Traceback" not in shown.text
    finish(tmp_path, play, asked[where_it_goes_on(play, place) :])


def terminate(shown: Terminal) -> None:
    shown.signal(signal.SIGTERM)
    assert shown.end() in (-signal.SIGTERM, 128 + signal.SIGTERM)
    assert shown.is_sane
    assert "Traceback" not in shown.text


def hang_up(shown: Terminal) -> None:
    shown.hang_up()


@pytest.mark.parametrize(("play", "place"), PLACES)
@pytest.mark.parametrize("stop", [terminate, hang_up])
def test_a_game_goes_on_after_its_program_was_ended(
    stop: Callable[[Terminal], None], play: Play, place: int, tmp_path: Path
) -> None:
    """By a signal, or because its window was closed; a game without a move has nothing to go on from."""
    asked = steps(play)
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, asked[:place])
        shown.expect_prompt(asked[place].prompt)
        stop(shown)
    resumed = asked[where_it_goes_on(play, place) :]
    if saved_records(tmp_path):
        finish(tmp_path, play, resumed)
    else:
        assert not any(step.turn < asked[place].turn for step in asked if not step.prompt.endswith("name:"))


# Commands, at a prompt of every kind


def prefixes(command: str) -> Iterator[str]:
    """The beginnings that mean this command and no other."""
    for length in range(1, len(command) + 1):
        if sum(other.startswith(command[:length]) for other in COMMANDS) == 1:
            yield command[:length]


def test_every_command_has_a_prefix() -> None:
    assert {command: next(prefixes(command)) for command in COMMANDS} == {
        "help": "h",
        "rules": "ru",
        "moves": "m",
        "undo": "u",
        "save": "s",
        "resign": "re",
        "quit": "q",
    }


@pytest.mark.parametrize(("play", "place"), PLACES)
def test_every_prompt_obeys_the_commands_that_tell_something(play: Play, place: int, tmp_path: Path) -> None:
    asked = steps(play)
    naming = asked[place].prompt.endswith("name:")
    told = {
        "help": "The first letters of a command are enough.",
        "rules": play.game.title.upper(),
        "moves": "The game has not begun" if naming else "move",
        "save": "Saved:",
    }
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, asked[:place])
        for command, answer in told.items():
            # A name may begin like a command.
            for typed in [command, command.upper()] if naming else [*prefixes(command), command.upper()]:
                shown.answer(asked[place].prompt, typed)
                shown.expect(answer)
        if not naming:
            shown.answer(asked[place].prompt, "r")
            shown.expect("r could be rules or resign")
        go_on(shown, asked[place:])
        assert shown.end() == 0
    assert tuple(saved_record(tmp_path)["moves"]) == play.moves


@pytest.mark.parametrize(("play", "place"), PLACES)
def test_undo_at_any_prompt_takes_back_the_move_or_what_there_is_of_it(play: Play, place: int, tmp_path: Path) -> None:
    asked = steps(play)
    start, first = start_of_turn(asked, place), 2 if play.names else 0
    if place < first:
        told, after = "The game has not begun", place
    elif place > start:
        told, after = "", start
    elif place == first:
        told, after = "There is no move to take back.", place
    else:
        told, after = "Taken back: 1 move.", start_of_turn(asked, start - 1)
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, asked[:place])
        shown.answer(asked[place].prompt, "undo")
        shown.expect(told or "ack")
        go_on(shown, asked[after:])
        assert shown.end() == 0
    assert tuple(saved_record(tmp_path)["moves"]) == play.moves


@pytest.mark.parametrize(("play", "place"), PLACES)
def test_who_resigns_at_any_prompt_loses(play: Play, place: int, tmp_path: Path) -> None:
    asked = steps(play)
    with terminal(tmp_path, *play.arguments) as shown:
        go_on(shown, asked[:place])
        shown.answer(asked[place].prompt, "resign")
        if asked[place].prompt.endswith("name:"):
            shown.expect("The game has not begun; quit leaves it.")
            return
        assert shown.end() == 0
        assert "has resigned" in shown.text
    result = saved_record(tmp_path)["result"]
    assert (result["by"], result["winner"]) == ("resigned", 2 - asked[place].seat)


def test_undo_against_a_program_goes_back_to_the_own_last_choice(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "double-up", "--p2=random", "--seed=1", "--set=start=5") as shown:
        shown.answer("Enter your selection:", "6")
        shown.answer("Enter your selection:", "undo")
        shown.expect("Taken back: 2 moves.")
        shown.answer("Enter your selection:", "7")
        shown.answer("Enter your selection:", "q")
        assert shown.end() == 0
    assert saved_record(tmp_path)["moves"][0] == "7"


# The menu


@pytest.mark.parametrize(
    ("game", "opponent", "record"),
    [
        ("1", "1", ("clash-of-powers", "Player 2")),
        ("5", "2", ("power-up", "random")),
        ("double up", "random", ("double-up", "random")),
        ("Power L", "hum", ("power-line", "Player 2")),
        ("power match", "1", ("power-match", "Player 2")),
    ],
)
def test_the_menu_starts_a_game(game: str, opponent: str, record: tuple[str, str], tmp_path: Path) -> None:
    with terminal(tmp_path, columns=60) as shown:
        shown.answer("Which game", game)
        shown.answer("Against whom", opponent)
        shown.expect_prompt(steps(PLAYS[record[0]])[0].prompt)
        shown.type("quit")
        assert shown.end() == 0
        assert shown.too_long() == []
    saved = saved_record(tmp_path)
    assert (saved["game"], saved["players"][1]) == record


def test_the_menu_names_every_game(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        shown.expect_prompt("Which game")
        assert [title for title in (game.title for game in GAMES.values()) if title not in shown.text] == []


def test_the_menu_asks_again_after_a_wrong_answer(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        for wrong in ("0", "6", "-1", "chess", "power", "", "1 2", "9" * 2000):
            shown.answer("Which game", wrong)
            shown.expect("Type a number from 1 to 5, or quit.")
        shown.answer("Which game", "4")
        for wrong in ("0", "3", "", "nobody"):
            shown.answer("Against whom", wrong)
            shown.expect("Type a number from 1 to 2, or quit.")
        shown.answer("Against whom", "1")
        shown.answer("Enter choice", "q")
        assert shown.end() == 0
    assert saved_record(tmp_path)["game"] == "power-line"


@pytest.mark.parametrize("answers", [(), ("3",)], ids=["game", "opponent"])
@pytest.mark.parametrize(("keys", "status"), [(CTRL_D, 1), (CTRL_C, 130), ("quit\r", 0), ("q\r", 0)], ids=repr)
def test_the_menu_can_be_left(keys: str, status: int, answers: tuple[str, ...], tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        for prompt, answer in zip(("Which game", "Against whom"), answers, strict=False):
            shown.answer(prompt, answer)
        shown.expect_prompt(("Which game", "Against whom")[len(answers)])
        shown.press(keys)
        assert shown.end() == status
        assert shown.is_sane
        assert "Traceback" not in shown.text
    assert saved_records(tmp_path) == []
