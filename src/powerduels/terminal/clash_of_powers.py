"""The dialogue of Clash of Powers: secret choices, turned up together."""

from collections.abc import Sequence

from powerduels.core import UnreadableText
from powerduels.games.clash_of_powers import ClashOfPowers, Position
from powerduels.records import name_fault
from powerduels.terminal.dialogue import Ask, Dialogue
from powerduels.text import counted

CARD_WIDTH = 9


class ClashDialogue(Dialogue[ClashOfPowers]):
    def welcome(self, ask: Ask, unnamed: Sequence[int]) -> None:
        self.say("Welcome to Clash of Powers!")
        if unnamed:
            self.say()
        for seat in unnamed:
            self.match.rename(seat, ask(f"{self.name(seat)}, enter your name:", self._read_name, "", prefixes=False))

    def situation(self) -> None:
        if self.match.plies:
            self._say_score()

    def announce(self, seats: Sequence[int]) -> None:
        if self.game.awaits_tiebreak(self.position):
            self.say("", "All powers used. The score is tied. Select any one of your used powers for the final duel.")
        else:
            self.say("", f"Duel {len(self.match.plies) + 1}")
        if self.console.is_terminal:
            self._picture()

    def announce_again(self, seat: int) -> None:
        super().announce_again(seat)
        self._say_choice(seat)

    def choose(self, seat: int, ask: Ask) -> int:
        self._say_choice(seat)
        right = f"Your powers: {self._powers(seat)}."
        power: int = ask("Select a power to play in this duel:", self.legal_move(seat), right, secret=True)
        return power

    def played(self, before: Position, ply: tuple[int, ...]) -> None:
        first, second = ply
        self.say("")
        for seat in (0, 1):
            self.say(f"{self.name(seat)} has selected Power {ply[seat]}.")
        self.say("Determining the winner...")
        winner = self.game.duel_winner(first, second)
        if winner is None:
            self.say(f"Both powers are {first}: this duel is a tie, and nobody scores.")
        else:
            high, low = max(ply), min(ply)
            doubled = self.game.exactly_double(first, second)
            self.say(
                f"{high} is exactly double {low}, so the lower power wins."
                if doubled
                else f"{high} is higher than {low}.",
                f"{self.name(winner)} wins this duel!",
            )
        self._say_score()
        if self.match.actors and self.position.hands[0]:
            for seat in (0, 1):
                left = ", ".join(map(str, self.position.hands[seat]))
                self.say(f"{self.name(seat)}'s remaining powers: {left}")

    def _say_choice(self, seat: int) -> None:
        if self.console.is_terminal:
            for other in set(self.match.actors) - set(self.match.waiting_for):
                self.say("", f"{self.seat_name(other)} has chosen.")
                self._say_cards(other, [self.console.marks.back * (CARD_WIDTH - 2)])
        secretly = "; nobody sees what you type" if all(self.at_keyboard) else ""
        self.say("", f"{self.seat_name(seat)}, it is your choice{secretly}.")
        self.say(f"Your available powers are: {self._powers(seat)}")

    def _powers(self, seat: int) -> str:
        return ", ".join(map(str, self.legal(seat)))

    def _read_name(self, text: str) -> str | None:
        fault = name_fault(text) if text else None
        if fault:
            raise UnreadableText(fault)
        return text or None

    def _say_score(self) -> None:
        scores = (f"{self.name(seat)}: {counted(self.position.score[seat], 'victory', 'victories')}" for seat in (0, 1))
        self.say(f"Current Score - {', '.join(scores)}.")

    def _picture(self) -> None:
        """Both hands as cards, with the lamps of the victories."""
        console, needed = self.console, self.game.rules.duels_to_win
        for seat in (0, 1):
            won = self.position.score[seat]
            lamps = console.marks.lamp * won + console.marks.dark_lamp * (needed - won)
            console.say("", f"  {self.seat_name(seat)}  {console.seat(seat, lamps)}")
            hand = self.position.hands[seat] or self.game.rules.powers
            per_row = max(1, (console.width - 2) // (CARD_WIDTH + 1))
            for start in range(0, len(hand), per_row):
                row = hand[start : start + per_row]
                self._say_cards(seat, [console.strong(str(power).center(CARD_WIDTH - 2)) for power in row])

    def _say_cards(self, seat: int, faces: Sequence[str]) -> None:
        """Cards side by side, each with what is on it."""
        console = self.console
        left, right, low_left, low_right = console.marks.corners
        edge, upright = console.marks.wire * (CARD_WIDTH - 2), console.seat(seat, console.marks.upright)
        console.say(
            "  " + " ".join(console.seat(seat, left + edge + right) for _ in faces),
            "  " + " ".join(upright + face + upright for face in faces),
            "  " + " ".join(console.seat(seat, low_left + edge + low_right) for _ in faces),
        )


DIALOGUE = ClashDialogue
