"""The wheel: everything is in it, and it plays in an environment that holds nothing else."""

import os
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path
from zipfile import Path as ZipPath
from zipfile import ZipFile

import pytest

import powerduels

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "powerduels"

pytestmark = pytest.mark.xdist_group("packaging")


def run(*command: object, folder: Path, typed: str = "", **environment: str) -> str:
    """What a command that must succeed prints, run in the folder without the project's own settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=inherited | environment,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
    home = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    output = run(program, "play", "power-up", folder=tmp_path, typed="3\n2\n2\n", **home)
    assert "Player 1 wins! Base number reached 4096 (target was 256)." in output


def test_the_installed_program_tells_the_rules(program: Path, tmp_path: Path) -> None:
    """The guide to every game is read from files that the wheel must have brought along."""
    for game_id, game_class in powerduels.GAMES.items():
        assert game_class.title.upper() in run(program, "rules", game_id, folder=tmp_path).upper()
