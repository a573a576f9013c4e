"""The dialogue of Power Match: the shared pool and the two expressions."""

from collections.abc import Callable, Sequence

from powerduels.core import IllegalMove, UnreadableText
from powerduels.games.power_match import BASE, PART_NAMES, Move, Position, PowerMatch, value
from powerduels.terminal.dialogue import Ask, Dialogue, TakeBack, bracketed
from powerduels.terminal.layout import columns_of, start_fitting
from powerduels.text import counted, read_integer, shown

LARGEST_SHOWN_IN_FULL = 20
"""The largest pool of which every number is shown."""


class PowerMatchDialogue(Dialogue[PowerMatch]):
    def situation(self) -> None:
        self.say(self._pool(), "")
        self.say(*(f"{self.name(seat)}'s Expression: {self._expression(seat)}" for seat in (0, 1)))

    def announce(self, seats: Sequence[int]) -> None:
        (seat,) = seats
        if self.console.is_terminal:
            self._picture()
        self.say("", f"{self.seat_name(seat)}'s Turn:")

    def choose(self, seat: int, ask: Ask) -> Move:
        pool = ", ".join(self._pool_texts())
        player, whole_move = self.match.player_of(seat), self.legal_move(seat)

        def read_number(text: str) -> int | Move:
            """A number of the pool, or a whole move like `7b` or `7 base` from those who know."""
            rest = text.lstrip("0123456789")
            part = _part_named(rest.strip())
            if part and rest != text:
                move: Move = whole_move(text.removesuffix(rest) + part)
                return move
            number = read_integer(text)
            if number not in self.position.pool:
                raise IllegalMove(self.game.refusal(self.position, player, Move(number, BASE)))
            return number

        while True:
            answer = ask("Choose a number from the pool:", read_number, f"Choose one of {pool}.")
            if isinstance(answer, Move):
                return answer
            try:
                read_part = _part_reader(answer, whole_move)
                return ask(f"Assign {answer} to (base/exponent):", read_part, "Type base or exponent.")
            except TakeBack:
                self.say("Back to the choice of a number.")

    def played(self, before: Position, ply: tuple[Move, ...]) -> None:
        ((number, part),) = ply
        seat = self.match.seat_of(self.game.actors(before)[0])
        if not self.at_keyboard[seat]:
            self.say(f"{self.name(seat)} assigns {number} to {PART_NAMES[part]}.")
        complete = None not in self.position.expressions[self.match.player_of(seat)]
        if complete:
            self.say("", f"{self.name(seat)}'s Expression is complete: {self._expression(seat)}")
        if self.match.actors:
            self.say("", self._pool())
            if not complete:
                self.say(f"{self.name(seat)}'s Expression: {self._expression(seat)}")

    def won(self, winner: int, reason: str) -> None:
        if self.console.is_terminal:
            self._picture()
        self.say("", "Calculating results...", "")
        for seat in (0, 1):
            number = str(value(self.position.expressions[self.match.player_of(seat)]))
            digits = f" ({counted(len(number), 'digit')})" if self.console.is_terminal else ""
            self.say(f"{self.name(seat)}'s Result: {number}{digits}")
        wins = f"{self.name(winner)} wins!"
        self.say("", wins, reason.removeprefix(f"{wins} "))

    def _pool(self) -> str:
        return f"Number Pool: {bracketed(self._pool_texts())}"

    def _pool_texts(self) -> list[str]:
        """The numbers left; on a terminal those of a large pool side by side as one, from first to last."""
        left = self.position.pool
        if not self.console.is_terminal or self.game.rules.pool <= LARGEST_SHOWN_IN_FULL:
            return list(map(str, left))
        firsts = [number for number in left if number - 1 not in left]
        lasts = [number for number in left if number + 1 not in left]
        return [str(low) if low == high else f"{low}-{high}" for low, high in zip(firsts, lasts, strict=True)]

    def _expression(self, seat: int) -> str:
        parts = self.position.expressions[self.match.player_of(seat)]
        return " ^ ".join("__" if part is None else str(part) for part in parts)

    def _picture(self) -> None:
        """Two towers, each with its exponent raised above the base, the pool below."""
        console = self.console
        half = min(console.width, 60) // 2
        rows = ["", "", ""]
        for seat in (0, 1):
            base, exponent = self.position.expressions[self.match.player_of(seat)]
            title = start_fitting(f"{console.seat_marks[seat]} {self.name(seat)}", half - 6)
            low, high = ("__" if part is None else str(part) for part in (base, exponent))
            for row, (indent, text) in enumerate(((2, title), (4 + len(low), high), (4, low))):
                drawn = console.strong(console.seat(seat, text))
                rows[row] += " " * indent + drawn + " " * (half - indent - columns_of(text))
        numbers = self._pool_texts()
        if self.game.rules.pool <= LARGEST_SHOWN_IN_FULL:
            everything = map(str, range(1, self.game.rules.pool + 1))
            numbers = [number if number in numbers else console.marks.empty * len(number) for number in everything]
        console.say("", *(row.rstrip() for row in rows))
        console.say("  pool: " + " ".join(numbers))


def _part_named(text: str) -> str | None:
    """The part of an expression that a text names, by its beginning at least."""
    return next((part for part, name in PART_NAMES.items() if text and name.startswith(text.lower())), None)


def _part_reader(number: int, whole_move: Callable[[str], Move]) -> Callable[[str], Move]:
    def read(text: str) -> Move:
        part = _part_named(text)
        if part is None:
            raise UnreadableText(f"{shown(text)} is neither.")
        return whole_move(f"{number}{part}")

    return read


DIALOGUE = PowerMatchDialogue
