"""The dialogue of Power Up: the base on its way up to the target."""

from collections.abc import Sequence

from powerduels.games.power_up import Position, PowerUp
from powerduels.terminal.dialogue import Ask, Dialogue
from powerduels.terminal.layout import columns_of
from powerduels.text import brief, counted, listed


class PowerUpDialogue(Dialogue[PowerUp]):
    def situation(self) -> None:
        base, target = self.position.base, self.game.rules.target
        start = "" if self.match.plies else "Game Start! "
        self.say(f"{start}The base number is {base}. First to reach or exceed {target} wins.")

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
            self.say(f"{still} in a row without a change{f'; {limit} make a draw' if self.match.actors else ''}.")

    def _picture(self, seat: int) -> None:
        position, rules, marks = self.position, self.game.rules, self.console.marks
        steps = []
        for exponent in self.legal(seat):
            reached = position.base**exponent
            text = f"^{exponent} = {brief(reached)}"
            steps.append(self.console.strong(text) if reached >= rules.target else text)
        base, target = brief(position.base), brief(rules.target)
        room = min(40, self.console.width - 6 - len(base) - len(target))
        climbed = min(room, room * (position.base.bit_length() - 1) // (rules.target.bit_length() - 1))
        stair = self.console.seat(seat, marks.full * climbed) + self.console.faint(marks.spent * (room - climbed))
        self.say("", f"  {self.console.strong(base)} {stair} {target}")
        in_a_row = f"  {'   '.join(steps)}"
        self.say(*([in_a_row] if columns_of(in_a_row) <= self.console.width else (f"  {step}" for step in steps)))
        if position.still and rules.stall_limit is not None and rules.stalling == "free":
            room = min(rules.stall_limit, 40)
            lit = position.still * room // rules.stall_limit
            self.say(f"  stall {marks.lamp * lit}{marks.dark_lamp * (room - lit)}")
        self.say()


DIALOGUE = PowerUpDialogue
