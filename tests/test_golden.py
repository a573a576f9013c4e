"""Golden dialogues: what the program says through a pipe, against the rulebooks' samples and against whole games.

The samples in tests/golden hold the lines of the rulebooks; a typed answer stands after its
prompt or, where it is secret, in a line with `>`.  All other files hold everything that is
said in the games below and are written anew by `pytest --regenerate-golden tests/test_golden.py`.
"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from driver import Finished, piped, saved_record, typed_lines, without_places
from powerduels.games import GAMES

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = sorted(path.name for path in GOLDEN.glob("*-sample*.txt"))

PROMPT_WITH_ANSWER = re.compile(r"(?:Choose|Enter|Assign) .*: (\S+)")
SAMPLE_OPTIONS = {"power-line-sample.txt": "--set energy=8 --set nodes=4"}
"""L9: the sample of Power Line starts from options that are not the default ones."""
BY_DEFAULT = {
    "Energy Remaining: 8": "Energy Remaining: 15",
    "Energy remaining: 6": "Energy remaining: 13",
    "Energy remaining: 5": "Energy remaining: 12",
    "Available Nodes: 4": "Available Nodes: 5",
}
"""What the default options change in the lines of that sample."""


class Run(NamedTuple):
    """A command of the program, and what is typed while it runs: lines with a semicolon between them."""

    command: str
    typed: str = ""


def run(home: Path, command: str, typed: list[str]) -> Finished:
    return piped(home, *shlex.split(command), typed=typed_lines(typed))


def sample_lines(name: str) -> list[str]:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def typed_in_sample(name: str) -> list[str]:
    answers = []
    for line in sample_lines(name):
        if line.startswith(">"):
            answers.append(line[1:].strip())
        elif found := PROMPT_WITH_ANSWER.fullmatch(line):
            answers.append(found[1])
    return answers


def first_missing(wanted: list[str], output: str) -> str | None:
    """The first of the wanted lines that the output does not have in their order, if there is one."""
    lines = iter(output.splitlines())
    return next((line for line in wanted if line not in lines), None)


def said_in(name: str) -> list[str]:
    return [line for line in sample_lines(name) if not line.startswith(">")]


def test_every_game_has_a_sample() -> None:
    assert {name.partition("-sample")[0] for name in SAMPLES} == set(GAMES)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_dialogue_comes_out_line_by_line(name: str, tmp_path: Path) -> None:
    game, options = name.partition("-sample")[0], SAMPLE_OPTIONS.get(name, "")
    output = run(tmp_path, f"play {game} {options}", typed_in_sample(name)).output
    assert first_missing(said_in(name), output) is None, output


def test_the_sample_of_power_line_by_default_differs_in_energy_and_nodes_alone(tmp_path: Path) -> None:
    """L9."""
    name = "power-line-sample.txt"
    wanted = [BY_DEFAULT.get(line, line) for line in said_in(name)]
    assert set(BY_DEFAULT) <= set(said_in(name))
    output = run(tmp_path, "play power-line", typed_in_sample(name)).output
    assert first_missing(wanted, output) is None, output


SCENARIOS = {
    "power-up-played": (
        Run("play power-up --p1 human:Ann --p2 human:Bob", "3; 2; 2"),
    ),
    "power-up-random": (
        Run("play power-up --p1 random --p2 random --seed 7"),
    ),
    "power-up-against-random": (
        Run("play power-up --p2 random --first 2 --seed 3", "1; 2; 3; 3; 3"),
    ),
    "power-up-stall": (
        Run("play power-up --set stall_limit=4", "1; 2; 1; 1; 1; 1"),
    ),
    "power-up-stalling-once": (
        Run("play power-up --set stalling=once --set target=20", "1; 1; 2; 1; 2; 2"),
    ),
    "power-up-commands": (
        Run("play power-up", "help; moves; undo; 3; u; 3; 1; undo; r; res; exit; undo 3; resign"),
    ),
    "double-up-limit": (
        Run("play double-up --set limit=20", "2; 4; 8; 16; 17; 20"),
    ),
    "double-up-random": (
        Run("play double-up --p1 random --p2 random --seed 5"),
    ),
    "double-up-as-written": (
        Run("play double-up --set limit=none --set start=600 --p2 human:Bob", "1200; 2400; resign"),
    ),
    "double-up-wrong-inputs": (
        Run("play double-up --set limit=10", "1; 3; two; ; 2; 3; 4; 3; 9; 8; 17; 11; 7; 10"),
    ),
    "power-match-tie": (
        Run("play power-match", "8b; 2b; 1e; 3e"),
    ),
    "power-match-snake": (
        Run("play power-match --set order=snake --first 2", "8; base; 2b; 3; e; 1e"),
    ),
    "power-match-large": (
        Run("play power-match --set pool=99 --p2 random --seed 1", "99b; 98e"),
    ),
    "power-match-random": (
        Run("play power-match --p1 random --p2 random --seed 2"),
    ),
    "power-match-commands": (
        Run("play power-match", "7; undo; 7; b; 7; 10; 7 foot; ; 9; neither; undo; 8 exp; 5base; 2; undo; u; mov; he;"
            " r; resign"),
    ),
    "power-line-ends-stuck": (
        Run("play power-line --set energy=4 --set length=5", "1; 2; 2; 0=2; 2; 1=2; 4=2"),
    ),
    "power-line-pass": (
        Run("play power-line --set energy=4 --set nodes=2", "0=4; 10=1; 1; 9; 1; 2; 10"),
    ),
    "power-line-capture-mover": (
        Run("play power-line --set energy=9 --set length=4", "1=3; 2=2; 1+; 0=5; 2; 1; 2; 2; 3=2"),
    ),
    "power-line-capture-mutual": (
        Run("play power-line --set capture=mutual --set length=4 --set energy=6", "1=3; 2=2; 0=1; 2=4; q"),
    ),
    "power-line-capture-takeover": (
        Run("play power-line --preset takeover --set length=6 --set chain=4", "0=1; 2=3; 5=1; 3=2; 1=4"),
    ),
    "power-line-random": (
        Run("play power-line --p1 random --p2 random --seed 4 --set energy=7"),
    ),
    "power-line-commands": (
        Run("play power-line --set energy=5 --set length=4", "2; 3; ; 5=2; 1; undo; 1; 4; 0; 6; 0; u; 1=1; 1; 1; 0; 1;"
            " 2; 0; 1; u; 3=9; 0+; help; moves; resign"),
    ),
    "clash-of-powers-tiebreak": (
        Run("play clash-of-powers --set powers=1,2 --set duels_to_win=2", "Ann; Bob; 1; 1; 2; 2; 2; 1"),
    ),
    "clash-of-powers-tied-to-the-end": (
        Run("play clash --set powers=1,2", "; ; 2; 2; 1; 1; 1; 1"),
    ),
    "clash-of-powers-random": (
        Run("play clash-of-powers --p1 random --p2 random --seed 6"),
    ),
    "clash-of-powers-against-random": (
        Run("play clash-of-powers --p2 random --seed 6", "Ann; 16; 8; 4; 2; 1"),
    ),
    "clash-of-powers-commands": (
        Run("play clash-of-powers", "moves; undo; a:b; random; Ann; help; Bob; help; 4; moves; undo; 16; 3; four; ; 8;"
            " 16; u; 16; resign"),
    ),
    "clash-of-powers-resumed": (
        Run("play clash-of-powers --p1 human:Ann --p2 human:Bob", "4; 8; 16"),
        Run("resume", "1; 2; q"),
        Run("resume", "save"),
    ),
    "power-line-resumed": (
        Run("play power-line --save line.json --set energy=3", "0=1; 1; 5"),
        Run("resume line.json", "2=1; save copy.json; save copy.json; quit"),
        Run("resume line.json", "q"),
    ),
    "power-up-finished-resumed": (
        Run("play power-up --save up.json", "3; 3"),
        Run("resume up.json"),
        Run("resume"),
    ),
}  # fmt: skip


def transcript(runs: tuple[Run, ...], home: Path) -> str:
    """All that the program says in these runs, the place and moment of saved games left out."""
    said = []
    for command, typed in runs:
        done = run(home, command, [answer.strip() for answer in typed.split(";")] if typed else [])
        said.append(f"$ powerduels {command}\n{done.output}{done.errors}[exit status {done.status}]\n")
    return without_places("\n".join(said))


def test_every_game_has_golden_transcripts_and_no_file_is_left_over(regenerate_golden: bool) -> None:
    assert {game for game in GAMES if any(name.startswith(f"{game}-") for name in SCENARIOS)} == set(GAMES)
    if not regenerate_golden:
        assert {path.name for path in GOLDEN.iterdir()} == {*SAMPLES, *(f"{name}.txt" for name in SCENARIOS)}


@pytest.mark.parametrize("name", SCENARIOS)
def test_whole_games_are_told_as_before(name: str, tmp_path: Path, regenerate_golden: bool) -> None:
    told = transcript(SCENARIOS[name], tmp_path)
    golden = GOLDEN / f"{name}.txt"
    if regenerate_golden:
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_two_blank_lines_stand_together(name: str) -> None:
    assert "\n\n\n" not in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


class Asked(NamedTuple):
    """A right answer, and before it wrong ones with what is said to them."""

    right: str
    wrong: dict[str, str]


NO_NUMBER = ("1.5", "1e1", "²", "٣", "3 3", "10^", "^2", "0x1", "+", "=", "5==2", "$(reboot)")
NO_COMMAND = ("two", "help me", "undo 3", "exit", "?", "q!")
UNREADABLE = {
    "-1": "'-1' is less than 0.",
    **{text: f"'{text}' is not a whole number." for text in NO_NUMBER},
    **{text: f"There is no command '{text}'; help lists them." for text in NO_COMMAND},
}
"""Nothing that any prompt for a number could take, and what is said to it."""
WRONG = {
    "play power-up": (
        Asked(
            "3",
            {
                "4": "4 is not one of the exponents; choose 1, 2, or 3.",
                "0": "0 is not one of the exponents; choose 1, 2, or 3.",
                "": "Nothing was typed. Choose 1, 2, or 3.",
                "r": "r could be rules or resign; type more of it.",
                "re": "resign gives the game away; type the whole word.",
                "9" * 2001: f"'{'9' * 37}...' is too long a number. Choose 1, 2, or 3.",
                "10^9999": "'10^9999' is too long a number. Choose 1, 2, or 3.",
                **{text: f"{told} Choose 1, 2, or 3." for text, told in UNREADABLE.items()},
            },
        ),
        Asked("2", {}),
        Asked("2", {}),
    ),
    "play power-up --set stalling=once --set exponents=1,2": (
        Asked("1", {"3": "3 is not one of the exponents; choose 1 or 2."}),
        Asked("2", {"1": "A 1 may not answer a 1; choose 2."}),
        *(Asked(right, {}) for right in ("2", "2")),
    ),
    "play double-up --set limit=10": (
        Asked(
            "2",
            {
                "1": "1 is not greater than 1; only 2 is valid here.",
                "3": "3 is more than twice 1; only 2 is valid here.",
                "": "Nothing was typed. Choose 2.",
                **{text: f"{told} Choose 2." for text, told in UNREADABLE.items()},
            },
        ),
        Asked(
            "4",
            {
                "2": "2 is not greater than 2; 3 to 4 are valid here.",
                "two": "There is no command 'two'; help lists them. Choose 3 to 4.",
            },
        ),
        Asked("8", {"0": "0 is not greater than 4; 5 to 8 are valid here."}),
        Asked(
            "10",
            {
                "11": "11 is above the limit, 10; 9 to 10 are valid here.",
                "17": "17 is more than twice 8; 9 to 10 are valid here.",
            },
        ),
    ),
    "play power-match --set pool=4": (
        Asked(
            "4",
            {
                "5": "5 was never in the pool; left: 1, 2, 3, 4.",
                "0": "0 was never in the pool; left: 1, 2, 3, 4.",
                "0b": "0 was never in the pool; left: 1, 2, 3, 4.",
                "": "Nothing was typed. Choose one of 1, 2, 3, 4.",
                "4 foot": "'4 foot' is not a whole number. Choose one of 1, 2, 3, 4.",
                **{text: f"{told} Choose one of 1, 2, 3, 4." for text, told in UNREADABLE.items()},
            },
        ),
        Asked(
            "base",
            {
                "": "Nothing was typed. Type base or exponent.",
                "4": "'4' is neither. Type base or exponent.",
                "bases": "There is no command 'bases'; help lists them. Type base or exponent.",
            },
        ),
        Asked("3", {"4": "4 is taken; left: 1, 2, 3.", "4e": "4 is taken; left: 1, 2, 3."}),
        Asked("e", {}),
        Asked("2", {"2b": "The base is already 4; the exponent is free."}),
        Asked("exponent", {"base": "The base is already 4; the exponent is free."}),
        Asked("1b", {"1e": "The exponent is already 3; the base is free."}),
    ),
    "play power-line --set energy=4 --set length=4": (
        Asked(
            "1",
            {
                "0": "'0' is no action. Choose 1 or 2.",
                "3": "'3' is no action. Choose 1 or 2.",
                "place": "There is no command 'place'; help lists them. Choose 1 or 2.",
                "": "Nothing was typed. Choose 1 or 2.",
                "2": "You cannot upgrade a node: there is none on the line. Choose 1 to place one.",
                "0=5": "A new node can have level 1 to 4 here; you have 4 energy.",
                "4=1": "There is no position 4; the line has positions 0 to 3.",
                "0+": "Position 0 is empty; upgrade one of yours.",
                "x=1": "There is no command 'x=1'; help lists them. Choose 1 or 2.",
                "=": "'' is not a whole number. Choose 1 or 2.",
                "+": "'' is not a whole number. Choose 1 or 2.",
            },
        ),
        Asked(
            "0",
            {
                "4": "There is no position 4; the line has positions 0 to 3.",
                "": "Nothing was typed. Type an empty position, 0 to 3.",
                **{text: f"{told} Type an empty position, 0 to 3." for text, told in UNREADABLE.items()},
            },
        ),
        Asked(
            "1",
            {
                "0": "A new node can have level 1 to 4 here; you have 4 energy.",
                "5": "A new node can have level 1 to 4 here; you have 4 energy.",
                "": "Nothing was typed. Type a level, 1-4.",
                **{text: f"{told} Type a level, 1-4." for text, told in UNREADABLE.items()},
            },
        ),
        Asked("1", {}),
        Asked("3", {"0": "Position 0 is occupied; empty: 1, 2, 3."}),
        Asked("3", {}),
        Asked("2", {"3+": "Position 3 holds a node of the opponent; upgrade one of yours."}),
        Asked(
            "0",
            {
                "1": "Position 1 is empty; upgrade one of yours. Possible: 0.",
                "3": "Position 3 holds a node of the opponent; upgrade one of yours. Possible: 0.",
                "4": "There is no position 4; the line has positions 0 to 3. Possible: 0.",
                "": "Nothing was typed. Possible: 0.",
                "two": "There is no command 'two'; help lists them. Possible: 0.",
            },
        ),
        Asked(
            "1=1",
            {
                "3+": "Upgrading the node at 3 to level 4 costs 4; you have 1 energy.",
                "2": "You cannot upgrade a node: the cheapest upgrade costs 4, and 1 energy is left. "
                "Choose 1 to place one.",
            },
        ),
        Asked("2=1", {}),
    ),
    "play clash-of-powers --set powers=2,3": (
        Asked(
            "Ann",
            {
                "a:b": "A name cannot hold a colon.",
                "random": "random stands for a kind of player and cannot be a name.",
                "x" * 41: "A name has at most 40 characters.",
                "a\tb": "A name consists of printable characters, with no blank at its ends.",
            },
        ),
        Asked("Bob", {"human": "human stands for a kind of player and cannot be a name."}),
        Asked(
            "3",
            {
                "4": "That power is not among yours; left: 2, 3.",
                "": "Type a number. Your powers: 2, 3.",
                "r": "r could be rules or resign; type more of it.",
                **dict.fromkeys(UNREADABLE, "Type a number. Your powers: 2, 3."),
            },
        ),
        Asked("2", {"1": "That power is not among yours; left: 2, 3."}),
        Asked("2", {"3": "That power is not among yours; left: 2."}),
        Asked("3", {"2": "That power is not among yours; left: 3.", "2/3": "Type a number. Your powers: 3."}),
        Asked("3", {}),
        Asked("2", {}),
    ),
}
ALWAYS_WRONG = (
    b"\xff\xfe",
    b"\x00",
    b"\x1b[A",
    b"\x7f" * 9,
    b"save /dev/null/x",
    b"save .",
    b"save a\x00b",
    b"save " + b"x" * 300,
)
"""Bytes that no keyboard should send, and places where nothing can be saved."""


def moves_of(answers: tuple[Asked, ...], command: str, home: Path) -> list[str]:
    """The moves of the record after typing nothing but the right answers."""
    home.mkdir()
    assert run(home, command, [asked.right for asked in answers]).status == 0
    moves: list[str] = saved_record(home)["moves"]
    return moves


@pytest.mark.parametrize("command", WRONG)
def test_wrong_input_is_answered_with_what_is_right_and_costs_no_turn(command: str, tmp_path: Path) -> None:
    answers = WRONG[command]
    typed = [text for asked in answers for text in (*asked.wrong, asked.right)]
    done = run(tmp_path, command, typed)
    assert done.status == 0, done.output
    assert done.errors == ""
    assert first_missing([told for asked in answers for told in asked.wrong.values()], done.output) is None, done.output
    assert saved_record(tmp_path)["moves"] == moves_of(answers, command, tmp_path / "right")


@pytest.mark.parametrize("command", WRONG)
def test_nothing_that_can_be_typed_ends_a_game(command: str, tmp_path: Path) -> None:
    answers = WRONG[command]
    typed = b"".join(
        b"".join(wrong + b"\n" for wrong in ALWAYS_WRONG if asked.right not in ("Ann", "Bob"))
        + asked.right.encode()
        + b"\r\n"
        for asked in answers
    )
    done = piped(tmp_path, *shlex.split(command), typed=typed)
    assert (done.status, done.errors) == (0, ""), done.output
    assert "\x1b" not in done.output
    assert saved_record(tmp_path)["moves"] == moves_of(answers, command, tmp_path / "right")


def said_after(home: Path, *typed: str) -> tuple[str, object]:
    """All that anybody can see of a duel in which this was typed: the output and the saved record."""
    home.mkdir()
    done = run(home, "play clash-of-powers --p1 human:Ann --p2 human:Bob", list(typed))
    return without_places(done.output), saved_record(home)


def test_a_secret_choice_shows_nowhere_before_the_reveal(tmp_path: Path) -> None:
    """Whatever is chosen, the output and the saved game are the same until both have chosen."""
    for number, after in enumerate(((), ("moves", "help", "save"), ("7531", "eight", ""), ("undo",), ("resign",))):
        seen = [said_after(tmp_path / f"{number}-{choice}", choice, *after) for choice in ("1", "4", "16")]
        assert seen[0] == seen[1] == seen[2]


def test_wrong_secret_input_is_not_repeated(tmp_path: Path) -> None:
    wrong = ("7531", "x7531", "16 7531", "save7531", "re 7531", "7531" * 300)
    output, _ = said_after(tmp_path / "home", *wrong)
    assert output.count("Select a power to play in this duel:") == len(wrong) + 1
    assert "7531" not in output


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1", "TERM": "xterm-256color"}])
@pytest.mark.parametrize("game", GAMES)
def test_a_pipe_gets_plain_ascii_text(game: str, variables: dict[str, str], tmp_path: Path) -> None:
    arguments = ("play", game, "--p1=random", "--p2=random", "--seed=1")
    done = piped(tmp_path, *arguments, variables=variables)
    assert done.status == 0
    assert "\x1b" not in done.output
    assert done.output.isascii()


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_a_pipe_passes_names_of_other_letters_on(locale: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "clash", typed="Zoë\n名前\nquit\n", variables={"LC_ALL": locale})
    assert (done.status, done.errors) == (0, "")
    assert "Zoë" in done.output
    assert saved_record(tmp_path)["players"] == ["Zoë", "名前"]
