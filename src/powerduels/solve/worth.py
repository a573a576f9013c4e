"""What a position is worth when both play best, and how such answers are asked for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from powerduels.core import AnyGame, PowerduelsError


class OutOfReach(PowerduelsError):
    """An exact answer would take more than there is; the message says how much."""


class Worth(NamedTuple):
    """Who wins by best play, or None for a draw, and in how many plies.

    The winner hurries and the loser delays.  Draws have no number of plies, nor have
    positions of which only the winner is known.
    """

    winner: int | None
    plies: int | None


DRAW = Worth(None, None)

Report = Callable[[int, int], None]
"""Told how many positions are found and how many are settled, many times a second."""


def ignore(found: int, settled: int) -> None:
    """A report for those who do not want to know."""


QUICK = 1 << 15
"""Positions that are searched in the blink of an eye."""


class Oracle(ABC):
    """Knows the worth of every position of a game in which one player chooses at a time."""

    searches = False
    """Whether each answer may take a long search, so that few should be asked for."""

    def __init__(self, game: AnyGame, report: Report = ignore) -> None:
        self.game = game
        self.report = report

    @property
    @abstractmethod
    def settled(self) -> int:
        """How many positions have been settled so far."""

    @abstractmethod
    def worth(self, position: Any) -> Worth:
        """The worth of a position; raises OutOfReach where it cannot be had."""

    def worth_of_move(self, position: Any, move: Any) -> Worth:
        """The worth of the position that a move leads to, told from the one before it."""
        winner, plies = self.worth(self.game.apply(position, (move,)))
        return Worth(winner, None if plies is None else plies + 1)

    def settle(self, position: Any) -> None:
        """Settle a position and all its moves with all the memory there is, where that saves time."""
        self.worth(position)

    def quick_worth(self, position: Any, most_positions: int = QUICK) -> Worth | None:
        """The worth of a position if it is known, or found by searching so many positions."""
        return self.worth(position)

    def good_move(self, position: Any) -> Any:
        """One move that keeps the worth, where one is found sooner than all of them."""
        return self.best_moves(position)[0]

    def best_moves(self, position: Any) -> Sequence[Any]:
        """The legal moves that keep what the position is worth, in their order."""
        winner = self.worth(position).winner
        (player,) = self.game.actors(position)
        moves = self.game.legal(position, player)
        return [move for move in moves if self.worth_of_move(position, move).winner == winner]


class SearchingOracle(Oracle):
    """An oracle that searches for its answers, and remembers them."""

    searches = True

    @abstractmethod
    def keep_in(self, path: str) -> None:
        """Keep what took long in this file, and know what is kept there."""

    @abstractmethod
    def prepared_move(self, position: Any) -> Any:
        """The move that a book has for a position, lost ones included; None without one."""


def gain(worth: Worth, player: int) -> int:
    """1 if the player wins, 0 for a draw, -1 if the other wins."""
    return 0 if worth.winner is None else 1 if worth.winner == player else -1


def preference(worth: Worth, player: int) -> tuple[int, int]:
    """Greater for what the player would rather have: to win soon, to lose late."""
    won = gain(worth, player)
    return won, -won * (worth.plies or 0)
