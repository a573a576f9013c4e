"""Saved games: each a record in a file of its own, replaced whole with every move.

A file is written beside its place, flushed to the disk and renamed over the old one, so
that whoever reads it finds the game before a move or after it, never half of it.  Before
that the old content is compared with what this program last read or wrote: two programs
on one game cannot undo each other's moves; the second is told.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from powerduels.core import AnyGame, PowerduelsError
from powerduels.records import Record, RecordError, format_record, parse_record
from powerduels.text import option_texts, shown

SUFFIX = ".json"
LARGEST_FILE = 16 * 2**20


class StoreError(PowerduelsError):
    """A saved game could not be read or written; the message says which and why."""


class ChangedElsewhere(StoreError):
    """Another program has gone on with the game since this one last read or wrote it."""


def games_folder() -> str:
    """Where saved games are kept."""
    return os.path.join(_state_folder(), "games")


def with_tilde(path: str) -> str:
    """A path as people like to read it: `~` for their own folder, as long as shells take it for that."""
    home = os.path.expanduser("~").rstrip(os.sep)
    return f"~{path[len(home) :]}" if home and path.startswith(home + os.sep) else path


def answers_path(game: AnyGame) -> str:
    """The file for exact answers about this game, with these options, that took long to find."""
    from hashlib import sha256

    rules = ";".join(option_texts(game).values())
    return os.path.join(_state_folder(), "answers", f"{game.id}-{sha256(rules.encode()).hexdigest()[:16]}")


def _state_folder() -> str:
    """Where this program keeps what it must not lose, by the custom of the platform."""
    import sys

    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        state = os.path.join(home, "Library", "Application Support")
    else:
        state = os.environ.get("XDG_STATE_HOME", "")
        if not os.path.isabs(state):
            state = os.path.join(home, ".local", "state")
    return os.path.join(state, "powerduels")


class SavedGame:
    """One game's file, and what this program knows to stand in it."""

    def __init__(self, path: str, content: bytes | None = None, record: Record | None = None) -> None:
        self.path = path
        self._content = content
        """What this program last read or wrote; None where the file must not exist yet."""
        self._record = record
        self._attempted = content
        """What it tried to write last: where that was interrupted, either may stand there."""
        self._other_paths: Iterator[str] = iter(())
        """Where a new game goes instead if its place is taken."""

    @classmethod
    def new(cls, game: AnyGame) -> "SavedGame":
        """A place of its own in the games folder, taken when it is first saved."""
        import time

        stem = os.path.join(games_folder(), f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}")
        saved = cls(stem + SUFFIX)
        saved._other_paths = (f"{stem}-{number}{SUFFIX}" for number in count(2))
        return saved

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
            record = parse_record(content.decode(), games)
        except UnicodeDecodeError:
            raise RecordError(f"{path} is not a game record: not UTF-8 text.") from None
        except RecordError as error:
            raise RecordError(f"{path} is not a game record: {error}") from None
        return cls(path, content, record), record

    def save(self, record: Record) -> None:
        """Put the record on the disk in place of what was there; raises StoreError."""
        try:
            folder = os.path.dirname(os.path.realpath(self.path))
            if folder == os.path.realpath(games_folder()):
                os.makedirs(folder, mode=0o700, exist_ok=True)
            descriptor = os.open(folder, os.O_RDONLY)
            # As plain as this, for an interruption must not leave the folder locked, not even against the next save.
            try:
                _lock(descriptor)
                self._save_in_locked(descriptor, record)
            finally:
                os.close(descriptor)
        except FileNotFoundError:
            raise StoreError(f"The game could not be saved in {self.path}: there is no folder {folder}.") from None
        except OSError as error:
            raise StoreError(f"The game could not be saved in {self.path}: {error.strerror}.") from None
        except ValueError:
            raise StoreError(f"The game could not be saved: no file can be called {shown(self.path)}.") from None

    def _save_in_locked(self, folder: int, record: Record) -> None:
        found = self._find()
        if record == self._record and found == self._content:
            # Whoever sits down at a game makes it the newest, even without a move.
            with suppress(OSError):
                os.utime(self.path)
            return
        self._attempted = content = format_record(record).encode()
        _replace(self.path, content)
        os.fsync(folder)
        self._content, self._record = content, record

    def _find(self) -> bytes | None:
        """What stands in the file, or None without one; raises ChangedElsewhere if another program is to blame."""
        while (found := _read(self.path)) not in (self._content, self._attempted):
            other_path = next(self._other_paths, None) if self._content is None else None
            if other_path is None:
                happened = "exists already" if self._content is None else "has been changed by another program"
                raise ChangedElsewhere(f"{self.path} {'has been deleted' if found is None else happened}.")
            self.path = other_path
        return found


class Listed(NamedTuple):
    """A saved game as a list shows it: its name, when it was last played, and its record."""

    name: str
    path: str
    seconds: float
    record: Record | None
    fault: str | None
    """Why the file holds no record, where it does not."""


def saved_games(games: Mapping[str, type[AnyGame]]) -> Iterator[Listed]:
    """What lies in the games folder, the newest first, each read when its turn comes; raises StoreError."""
    folder = games_folder()
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(SUFFIX) and entry.name[0] != "."]
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror}.") from None
    newest_first = sorted(((_modified(entry), entry.name, entry.path) for entry in entries), reverse=True)
    for seconds, name, path in newest_first:
        record, fault = None, None
        try:
            record = SavedGame.open(path, games)[1]
        except PowerduelsError as error:
            fault = str(error)
        yield Listed(name.removesuffix(SUFFIX), path, seconds, record, fault)


def path_of(name_or_path: str) -> str:
    """The file that a saved game's name, with or without its ending, or a path stands for; raises StoreError."""
    candidates = [name_or_path]
    if name_or_path == os.path.basename(name_or_path):
        named = os.path.join(games_folder(), name_or_path)
        candidates = [named + SUFFIX, name_or_path, *([named] if named.endswith(SUFFIX) else [])]
    found = next(filter(os.path.lexists, candidates), None)
    if found is None:
        raise unknown_game(name_or_path)
    return found


def unknown_game(name: str) -> StoreError:
    """What to raise where a name or path stands for no saved game."""
    return StoreError(f"There is no saved game {shown(name)}; powerduels games lists them.")


def delete(path: str) -> None:
    """Remove a saved game; raises StoreError."""
    try:
        os.unlink(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be deleted: {error.strerror}.") from None


def check_new(path: str) -> None:
    """Raises StoreError where no file of that name can be written, or one is there, which is not overwritten."""
    if os.path.lexists(path):
        raise StoreError(f"{path} is there already and is not overwritten.")
    if not os.path.basename(path) or not os.access(os.path.dirname(path) or os.curdir, os.W_OK):
        raise StoreError(f"{shown(path)} is no name of a file that can be written.")


def write_new(path: str, text: str) -> None:
    """Write a file of a name that is still free, whole or not at all; raises StoreError."""
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.getpid()}.new")
    try:
        try:
            with open(draft, "x", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            # Unlike a renamed file, a link never replaces what came there in the meantime.
            os.link(draft, path)
        finally:
            with suppress(OSError):
                os.unlink(draft)
    except FileExistsError:
        check_new(path)
        raise
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None


def _modified(entry: "os.DirEntry[str]") -> float:
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0


def _lock(folder: int) -> None:
    """Hold the folder against other programs, until it is closed or the program has ended."""
    import fcntl

    # Some network file systems know no such lock; there, comparing the contents must do.
    with suppress(OSError):
        fcntl.flock(folder, fcntl.LOCK_EX)


def _read(path: str) -> bytes | None:
    try:
        with open(os.path.realpath(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _replace(path: str, content: bytes) -> None:
    # A link stays a link.  The name is fixed, so that what a killed program left behind is used again.
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.new")
    try:
        with open(draft, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
