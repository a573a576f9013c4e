"""The guides: complete, true to the declarations of the games, and the same in the terminal, JSON and docs."""

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from powerduels import RecordError, format_record, parse_record
from powerduels.core import AnyGame
from powerduels.games import GAMES
from powerduels.games.power_up import PowerUp
from powerduels.guide import Guide, guide_json, guide_text, load
from powerduels.text import make_game, parse_ply

ROOT = Path(__file__).resolve().parent.parent
RULINGS = {
    "clash-of-powers": ["C1", "C2", "C3", "C4", "C5"],
    "power-match": ["M1", "M2"],
    "double-up": ["D1", "D2"],
    "power-line": ["L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9"],
    "power-up": ["U1"],
}
HEADINGS = ["Rules", "Rulings", "Options", "Encoding", "Known values", "Version"]
LONGEST_TAGLINE = 60

EVERY_GAME = pytest.mark.parametrize("game_class", [pytest.param(GAMES[game_id], id=game_id) for game_id in GAMES])


def flat(text: str) -> str:
    """The text without the line breaks and indents that wrapping made."""
    return " ".join(text.split())


def told(guide: Guide) -> list[str]:
    """Every sentence of a guide that the terminal shows."""
    rulings = [text for ruling in guide.rulings for text in (ruling.id, *ruling[1:5]) if text]
    return [guide.headline, guide.goal, *guide.rules, guide.moves, guide.notation, *rulings, *guide.presets.values()]


def make_docs(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools" / "make_docs.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rulings_of_every_game_are_listed_here() -> None:
    assert set(RULINGS) == set(GAMES)


@EVERY_GAME
def test_every_ruling_is_in_the_guide_and_beside_the_rules(game_class: type[AnyGame]) -> None:
    assert [ruling.id for ruling in load(game_class).rulings] == RULINGS[game_class.id]
    described = re.findall(r"^- ([A-Z]\d+)  \S", sys.modules[game_class.__module__].__doc__ or "", re.MULTILINE)
    assert described == RULINGS[game_class.id]


@EVERY_GAME
def test_everything_a_guide_tells_is_a_sentence_in_plain_characters(game_class: type[AnyGame]) -> None:
    """Plain ASCII, so that it shows in every locale; and a list is a list, not a text cut into letters."""
    guide = load(game_class)
    assert all(text.isascii() and text == flat(text) for text in told(guide))
    sentences = [guide.tagline, guide.headline, guide.goal, *guide.rules, guide.moves, guide.notation]
    for ruling in guide.rulings:
        sentences += [ruling.doubt, ruling.decision, *([ruling.otherwise] if ruling.options else [])]
        assert ruling.rulebook
    assert all(re.fullmatch(r"\S.{10,}\.", sentence) for sentence in sentences), sentences


@EVERY_GAME
def test_tagline_fits_a_line_of_the_list_of_games(game_class: type[AnyGame]) -> None:
    assert len(load(game_class).tagline) <= LONGEST_TAGLINE


@EVERY_GAME
def test_a_ruling_says_what_each_of_its_options_does(game_class: type[AnyGame]) -> None:
    for ruling in load(game_class).rulings:
        assert bool(ruling.otherwise) == bool(ruling.options)
        for option in ruling.options:
            assert re.search(rf"`{option}[=`]", ruling.otherwise), (ruling.id, option)


@EVERY_GAME
def test_options_are_set_apart_from_the_words_around_them(game_class: type[AnyGame]) -> None:
    guide = load(game_class)
    sentences = [text for ruling in guide.rulings for text in (ruling.doubt, ruling.decision, ruling.otherwise)]
    assert [text for text in sentences if re.search(r"(?<!`)\b[a-z]+_?[a-z]+=|\b[a-z]+_[a-z]+\b(?![`=])", text)] == []


@EVERY_GAME
def test_settings_that_a_ruling_names_are_accepted(game_class: type[AnyGame]) -> None:
    """Every `name=value` in the guide can be set just so; a capital stands for a number."""
    for ruling in load(game_class).rulings:
        for name, value in re.findall(r"`([a-z_]+)=([^`]+)`", f"{ruling.decision} {ruling.otherwise}"):
            make_game(game_class, {name: "7" if value.isupper() else value})


@EVERY_GAME
def test_notation_and_typing_show_moves_that_can_be_read(game_class: type[AnyGame]) -> None:
    """Words like `5=2`; plain numbers count only where no word has more than digits."""
    guide, game = load(game_class), make_game(game_class, {})
    for text in (guide.moves, guide.notation):
        words = [word.strip(".,:;") for word in text.split() if word[0].isdigit()]
        moves = [word for word in words if not word.isdigit()] or words
        assert moves
        for move in moves:
            parse_ply(game, move)


@EVERY_GAME
@pytest.mark.parametrize("width", [60, 72, 80])
def test_text_wraps_to_the_width_and_holds_everything(game_class: type[AnyGame], width: int) -> None:
    text = guide_text(make_game(game_class, {}), width)
    assert max(map(len, text.splitlines())) <= width
    assert not any(line != line.rstrip() for line in text.splitlines())
    held = flat(text)
    for sentence in [game_class.title.upper(), *told(load(game_class))]:
        assert sentence in held
    for option in game_class.options:
        assert f"{option.name} {option.help} default {option.default}; allowed: {option.codec}" in held
    for name, settings in game_class.presets.items():
        assert f"{name} {load(game_class).presets[name]} {' '.join(map('='.join, settings.items()))}" in held


@EVERY_GAME
def test_a_game_by_default_is_told_as_such(game_class: type[AnyGame]) -> None:
    assert "This game:" not in guide_text(make_game(game_class, {}), 80)


@pytest.mark.parametrize(
    ("game_id", "preset", "settings", "unusual"),
    [
        ("double-up", None, {"limit": "500"}, "limit=500 (default 100)"),
        ("power-up", None, {"base": "3", "stall_limit": "none"}, "base=3 (default 2), stall_limit=none (default 8)"),
        ("clash-of-powers", "sharp", {}, "duels_to_win=2 (default 3)"),
        ("power-line", None, {"length": "8"}, "length=8 (default 11)"),
        ("power-line", None, {"length": "8", "chain": "8"}, "length=8 (default 11)"),
        ("power-line", None, {"length": "8", "chain": "5"}, "length=8 (default 11), chain=5 (default 8)"),
    ],
)
def test_a_game_with_options_says_under_the_headline_which(
    game_id: str, preset: str | None, settings: dict[str, str], unusual: str
) -> None:
    """Options that follow others count only where they are not what would follow."""
    paragraphs = guide_text(make_game(GAMES[game_id], settings, preset), 80).split("\n\n")
    assert flat(paragraphs[1]) == load(GAMES[game_id]).headline
    assert flat(paragraphs[2]) == f"This game: {unusual}"


def test_a_list_hangs_beside_its_marks() -> None:
    lines = guide_text(make_game(PowerUp, {}), 60).splitlines()
    second = next(number for number, line in enumerate(lines) if line.startswith("  2. "))
    assert re.match(r" {5}\S", lines[second + 1])


def test_ruling_without_another_reading_has_no_such_line() -> None:
    assert guide_text(make_game(GAMES["double-up"], {}), 80).count("\n      Or  ") == 1


@EVERY_GAME
def test_json_holds_the_same_as_the_text(game_class: type[AnyGame]) -> None:
    data = json.loads(json.dumps(guide_json(game_class)))
    guide = load(game_class)
    assert (data["game"], data["title"], data["tagline"]) == (game_class.id, game_class.title, guide.tagline)
    assert (data["headline"], data["goal"]) == (guide.headline, guide.goal)
    assert (data["rules"], data["moves"], data["notation"]) == (list(guide.rules), guide.moves, guide.notation)
    assert [tuple(ruling.values()) for ruling in data["rulings"]] == [
        (*ruling[:5], list(ruling.options)) for ruling in guide.rulings
    ]
    assert [(entry["name"], entry["allowed"], entry["help"]) for entry in data["options"]] == [
        (option.name, str(option.codec), option.help) for option in game_class.options
    ]
    # What stands in JSON as a default can be set, even where the text says what it depends on.
    defaults = {entry["name"]: entry["default"] for entry in data["options"]}
    assert make_game(game_class, defaults) == make_game(game_class, {})
    assert {entry["name"]: entry["options"] for entry in data["presets"]} == game_class.presets
    assert {entry["name"]: entry["plays"] for entry in data["presets"]} == guide.presets


def test_guide_that_names_no_option_of_the_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="ruling U1: Power Up has no option 'stalemate'"):
        load_changed(tmp_path, monkeypatch, '["stall_limit", ', '["stalemate", ')


def test_guide_that_lacks_a_field_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"top level: missing \['goal'\], unknown \['gaol'\]"):
        load_changed(tmp_path, monkeypatch, "\ngoal =", "\ngaol =")


def test_guide_that_lacks_the_other_reading_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="ruling U1: options and what they do"):
        load_changed(tmp_path, monkeypatch, "\notherwise =", "\n# otherwise =")


def test_guide_with_an_unknown_position_field_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"position: missing \['still'\], unknown \['stall'\]"):
        load_changed(tmp_path, monkeypatch, "\nstill =", "\nstall =")


def load_changed(folder: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> Guide:
    """The guide of Power Up after a change, from a copy of its module and text in a package of its own."""
    package = folder / "changed_games"
    package.mkdir()
    (package / "__init__.py").touch()
    source = Path(inspect.getfile(PowerUp))
    shutil.copy(source, package)
    text = source.with_suffix(".toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (package / "power_up.toml").write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    for module in ("changed_games", "changed_games.power_up"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    from changed_games.power_up import PowerUp as ChangedPowerUp  # type: ignore[import-not-found]

    return load(ChangedPowerUp)


def test_docs_are_up_to_date() -> None:
    checked = make_docs(ROOT, "--check")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_check_names_what_is_out_of_date_and_writing_mends_it(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    changed, missing = tmp_path / "docs/games/power-up.md", tmp_path / "docs/games/double-up.md"
    changed.write_text(changed.read_text(encoding="utf-8").replace("256", "255"), encoding="utf-8")
    missing.unlink()

    checked = make_docs(tmp_path, "--check")
    assert checked.returncode == 1
    assert re.findall(r"([a-z-]+)\.md is out of date", checked.stderr) == ["double-up", "power-up"]
    assert not missing.exists()

    assert make_docs(tmp_path).returncode == 0
    assert make_docs(tmp_path, "--check").returncode == 0
    for page in (changed, missing):
        assert page.read_text(encoding="utf-8") == (ROOT / "docs/games" / page.name).read_text(encoding="utf-8")


@EVERY_GAME
def test_every_page_has_the_same_headings_and_all_rulings(game_class: type[AnyGame]) -> None:
    page = (ROOT / f"docs/games/{game_class.id}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS
    assert re.findall(r"^\*\*([A-Z]\d+)\.\*\*", page, re.MULTILINE) == RULINGS[game_class.id]


def record_examples() -> list[str]:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    return re.findall(r"```json\n(.*?)```", page, re.DOTALL)


def test_record_examples_are_written_as_the_program_writes_them() -> None:
    for example in record_examples():
        assert format_record(parse_record(example)) == example


def test_there_is_a_record_example_of_each_game() -> None:
    assert sorted(json.loads(example)["game"] for example in record_examples()) == sorted(GAMES)


def test_documented_faults_of_records_are_refused_with_the_documented_message() -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    sound = json.loads(record_examples()[0])
    faults = re.findall(r'^\| `("[a-z]+": .*)` \| `(.*)` \|$', page, re.MULTILINE)
    assert faults
    for fault, message in faults:
        with pytest.raises(RecordError, match=f"^{re.escape(message)}$"):
            parse_record(json.dumps({**sound, **json.loads(f"{{{fault}}}")}))
