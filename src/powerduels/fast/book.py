"""What is known of positions of Power Line: books that ship with the package, and answers that were kept.

Every entry stands for a position and its mirror image, which are worth the same.  Entries
stay text until they are asked for, so that a large book costs little to open.
"""

import gzip
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from powerduels.core import AnyGame
from powerduels.text import format_position, option_texts

FOLDER = os.path.join(os.path.dirname(__file__), "book")
NONE = "-"


def canonical(position: Any) -> Any:
    """A position or its mirror image: always the same one of the two."""
    mirrored = position.line[::-1]
    return position if position.line <= mirrored else position._replace(line=mirrored)


class Book:
    """Who wins from some positions of a rule set, and for some of them a move that wins."""

    def __init__(self, game: AnyGame, entries: dict[str, tuple[str, str]] | None = None, positions: int = 0) -> None:
        self._game = game
        self._entries = entries or {}
        """For the text of a position, the winning player and a move, as text."""
        self.positions = positions
        """How many were searched to prove the whole game, if it was."""

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, position: Any) -> bool:
        return self._text(position) in self._entries

    def __iter__(self) -> Any:
        """The texts of the positions."""
        return iter(self._entries)

    def winner(self, position: Any) -> int | None:
        """Who wins from a position of the book, None for a draw."""
        winner, _ = self._entries[self._text(position)]
        return None if winner == NONE else int(winner)

    def learn(self, position: Any, winner: int | None) -> None:
        text = self._text(position)
        _, move = self._entries.get(text, (NONE, NONE))
        self._entries[text] = (NONE if winner is None else str(winner), move)

    def good_move(self, position: Any) -> Any:
        """The move known to win for who is to move in a position; None without one."""
        _, move = self._entries.get(self._text(position), (NONE, NONE))
        return None if move == NONE else self._turned(position, self._game.move_codec.parse(move))

    def learn_good_move(self, position: Any, move: Any) -> None:
        text = self._text(position)
        winner, _ = self._entries[text]
        self._entries[text] = (winner, self._game.move_codec.format(self._turned(position, move)))

    def add(self, other: "Book") -> None:
        self._entries.update(other._entries)

    def write(self, path: Path) -> None:
        """Put the book into a file, in place of what was there."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lines = sorted(f"{text}\t{winner}\t{move}\n" for text, (winner, move) in self._entries.items())
        draft = path.with_suffix(f".{os.getpid()}")
        with open(draft, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
            packed.write("".join([f"{self.positions}\n", *lines]).encode("ascii"))
        draft.replace(path)

    def _text(self, position: Any) -> str:
        return format_position(self._game, canonical(position))

    @staticmethod
    def _turned(position: Any, move: Any) -> Any:
        """A move in a position as one in its canonical image, and the other way round."""
        if canonical(position) == position:
            return move
        return move._replace(at=len(position.line) - 1 - move.at)


def read_book(game: AnyGame, path: Path) -> Book:
    """The book in this file; an empty one where there is none, or none that can be read."""
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            count, *lines = file.read().splitlines()
        entries = {}
        for line in lines:
            text, winner, move = line.split("\t")
            entries[text] = (winner, move)
        return Book(game, entries, int(count))
    except (OSError, EOFError, ValueError):
        return Book(game)


def book_path(game: AnyGame) -> Path:
    """Where the book of a rule set is, if the package has one."""
    rules = ";".join(option_texts(game).values())
    return Path(FOLDER) / f"{sha256(rules.encode()).hexdigest()[:16]}.book"
