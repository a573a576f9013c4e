"""What strikes the eye in each game: which moves people think of first, and how a position looks to them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from powerduels.core import AnyGame, move_count

if TYPE_CHECKING:
    from powerduels.games.double_up import DoubleUp
    from powerduels.games.double_up import Position as Sequel
    from powerduels.games.power_line import Position as Wire
    from powerduels.games.power_line import PowerLine

SEEN_AT_ONCE = 48
"""Of longer lists of moves, people see the beginning, the end and some in between."""

CRITERIA = ("chain", "power", "energy")
"""What a position of Power Line is judged by, the plainest first."""


class Sight(NamedTuple):
    """How a game is looked at; the looks of a position are a tuple, greater for who likes it."""

    order: Callable[[Any, Any], Sequence[Any]]
    """The moves that are thought of, the most striking first."""
    judge: Callable[[Any, Any, int], tuple[int, ...]]
    pictures_all: bool = False
    """Whether the order takes a look at the position after every move."""


def sight_of(game: AnyGame) -> Sight:
    return SIGHTS.get(game.id, PLAIN)


def seen(moves: Sequence[Any]) -> list[Any]:
    """The moves that are seen at all."""
    count = move_count(moves)
    if count <= SEEN_AT_ONCE:
        return list(moves)
    third = SEEN_AT_ONCE // 3
    between = [moves[count * step // (third + 1)] for step in range(1, third + 1)]
    return list(dict.fromkeys([*moves[:third], *between, *moves[count - third :]]))


def _as_listed(game: AnyGame, position: Any) -> Sequence[Any]:
    (player,) = game.actors(position)
    return seen(game.legal(position, player))


def _high_numbers_first(game: AnyGame, position: Any) -> Sequence[Any]:
    return _as_listed(game, position)[::-1]


def _limit_and_halves_first(game: "DoubleUp", position: "Sequel") -> Sequence[int]:
    """The limit, the greatest number below its half, the greatest below half of that, then high numbers first."""
    limit, legal = game.rules.limit, game.legal(position, position.turn)
    half = ((limit or 0) - 1) // 2
    striking = [number for number in (limit, half, (half - 1) // 2) if number in legal]
    return list(dict.fromkeys([*striking, *_high_numbers_first(game, position)]))


def _good_looks_first(game: "PowerLine", position: "Wire") -> Sequence[Any]:
    player = position.turn
    assert player is not None
    legal = game.legal(position, player)
    return sorted(legal, key=lambda move: _standing(game, game.apply(position, (move,)), player), reverse=True)


def _standing(game: "PowerLine", position: "Wire", player: int) -> tuple[int, ...]:
    standings = [game.standing(position, criterion) for criterion in CRITERIA]
    return tuple(standing[player] - standing[1 - player] for standing in standings)


def _without_looks(game: AnyGame, position: Any, player: int) -> tuple[int, ...]:
    return ()


PLAIN = Sight(_as_listed, _without_looks)
SIGHTS = {
    "power-match": Sight(_high_numbers_first, _without_looks),
    "double-up": Sight(_limit_and_halves_first, _without_looks),
    "power-line": Sight(_good_looks_first, _standing, pictures_all=True),
}
"""The games in which something strikes the eye; where powers are raised, the low exponents are the easy ones."""
