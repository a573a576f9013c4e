"""The dialogue of Double Up: the growing sequence and the window of the next number."""

from collections.abc import Sequence

from powerduels.games.double_up import DoubleUp, Position
from powerduels.terminal.dialogue import Ask, Dialogue, bracketed

SHOWN_IN_FULL = 10


class DoubleUpDialogue(Dialogue[DoubleUp]):
    def situation(self) -> None:
        self.say(f"Starting Number: {self.game.rules.start}", *self._sequence("Sequence", "Numbers Used"))

    def announce(self, seats: Sequence[int]) -> None:
        (seat,) = seats
        self.say("", f"{self.seat_name(seat)}'s Turn:", f"Last Number (N): {self.position.last}")
        if self.console.is_terminal:
            self._picture(seat)
        self.say(f"Valid Numbers to Choose From: {bracketed(self.legal(seat), most=SHOWN_IN_FULL)}")

    def choose(self, seat: int, ask: Ask) -> int:
        window = self.legal(seat)
        right = f"Choose {window[0]}." if window[0] == window[-1] else f"Choose {window[0]} to {window[-1]}."
        number: int = ask("Enter your selection:", self.legal_move(seat), right)
        return number

    def played(self, before: Position, ply: tuple[int, ...]) -> None:
        seat = self.match.seat_of(before.turn)
        if not self.at_keyboard[seat]:
            self.say(f"{self.name(seat)} selects {self.position.last}.")
        self.say(*self._sequence("Sequence Updated", "Numbers Used Updated"))

    def won(self, winner: int, reason: str) -> None:
        self.say(
            "",
            f"{self.game.rules.limit} is the limit.",
            f"{self.name(1 - winner)} cannot make a valid move.",
            f"{self.name(winner)} wins the game!",
        )

    def _sequence(self, sequence: str, used: str) -> tuple[str, str]:
        numbers = [position.last for position in self.match.positions]
        return f"{sequence}: {bracketed(numbers)}", f"{used}: {bracketed(numbers, '{}')}"

    def _picture(self, seat: int) -> None:
        """The numbers on a doubling scale, with the window of the next one lit."""
        marks, room = self.console.marks, self.console.width - 4
        highest = self.game.rules.limit or 2 * self.position.last

        def column(number: int) -> int:
            return (room - 1) * _doublings(number) // max(1, _doublings(highest))

        scale = [self.console.faint(marks.wire)] * room
        window = self.legal(seat)
        for at in range(column(window[0]), column(window[-1]) + 1):
            scale[at] = self.console.seat(seat, marks.full)
        for ply, position in enumerate(self.match.positions):
            owner = self.match.seat_of(1 - position.turn)
            dot = self.console.seat_marks[owner] if ply else marks.lamp
            scale[column(position.last)] = self.console.seat(owner, dot) if ply else dot
        named = (self.game.rules.start, highest, self.position.last, window[-1], window[0])
        self.say("  " + "".join(scale), "  " + _labels([(column(number), str(number)) for number in named], room))


def _labels(labels: Sequence[tuple[int, str]], room: int) -> str:
    """A line with each label about its column; one that would touch an earlier one is left out."""
    line = " " * room
    for column, label in labels:
        at = max(0, min(column - len(label) // 2, room - len(label)))
        if not line[max(0, at - 1) : at + len(label) + 1].strip():
            line = line[:at] + label + line[at + len(label) :]
    return line.rstrip()


def _doublings(number: int) -> int:
    """The binary logarithm of a number in parts of 1/256, near enough to draw."""
    whole = number.bit_length() - 1
    return (whole << 8) + ((number << 8) >> whole) - 256


DIALOGUE = DoubleUpDialogue
