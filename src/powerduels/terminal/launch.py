"""From what was asked for to a game at the keyboard: new ones, saved ones, and the menu."""

import os
from collections.abc import Callable, Sequence

from powerduels.core import AnyGame, PowerduelsError
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.players import Person, PlayerError, Program, parse_player, player_of_record
from powerduels.store import SavedGame, StoreError, path_of, saved_games
from powerduels.terminal.console import Console, EndOfInput, open_console
from powerduels.terminal.session import FAILED, Session
from powerduels.text import make_game, read_integer


def play_new(
    game: AnyGame, who: Sequence[str], first: str = "1", seed: str | None = None, save: str | None = None
) -> int:
    """Play a new game between two players given by their texts; returns the exit status."""
    players = [parse_player(text, seed) for text in who]
    if save is not None and os.path.exists(save):
        raise StoreError(f"{save} exists already. Go on with it: powerduels resume {save}")
    names = [
        player.name or f"Player {seat + 1}" if isinstance(player, Person) else text
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
    except EndOfInput:
        return FAILED


def _menu(console: Console) -> int:
    from powerduels.guide import load

    console.say(console.strong("Powerduels"), "Five number games for two.", "")
    ids = list(GAMES)
    for number, game_id in enumerate(ids, 1):
        console.say(f"{number}. {GAMES[game_id].title:<16} {load(GAMES[game_id]).tagline}")
    console.say("")
    picked = _pick(console, "Which game (1-5)?", [GAMES[game_id].title for game_id in ids])
    console.say("", "1. Somebody at this keyboard", "2. The computer, moving at random", "")
    opponents = ["human", "random"]
    opponent = opponents[_pick(console, "Against whom (1-2)?", opponents)]
    console.say()
    return play_new(make_game(GAMES[ids[picked]], {}), ("human", opponent))


def _pick(console: Console, prompt: str, titles: Sequence[str]) -> int:
    """The place in the list of what somebody picks, by number or the start of a title."""
    while True:
        answer = console.read(prompt)
        if answer.lower() in ("quit", "q"):
            raise EndOfInput
        starting = [at for at, title in enumerate(titles) if answer and title.lower().startswith(answer.lower())]
        if len(starting) == 1:
            return starting[0]
        try:
            number = read_integer(answer)
        except PowerduelsError:
            number = 0
        if 1 <= number <= len(titles):
            return number - 1
        console.say(f"Type a number from 1 to {len(titles)}, or quit.")


def _starter(first: str, seed: str | None) -> int:
    if first != "random":
        return int(first) - 1
    from random import Random

    return Random(None if seed is None else f"{seed}/first").randrange(2)


def _play(match: Match, players: Sequence[Person | Program], open_file: Callable[[], SavedGame]) -> int:
    return Session(open_console(), match, players, open_file).run()
