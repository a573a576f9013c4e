"""A game seen afterwards: what each move gave away, where it turned, and what was skill and what luck.

Worth counts as score: a win 1, a draw 0, a loss -1.  What a move gives away is the score
before it minus the score after it, both by best play; where both choose at once, the
expected scores against the opponent's optimal mix.  What could be given away is what the
worst move there would have cost.  Where no move costs anything, nothing is marked as a
mistake and nothing counts.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from powerduels.analyse import Analysis, Choices, Expert, Judged, TurnExpert, expert
from powerduels.answers import fraction_text, short_fraction
from powerduels.core import AnyGame
from powerduels.match import Match
from powerduels.records import Record, result_json
from powerduels.solve.worth import OutOfReach, Report, Worth, gain, ignore
from powerduels.text import counted, format_ply, listed, option_texts

BEST, GOOD, MISTAKE, SLIPS, LOSES, BLUNDER, UNKNOWN = (
    "best", "good", "mistake", "slips", "loses", "blunder", "unknown",
)  # fmt: skip
MARKS_TOLD = {
    BEST: "best",
    GOOD: "good",
    MISTAKE: "gives away",
    SLIPS: "lets a win slip",
    LOSES: "loses a drawn position",
    BLUNDER: "turns a win into a loss",
    UNKNOWN: "unknown",
}
"""What each mark says to people."""

MARKS_OF_LOSS = {(1, 0): SLIPS, (0, -1): LOSES, (1, -1): BLUNDER}
"""The mark of a move, by the score before it and after it."""

SIGNS = {1: "+", 0: "=", -1: "-"}
WORDS = {1: "win", 0: "draw", -1: "loss"}

MOST_BETTER = 5
"""So many better moves are named."""

SCALE = 20
"""Columns from a draw to a win, where scores are drawn along a line."""

ROW = 50
"""Plies in a row of the course."""

Style = Callable[[str, str], str]
"""Shows a text in the colour of a win, a draw or a loss."""


class Reviewed(NamedTuple):
    """One player's move in one ply."""

    ply: int
    """Counted from 1."""
    seat: int
    move: str
    mark: str
    given_away: Fraction | None
    at_stake: Fraction | None
    """What the worst move would have given away; None where that is out of reach."""
    better: list[str]
    """Moves that keep the worth, where this one does not."""


class Review(NamedTuple):
    """A record with what is known about it."""

    record: Record
    moves: list[Reviewed]
    course: list[Fraction | None]
    """The score of seat 1 by best play, at the start and after each ply; None where it is out of reach."""
    luck: list[Fraction | None]
    """For each ply, how much better for seat 1 it fell than what both chose deserved."""

    def accuracy(self, seat: int) -> Fraction | None:
        """Of what a player could have given away, how much was kept, in percent; None if there was nothing."""
        stakes = [move for move in self.moves if move.seat == seat and move.at_stake]
        at_stake = sum((move.at_stake or Fraction() for move in stakes), Fraction())
        given = sum((move.given_away or Fraction() for move in stakes), Fraction())
        return 100 * (1 - given / at_stake) if at_stake else None

    def given_away(self, seat: int) -> Fraction:
        return sum((move.given_away or Fraction() for move in self.moves if move.seat == seat), Fraction())

    @property
    def fortune(self) -> Fraction:
        """What seat 1 gained by how the plies fell; where players take turns, nothing falls."""
        return sum((fall or Fraction() for fall in self.luck), Fraction())

    @property
    def turning_point(self) -> Reviewed | None:
        """The mistake that decided the game.

        Where players take turns, the last one: after it nothing was given away any more.
        Where both choose at once, the one that cost most, the first of them.
        """
        mistakes = [move for move in self.moves if move.given_away]
        if not mistakes:
            return None
        if self.record.game.kind.simultaneous:
            return max(mistakes, key=lambda move: (move.given_away or 0, -move.ply))
        return mistakes[-1]


def review(record: Record, report: Report = ignore) -> Review:
    """Judge every move of a record exactly, as far as that is within reach."""
    match = Match.from_record(record)
    expert_on_game = _expert_or_none(record.game, report)
    moves: list[Reviewed] = []
    luck: list[Fraction | None] = []
    analyses = [_analysis(expert_on_game, position) for position in match.positions]
    course = [_score(match, analysis) for analysis in analyses]
    for number, (ply, position, analysis) in enumerate(zip(match.plies, match.positions, analyses, strict=False), 1):
        before, after = course[number - 1], course[number]
        fallen = None if before is None or after is None else after - before
        for player, move in zip(record.game.actors(position), ply, strict=True):
            seat = match.seat_of(player)
            judged = Reviewed(number, seat, record.game.move_codec.format(move), UNKNOWN, None, None, [])
            if expert_on_game is not None and analysis is not None:
                judged = _judged(expert_on_game, judged, analysis, player, move)
            moves.append(judged)
            # A choice costs what it gives away; the rest is how the ply fell.
            if fallen is not None and judged.given_away is not None:
                fallen += judged.given_away if seat == 0 else -judged.given_away
        luck.append(fallen)
    return Review(record, moves, course, luck)


def _expert_or_none(game: AnyGame, report: Report) -> Expert | None:
    try:
        return expert(game, report)
    except OutOfReach:
        return None


def _analysis(expert_on_game: Expert | None, position: Any) -> Analysis | None:
    if expert_on_game is None:
        return None
    try:
        if isinstance(expert_on_game, TurnExpert) and expert_on_game.oracle.searches:
            return _quick_analysis(expert_on_game, position)
        return expert_on_game.analyse(position)
    except OutOfReach:
        return None


def _quick_analysis(expert_on_game: TurnExpert, position: Any) -> Analysis | None:
    """What is known without a long search; moves of which nothing is known are omitted."""
    game, oracle = expert_on_game.game, expert_on_game.oracle
    actors = game.actors(position)
    if not actors:
        return expert_on_game.analyse(position)
    (player,) = actors
    legal = game.legal(position, player)
    found = {move: oracle.quick_worth(game.apply(position, (move,))) for move in legal}
    worths = {move: Worth(worth.winner, None) for move, worth in found.items() if worth is not None}
    ranked = sorted(worths, key=lambda move: gain(worths[move], player), reverse=True)
    worth = oracle.quick_worth(position)
    if worth is None and ranked and (gain(worths[ranked[0]], player) == 1 or len(ranked) == len(legal)):
        worth = worths[ranked[0]]
    if worth is None:
        return None
    judged = [Judged(move, worths[move], worths[move].winner == worth.winner) for move in ranked]
    return Analysis(position, worth, {player: Choices(judged, len(legal) - len(judged))})


def _score(match: Match, analysis: Analysis | None) -> Fraction | None:
    return None if analysis is None else _score_of_position(analysis.worth, match.player_of(0))


def _score_of_position(worth: Worth | Fraction, player: int) -> Fraction:
    if isinstance(worth, Worth):
        return Fraction(gain(worth, player))
    return worth if player == 0 else -worth


def _judged(expert_on_game: Expert, unknown: Reviewed, analysis: Analysis, player: int, move: Any) -> Reviewed:
    choices = analysis.choices[player]
    worth = next((one.worth for one in choices.moves if one.move == move), None)
    if worth is None and isinstance(expert_on_game, TurnExpert) and not expert_on_game.oracle.searches:
        # Of very many moves not all are listed.
        worth = expert_on_game.oracle.worth_of_move(analysis.position, move)
    if worth is None:
        return unknown
    best, score = _score_of_position(analysis.worth, player), _score_of_move(worth, player)
    worst = min(score, *(_score_of_move(one.worth, player) for one in choices.moves))
    given_away = best - score
    return unknown._replace(
        mark=_mark(choices, worth, best, score),
        given_away=given_away,
        at_stake=None if choices.omitted and worst > -1 and best > -1 and _searches(expert_on_game) else best - worst,
        better=_better(expert_on_game.game, choices) if given_away else [],
    )


def _searches(expert_on_game: Expert) -> bool:
    return isinstance(expert_on_game, TurnExpert) and expert_on_game.oracle.searches


def _score_of_move(worth: Worth | Fraction, player: int) -> Fraction:
    """What a judged move is worth to who makes it."""
    return Fraction(gain(worth, player)) if isinstance(worth, Worth) else worth


def _mark(choices: Choices, worth: Worth | Fraction, best: Fraction, score: Fraction) -> str:
    if not isinstance(worth, Worth):
        return MISTAKE if score < best else BEST
    if score < best:
        return MARKS_OF_LOSS[int(best), int(score)]
    fastest = choices.moves[0].worth
    assert isinstance(fastest, Worth)
    return BEST if worth.plies == fastest.plies else GOOD


def _better(game: AnyGame, choices: Choices) -> list[str]:
    keeping = [one.move for one in choices.moves if one.keeps]
    return [game.move_codec.format(move) for move in keeping[:MOST_BETTER]]


def review_json(reviewed: Review) -> dict[str, Any]:
    """A review as interface and scripts know it; scores and percentages are exact fractions in texts."""
    record, turning = reviewed.record, reviewed.turning_point
    return {
        "game": record.game.id,
        "rules": option_texts(record.game),
        "players": record.players,
        "first": record.first + 1,
        "moves": [_move_json(move) for move in reviewed.moves],
        "course": [_text(score) for score in reviewed.course],
        "accuracy": {str(seat + 1): _text(reviewed.accuracy(seat)) for seat in (0, 1)},
        "given_away": {str(seat + 1): _text(reviewed.given_away(seat)) for seat in (0, 1)},
        "luck": _text(reviewed.fortune) if record.game.kind.simultaneous else None,
        "turning_point": None if turning is None else {"ply": turning.ply, "seat": turning.seat + 1},
        "result": record.result and result_json(record.result),
    }


def _move_json(move: Reviewed) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "seat": move.seat + 1,
        "move": move.move,
        "mark": move.mark,
        "given_away": _text(move.given_away),
        "at_stake": _text(move.at_stake),
        "better": move.better,
    }


def _text(score: Fraction | None) -> str | None:
    return None if score is None else fraction_text(score)


def plain(worth: str, text: str) -> str:
    """The style of a pipe: none."""
    return text


def review_lines(reviewed: Review, style: Style = plain) -> list[str]:
    """A review for people, each line within 80 columns unless a name is long."""
    match = Match.from_record(reviewed.record)
    lines = [f"{match.game.title}: {match.names[0]} (seat 1) against {match.names[1]} (seat 2)", ""]
    lines += _move_lines(reviewed, match, style)
    drawn = _scores_drawn if match.game.kind.simultaneous else _course_drawn
    lines += ["", *drawn(reviewed, style), ""]
    lines += [_accuracy_line(reviewed, match, seat) for seat in (0, 1)]
    if match.game.kind.simultaneous:
        lines += _luck_lines(reviewed, match)
    lines.append(_turning_line(reviewed, match))
    lines.append(_ending_line(reviewed, match))
    return lines


def _move_lines(reviewed: Review, match: Match, style: Style) -> list[str]:
    longest = max(map(len, match.names))
    lines = []
    for move in reviewed.moves:
        told = MARKS_TOLD[move.mark]
        if move.at_stake == 0:
            told = (
                "no choice could be a mistake"
                if match.game.kind.simultaneous
                else f"{told}; no move could be a mistake"
            )
        elif move.mark == MISTAKE:
            told = f"gives away {short_fraction(move.given_away or 0)}"
        better = f"; better: {', '.join(move.better)}" if move.better else ""
        score = None if move.given_away is None else _sign_after(reviewed, move)
        sign = "?" if score is None else style(WORDS[score], SIGNS[score])
        lines.append(f"{move.ply:>4}  {match.names[move.seat]:<{longest}}  {move.move:<8} {sign} {told}{better}")
    return lines


def _sign_after(reviewed: Review, move: Reviewed) -> int | None:
    """Who is ahead after a move, for who made it."""
    score = reviewed.course[move.ply]
    if score is None:
        return None
    own = score if move.seat == 0 else -score
    return (own > 0) - (own < 0)


def _course_drawn(reviewed: Review, style: Style) -> list[str]:
    """A column for each position, higher where seat 1 is better off."""
    lines = ["The course for seat 1, from the start on:"]
    for begin in range(0, len(reviewed.course), ROW):
        part = reviewed.course[begin : begin + ROW]
        for score in (1, 0, -1):
            cells = "".join(style(WORDS[score], SIGNS[score]) if cell == score else " " for cell in part)
            lines.append(f"  {style(WORDS[score], SIGNS[score])} {cells.rstrip()}".rstrip())
        if None in part:
            lines.append(f"  ? {''.join('?' if cell is None else ' ' for cell in part)}".rstrip())
        lines.append(f"    {''.join(_tick(begin + place) for place in range(len(part)))}".rstrip())
    return lines


def _tick(ply: int) -> str:
    return "|" if ply % 10 == 0 else "."


def _scores_drawn(reviewed: Review, style: Style) -> list[str]:
    """A line for each position, with the expected score of seat 1 between a loss and a win."""
    plies = [format_ply(reviewed.record.game, ply) for ply in reviewed.record.plies]
    lines = [
        "The expected score of seat 1:",
        f"{' ' * 18}{style('loss', '-')}{' ' * (2 * SCALE - 1)}{style('win', '+')}",
    ]
    for text, score in zip(["at the start", *plies], reviewed.course, strict=True):
        if score is None:
            lines.append(f"  {text:<16}?")
            continue
        place = round(score * SCALE) + SCALE
        sign = (score > 0) - (score < 0)
        cells = ["|" if at == SCALE else "." for at in range(2 * SCALE + 1)]
        cells[place] = style(WORDS[sign], SIGNS[sign])
        lines.append(f"  {text:<16}{''.join(cells)}")
    return lines


def _accuracy_line(reviewed: Review, match: Match, seat: int) -> str:
    name, accuracy = match.names[seat], reviewed.accuracy(seat)
    own = [move for move in reviewed.moves if move.seat == seat]
    unknown = sum(move.mark == UNKNOWN for move in own)
    beyond = f" {counted(unknown, 'move')} could not be settled within reach." if unknown else ""
    if accuracy is None:
        return (
            f"{name}: no choice here could be a mistake.{beyond}"
            if len(own) > unknown
            else f"{name}:{beyond or ' no move yet.'}"
        )
    matters = sum(bool(move.at_stake) for move in own)
    wrong = sum(bool(move.given_away) for move in own)
    mistakes = f"{counted(wrong, 'mistake')} in {counted(matters, 'choice')} that mattered"
    return f"{name}: accuracy {round(accuracy)} %, {mistakes}.{beyond}"


def _luck_lines(reviewed: Review, match: Match) -> list[str]:
    if None in reviewed.course:
        return []
    given = [f"{match.names[seat]} gave away {short_fraction(reviewed.given_away(seat))}" for seat in (0, 1)]
    fortune = reviewed.fortune
    lucky = match.names[0 if fortune > 0 else 1]
    luck = f"{lucky} was luckier, by {short_fraction(abs(fortune))}." if fortune else "Neither was luckier."
    return [f"Skill: {listed(given)} of expected score.", f"Luck, in how the duels fell: {luck}"]


def _turning_line(reviewed: Review, match: Match) -> str:
    turning = reviewed.turning_point
    if turning is None:
        known = [score for score in reviewed.course if score is not None]
        if len(known) < len(reviewed.course):
            return "Where it turned cannot be told: not every position could be settled."
        return "The game never turned: nobody gave anything away."
    unknown_later = any(move.mark == UNKNOWN and move.ply > turning.ply for move in reviewed.moves)
    hedge = ", as far as could be settled" if unknown_later else ""
    return f"It turned at move {turning.ply}, {turning.move} by {match.names[turning.seat]}{hedge}."


def _ending_line(reviewed: Review, match: Match) -> str:
    last, result = reviewed.course[-1], match.result
    if result is None:
        if last is None:
            return "The game is not over; who wins from here is not known."
        standing = f"the expected score of seat 1 is {short_fraction(last)}"
        if not match.game.kind.simultaneous:
            standing = "it is a draw by best play" if last == 0 else f"{match.names[last < 0]} wins by best play"
        return f"The game is not over: {standing}."
    if result.by == "resigned" and last is not None and result.winner is not None:
        loser = 1 - result.winner
        own = last if loser == 0 else -last
        if own >= 0:
            held = "ahead" if own > 0 else "not behind"
            return f"{result.reason} By best play {match.names[loser]} was {held} then."
    return result.reason
