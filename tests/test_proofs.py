"""Certificates: what is written is proven by rules of its own, and nothing else passes for a proof."""

import ast
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import powerduels
from driver import piped
from powerduels import verify
from powerduels.analyse import TurnExpert, expert
from powerduels.answers import value_word
from powerduels.core import AnyGame, PowerduelsError
from powerduels.games import GAMES
from powerduels.proofs import write_proof
from powerduels.solve.matrix import is_optimal
from powerduels.solve.stages import settle
from powerduels.solve.worth import OutOfReach, Worth, gain
from powerduels.store import StoreError
from powerduels.text import format_position, make_game, option_texts, parse_ply, parse_position
from strategies import SEEDS, games, random_game

VERIFIER = Path(verify.__file__)
TURN_GAMES: dict[str, Any] = {
    "power-match": verify.PowerMatch,
    "power-up": verify.PowerUp,
    "power-line": verify.PowerLine,
}
LINE_ENDINGS = ("chain,power,second", "draw", "power,energy,nodes,first", "chain,draw")

Case = tuple[str, str]
"""A game with options as `--set` takes them."""


def proven_games() -> list[Case]:
    """Games of every kind with their options, all of them small."""
    return [
        *(("double-up", options) for options in ("", f"limit={10**18}", "limit=128", "start=7 limit=7")),
        ("double-up", "start=3 limit=none"),
        *(("power-match", f"pool={pool} order={order}") for pool in (4, 6, 9) for order in ("alternate", "snake")),
        *(("power-up", options) for options in ("", "stalling=once", "exponents=2,3", "base=4 exponents=2")),
        *(("power-up", f"base={base} stall_limit=none") for base in (2, 4, 8, 16)),
        ("power-up", f"target={10**100} exponents=1,2,3,4,5,9 stall_limit=3"),
        *(
            ("power-line", f"length={length} energy={energy} nodes=3 capture={capture} ending={ending}")
            for length, energy in ((5, 2), (4, 4))
            for capture in ("mover", "mutual", "takeover")
            for ending in LINE_ENDINGS
        ),
        ("power-line", "length=6 energy=3 chain=3 capture=takeover head_start=1"),
        ("power-line", "length=5 energy=4 place_max=2 level_max=3 nodes=1"),
        *(
            ("clash-of-powers", f"powers={powers} tiebreak={tiebreak} duels_to_win=2")
            for powers in ("1,2,4", "1,2,4,8", "3,5,6")
            for tiebreak in ("single", "repeat", "none")
        ),
        ("clash-of-powers", "powers=1,2,4 exact_double=false"),
        ("clash-of-powers", ""),
    ]


PROVEN = proven_games()
MUTATED = [
    ("double-up", ""),
    ("double-up", "limit=none"),
    ("power-match", "pool=5"),
    ("power-match", "pool=4 order=snake"),
    ("power-up", ""),
    ("power-up", "stall_limit=none"),
    ("power-up", "base=8 stall_limit=none"),
    ("power-up", "stalling=once"),
    ("power-line", "length=4 energy=3 nodes=2 capture=mutual"),
    ("power-line", "length=4 energy=3 nodes=2 ending=draw"),
    ("power-line", "length=5 energy=3 capture=takeover chain=3 ending=energy,first"),
]

EVERY_PROVEN = pytest.mark.parametrize("case", PROVEN, ids=" ".join)
EVERY_MUTATED = pytest.mark.parametrize("case", MUTATED, ids=" ".join)


def game_of(case: Case) -> AnyGame:
    game_id, settings = case
    return make_game(GAMES[game_id], dict(setting.split("=") for setting in settings.split()))


@pytest.fixture(autouse=True)
def _no_answers_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


def certificate(game: AnyGame, folder: Path) -> list[Any]:
    """The lines of the certificate of a game, without the last one, which counts them."""
    path = folder / "written.proof"
    path.unlink(missing_ok=True)
    write_proof(game, str(path))
    *lines, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert last == {"lines": len(lines)}
    return lines


def text_of(lines: list[Any]) -> bytes:
    """A certificate of these lines, however wrong they are, that counts them rightly."""
    return "".join(json.dumps(line) + "\n" for line in [*lines, {"lines": len(lines)}]).encode()


def checked(folder: Path, content: bytes) -> dict[str, Any]:
    """What the verifier says of a file with this content."""
    path = folder / "checked.proof"
    path.write_bytes(content)
    result = verify.check(str(path))
    assert result["statement"].startswith("Proven for " if result["valid"] else "Refused")
    assert result["statement"].endswith(".")
    return result


def holds(folder: Path, lines: list[Any]) -> bool:
    valid: bool = checked(folder, text_of(lines))["valid"]
    return valid


def true_claim(game: AnyGame) -> str:
    worth = expert(game).analyse(game.initial()).worth
    return value_word(worth) if isinstance(worth, Worth) else str(worth)


# What is written is proven


@EVERY_PROVEN
def test_a_certificate_proves_the_result(case: Case, folder: Path) -> None:
    game = game_of(case)
    result = checked(folder, text_of(certificate(game, folder)))
    assert result["valid"], result
    assert (result["game"], result["rules"], result["claim"]) == (game.id, option_texts(game), true_claim(game))


@st.composite
def small_games(draw: st.DrawFn) -> AnyGame:
    """Any options that leave a game small enough to prove it in no time."""
    game_id = draw(st.sampled_from(list(GAMES)))
    if game_id == "power-line":
        length = draw(st.integers(2, 6))
        chain, energy, more = draw(st.integers(2, length)), draw(st.integers(1, 3)), draw(st.integers(0, 1))
        return draw(games(game_id, length=str(length), chain=str(chain), energy=str(energy), head_start=str(more)))
    if game_id == "clash-of-powers":
        powers = draw(st.lists(st.integers(1, 12), min_size=2, max_size=4, unique=True))
        duels = str(draw(st.integers(1, len(powers))))
        return draw(games(game_id, powers=",".join(map(str, powers)), duels_to_win=duels))
    return draw(games(game_id, quick=game_id == "power-match"))


@given(small_games())
def test_any_small_game_is_proven(tmp_path_factory: pytest.TempPathFactory, game: AnyGame) -> None:
    folder = tmp_path_factory.mktemp("proof")
    result = checked(folder, text_of(certificate(game, folder)))
    assert result["valid"], result
    assert (result["rules"], result["claim"]) == (option_texts(game), true_claim(game))
    shutil.rmtree(folder)


def test_the_size_of_a_proof_is_what_was_measured(folder: Path) -> None:
    """Of 10^17 replies none is written down; of a large pool each, but no more."""
    lines = {
        ("double-up", f"limit={10**18}"): 3,
        ("power-match", "pool=99"): 199,
        ("power-up", f"target={10**100}"): 77,
        ("clash-of-powers", ""): 777,
    }
    assert {case: len(certificate(game_of(case), folder)) for case in lines} == lines


# The rules of the verifier are those of the games


def assert_same_rules(game: AnyGame, steps: Iterable[tuple[Any, tuple[Any, ...], Any]]) -> None:
    """The verifier's own rules offer the same moves and come to the same ends, one step after the other."""
    options = option_texts(game)
    theirs = TURN_GAMES[game.id](
        **{name: text if name == "ending" else verify.option(text) for name, text in options.items()}
    )
    there = theirs.start
    ranks = [theirs.look(there)[0]]
    for position, ply, following in steps:
        (player,) = game.actors(position)
        legal = [game.move_codec.format(move) for move in game.legal(position, player)]
        replies = dict(theirs.replies(there))
        assert sorted(replies) == sorted(mirrored(game, position, theirs.text(there), legal))
        (move,) = mirrored(game, position, theirs.text(there), [game.move_codec.format(ply[0])])
        there = replies[move]
        rank, turn, winner = theirs.look(there)
        ranks.append(rank)
        outcome = game.outcome(following)
        if outcome is None:
            assert (turn,) == game.actors(following)
            assert theirs.text(there) in (format_position(game, following), mirror_text(game, following))
        else:
            assert (turn, winner) == (None, outcome.winner)
    assert ranks == sorted(ranks)


@given(games(*TURN_GAMES), SEEDS)
def test_the_rules_of_the_verifier_are_those_of_the_games(game: AnyGame, generator: Random) -> None:
    assert_same_rules(game, random_game(game, generator, 40))


@given(games("power-line", quick=True, energy="9", length="6"), SEEDS)
def test_the_captures_of_the_verifier_are_those_of_the_game(game: AnyGame, generator: Random) -> None:
    assert_same_rules(game, random_game(game, generator, 40))


@pytest.mark.parametrize(
    ("case", "moves"),
    [
        (("power-match", ""), "8b 2b 1e 3e"),
        (("power-match", "order=snake"), "8b 2b 3e 1e"),
        (("power-up", "stall_limit=2"), "1 1"),
        (("power-up", "stall_limit=1000"), "1 1 1 2 1 3"),
        (("power-up", "stalling=once"), "1 2 3 1 3"),
        (("power-line", "capture=takeover"), "10=1 5=2 9=1 4=1 6=3"),
        (("power-line", "capture=takeover chain=4"), "10=1 5=2 9=1 4=1 7=1 0=1 6=3"),
        (("power-line", "capture=mutual"), "5=3 4=2 3=1"),
        (("power-line", "length=2 energy=1"), "0=1 1=1"),
    ],
    ids=str,
)
def test_the_rare_rules_of_the_verifier_are_those_of_the_games(case: Case, moves: str) -> None:
    """Ties, stalls, chains of takeovers, a lost newcomer: what random play seldom meets."""
    game = game_of(case)
    steps, position = [], game.initial()
    for move in moves.split():
        ply = parse_ply(game, move)
        following = game.play(position, ply)
        steps.append((position, ply, following))
        position = following
    assert_same_rules(game, steps)


def mirror_text(game: AnyGame, position: Any) -> str:
    turned = position._replace(line=position.line[::-1]) if game.id == "power-line" else position
    return format_position(game, turned)


def mirrored(game: AnyGame, position: Any, text: str, moves: list[str]) -> list[str]:
    """The moves as they read in the position of this text, which may be the mirror image."""
    if text == format_position(game, position):
        return moves
    assert text == mirror_text(game, position)
    last = game.rules.length - 1
    parsed = [game.move_codec.parse(move) for move in moves]
    return [game.move_codec.format(move._replace(at=last - move.at)) for move in parsed]


def assert_same_duels(game: AnyGame, plies: Iterable[tuple[int, int]]) -> None:
    theirs = verify.ClashOfPowers(**{name: verify.option(text) for name, text in option_texts(game).items()})
    there, position = theirs.start, game.initial()
    for one, other in plies:
        position, there = game.play(position, (one, other)), theirs.after(there, one, other)
        outcome = game.outcome(position)
        if outcome is None:
            assert theirs.text(there) == format_position(game, position)
        else:
            assert there == {0: 1, 1: -1, None: 0}[outcome.winner]


@given(games("clash-of-powers"), SEEDS)
def test_the_duels_of_the_verifier_are_those_of_the_game(game: AnyGame, generator: Random) -> None:
    assert_same_duels(game, [ply for _, ply, _ in random_game(game, generator, 15)])


@pytest.mark.parametrize(
    ("tiebreak", "duels"),
    [("none", ""), ("single", "1/1"), ("single", "1/2"), ("repeat", "1/1 2/2 3/3 2/1"), ("repeat", "1/1 3/1")],
)
def test_the_final_duels_of_the_verifier_are_those_of_the_game(tiebreak: str, duels: str) -> None:
    game = powerduels.game("clash-of-powers", powers="1,2,3", tiebreak=tiebreak)
    for tied in ("1/1 2/2 3/3", "1/2 2/1 3/3"):
        assert_same_duels(game, [parse_ply(game, duel) for duel in f"{tied} {duels}".split()])


# What is changed is refused, or as true as before


@EVERY_MUTATED
def test_a_changed_move_is_refused_or_as_good(case: Case, folder: Path) -> None:
    game = game_of(case)
    answers = expert(game)
    assert isinstance(answers, TurnExpert)
    lines = certificate(game, folder)
    claimed, side = int(lines[0]["claim"] != "draw"), 0
    for number, line in enumerate(lines):
        if isinstance(line, dict):
            side = line.get("strategy", 1) - 1
            continue
        text, written = line
        position = parse_position(game, text)
        for move in game.legal(position, side):
            changed = game.move_codec.format(move)
            if changed != written and holds(folder, [*lines[:number], [text, changed], *lines[number + 1 :]]):
                assert gain(answers.oracle.worth_of_move(position, move), side) >= claimed
        for nonsense in ("", "0", "99b", "1=11", "7+", "1 ", "-1", written + " "):
            assert not holds(folder, [*lines[:number], [text, nonsense], *lines[number + 1 :]])


@EVERY_MUTATED
def test_a_strategy_with_an_entry_missing_twice_or_elsewhere_is_refused(case: Case, folder: Path) -> None:
    lines = certificate(game_of(case), folder)
    for number in range(1, len(lines)):
        assert not holds(folder, lines[:number] + lines[number + 1 :])
        assert not holds(folder, [*lines[:number], lines[number], *lines[number:]])
    assert not holds(folder, [*lines, lines[-1]])
    assert not holds(folder, [lines[0], *reversed(lines[1:])])
    assert not holds(folder, [])


@EVERY_MUTATED
def test_a_changed_claim_is_refused(case: Case, folder: Path) -> None:
    head, *rest = certificate(game_of(case), folder)
    for claim in ("first", "second", "draw", "0", 1, None, [], ["first"]):
        if claim != head["claim"]:
            assert not holds(folder, [head | {"claim": claim}, *rest])
    for side in (1, 2):
        assert not holds(folder, [head, *({"strategy": side} if "strategy" in line else line for line in rest)]) or (
            {"strategy": side} == rest[0] and head["claim"] != "draw"
        )


@pytest.mark.parametrize("claim", ["1", "-1", "1/7", "0.0", "0/1", "draw", "first", 0, None])
def test_a_changed_value_of_the_game_is_refused(claim: Any, folder: Path) -> None:
    head, *rest = certificate(powerduels.game("clash-of-powers", powers="1,2,4"), folder)
    assert head["claim"] == "0"
    assert not holds(folder, [head | {"claim": claim}, *rest])


@pytest.mark.parametrize(
    "rules",
    [
        {"base": "256", "target": "256", "exponents": "1,2,3", "stall_limit": "8", "stalling": "free"},
        {"base": "300", "target": "256", "exponents": "2", "stall_limit": "none", "stalling": "once"},
    ],
)
def test_a_game_that_is_over_before_it_begins_is_refused(rules: dict[str, str], folder: Path) -> None:
    head = {"format": "powerduels-proof/1", "game": "power-up", "rules": rules, "claim": "second"}
    assert not holds(folder, [head, {"strategy": 2}])


def test_another_version_or_another_number_of_lines_is_refused(folder: Path) -> None:
    head, *rest = certificate(powerduels.game("double-up"), folder)
    for version in ("powerduels-proof/2", "powerduels/1", "", None, 1):
        assert not holds(folder, [head | {"format": version}, *rest])
    content = text_of([head, *rest])
    assert checked(folder, content)["valid"]
    for count in (b"2", b"4", b'"3"', b"null"):
        assert not checked(folder, content.replace(b'"lines": 3', b'"lines": ' + count))["valid"]


OTHER_FRACTIONS = ("1e5", "", "1/0", "x", "-", "1e999999999")
OTHER_VALUES = {
    "powers": ("1,2,3", "1,2,4,8,16", "2,1", "1", "0,1", "1,1,2"),
    "limit": ("7", "99", "101", "none", "10000000000000000000"),
    "ending": (*LINE_ENDINGS, "second", "", "chain", "chain,chain,second", "luck,second"),
}
ANY_VALUES = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "9",
    "10",
    "100",
    "none",
    "true",
    "false",
    "single",
    "free",
    "snake",
    "mover",
)
NONSENSE: tuple[Any, ...] = ("", "-1", "1.0", "01", "1e2", " 4", "4 ", "٤", "None", "1,", "9" * 5000, 4, None, [], True)


@EVERY_PROVEN
def test_changed_options_are_refused_or_the_claim_is_true_for_them(case: Case, folder: Path) -> None:
    game = game_of(case)
    head, *rest = certificate(game, folder)
    for name in head["rules"]:
        for value in (*OTHER_VALUES.get(name, ANY_VALUES), *NONSENSE):
            rules = head["rules"] | {name: value}
            if holds(folder, [head | {"rules": rules}, *rest]):
                assert true_claim(make_game(type(game), rules)) == head["claim"]
        without = {other: value for other, value in head["rules"].items() if other != name}
        assert not holds(folder, [head | {"rules": without}, *rest])
    assert not holds(folder, [head | {"rules": head["rules"] | {"extra": "1"}}, *rest])
    games_named: list[Any] = [*GAMES, "chess", "", None, []]
    for other in games_named:
        assert other == game.id or not holds(folder, [head | {"game": other}, *rest])


@pytest.mark.parametrize("duels", [2, 3])
def test_changed_weights_and_values_are_refused_or_still_optimal(duels: int, folder: Path) -> None:
    game = powerduels.game("clash-of-powers", powers="1,3,6", duels_to_win=duels)
    settled = settle(game)
    head, *entries = certificate(game, folder)
    for number, (text, value, *mixes) in enumerate(entries):
        position = parse_position(game, text)

        def with_entry(*entry: Any, number: int = number) -> list[Any]:
            return [head, *entries[:number], [*entry], *entries[number + 1 :]]

        for wrong in (*OTHER_FRACTIONS, str(Fraction(value) + Fraction(1, 7)), f"{value}.0"):
            assert not holds(folder, with_entry(text, wrong, *mixes))
        for side, power in product((0, 1), mixes[0]):
            if power not in mixes[side]:
                continue
            for weight in (mixes[side][power] + 1, -1, 0.5, True, "1", None):
                changed = [dict(mix) for mix in mixes]
                changed[side][power] = weight
                if not holds(folder, with_entry(text, value, *changed)):
                    continue
                rows, columns = (tuple(Fraction(share, sum(mix.values())) for share in mix.values()) for mix in changed)
                assert is_optimal(settled.payoffs(position), Fraction(value), rows, columns)
        for side in (0, 1):
            negative = [dict.fromkeys(mix, 9) for mix in mixes]
            negative[side][next(iter(negative[side]))] = -1
            assert not holds(folder, with_entry(text, value, *negative))
        nothing = [dict.fromkeys(mix, 0) for mix in mixes]
        assert not holds(folder, with_entry(text, value, *nothing))
        assert not holds(folder, with_entry(text, value, {}, {}))
        assert not holds(folder, with_entry(text, value, *(mix | {"5": 1} for mix in mixes)))


# Forged, cut off, malformed


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
@pytest.mark.parametrize("case", [PROVEN[0], ("power-up", ""), ("clash-of-powers", "powers=1,2")], ids=" ".join)
def test_a_file_cut_off_anywhere_is_refused(case: Case, compressed: bool, folder: Path) -> None:
    path = folder / ("whole.proof.gz" if compressed else "whole.proof")
    write_proof(game_of(case), str(path))
    content = path.read_bytes()
    assert checked(folder, content)["valid"]
    assert [length for length in range(len(content)) if checked(folder, content[:length])["valid"]] == []
    for more in (b"\n", b" ", b"{}\n", content):
        assert not checked(folder, content + more)["valid"]


def test_a_strategy_that_wins_never_but_loops_is_refused(folder: Path) -> None:
    """At 8 the player to move wins; whoever leaves the 8 to the other, who leaves it as well, never does."""
    head, _, *_ = certificate(powerduels.game("power-up", base=8, stall_limit="none"), folder)
    forged = [head, {"strategy": 1}, ["base=8 still=0 turn=1", "1"]]
    result = checked(folder, text_of(forged))
    assert not result["valid"]
    assert result["statement"] == "Refused in line 3: this move gets no nearer to the end."


def test_a_draw_by_repetition_is_no_loop_that_is_refused(folder: Path) -> None:
    lines = certificate(powerduels.game("power-up", base=4, stall_limit="none"), folder)
    assert ["base=4 still=0 turn=1", "1"] in lines
    assert holds(folder, lines)


def test_a_duel_repeated_for_ever_counts_nothing(folder: Path) -> None:
    """To claim that the one who repeats it wins in the end is refused."""
    game = powerduels.game("clash-of-powers", powers="1,2", tiebreak="repeat", duels_to_win=2)
    lines = certificate(game, folder)
    final = [number for number, line in enumerate(lines) if number and line[0].startswith("hands=-:-")]
    assert len(final) == 2
    repeated = {"1": 0, "2": 1}
    for number in final:
        entry = [lines[number][0], "1", repeated, repeated]
        result = checked(folder, text_of([*lines[:number], entry, *lines[number + 1 :]]))
        assert result["statement"] == f"Refused in line {number + 1}: to repeat a duel for ever counts 0."


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\x00\xff\xfe\n",
        b"\x1f\x8b",
        b"\x1f\x8bnot compressed at all\n",
        b"[" * 100_000 + b"\n",
        b"1" * 2_000_000 + b"\n",
        b'{"format":"powerduels-proof/1"}\n',
        b'{"format":"powerduels-proof/2","game":"double-up","rules":{"start":"1","limit":"2"},"claim":"first"}\n',
        b'{"format":"powerduels-proof/1","game":"double-up","rules":[],"claim":"first"}\n',
        gzip.compress(b" " * 50_000_000),
    ],
    ids=range(14),
)
def test_what_is_no_certificate_is_refused(content: bytes, folder: Path) -> None:
    assert not checked(folder, content)["valid"]


@pytest.mark.parametrize("chain", [[], [2.0], ["2"], [2, 5, 11, 24, 49], [2, 5, 11, 24, 49, 99], [True], None, {}, [3]])
def test_other_numbers_to_hand_over_are_refused(chain: Any, folder: Path) -> None:
    head, strategy, handed_over = certificate(powerduels.game("double-up"), folder)
    assert handed_over == {"hand_over": [2, 5, 11, 24, 49, 100]}
    assert not holds(folder, [head, strategy, {"hand_over": chain}])


def test_every_other_number_to_hand_over_is_refused(folder: Path) -> None:
    head, strategy, handed_over = certificate(powerduels.game("double-up"), folder)
    chain = handed_over["hand_over"]
    for place in range(len(chain)):
        for number in range(-1, 120):
            if number != chain[place]:
                forged = [*chain[:place], number, *chain[place + 1 :]]
                assert not holds(folder, [head, strategy, {"hand_over": forged}])


def test_a_file_that_is_not_there_is_refused() -> None:
    result = verify.check("nowhere/at-all.proof")
    assert not result["valid"]
    assert "No such file" in result["statement"]


# The verifier by itself


def test_a_sceptic_can_read_the_verifier() -> None:
    source = VERIFIER.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or "."] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }
    assert imported <= set(sys.stdlib_module_names)


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier from an empty folder, with nothing else to be imported from."""
    elsewhere = folder / "alone"
    elsewhere.mkdir(exist_ok=True)
    shutil.copy(VERIFIER, elsewhere)
    command = [sys.executable, "-I", "-S", "verify.py", *arguments]
    return subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False)


def test_the_verifier_runs_alone(folder: Path) -> None:
    proof = folder / "double-up.proof"
    write_proof(powerduels.game("double-up"), str(proof))
    done = alone(folder, str(proof))
    statement = "Proven for double-up, start=1 limit=100: With these rules the player who starts wins.\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, statement, "")
    told = json.loads(alone(folder, str(proof), "--json").stdout)
    assert (told["valid"], told["claim"], told["lines"]) == (True, "first", 4)

    proof.write_bytes(proof.read_bytes().replace(b"11", b"12"))
    done = alone(folder, "--json", str(proof))
    assert (done.returncode, json.loads(done.stdout)["valid"], done.stderr) == (1, False, "")
    assert "line 3" in alone(folder, str(proof)).stdout
    for wrong in ((), ("--json",), (str(proof), str(proof)), ("--what",)):
        assert alone(folder, *wrong).returncode == 2


# Writing


def test_an_existing_file_is_not_overwritten(folder: Path) -> None:
    path = folder / "double-up.proof"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(StoreError, match="not overwritten"):
        write_proof(powerduels.game("double-up"), str(path))
    assert path.read_text(encoding="utf-8") == "mine"
    with pytest.raises(PowerduelsError):
        write_proof(powerduels.game("double-up"), str(folder / "no" / "folder"))


def test_an_interrupted_proof_leaves_nothing_behind(folder: Path) -> None:
    def interrupt(found: int, settled: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_proof(powerduels.game("clash-of-powers", powers="2,3,7,9"), str(folder / "clash.proof"), interrupt)
    assert os.listdir(folder) == []


def test_what_would_be_too_large_is_refused_at_once(folder: Path) -> None:
    game = powerduels.game("clash-of-powers", powers="1,2,4,8,16,32,64,128")
    with pytest.raises(OutOfReach, match="7 powers"):
        write_proof(game, str(folder / "clash.proof"))
    assert os.listdir(folder) == []


def test_the_commands_write_and_check_proofs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    proof = home / "match.proof.gz"
    solved = piped(home, "solve", "power-match", "--proof", str(proof), "--json")
    assert (solved.status, solved.errors, json.loads(solved.output)["value"]) == (0, "", "first")
    assert proof.read_bytes().startswith(b"\x1f\x8b")

    told = piped(home, "verify", str(proof))
    assert told == (
        0,
        "Proven for power-match, pool=9 order=alternate: With these rules the player who starts wins.\n",
        "",
    )
    assert json.loads(piped(home, "verify", str(proof), "--json").output)["valid"]

    again = piped(home, "solve", "power-match", "--proof", str(proof))
    assert (again.status, again.output) == (1, "")
    assert "is not overwritten" in again.errors

    proof.write_bytes(proof.read_bytes()[:-9])
    refused = piped(home, "verify", str(proof))
    assert (refused.status, refused.output) == (1, "")
    assert refused.errors.startswith("powerduels: ")
    assert refused.errors.count("\n") == 1
    refused = piped(home, "verify", str(proof), "--json")
    assert (refused.status, json.loads(refused.output)["valid"], refused.errors) == (1, False, "")
    assert piped(home, "verify").status == 2


def test_numbers_longer_than_python_reads_by_default_are_written_and_read(folder: Path) -> None:
    """With these seven powers some weights have 8,500 digits."""
    limit = sys.get_int_max_str_digits()
    proof = folder / "seven.proof.gz"
    write_proof(powerduels.game("clash-of-powers", powers="1,2,3,4,5,6,7"), str(proof))
    assert sys.get_int_max_str_digits() == limit
    assert max(map(len, gzip.decompress(proof.read_bytes()).splitlines())) > 100_000
    assert alone(folder, str(proof)).returncode == 0
    assert piped(folder, "verify", str(proof)).status == 0


def test_a_strategy_from_a_search_too_large_is_refused_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("powerduels.proofs.MOST_SEARCHED", 0)
    game = powerduels.game("power-line", energy=5, length=6)
    with pytest.raises(OutOfReach, match="too large"):
        write_proof(game, str(folder / "line.proof"))
    assert os.listdir(folder) == []


def test_a_strategy_that_grows_too_large_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("powerduels.proofs.MOST_POSITIONS", 100)
    with pytest.raises(OutOfReach, match="more than 100 positions"):
        write_proof(powerduels.game("power-match", pool=99), str(folder / "match.proof"))
    assert os.listdir(folder) == []


def test_a_strategy_that_a_search_finds_is_proven(folder: Path) -> None:
    """Longer games of Power Line are searched, not settled in full, so that nobody knows the plies."""
    game = powerduels.game("power-line", energy=6, length=7, capture="takeover", chain=4)
    answers = expert(game)
    assert isinstance(answers, TurnExpert)
    assert answers.oracle.searches
    result = checked(folder, text_of(certificate(game, folder)))
    assert (result["valid"], result["claim"]) == (True, true_claim(game))
