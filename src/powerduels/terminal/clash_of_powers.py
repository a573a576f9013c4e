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

    def choose(self, seat: int, ask: Ask) -> int:
        powers = ", ".join(map(str, self.legal(seat)))
        self.say("", f"{self.seat_name(seat)}, it is your choice; nobody sees what you type.")
        self.say(f"Your available powers are: {powers}")
        right = f"Your powers: {powers}."
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
        left, right, low_left, low_right = console.marks.corners
        for seat in (0, 1):
            won = self.position.score[seat]
            lamps = console.marks.lamp * won + console.marks.dark_lamp * (needed - won)
            console.say("", f"  {self.seat_name(seat)}  {console.seat(seat, lamps)}")
            hand = self.position.hands[seat] or self.game.rules.powers
            per_row = max(1, (console.width - 2) // (CARD_WIDTH + 1))
            for start in range(0, len(hand), per_row):
                row = hand[start : start + per_row]
                edge = console.marks.wire * (CARD_WIDTH - 2)
                console.say(
                    "  " + " ".join(console.seat(seat, left + edge + right) for _ in row),
                    "  " + " ".join(self._face(seat, power) for power in row),
                    "  " + " ".join(console.seat(seat, low_left + edge + low_right) for _ in row),
                )

    def _face(self, seat: int, power: int) -> str:
        upright = self.console.seat(seat, self.console.marks.upright)
        return upright + self.console.strong(str(power).center(CARD_WIDTH - 2)) + upright


DIALOGUE = ClashDialogue
