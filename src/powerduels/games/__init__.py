"""The five games: the only place that lists them."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from powerduels.core import AnyGame

_CLASSES = {
    "clash-of-powers": "ClashOfPowers",
    "power-match": "PowerMatch",
    "double-up": "DoubleUp",
    "power-line": "PowerLine",
    "power-up": "PowerUp",
}


class _Registry(Mapping[str, type[AnyGame]]):
    """The game classes by id; a game's module is imported when it is first asked for."""

    def __getitem__(self, game_id: str) -> type[AnyGame]:
        class_name = _CLASSES[game_id]
        game_class: type[AnyGame] = getattr(import_module(f"{__name__}.{game_id.replace('-', '_')}"), class_name)
        return game_class

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


GAMES: Mapping[str, type[AnyGame]] = _Registry()
