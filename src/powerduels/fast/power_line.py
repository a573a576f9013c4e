"""Power Line searched by compiled code: who wins from a position, within seconds.

The search settles who wins, not in how many plies.  It runs in a thread of its own, so
that whoever waits can be told how far it is, and can stop it.
"""

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from math import comb
from pathlib import Path
from threading import Thread
from typing import Any

from powerduels.core import AnyGame
from powerduels.fast.book import Book, book_path, canonical, read_book
from powerduels.solve.retrograde import GeneralOracle
from powerduels.solve.worth import QUICK, Oracle, OutOfReach, Report, SearchingOracle, Worth, ignore

LIBRARY = os.path.join(os.path.dirname(__file__), "power_line_search.so")
TABLE_BYTES = 256 * 2**20
"""Memory for positions that may come up again; enough where answers take seconds."""

LINES_PER_BYTE = 8
LARGEST_TABLE_BYTES = 4 * 2**30
"""What proving a whole game may take: so much for its lines (see `lines_within_reach`), but no more than this, or
than half of the machine's memory."""
KEPT_FROM_SECONDS = 1.0
"""An answer that took longer is kept for the next time."""

LONGEST_LINE, MOST_CRITERIA = 21, 8
CAPTURES = ("mover", "mutual", "takeover")
CRITERIA = ("chain", "power", "energy", "nodes", "first", "second", "draw")
FINISHED = 0
NO_LIMIT = 0
FIRST_TRY = 64
"""Positions to look at first when one good move will do; then its square, and so on."""
POLL_SECONDS = 0.05
"""How often somebody who waits may interrupt."""

MOST_LINES = 2 * 10**11
"""By default 3 * 10^10 lines can come about, which are settled by searching 1.5 * 10^8 positions."""
LONGEST_SETTLED_IN_FULL = 6
"""Plies up to which the general solver takes seconds at most."""


class _Rules(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("length", "nodes", "energy", "head_start")),
        *((name, ctypes.c_int32) for name in ("place_max", "level_max", "chain", "capture", "criteria")),
        ("ending", ctypes.c_int32 * MOST_CRITERIA),
    )


class _Position(ctypes.Structure):
    _fields_ = (
        ("cell", ctypes.c_int8 * LONGEST_LINE),
        ("turn", ctypes.c_int8),
        ("energy", ctypes.c_int16 * 2),
    )


class _Counters(ctypes.Structure):
    _fields_ = (("positions", ctypes.c_uint64), ("stored", ctypes.c_uint64), ("table_bytes", ctypes.c_uint64))


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(LIBRARY)
    library.plsearch_new.restype = ctypes.c_void_p
    library.plsearch_new.argtypes = [ctypes.POINTER(_Rules), ctypes.c_size_t, ctypes.c_int]
    library.plsearch_free.argtypes = [ctypes.c_void_p]
    library.plsearch_free.restype = None
    library.plsearch_limit.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_double]
    library.plsearch_limit.restype = None
    library.plsearch_cancel.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.plsearch_cancel.restype = None
    library.plsearch_solve.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Position), ctypes.POINTER(ctypes.c_int)]
    library.plsearch_progress.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Counters)]
    library.plsearch_progress.restype = None
    return library


class Search:
    """One rule set and its table; answers one question at a time."""

    def __init__(self, game: AnyGame, table_bytes: int = TABLE_BYTES, threads: int | None = None) -> None:
        rules = game.rules
        criteria = [CRITERIA.index(name) for name in rules.ending]
        self._library = _load()
        self._handle = self._library.plsearch_new(
            _Rules(
                *rules[:7],
                CAPTURES.index(rules.capture),
                len(criteria),
                (ctypes.c_int32 * MOST_CRITERIA)(*criteria),
            ),
            table_bytes,
            threads or os.cpu_count() or 1,
        )
        if not self._handle:
            raise OutOfReach(f"The search needs {table_bytes >> 20} MiB of memory, which are not to be had.")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.plsearch_free(self._handle)

    @property
    def positions(self) -> int:
        """How many positions have been searched so far."""
        counters = _Counters()
        self._library.plsearch_progress(self._handle, counters)
        return int(counters.positions)

    def winner(
        self, position: Any, most_positions: int = NO_LIMIT, meanwhile: Callable[[], None] = lambda: None
    ) -> int | None:
        """The player who wins from here, None for a draw; calls `meanwhile` again and again until that is known.

        Raises OutOfReach where that takes more positions than this; 0 sets no limit.
        """
        line, energy, turn = position
        asked = _Position((ctypes.c_int8 * LONGEST_LINE)(*line), turn, (ctypes.c_int16 * 2)(*energy))
        value = ctypes.c_int()
        self._library.plsearch_limit(self._handle, most_positions, 0)
        done: list[int] = []

        def search() -> None:
            done.append(self._library.plsearch_solve(self._handle, asked, value))

        thread = Thread(target=search, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(POLL_SECONDS)
                meanwhile()
        except BaseException:
            # Whoever stops waiting stops the search; the table stays good for the next question.
            self._library.plsearch_cancel(self._handle, 1)
            thread.join()
            self._library.plsearch_cancel(self._handle, 0)
            raise
        if done != [FINISHED]:
            raise OutOfReach(f"The search was not finished after {most_positions:,} positions.")
        return {1: 0, -1: 1}.get(value.value)


class PowerLineOracle(SearchingOracle):
    """Who wins from a position: from what is known already, or by searching."""

    def __init__(self, game: AnyGame, report: Report = ignore, table_bytes: int = TABLE_BYTES) -> None:
        super().__init__(game, report)
        self._table_bytes = table_bytes
        self.known = read_book(game, book_path(game))
        self._kept = Book(game)
        self._kept_in: Path | None = None

    @cached_property
    def _search(self) -> Search:
        return Search(self.game, self._table_bytes)

    @property
    def settled(self) -> int:
        return self._search.positions + self._kept.positions

    def keep_in(self, path: str) -> None:
        self._kept_in = Path(path)
        self._kept = read_book(self.game, self._kept_in)
        self.known.add(self._kept)

    def prepared_move(self, position: Any) -> Any:
        return self.known.good_move(position)

    def settle(self, position: Any) -> None:
        """Prove who wins after each move, from nothing but what was proven and kept before."""
        children = {canonical(self.game.apply(position, (move,))) for move in self._legal(position)}
        unproven = [child for child in children if child.turn is not None and child not in self._kept]
        if not unproven:
            return
        self._refuse_beyond_reach(position)
        search = Search(self.game, self._bytes_to_prove(position))
        for done, child in enumerate(unproven):
            winner = search.winner(child, meanwhile=partial(self._tell, search, done, len(unproven)))
            self._kept.learn(child, winner)
            self.known.learn(child, winner)
        self._kept.positions += search.positions
        self._keep()

    def _bytes_to_prove(self, position: Any) -> int:
        wanted = lines_within_reach(self.game.rules, position.energy) // LINES_PER_BYTE
        return max(self._table_bytes, min(wanted, LARGEST_TABLE_BYTES, _memory() // 2))

    def _tell(self, search: Search, done: int, of: int) -> None:
        searched = search.positions
        self.report(searched * of // max(done, 1), searched if done else 0)

    def _keep(self) -> None:
        if self._kept_in is not None:
            # What cannot be kept is searched again the next time.
            with suppress(OSError):
                self._kept.write(self._kept_in)

    def _legal(self, position: Any) -> Sequence[Any]:
        actors = self.game.actors(position)
        return self.game.legal(position, actors[0]) if actors else ()

    def worth(self, position: Any) -> Worth:
        return self._worth(position, NO_LIMIT)

    def quick_worth(self, position: Any, most_positions: int = QUICK) -> Worth | None:
        with suppress(OutOfReach):
            return self._worth(position, most_positions)
        return None

    def good_move(self, position: Any) -> Any:
        """One move that keeps the worth, found sooner than all of them."""
        move = self.known.good_move(position)
        if move is None:
            move = self._find_good_move(position)
            self.known.learn_good_move(position, move)
        return move

    def _find_good_move(self, position: Any) -> Any:
        winner = self.worth(position).winner
        (player,) = self.game.actors(position)
        moves = self.game.legal(position, player)
        if winner not in (None, player):
            return moves[0]
        limit = FIRST_TRY
        while True:
            # What the search has just won with is in its table, and answers at the first try.
            for move in moves:
                with suppress(OutOfReach):
                    if self._worth(self.game.apply(position, (move,)), limit).winner == winner:
                        return move
            limit *= FIRST_TRY

    def _worth(self, position: Any, most_positions: int) -> Worth:
        outcome = self.game.outcome(position)
        if outcome is not None:
            return Worth(outcome.winner, 0)
        if position not in self.known:
            self._refuse_beyond_reach(position)
            start = time.monotonic()
            winner = self._search.winner(position, most_positions)
            self.known.learn(position, winner)
            if time.monotonic() - start > KEPT_FROM_SECONDS:
                self._kept.learn(position, winner)
                self._keep()
        return Worth(self.known.winner(position), None)

    def _refuse_beyond_reach(self, position: Any) -> None:
        lines = lines_within_reach(self.game.rules, position.energy)
        if lines > MOST_LINES:
            raise OutOfReach(
                f"From here {_rounded(lines)} lines of nodes can come about; "
                f"up to {_rounded(MOST_LINES)} can be searched, which takes about an hour and 4 GiB of memory."
            )


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def lines_within_reach(rules: Any, energy: tuple[int, int]) -> int:
    """How many lines could stand if nothing were captured, from an empty one with this energy: a measure of size."""
    places = min(rules.place_max, rules.level_max)
    cost = [0, *range(1, places + 1)]
    for level in range(places + 1, rules.level_max + 1):
        cost.append(cost[-1] + level)
    first, second = (_ways(cost[1:], own, min(rules.nodes, rules.length)) for own in energy)
    return sum(
        one * other * comb(rules.length, nodes) * comb(rules.length - nodes, others)
        for nodes, one in enumerate(first)
        for others, other in enumerate(second)
        if nodes + others <= rules.length
    )


def _ways(cost: Sequence[int], energy: int, most_nodes: int) -> list[int]:
    """For each number of nodes, in how many ways their levels can be paid for."""
    spent = {0: 1}
    ways = [1]
    for _ in range(most_nodes):
        more: dict[int, int] = {}
        for before, count in spent.items():
            for price in cost:
                if before + price <= energy:
                    more[before + price] = more.get(before + price, 0) + count
        spent = more
        ways.append(sum(spent.values()))
    return ways


def _rounded(number: int) -> str:
    digits = str(number)
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"


def open_oracle(game: AnyGame, report: Report = ignore) -> Oracle:
    """The search, or the general solver where games are so short that it can tell the plies as well."""
    if game.kind.longest is not None and game.kind.longest <= LONGEST_SETTLED_IN_FULL:
        return GeneralOracle(game, report)
    return PowerLineOracle(game, report)


ORACLE = open_oracle
