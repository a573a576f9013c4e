"""Writes certificates: a proof of who wins a game, as a strategy that holds against every reply.

`verify.py` checks them by rules of its own; `docs/proofs.md` describes the file.  A strategy
is written while it is followed: positions wait by their rank, which no move makes fall, so
that each is met, written and forgotten once, however many there are.
"""

import gzip
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from io import BufferedWriter
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from powerduels.analyse import Choices, DuelExpert, expert
from powerduels.core import AnyGame
from powerduels.solve.worth import Oracle, OutOfReach, Report, gain, ignore
from powerduels.store import StoreError, check_new
from powerduels.text import format_position, option_texts

FORMAT = "powerduels-proof/1"
CLAIMS = {0: "first", 1: "second", None: "draw"}
COMPRESSED = ".gz"
MOST_POWERS = 7
"""With one more there are four times as many positions, and their fractions have several times as many digits."""
MOST_BITS = 150_000
"""About 45,000 digits; two mixes and a value of such numbers still make a line that is read."""
MOST_POSITIONS = 50_000_000
"""Positions that a strategy may lead to: in Power Line some 20 million lines, 80 MB compressed, and an hour or two."""
MOST_SEARCHED = 100_000_000
"""Where so many positions had to be searched, a strategy leads to more than can be written."""
REPORT_EVERY = 1 << 10


class Written(NamedTuple):
    """What has been written: so many lines and bytes."""

    lines: int
    size: int


class Shape(NamedTuple):
    """How positions of a game wait until they are written."""

    rank: Callable[[Any], int]
    """What no move makes fall: positions are written in its order."""
    pack: Callable[[Any], Any] = lambda position: position
    """A value that stands for a position, and for all that are written as one with it."""
    unpack: Callable[[AnyGame, Any], Any] = lambda game, packed: packed


def _pack_line(position: Any) -> bytes:
    """A byte for each number; of two mirror images, which are worth the same, the one that comes first."""
    line = bytes([10 + node for node in position.line])
    return min(line, line[::-1]) + bytes([*position.energy, 2 if position.turn is None else position.turn])


def _unpack_line(game: AnyGame, packed: bytes) -> Any:
    *codes, first, second, turn = packed
    return game.position_type(tuple(code - 10 for code in codes), (first, second), None if turn == 2 else turn)


SHAPES = {
    "power-match": Shape(lambda position: -len(position.pool)),
    # The base never falls; while it stands still, the turns are counted, of which there are at most 1000.
    "power-up": Shape(lambda position: 1024 * position.base + position.still),
    "power-line": Shape(lambda packed: -packed[-3] - packed[-2], _pack_line, _unpack_line),
}


def write_proof(game: AnyGame, path: str, report: Report = ignore) -> Written:
    """Put a certificate into a new file, all or nothing; compressed if it is called so.

    Raises StoreError, or OutOfReach where the certificate would be too large.
    """
    with _long_numbers(), _new_file(path) as file:
        written = 0
        for line in _lines(game, report):
            file.write(_as_json(line))
            written += 1
        file.write(_as_json({"lines": written}))
    return Written(written + 1, os.path.getsize(path))


def _as_json(line: Any) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


@contextmanager
def _long_numbers() -> Iterator[None]:
    """Python's own limit to the digits of a number is for what others send; these numbers are ours."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


@contextmanager
def _new_file(path: str) -> Iterator[BufferedWriter | gzip.GzipFile]:
    """A file that appears under its name when everything is in it, or not at all."""
    check_new(path)
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.getpid()}.new")
    try:
        with open(draft, "xb") as plain:
            if name.endswith(COMPRESSED):
                with gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as compressed:
                    yield compressed
            else:
                yield plain
            plain.flush()
            os.fsync(plain.fileno())
        # Other than a renaming, a link fails where something has come to be meanwhile.
        os.link(draft, path)
    except FileExistsError:
        check_new(path)
        raise
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            os.unlink(draft)


def _lines(game: AnyGame, report: Report) -> Iterator[Any]:
    """A certificate, line by line."""
    head = {"format": FORMAT, "game": game.id, "rules": option_texts(game)}
    if game.kind.simultaneous and len(game.rules.powers) > MOST_POWERS:
        raise OutOfReach(
            f"Proofs are written for up to {MOST_POWERS} powers; with one more it takes far more time and room."
        )
    knowing = expert(game, report)
    if isinstance(knowing, DuelExpert):
        yield head | {"claim": str(knowing.analyse(game.initial()).worth)}
        yield from _mixes(game, knowing, report)
        return
    winner = knowing.oracle.worth(game.initial()).winner
    if knowing.oracle.searches and knowing.oracle.settled > MOST_SEARCHED:
        raise OutOfReach(
            f"To settle this game {knowing.oracle.settled:,} positions were searched; its proof would be too large. "
            f"Up to {MOST_SEARCHED:,} it is written."
        )
    yield head | {"claim": CLAIMS[winner]}
    for side in (0, 1) if winner is None else (winner,):
        yield {"strategy": side + 1}
        if game.id == "double-up":
            yield _numbers_to_hand_over(game, knowing.oracle)
        else:
            yield from _strategy(game, knowing.oracle, side, report)


def _numbers_to_hand_over(game: AnyGame, oracle: Oracle) -> dict[str, Any]:
    """The strategy of who wins Double Up; without a limit, what anybody can always do."""
    if game.rules.limit is None:
        return {"add": 1}
    position = game.initial()
    chain = [position.last] if oracle.worth(position).winner == 1 else []
    while position.last < game.rules.limit:
        if chain:
            # Whatever the other replies, the next number is the same.
            position = game.apply(position, (position.last + 1,))
        position = game.apply(position, (oracle.good_move(position),))
        chain.append(position.last)
    return {"hand_over": chain}


def _strategy(game: AnyGame, oracle: Oracle, side: int, report: Report) -> Iterator[tuple[str, str]]:
    """For each position in which this player moves when it plays by the strategy: the move."""
    shape = SHAPES[game.id]
    waiting: dict[int, set[Any]] = {}
    met: set[Any] = set()
    rank: int | None = None
    settled = 0

    def arrive(position: Any) -> None:
        if game.actors(position):
            packed = shape.pack(position)
            its_rank = shape.rank(packed)
            if its_rank != rank or packed not in met:
                waiting.setdefault(its_rank, set()).add(packed)

    arrive(game.initial())
    while waiting:
        before, rank = rank, min(waiting)
        batch = waiting.pop(rank)
        met = met | batch if rank == before else batch
        found = settled + len(batch) + sum(map(len, waiting.values()))
        if found > MOST_POSITIONS:
            raise OutOfReach(f"The proof leads to more than {MOST_POSITIONS:,} positions; that is too large a file.")
        # Sorted, neighbours in the file are alike, which compresses well.
        for packed in sorted(batch, key=repr):
            position = shape.unpack(game, packed)
            (player,) = game.actors(position)
            if player == side:
                move, reached = _good_move(game, oracle, position, side)
                yield format_position(game, position), game.move_codec.format(move)
                arrive(reached)
            else:
                for move in game.legal(position, player):
                    arrive(game.apply(position, (move,)))
            settled += 1
            if settled % REPORT_EVERY == 0:
                report(found, settled)


def _good_move(game: AnyGame, oracle: Oracle, position: Any, side: int) -> tuple[Any, Any]:
    """A move that keeps the worth for this player, and where it leads: one that leaves little to write.

    That is one after which the game is over, or soon, or the other player has few replies.
    """
    shape = SHAPES[game.id]
    kept = gain(oracle.worth(position), side)
    candidates: list[tuple[int, int, int, int, Any, Any]] = []
    for move in game.legal(position, side):
        reached = game.apply(position, (move,))
        actors = game.actors(reached)
        replies = len(game.legal(reached, 1 - side)) if actors == (1 - side,) else 0
        candidates.append((len(actors), -shape.rank(shape.pack(reached)), replies, len(candidates), move, reached))
    candidates.sort(key=lambda candidate: candidate[:4])
    # A move that loses may take long to be found out, and another one be found good meanwhile.
    for ask in (oracle.quick_worth, oracle.worth):
        for *_, move, reached in candidates:
            worth = ask(reached)
            if worth is not None and gain(worth, side) >= kept:
                return move, reached
    raise AssertionError("no move keeps the worth of the position")


def _mixes(game: AnyGame, knowing: DuelExpert, report: Report) -> Iterator[tuple[Any, ...]]:
    """For each position that the optimal mixes lead to, of one player against any reply: its value and both mixes."""
    batch, found, settled = {game.initial()}, 1, 0
    while batch:
        reached: set[Any] = set()
        for position in sorted(batch):
            analysis = knowing.analyse(position)
            assert isinstance(analysis.worth, Fraction)
            _refuse_unreadable(analysis.worth.denominator)
            mixes = [_weights(game.legal(position, player), analysis.choices[player]) for player in (0, 1)]
            yield format_position(game, position), str(analysis.worth), *mixes
            for one, other in product(*mixes):
                following = game.apply(position, (int(one), int(other)))
                if (mixes[0][one] or mixes[1][other]) and game.actors(following):
                    reached.add(following)
            settled += 1
            report(found, settled)
        # A final duel that is repeated leads to itself.
        batch = reached - batch
        found += len(batch)


def _weights(hand: Sequence[int], choices: Choices) -> dict[str, int]:
    """A mix in whole numbers: out of so many duels as they add up to, how many each power is played in."""
    mix = {one.move: one.weight or Fraction() for one in choices.moves}
    common = lcm(*(mix[power].denominator for power in hand))
    _refuse_unreadable(common)
    return {str(power): int(mix[power] * common) for power in hand}


def _refuse_unreadable(number: int) -> None:
    if number.bit_length() > MOST_BITS:
        raise OutOfReach("The proof would hold numbers of more than 45,000 digits.")
