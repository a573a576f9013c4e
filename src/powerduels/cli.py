"""The command line: what can be typed after `powerduels`, and nothing else.

Every command lives in a function of its own and imports what it needs when it runs, for
the start of the program must not pay for commands that were not given.
"""

import os
import sys
from contextlib import contextmanager

from powerduels import DONE, FAILED, INTERRUPTED, TYPE_CHECKING, WRONG_USAGE, __version__

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    from powerduels.core import AnyGame
    from powerduels.solve.worth import Report
    from powerduels.store import Listed

PLAYERS = "human, human:NAME, computer:LEVEL (1 to 5) or random"


def main(arguments: list[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    if not _prepare_streams():
        return _fail("Standard output is closed.", FAILED)
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED)
    except BrokenPipeError:
        return _silence()
    except OSError as error:
        _silence()
        return _fail(f"Reading or writing failed: {error.strerror}.", FAILED)
    return status


class UsageError(Exception):
    """The command line names what does not exist or contradicts itself."""


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        # Scripts ask for it often; it need not wait for the parser.
        print(f"powerduels {__version__}")
        return DONE
    from powerduels.core import OptionError, PowerduelsError
    from powerduels.players import PlayerError

    try:
        options = _parser(arguments).parse_args(arguments)
        status: int = options.run(options)
    except (OptionError, PlayerError, UsageError) as error:
        return _fail(str(error), WRONG_USAGE)
    except PowerduelsError as error:
        return _fail(str(error), FAILED)
    except SystemExit as parsed:
        # The parser has answered --help, or refused.
        return int(parsed.code or DONE)
    return status


def _prepare_streams() -> bool:
    """Let closed streams be as good as empty ones; False if nothing can be put out at all."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 (open as long as the program runs)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (likewise)
    if sys.stdout is None:
        return False
    # A name that the output cannot show must not end the program.
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    return True


def _fail(message: str, status: int) -> int:
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:
            _silence()
    line = "".join(sign if sign.isprintable() else "?" for sign in message)
    print(f"powerduels: {line}", file=sys.stderr)
    return status


def _silence() -> int:
    """Nobody reads the output any more: leave without a word about it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _parser(arguments: list[str]) -> "ArgumentParser":
    """The parser of the whole command line; only commands that are named get their arguments."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    class Formatter(RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            # Given no width, argparse looks for the terminal's, which costs a fifth of the whole start.
            super().__init__(prog, width=80)

    class Parser(ArgumentParser):
        def __init__(self, **settings: "Any") -> None:
            super().__init__(formatter_class=Formatter, allow_abbrev=False, **settings)

        def parse_known_args(self, args: "Any" = None, namespace: "Any" = None) -> "Any":
            # The command that was given what it does not know says so, for it knows what it can be given.
            parsed, unknown = super().parse_known_args(args, namespace)
            if unknown:
                self.error(self._unknown(unknown[0]))
            return parsed, unknown

        def _unknown(self, word: str) -> str:
            from powerduels.text import nearest, shown

            if not word.startswith("-"):
                return f"{shown(word)} is too much."
            name, _, _ = word.partition("=")
            return f"There is no option {shown(name)}. {nearest(name, self._option_string_actions)}"

        def error(self, message: str) -> "NoReturn":
            self.exit(WRONG_USAGE, f"{self.prog}: {' '.join(message.split())}\nSee {self.prog} --help.\n")

    parser = Parser(
        prog="powerduels",
        description="Five two-player number games.\nWithout a command, on a terminal: pick a game and play.",
        epilog="Example: powerduels play power-up --p2 random",
    )
    parser.add_argument("--version", action="version", version=f"powerduels {__version__}")
    parser.set_defaults(run=lambda options: _start(parser))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="powerduels", parser_class=Parser)
    for name, (run, add_arguments, purpose, example) in COMMANDS.items():
        command = commands.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.", epilog=f"Example: {example}"
        )
        command.set_defaults(run=run)
        if name in arguments:
            add_arguments(command)
    return parser


def _add_game_and_json(parser: "ArgumentParser") -> None:
    _add_game(parser)
    _add_json(parser)


def _add_play(parser: "ArgumentParser") -> None:
    _add_game(parser)
    for seat in (1, 2):
        parser.add_argument(f"--p{seat}", metavar="WHO", default="human", help=f"who sits at seat {seat}: {PLAYERS}")
    parser.add_argument("--first", choices=("1", "2", "random"), default="1", help="which seat starts (1)")
    _add_seed(parser)
    parser.add_argument("--save", metavar="FILE", help="keep the game in this file instead of the games folder")


def _add_solve(parser: "ArgumentParser") -> None:
    _add_game(parser)
    parser.add_argument("--picture", metavar="FILE.svg", help="draw the result in this new file")
    parser.add_argument("--proof", metavar="FILE", help="prove the result in this new file, compressed if named .gz")
    _add_json(parser)


def _add_verify(parser: "ArgumentParser") -> None:
    parser.add_argument("file", metavar="FILE", help="a certificate that solve --proof has written")
    _add_json(parser)


def _add_analyse(parser: "ArgumentParser") -> None:
    _add_game(parser)
    parser.add_argument("--moves", metavar="MOVES", default="", help="the moves so far, separated by blanks")
    _add_json(parser)


def _add_review(parser: "ArgumentParser") -> None:
    parser.add_argument("file", metavar="FILE", help="a record or a saved game's name")
    _add_json(parser)


def _add_resume(parser: "ArgumentParser") -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a record or a saved game's name; else the newest one")
    _add_seed(parser)


def _add_games(parser: "ArgumentParser") -> None:
    parser.add_argument("--delete", nargs="+", metavar="NAME", default=[], help="delete the games of these names")
    _add_json(parser)


def _add_game(parser: "ArgumentParser") -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or a part of it that no other id has")
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], dest="settings", help="set an option (repeatable)"
    )
    parser.add_argument("--preset", metavar="NAME", help="a named set of options; --set overrides it")


def _add_json(parser: "ArgumentParser") -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def _add_seed(parser: "ArgumentParser") -> None:
    parser.add_argument("--seed", type=int, metavar="N", help="makes everything random repeatable")


def _game(options: "Namespace") -> "AnyGame":
    """The game that a command names, with the options that are set."""
    from powerduels.games import GAMES
    from powerduels.text import make_game, shown

    settings = {}
    for setting in options.settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {shown(setting)} is not of the form NAME=VALUE.")
        settings[name] = value
    return make_game(GAMES[_game_id(options.game)], settings, options.preset)


def _game_id(name: str) -> str:
    from powerduels.games import GAMES
    from powerduels.text import listed, meant, nearest, shown

    matching = meant(name, GAMES)
    if not matching:
        raise UsageError(f"There is no game {shown(name)}. {nearest(name.lower(), GAMES)}")
    if len(matching) > 1:
        raise UsageError(f"{shown(name)} could be {listed(matching, 'or')}.")
    return matching[0]


def _print_json(document: object) -> int:
    import json

    print(json.dumps(document, indent=2))
    return DONE


def _start(parser: "ArgumentParser") -> int:
    if sys.stdin.isatty() and sys.stdout.isatty():
        from powerduels.terminal.launch import menu

        return menu()
    parser.print_help()
    return DONE


def _list(options: "Namespace") -> int:
    from powerduels.games import GAMES
    from powerduels.guide import load

    lines = [(game_id, game_class.title, load(game_class).tagline) for game_id, game_class in GAMES.items()]
    if options.json:
        return _print_json({"games": [dict(zip(("game", "title", "tagline"), line, strict=True)) for line in lines]})
    for game_id, _, tagline in lines:
        print(f"{game_id:<16} {tagline}")
    return DONE


def _rules(options: "Namespace") -> int:
    from powerduels.guide import guide_json, guide_text
    from powerduels.terminal.console import open_console
    from powerduels.text import option_texts

    game = _game(options)
    if options.json:
        return _print_json({**guide_json(type(game)), "rules_in_force": option_texts(game)})
    print(guide_text(game, open_console().width), end="")
    return DONE


def _solve(options: "Namespace") -> int:
    from powerduels.analyse import solve
    from powerduels.answers import solve_json, solve_lines

    game = _game(options)
    for path in (options.picture, options.proof):
        if path is not None:
            from powerduels.store import check_new

            check_new(path)
    with _progress() as report:
        solved = solve(game, report)
        if options.proof is not None:
            from powerduels.proofs import write_proof

            write_proof(game, options.proof, report)
    if options.picture is not None:
        from powerduels.pictures import picture
        from powerduels.store import write_new

        write_new(options.picture, picture(game, solved))
    if options.json:
        return _print_json(solve_json(game, solved))
    print(*solve_lines(game, solved), sep="\n")
    return DONE


def _verify(options: "Namespace") -> int:
    from powerduels.verify import LONGEST_LINE, check

    sys.set_int_max_str_digits(LONGEST_LINE)
    checked = check(options.file)
    if options.json:
        _print_json(checked)
    elif checked["valid"]:
        print(checked["statement"])
    else:
        return _fail(f"{options.file}: {checked['statement']}", FAILED)
    return DONE if checked["valid"] else FAILED


def _analyse(options: "Namespace") -> int:
    from powerduels.analyse import expert
    from powerduels.answers import analysis_json, analysis_lines
    from powerduels.core import IllegalMove, UnreadableText
    from powerduels.match import Match

    game = _game(options)
    try:
        match = Match.of_moves(game, options.moves.split())
    except (IllegalMove, UnreadableText) as error:
        raise UsageError(f"--moves: {error}") from None
    with _progress() as report:
        analysis = expert(game, report).analyse(match.position)
    if options.json:
        return _print_json(analysis_json(match, analysis))
    print(*analysis_lines(match, analysis), sep="\n")
    return DONE


def _review(options: "Namespace") -> int:
    from powerduels.games import GAMES
    from powerduels.review import review, review_json, review_lines
    from powerduels.store import SavedGame, path_of
    from powerduels.terminal.console import open_console

    _, record = SavedGame.open(path_of(options.file), GAMES)
    with _progress() as report:
        reviewed = review(record, report)
    if options.json:
        return _print_json(review_json(reviewed))
    console = open_console()
    console.say(*review_lines(reviewed, console.worth))
    return DONE


@contextmanager
def _progress() -> "Iterator[Report]":
    """Tells on a terminal how far long work has come, and wipes that out in the end."""
    import time

    start = told = time.monotonic()

    def report(found: int, settled: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < 0.2:
            return
        told = now
        left = f", {(now - start) * (found - settled) / settled:,.0f} s left" if 0 < settled < found else ""
        print(f"\r{found:,} positions found, {settled:,} settled{left}\x1b[K", end="", file=sys.stderr, flush=True)

    def ignore(found: int, settled: int) -> None:
        """Nobody is there to be told."""

    try:
        yield report if sys.stderr.isatty() else ignore
    finally:
        if told > start:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _play(options: "Namespace") -> int:
    from powerduels.terminal.launch import play_new

    if options.save == "":
        raise UsageError("--save: a file needs a name.")
    seed = None if options.seed is None else str(options.seed)
    return play_new(_game(options), (options.p1, options.p2), options.first, seed, options.save)


def _resume(options: "Namespace") -> int:
    from powerduels.terminal.launch import play_on

    return play_on(options.file, None if options.seed is None else str(options.seed))


def _games(options: "Namespace") -> int:
    from powerduels.games import GAMES
    from powerduels.store import delete, games_folder, saved_games
    from powerduels.terminal.console import open_console

    found = list(saved_games(GAMES))
    if options.delete:
        # Every name is looked up before anything is deleted.
        doomed = dict(_named(name, found) for name in options.delete)
        for path in doomed.values():
            delete(path)
        if options.json:
            return _print_json({"deleted": list(doomed)})
        print(*(f"Deleted: {name}" for name in doomed), sep="\n")
        return DONE
    if options.json:
        return _print_json({"games": [_saved_json(saved) for saved in found]})
    console = open_console()
    for saved in found:
        console.say(f"{saved.name:<36} {_saved_text(saved)}")
    console.say_whole(f"{'' if found else 'No game is saved. '}Games are kept in", f"{console.path(games_folder())}.")
    return DONE


def _named(name: str, found: "list[Listed]") -> tuple[str, str]:
    """The name and the file of the game in the games folder that a name, with its ending or not, or a path means."""
    from powerduels.store import SUFFIX, unknown_game

    for saved in found:
        if name in (saved.name, saved.name + SUFFIX) or os.path.abspath(name) == saved.path:
            return saved.name, saved.path
    raise unknown_game(name)


def _saved_json(saved: "Listed") -> "dict[str, Any]":
    from powerduels.records import result_json

    record = saved.record
    known = {} if record is None else {
        "game": record.game.id,
        "players": record.players,
        "moves": len(record.plies),
        "finished": record.result is not None,
        "result": record.result and result_json(record.result),
    }  # fmt: skip
    return {"name": saved.name, "path": saved.path, "changed": int(saved.seconds), "fault": saved.fault, **known}


def _saved_text(saved: "Listed") -> str:
    from powerduels.records import called
    from powerduels.text import counted

    if saved.record is None:
        return str(saved.fault)
    names, result = called(saved.record.players), saved.record.result
    if result is None:
        state = "unfinished"
    elif result.winner is None:
        state = "draw"
    else:
        resigned = f"{names[1 - result.winner]} resigned, " if result.by == "resigned" else ""
        state = f"{resigned}{names[result.winner]} won"
    return f"{names[0]} - {names[1]}, {counted(len(saved.record.plies), 'move')}, {state}"


COMMANDS: "dict[str, tuple[Callable[[Namespace], int], Callable[[ArgumentParser], None], str, str]]" = {
    "list": (_list, _add_json, "show the five games in a line each", "powerduels list"),
    "rules": (
        _rules,
        _add_game_and_json,
        "tell the rules, rulings and options of a game",
        "powerduels rules power-line",
    ),
    "play": (_play, _add_play, "play a game", "powerduels play power-match --p1 human:Ann --p2 random --set pool=12"),
    "solve": (
        _solve,
        _add_solve,
        "say who wins a game when both play best",
        "powerduels solve double-up --set limit=999",
    ),
    "verify": (
        _verify,
        _add_verify,
        "check a proof of who wins a game by rules of its own",
        "powerduels verify double-up.proof",
    ),
    "analyse": (
        _analyse,
        _add_analyse,
        "tell the worth of every move in a position",
        'powerduels analyse power-up --moves "3 1"',
    ),
    "review": (
        _review,
        _add_review,
        "tell what each move of a game gave away and where it turned",
        "powerduels review power-up-20260102-120000",
    ),
    "resume": (_resume, _add_resume, "go on with a saved game", "powerduels resume"),
    "games": (
        _games,
        _add_games,
        "list saved games, or delete some",
        "powerduels games --delete power-up-20260102-120000",
    ),
}
"""What each command runs, which arguments it takes, what it is for, and an example."""
