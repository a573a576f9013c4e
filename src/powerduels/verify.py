"""Checks a certificate of who wins a game, with rules of its own: this file needs nothing but Python.

    python verify.py FILE [--json]        exit status: 0 valid, 1 refused, 2 wrong usage

It follows the strategies in the file from the start of the game against every reply; all arithmetic is exact.
"""

import gzip
import json
import sys
from fractions import Fraction
from itertools import pairwise
from typing import Any

LONGEST_LINE = 1_000_000  # bytes, and digits
SIDES = {"first": (0,), "second": (1,), "draw": (0, 1)}  # Whose strategies prove a claim; player 0 starts.
SAYS = {"first": "the player who starts wins", "second": "the player who goes second wins", "draw": "it is a draw"}
RANGE = "an option is out of range"


def demand(condition: object, message: str) -> None:
    if not condition:
        raise ValueError(message)


def option(text: str) -> Any:
    """The value of an option: a number, some numbers in ascending order, a word, or None for the word none."""
    if not text.replace(",", "").isdigit():
        return None if text == "none" else text
    numbers = sorted({int(part) for part in text.split(",")})
    demand(",".join(map(str, numbers)) == text, f"{text} is not written as an option should be")
    return tuple(numbers) if len(numbers) > 1 else numbers[0]


class DoubleUp:  # A position is the last number N; the next is any from N + 1 to 2N that is not above the limit.
    def __init__(self, start: int, limit: int | None) -> None:
        demand(start >= 1 and (limit is None or start <= limit <= 10**18), RANGE)
        self.start, self.limit = start, limit

    def follow(self, side: int, must_win: bool, lines: "Lines") -> None:
        """Check the numbers to hand over: whatever is replied to one, the next can be reached from there."""
        if self.limit is None:
            demand(lines.next() == {"add": 1} and not must_win, "only adding 1 goes on for ever")
            return  # N + 1 is never above 2N, so whoever adds 1 is never stuck.
        chain = lines.next()["hand_over"]
        demand({*map(type, chain)} == {int}, "here must stand numbers to hand over")
        begun = self.start == chain[0] if side else self.start < chain[0] <= 2 * self.start
        demand(begun, f"{chain[0]} cannot be handed over first")
        for number, following in pairwise(chain):
            lowest, highest = number + 1, min(2 * number, self.limit)
            demand(highest < following <= 2 * lowest, f"after {number}, {following} is not in reach from every reply")
        demand(chain[-1] == self.limit, "the last number must be the limit, for from there nobody can move")


class TurnGame:
    def follow(self: Any, side: int, must_win: bool, lines: "Lines") -> None:
        """Play a strategy against every reply.

        Every game tells by `look` a position's rank, which no move makes fall, who moves, and if nobody does, who has
        won.  Positions are taken by their rank, so that none comes back once its rank is done.  Where the strategy
        must win, each of its moves must raise the rank, which cannot go on for ever: so every game comes to an end.
        """
        rank, met, waiting = None, dict[Any, int](), dict[Any, dict[Any, int]]()

        def arrive(position: Any) -> Any:
            its_rank, turn, winner = self.look(position)
            if turn is None:
                held = winner == side or (winner is None and not must_win)
                demand(held, f"this leads to {self.text(position)}, which is not the end it should be")
            elif position not in met:
                waiting.setdefault(its_rank, {})[position] = turn
            return its_rank

        arrive(self.start)
        while waiting:
            before, rank = rank, min(waiting)
            batch = waiting.pop(rank)
            met = {**met, **batch} if rank == before else batch
            for position, turn in batch.items():
                for _, reached in self.replies(position) if turn != side else ():
                    arrive(reached)
            named = {self.text(position): position for position, turn in batch.items() if turn == side}
            while named:
                text, move = lines.next()
                demand(text in named, "the strategy does not lead there, or not yet")
                found = [reached for name, reached in self.replies(named.pop(text)) if name == move]
                demand(found, "this move is not legal there")
                demand(arrive(found[0]) > rank or not must_win, "this move gets no nearer to the end")


class PowerMatch(TurnGame):  # A position: base and exponent of player 0, then of player 1; 0 while open.
    def __init__(self, pool: int, order: str) -> None:
        demand(4 <= pool <= 99, RANGE)
        self.turns, self.pool = {"alternate": (0, 1, 0, 1), "snake": (0, 1, 1, 0)}[order], range(1, pool + 1)
        self.start = (0, 0, 0, 0)

    def look(self, at: Any) -> Any:
        made, first, second = 4 - at.count(0), at[0] ** at[1], at[2] ** at[3]
        winner = self.turns[3] if first == second else int(first < second)  # If equal, who completed second.
        return (made, None, winner) if made == 4 else (made, self.turns[made], None)

    def replies(self, at: Any) -> Any:
        base = 2 * self.turns[4 - at.count(0)]
        for number in self.pool:
            for place, part in ((base, "b"), (base + 1, "e")):
                if number not in at and not at[place]:
                    yield f"{number}{part}", (*at[:place], number, *at[place + 1 :])

    def text(self, at: Any) -> str:
        pool, made = ",".join(str(number) for number in self.pool if number not in at), [n or "_" for n in at]
        return f"pool={pool} expressions={made[0]}^{made[1]}:{made[2]}^{made[3]}"


class PowerUp(TurnGame):  # A position: the base, how many turns in a row it stood still where that counts, whose turn.
    def __init__(self, base: int, target: int, exponents: Any, stall_limit: int | None, stalling: str) -> None:
        self.target, self.exponents = target, exponents if isinstance(exponents, tuple) else (exponents,)
        demand(2 <= base < target <= 10**100 and stalling in ("free", "once"), RANGE)
        demand(self.exponents[0] > 0 and 1 < self.exponents[-1] <= 9 and stall_limit in (None, *range(1, 1001)), RANGE)
        self.start, self.once = (base, 0, 0), stalling == "once"
        self.limit = None if self.once else stall_limit

    def look(self, at: Any) -> Any:
        won, drawn = at[0] >= self.target, at[1] == self.limit
        return at[:2], None if won or drawn else at[2], 1 - at[2] if won else None

    def replies(self, at: Any) -> Any:
        base, still, turn = at
        for exponent in self.exponents:
            if exponent > 1 or not (self.once and still):
                counted = exponent == 1 and (self.once or self.limit)
                yield str(exponent), (base**exponent, still + 1 if counted else 0, 1 - turn)

    def text(self, at: Any) -> str:
        return f"base={at[0]} still={at[1]} turn={at[2] + 1}"


class PowerLine(TurnGame):  # A position as bytes: the places, the energy of both, who acts (2: nobody).
    # A place is 10 if empty, 10 + L with a node of player 0 at level L, 10 - L with one of player 1.  Of two mirror
    # images, which are worth the same, the one whose bytes come first stands for both.
    LEVELS = (bytes(10) + bytes(range(11)) + bytes(235), bytes(range(10, -1, -1)) + bytes(245))

    def __init__(self, length: int, nodes: int, energy: int, head_start: int, **more: Any) -> None:
        self.nodes, self.place_max, self.level_max = nodes, more.pop("place_max"), more.pop("level_max")
        self.chain, self.capture, self.ending = more.pop("chain"), more.pop("capture"), more.pop("ending").split(",")
        demand(1 <= nodes <= 21 and 1 <= energy <= 99 and 0 <= head_start <= 20 and not more, RANGE)
        demand(2 <= self.chain <= length <= 21 and 1 <= self.place_max <= self.level_max <= 10, RANGE)
        demand(self.capture in ("mover", "mutual", "takeover") and self.ending[-1] in SAYS, "no such capture or ending")
        demand({*self.ending[:-1]} <= {"chain", "power", "energy", "nodes"}, "there is no such criterion")
        demand(len({*self.ending}) == len(self.ending), "a criterion stands twice")
        self.start = bytes([10] * length + [energy + head_start, energy, 0])

    def look(self, at: bytes) -> Any:
        rank = -at[-3] - at[-2]  # Every action costs energy.
        if at[-1] < 2:
            return rank, at[-1], None
        runs = [at[:-3].translate(levels).split(b"\0") for levels in self.LEVELS]  # nodes side by side
        chain, nodes = [max(map(len, own)) for own in runs], [b"".join(own) for own in runs]
        has = {"chain": chain, "power": [*map(sum, nodes)], "energy": at[-3:-1], "nodes": [*map(len, nodes)]}
        for first, second in ([own >= self.chain for own in chain], *map(has.__getitem__, self.ending[:-1])):
            if first != second:
                return rank, None, int(first < second)
        return rank, None, {"first": 0, "second": 1}.get(self.ending[-1])

    def actions(self, line: bytes, energy: int, player: int) -> Any:
        levels, highest = line.translate(self.LEVELS[player]), min(energy, self.level_max)
        free = len(levels) - levels.count(0) < self.nodes
        for place, level in enumerate(levels):
            if line[place] == 10 and free:
                yield from ((place, new) for new in range(1, min(energy, self.place_max) + 1))
            elif 0 < level < highest:
                yield place, level + 1  # An upgrade costs the new level.

    def replies(self, at: bytes) -> Any:
        for place, level in self.actions(at[:-3], at[at[-1] - 3], at[-1]):
            yield f"{place}={level}" if at[place] == 10 else f"{place}+", self.after(at, place, level)

    def after(self, at: bytes, place: int, level: int) -> bytes:
        player, sign, line, energy = at[-1], 1 - 2 * at[-1], bytearray(at[:-3]), list(at[-3:-1])
        energy[player] -= level
        line[place], capturing = 10 + level * sign, [place]
        for here in capturing:
            for near in (here - 1, here + 1):
                if 0 <= near < len(line) and 0 < (10 - line[near]) * sign < (line[here] - 10) * sign:
                    line[near] = 20 - line[near] if self.capture == "takeover" else 10
                    capturing += [near] if self.capture == "takeover" else []
        stronger = [code for code in line[max(0, place - 1) : place + 2] if (10 - code) * sign > level]
        if stronger and self.capture == "mutual" and at[place] == 10:
            line[place] = 10  # Only a node just placed is lost.
        code = bytes(min(line, line[::-1]))
        over = max(map(len, code.translate(self.LEVELS[player]).split(b"\0"))) >= self.chain
        able = [who for who in (1 - player, player) if not over and any(self.actions(code, energy[who], who))]
        return code + bytes([*energy, able[0] if able else 2])

    def text(self, at: bytes) -> str:
        line = "".join("." if code == 10 else f"A{code - 10}" if code > 10 else f"B{10 - code}" for code in at[:-3])
        return f"line={line} energy={at[-3]}:{at[-2]} turn={at[-1] + 1}"


class ClashOfPowers:  # A position: both hands and the score.
    def __init__(self, powers: tuple[int, ...], duels_to_win: int, exact_double: str, tiebreak: str | None) -> None:
        demand(1 <= duels_to_win <= len(powers) <= 10 and powers[0] > 0, RANGE)
        self.powers, self.duels, self.double = powers, duels_to_win, {"true": True, "false": False}[exact_double]
        self.single, self.none = {"single": (True, False), "repeat": (False, False), None: (False, True)}[tiebreak]
        self.start = (powers, powers, (0, 0))

    def after(self, at: Any, one: int, other: int) -> Any:
        """The position after a duel, or the score of player 0 (1, 0 or -1) if the game is over."""
        first, second, (ours, theirs) = at
        doubled = self.double and (one == 2 * other or other == 2 * one)  # Then the lower power wins.
        ours, theirs = ours + ((one > other) != doubled), theirs + ((one < other) != doubled)
        left = tuple(power for power in first if power != one), tuple(power for power in second if power != other)
        over = self.duels in (ours, theirs) or (not left[0] and (self.none or ours != theirs))
        if over or (not first and self.single):  # Without a hand it was the final duel.
            return (ours > theirs) - (ours < theirs)
        return (*left, (ours, theirs))

    def text(self, at: Any) -> str:
        hands = ":".join(",".join(map(str, hand)) or "-" for hand in at[:2])
        return f"hands={hands} score={at[2][0]}:{at[2][1]} tiebroken=false"

    def balance(self, claim: str, lines: "Lines") -> None:
        """Check that each mix secures the value whatever the other plays."""
        entries, batch = dict[Any, Any](), {self.start}
        while batch:
            named, batch = {self.text(position): position for position in batch}, set()
            while named:
                text, value, *mixes = lines.next()
                demand(text in named and {*value} <= {*"-/0123456789"}, "no such position is due, or it has no value")
                at = named.pop(text)
                hands = [hand or self.powers for hand in at[:2]]  # In the final duel the hand is full again.
                rows, columns = ({n: mix[str(n)] for n in hand} for hand, mix in zip(hands, mixes, strict=True))
                weights, sums = [*rows.values(), *columns.values()], [sum(rows.values()), sum(columns.values())]
                fits = {*map(type, weights)} == {int} and min(weights) >= 0 < min(sums)
                demand(fits and sum(map(len, mixes)) == len(weights), "this is no mix of the hand")
                after = {(i, j): self.after(at, i, j) for i in rows for j in columns if rows[i] or columns[j]}
                demand(value == "0" or at not in after.values(), "to repeat a duel for ever counts 0")
                entries[at] = Fraction(value), rows, columns, after
                batch |= {to for to in after.values() if isinstance(to, tuple) and to not in entries}
        for at, (value, rows, columns, after) in entries.items():
            worth = {ply: entries[to][0] if to in entries else to for ply, to in after.items()}
            secured = min(sum(rows[i] * worth[i, j] for i in rows if rows[i]) for j in columns)
            allowed = max(sum(columns[j] * worth[i, j] for j in columns if columns[j]) for i in rows)
            fits = secured >= value * sum(rows.values()) and allowed <= value * sum(columns.values())
            demand(fits, f"a mix does not secure the value of {self.text(at)}")
        demand(str(entries[self.start][0]) == claim, "the start is not worth what is claimed")


class Lines:  # The lines of a file as JSON, one after the other.
    file: Any = None
    number = 0

    def next(self) -> Any:
        line, self.number = self.file.readline(LONGEST_LINE), self.number + 1
        demand(line[-1:] == b"\n", "the line is too long" if len(line) == LONGEST_LINE else "the file ends too soon")
        return json.loads(line)

    def proven(self) -> dict[str, Any]:
        version, name, rules, claim = map(self.next().get, ("format", "game", "rules", "claim"))
        demand(version == "powerduels-proof/1", "this is no certificate, or one of another version")
        games: dict[str, Any] = {"double-up": DoubleUp, "power-match": PowerMatch, "power-line": PowerLine}
        games |= {"power-up": PowerUp, "clash-of-powers": ClashOfPowers}
        game = games[name](**{key: text if key == "ending" else option(text) for key, text in rules.items()})
        if name == "clash-of-powers":
            game.balance(claim, self)
        else:
            for side in SIDES[claim]:
                demand(self.next() == {"strategy": side + 1}, f"the strategy of player {side + 1} must begin here")
                game.follow(side, claim != "draw", self)
        demand(self.next() == {"lines": self.number - 1}, "the number of lines before this one must stand here")
        demand(not self.file.read(1), "nothing may follow this line")
        told = f"Proven for {name}, {' '.join(f'{key}={text}' for key, text in rules.items())}: With these rules "
        told += f"{SAYS.get(claim, f'the expected score of seat 1 is {claim}')}."
        return {"valid": True, "statement": told, "game": name, "rules": rules, "claim": claim, "lines": self.number}


def check(path: str) -> dict[str, Any]:
    """Whether the certificate in a file is valid, and what it proves or where it fails."""
    lines = Lines()
    try:
        with open(path, "rb") as file, gzip.open(file) as unzipped:
            lines.file = unzipped if file.peek(2)[:2] == b"\x1f\x8b" else file
            return lines.proven()
    except Exception as fault:  # Whatever it is, nothing is proven.
        place = f" in line {lines.number}" if lines.number else ""
        return {"valid": False, "statement": f"Refused{place}: {fault}."}


def main(arguments: list[str]) -> int:
    paths = [argument for argument in arguments if argument != "--json"]
    if len(paths) != 1 or paths[0].startswith("-"):
        sys.stderr.write("usage: verify.py FILE [--json]\n")
        return 2
    sys.set_int_max_str_digits(LONGEST_LINE)
    result = check(paths[0])
    sys.stdout.write((json.dumps(result, indent=2) if "--json" in arguments else result["statement"]) + "\n")
    return 0 if result["valid"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
