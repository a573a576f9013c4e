"""Writes the opening books of Power Line anew: `python tools/make_book.py [default] [takeover]`.

A book knows who wins after the first ply and the second, and a good move wherever the player
to move wins within the first four plies, as long as that player has followed the book.  A
start that is lost is followed, too: the book has a first move for it, whose answers it knows
before those of other first moves.  From then on the search answers in time by itself.

Making a book takes hours and 3 GiB; an interrupted run goes on where it was, for what is
known is never searched again.
"""

import sys
import time
from collections.abc import Iterator
from typing import Any

from powerduels.fast.book import book_path, canonical
from powerduels.fast.power_line import PowerLineOracle
from powerduels.games.power_line import Move, PowerLine
from powerduels.text import make_game

TABLE_BYTES = 3 * 2**30
BOOKS: dict[str, str | None] = {"default": None, "takeover": "takeover"}
SAVE_SECONDS = 20.0


class Maker:
    """One book on its way, saved again and again."""

    def __init__(self, name: str) -> None:
        self.game = make_game(PowerLine, {}, BOOKS[name])
        self.path = book_path(self.game)
        self.oracle = PowerLineOracle(self.game, table_bytes=TABLE_BYTES)
        self._saved = time.monotonic()

    def make(self) -> None:
        start = self.game.initial()
        self.know(start)
        first = sorted(set(map(canonical, self.after(start))), key=str)
        for position in first:
            self.know(position)
        answered = [self.after_good_move(position) for position in first if self.won_by_mover(position)]
        self.know_all("third ply", {canonical(reached) for position in answered for reached in self.after(position)})
        for position in sorted(first, key=lambda position: position != self.answer_to_start()):
            self.know_all("second ply", {canonical(reached) for reached in self.after(position)})
        self.save()

    def answer_to_start(self) -> Any:
        """Where the player who starts goes: a good move, or where there is none one to prepare for."""
        start = self.game.initial()
        if not self.won_by_mover(start):
            self.oracle.known.learn_good_move(start, Move(self.game.rules.length // 2, 1))
        return self.after_good_move(start)

    def know_all(self, told: str, positions: set[Any]) -> None:
        for number, position in enumerate(sorted(positions, key=str)):
            self.tell(f"{told}: {number} of {len(positions)}")
            self.know(position)

    def know(self, position: Any) -> None:
        """Put into the book who wins from here, and a good move if it is who is to move."""
        if self.won_by_mover(position):
            self.oracle.good_move(position)

    def won_by_mover(self, position: Any) -> bool:
        winner: int | None = self.oracle.worth(position).winner
        to_move: int | None = position.turn
        return winner == to_move

    def after(self, position: Any) -> Iterator[Any]:
        if position.turn is not None:
            for move in self.game.legal(position, position.turn):
                yield self.game.apply(position, (move,))

    def after_good_move(self, position: Any) -> Any:
        return canonical(self.game.apply(position, (self.oracle.good_move(position),)))

    def tell(self, told: str) -> None:
        if time.monotonic() - self._saved > SAVE_SECONDS:
            print(f"{time.strftime('%H:%M:%S')} {self.path.name}: {told}", flush=True)
            self.save()

    def save(self) -> None:
        self.oracle.known.write(self.path)
        self._saved = time.monotonic()


if __name__ == "__main__":
    for name in sys.argv[1:] or BOOKS:
        Maker(name).make()
