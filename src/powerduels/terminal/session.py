"""A game at the keyboard from its first prompt to its end: turns, commands, saving."""

import os
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

from powerduels import DONE, FAILED, INTERRUPTED
from powerduels.core import IllegalMove, PowerduelsError, UnreadableText, move_count
from powerduels.match import Match
from powerduels.players import Person, Program
from powerduels.store import ChangedElsewhere, SavedGame, StoreError, games_folder
from powerduels.terminal.console import Console, EndOfInput
from powerduels.terminal.dialogue import TakeBack, open_dialogue
from powerduels.text import counted, format_ply, listed, shown

T = TypeVar("T")

COMMANDS = {
    "help": "this list, and how a move is typed",
    "rules": "the rules of this game and how its doubts are decided",
    "moves": "every move you can make now",
    "hint": "the best moves and why",
    "undo": "take the last move back",
    "save": "say where the game is saved; save FILE writes a copy",
    "resign": "give the game to your opponent",
    "quit": "leave; the game is saved and can be resumed",
}
WHOLE_WORD = "resign"
"""A command that is not to be given by a slip of the finger."""
MOST_MOVES_SHOWN = 1000


class Quit(Exception):
    """The player wants to leave."""


class Resign(Exception):
    """The player at the prompt gives up."""


class Session:
    """One match between people at this keyboard and programs, kept on the disk."""

    def __init__(
        self,
        console: Console,
        match: Match,
        players: Sequence[Person | Program],
        open_file: Callable[[], SavedGame],
    ) -> None:
        self.console = console
        self.match = match
        self._programs = {seat: player for seat, player in enumerate(players) if not isinstance(player, Person)}
        self._unnamed = [seat for seat, player in enumerate(players) if isinstance(player, Person) and not player.name]
        self._dialogue = open_dialogue(match, console, [seat not in self._programs for seat in (0, 1)])
        self._open_file = open_file
        self._file: SavedGame | None = None
        self._asked: int | None = None
        """The seat whose person was asked last."""
        self._warned = ""

    def run(self) -> int:
        """Play to the end, or until the player leaves; the exit status."""
        over = self.match.result is not None
        if over:
            self.console.say("This game is over:")
            self._dialogue.ending()
            return DONE
        try:
            self._start()
            while self.match.result is None:
                self._play_ply()
        except Quit:
            return self._leave("", DONE)
        except EndOfInput:
            return self._leave("The input has ended before the game has.", FAILED)
        except KeyboardInterrupt:
            return self._leave("Interrupted.", INTERRUPTED)
        except ChangedElsewhere as error:
            self.console.say("", f"{error} What was played here since is not saved.")
            self._say_way_back()
            return FAILED
        self._dialogue.ending()
        return self._leave("", DONE)

    def _start(self) -> None:
        if self.match.plies:
            self.console.say(f"{self.match.game.title} goes on after {counted(len(self.match.plies), 'move')}.")
        else:
            self._dialogue.welcome(self._ask, self._unnamed)
        self._dialogue.situation()

    def _play_ply(self) -> None:
        before, plies = self.match.position, len(self.match.plies)
        self._dialogue.announce(self.match.actors)
        while len(self.match.plies) == plies:
            if not self._choose(self.match.waiting_for[0]):
                return
        self._save()
        self._dialogue.played(before, self.match.plies[-1])

    def _choose(self, seat: int) -> bool:
        """Seal a choice for this seat; False if the player undoes or resigns instead."""
        if seat in self._programs:
            self.match.choose(seat, self._programs[seat].choose(self.match.view(seat)))
            return True
        try:
            self.match.choose(seat, self._answer(seat))
        except IllegalMove as error:
            self.console.say(str(error))
        except TakeBack:
            self._take_back(seat)
            return False
        except Resign:
            self.match.resign(seat)
            self._save()
            return False
        return True

    def _answer(self, seat: int) -> Any:
        self._asked = seat
        return self._dialogue.choose(seat, self._ask)

    def _ask(self, prompt: str, read: Callable[[str], T], right: str, secret: bool = False, prefixes: bool = True) -> T:
        while True:
            line = self.console.read(prompt, secret)
            try:
                if not self._obey(line, prefixes):
                    return read(line)
            except UnreadableText as error:
                if secret:
                    # What was typed in secret must not come back on the screen.
                    problem = "Type a number."
                elif not line:
                    problem = "Nothing was typed."
                elif prefixes and (line[0].isalpha() or line[0] == "?"):
                    problem = f"There is no command {shown(line)}; help lists them."
                else:
                    problem = str(error)
                self.console.say(f"{problem} {right}".rstrip())
            except PowerduelsError as error:
                self.console.say(str(error))

    def _obey(self, line: str, prefixes: bool) -> bool:
        """Carry out a command; False if the line is none."""
        word, _, argument = line.partition(" ")
        word = word.lower()
        matching = [name for name in COMMANDS if name == word or (prefixes and word and name.startswith(word))]
        if not matching or (argument and matching != ["save"]):
            return False
        if len(matching) > 1:
            raise PowerduelsError(f"{word} could be {listed(matching, 'or')}; type more of it.")
        (command,) = matching
        if command == WHOLE_WORD != word:
            raise PowerduelsError(f"{WHOLE_WORD} gives the game away; type the whole word.")
        match command:
            case "help":
                self._say_help()
                self._show_again()
            case "rules":
                self._say_rules()
                self._show_again()
            case "moves":
                self._say_moves()
                self._show_again()
            case "hint":
                self._say_hint()
                self._show_again()
            case "save":
                self._say_saved(argument.strip())
            case "quit":
                raise Quit
            case _ if self._asked is None:
                raise PowerduelsError("The game has not begun; quit leaves it.")
            case "undo":
                raise TakeBack
            case "resign":
                raise Resign
        return True

    def _say_rules(self) -> None:
        from powerduels.guide import guide_text

        self.console.say(*guide_text(self.match.game, self.console.width).splitlines())

    def _say_help(self) -> None:
        from powerduels.guide import load

        if self._asked is None:
            self.console.say("Type your name, or nothing at all.")
        else:
            self.console.say(load(type(self.match.game)).moves)
        self.console.say(*(f"  {name:<7} {purpose}" for name, purpose in COMMANDS.items()))
        self.console.say(f"The first letters of a command are enough, but for {WHOLE_WORD}.")

    def _show_again(self) -> None:
        """On a terminal what was told has pushed the situation out of sight."""
        if self.console.is_terminal and self._asked is not None:
            self._dialogue.announce_again(self._asked)

    def _say_moves(self) -> None:
        if self._asked is None:
            raise PowerduelsError("The game has not begun; there are no moves yet.")
        moves = self.match.game.legal(self.match.position, self.match.player_of(self._asked))
        texts = [format_ply(self.match.game, (move,)) for move in islice(moves, MOST_MOVES_SHOWN)]
        omitted = move_count(moves) - len(texts)
        self.console.say(f"{counted(move_count(moves), 'move')}: {' '.join(texts)}")
        if omitted:
            self.console.say(f"... and {omitted} more, up to {format_ply(self.match.game, (moves[-1],))}.")

    def _say_hint(self) -> None:
        from powerduels.hints import hint_lines

        if self._asked is None:
            raise PowerduelsError("The game has not begun; there are no moves yet.")
        self.console.say(*hint_lines(self.match, self._asked))

    def _take_back(self, seat: int) -> None:
        if self.match.unseal():
            self.console.say("Taken back; both choose again.")
            return
        plies = self.match.last_choice_of(seat) if self._programs else min(1, len(self.match.plies))
        if not plies:
            self.console.say("There is no move to take back.")
            return
        self.match.take_back(plies)
        self._save()
        self.console.say(f"Taken back: {counted(plies, 'move')}.")
        self._dialogue.situation()

    def _saved_game(self) -> SavedGame:
        if self._file is None:
            self._file = self._open_file()
        return self._file

    def _save(self, leaving: bool = False) -> bool:
        """Put the match on the disk, or tell the players plainly that it cannot be."""
        try:
            self._saved_game().save(self.match.record())
        except ChangedElsewhere:
            raise
        except StoreError as error:
            if leaving:
                self.console.say("", str(error))
            elif str(error) != self._warned and self.match.result is None:
                self.console.say("", f"{error} You can play on; every move tries again.", "")
            self._warned = str(error)
            return False
        self._warned = ""
        return True

    def _say_saved(self, copy: str) -> None:
        if copy:
            SavedGame(os.path.expanduser(copy)).save(self.match.record())
            self.console.say(f"A copy is in {copy}.")
        elif self._save():
            self._say_place()

    def _say_place(self) -> None:
        self.console.say_whole("Saved:", self.console.path(self._saved_game().path))

    def _say_way_back(self) -> None:
        path = self._saved_game().path
        if os.path.exists(path):
            self.console.say_whole("Go on with:", way_back(path))

    def _leave(self, why: str, status: int) -> int:
        try:
            saved = self._save(leaving=True)
        except ChangedElsewhere as error:
            self.console.say("", str(error))
            self._say_way_back()
            return FAILED
        if why:
            self.console.say("", why)
        if saved:
            self._say_place()
            if self.match.result is None:
                self._say_way_back()
        return status if saved or status == INTERRUPTED else FAILED


def way_back(path: str) -> str:
    """The command that goes on with the game in this file, which was played last of all."""
    from shlex import quote
    from shutil import which

    program = "powerduels"
    if not which(program):
        started = sys.argv[0]
        by_module = os.path.basename(started) == "__main__.py"
        program = f"{quote(sys.executable)} -m powerduels" if by_module else quote(started)
    newest = os.path.dirname(path) == games_folder()
    return f"{program} resume{'' if newest else ' ' + quote(path)}"
