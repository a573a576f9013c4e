"""From what was asked for to a game at the keyboard: new ones, saved ones, and the menu."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from powerduels import DONE, FAILED
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.match import Match
from powerduels.players import Person, PlayerError, Program, parse_player, player_of_record
from powerduels.store import Listed, SavedGame, StoreError, path_of, saved_games
from powerduels.terminal.console import Console, EndOfInput, open_console
from powerduels.terminal.session import Quit, Session, way_back
from powerduels.text import counted, listed, make_game, meant, shown

OFFERED = 3
"""So many unfinished games are offered in the menu, the newest, if they are not further back than that:"""
LOOKED_THROUGH = 20

OPPONENTS = {
    "Human": "somebody at this keyboard",
    "Computer 1": "a beginner, who looks at the next move alone",
    "Computer 2": "looks at your answers, and overlooks most",
    "Computer 3": "looks a little farther",
    "Computer 4": "overlooks little",
    "Computer 5": "perfect",
    "Random": "any move, by chance",
}
WHO = ("human", *(f"computer:{level}" for level in range(1, 6)), "random")


def play_new(
    game: AnyGame, who: Sequence[str], first: str = "1", seed: str | None = None, save: str | None = None
) -> int:
    """Play a new game between two players given by their texts; returns the exit status."""
    players = [parse_player(text, seed) for text in who]
    if save is not None:
        _check_free(save)
    names = [
        player.name or _unnamed(seat) if isinstance(player, Person) else text
        for seat, (player, text) in enumerate(zip(players, who, strict=True))
    ]
    match = Match(game, (names[0], names[1]), _starter(first, seed))
    return _play(match, players, lambda: SavedGame.new(game) if save is None else SavedGame(save))


def play_on(file: str | None, seed: str | None = None) -> int:
    """Go on with a saved game, the newest unfinished one by default; returns the exit status."""
    saved, record = SavedGame.open(newest_unfinished() if file is None else path_of(file), GAMES)
    try:
        players = [player_of_record(entry, seed) for entry in record.players]
    except PlayerError as error:
        raise StoreError(f"{saved.path} cannot go on here. {error}") from None
    # Whoever has no name yet may still have been on the point of giving one.
    players = [Person(None) if player == Person(_unnamed(seat)) else player for seat, player in enumerate(players)]
    return _play(Match.from_record(record), players, lambda: saved)


def newest_unfinished() -> str:
    """The file of the saved game that was played last and can go on."""
    broken = 0
    for saved in saved_games(GAMES):
        if _can_go_on(saved):
            return saved.path
        broken += saved.fault is not None
    hint = f" {broken} cannot be read; see powerduels games." if broken else ""
    raise StoreError(f"There is no unfinished game. Start one: powerduels play GAME.{hint}")


def _can_go_on(saved: Listed) -> bool:
    return saved.record is not None and saved.record.result is None


def _check_free(path: str) -> None:
    """Raises StoreError where a new game cannot be kept in this file."""
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise StoreError(f"{path} is a folder; a game is kept in a file.")
    if os.path.lexists(path):
        raise StoreError(f"{path} exists already. Go on with it: {way_back(path)}")
    if folder and not os.path.isdir(folder):
        raise StoreError(f"There is no folder {folder}.")


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
    unfinished: list[Listed] = []
    # Where saved games cannot be read, new ones can be played.
    with suppress(StoreError):
        unfinished = [saved for saved in islice(saved_games(GAMES), LOOKED_THROUGH) if _can_go_on(saved)][:OFFERED]
    picked = _pick(console, "Which game", "a game's name", games, list(map(_going_on, unfinished)))
    if picked >= len(GAMES):
        return play_on(unfinished[picked - len(GAMES)].path, None)
    game_id = list(GAMES)[picked]
    who = WHO[_pick(console, "Against whom", "an opponent", OPPONENTS)]
    return play_new(make_game(GAMES[game_id], {}), ("human", who))


def _going_on(saved: Listed) -> str:
    assert saved.record is not None
    game, players, *_ = saved.record
    return f"Go on: {game.title}, {players[0]} - {players[1]}, {counted(len(saved.record.plies), 'move')}"


def _pick(console: Console, question: str, named: str, titles: Mapping[str, str], numbered: Sequence[str] = ()) -> int:
    """The place in the list of what somebody picks, by its number, or by its title if it has one."""
    longest = max(map(len, titles))
    lines = [*(f"{title:<{longest}}  {told}" for title, told in titles.items()), *numbered]
    console.say(*(f"{number}. {line}" for number, line in enumerate(lines, 1)), "")
    while True:
        answer = console.read(f"{question} (1-{len(lines)})?")
        if answer.lower() in ("quit", "q"):
            raise Quit
        meaning = meant(answer, titles)
        picked = [at for at in range(len(lines)) if answer == str(at + 1)] or [
            at for at, title in enumerate(titles) if title in meaning
        ]
        if len(picked) == 1:
            console.say("")
            return picked[0]
        if picked:
            console.say(f"{shown(answer)} could be {listed(meaning, 'or')}.")
        else:
            console.say(f"Type a number from 1 to {len(lines)}, {named}, or quit.")


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
