"""Clash of Powers: secret simultaneous duels, each power once.

Rules
- Both players hold the same `powers`.  In every duel both choose one secretly and turn
  them up together; a power is used once (C2).  Equal powers tie the duel.
- The higher power wins the duel, but if it is exactly double the other, the lower wins.
- Whoever has won `duels_to_win` duels wins at once.  When all powers are used, more
  victories win; a tied score goes to a tiebreaker duel with any power of the full hand.

Rulings
- C1  The sample lets 8 beat 4 and 16 beat 8; the rule is that exactly double loses.
  `exact_double=false` plays the higher power wins, always.
- C2  In the sample a power is played twice.  A power is used once.
- C3  The tiebreaker is one final duel; if it ties too, the game is a draw.  With
  `tiebreak=repeat` it is repeated until somebody wins (repeating for ever is a draw), with
  `tiebreak=none` a tied score is a draw.
- C4  Play goes on while nobody has `duels_to_win`, even where nothing can change any more.
- C5  Hands and used powers are public, for both hands start equal and every play is
  seen.  Secret is only the choice of the moment, which is no part of a position.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from powerduels.core import BOTH, NOBODY, Game, Kind, OptionError, Outcome
from powerduels.text import NUMBER, NUMBERS, TRUTH, Each, Integer, Numbers, Option, count_word, counted, words

Hand = tuple[int, ...]


class Rules(NamedTuple):
    powers: Hand
    duels_to_win: int
    exact_double: bool
    tiebreak: str


class Position(NamedTuple):
    hands: tuple[Hand, Hand]
    score: tuple[int, int]
    tiebroken: bool
    """Whether the final duel has been fought; its winner's point is in the score."""


class ClashOfPowers(Game[Rules, Position, int]):
    id = "clash-of-powers"
    title = "Clash of Powers"
    options = (
        Option("powers", Numbers(2, 10, 1, 10**6), "1,2,4,8,16", "the powers in each hand"),
        Option(
            "duels_to_win",
            Integer(1, 10, bound="the number of powers"),
            "3, or all powers if fewer",
            "duel victories that win the game",
            follow=lambda values: min(3, len(values["powers"])),
        ),
        Option("exact_double", TRUTH, "true", "whether a power loses to exactly half of it"),
        Option("tiebreak", words("single", "repeat", "none"), "single", "what settles a tied score"),
    )
    presets = {"sharp": {"duels_to_win": "2"}}
    move_codec = NUMBER
    position_type = Position
    position_codecs = (Each(NUMBERS, 2), Each(NUMBER, 2), TRUTH)

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> "ClashOfPowers":
        rules = Rules(**values)
        if rules.duels_to_win > len(rules.powers):
            raise OptionError(f"duels_to_win: with {len(rules.powers)} powers it can be 1 to {len(rules.powers)}.")
        return cls(rules)

    def _declare_kind(self) -> Kind:
        duels = len(self.rules.powers)
        longest = {"single": duels + 1, "none": duels, "repeat": None}[self.rules.tiebreak]
        return Kind(simultaneous=True, can_cycle=longest is None, can_draw=True, longest=longest)

    def initial(self) -> Position:
        return Position((self.rules.powers, self.rules.powers), (0, 0), False)

    def actors(self, position: Position) -> tuple[int, ...]:
        return BOTH if self.outcome(position) is None else NOBODY

    def legal(self, position: Position, player: int) -> Sequence[int]:
        return position.hands[player] or self.rules.powers

    def apply(self, position: Position, ply: tuple[int, ...]) -> Position:
        first, second = ply
        hands, (ours, theirs), _ = position
        winner = self.duel_winner(first, second)
        score = (ours + (winner == 0), theirs + (winner == 1))
        if hands[0]:
            return Position((_without(hands[0], first), _without(hands[1], second)), score, False)
        return Position(hands, score, winner is not None or self.rules.tiebreak == "single")

    def duel_winner(self, first: int, second: int) -> int | None:
        """The player whose power wins a duel between these two, None if it ties."""
        if first == second:
            return None
        higher = 0 if first > second else 1
        return 1 - higher if self.exactly_double(first, second) else higher

    def exactly_double(self, first: int, second: int) -> bool:
        """Whether the Exact Double Rule decides a duel between these two."""
        return self.rules.exact_double and (first == 2 * second or second == 2 * first)

    def awaits_tiebreak(self, position: Position) -> bool:
        """Whether the next duel is the final one, open to the full hand again."""
        return not position.hands[0] and self.outcome(position) is None

    def outcome(self, position: Position) -> Outcome | None:
        hands, (ours, theirs), tiebroken = position
        leader = None if ours == theirs else 0 if ours > theirs else 1
        if tiebroken:
            return Outcome(leader, "tiebreak")
        if self.rules.duels_to_win in (ours, theirs):
            return Outcome(leader, "victories")
        if hands[0]:
            return None
        if leader is not None:
            return Outcome(leader, "most")
        return Outcome(None, "tied") if self.rules.tiebreak == "none" else None

    def refusal(self, position: Position, player: int, move: int) -> str:
        # The number itself stays unsaid: a slip may tell what was meant to be secret.
        left = ", ".join(map(str, self.legal(position, player)))
        return f"That power is not among yours; left: {left}."

    def explain(self, position: Position, outcome: Outcome, names: tuple[str, str]) -> str:
        if outcome.winner is None:
            so_far = "the final duel" if outcome.reason == "tiebreak" else "all duels"
            return f"The score is tied after {so_far}: the game is a draw."
        winner = names[outcome.winner]
        victories = position.score[outcome.winner]
        if outcome.reason == "victories":
            return f"{winner} has won {count_word(victories)} duel{'s' * (victories > 1)} and wins the game!"
        if outcome.reason == "tiebreak":
            return f"{winner} has won the final duel and wins the game!"
        return (
            f"All powers are used. {winner} has won more duels and wins the game, "
            f"{counted(victories, 'victory', 'victories')} to {position.score[1 - outcome.winner]}!"
        )


def _without(hand: Hand, power: int) -> Hand:
    used = hand.index(power)
    return hand[:used] + hand[used + 1 :]
