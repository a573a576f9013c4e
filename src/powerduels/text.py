"""Text: how values, options, moves and positions are written and read, one way for all.

A codec is a kind of value with its text.  Games declare codecs for their options, their
moves and the fields of their positions; everything below works on those declarations.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from powerduels.core import AnyGame, Codec, OptionError, UnreadableText

G = TypeVar("G", bound=AnyGame)

LONGEST_NUMBER = 2000
"""Digits of the longest number that is read; Python itself writes no more than 4300."""
LONGEST_SETTING = 1000
"""Characters of the longest option text; from it a game can grow without leaving what can be read."""

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read_integer(text: str) -> int:
    """Read `17`, or `10^18` where the digits are too many to type; raises UnreadableText."""
    base, power, exponent = text.partition("^")
    if text[:1] == "-" and text[1:].isascii() and text[1:].isdigit():
        raise UnreadableText(f"{shown(text)} is less than 0.")
    if not all(part.isascii() and part.isdigit() for part in ([base, exponent] if power else [base])):
        raise UnreadableText(f"{shown(text)} is not a whole number.")
    if len(base) > LONGEST_NUMBER or len(exponent) > 4 or len(base) * int(exponent or 1) > LONGEST_NUMBER:
        raise UnreadableText(f"{shown(text)} is too long a number.")
    return int(base) ** int(exponent) if power else int(base)


def write_integer(number: int) -> str:
    """Exact digits, but `10^18` where they would be long and are a power of ten."""
    digits = str(number)
    return f"10^{len(digits) - 1}" if len(digits) > 6 and digits.strip("0") == "1" else digits


def brief(number: int) -> str:
    """A number as a message repeats it: exact while it is short, else its ends and its length."""
    digits = str(number)
    return digits if len(digits) <= 20 else f"{digits[:8]}...{digits[-4:]} ({len(digits)} digits)"


def shown(text: str) -> str:
    """A piece of somebody's input as a message repeats it: quoted, short, printable."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def listed(words: Iterable[object], last: str = "and") -> str:
    """`1`; `1 and 2`; `1, 2, and 3`."""
    items = [str(word) for word in words]
    return f" {last} ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])}, {last} {items[-1]}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """`1 duel`, `3 duels`."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def count_word(count: int) -> str:
    """`three`; digits from eleven on."""
    return COUNT_WORDS[count] if count < len(COUNT_WORDS) else str(count)


def meant(text: str, names: Iterable[str]) -> list[str]:
    """The names that a text may stand for: the name itself, else the one that begins like it, else all that hold it.

    Small and capital letters are the same, and so are a blank, a hyphen and an underscore.
    """
    wanted = _plain(text)
    plain = {name: _plain(name) for name in names}
    for fits in (str.__eq__, str.startswith):
        fitting = [name for name in plain if wanted and fits(plain[name], wanted)]
        if len(fitting) == 1:
            return fitting
    return [name for name in plain if wanted and wanted in plain[name]]


def _plain(name: str) -> str:
    return name.lower().replace(" ", "-").replace("_", "-")


class Integer(NamedTuple):
    """A whole number in a range; a word may stand for having none."""

    low: int
    high: int | None = None
    none: str | None = None
    bound: str | None = None
    """The name of the upper bound for people, where another option sets it."""

    def __str__(self) -> str:
        high = self.bound or (None if self.high is None else write_integer(self.high))
        return (f"{self.low} or more" if high is None else f"{self.low} to {high}") + (
            f", or {self.none}" if self.none else ""
        )

    def format(self, value: int | None) -> str:
        return str(self.none) if value is None else str(value)

    def parse(self, text: str) -> int | None:
        if text == self.none:
            return None
        number = read_integer(text)
        if number < self.low or (self.high is not None and number > self.high):
            raise UnreadableText(f"{shown(text)} is out of range.")
        return number


class Numbers(NamedTuple):
    """Some different numbers, written `1,2,4` and kept in ascending order."""

    least: int
    most: int
    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.least} to {self.most} different numbers from {self.low} to {write_integer(self.high)}"

    def format(self, value: tuple[int, ...]) -> str:
        return ",".join(map(str, value))

    def parse(self, text: str) -> tuple[int, ...]:
        numbers = [Integer(self.low, self.high).parse(part.strip()) for part in text.split(",")]
        if not self.least <= len(numbers) <= self.most:
            raise UnreadableText(f"{shown(text)} names {counted(len(numbers), 'number')}.")
        if len(set(numbers)) < len(numbers):
            raise UnreadableText(f"{shown(text)} names a number twice.")
        return tuple(sorted(number for number in numbers if number is not None))


class Listing(NamedTuple):
    """Any numbers in any order, written `1,2,4`; `-` for none."""

    def format(self, value: tuple[int, ...]) -> str:
        return ",".join(map(str, value)) or "-"

    def parse(self, text: str) -> tuple[int, ...]:
        return () if text == "-" else tuple(map(read_integer, text.split(",")))


class Choice(NamedTuple):
    """One of a few words, each with the value it stands for."""

    meanings: dict[str, Any]

    def __str__(self) -> str:
        return listed(self.meanings, "or")

    def format(self, value: object) -> str:
        return next((word for word, meaning in self.meanings.items() if meaning == value), str(value))

    def parse(self, text: str) -> Any:
        if text not in self.meanings:
            raise UnreadableText(f"{shown(text)} is not among them.")
        return self.meanings[text]


class Each(NamedTuple):
    """A tuple with a fixed number of values of one kind, separated by a mark."""

    codec: Codec
    size: int
    mark: str = ":"

    def format(self, value: Iterable[Any]) -> str:
        return self.mark.join(map(self.codec.format, value))

    def parse(self, text: str) -> tuple[Any, ...]:
        parts = text.split(self.mark)
        if len(parts) != self.size:
            raise UnreadableText(f"{shown(text)} should be {self.size} values separated by {self.mark!r}.")
        return tuple(map(self.codec.parse, parts))


def words(*choices: str) -> Choice:
    """A choice among words that stand for themselves."""
    return Choice({word: word for word in choices})


TRUTH = Choice({"true": True, "false": False})
NUMBER = Integer(0)
PLAYER = Choice({"1": 0, "2": 1})
NUMBERS = Listing()


class Option(NamedTuple):
    """An option of a game: what it is called, may be and is by default, and what it does."""

    name: str
    codec: Codec
    default: str
    help: str
    follow: Callable[[Mapping[str, Any]], Any] | None = None
    """The default as a value, where it depends on the values of other options."""


def make_game(game_class: type[G], settings: Mapping[str, object], preset: str | None = None) -> G:
    """The game with some of its options set, each as text or as a value.

    Settings override the preset and that the defaults.  Raises OptionError.
    """
    chosen: dict[str, object] = {}
    if preset is not None:
        if preset not in game_class.presets:
            raise OptionError(_unknown("preset", preset, game_class, game_class.presets))
        chosen.update(game_class.presets[preset])
    chosen.update(settings)

    options: dict[str, Option] = {option.name: option for option in game_class.options}
    for name in chosen:
        if name not in options:
            raise OptionError(_unknown("option", name, game_class, options))
    values = {
        name: _option_value(option, chosen.get(name, option.default))
        for name, option in options.items()
        if name in chosen or option.follow is None
    }
    for name, option in options.items():
        if name not in values and option.follow is not None:
            values[name] = option.follow(values)
    game: G = game_class.from_options({name: values[name] for name in options})  # type: ignore[assignment]
    return game


def default_texts(game: AnyGame) -> dict[str, str]:
    """Every option of the game as it would be by default, those that it may follow being as they are."""
    values = dict(zip(option_texts(game), game.rules, strict=True))
    return {
        option.name: option.default if option.follow is None else option.codec.format(option.follow(values))
        for option in game.options
    }


def _option_value(option: Option, setting: object) -> Any:
    try:
        text = setting if isinstance(setting, str) else option.codec.format(setting)
        if len(text) > LONGEST_SETTING:
            raise UnreadableText(f"{shown(text)} is too long.")
        return option.codec.parse(text)
    except UnreadableText as error:
        problem = str(error)
    except (TypeError, ValueError):
        # A value of another type, or a number with thousands of digits.
        problem = f"this {type(setting).__name__} cannot be read."
    raise OptionError(f"{option.name}: {problem} Allowed: {option.codec}.")


def _unknown(what: str, name: str, game_class: type[AnyGame], known: Iterable[str]) -> str:
    return f"{game_class.title} has no {what} {shown(name)}. {nearest(name, known)}"


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence that names the known word most like this one, or else all of them."""
    import difflib

    candidates = list(known)
    close = [name for name in candidates if word and word in name] or difflib.get_close_matches(word, candidates, 1)
    if close:
        return f"Did you mean {listed(close, 'or')}?"
    return f"There {'is' if len(candidates) == 1 else 'are'} {listed(candidates) or 'none'}."


def option_texts(game: AnyGame) -> dict[str, str]:
    """Every option of the game as `--set` takes it."""
    return {option.name: option.codec.format(value) for option, value in zip(game.options, game.rules, strict=True)}


def format_ply(game: AnyGame, ply: tuple[Any, ...]) -> str:
    """`3`, or `4/8` where both have chosen."""
    return "/".join(map(game.move_codec.format, ply))


def parse_ply(game: AnyGame, text: str) -> tuple[Any, ...]:
    """The ply that a text stands for, legal or not; raises UnreadableText."""
    return tuple(map(game.move_codec.parse, text.split("/")))


def format_position(game: AnyGame, position: Any) -> str:
    """One line, `field=value` for each field of the position."""
    fields = zip(game.position_type._fields, game.position_codecs, position, strict=True)
    return " ".join(f"{name}={codec.format(value)}" for name, codec, value in fields)


def parse_position(game: AnyGame, text: str) -> Any:
    """The position that a line stands for; raises UnreadableText."""
    names = game.position_type._fields
    parts = [part.partition("=") for part in text.split()]
    if [name for name, _, _ in parts] != list(names):
        raise UnreadableText(f"A position of {game.title} is written {' '.join(f'{name}=...' for name in names)}.")
    values = []
    for (name, _, value), codec in zip(parts, game.position_codecs, strict=True):
        try:
            values.append(codec.parse(value))
        except UnreadableText as error:
            raise UnreadableText(f"{name}: {error}") from None
    return game.position_type(*values)
