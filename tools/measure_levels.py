"""Write docs/levels.md: how the computer's levels play, and what each gives away, exactly.

`--check` writes nothing; it says whether the page is out of date and exits with status 1 if it is.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import powerduels
from powerduels.bots.foresight import ATTENTION, FORESIGHTS
from powerduels.bots.habits import HABITS
from powerduels.bots.measure import expected_score, exploitability, losses

PAGE = Path(__file__).resolve().parent.parent / "docs" / "levels.md"
LEVELS = range(1, 6)
PLACES = 4

OPTION_SETS: dict[str, list[dict[str, str]]] = {
    "power-match": [{}, {"order": "snake"}, {"pool": "6"}, {"pool": "11"}],
    "double-up": [{}, {"limit": "31"}, {"limit": "50"}, {"limit": "200"}],
    "power-up": [
        {},
        {"target": "10^100"},
        {"stalling": "once"},
        {"stalling": "once", "target": "10^30"},
        {"exponents": "2,3,5", "target": "10^50"},
    ],
    "power-line": [
        {"energy": "5", "length": "4", "nodes": "3"},
        {"capture": "mutual", "energy": "4", "length": "5"},
        {"capture": "takeover", "chain": "3", "energy": "4", "length": "5"},
    ],
}
PRESETS = (None, "sharp")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="say whether the page is out of date, write nothing")
    checking = parser.parse_args(arguments).check
    text = page_text()
    if PAGE.exists() and PAGE.read_text("utf-8") == text:
        return 0
    if checking:
        print(f"{PAGE} is out of date; python tools/measure_levels.py writes it anew.", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"{PAGE} is written.")
    return 0


def page_text() -> str:
    """The whole page, in Markdown."""
    return "\n\n".join(_parts()) + "\n"


def _parts() -> Iterable[str]:
    yield "# The computer's levels"
    yield (
        "`computer:1` to `computer:5` play as people do who see more and more; 5 is perfect. This page is written by "
        "`python tools/measure_levels.py`, which computes every figure exactly and rounds it to "
        f"{PLACES} decimals; `--check` says whether it is out of date."
    )
    yield "## Where one player chooses at a time"
    yield (
        "A level looks a few plies ahead, at the moves that strike the eye first, and judges what it does not see to "
        "the end by its looks: in Power Line by the chain, from level 2 on by the power as well and from level 3 on "
        "by the energy, elsewhere not at all. What strikes the eye: in Power Match high numbers; in Double Up the "
        "limit, the greatest number below its half, the greatest below half of that, then high numbers; in Power Up "
        "low exponents, which are easy to calculate; in Power Line what looks good at once. Of more than 48 moves "
        f"only some are seen, and where more than {ATTENTION:,} positions would have to be pictured, it looks fewer "
        "plies ahead. Among moves that are alike to it, the seed, the player and the number of the ply decide, so a "
        "game that was interrupted or taken back goes on as it would have."
    )
    sights = [(str(level), str(plies), str(answers)) for level, (plies, answers, _) in FORESIGHTS.items()]
    yield table(("Level", "Plies looked ahead", "Answers looked at"), sights)
    yield (
        "Level 5 knows the worth of every move: it keeps a won or drawn position, and wins as soon as can be. "
        "When it is lost it keeps the game long and leaves the fewest winning answers; in a draw it leaves the "
        "fewest moves that hold it. In Power Line with much energy left, where every answer takes a search, it plays "
        "any move that wins if it finds out within about a second who does; if not, or if it is lost, it compares a "
        "few moves that strike the eye by how many answers to them can win. Where exact answers are out of reach "
        "altogether it looks ahead like level 4."
    )
    yield (
        "The tables show what each level gives away, as score (a win 1, a draw 0, a loss -1), on the average over "
        "all positions that can be reached in which a choice matters: some move keeps the worth and some does not. "
        "Moves that are alike to the level count equally. In brackets, how many of its choices there are mistakes. "
        "Where a game has nothing beyond what a level sees, it plays perfectly: Power Match lasts four plies, and "
        "the one trap of Power Up by default is two plies deep."
    )
    yield (
        "In play, too, each level beats the one below: the tests let them meet over many option sets from both "
        "seats, and require a result that equally strong players would reach less than once in a thousand times."
    )
    for game_id, option_sets in OPTION_SETS.items():
        yield f"### {powerduels.GAMES[game_id].title}"
        head = ("Options", "Positions", *(f"Level {level}" for level in LEVELS))
        yield table(head, [_losses_row(game_id, options) for options in option_sets])
    yield "## Clash of Powers"
    yield (
        "There the levels have habits, each a known mix of choices in every position. Level 1 always plays its "
        "highest power. Level 2 fears the double: one time in three it plays half of the highest power against it, "
        "or else the highest that nothing can halve, and otherwise anything. Level 3 repeats what won: half of the "
        "time it plays an optimal mix, one time in three the power most like the one that has just won, or another "
        "one after a defeat, and otherwise anything. Level 4 plays an optimal mix four times in five, and else like "
        "that. Level 5 draws from an optimal mix that punishes: every choice that is in no optimal mix loses "
        "against it."
    )
    yield (
        "What an opponent who knows the habit can gain on it at most (its exploitability, exact by a best answer in "
        "every position), and what each level scores against the one below:"
    )
    yield table(("Options", "", *(f"Level {level}" for level in LEVELS)), list(_habit_rows()))
    yield "## Accuracy"
    yield (
        "`powerduels review` gives each player an accuracy: of all the score that the player's worst moves would have "
        "given away, how much was kept, in percent: 100 * (1 - given away / at stake). What a move gives away is the "
        "best score in the position minus the score of the move, and what is at stake is the best score minus that "
        "of the worst move; in Clash of Powers these are expected scores against the opponent's optimal mix. "
        "Positions in which every move is as good as any other put nothing at stake, and a player for whom that is "
        "true of all has no accuracy. Of more than 1,000 moves, 1,000 are looked at for the worst."
    )


def _losses_row(game_id: str, options: dict[str, str]) -> list[str]:
    game = powerduels.game(game_id, **options)
    measured = [losses(game, level) for level in LEVELS]
    cells = [f"{decimals(one.given_away)} ({percent(one.mistakes)})" for one in measured]
    return [_told(options), f"{measured[0].decisions:,}", *cells]


def _habit_rows() -> Iterable[list[str]]:
    for preset in PRESETS:
        game = powerduels.game("clash-of-powers", preset=preset)
        told = f"preset `{preset}`" if preset else "default"
        yield [told, "exploitability", *(decimals(exploitability(game, habit)) for habit in HABITS)]
        against = [decimals(expected_score(game, (habit, below))) for below, habit in pairwise(HABITS)]
        yield [told, "against the level below", "", *against]


def _told(options: dict[str, str]) -> str:
    return f"`{' '.join(map('='.join, options.items()))}`" if options else "default"


def decimals(number: Fraction, places: int = PLACES) -> str:
    """Rounded, but never to 0 unless it is 0."""
    rounded = round(number * 10**places)
    if rounded == 0:
        return "0" if number == 0 else f"under 0.{'1':0>{places}}"
    sign, digits = "-" if rounded < 0 else "", str(abs(rounded)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def percent(share: Fraction) -> str:
    return f"{decimals(share * 100, 1)} %"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
