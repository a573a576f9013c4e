"""The dialogue of Power Up: the base on its way up to the target."""

from collections.abc import Sequence

from powerduels.games.power_up import Position, PowerUp
from powerduels.terminal.dialogue import Ask, Dialogue
from powerduels.text import counted, listed


class PowerUpDialogue(Dialogue[PowerUp]):
    def situation(self) -> None:
        base, target = self.position.base, self.game.rules.target
        self.say(f"Game Start! The base number is {base}. First to reach or exceed {target} wins.")

    def announce(self, seats: Sequence[int]) -> None:
        (seat,) = seats
        self.say("", f"{self.seat_name(seat)}'s turn.", f"Current base number: {self.position.base}")
        if self.console.is_terminal:
            self._picture(seat)

    def choose(self, seat: int, ask: Ask) -> int:
        exponents = listed(self.legal(seat), "or")
        exponent: int = ask(f"Choose an exponent ({exponents}):", self.legal_move(seat), f"Choose {exponents}.")
        return exponent

    def played(self, before: Position, ply: tuple[int, ...]) -> None:
        (exponent,) = ply
        seat = self.match.seat_of(before.turn)
        who = "You" if self.at_keyboard[seat] else self.name(seat)
        self.say(f"{who} chose exponent {exponent}.", f"New base number is: {self.position.base}")
        limit = self.game.rules.stall_limit
        if self.position.still and limit is not None and self.game.rules.stalling == "free":
            still = counted(self.position.still, "turn")
            self.say(f"{still} in a row without a change; {limit} make a draw.")

    def _picture(self, seat: int) -> None:
        position, rules, marks = self.position, self.game.rules, self.console.marks
        steps = []
        for exponent in self.legal(seat):
            reached = position.base**exponent
            text = f"^{exponent} = {_short(reached)}"
            steps.append(self.console.strong(text) if reached >= rules.target else text)
        room = min(40, self.console.width - 24)
        climbed = min(room, room * (position.base.bit_length() - 1) // (rules.target.bit_length() - 1))
        stair = self.console.seat(seat, marks.full * climbed) + self.console.faint(marks.spent * (room - climbed))
        self.say("", f"  {self.console.strong(_short(position.base))} {stair} {_short(rules.target)}")
        self.say(f"  {'   '.join(steps)}")
        if position.still and rules.stall_limit is not None and rules.stalling == "free":
            beats = marks.lamp * min(position.still, 30) + marks.dark_lamp * min(rules.stall_limit - position.still, 30)
            self.say(f"  stall {beats}")
        self.say()


def _short(number: int) -> str:
    digits = str(number)
    return digits if len(digits) <= 12 else f"{digits[:5]}...{digits[-2:]} ({len(digits)} digits)"


DIALOGUE = PowerUpDialogue
