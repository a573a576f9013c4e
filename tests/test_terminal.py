"""The terminal player at a real terminal: what fits, what is hidden, what survives, and what every prompt obeys.

Pictures are not pinned here, only what must be true of any picture.
"""

import os
import random
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from driver import (
    COLOUR,
    CTRL_C,
    CTRL_D,
    CTRL_Z,
    PROGRAM,
    THROUGH_CAT,
    Terminal,
    Variables,
    piped,
    saved_record,
    saved_records,
    terminal,
)
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.games.power_match import PART_NAMES
from powerduels.terminal.launch import OPPONENTS
from powerduels.terminal.session import COMMANDS
from powerduels.text import format_ply, listed, make_game, parse_ply
from strategies import random_game

ROOT = Path(__file__).parent.parent
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
        for command in ("help", "rules", "moves", "save", "nonsense", "r", "re", "undo", "quit"):
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


PLACE_OF_A_GAME = re.compile(r"(?:Saved: )?(~/state/powerduels/games/[a-z-]+-\d{8}-\d{6}\.json)")


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_the_place_of_a_saved_game_is_never_broken(columns: int, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "power-line", columns=columns) as shown:
        shown.answer("Enter choice", "save")
        shown.answer("Enter choice", "quit")
        assert shown.end() == 0
        places = [found[1] for line in shown.text.splitlines() if (found := PLACE_OF_A_GAME.fullmatch(line))]
    (path,) = tmp_path.rglob("*.json")
    assert places == [f"~/{path.relative_to(tmp_path)}"] * 2


@pytest.mark.parametrize("columns", [80, 60])
def test_the_list_of_saved_games_fits(columns: int, tmp_path: Path) -> None:
    for names in (("Ann", "Bob"), (f"{LONG_NAME}1", f"{LONG_NAME}2")):
        piped(tmp_path, "play", "clash", *(f"--p{seat}=human:{name}" for seat, name in enumerate(names, 1)))
    with terminal(tmp_path, "games", columns=columns) as shown:
        assert shown.end() == 0
        assert shown.too_long() == []
        assert "~/state/powerduels/games." in shown.text


def turns_announced(shown: Terminal) -> int:
    return shown.text.count("Player 1's Turn")


@pytest.mark.parametrize("command", ["help", "rules", "moves"])
def test_after_what_is_told_the_turn_is_on_the_screen_again(command: str, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "power-line") as shown:
        shown.expect_prompt("Enter choice")
        turn = "\n".join(shown.screen()[1:])
        assert "Player 1's Turn" in turn
        shown.type(command)
        shown.expect_prompt("Enter choice")
        assert "\n".join(shown.screen()).endswith(turn)
        shown.type("1")
        shown.expect_prompt("Enter position to place the node")
        shown.type(command)
        shown.expect_prompt("Enter position to place the node")
        assert turns_announced(shown) == 3
        assert "Choose an action:" not in "\n".join(shown.screen()).rpartition("Player 1's Turn")[2]


def test_what_is_told_in_secret_is_followed_by_the_hands_and_the_choice(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "clash", "--p1=human:Ann", "--p2=human:Bob") as shown:
        shown.answer("Select a power", "4")
        shown.expect_prompt("Select a power")
        shown.type("help")
        shown.expect_prompt("Select a power")
        again = shown.text.rpartition("Duel 1")[2]
        assert re.findall(r"\w+ has chosen|Bob, it is your choice|Ann, it is", again) == [
            "Ann has chosen",
            "Bob, it is your choice",
        ]


def test_a_chosen_card_lies_face_down_until_both_have_chosen(tmp_path: Path) -> None:
    backs = "│░░░░░░░│"
    with terminal(tmp_path, "play", "clash", "--p1=human:Ann", "--p2=human:Bob") as shown:
        shown.expect_prompt("Select a power")
        assert "has chosen" not in shown.text
        shown.type("4")
        shown.expect_prompt("Select a power")
        assert shown.text.count("Ann has chosen.") == shown.text.count(backs) == 1
        shown.type("8")
        shown.expect_prompt("Select a power")
        assert shown.text.count("has chosen.") == shown.text.count(backs) == 1


@pytest.mark.parametrize("columns", [80, 60])
def test_a_large_pool_takes_a_line(columns: int, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "power-match", "--set=pool=99", columns=columns) as shown:
        shown.answer("Choose a number", "99b")
        shown.answer("Choose a number", "50")
        shown.answer("Assign", "exponent")
        shown.expect_prompt("Choose a number")
        assert "Number Pool: [1-49, 51-98]" in shown.text
        assert "  pool: 1-49 51-98" in shown.text
        shown.type("0x")
        shown.expect("Choose one of 1-49, 51-98.")


def test_a_line_of_two_rows_is_joined(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "power-line", "--set=length=21", columns=60) as shown:
        shown.expect_prompt("Enter choice")
        wires = [line for line in shown.screen() if line.count("─") > 10 and "·" in line]
        assert [(line[0], line[-1]) for line in wires] == [(" ", "╮"), ("╰", "─")]


def test_the_ladder_names_the_last_number_and_the_next_ones(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "double-up", "--set=start=9", "--set=limit=1000") as shown:
        shown.answer("Enter your selection:", "18")
        shown.expect_prompt("Enter your selection:")
        lines = shown.screen()
        (at,) = (number for number, line in enumerate(lines) if "◉" in line and "●" in line)
        ladder, named = lines[at : at + 2]
        assert named.split() == ["9", "18", "36", "1000"]
        for mark, number in ((ladder.index("◉"), "9"), (ladder.index("●"), "18"), (ladder.rindex("▮"), "36")):
            assert named.index(number) <= mark <= named.index(number) + len(number)


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


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C"}], ids=str
)
def test_names_of_other_letters_are_right_in_the_record_whatever_the_locale(locale: Variables, tmp_path: Path) -> None:
    """Even where Python takes the locale at its word, and reads and writes ASCII alone."""
    play = PLAYS["clash-of-powers"]
    with terminal(tmp_path, *play.arguments, "--p1=human:Zoë", variables=locale) as shown:
        shown.answer("Player 2, enter your name:", "Jürgen")
        go_on(shown, steps(play)[2:])
        assert shown.end() == 0, shown.text
    assert saved_record(tmp_path)["players"] == ["Zoë", "Jürgen"]


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
    with terminal(tmp_path, "play", "clash", "--p1=human:Ann", "--p2=human:Bob", program=THROUGH_CAT) as shown:
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


@contextmanager
def stopped_and_continued(home: Path, typed: str, seen: bool, prompt: str, *arguments: str) -> Iterator[Terminal]:
    """The program in a shell, after it was stopped with this on its line, and brought back."""
    with terminal(home, "--norc", "--noprofile", "-i", variables={"PS1": "> "}, program=("bash",)) as shown:
        shown.expect("> ")
        shown.type(shlex.join((*PROGRAM, *arguments)))
        shown.expect_prompt(prompt)
        shown.press(typed)
        if seen:
            # What is not yet read when the program is stopped is lost.
            shown.expect(typed)
        shown.press(CTRL_Z)
        shown.expect("Stopped")
        shown.expect("> ")
        shown.type("fg")
        shown.expect_prompt(prompt)
        yield shown


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no shell with job control")
def test_a_choice_stays_secret_when_the_program_was_stopped_meanwhile(tmp_path: Path) -> None:
    prompt = "Select a power to play in this duel:"
    with stopped_and_continued(
        tmp_path, "4", False, prompt, "play", "clash", "--p1=human:Ann", "--p2=human:Bob"
    ) as shown:
        assert not shown.echoes
        before = len(shown.raw)
        shown.type("16")
        shown.expect_prompt(prompt)
        assert b"16" not in shown.raw[before:].replace(b"1, 2, 4, 8, 16", b"")
        shown.type("2")
        shown.expect("Ann has selected Power 16.")
        shown.answer(prompt, "quit")
        shown.expect("> ")
        shown.type("stty -a")
        shown.expect(" echo ")


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no shell with job control")
def test_a_line_can_be_edited_on_when_the_program_was_stopped_meanwhile(tmp_path: Path) -> None:
    prompt = "Enter your selection:"
    with stopped_and_continued(tmp_path, "74", True, prompt, "play", "double-up", "--set=start=9") as shown:
        shown.expect("74")
        shown.type(BACKSPACE + LEFT + "1")
        shown.answer("Enter your selection:", "quit")
        shown.expect("> ")
    assert saved_record(tmp_path)["moves"] == ["17"]


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
    """The beginnings that mean this command and no other, though resign is obeyed as a whole word alone."""
    for length in range(1, len(command) + 1):
        if sum(other.startswith(command[:length]) for other in COMMANDS) == 1:
            yield command[:length]


def test_every_command_has_a_prefix() -> None:
    assert {command: next(prefixes(command)) for command in COMMANDS} == {
        "help": "he",
        "hint": "hi",
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
        "help": "The first letters of a command are enough, but for resign.",
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
            for typed in prefixes("resign"):
                if typed != "resign":
                    shown.answer(asked[place].prompt, typed)
                    shown.expect("resign gives the game away; type the whole word.")
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
        ("5", "7", ("power-up", "random")),
        ("double up", "random", ("double-up", "random")),
        ("Power L", "hum", ("power-line", "Player 2")),
        ("power match", "1", ("power-match", "Player 2")),
        ("CLASH", "1", ("clash-of-powers", "Player 2")),
        ("power_line", "1", ("power-line", "Player 2")),
        ("d", "1", ("double-up", "Player 2")),
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


@pytest.mark.parametrize("name", ["power", "Power", "up"])
def test_the_menu_lists_the_games_that_a_name_could_mean(name: str, tmp_path: Path) -> None:
    titles = [game.title for game in GAMES.values() if name.lower() in game.title.lower()]
    with terminal(tmp_path) as shown:
        shown.answer("Which game", name)
        shown.expect(f"'{name}' could be {listed(titles, 'or')}.")
        shown.answer("Which game", "q")
        assert shown.end() == 0


def test_the_menu_offers_the_newest_unfinished_games(tmp_path: Path) -> None:
    folder = tmp_path / "state/powerduels/games"
    for age, (game_id, typed) in enumerate(
        {"power-up": "3\n2\n", "double-up": "2\n3\n", "power-match": "", "power-line": "0=1\n", "clash": ""}.items()
    ):
        piped(tmp_path, "play", game_id, "--p1=human:Ann", "--p2=human:Ben", typed=typed)
        (path,) = folder.glob(f"{game_id}*")
        os.utime(path, (2000 - age, 2000 - age))
    piped(tmp_path, "play", "power-up", "--p1=random", "--p2=random")
    with terminal(tmp_path, columns=60) as shown:
        shown.expect("Which game (1-8)? ")
        offered = [line for line in shown.screen() if "Go on:" in line]
        assert offered == [
            "6. Go on: Power Up, Ann - Ben, 2 moves",
            "7. Go on: Double Up, Ann - Ben, 2 moves",
            "8. Go on: Power Match, Ann - Ben, 0 moves",
        ]
        shown.type("7")
        shown.expect("Double Up goes on after 2 moves.")
        shown.answer("Enter your selection:", "quit")
        assert shown.end() == 0
        assert shown.too_long() == []


def test_saved_games_that_cannot_be_read_do_not_keep_anybody_from_playing(tmp_path: Path) -> None:
    games = tmp_path / "state/powerduels/games"
    games.parent.mkdir(parents=True)
    games.write_text("no folder")
    with terminal(tmp_path) as shown:
        shown.expect("Which game (1-5)? ")
        shown.type("q")
        assert shown.end() == 0


@pytest.mark.parametrize("keys", [CTRL_C, CTRL_D, "quit\r"], ids=repr)
@pytest.mark.parametrize("answers", [(), ("5", "1")], ids=["in the menu", "in a game"])
def test_make_play_can_be_left_in_peace(keys: str, answers: tuple[str, ...], tmp_path: Path) -> None:
    """Without a word of make about an error; set up it is, for these tests run."""
    options = ("-C", str(ROOT), "-o", "bytecode", f"BIN={Path(sys.executable).parent}", "play")
    prompts = ("Which game", "Against whom", "Choose an exponent")
    with terminal(tmp_path, *options, program=("make",)) as shown:
        for prompt, answer in zip(prompts, answers, strict=False):
            shown.answer(prompt, answer)
        shown.expect_prompt(prompts[len(answers)])
        shown.press(keys)
        shown.end()
        assert "Error" not in shown.text
        assert "***" not in shown.text
    assert len(saved_records(tmp_path)) == bool(answers)


def test_make_play_is_loud_where_something_fails(tmp_path: Path) -> None:
    fake = tmp_path / "powerduels"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    with terminal(tmp_path, "-C", str(ROOT), "-o", "bytecode", f"BIN={tmp_path}", "play", program=("make",)) as shown:
        assert shown.end() == 2
        assert "Error 1" in shown.text


def test_the_menu_names_every_game(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        shown.expect_prompt("Which game")
        assert [title for title in (game.title for game in GAMES.values()) if title not in shown.text] == []


def test_the_menu_asks_again_after_a_wrong_answer(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        for wrong in ("0", "6", "-1", "chess", "", "1 2", "9" * 2000):
            shown.answer("Which game", wrong)
            shown.expect("Type a number from 1 to 5, a game's name, or quit.")
        shown.answer("Which game", "4")
        for wrong in ("0", "99", "", "nobody"):
            shown.answer("Against whom", wrong)
            shown.expect(f"Type a number from 1 to {len(OPPONENTS)}, an opponent, or quit.")
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
