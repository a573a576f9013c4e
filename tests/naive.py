"""The five games a second time, written from the rulebooks alone: slow, mutable and obvious.

Nothing here is shared with the package, so that an error would have to be made twice to
stay unseen.  A game is made from its options as texts, players are 1 and 2, and a move is
its text: `4/8` for a duel, `7b`, `17`, `5=2`, `5+`, `3`.
"""

import copy


class NaiveGame:
    """What the five have in common: ask for the choices, do a move, see who has won."""

    def __init__(self, options: dict[str, str]) -> None:
        raise NotImplementedError

    def choices(self) -> dict[int, list[str]]:
        """For each player who must choose now, everything this player may choose."""
        raise NotImplementedError

    def do(self, move: str) -> None:
        """Play a move that is among the choices."""
        raise NotImplementedError

    def finished(self) -> bool:
        raise NotImplementedError

    def winner(self) -> int | None:
        """1 or 2, or None for a draw, once the game is finished."""
        raise NotImplementedError

    def state(self) -> object:
        """Everything that matters for the rest of the game, as something to compare and count."""
        raise NotImplementedError

    def moves(self) -> list[str]:
        """Every text that `do` takes now: a choice, or a pair of choices joined by a slash."""
        choices = self.choices()
        if 1 in choices and 2 in choices:
            return [f"{mine}/{yours}" for mine in choices[1] for yours in choices[2]]
        return [move for player in choices for move in choices[player]]

    def after(self, move: str) -> "NaiveGame":
        """A copy of this game with one more move played."""
        other = copy.deepcopy(self)
        other.do(move)
        return other


class NaiveClashOfPowers(NaiveGame):
    def __init__(self, options: dict[str, str]) -> None:
        self.powers = [int(power) for power in options["powers"].split(",")]
        self.duels_to_win = int(options["duels_to_win"])
        self.exact_double = options["exact_double"] == "true"
        self.tiebreak = options["tiebreak"]
        self.hands = {1: list(self.powers), 2: list(self.powers)}
        self.score = {1: 0, 2: 0}
        self.final_duel_result = ""

    def duel_winner(self, first: int, second: int) -> int | None:
        if first == second:
            return None
        higher = 1 if first > second else 2
        lower = 2 if higher == 1 else 1
        if self.exact_double and (first == 2 * second or second == 2 * first):
            return lower
        return higher

    def all_powers_are_used(self) -> bool:
        return self.hands[1] == [] and self.hands[2] == []

    def somebody_has_enough(self) -> bool:
        return self.score[1] >= self.duels_to_win or self.score[2] >= self.duels_to_win

    def final_duel_is_due(self) -> bool:
        tied = self.all_powers_are_used() and self.score[1] == self.score[2] and not self.somebody_has_enough()
        if not tied or self.tiebreak == "none":
            return False
        if self.final_duel_result == "":
            return True
        return self.final_duel_result == "tie" and self.tiebreak == "repeat"

    def choices(self) -> dict[int, list[str]]:
        if self.finished():
            return {}
        if self.final_duel_is_due():
            return {1: [str(power) for power in self.powers], 2: [str(power) for power in self.powers]}
        return {1: [str(power) for power in self.hands[1]], 2: [str(power) for power in self.hands[2]]}

    def do(self, move: str) -> None:
        first, second = [int(part) for part in move.split("/")]
        won_by = self.duel_winner(first, second)
        if self.final_duel_is_due():
            self.final_duel_result = "tie" if won_by is None else str(won_by)
            return
        self.hands[1].remove(first)
        self.hands[2].remove(second)
        if won_by is not None:
            self.score[won_by] += 1

    def finished(self) -> bool:
        if self.somebody_has_enough():
            return True
        return self.all_powers_are_used() and not self.final_duel_is_due()

    def winner(self) -> int | None:
        if self.score[1] != self.score[2]:
            return 1 if self.score[1] > self.score[2] else 2
        if self.final_duel_result in ("1", "2"):
            return int(self.final_duel_result)
        return None

    def state(self) -> object:
        result = self.final_duel_result
        if result == "tie" and self.tiebreak == "repeat":
            result = ""
        return tuple(self.hands[1]), tuple(self.hands[2]), self.score[1], self.score[2], result


class NaivePowerMatch(NaiveGame):
    def __init__(self, options: dict[str, str]) -> None:
        self.pool = list(range(1, int(options["pool"]) + 1))
        self.expressions: dict[int, dict[str, int]] = {1: {}, 2: {}}
        self.turn_order = [1, 2, 2, 1] if options["order"] == "snake" else [1, 2, 1, 2]
        self.turns_taken = 0
        self.completed: list[int] = []

    def player_to_move(self) -> int:
        return self.turn_order[self.turns_taken]

    def choices(self) -> dict[int, list[str]]:
        if self.finished():
            return {}
        player = self.player_to_move()
        empty_places = [place for place in ("b", "e") if place not in self.expressions[player]]
        return {player: [f"{number}{place}" for number in self.pool for place in empty_places]}

    def do(self, move: str) -> None:
        number, place = int(move[:-1]), move[-1]
        player = self.player_to_move()
        self.pool.remove(number)
        self.expressions[player][place] = number
        if len(self.expressions[player]) == 2:
            self.completed.append(player)
        self.turns_taken += 1

    def finished(self) -> bool:
        return len(self.completed) == 2

    def result(self, player: int) -> int:
        product = 1
        for _ in range(self.expressions[player]["e"]):
            product *= self.expressions[player]["b"]
        return product

    def winner(self) -> int | None:
        if self.result(1) > self.result(2):
            return 1
        if self.result(2) > self.result(1):
            return 2
        return self.completed[1]

    def state(self) -> object:
        expressions = [tuple(sorted(self.expressions[player].items())) for player in (1, 2)]
        return tuple(self.pool), expressions[0], expressions[1]


class NaiveDoubleUp(NaiveGame):
    def __init__(self, options: dict[str, str]) -> None:
        self.limit = None if options["limit"] == "none" else int(options["limit"])
        self.sequence = [int(options["start"])]
        self.numbers_used = {int(options["start"])}

    def player_to_move(self) -> int:
        return 1 if len(self.sequence) % 2 == 1 else 2

    def valid_numbers(self) -> list[int]:
        last = self.sequence[-1]
        valid = []
        for number in range(1, 2 * last + 1):
            greater = number > last
            at_most_twice = number <= 2 * last
            new = number not in self.numbers_used
            below_the_ceiling = self.limit is None or number <= self.limit
            if greater and at_most_twice and new and below_the_ceiling:
                valid.append(number)
        return valid

    def choices(self) -> dict[int, list[str]]:
        valid = self.valid_numbers()
        return {self.player_to_move(): [str(number) for number in valid]} if valid else {}

    def do(self, move: str) -> None:
        self.sequence.append(int(move))
        self.numbers_used.add(int(move))

    def finished(self) -> bool:
        return self.valid_numbers() == []

    def winner(self) -> int | None:
        return 2 if self.player_to_move() == 1 else 1

    def state(self) -> object:
        last = self.sequence[-1]
        may_still_bite = tuple(number for number in self.numbers_used if number > last)
        return last, self.player_to_move(), may_still_bite


class NaivePowerUp(NaiveGame):
    def __init__(self, options: dict[str, str]) -> None:
        self.base = int(options["base"])
        self.target = int(options["target"])
        self.exponents = [int(exponent) for exponent in options["exponents"].split(",")]
        self.stall_limit = None if options["stall_limit"] == "none" else int(options["stall_limit"])
        self.stalling = options["stalling"]
        self.history: list[int] = []
        self.turns_without_a_change = 0

    def player_to_move(self) -> int:
        return 1 if len(self.history) % 2 == 0 else 2

    def choices(self) -> dict[int, list[str]]:
        if self.finished():
            return {}
        allowed = []
        for exponent in self.exponents:
            answers_a_one = self.history[-1:] == [1]
            if self.stalling == "once" and exponent == 1 and answers_a_one:
                continue
            allowed.append(str(exponent))
        return {self.player_to_move(): allowed}

    def do(self, move: str) -> None:
        exponent = int(move)
        new_base = 1
        for _ in range(exponent):
            new_base *= self.base
        if new_base == self.base:
            self.turns_without_a_change += 1
        else:
            self.turns_without_a_change = 0
        self.base = new_base
        self.history.append(exponent)

    def target_is_reached(self) -> bool:
        return self.base >= self.target

    def stalled(self) -> bool:
        if self.stalling == "once" or self.stall_limit is None:
            return False
        return self.turns_without_a_change >= self.stall_limit

    def finished(self) -> bool:
        return self.target_is_reached() or self.stalled()

    def winner(self) -> int | None:
        if self.target_is_reached():
            return 2 if self.player_to_move() == 1 else 1
        return None

    def state(self) -> object:
        stalled_for = 0 if self.stalling == "free" and self.stall_limit is None else self.turns_without_a_change
        return self.base, self.player_to_move(), stalled_for


class NaivePowerLine(NaiveGame):
    def __init__(self, options: dict[str, str]) -> None:
        self.length = int(options["length"])
        self.nodes = int(options["nodes"])
        self.place_max = int(options["place_max"])
        self.level_max = int(options["level_max"])
        self.chain = int(options["chain"])
        self.capture = options["capture"]
        self.ending = options["ending"].split(",")
        self.energy = {1: int(options["energy"]) + int(options["head_start"]), 2: int(options["energy"])}
        self.owner: dict[int, int] = {}
        self.level: dict[int, int] = {}
        self.turn = 1
        self.chain_winner: int | None = None

    def nodes_on_the_line(self, player: int) -> list[int]:
        return [position for position in range(self.length) if self.owner.get(position) == player]

    def actions(self, player: int) -> list[str]:
        """What a player could do with the line as it is, whoever is to move."""
        found = []
        if len(self.nodes_on_the_line(player)) < self.nodes:
            affordable = [level for level in range(1, self.place_max + 1) if level <= self.energy[player]]
            for position in range(self.length):
                if position not in self.owner:
                    found += [f"{position}={level}" for level in affordable]
        for position in self.nodes_on_the_line(player):
            new_level = self.level[position] + 1
            if new_level <= self.level_max and new_level <= self.energy[player]:
                found.append(f"{position}+")
        return found

    def choices(self) -> dict[int, list[str]]:
        return {} if self.finished() else {self.turn: self.actions(self.turn)}

    def remove(self, position: int) -> None:
        del self.owner[position]
        del self.level[position]

    def opposing_neighbours(self, position: int) -> list[int]:
        """The positions next to this one where the other player has a node."""
        neighbours = [position - 1, position + 1]
        return [near for near in neighbours if near in self.owner and self.owner[near] != self.owner[position]]

    def weaker_neighbours(self, position: int) -> list[int]:
        return [near for near in self.opposing_neighbours(position) if self.level[near] < self.level[position]]

    def stronger_neighbours(self, position: int) -> list[int]:
        return [near for near in self.opposing_neighbours(position) if self.level[near] > self.level[position]]

    def do(self, move: str) -> None:
        player = self.turn
        other = 2 if player == 1 else 1
        if move.endswith("+"):
            position = int(move[:-1])
            self.level[position] += 1
        else:
            place, level = move.split("=")
            position = int(place)
            self.owner[position] = player
            self.level[position] = int(level)
        self.energy[player] -= self.level[position]

        if self.capture == "takeover":
            capturing = [position]
            while capturing:
                node = capturing.pop()
                for neighbour in self.weaker_neighbours(node):
                    self.owner[neighbour] = player
                    capturing.append(neighbour)
        else:
            for neighbour in self.weaker_neighbours(position):
                self.remove(neighbour)
            if self.capture == "mutual" and self.stronger_neighbours(position):
                self.remove(position)

        if self.longest_chain(player) >= self.chain:
            self.chain_winner = player
        self.turn = other if self.actions(other) else player

    def finished(self) -> bool:
        return self.chain_winner is not None or (self.actions(1) == [] and self.actions(2) == [])

    def longest_chain(self, player: int) -> int:
        longest = 0
        for start in range(self.length):
            size = 0
            while self.owner.get(start + size) == player:
                size += 1
            longest = max(longest, size)
        return longest

    def measure(self, criterion: str, player: int) -> int:
        if criterion == "chain":
            return self.longest_chain(player)
        if criterion == "power":
            return sum(self.level[position] for position in self.nodes_on_the_line(player))
        if criterion == "energy":
            return self.energy[player]
        assert criterion == "nodes"
        return len(self.nodes_on_the_line(player))

    def winner(self) -> int | None:
        if self.chain_winner is not None:
            return self.chain_winner
        for criterion in self.ending[:-1]:
            if self.measure(criterion, 1) != self.measure(criterion, 2):
                return 1 if self.measure(criterion, 1) > self.measure(criterion, 2) else 2
        return {"first": 1, "second": 2, "draw": None}[self.ending[-1]]

    def state(self) -> object:
        line = tuple((self.owner.get(position), self.level.get(position)) for position in range(self.length))
        return line, self.energy[1], self.energy[2], None if self.finished() else self.turn


NAIVE_GAMES: dict[str, type[NaiveGame]] = {
    "clash-of-powers": NaiveClashOfPowers,
    "power-match": NaivePowerMatch,
    "double-up": NaiveDoubleUp,
    "power-line": NaivePowerLine,
    "power-up": NaivePowerUp,
}
