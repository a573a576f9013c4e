"""Saved games: each a record in a file of its own, replaced whole with every move.

A file is written beside its place, flushed to the disk and renamed over the old one, so
that whoever reads it finds the game before a move or after it, never half of it.  Before
that the old content is compared with what this program last read or wrote: two programs
on one game cannot undo each other's moves; the second is told.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from powerduels.core import AnyGame, PowerduelsError
from powerduels.records import Record, RecordError, format_record, parse_record

SUFFIX = ".json"
LARGEST_FILE = 16 * 2**20


class StoreError(PowerduelsError):
    """A saved game could not be read or written; the message says which and why."""


class ChangedElsewhere(StoreError):
    """Another program has gone on with the game since this one last read or wrote it."""


def games_folder() -> str:
    """Where saved games are kept, by the custom of the platform."""
    import sys

    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        state = os.path.join(home, "Library", "Application Support")
    else:
        state = os.environ.get("XDG_STATE_HOME", "")
        if not os.path.isabs(state):
            state = os.path.join(home, ".local", "state")
    return os.path.join(state, "powerduels", "games")


class SavedGame:
    """One game's file, and what this program knows to stand in it."""

    def __init__(self, path: str, content: bytes | None = None) -> None:
        self.path = path
        self._content = content
        """None where the file must not exist yet."""

    @classmethod
    def new(cls, game: AnyGame) -> "SavedGame":
        """A place in the games folder that no other game has."""
        import time

        stem = os.path.join(games_folder(), f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}")
        path, number = stem + SUFFIX, 1
        while os.path.exists(path):
            number += 1
            path = f"{stem}-{number}{SUFFIX}"
        return cls(path)

    @classmethod
    def open(cls, path: str, games: Mapping[str, type[AnyGame]]) -> tuple["SavedGame", Record]:
        """The game in this file; raises StoreError or RecordError."""
        try:
            with open(path, "rb") as file:
                content = file.read(LARGEST_FILE + 1)
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
        try:
            if len(content) > LARGEST_FILE:
                raise RecordError("record: far too long.")
            return cls(path, content), parse_record(content.decode(), games)
        except UnicodeDecodeError:
            raise RecordError(f"{path} is not a game record: not UTF-8 text.") from None
        except RecordError as error:
            raise RecordError(f"{path} is not a game record: {error}") from None

    def save(self, record: Record) -> None:
        """Put the record on the disk in place of what was there; raises StoreError."""
        content = format_record(record).encode()
        if content == self._content:
            return
        folder = os.path.dirname(os.path.abspath(self.path))
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            with _locked(folder) as descriptor:
                if _read(self.path) != self._content:
                    raise ChangedElsewhere(f"{self.path} has been changed by another program.")
                _replace(self.path, content)
                os.fsync(descriptor)
        except OSError as error:
            raise StoreError(f"The game could not be saved in {self.path}: {error.strerror}.") from None
        self._content = content


class Listed(NamedTuple):
    """A saved game as a list shows it: its name, when it was last played, and its record."""

    name: str
    path: str
    seconds: float
    record: Record | None
    fault: str | None
    """Why the file holds no record, where it does not."""


def saved_games(games: Mapping[str, type[AnyGame]]) -> list[Listed]:
    """What lies in the games folder, the newest first."""
    folder = games_folder()
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(SUFFIX) and entry.name[0] != "."]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror}.") from None
    found = []
    for entry in entries:
        record, fault = None, None
        try:
            record = SavedGame.open(entry.path, games)[1]
        except PowerduelsError as error:
            fault = str(error)
        found.append(Listed(entry.name.removesuffix(SUFFIX), entry.path, _modified(entry), record, fault))
    return sorted(found, key=lambda listed: (listed.seconds, listed.name), reverse=True)


def path_of(name_or_path: str) -> str:
    """The file that a saved game's name, or a path, stands for."""
    named = os.path.join(games_folder(), name_or_path + SUFFIX)
    return named if os.path.basename(name_or_path) == name_or_path and os.path.exists(named) else name_or_path


def delete(path: str) -> None:
    """Remove a saved game; raises StoreError."""
    try:
        os.unlink(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be deleted: {error.strerror}.") from None


def _modified(entry: "os.DirEntry[str]") -> float:
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0


@contextmanager
def _locked(folder: str) -> Iterator[int]:
    """Hold the folder against other programs; the lock ends with the process at the latest."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _replace(path: str, content: bytes) -> None:
    # The name is fixed, so that what a killed program left behind is used again.
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.new")
    try:
        with open(draft, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise
