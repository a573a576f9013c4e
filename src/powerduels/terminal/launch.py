"""From what was asked for to a game at the keyboard: new ones, saved ones, and the menu."""

import os
from collections.abc import Callable, Mapping, Sequence

from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.players import Person, PlayerError, Program, parse_player, player_of_record
from powerduels.store import SavedGame, StoreError, path_of, saved_games
from powerduels.terminal.console import Console, EndOfInput, open_console
from powerduels.terminal.session import DONE, FAILED, Quit, Session
from powerduels.text import make_game

OPPONENTS = {"Human": "somebody at this keyboard", "Computer (random)": "any move, by chance"}


def play_new(
    game: AnyGame, who: Sequence[str], first: str = "1", seed: str | None = None, save: str | None = None
) -> int:
    """Play a new game between two players given by their texts; returns the exit status."""
    players = [parse_player(text, seed) for text in who]
    if save is not None and os.path.exists(save):
        from shlex import quote

        raise StoreError(f"{save} exists already. Go on with it: powerduels resume {quote(save)}")
    names = [
        player.name or _unnamed(seat) if isinstance(player, Person) else text
        for seat, (player, text) in enumerate(zip(players, who, strict=True))
    ]
    match = Match(game, (names[0], names[1]), _starter(first, seed))
    return _play(match, players, lambda: SavedGame.new(game) if save is None else SavedGame(save))


def play_on(file: str | None, seed: str | None = None) -> int:
    """Go on with a saved game, the newest unfinished one by default; returns the exit status."""
    saved, record = SavedGame.open(path_of(file) if file else newest_unfinished(), GAMES)
    try:
        players = [player_of_record(entry, seed) for entry in record.players]
    except PlayerError as error:
        raise StoreError(f"{saved.path} cannot go on here. {error}") from None
    # Whoever has no name yet may still have been on the point of giving one.
    players = [Person(None) if player == Person(_unnamed(seat)) else player for seat, player in enumerate(players)]
    return _play(Match.from_record(record), players, lambda: saved)


def newest_unfinished() -> str:
    """The file of the saved game that was played last and can go on."""
    listed = saved_games(GAMES)
    for saved in listed:
        if saved.record is not None and saved.record.result is None:
            return saved.path
    broken = f" {sum(saved.fault is not None for saved in listed)} cannot be read; see powerduels games."
    hint = broken if any(saved.fault for saved in listed) else ""
    raise StoreError(f"There is no unfinished game. Start one: powerduels play GAME.{hint}")


def menu() -> int:
    """Let somebody pick a game and an opponent, and play; returns the exit status."""
    console = open_console()
    try:
        return _menu(console)
    except Quit:
        return DONE
    except EndOfInput:
        return FAILED


def _menu(console: Console) -> int:
    from powerduels.guide import load

    games = {game_class.title: load(game_class).tagline for game_class in GAMES.values()}
    console.say(console.strong("Powerduels"), "Five number games for two.", "")
    game_id = list(GAMES)[_pick(console, "Which game", games)]
    who = ("human", "random")[_pick(console, "Against whom", OPPONENTS)]
    return play_new(make_game(GAMES[game_id], {}), ("human", who))


def _pick(console: Console, question: str, titles: Mapping[str, str]) -> int:
    """The place in the list of what somebody picks, by number or a part of a title."""
    names = [title.lower().replace(" ", "-") for title in titles]
    longest = max(map(len, titles))
    console.say(
        *(f"{number}. {title:<{longest}}  {told}" for number, (title, told) in enumerate(titles.items(), 1)), ""
    )
    while True:
        answer = console.read(f"{question} (1-{len(titles)})?").lower().replace(" ", "-")
        if answer in ("quit", "q"):
            raise Quit
        naming = [at for at, name in enumerate(names) if answer and answer in name]
        if len(naming) != 1:
            naming = [at for at in range(len(names)) if answer == str(at + 1)]
        if naming:
            console.say("")
            return naming[0]
        console.say(f"Type a number from 1 to {len(titles)}, or quit.")


def _unnamed(seat: int) -> str:
    """What stands for a person's name until it is known."""
    return f"Player {seat + 1}"


def _starter(first: str, seed: str | None) -> int:
    if first != "random":
        return int(first) - 1
    from random import Random

    return Random(None if seed is None else f"{seed}/first").randrange(2)


def _play(match: Match, players: Sequence[Person | Program], open_file: Callable[[], SavedGame]) -> int:
    return Session(open_console(), match, players, open_file).run()
