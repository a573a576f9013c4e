"""The dialogue of Power Line: the line with its nodes, and every comparison of powers."""

from collections.abc import Callable, Sequence

from powerduels.core import IllegalMove, UnreadableText
from powerduels.games.power_line import SIGN, Line, Move, Position, PowerLine
from powerduels.terminal.dialogue import Ask, Dialogue, TakeBack, bracketed
from powerduels.terminal.layout import columns_of, start_fitting
from powerduels.text import counted, read_integer, shown

RULE = "-" * 40
PLACE, UPGRADE = 1, 2
ENERGY_BAR = 30
LONGEST_NAME = 18
LONGEST_STOCK = len("   119, 21 nodes")
"""Columns of what stands beside a name and a bar."""
LONGEST_ANSWER = 4
"""Columns of what is typed after a prompt, the blank before it included."""


class PowerLineDialogue(Dialogue[PowerLine]):
    _asks_action = False
    """Whether the choice of an action is being asked for."""

    def situation(self) -> None:
        """Every turn shows the whole position, so there is nothing to add."""

    def announce(self, seats: Sequence[int]) -> None:
        (seat,) = seats
        player = self.match.player_of(seat)
        self.say(
            RULE,
            f"{self.seat_name(seat)}'s Turn",
            f"Energy Remaining: {self.position.energy[player]}",
            f"Available Nodes: {max(0, self.game.nodes_left(self.position, player))}",
        )
        if self.console.is_terminal:
            self.say("")
            self._picture(self.position.line)
            self.say("")
            self._energy_bars()
        else:
            self.say(f"Power Line: {self._cells(self.position.line)}", self._numbers())
        self.say("")

    def announce_again(self, seat: int) -> None:
        super().announce_again(seat)
        if self._asks_action:
            self._say_actions()

    def choose(self, seat: int, ask: Ask) -> Move:
        while True:
            self._say_actions()
            self._asks_action = True
            action = ask("Enter choice (1 or 2):", self._action_of(seat), "Choose 1 or 2.")
            self._asks_action = False
            if isinstance(action, Move):
                return action
            try:
                return self._ask_placement(seat, ask) if action == PLACE else self._ask_upgrade(seat, ask)
            except TakeBack:
                self.say("", "Back to the choice of an action.", "")

    def played(self, before: Position, ply: tuple[Move, ...]) -> None:
        (move,) = ply
        assert before.turn is not None
        player, sign = before.turn, SIGN[before.turn]
        seat = self.match.seat_of(player)
        level = move.level or abs(before.line[move.at]) + 1
        acted = (*before.line[: move.at], level * sign, *before.line[move.at + 1 :])
        doing = "Upgrading" if move.level is None else "Placing"
        to = "to" if move.level is None else "with"
        self.say(
            "",
            f"{doing} node at position {move.at} {to} power level {level}.",
            f"Energy cost: {level}",
            f"Energy remaining: {self.position.energy[player]}",
        )
        near = [at for at in (move.at - 1, move.at + 1) if 0 <= at < len(acted) and acted[at] * sign < 0]
        if near or not self.console.is_terminal:
            # On a terminal the next turn draws the line again, so a quiet move needs no more words.
            self.say("")
            self._say_updated(acted)
            self.say("", f"After {doing.lower()}, checking for adjacent opponent nodes...", "")
            self._compare(seat, move, acted, near)
            self.say("Turn ends.")
        self.say("")
        self._say_pass(seat)

    def ending(self) -> None:
        if self.console.is_terminal:
            self.say("")
            self._picture(self.position.line)
        super().ending()

    def _say_actions(self) -> None:
        self.say("Choose an action:", "1. Place a new power node", "2. Upgrade an existing power node")

    def _action_of(self, seat: int) -> Callable[[str], int | Move]:
        whole_move, legal = self.legal_move(seat), self.legal(seat)

        def read(text: str) -> int | Move:
            """1 or 2, or a whole move like `5=2` or `5+` from those who know."""
            if "=" in text or text.endswith("+"):
                move: Move = whole_move(text.replace(" ", ""))
                return move
            if text not in ("1", "2"):
                raise UnreadableText(f"{shown(text)} is no action.")
            action = int(text)
            if not any((move.level is None) == (action == UPGRADE) for move in legal):
                why = self._no_upgrade(seat) if action == UPGRADE else self._no_placement(seat)
                verb, instead = ("upgrade", "1 to place") if action == UPGRADE else ("place", "2 to upgrade")
                raise IllegalMove(f"You cannot {verb} a node: {why}. Choose {instead} one.")
            return action

        return read

    def _no_placement(self, seat: int) -> str:
        """Why a player cannot place a node."""
        player = self.match.player_of(seat)
        if not self.position.energy[player]:
            return "no energy is left"
        return "all nodes are on the line" if self.game.nodes_left(self.position, player) <= 0 else "the line is full"

    def _no_upgrade(self, seat: int) -> str:
        """Why a player cannot upgrade a node."""
        player = self.match.player_of(seat)
        levels = [node * SIGN[player] for node in self.position.line if node * SIGN[player] > 0]
        if not levels:
            return "there is none on the line"
        if min(levels) == self.game.rules.level_max:
            return f"every node has level {self.game.rules.level_max}, the highest there is"
        return f"the cheapest upgrade costs {min(levels) + 1}, and {self.position.energy[player]} energy is left"

    def _ask_placement(self, seat: int, ask: Ask) -> Move:
        line, player = self.position.line, self.match.player_of(seat)
        last, highest = len(line) - 1, min(self.position.energy[player], self.game.rules.place_max)

        def read_place(text: str) -> int:
            at = read_integer(text)
            if at > last or line[at]:
                raise IllegalMove(self.game.refusal(self.position, player, Move(at, 1)))
            return at

        def read_level(text: str) -> int:
            level = read_integer(text)
            if not 1 <= level <= highest:
                raise IllegalMove(self.game.refusal(self.position, player, Move(at, level)))
            return level

        self.say("")
        at = ask(f"Enter position to place the node (0-{last}):", read_place, f"Type an empty position, 0 to {last}.")
        levels = "1" if highest == 1 else f"1-{highest}"
        level = ask(f"Enter power level for the new node ({levels}):", read_level, f"Type a level, {levels}.")
        return Move(at, level)

    def _ask_upgrade(self, seat: int, ask: Ask) -> Move:
        player = self.match.player_of(seat)
        places = [move.at for move in self.legal(seat) if move.level is None]
        named = ", ".join(map(str, places))

        def read_place(text: str) -> int:
            at = read_integer(text)
            if at not in places:
                raise IllegalMove(f"{self.game.refusal(self.position, player, Move(at, None))} Possible: {named}.")
            return at

        self.say("")
        prompt = f"Enter position of the node to upgrade ({named}):"
        if len(prompt) + LONGEST_ANSWER > self.console.width:
            prompt = f"Enter position of the node to upgrade {bracketed(places, '()', most=3)}:"
        return Move(ask(prompt, read_place, f"Possible: {named}."), None)

    def _compare(self, seat: int, move: Move, acted: Line, near: Sequence[int]) -> None:
        """Say what every enemy node near the one that acted has come to."""
        line, sign = self.position.line, SIGN[self.match.player_of(seat)]
        is_you = self.at_keyboard[seat]
        you, your = ("You", "Your") if is_you else (self.name(seat), f"{self.name(seat)}'s")
        takes_over, captures = ("take over", "capture") if is_you else ("takes over", "captures")
        level = acted[move.at] * sign
        for at in near:
            self.say(
                f"Adjacent opponent node detected at position {at}.",
                "",
                "Comparing power levels:",
                f"{your} node power: {level}",
                f"Opponent's node power: {abs(acted[at])}",
            )
            if line[at] != acted[at]:
                result = f"{you} {takes_over if line[at] else captures} the opponent's node at position {at}."
            elif abs(acted[at]) > level and line[move.at] == 0:
                result = f"The opponent's node at position {at} captures {'your' if is_you else your} node."
            else:
                compared = "The powers are equal" if abs(acted[at]) == level else f"{your} node is lower"
                result = f"{compared}; both nodes remain."
            self.say("", f"Result: {result}", "")
        for at, node in enumerate(line):
            if node != acted[at] and at not in near and at != move.at:
                self.say(f"Chain reaction: {you} {takes_over} the node at position {at}.", "")
        if line != acted:
            self._say_updated(line)
        elif not near:
            self.say("No adjacent opponent nodes detected.", "")

    def _say_pass(self, actor: int) -> None:
        """Say why the other player is passed over, where that is so."""
        if self.match.actors != (actor,):
            return
        other = 1 - actor
        self.say(f"{self.name(other)} passes.")
        self.say(f"Placing a node is not possible: {self._no_placement(other)}.")
        self.say(f"Upgrading is not possible: {self._no_upgrade(other)}.", "")

    def _say_updated(self, line: Line) -> None:
        self.say("Updated Power Line:")
        if self.console.is_terminal:
            self._picture(line)
        else:
            self.say(self._numbers(), f"PowerLine: {self._cells(line)}")
        self.say(RULE)

    def _cells(self, line: Line) -> str:
        return "".join("[ ]" if node == 0 else f"[{'AB'[self._owner(node)]}({abs(node)})]" for node in line)

    def _numbers(self) -> str:
        return "Positions:" + "".join(f"{at:>3}" for at in range(self.game.rules.length))

    def _owner(self, node: int) -> int:
        return self.match.seat_of(0 if node > 0 else 1)

    def _picture(self, line: Line) -> None:
        """The wire with its places numbered above and every node under its number.

        Where it takes several rows, a bend ends each of them and another one starts the next.
        """
        console, marks = self.console, self.console.marks
        width = max(4, min(6, (console.width - 2) // len(line)))
        per_row = (console.width - 2) // width
        for start in range(0, len(line), per_row):
            part = line[start : start + per_row]
            numbers = "".join(f"{at:>{width - 1}} " for at in range(start, start + len(part)))
            wire = ""
            for node in part:
                if node:
                    owner = self._owner(node)
                    text = f"{console.seat_marks[owner]}{abs(node)}"
                    wire += console.faint(marks.wire * (width - 1 - len(text)))
                    wire += console.strong(console.seat(owner, text)) + console.faint(marks.wire)
                else:
                    wire += console.faint(marks.wire * (width - 2) + marks.empty + marks.wire)
            out_of, into = marks.corners[1], marks.corners[2]
            before = console.faint(into) if start else " "
            after = console.faint(out_of) if start + per_row < len(line) else ""
            console.say(f" {console.faint(numbers.rstrip())}", f"{before}{wire}{after}")

    def _energy_bars(self) -> None:
        most = max(self.game.initial().energy)
        scale = min(most, ENERGY_BAR, self.console.width - LONGEST_NAME - LONGEST_STOCK)
        names = [start_fitting(f"{self.console.seat_marks[seat]} {self.name(seat)}", LONGEST_NAME) for seat in (0, 1)]
        for seat in (0, 1):
            energy = self.position.energy[self.match.player_of(seat)]
            full = -(-energy * scale // most)
            bar = self.console.seat(seat, self.console.marks.full * full)
            bar += self.console.faint(self.console.marks.spent * (scale - full))
            nodes = max(0, self.game.nodes_left(self.position, self.match.player_of(seat)))
            name = names[seat] + " " * (max(map(columns_of, names)) - columns_of(names[seat]))
            self.console.say(f" {self.console.seat(seat, name)} {bar} {energy}, {counted(nodes, 'node')}")


DIALOGUE = PowerLineDialogue
