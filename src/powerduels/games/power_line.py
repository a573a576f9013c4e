"""Power Line: place and upgrade nodes on a line, capture, connect.

Rules
- The line has `length` empty places.  A player starts with `energy`, the first player with
  `head_start` more, and has `nodes` nodes.
- In turn a player places a node of level 1 to `place_max` on an empty place, for as much
  energy, or upgrades an own node by one level, up to `level_max`, for its new level.
- Then the node that was placed or upgraded captures weaker enemy nodes next to it; a
  captured node leaves the line and can be placed again.  Equal and stronger nodes stay.
- `chain` own nodes side by side win at once.

Rulings
- L1  As written nobody can win, and energy never comes back.  When neither player can
  act, the criteria of `ending` decide in their order: the longest chain, the total power,
  the energy left, the nodes on the line; at the last `first`, `second` or `draw`.
- L2  `chain` is the whole line unless set.  All captures of an action, a lost newcomer
  included, come first; then the chain of the player who acted is tested.
- L3  Only the player who acts captures (`capture=mover`).  With `capture=mutual` a
  stronger neighbour then captures a node just placed, after the newcomer's own captures.
- L4  A captured node is removed, so it never starts a chain reaction.  With
  `capture=takeover` it changes sides instead, keeps its level, and captures weaker
  neighbours of its former owner in the same way.  `nodes` then limits how many a player
  may hold on the line when placing one.
- L5  A node may reach `level_max`, but little energy ends the climb long before.
- L6  A player who can act must; one who cannot is passed over, which is not a move.
- L7  Nothing evens out who starts, unless `head_start` does.
- L8  An upgrade compares with both neighbours just as a placement does.
- L9  The sample dialogue starts from `energy=8`, `nodes=4`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from powerduels.core import NOBODY, ONLY, Game, Kind, OptionError, Outcome, UnreadableText
from powerduels.text import NUMBER, Choice, Each, Integer, Option, brief, counted, listed, read_integer, shown, words

Line = tuple[int, ...]
"""A number for each place: 0 is empty, the level for the first player's node, minus the
level for the second player's.  A node times its owner's SIGN is its level."""
SIGN = (1, -1)
CRITERIA = {
    "chain": "the longer chain",
    "power": "the higher total power",
    "energy": "more energy left",
    "nodes": "more nodes on the line",
}
CLOSINGS = ("first", "second", "draw")


class Rules(NamedTuple):
    length: int
    nodes: int
    energy: int
    head_start: int
    place_max: int
    level_max: int
    chain: int
    capture: str
    ending: tuple[str, ...]


class Position(NamedTuple):
    line: Line
    energy: tuple[int, int]
    turn: int | None
    """Who acts next; None once the game is over."""


class Move(NamedTuple):
    at: int
    level: int | None
    """The level of a new node; None upgrades the node that stands there."""


class MoveCodec:
    """`5=2` places level 2 at position 5, `5+` upgrades the node there."""

    def format(self, value: Move) -> str:
        return f"{value.at}+" if value.level is None else f"{value.at}={value.level}"

    def parse(self, text: str) -> Move:
        at, mark, level = text.partition("=")
        if mark:
            return Move(read_integer(at), read_integer(level))
        if not text.endswith("+"):
            raise UnreadableText(f"{shown(text)} neither places a node, like 5=2, nor upgrades one, like 5+.")
        return Move(read_integer(text[:-1]), None)


class LineCodec:
    """`.A2.B10`: a dot for each empty place, the owner's letter and the level for a node."""

    def format(self, value: Line) -> str:
        return "".join("." if node == 0 else f"{'A' if node > 0 else 'B'}{abs(node)}" for node in value)

    def parse(self, text: str) -> Line:
        places: list[tuple[str, str]] = re.findall(r"(\.)|([AB][0-9]+)", text)
        if "".join(empty or node for empty, node in places) != text:
            raise UnreadableText(f"{shown(text)} is not a line like .A2..B10, with a dot for each empty place.")
        return tuple(0 if empty else SIGN["AB".index(node[0])] * read_integer(node[1:]) for empty, node in places)


class EndingCodec:
    """Criteria and a closing, `chain,power,second`."""

    def __str__(self) -> str:
        return f"any of {listed(CRITERIA)} in order, closed by {listed(CLOSINGS, 'or')}"

    def format(self, value: tuple[str, ...]) -> str:
        return ",".join(value)

    def parse(self, text: str) -> tuple[str, ...]:
        *criteria, closing = text.split(",")
        if closing not in CLOSINGS or len(set(criteria)) < len(criteria) or not set(criteria) <= set(CRITERIA):
            raise UnreadableText(f"{shown(text)} is not such a list.")
        return (*criteria, closing)


class PowerLine(Game[Rules, Position, Move]):
    id = "power-line"
    title = "Power Line"
    options = (
        Option("length", Integer(2, 21), "11", "places on the line"),
        Option("nodes", Integer(1, 21), "5", "nodes a player may have on the line when placing"),
        Option("energy", Integer(1, 99), "15", "energy of each player at the start"),
        Option("head_start", Integer(0, 20), "0", "additional energy of the player who starts"),
        Option(
            "place_max",
            Integer(1, 10, bound="10, at most level_max"),
            "5, or level_max if lower",
            "highest level of a new node",
            follow=lambda values: min(5, values["level_max"]),
        ),
        Option("level_max", Integer(1, 10), "10", "highest level of an upgraded node"),
        Option(
            "chain",
            Integer(2, 21, bound="length"),
            "length",
            "own nodes side by side that win at once",
            follow=lambda values: values["length"],
        ),
        Option("capture", words("mover", "mutual", "takeover"), "mover", "who captures, and what becomes of it"),
        Option("ending", EndingCodec(), "chain,power,second", "what decides when nobody can act"),
    )
    presets = {"takeover": {"capture": "takeover", "chain": "5", "ending": "chain,power,energy,second"}}
    move_codec = MoveCodec()
    position_type = Position
    position_codecs = (LineCodec(), Each(NUMBER, 2), Choice({"1": 0, "2": 1, "-": None}))

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "PowerLine":
        rules = Rules(**values)
        if rules.place_max > rules.level_max:
            raise OptionError(f"place_max: {rules.place_max} is above level_max, {rules.level_max}.")
        if rules.chain > rules.length:
            raise OptionError(f"chain: {rules.chain} is longer than the line; it can be 2 to {rules.length}.")
        return cls(rules)

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._places = [[Move(at, level + 1) for level in range(rules.place_max)] for at in range(rules.length)]
        self._upgrades = [Move(at, None) for at in range(rules.length)]
        self._neighbours = [
            tuple(near for near in (at - 1, at + 1) if 0 <= near < rules.length) for at in range(rules.length)
        ]
        self._capture: Callable[[list[int], Move, int], None] = {
            "mover": self._capture_weaker,
            "mutual": self._capture_mutually,
            "takeover": self._take_over,
        }[rules.capture]

    def _declare_kind(self) -> Kind:
        draws = self.rules.ending[-1] == "draw"
        return Kind(simultaneous=False, can_cycle=False, can_draw=draws, longest=self._longest())

    def initial(self) -> Position:
        energy = (self.rules.energy + self.rules.head_start, self.rules.energy)
        return Position((0,) * self.rules.length, energy, 0)

    def actors(self, position: Position) -> tuple[int, ...]:
        return NOBODY if position.turn is None else ONLY[position.turn]

    def legal(self, position: Position, player: int) -> Sequence[Move]:
        sign, energy = SIGN[player], position.energy[player]
        highest = min(energy, self.rules.place_max) if self.nodes_left(position, player) > 0 else 0
        upgradable = min(energy, self.rules.level_max)
        moves: list[Move] = []
        for at, node in enumerate(position.line):
            if node == 0:
                moves += self._places[at][:highest]
            elif 0 < node * sign < upgradable:
                moves.append(self._upgrades[at])
        return moves

    def nodes_left(self, position: Position, player: int) -> int:
        """Nodes that a player may still place; below 0 where takeovers brought more."""
        return self.rules.nodes - len(_own(position.line, SIGN[player]))

    def apply(self, position: Position, ply: tuple[Move, ...]) -> Position:
        (move,) = ply
        player = position.turn
        assert player is not None
        sign, line = SIGN[player], list(position.line)
        level = line[move.at] * sign + 1 if move.level is None else move.level
        line[move.at] = level * sign
        self._capture(line, move, sign)

        first, second = position.energy
        energy = (first - level, second) if player == 0 else (first, second - level)
        won = line[move.at] and _chain_through(line, move.at, sign) >= self.rules.chain
        return Position(tuple(line), energy, None if won else self._next_actor(line, energy, player))

    def outcome(self, position: Position) -> Outcome | None:
        if position.turn is not None:
            return None
        chains = self.standing(position, "chain")
        for player in (0, 1):
            if chains[player] >= self.rules.chain:
                return Outcome(player, "connected")
        *criteria, closing = self.rules.ending
        for criterion in criteria:
            first, second = self.standing(position, criterion)
            if first != second:
                return Outcome(0 if first > second else 1, criterion)
        return Outcome({"first": 0, "second": 1, "draw": None}[closing], closing)

    def standing(self, position: Position, criterion: str) -> tuple[int, int]:
        """What each player has by a criterion of `ending`."""
        if criterion == "energy":
            return position.energy
        if criterion == "chain":
            return _longest_chain(position.line, SIGN[0]), _longest_chain(position.line, SIGN[1])
        measure = sum if criterion == "power" else len
        return measure(_own(position.line, SIGN[0])), measure(_own(position.line, SIGN[1]))

    def refusal(self, position: Position, player: int, move: Move) -> str:
        line, energy = position.line, position.energy[player]
        if move.at >= len(line):
            return f"There is no position {brief(move.at)}; the line has positions 0 to {len(line) - 1}."
        if move.level is None:
            return self._refusal_to_upgrade(move.at, line[move.at] * SIGN[player], energy)
        if self.nodes_left(position, player) <= 0:
            return "All of your nodes are on the line; upgrade one of them."
        if line[move.at]:
            empty = ", ".join(str(at) for at, node in enumerate(line) if node == 0)
            return f"Position {move.at} is occupied; empty: {empty or 'none'}."
        return f"A new node can have level 1 to {min(energy, self.rules.place_max)} here; you have {energy} energy."

    def _refusal_to_upgrade(self, at: int, level: int, energy: int) -> str:
        if level <= 0:
            there = "is empty" if level == 0 else "holds a node of the opponent"
            return f"Position {at} {there}; upgrade one of yours."
        if level == self.rules.level_max:
            return f"The node at {at} has level {level}, the highest there is."
        return f"Upgrading the node at {at} to level {level + 1} costs {level + 1}; you have {energy} energy."

    def explain(self, position: Position, outcome: Outcome, names: tuple[str, str]) -> str:
        winner = "" if outcome.winner is None else names[outcome.winner]
        if outcome.reason == "connected":
            return f"{winner} has connected {counted(self.rules.chain, 'node')} and wins the game!"
        if outcome.reason in CRITERIA:
            most, least = sorted(self.standing(position, outcome.reason), reverse=True)
            more = f"{CRITERIA[outcome.reason]}, {most} to {least},"
            return f"Neither player can act. {winner} has {more} and wins the game!"
        equal = listed(self.rules.ending[:-1])
        decided = f"Neither player can act{f', and {equal} are equal' if equal else ''}."
        if outcome.winner is None:
            return f"{decided} The game is a draw."
        return f"{decided} {winner} went {outcome.reason} and wins the game!"

    def _capture_weaker(self, line: list[int], move: Move, sign: int) -> None:
        level = line[move.at] * sign
        for near in self._neighbours[move.at]:
            if 0 < -line[near] * sign < level:
                line[near] = 0

    def _capture_mutually(self, line: list[int], move: Move, sign: int) -> None:
        self._capture_weaker(line, move, sign)
        newcomer = move.level
        if newcomer and any(-line[near] * sign > newcomer for near in self._neighbours[move.at]):
            line[move.at] = 0

    def _take_over(self, line: list[int], move: Move, sign: int) -> None:
        taking = [move.at]
        while taking:
            at = taking.pop()
            for near in self._neighbours[at]:
                if 0 < -line[near] * sign < line[at] * sign:
                    line[near] = -line[near]
                    taking.append(near)

    def _next_actor(self, line: list[int], energy: tuple[int, int], player: int) -> int | None:
        if self._can_act(line, energy, 1 - player):
            return 1 - player
        return player if self._can_act(line, energy, player) else None

    def _can_act(self, line: list[int], energy: tuple[int, int], player: int) -> bool:
        own = _own(line, SIGN[player])
        if energy[player] and len(own) < self.rules.nodes and 0 in line:
            return True
        return bool(own) and min(own) < min(energy[player], self.rules.level_max)

    def _longest(self) -> int:
        """A bound on the actions of both players, from what energy and nodes allow.

        Every action but placing a level 1 costs at least 2.  By the mover's captures a
        player gets back two nodes at most for each such action of the opponent, and only
        returned nodes let more than `nodes` be placed.
        """
        rules = self.rules

        def cheap(energy: int, own_dear: int, other_dear: int) -> int:
            returned = 2 * other_dear if rules.capture == "mover" else energy * (other_dear > 0)
            return min(energy - 2 * own_dear, rules.nodes + returned)

        first, second = self.initial().energy
        return max(
            cheap(first, x, y) + x + cheap(second, y, x) + y
            for x in range(first // 2 + 1)
            for y in range(second // 2 + 1)
        )


def _own(line: Sequence[int], sign: int) -> list[int]:
    """The levels of a player's nodes."""
    return [node for node in line if node > 0] if sign > 0 else [-node for node in line if node < 0]


def _chain_through(line: Sequence[int], at: int, sign: int) -> int:
    """How many nodes of one player stand side by side around one of them."""
    left = right = at
    while left > 0 and line[left - 1] * sign > 0:
        left -= 1
    while right + 1 < len(line) and line[right + 1] * sign > 0:
        right += 1
    return right - left + 1


def _longest_chain(line: Sequence[int], sign: int) -> int:
    return max((_chain_through(line, at, sign) for at, node in enumerate(line) if node * sign > 0), default=0)
