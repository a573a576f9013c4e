"""The command line: every command and option, what it answers, how it ends, and what it does when things go wrong."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import powerduels
from driver import NONE, PATIENCE, PROGRAM, Finished, environment, piped, saved_record, saved_records, typed_lines
from powerduels.cli import COMMANDS, main
from powerduels.games import GAMES
from powerduels.records import parse_record
from powerduels.text import make_game, option_texts

WIN_POWER_UP = "3\n2\n2\n"
UNFINISHED: dict[str, Any] = {
    "format": "powerduels/1",
    "game": "power-up",
    "rules": {"base": "2", "target": "256", "exponents": "1,2,3", "stall_limit": "8", "stalling": "free"},
    "players": ["Ann", "Ben"],
    "first": 1,
    "moves": ["3"],
    "result": None,
}
FINISHED = UNFINISHED | {
    "moves": ["3", "2", "2"],
    "result": {"winner": 1, "by": "rules", "reason": "Ann wins! Base number reached 4096 (target was 256)."},
}

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such file")


def run(home: Path, line: str, typed: str = "") -> Finished:
    """Run a command line as one types it, without the name of the program."""
    return piped(home, *shlex.split(line), typed=typed)


def shell(home: Path, script: str) -> Finished:
    """Run a script in which `$POWERDUELS` is the program."""
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=home,
        env=environment(home, {"POWERDUELS": shlex.join(PROGRAM)}),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def write(path: Path, record: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record), encoding="utf-8")


def games_folder(home: Path) -> Path:
    """Where games of this home are kept; see the tests of the store for other homes."""
    state = home / "Library" / "Application Support" if sys.platform == "darwin" else home / "state"
    return state / "powerduels" / "games"


def assert_refused(done: Finished, status: int, *told: str) -> None:
    """Nothing on standard output, and one or two lines without a traceback on the other."""
    assert done.status == status, done
    assert done.output == ""
    assert done.errors.startswith("powerduels")
    assert done.errors.endswith("\n")
    assert 1 <= done.errors.count("\n") <= 2
    assert "Traceback" not in done.errors
    for text in told:
        assert text in done.errors


def refused_by_rules_and_play(home: Path, line: str, *told: str) -> None:
    """Every command that takes a game takes its options, and refuses them alike."""
    for command in ("rules", "play"):
        assert_refused(run(home, f"{command} {line}"), 2, *told)


# What is there


def test_the_version_is_told(tmp_path: Path) -> None:
    assert run(tmp_path, "--version") == (0, f"powerduels {powerduels.__version__}\n", "")
    assert run(tmp_path, "play --version").status == 2


def test_without_a_terminal_the_program_alone_tells_its_commands(tmp_path: Path) -> None:
    alone = run(tmp_path, "")
    assert alone == run(tmp_path, "--help")
    assert alone.status == 0
    for command in COMMANDS:
        assert re.search(rf"^ +{command} ", alone.output, re.MULTILINE)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_everywhere_with_an_example_that_works(command: str, tmp_path: Path) -> None:
    for line in (f"{command} --help", f"{command} -h"):
        told = run(tmp_path, line)
        assert (told.status, told.errors) == (0, "")
        assert told.output.startswith(f"usage: powerduels {command}".rstrip())
        assert max(map(len, told.output.splitlines())) <= 80
    (example,) = re.findall(r"^Example: powerduels (.+)$", told.output, re.MULTILINE)
    assert example.split()[0] == (command or "play")
    assert run(tmp_path, example).status in (0, 1)


def test_the_interface_has_these_commands_so_far() -> None:
    assert list(COMMANDS) == ["list", "rules", "play", "solve", "verify", "analyse", "review", "resume", "games"]


def test_the_module_and_the_installed_command_are_one_program(tmp_path: Path) -> None:
    installed = Path(sys.executable).parent / "powerduels"
    done = subprocess.run(
        [installed, "list"], cwd=tmp_path, env=environment(tmp_path, NONE), capture_output=True, text=True, check=True
    )
    assert (done.returncode, done.stdout, done.stderr) == run(tmp_path, "list")


# list and rules


def test_the_games_are_listed_in_a_line_each(tmp_path: Path) -> None:
    told = run(tmp_path, "list")
    assert (told.status, told.errors) == (0, "")
    assert [line.split()[0] for line in told.output.splitlines()] == list(GAMES)
    assert max(map(len, told.output.splitlines())) <= 80


def test_the_games_are_listed_as_json(tmp_path: Path) -> None:
    told = run(tmp_path, "list --json")
    assert (told.status, told.errors) == (0, "")
    listed = json.loads(told.output)["games"]
    assert [game["game"] for game in listed] == list(GAMES)
    assert [game["title"] for game in listed] == [GAMES[game_id].title for game_id in GAMES]
    lines = run(tmp_path, "list").output.splitlines()
    assert [f"{game['game']:<16} {game['tagline']}" for game in listed] == lines


@pytest.mark.parametrize("game_id", GAMES)
def test_the_rules_of_a_game_are_told(game_id: str, tmp_path: Path) -> None:
    told = run(tmp_path, f"rules {game_id}")
    assert (told.status, told.errors) == (0, "")
    assert told.output.startswith(GAMES[game_id].title.upper())
    for option in GAMES[game_id].options:
        assert f"\n  {option.name} " in told.output
    assert "This game:" not in told.output
    assert max(map(len, told.output.splitlines())) <= 80


@pytest.mark.parametrize("game_id", GAMES)
def test_the_rules_of_a_game_are_told_as_json(game_id: str, tmp_path: Path) -> None:
    told = run(tmp_path, f"rules {game_id} --json")
    assert (told.status, told.errors) == (0, "")
    document = json.loads(told.output)
    assert document["game"] == game_id
    assert [option["name"] for option in document["options"]] == [option.name for option in GAMES[game_id].options]
    assert document["rules_in_force"] == option_texts(make_game(GAMES[game_id], {}))


def test_the_rules_in_force_are_told_where_options_are_set(tmp_path: Path) -> None:
    told = run(tmp_path, "rules clash --preset sharp --set tiebreak=none")
    assert "\nThis game: duels_to_win=2 (default 3), tiebreak=none (default single)\n" in told.output
    document = json.loads(run(tmp_path, "rules clash --preset sharp --set tiebreak=none --json").output)
    assert document["rules_in_force"] == {
        "powers": "1,2,4,8,16", "duels_to_win": "2", "exact_double": "true", "tiebreak": "none",
    }  # fmt: skip


# Games and options by name


@pytest.mark.parametrize(
    ("name", "game_id"),
    [
        ("power-line", "power-line"), ("clash", "clash-of-powers"), ("match", "power-match"), ("line", "power-line"),
        ("d", "double-up"), ("c", "clash-of-powers"), ("double", "double-up"), ("power-u", "power-up"),
        ("of", "clash-of-powers"), ("POWER-UP", "power-up"), ("'Power Match'", "power-match"),
        ("power_line", "power-line"),
    ],
)  # fmt: skip
def test_a_prefix_or_part_of_an_id_is_enough(name: str, game_id: str, tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, f"rules {name} --json").output)["game"] == game_id


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("power", "clash-of-powers, power-match, power-line, or power-up"),
        ("power-", "power-match, power-line, or power-up"),
        ("up", "double-up or power-up"),
        ("-", "clash-of-powers, power-match, double-up, power-line, or power-up"),
    ],
)
def test_an_ambiguous_name_lists_the_candidates(name: str, candidates: str, tmp_path: Path) -> None:
    refused_by_rules_and_play(tmp_path, name, f"powerduels: '{name}' could be {candidates}.\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("powr-up", "Did you mean power-up?"),
        ("clash-of-power-s", "Did you mean clash-of-powers?"),
        ("chess", "There are clash-of-powers, power-match, double-up, power-line, and power-up."),
        ("''", "There are clash-of-powers, power-match, double-up, power-line, and power-up."),
    ],
)
def test_an_unknown_game_is_answered_with_the_nearest(name: str, hint: str, tmp_path: Path) -> None:
    (text,) = shlex.split(name)
    refused_by_rules_and_play(tmp_path, name, f"powerduels: There is no game {text!r}. {hint}\n")


def test_options_that_are_set_are_those_that_are_played(tmp_path: Path) -> None:
    assert run(tmp_path, "play line --preset takeover --set chain=4 --set energy=9 --set energy=7").status == 1
    assert saved_record(tmp_path)["rules"] == {
        "length": "11", "nodes": "5", "energy": "7", "head_start": "0", "place_max": "5", "level_max": "10",
        "chain": "4", "capture": "takeover", "ending": "chain,power,energy,second",
    }  # fmt: skip


def test_defaults_follow_what_is_set(tmp_path: Path) -> None:
    for line, wanted in {
        "clash --set powers=3,5": {"duels_to_win": "2"},
        "line --set level_max=3 --set length=6": {"place_max": "3", "chain": "6"},
    }.items():
        rules = json.loads(run(tmp_path, f"rules {line} --json").output)["rules_in_force"]
        assert rules.items() >= wanted.items()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("match --set poool=9", "Power Match has no option 'poool'. Did you mean pool?"),
        ("match --set =9", "Power Match has no option ''. There are pool and order."),
        ("match --set pool", "--set 'pool' is not of the form NAME=VALUE."),
        ("match --set pool=100", "pool: '100' is out of range. Allowed: 4 to 99."),
        ("match --set pool=", "pool: '' is not a whole number. Allowed: 4 to 99."),
        ("match --set pool=-4", "pool: '-4' is less than 0. Allowed: 4 to 99."),
        ("match --set order=random", "order: 'random' is not among them. Allowed: alternate or snake."),
        ("clash --preset shap", "Clash of Powers has no preset 'shap'. Did you mean sharp?"),
        ("match --preset sharp", "Power Match has no preset 'sharp'. There are none."),
        ("power-up --set base=256", "base: 256 is not below the target, 256."),
        ("double --set start=101", "start: 101 is above the limit, 100."),
        ("power-up --set exponents=1", "exponents: one of them must be above 1, or the base never grows."),
        ("clash --set powers=1,2 --set duels_to_win=3", "duels_to_win: with 2 powers it can be 1 to 2."),
        ("line --set chain=12", "chain: 12 is longer than the line; it can be 2 to 11."),
        ("double --set limit=10^19", "limit: '10^19' is out of range. Allowed: 1 to 10^18, or none."),
    ],
)
def test_options_that_cannot_be_are_refused_with_what_can(line: str, told: str, tmp_path: Path) -> None:
    refused_by_rules_and_play(tmp_path, line, f"powerduels: {told}\n")
    assert saved_records(tmp_path) == []


@pytest.mark.parametrize(
    "line",
    [
        "nonsense", "play", "rules", "--nonsense", "play power-up extra", "play power-up --first 3",
        "play power-up --first", "play power-up --seed x", "play power-up --seed 1.5", "play power-up --sed 1",
        "play power-up --p3 human", "play power-up --p1 computer:nine", "play power-up --p1 Ann", "games --delete",
        "play power-up --p1 human:", "play power-up --p2 human:random", "resume a b", "list --jsn", "games extra",
        "rules power-up --json --preset nonsense", "play power-up --p2 human:a:b", "'play\nnow'", "'--x\ny\nz'",
        "play power-up --set 'pool\n\n\n=9'", "play power-up --s=1",
    ],
)  # fmt: skip
def test_wrong_usage_ends_with_2_and_says_why_in_two_lines(line: str, tmp_path: Path) -> None:
    assert_refused(run(tmp_path, line), 2)
    assert saved_records(tmp_path) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("list --jsn", "powerduels list: There is no option '--jsn'. Did you mean --json?"),
        ("play power-up --sav=x", "powerduels play: There is no option '--sav'. Did you mean --save?"),
        ("rules power-up -q", "powerduels rules: There is no option '-q'. There are "),
        ("games extra", "powerduels games: 'extra' is too much."),
        ("--versio", "powerduels: There is no option '--versio'. Did you mean --version?"),
    ],
)
def test_an_unknown_option_is_answered_with_the_nearest_of_that_command(line: str, told: str, tmp_path: Path) -> None:
    done = run(tmp_path, line)
    assert_refused(done, 2, told)
    command = told.partition(":")[0]
    assert done.errors.endswith(f"\nSee {command} --help.\n")


WORDS = ["rules", "list", "--json", "--set", "--p1", "--first", "power-up", "line", "--preset", "--help", "--version"]
NEEDS_A_HOME = {"play", "resume", "games", "--"}


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0"), max_size=8) | st.sampled_from(WORDS), min_size=1, max_size=4
    )
)
def test_no_command_line_raises_anything(arguments: list[str]) -> None:
    """In this process, for speed, and therefore without the commands that touch saved games."""
    if not NEEDS_A_HOME & set(arguments):
        assert main(arguments) in (0, 2)


# play


def test_a_game_is_played_saved_and_ends_with_0(tmp_path: Path) -> None:
    played = run(tmp_path, "play power-up --p1 human:Ann --p2 human:Ben", WIN_POWER_UP)
    assert (played.status, played.errors) == (0, "")
    assert saved_record(tmp_path) == FINISHED
    assert "\nAnn wins! Base number reached 4096 (target was 256).\n" in played.output
    (path,) = tmp_path.rglob("power-up-*.json")
    assert played.output.endswith(f"\nSaved: {path}\n")


def test_people_without_a_name_are_called_by_their_seat(tmp_path: Path) -> None:
    run(tmp_path, "play power-up --p2 human:Ben")
    assert saved_record(tmp_path)["players"] == ["Player 1", "Ben"]


@pytest.mark.parametrize("first", [1, 2])
def test_first_says_which_seat_starts(first: int, tmp_path: Path) -> None:
    played = run(tmp_path, f"play power-up --first {first} --p1 human:Ann --p2 human:Ben", WIN_POWER_UP)
    record = saved_record(tmp_path)
    assert record["first"] == record["result"]["winner"] == first
    assert "\nAnn's turn." in played.output
    assert f"\n{('Ann', 'Ben')[first - 1]} wins!" in played.output


def test_first_at_random_is_repeated_by_the_seed_and_goes_either_way(tmp_path: Path) -> None:
    starters = {}
    for seed in range(8):
        for name in ("once", "again"):
            run(tmp_path, f"play power-up --first random --seed {seed} --save {name}-{seed}.json")
        once, again = (json.loads((tmp_path / f"{name}-{seed}.json").read_text()) for name in ("once", "again"))
        assert once == again
        starters[seed] = once["first"]
    assert set(starters.values()) == {1, 2}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_seed_repeats_a_whole_game_between_random_players(game_id: str, tmp_path: Path) -> None:
    outputs, records = [], []
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        played = run(tmp_path, f"play {game_id} --p1 random --p2 random --seed {seed} --save {name}.json")
        assert (played.status, played.errors) == (0, "")
        outputs.append(played.output.replace(f"{name}.json", "FILE"))
        records.append((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
    assert outputs[0] == outputs[1] != outputs[2]
    assert records[0] == records[1] != records[2]
    assert parse_record(records[0], GAMES).players == ("random", "random")


def test_without_a_seed_random_games_differ(tmp_path: Path) -> None:
    games = [run(tmp_path, f"play line --p1 random --p2 random --save {name}.json").output[:-9] for name in "ab"]
    assert games[0] != games[1]


def test_no_record_tells_what_a_random_player_will_do(tmp_path: Path) -> None:
    run(tmp_path, "play clash --p2 random --seed 4711 --save game.json", "Ann\n4\n")
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    assert "4711" not in text
    assert json.loads(text)["moves"][0].startswith("4/")
    assert len(json.loads(text)["moves"]) == 1


@pytest.mark.parametrize(
    ("game_id", "typed"),
    [
        ("power-up", ["3", "2"]),
        ("power-match", ["7", "base", "9", "base"]),
        ("double-up", ["2", "3"]),
        ("power-line", ["1", "0", "2", "1", "5", "3"]),
        ("clash-of-powers", ["Ann", "Ben", "4", "8", "16", "1"]),
    ],
)
def test_when_the_input_ends_in_mid_game_it_is_saved_and_said(game_id: str, typed: list[str], tmp_path: Path) -> None:
    whole = run(tmp_path, f"play {game_id} --save whole.json", typed_lines(typed))
    assert (whole.status, whole.errors) == (1, "")
    assert whole.output.endswith(
        "\nThe input has ended before the game has.\nSaved: whole.json\nGo on with: powerduels resume whole.json\n"
    )
    record = json.loads((tmp_path / "whole.json").read_text(encoding="utf-8"))
    assert len(record["moves"]) == 2
    assert record["result"] is None
    # Without the last Enter the last answer counts as well; without the last answer it does not.
    for name, text, moves in (("no-enter", typed_lines(typed)[:-1], 2), ("no-answer", typed_lines(typed[:-1]), 1)):
        assert run(tmp_path, f"play {game_id} --save {name}.json", text).status == 1
        assert len(json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))["moves"]) == moves


def test_a_game_can_be_kept_in_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    played = run(tmp_path, "play power-up --save 'my games/up.json'", "3\n")
    assert played.output.endswith("\nSaved: my games/up.json\nGo on with: powerduels resume 'my games/up.json'\n")
    assert saved_records(tmp_path) == []
    assert json.loads((tmp_path / "my games" / "up.json").read_text())["moves"] == ["3"]
    assert run(tmp_path, "resume 'my games/up.json'", "2\n2\n").status == 0


@pytest.mark.parametrize("content", [json.dumps(UNFINISHED), "precious notes", ""])
def test_a_file_that_exists_is_not_played_over(content: str, tmp_path: Path) -> None:
    path = tmp_path / "game one.json"
    path.write_text(content)
    refused = run(tmp_path, "play power-up --save 'game one.json'", WIN_POWER_UP)
    assert_refused(refused, 1, "game one.json exists already. Go on with it: powerduels resume 'game one.json'\n")
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("place", "status", "told"),
    [
        ("''", 2, "--save: a file needs a name."),
        (".", 1, ". is a folder; a game is kept in a file."),
        ("no/where.json", 1, "There is no folder no."),
        ("notes/up.json", 1, "There is no folder notes."),
    ],
)
def test_a_place_where_no_game_can_be_kept_is_refused_before_the_game(
    place: str, status: int, told: str, tmp_path: Path
) -> None:
    (tmp_path / "notes").write_text("precious")
    assert_refused(run(tmp_path, f"play power-up --save {place}", WIN_POWER_UP), status, f"powerduels: {told}\n")
    assert os.listdir(tmp_path) == ["notes"]


def test_no_folder_is_made_for_a_copy(tmp_path: Path) -> None:
    played = run(tmp_path, "play power-up --save game.json", "save no/copy.json\nsave .\nquit\n")
    assert "could not be saved in no/copy.json: there is no folder " in played.output
    assert "could not be saved in .: Is a directory." in played.output
    assert os.listdir(tmp_path) == ["game.json"]


def test_a_program_that_is_not_on_the_path_is_named_as_it_was_started(tmp_path: Path) -> None:
    """As `make play` starts it; the hint works as it stands."""
    installed = Path(sys.executable).parent / "powerduels"
    variables = {"PATH": "/usr/bin:/bin"}
    left = shell(tmp_path, f"PATH=/usr/bin:/bin; echo 3 | {installed} play power-up")
    hint = left.output.splitlines()[-1].removeprefix("Go on with: ")
    assert hint == f"{installed} resume"
    assert "goes on after 1 move" in shell(tmp_path, f"PATH=/usr/bin:/bin; {hint} </dev/null").output
    by_module = piped(tmp_path, "play", "power-up", variables=variables).output.splitlines()[-1]
    assert by_module == f"Go on with: {sys.executable} -m powerduels resume"


def test_a_copy_is_saved_beside_the_game_but_over_nothing(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("precious")
    played = run(tmp_path, "play power-up --save game.json", "3\nsave copy.json\nsave notes\nsave\nsave a\0b\n2\n2\n")
    assert (played.status, played.errors) == (0, "")
    assert "A copy is in copy.json.\n" in played.output
    assert "\nnotes exists already.\n" in played.output
    assert "\nSaved: game.json\n" in played.output
    assert "no file can be called" in played.output
    assert (tmp_path / "notes").read_text() == "precious"
    assert json.loads((tmp_path / "copy.json").read_text())["moves"] == ["3"]
    assert json.loads((tmp_path / "game.json").read_text())["moves"] == ["3", "2", "2"]


# What is typed in a pipe


@pytest.mark.parametrize(
    "wrong",
    [
        b"\xff\xfe\n", b"3\xff\n", b"\0\n", b"3\0\n", b"\x1b[A3\n", b"9" * 100_000 + b"\n", b"x" * 1_000_000 + b"\n",
        b"\n", b" \t \n", b"-1\n", b"4\n", b"3.0\n", b"1e3\n", "٣\n".encode(), b"3 3\n", b"\xf0\x9f\x8e\xb2\n",
    ],
    ids=lambda wrong: repr(wrong[:12]),
)  # fmt: skip
def test_wrong_input_costs_nothing(wrong: bytes, tmp_path: Path) -> None:
    played = piped(tmp_path, "play", "power-up", typed=b"3\n" + wrong + b"2\n" + wrong + b"2\n")
    assert (played.status, played.errors) == (0, "")
    assert saved_record(tmp_path)["moves"] == ["3", "2", "2"]
    assert played.output.count("hoose 1, 2, or 3.") == 2
    assert all(sign.isprintable() or sign == "\n" for sign in played.output)


def test_blanks_around_an_answer_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    assert piped(tmp_path, "play", "power-up", typed=b"  3 \r\n2\t\r\n 2\r\n").status == 0
    assert saved_record(tmp_path)["moves"] == ["3", "2", "2"]


# resume


def test_without_an_unfinished_game_there_is_nothing_to_resume(tmp_path: Path) -> None:
    told = "powerduels: There is no unfinished game. Start one: powerduels play GAME.\n"
    assert_refused(run(tmp_path, "resume"), 1, told)
    run(tmp_path, "play power-up", WIN_POWER_UP)
    assert_refused(run(tmp_path, "resume"), 1, told)


def test_the_newest_unfinished_game_goes_on(tmp_path: Path) -> None:
    """Finished ones and those that cannot be read are passed over."""
    folder = games_folder(tmp_path)
    for age, (name, record) in enumerate(
        {"broken": {}, "finished": FINISHED, "newest": UNFINISHED, "older": UNFINISHED | {"moves": ["1"]}}.items()
    ):
        write(folder / f"{name}.json", record)
        os.utime(folder / f"{name}.json", (2000 - age, 2000 - age))
    done = run(tmp_path, "resume", "2\n")
    assert "Power Up goes on after 1 move." in done.output
    assert json.loads((folder / "newest.json").read_text())["moves"] == ["3", "2"]
    assert json.loads((folder / "older.json").read_text())["moves"] == ["1"]


def test_whatever_was_played_last_is_the_newest(tmp_path: Path) -> None:
    """Even if it was only looked at: leaving says that `resume` alone goes on with it, and so it does."""
    folder = games_folder(tmp_path)
    for age, name in enumerate(("new", "old")):
        write(folder / f"{name}.json", UNFINISHED | {"moves": ["1"] * (age + 1)})
        os.utime(folder / f"{name}.json", (2000 - age, 2000 - age))
    left = run(tmp_path, "resume old", "quit\n")
    assert left.status == 0
    assert left.output.endswith("\nGo on with: powerduels resume\n")
    assert "goes on after 2 moves" in run(tmp_path, "resume").output


def test_broken_games_are_mentioned_where_there_is_nothing_to_resume(tmp_path: Path) -> None:
    write(games_folder(tmp_path) / "broken.json", {})
    assert_refused(
        run(tmp_path, "resume"),
        1,
        "There is no unfinished game. Start one: powerduels play GAME. 1 cannot be read; see powerduels games.\n",
    )


@pytest.mark.parametrize("how", ["my-game", "my-game.json", "{path}"])
def test_a_game_is_resumed_by_its_name_or_its_path(how: str, tmp_path: Path) -> None:
    path = games_folder(tmp_path) / "my-game.json"
    write(path, UNFINISHED)
    done = run(tmp_path, f"resume {shlex.quote(how.format(path=path))}", "2\n2\n")
    assert (done.status, done.errors) == (0, "")
    assert json.loads(path.read_text()) == FINISHED


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(
    ("game", "answers"),
    [
        ("clash --set duels_to_win=5", ["1", "2", "4", "8", "16", "16"]),
        ("power-up --set target=10^100 --set stall_limit=none", ["1"] * 40),
    ],
)
def test_a_game_against_a_random_player_goes_on_as_it_would_have(
    game: str, answers: list[str], seat: int, tmp_path: Path
) -> None:
    """The same seed gives the same game, whether or not there are breaks in it."""
    line = f"play {game} --p{seat} random --p{3 - seat} human:Ann --seed 5 --save"
    assert run(tmp_path, f"{line} whole.json", typed_lines(answers)).status == 0
    whole = json.loads((tmp_path / "whole.json").read_text())
    assert len(whole["moves"]) > 3
    assert run(tmp_path, f"{line} parts.json", typed_lines(answers[:1])).status == 1
    assert run(tmp_path, "resume parts.json --seed 5", typed_lines(answers[1:2])).status == 1
    assert run(tmp_path, "resume parts.json --seed 5", typed_lines(answers[2:])).status == 0
    assert json.loads((tmp_path / "parts.json").read_text()) == whole


def test_a_finished_game_is_shown_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(FINISHED, indent=3))
    done = run(tmp_path, "resume game.json", "1\n")
    assert (done.status, done.errors) == (0, "")
    assert "\nAnn wins! Base number reached 4096 (target was 256).\n" in done.output
    assert "Go on with" not in done.output
    assert path.read_text() == json.dumps(FINISHED, indent=3)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "record: not a JSON object (line 1: Expecting value)."),
        (b"\xff", "not UTF-8 text."),
        (b"{}", "record: format is missing."),
        (json.dumps(UNFINISHED | {"moves": ["3", "9"]}).encode(), "move 2 '9': 9 is not one of the exponents; choose"),
        (json.dumps(UNFINISHED | {"format": "powerduels/9"}).encode(), "format: 'powerduels/9' is not 'powerduels/1'."),
        (json.dumps(UNFINISHED | {"game": "power-down"}).encode(), "game: 'power-down' is unknown. Did you mean"),
        (json.dumps({"id": 1, "pgn": "1. e4"}).encode(), "record: format is missing."),
        (b"[" * 100_000, "record: not a JSON object (nested too deeply)."),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_file_that_is_no_game_is_refused_and_left_alone(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert_refused(run(tmp_path, "resume game.json", WIN_POWER_UP), 1, f"game.json is not a game record: {told}")
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["game.json"]


@pytest.mark.parametrize("file", ["nothing", "none.json", "./none.json", "no/where.json", "''"])
def test_a_file_that_is_not_there_is_refused(file: str, tmp_path: Path) -> None:
    (name,) = shlex.split(file)
    told = f"powerduels: There is no saved game {name!r}; powerduels games lists them.\n"
    assert_refused(run(tmp_path, f"resume {file}"), 1, told)


def test_a_folder_is_no_file_to_resume(tmp_path: Path) -> None:
    assert_refused(run(tmp_path, "resume ."), 1, "powerduels: . cannot be read: Is a directory.\n")


@pytest.mark.parametrize("player", ["bot:./my bot", "llm:model@http://localhost:1/v1"])
def test_a_game_with_a_player_that_is_not_here_cannot_go_on(player: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write(path, UNFINISHED | {"players": ["Ann", player]})
    content = path.read_bytes()
    assert_refused(
        run(tmp_path, "resume game.json", "2\n"),
        1,
        f"powerduels: game.json cannot go on here. There is no player '{player}'. Players are human, human:NAME",
    )
    assert path.read_bytes() == content


# games


def test_without_saved_games_the_list_says_so(tmp_path: Path) -> None:
    told = run(tmp_path, "games")
    assert (told.status, told.errors) == (0, "")
    assert re.fullmatch(r"No game is saved\. Games are kept in /.*/powerduels/games\.\n", told.output)
    assert json.loads(run(tmp_path, "games --json").output) == {"games": []}


def test_saved_games_are_listed(tmp_path: Path) -> None:
    folder = games_folder(tmp_path)
    resigned = UNFINISHED | {"result": {"winner": 2, "by": "resigned", "reason": "Ann has resigned."}}
    drawn = UNFINISHED | {"result": {"winner": None, "by": "agreed", "reason": "They agreed."}}
    records = {"a": UNFINISHED, "b": FINISHED, "c": resigned, "d": drawn, "e": {}}
    for age, (name, record) in enumerate(records.items()):
        write(folder / f"{name}.json", record)
        os.utime(folder / f"{name}.json", (2000 - age, 2000 - age))
    told = run(tmp_path, "games")
    assert (told.status, told.errors) == (0, "")
    assert re.sub(" +", " ", told.output).splitlines() == [
        "a Ann - Ben, 1 move, unfinished",
        "b Ann - Ben, 3 moves, Ann won",
        "c Ann - Ben, 1 move, Ann resigned, Ben won",
        "d Ann - Ben, 1 move, draw",
        f"e {folder / 'e.json'} is not a game record: record: format is missing.",
        f"Games are kept in {folder}.",
    ]
    listed = json.loads(run(tmp_path, "games --json").output)["games"]
    assert [game["name"] for game in listed] == list("abcde")
    assert listed[1] == {
        "name": "b",
        "path": str(folder / "b.json"),
        "changed": 1999,
        "fault": None,
        "game": "power-up",
        "players": ["Ann", "Ben"],
        "moves": 3,
        "finished": True,
        "result": FINISHED["result"],
    }
    assert listed[0]["result"] is None
    assert listed[4] == {
        "name": "e",
        "path": str(folder / "e.json"),
        "changed": 1996,
        "fault": f"{folder / 'e.json'} is not a game record: record: format is missing.",
    }


def test_saved_games_are_deleted_by_name(tmp_path: Path) -> None:
    folder = games_folder(tmp_path)
    for name in ("a", "b", "broken", "d"):
        write(folder / f"{name}.json", {} if name == "broken" else UNFINISHED)
    assert run(tmp_path, "games --delete b broken b") == (0, "Deleted: b\nDeleted: broken\n", "")
    assert json.loads(run(tmp_path, "games --delete a --json").output) == {"deleted": ["a"]}
    assert [path.name for path in folder.iterdir()] == ["d.json"]


def test_equal_names_are_told_apart_in_the_list(tmp_path: Path) -> None:
    run(tmp_path, "play power-up --p1 random --p2 random --seed 2")
    ((winner, other),) = re.findall(r"random ([12]) - random ([12]), ", run(tmp_path, "games").output)
    assert (winner, other) == ("1", "2")
    assert re.search(r", random [12] won$", run(tmp_path, "games").output, re.MULTILINE)


@pytest.mark.parametrize("how", ["a", "a.json", "{folder}/a.json", "{folder}/../games/a.json"])
def test_a_saved_game_is_deleted_by_its_name_its_file_or_its_path(how: str, tmp_path: Path) -> None:
    folder = games_folder(tmp_path)
    write(folder / "a.json", UNFINISHED)
    write(folder / "b.json", UNFINISHED)
    done = run(tmp_path, f"games --delete {shlex.quote(how.format(folder=folder))} b")
    assert done == (0, "Deleted: a\nDeleted: b\n", "")
    assert list(folder.iterdir()) == []


def test_nothing_outside_the_games_folder_is_deleted(tmp_path: Path) -> None:
    write(games_folder(tmp_path) / "a.json", UNFINISHED)
    write(tmp_path / "mine.json", UNFINISHED)
    told = "powerduels: There is no saved game 'mine.json'; powerduels games lists them.\n"
    assert_refused(run(tmp_path, "games --delete mine.json"), 1, told)
    assert (tmp_path / "mine.json").exists()


@pytest.mark.parametrize("name", ["nothing", "../games/a", "./a", "*", "", ".a"])
def test_nothing_is_deleted_where_one_name_is_wrong(name: str, tmp_path: Path) -> None:
    folder = games_folder(tmp_path)
    write(folder / "a.json", UNFINISHED)
    assert_refused(
        piped(tmp_path, "games", "--delete", "a", name),
        1,
        f"powerduels: There is no saved game {name!r}; powerduels games lists them.\n",
    )
    assert (folder / "a.json").exists()


@pytest.mark.skipif(sys.platform == "darwin", reason="every file name is UTF-8 there")
def test_file_names_and_players_of_any_kind_are_listed(tmp_path: Path) -> None:
    folder = games_folder(tmp_path)
    write(folder / "Zoë.json", UNFINISHED | {"players": ["Zoë", "数"]})
    os.rename(folder / "Zoë.json", os.fsencode(folder) + b"/Zo\xff.json")
    told = run(tmp_path, "games")
    assert (told.status, told.errors) == (0, "")
    assert "Zo? " in told.output
    assert "Zoë - 数, 1 move" in told.output
    (listed,) = json.loads(run(tmp_path, "games --json").output)["games"]
    assert listed["name"] == "Zo\udcff"
    assert listed["players"] == ["Zoë", "数"]


# Streams that do not play along


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("command", ["games", "games --json", "resume Zoë.json", "resume none数.json"])
def test_what_the_output_cannot_show_does_no_harm(encoding: str, command: str, tmp_path: Path) -> None:
    write(games_folder(tmp_path) / "game.json", UNFINISHED | {"players": ["Zoë", "数"]})
    write(tmp_path / "Zoë.json", UNFINISHED | {"players": ["Zoë", "数"]})
    done = subprocess.run(
        [*PROGRAM, *shlex.split(command)],
        cwd=tmp_path,
        env=environment(tmp_path, {"PYTHONIOENCODING": encoding}),
        input=b"2\n2\n",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == (1 if "none" in command else 0)
    assert b"Traceback" not in done.stderr
    if command.endswith("--json"):
        assert json.loads(done.stdout)["games"][0]["players"] == ["Zoë", "数"]


@pytest.mark.parametrize("command", ["rules power-line", "list", "list --json", "games", "--help", "--version", ""])
def test_an_output_that_nobody_reads_ends_the_program_silently(command: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"{{ $POWERDUELS {command}; echo $? >status; }} | true")
    assert (done.output, done.errors) == ("", "")
    assert (tmp_path / "status").read_text() in ("0\n", "1\n")


def test_the_first_line_of_a_long_output_can_be_had(tmp_path: Path) -> None:
    assert shell(tmp_path, "$POWERDUELS rules power-line | head -n 1") == (0, "POWER LINE\n", "")


def test_a_game_whose_output_nobody_reads_is_saved(tmp_path: Path) -> None:
    script = "yes 1 | { $POWERDUELS play power-up --set stall_limit=none --save game.json; echo $? >status; } | true"
    assert shell(tmp_path, script) == (0, "", "")
    assert (tmp_path / "status").read_text() == "1\n"
    path = tmp_path / "game.json"
    assert not path.exists() or parse_record(path.read_text(), GAMES).result is None


def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    closed = shell(tmp_path, "$POWERDUELS play power-up --save a.json <&-")
    assert closed == shell(tmp_path, "rm a.json; $POWERDUELS play power-up --save a.json </dev/null")
    assert (closed.status, closed.errors) == (1, "")
    assert "The input has ended before the game has." in closed.output


@pytest.mark.parametrize("command", ["list", "--version", "--help", "play power-up --save game.json", "nonsense"])
def test_without_an_output_nothing_is_done(command: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"echo 3 | $POWERDUELS {command} >&-")
    assert done == (1, "", "powerduels: Standard output is closed.\n")
    assert not (tmp_path / "game.json").exists()


def test_a_closed_stream_for_errors_changes_nothing_else(tmp_path: Path) -> None:
    assert shell(tmp_path, "$POWERDUELS list 2>&-") == run(tmp_path, "list")
    assert shell(tmp_path, "$POWERDUELS nonsense 2>&-") == (2, "", "")
    assert shell(tmp_path, "$POWERDUELS rules nonsense 2>&-") == (2, "", "")
    assert shell(tmp_path, "$POWERDUELS list >&- 2>&-") == (1, "", "")


@ON_LINUX
@pytest.mark.parametrize("command", ["list", "list --json", "--version", "--help", "rules power-line", "games"])
def test_an_output_on_a_full_disk_is_told(command: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"$POWERDUELS {command} >/dev/full")
    assert done == (1, "", "powerduels: Reading or writing failed: No space left on device.\n")


@ON_LINUX
def test_a_game_whose_output_is_on_a_full_disk_loses_no_move(tmp_path: Path) -> None:
    done = shell(tmp_path, "$POWERDUELS play power-up --p1 random --p2 random --save game.json >/dev/full")
    assert done == (1, "", "powerduels: Reading or writing failed: No space left on device.\n")
    assert parse_record((tmp_path / "game.json").read_text(), GAMES).result is not None


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    done = shell(tmp_path, """$POWERDUELS play power-up --p1 "human:$(printf 'Zo\\377')" """)
    assert_refused(done, 2, "'human:Zo\\udcff': A name consists of printable characters")


def test_messages_hold_no_control_characters(tmp_path: Path) -> None:
    done = piped(tmp_path, "resume", "a\nb\x1b[2J")
    assert_refused(done, 1, r"powerduels: There is no saved game 'a\nb\x1b[2J'; powerduels games lists them.")
    (tmp_path / "a\nb\x1b[2J").mkdir()
    done = piped(tmp_path, "resume", "a\nb\x1b[2J")
    assert_refused(done, 1, "powerduels: a?b?[2J cannot be read: Is a directory.\n")


# Without colour


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}])
def test_in_a_pipe_there_is_no_colour(variables: dict[str, str | None], tmp_path: Path) -> None:
    for arguments in (["list"], ["rules", "power-line"], ["--help"], ["play", "power-line"]):
        done = piped(tmp_path, *arguments, variables=variables)
        assert "\x1b" not in done.output + done.errors
