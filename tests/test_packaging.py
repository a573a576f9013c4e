"""The wheel and the locks: everything is in the wheel, and it plays where nothing else is installed."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution
from pathlib import Path
from zipfile import Path as ZipPath
from zipfile import ZipFile

import pexpect
import pytest

import powerduels

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "powerduels"

THE_END = "Player 1 wins! Base number reached 4096 (target was 256)."

pytestmark = pytest.mark.xdist_group("packaging")


# What the project's own set-up and test run put into the environment must not help the installed program.
INHERITED = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}


def run(*command: object, folder: Path, typed: str = "", **environment: str) -> str:
    """What a command that must succeed prints, run in the folder."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=INHERITED | environment,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def home_in(folder: Path) -> dict[str, str]:
    """Variables that keep saved games inside the folder."""
    return {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed command in an environment of its own; pip finds the dependencies as it does for anybody."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "environment", folder=folder)
    binaries = folder / "environment" / "bin"
    run(binaries / "python", "-m", "pip", "--disable-pip-version-check", "install", wheel, folder=folder)
    return binaries / "powerduels"


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    files = {path.relative_to(SOURCES.parent).as_posix() for path in SOURCES.rglob("*") if path.is_file()}
    expected = {name for name in files if "__pycache__" not in name}
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("powerduels/")}
    assert "powerduels/py.typed" in expected
    assert packed == expected


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (folder,) = (path for path in ZipPath(archive).iterdir() if path.name.endswith(".dist-info"))
        metadata = PathDistribution(folder).metadata
    assert metadata["Name"] == "powerduels"
    assert metadata["Version"] == powerduels.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_installed_program_says_its_version(program: Path, tmp_path: Path) -> None:
    assert powerduels.__version__ in run(program, "--version", folder=tmp_path)


def test_the_installed_program_lists_the_games(program: Path, tmp_path: Path) -> None:
    lines = run(program, "list", folder=tmp_path).splitlines()
    assert len(lines) == len(powerduels.GAMES)
    for game_id, line in zip(powerduels.GAMES, lines, strict=True):
        assert game_id in line


def test_the_installed_program_plays_a_game(program: Path, tmp_path: Path) -> None:
    output = run(program, "play", "power-up", folder=tmp_path, typed="3\n2\n2\n", **home_in(tmp_path))
    assert THE_END in output.splitlines()


def test_the_installed_program_plays_on_a_terminal(program: Path, tmp_path: Path) -> None:
    """Only a terminal needs the libraries that pip has to bring along."""
    environment = INHERITED | home_in(tmp_path) | {"TERM": "xterm", "NO_COLOR": "1"}
    child = pexpect.spawn(
        str(program), ["play", "power-up"], cwd=str(tmp_path), env=environment, encoding="utf-8", timeout=60
    )
    with child:
        for exponent in ("3", "2", "2"):
            child.expect_exact("Choose an exponent")
            child.sendline(exponent)
        child.expect_exact(THE_END)
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0


def test_the_installed_program_tells_the_rules(program: Path, tmp_path: Path) -> None:
    """The guide to every game is read from files that the wheel must have brought along."""
    for game_id, game_class in powerduels.GAMES.items():
        assert game_class.title.upper() in run(program, "rules", game_id, folder=tmp_path).upper()


LOCKS = ("play", "dev", "lock")


def pins(lock: str) -> dict[str, str]:
    """The release of every package in a lock file; each must come with hashes."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    entries = text.replace("\\\n", "").splitlines()
    assert all("==" in entry and " --hash=sha256:" in entry for entry in entries)
    return {name: rest.split()[0] for name, _, rest in (entry.partition("==") for entry in entries)}


@pytest.mark.parametrize("lock", LOCKS)
def test_the_locks_tie_nobody_to_a_place_to_download_from(lock: str) -> None:
    for ending in ("in", "txt"):
        text = (ROOT / "requirements" / f"{lock}.{ending}").read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index" not in text
    assert pins(lock)


def test_playing_and_testing_use_the_same_releases() -> None:
    assert pins("play").items() <= pins("dev").items()


def test_playing_installs_what_the_package_depends_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split(r"[^\w-]", requirement)[0] for requirement in project["project"]["dependencies"]}
    assert needed
    assert needed <= set(pins("play"))
