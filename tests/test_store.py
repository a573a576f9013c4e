"""Saved games: replaced whole, never taken from one another, and honest about a disk that does not play along."""

import errno
import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dialogue_by_pipe import Dialogue
from driver import NONE, PATIENCE, environment, piped
from powerduels.games import GAMES
from powerduels.records import Record, RecordError, format_record, parse_record
from powerduels.store import (
    LARGEST_FILE,
    ChangedElsewhere,
    SavedGame,
    StoreError,
    delete,
    games_folder,
    path_of,
    saved_games,
    with_tilde,
)
from test_match import interrupted_after, match_of

ON_LINUX = sys.platform == "linux"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, for this process as for the programs that a test starts."""
    for name, value in environment(tmp_path, NONE).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def counting(moves: int) -> Record:
    """A game of Double Up with so many moves, counting upwards."""
    match = match_of("double-up", " ".join(str(number) for number in range(2, moves + 2)), limit=str(10**18))
    return match.record()


def on_disk(path: Path | str) -> Record:
    return parse_record(Path(path).read_text(encoding="utf-8"), GAMES)


def moves_on_disk(path: Path | str) -> int:
    return len(on_disk(path).plies)


def opened(path: Path | str) -> SavedGame:
    return SavedGame.open(str(path), GAMES)[0]


# Where games are kept


@pytest.mark.parametrize(
    ("platform", "state", "folder"),
    [
        ("linux", None, ".local/state/powerduels/games"),
        ("linux", "", ".local/state/powerduels/games"),
        ("linux", "relative/state", ".local/state/powerduels/games"),
        ("linux", "./state", ".local/state/powerduels/games"),
        ("linux", "~/state", ".local/state/powerduels/games"),
        ("linux", "HOME/of/its own", "of/its own/powerduels/games"),
        ("darwin", None, "Library/Application Support/powerduels/games"),
        ("darwin", "HOME/state", "Library/Application Support/powerduels/games"),
    ],
)
def test_games_are_kept_where_the_platform_keeps_such_things(
    platform: str, state: str | None, folder: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path in XDG_STATE_HOME is ignored, as its specification says."""
    monkeypatch.setattr(sys, "platform", platform)
    if state is None:
        monkeypatch.delenv("XDG_STATE_HOME")
    else:
        monkeypatch.setenv("XDG_STATE_HOME", state.replace("HOME", str(home)))
    assert games_folder() == str(home / folder)


def test_a_new_game_goes_into_a_folder_that_only_its_owner_sees(home: Path) -> None:
    saved = SavedGame.new(counting(0).game)
    saved.save(counting(1))
    path = Path(saved.path)
    assert path.parent == Path(games_folder())
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.name.startswith("double-up-20")
    assert path.suffix == ".json"
    assert moves_on_disk(path) == 1


def test_games_that_begin_in_one_second_get_places_of_their_own(home: Path) -> None:
    """Whoever is saved second takes another place, even if both had found the first one free."""
    games = [SavedGame.new(counting(0).game) for _ in range(5)]
    for moves, saved in enumerate(games):
        saved.save(counting(moves))
    assert len({saved.path for saved in games}) == 5
    for moves, saved in enumerate(games):
        saved.save(counting(moves + 1))
        assert moves_on_disk(saved.path) == moves + 1


# Reading and writing


def test_a_saved_game_is_the_record_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(3))
    assert path.read_text(encoding="utf-8") == format_record(counting(3))
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]
    saved, record = SavedGame.open(str(path), GAMES)
    assert record == counting(3)
    assert saved.path == str(path)


def test_no_folder_is_made_but_the_one_of_saved_games(home: Path) -> None:
    with pytest.raises(StoreError, match=r"game\.json: there is no folder .*/some/where\.$"):
        SavedGame(str(home / "some" / "where" / "game.json")).save(counting(1))
    assert list(home.iterdir()) == []
    SavedGame(os.path.join(games_folder(), "game.json")).save(counting(1))
    assert moves_on_disk(Path(games_folder()) / "game.json") == 1


def test_a_game_can_be_saved_in_the_folder_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved = SavedGame("game.json")
    saved.save(counting(1))
    saved.save(counting(2))
    assert moves_on_disk(tmp_path / "game.json") == 2


def test_a_game_that_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    """Not even where its text was another one; but it becomes the newest, for somebody sat down at it."""
    path = tmp_path / "game.json"
    text = json.dumps(json.loads(format_record(counting(3))), indent=5)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1, 1))
    inode = path.stat().st_ino
    saved, record = SavedGame.open(str(path), GAMES)
    saved.save(record)
    assert path.read_text(encoding="utf-8") == text
    assert path.stat().st_ino == inode
    assert path.stat().st_mtime > 1
    saved.save(counting(4))
    assert path.read_text(encoding="utf-8") == format_record(counting(4))


def test_a_link_stays_a_link_to_the_game(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "game.json", tmp_path / "link.json"
    real.parent.mkdir()
    SavedGame(str(real)).save(counting(1))
    link.symlink_to(real)
    saved = opened(link)
    saved.save(counting(2))
    assert link.is_symlink()
    assert moves_on_disk(real) == 2
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["game.json", "link.json", "real"]
    opened(real).save(counting(3))
    with pytest.raises(ChangedElsewhere):
        saved.save(counting(4))


def test_a_link_to_nothing_yet_leads_to_the_new_game(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "elsewhere" / "game.json")
    (tmp_path / "elsewhere").mkdir()
    saved = SavedGame(str(tmp_path / "link.json"))
    saved.save(counting(1))
    saved.save(counting(2))
    assert (tmp_path / "link.json").is_symlink()
    assert moves_on_disk(tmp_path / "elsewhere" / "game.json") == 2


def test_a_link_to_itself_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    with pytest.raises(StoreError, match=r"^The game could not be saved in .*/loop\.json: Too many levels"):
        SavedGame(str(tmp_path / "loop.json")).save(counting(1))


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "game.json").mkdir()
    with pytest.raises(StoreError, match=r"/game\.json cannot be read: Is a directory\.$"):
        opened(tmp_path / "game.json")
    with pytest.raises(StoreError, match=r"^The game could not be saved in .*: Is a directory\.$"):
        SavedGame(str(tmp_path / "game.json")).save(counting(1))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a\0b", r"^The game could not be saved: no file can be called '.*a\\x00b'\.$"),
        ("x" * 300, r"^The game could not be saved in .*: File name too long\.$"),
        ("file/game.json", r"^The game could not be saved in .*: (Not a directory|File exists)\.$"),
    ],
)
def test_names_that_no_file_can_have_are_told(path: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=message):
        SavedGame(os.path.join(tmp_path, path) if "\0" not in path else path).save(counting(1))


def test_a_game_that_is_not_there_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"/none\.json cannot be read: No such file or directory\.$"):
        opened(tmp_path / "none.json")


BROKEN = {
    "empty": (b"", "record: not a JSON object (line 1: Expecting value)."),
    "not UTF-8": (b'{"format": "\xff"}', "not UTF-8 text."),
    "half": (format_record(counting(5)).encode()[:100], "record: not a JSON object (line 4: Unterminated string"),
    "another format": (b'{"format": "chess"}', "record: game is missing."),
    "too large": (b" " * (LARGEST_FILE + 1), "record: far too long."),
    "deep": (b"[" * 100_000, "record: not a JSON object (nested too deeply)."),
}


@pytest.mark.parametrize(("content", "fault"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_and_left_as_it_is(content: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RecordError) as refused:
        opened(path)
    assert str(refused.value).startswith(f"{path} is not a game record: {fault}")
    with pytest.raises(ChangedElsewhere, match=r"/game\.json exists already\.$"):
        SavedGame(str(path)).save(counting(1))
    assert path.read_bytes() == content


# Whole at every moment


def test_whoever_reads_while_games_are_saved_finds_a_whole_one(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    path = tmp_path / "game.json"
    records = [counting(moves) for moves in (0, 500)]
    saved = SavedGame(str(path))
    saved.save(records[0])
    whole = {format_record(record).encode() for record in records}
    found, done = set(), threading.Event()

    def read_on() -> None:
        while not done.is_set():
            found.add(path.read_bytes())

    readers = [threading.Thread(target=read_on) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for times in range(soak_or(200, 4000)):
            saved.save(records[times % 2 - 1])
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert found == whole


# A file that was opened in the very moment of an interruption is closed by nobody but Python.
FORGIVES_OPEN_FILES = pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning")


@FORGIVES_OPEN_FILES
@pytest.mark.parametrize("afterwards", [1, 3], ids=["taken back", "played on"])
@pytest.mark.parametrize("before", [None, 1], ids=["first save", "later save"])
def test_an_interrupted_save_is_made_up_for_by_the_next(
    before: int | None, afterwards: int, tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    """At whatever step Ctrl-C comes: the file is whole, the next save is no false alarm, no draft stays.

    A move that reached the disk without being acknowledged also makes way for the game without it.
    """
    records = [counting(moves) for moves in range(4)]
    met = set()
    for steps in range(0, 1000, soak_or(3, 1)):
        path = tmp_path / f"game-{steps}.json"
        saved = SavedGame(str(path))
        if before is not None:
            saved.save(records[before])
        was_interrupted = interrupted_after(steps, lambda: saved.save(records[2]))  # noqa: B023
        met.add(moves_on_disk(path) if path.exists() else None)
        saved.save(records[afterwards])
        assert on_disk(path) == records[afterwards]
        if not was_interrupted:
            break
    assert not was_interrupted
    assert met == {before, 2}
    assert not list(tmp_path.glob(".*"))


def test_what_a_killed_program_left_behind_is_harmless(home: Path) -> None:
    folder = Path(games_folder())
    path = folder / "double-up-20260102-120000.json"
    SavedGame(str(path)).save(counting(1))
    draft = folder / f".{path.name}.new"
    draft.write_bytes(format_record(counting(2)).encode()[:100])
    assert [listed.name for listed in saved_games(GAMES)] == ["double-up-20260102-120000"]
    saved, record = SavedGame.open(str(path), GAMES)
    assert record == counting(1)
    saved.save(counting(2))
    assert moves_on_disk(path) == 2
    assert not draft.exists()


# Two programs on one game


def test_the_second_of_two_is_told_and_loses_nothing_silently(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    one, other = opened(path), opened(path)
    one.save(counting(2))
    for _ in range(2):
        with pytest.raises(ChangedElsewhere, match=r"/game\.json has been changed by another program\.$"):
            other.save(counting(3))
        assert moves_on_disk(path) == 2
    with pytest.raises(ChangedElsewhere):
        other.save(counting(1))
    one.save(counting(3))
    assert moves_on_disk(path) == 3


def test_a_game_that_was_deleted_meanwhile_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    saved = SavedGame(str(path))
    saved.save(counting(1))
    delete(str(path))
    for moves in (1, 2):
        with pytest.raises(ChangedElsewhere, match=r"/game\.json has been deleted\.$"):
            saved.save(counting(moves))
    assert not path.exists()


def test_a_new_game_does_not_take_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    with pytest.raises(ChangedElsewhere, match=r"/game\.json exists already\.$"):
        SavedGame(str(path)).save(counting(2))
    assert moves_on_disk(path) == 1


MOVE_BY_MOVE = """
import sys
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.store import ChangedElsewhere, SavedGame

path, moves = sys.argv[1], int(sys.argv[2])
sys.stdin.readline()
while moves:
    saved, record = SavedGame.open(path, GAMES)
    match = Match.from_record(record)
    match.choose(match.actors[0], match.position.last + 1)
    try:
        saved.save(match.record())
    except ChangedElsewhere:
        continue
    moves -= 1
"""
"""A program that adds moves to a saved game, and tries again whenever another one was faster."""


def test_moves_that_many_programs_make_in_one_game_all_get_there(
    tmp_path: Path, soak_or: Callable[[int, int], int]
) -> None:
    path, moves = tmp_path / "game.json", soak_or(40, 400)
    SavedGame(str(path)).save(counting(0))
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", MOVE_BY_MOVE, str(path), str(moves)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path, NONE),
        )
        for _ in range(3)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(b"go\n")
        program.stdin.flush()
    for program in programs:
        _, errors = program.communicate(timeout=PATIENCE * 10)
        assert (program.returncode, errors.decode()) == (0, "")
    assert on_disk(path) == counting(3 * moves)
    assert os.listdir(tmp_path) == ["game.json"]


PROMPT = "Enter your selection:"
PEOPLE = ("--p1", "human:Ann", "--p2", "human:Ben")


def test_of_two_players_that_resume_one_game_the_second_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    with Dialogue(tmp_path, "resume", "game.json") as one, Dialogue(tmp_path, "resume", "game.json") as other:
        for dialogue in (one, other):
            dialogue.hear(PROMPT)
        one.answer("3")
        one.hear(PROMPT)
        other.answer("4")
        assert other.end() == 1
        assert other.said.endswith(
            "\ngame.json has been changed by another program. What was played here since is not saved.\n"
            "Go on with: powerduels resume game.json\n"
        )
        assert other.errors() == ""
        assert moves_on_disk(path) == 2
        one.answer("4")
        one.hear(PROMPT)
        assert one.end() == 1
    assert on_disk(path) == counting(3)


def test_two_players_at_once_make_one_game(tmp_path: Path, soak_or: Callable[[int, int], int]) -> None:
    """Both answer in the same moment, again and again; whoever was told begins anew where the other one is."""
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(0))
    for _ in range(soak_or(5, 100)):
        before = moves_on_disk(path)
        with Dialogue(tmp_path, "resume", "game.json") as one, Dialogue(tmp_path, "resume", "game.json") as other:
            for dialogue in (one, other):
                dialogue.hear(PROMPT)
            for dialogue in (one, other):
                dialogue.answer(str(before + 2))
            statuses = [dialogue.end() for dialogue in (one, other)]
            said = [dialogue.said for dialogue in (one, other)]
        assert statuses == [1, 1]
        told = ["has been changed by another program" in text for text in said]
        kept = ["The input has ended before the game has.\nSaved: game.json" in text for text in said]
        assert sorted(told) == [False, True]
        assert kept == told[::-1]
        assert on_disk(path) == counting(before + 1)


def test_whoever_leaves_a_game_that_went_on_elsewhere_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    with Dialogue(tmp_path, "resume", "game.json") as dialogue:
        dialogue.hear(PROMPT)
        opened(path).save(counting(2))
        dialogue.answer("save")
        dialogue.hear(PROMPT)
        assert "game.json has been changed by another program." in dialogue.said
        dialogue.answer("quit")
        assert dialogue.end() == 1
        assert dialogue.said.endswith(
            "\ngame.json has been changed by another program.\nGo on with: powerduels resume game.json\n"
        )
    assert moves_on_disk(path) == 2


def test_nobody_is_sent_back_to_a_game_that_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    with Dialogue(tmp_path, "resume", "game.json") as dialogue:
        dialogue.hear(PROMPT)
        path.unlink()
        dialogue.answer("quit")
        assert dialogue.end() == 1
        assert dialogue.said.endswith("\ngame.json has been deleted.\n")


# A disk that does not play along


def bound_by_permissions() -> list[str]:
    """A command that starts programs as users to whom permissions apply, also where the tests run as root."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("permissions do not apply to root, and there is no setpriv")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def with_limited_files(size: int) -> list[str]:
    """A command that starts programs which can write no file beyond this size, as if the disk were full."""
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY))"
    launcher = f"import os, resource, sys; {limit}; os.execvp(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-c", launcher]


CANNOT = "The game could not be saved in {}: {}. You can play on; every move tries again."


@pytest.mark.parametrize("size", [0, 260], ids=["from the first save on", "after some"])
def test_where_no_more_can_be_written_the_game_goes_on_and_is_saved_once_it_can(size: int, tmp_path: Path) -> None:
    path, told = tmp_path / "game.json", CANNOT.format("game.json", "File too large")
    command = ("play", "double-up", "--set", "limit=10^18", *PEOPLE, "--save", "game.json")
    with Dialogue(tmp_path, *command, through=with_limited_files(size)) as dialogue:
        dialogue.hear(PROMPT)
        moves = 0
        while told not in dialogue.said:
            moves += 1
            dialogue.answer(str(moves + 1))
            dialogue.hear(PROMPT)
        assert path.exists() == bool(size)
        assert not size or on_disk(path) == counting(moves - 1)
        assert not list(tmp_path.glob(".*"))
        # It is not told again with every move, but in the end.
        dialogue.answer(str(moves + 2))
        assert told not in dialogue.hear(PROMPT)
        if ON_LINUX:
            resource.prlimit(dialogue.process_id, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            dialogue.answer(str(moves + 3))
            dialogue.hear(PROMPT)
            assert on_disk(path) == counting(moves + 2)
        assert dialogue.end() == 1
        assert dialogue.said.count(told) == (1 if ON_LINUX else 2)
        assert ("\nSaved: game.json\n" in dialogue.said) == ON_LINUX
        assert dialogue.errors() == ""


def on_a_disk_of_its_own(folder: Path, size: str) -> list[str]:
    """A command that starts programs which see a tiny disk in this folder; nobody else does, and it ends with them."""
    script = f'mount -t tmpfs -o size={size},mode=700 tmpfs "$0" && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, str(folder)]
    probe = [*command, "true"]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    return command


def test_on_a_full_disk_the_game_goes_on_and_is_saved_once_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    path, told = disk / "game.json", CANNOT.format(disk / "game.json", "No space left on device")
    command = ("play", "double-up", "--set", "limit=10^18", *PEOPLE, "--save", str(path))
    with Dialogue(tmp_path, *command, through=on_a_disk_of_its_own(disk, "16k")) as dialogue:
        dialogue.hear(PROMPT)
        seen = Path(f"/proc/{dialogue.process_id}/root{disk}")
        dialogue.answer("2")
        dialogue.hear(PROMPT)
        assert on_disk(seen / "game.json") == counting(1)
        with (seen / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while filler.write(bytes(1024)):
                pass
        for move in ("3", "4"):
            dialogue.answer(move)
            dialogue.hear(PROMPT)
            assert on_disk(seen / "game.json") == counting(1)
        assert dialogue.said.count(told) == 1
        (seen / "filler").unlink()
        dialogue.answer("5")
        dialogue.hear(PROMPT)
        assert on_disk(seen / "game.json") == counting(4)
        assert sorted(os.listdir(seen)) == ["game.json"]
        assert dialogue.end() == 1
        assert f"\nSaved: {path}\n" in dialogue.said


@pytest.fixture
def saved_path(home: Path) -> Iterator[Path]:
    """A saved game in a games folder that a test may lock up."""
    path = Path(games_folder()) / "double-up-20260102-120000.json"
    SavedGame(str(path)).save(counting(1))
    yield path
    path.parent.chmod(0o700)


def test_in_a_folder_that_is_read_only_the_game_goes_on_unsaved(home: Path, saved_path: Path) -> None:
    saved_path.parent.chmod(0o500)
    told = CANNOT.format(saved_path, "Permission denied")
    with Dialogue(home, "resume", through=bound_by_permissions()) as dialogue:
        for move in ("3", "4"):
            dialogue.hear(PROMPT)
            dialogue.answer(move)
        dialogue.hear(PROMPT)
        assert dialogue.said.count(told) == 1
        dialogue.answer("quit")
        assert dialogue.end() == 1
        # At every move there is the same to be told, so it is told once, and once more when nobody can play on.
        assert dialogue.said.endswith(f"\n{told.partition(' You can')[0]}\n")
        assert dialogue.said.count("could not be saved") == 2
        assert "Saved:" not in dialogue.said
        assert dialogue.errors() == ""
    assert on_disk(saved_path) == counting(1)


def test_a_game_in_a_folder_that_is_read_only_can_be_looked_at(home: Path, saved_path: Path) -> None:
    """As long as nothing is played nothing has to be saved, and nothing is wrong."""
    saved_path.parent.chmod(0o500)
    with Dialogue(home, "resume", through=bound_by_permissions()) as dialogue:
        dialogue.hear(PROMPT)
        dialogue.answer("quit")
        assert dialogue.end() == 0
        assert "could not be saved" not in dialogue.said


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["resume"], ["games", "--delete", "a"]])
def test_a_folder_that_cannot_be_read_is_told(arguments: list[str], home: Path, saved_path: Path) -> None:
    saved_path.parent.chmod(0)
    with Dialogue(home, *arguments, through=bound_by_permissions()) as dialogue:
        assert dialogue.end() == 1
        assert dialogue.said == ""
        assert dialogue.errors() == f"powerduels: {saved_path.parent} cannot be read: Permission denied.\n"


def test_a_new_game_is_played_where_no_folder_can_be_made(home: Path) -> None:
    (home / "state").write_text("a file where a folder should be")
    (home / "Library").write_text("likewise")
    played = piped(home, "play", "power-up", typed="3\n2\n2\n")
    assert "Player 1 wins! Base number reached 4096 (target was 256)." in played.output
    assert "could not be saved in" in played.output
    assert ": Not a directory." in played.output
    # Told once after the first move, and once after the last, when nobody can play on.
    assert played.output.count("could not be saved in") == 2
    assert played.output.count("You can play on") == 1
    assert (played.status, played.errors) == (1, "")


def test_a_game_that_cannot_be_read_is_told(home: Path, saved_path: Path) -> None:
    saved_path.chmod(0)
    with Dialogue(home, "resume", saved_path.stem, through=bound_by_permissions()) as dialogue:
        assert dialogue.end() == 1
        assert dialogue.errors() == f"powerduels: {saved_path} cannot be read: Permission denied.\n"


def test_a_file_system_without_locks_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "game.json"
    SavedGame(str(path)).save(counting(1))
    one, other = opened(path), opened(path)
    one.save(counting(2))
    with pytest.raises(ChangedElsewhere):
        other.save(counting(3))
    assert on_disk(path) == counting(2)


# Lists of saved games


def test_saved_games_are_listed_with_the_newest_first(home: Path) -> None:
    folder = Path(games_folder())
    for age, name in enumerate(["c", "a", "b"]):
        SavedGame(str(folder / f"{name}.json")).save(counting(age))
        os.utime(folder / f"{name}.json", (1000 - age, 1000 - age))
    for name in ("notes.txt", ".d.json", ".a.json.new", "e.json.new"):
        (folder / name).write_text("no game")
    found = list(saved_games(GAMES))
    assert [(listed.name, listed.seconds) for listed in found] == [("c", 1000), ("a", 999), ("b", 998)]
    assert [listed.record for listed in found] == [counting(0), counting(1), counting(2)]
    assert [listed.path for listed in found] == [str(folder / f"{name}.json") for name in "cab"]
    assert [listed.fault for listed in found] == [None] * 3


def test_without_a_games_folder_there_are_no_games(home: Path) -> None:
    assert list(saved_games(GAMES)) == []


def test_broken_files_are_listed_with_their_fault(home: Path) -> None:
    folder = Path(games_folder())
    folder.mkdir(parents=True)
    for name, (content, _) in BROKEN.items():
        (folder / f"{name}.json").write_bytes(content)
    (folder / "folder.json").mkdir()
    (folder / "dangling.json").symlink_to(folder / "nothing")
    found = {listed.name: listed for listed in saved_games(GAMES)}
    assert set(found) == {*BROKEN, "folder", "dangling"}
    for name, (content, fault) in BROKEN.items():
        assert found[name].record is None
        assert str(found[name].fault).startswith(f"{folder / name}.json is not a game record: {fault}")
        assert (folder / f"{name}.json").read_bytes() == content
    assert found["folder"].fault == f"{folder / 'folder.json'} cannot be read: Is a directory."
    assert found["dangling"].fault == f"{folder / 'dangling.json'} cannot be read: No such file or directory."
    assert found["dangling"].seconds == 0


def test_a_saved_game_can_be_called_by_its_name(saved_path: Path) -> None:
    assert path_of(saved_path.stem) == str(saved_path)
    assert path_of(saved_path.name) == str(saved_path)
    assert path_of(str(saved_path)) == str(saved_path)
    for unknown in ("nothing", f"./{saved_path.stem}", "", ".json", "a\0b"):
        with pytest.raises(StoreError, match=r"^There is no saved game .*; powerduels games lists them\.$"):
            path_of(unknown)


def test_a_file_at_hand_comes_before_one_in_the_games_folder(
    saved_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(saved_path.name).touch()
    assert path_of(saved_path.name) == saved_path.name


def test_the_home_folder_is_written_as_a_tilde(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_tilde(f"{home}/games/a.json") == "~/games/a.json"
    for elsewhere in (f"{home}.old/a.json", "a.json", "/etc/a.json"):
        assert with_tilde(elsewhere) == elsewhere
    monkeypatch.setenv("HOME", "/")
    assert with_tilde("/etc/a.json") == "/etc/a.json"


def test_deleting_removes_the_file_and_of_a_link_the_link(home: Path, saved_path: Path) -> None:
    link = saved_path.parent / "link.json"
    link.symlink_to(saved_path)
    delete(str(link))
    assert [listed.name for listed in saved_games(GAMES)] == [saved_path.stem]
    delete(str(saved_path))
    assert list(saved_games(GAMES)) == []
    with pytest.raises(StoreError, match=r"\.json cannot be deleted: No such file or directory\.$"):
        delete(str(saved_path))
