"""What fits on a line of a terminal: columns of a text, its start, and where it is broken."""


def columns_of(text: str) -> int:
    """How many columns a text takes on a terminal; its colours take none."""
    if "\x1b" in text:
        text = "".join(sign for sign in _signs(text) if sign[0] != "\x1b")
    return len(text) if text.isascii() else sum(map(_columns_of_sign, text))


def start_fitting(text: str, columns: int) -> str:
    """As much of a text's start as fits into so many columns."""
    end = 0
    for sign in _signs(text):
        columns -= columns_of(sign)
        if columns < 0:
            break
        end += len(sign)
    return text[:end]


def wrapped(line: str, width: int) -> list[str]:
    """A line broken at blanks so that it fits; a word is broken only where it does not fit alone."""
    if columns_of(line) <= width:
        return [line]
    rows: list[str] = []
    row = ""
    for number, word in enumerate(line.split(" ")):
        longer = f"{row} {word}" if number else word
        if row.strip() and columns_of(longer) > width:
            rows.append(row)
            longer = f"  {word}"
        while columns_of(longer) > width:
            rows.append(start_fitting(longer, width))
            longer = f"  {longer[len(rows[-1]) :]}"
        row = longer
    return [*rows, row]


def _signs(text: str) -> list[str]:
    """The characters of a text; one that changes the colour is kept in one piece."""
    import re

    return re.findall(r"\x1b\[[0-9;]*m|.", text, re.DOTALL)


def _columns_of_sign(sign: str) -> int:
    from unicodedata import category, east_asian_width

    if category(sign) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(sign) in ("W", "F") else 1
