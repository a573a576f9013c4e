"""Who may sit at a seat: people and programs, told apart by the text that names them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from powerduels.core import PowerduelsError, move_count
from powerduels.match import View
from powerduels.records import RANDOM, is_program, name_fault
from powerduels.text import shown

if TYPE_CHECKING:
    from random import Random


PLAYERS = "Players are human, human:NAME, computer:LEVEL and random."


class PlayerError(PowerduelsError):
    """A text names no player, or one that this installation does not have."""


class Program(Protocol):
    """A player that is no person."""

    def choose(self, view: View) -> Any:
        """A legal move for the view's player, from nothing but what the view shows."""


class Person(NamedTuple):
    """Somebody at the keyboard; the name is asked for, or given by the seat, if None."""

    name: str | None


class RandomPlayer:
    """Chooses any legal move with equal chance.

    Every choice depends on the seed, the player and the number of the ply alone, so that
    a game that was interrupted or taken back goes on as it would have.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def choose(self, view: View) -> Any:
        moves = view.game.legal(view.position, view.player)
        return moves[chance_for(self._seed, view).randrange(move_count(moves))]


def chance_for(seed: str, view: View) -> "Random":
    """What decides a player's choice in a position where chance does."""
    from random import Random

    return Random(f"{seed}/{view.player}/{len(view.plies)}")


def fresh_seed() -> str:
    """A seed that nobody can guess."""
    from os import urandom

    return urandom(16).hex()


def _computer(argument: str, seed: str) -> Program:
    from powerduels.bots.computer import computer

    return computer(argument, seed)


MAKERS: dict[str, Callable[[str, str], Program]] = {
    RANDOM: lambda argument, seed: RandomPlayer(seed),
    "computer": _computer,
}
"""For each kind of program: makes one from what follows the colon, and a seed."""


def parse_player(who: str, seed: str | None = None) -> Person | Program:
    """The player that `human`, `human:NAME`, `random` and the like stand for.

    Raises PlayerError.
    """
    kind, colon, argument = who.partition(":")
    if kind == "human":
        # Where the locale knows ASCII alone, Python leaves the bytes of other letters apart.
        argument = argument.encode(errors="surrogateescape").decode(errors="surrogateescape")
        fault = name_fault(argument) if colon else None
        if fault:
            raise PlayerError(f"{shown(who)}: {fault}")
        return Person(argument if colon else None)
    return _program(who, seed)


def player_of_record(entry: str, seed: str | None = None) -> Person | Program:
    """The player that an entry of a record stands for: programs as above, else a name."""
    return _program(entry, seed) if is_program(entry) else Person(entry)


def _program(who: str, seed: str | None) -> Program:
    kind, colon, argument = who.partition(":")
    if kind not in MAKERS or (kind == RANDOM and colon):
        raise PlayerError(f"There is no player {shown(who)}. {PLAYERS}")
    return MAKERS[kind](argument, seed or fresh_seed())
