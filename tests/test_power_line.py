"""Power Line in detail: what messages say, what players have, and the ends of games."""

import pytest

from powerduels.core import IllegalMove, Kind
from powerduels.games.power_line import LineCodec, PowerLine
from powerduels.text import make_game, parse_ply, parse_position
from strategies import position_after


def game(**settings: object) -> PowerLine:
    return make_game(PowerLine, settings)


@pytest.mark.parametrize(
    ("settings", "can_draw"),
    [({}, False), ({"ending": "draw"}, True), ({"ending": "power,draw"}, True), ({"ending": "first"}, False)],
)
def test_kind(settings: dict[str, object], can_draw: bool) -> None:
    assert game(**settings).kind == Kind(simultaneous=False, can_cycle=False, can_draw=can_draw, longest=25)


@pytest.mark.parametrize(
    ("settings", "moves", "move", "message"),
    [
        ({}, "", "11=1", "There is no position 11; the line has positions 0 to 10."),
        ({"length": 3}, "", "99+", "There is no position 99; the line has positions 0 to 2."),
        ({}, "5=2", "5=1", "Position 5 is occupied; empty: 0, 1, 2, 3, 4, 6, 7, 8, 9, 10."),
        ({"length": 2}, "0=1 1=1", "1=1", "Position 1 is occupied; empty: none."),
        ({}, "", "5=6", "A new node can have level 1 to 5 here; you have 15 energy."),
        ({}, "", "5=0", "A new node can have level 1 to 5 here; you have 15 energy."),
        ({"energy": 3}, "", "5=4", "A new node can have level 1 to 3 here; you have 3 energy."),
        ({"place_max": 2}, "", "5=3", "A new node can have level 1 to 2 here; you have 15 energy."),
        ({"nodes": 1}, "5=1 6=1", "7=1", "All of your nodes are on the line; upgrade one of them."),
        ({"nodes": 1}, "5=1 6=1", "5=1", "All of your nodes are on the line; upgrade one of them."),
        ({}, "5=2", "4+", "Position 4 is empty; upgrade one of yours."),
        ({}, "5=2", "5+", "Position 5 holds a node of the opponent; upgrade one of yours."),
        ({"level_max": 2}, "5=2 0=1", "5+", "The node at 5 has level 2, the highest there is."),
        ({"energy": 4}, "5=2 0=1", "5+", "Upgrading the node at 5 to level 3 costs 3; you have 2 energy."),
        ({"energy": 1}, "5=1 0=1", "1=1", "The game is over; no move can follow."),
    ],
)
def test_refusals(settings: dict[str, object], moves: str, move: str, message: str) -> None:
    here = game(**settings)
    with pytest.raises(IllegalMove) as refused:
        here.play(position_after(here, moves), parse_ply(here, move))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("settings", "line", "energy", "explanation"),
    [
        ({"chain": 3}, ".A1A2A1.......", "9:9", "Ann has connected 3 nodes and wins the game!"),
        ({"chain": 2}, "A1B1B1........", "9:9", "Bob has connected 2 nodes and wins the game!"),
        ({}, "A1A1..B9......", "0:0", "Neither player can act. Ann has the longer chain, 2 to 1, and wins the game!"),
        (
            {},
            "A1....B9......",
            "0:0",
            "Neither player can act. Bob has the higher total power, 9 to 1, and wins the game!",
        ),
        (
            {"ending": "energy,first"},
            "A1....B9......",
            "0:1",
            "Neither player can act. Bob has more energy left, 1 to 0, and wins the game!",
        ),
        (
            {"ending": "nodes,first"},
            "A1.A1.B9......",
            "0:1",
            "Neither player can act. Ann has more nodes on the line, 2 to 1, and wins the game!",
        ),
        (
            {},
            "A1....B1......",
            "0:0",
            "Neither player can act, and chain and power are equal. Bob went second and wins the game!",
        ),
        (
            {"ending": "nodes,first"},
            "A1....B9......",
            "0:0",
            "Neither player can act, and nodes are equal. Ann went first and wins the game!",
        ),
        (
            {"ending": "chain,draw"},
            "A1....B9......",
            "0:0",
            "Neither player can act, and chain are equal. The game is a draw.",
        ),
        ({"ending": "draw"}, "A1....B9......", "0:0", "Neither player can act. The game is a draw."),
    ],
)
def test_the_end_is_explained(settings: dict[str, object], line: str, energy: str, explanation: str) -> None:
    here = game(**settings)
    position = parse_position(here, f"line={line} energy={energy} turn=-")
    outcome = here.outcome(position)
    assert outcome is not None
    assert here.explain(position, outcome, ("Ann", "Bob")) == explanation


def test_what_each_player_has() -> None:
    here = game()
    position = parse_position(here, "line=A1A2.B3A1B1B1B2... energy=4:5 turn=1")
    assert here.standing(position, "chain") == (2, 3)
    assert here.standing(position, "power") == (4, 7)
    assert here.standing(position, "energy") == (4, 5)
    assert here.standing(position, "nodes") == (3, 4)
    assert [here.nodes_left(position, player) for player in (0, 1)] == [2, 1]


@pytest.mark.parametrize(
    ("capture", "line", "move", "expected"),
    [
        ("mover", "A1B1.B2A1......", "2=3", "A1.A3.A1......"),
        ("mutual", "A1B1.B2A1......", "2=3", "A1.A3.A1......"),
        ("takeover", "A1B1.B2A1......", "2=3", "A1A1A3A2A1......"),
        ("takeover", "..B1B2B3.......", "5=4", "..A1A2A3A4......"),
        ("takeover", "..B1B2B2.......", "5=4", "..B1B2A2A4......"),
        ("takeover", ".......B3B2B1.", "6=4", "......A4A3A2A1."),
        ("mover", "B1..........", "1=2", ".A2........."),
        ("mover", "..........B1", "9=2", ".........A2."),
        ("mutual", "B9..........", "1=2", "B9.........."),
    ],
)
def test_captures(capture: str, line: str, move: str, expected: str) -> None:
    """At the ends of the line there is one neighbour only, and own nodes are never touched."""
    here = game(capture=capture, length=len(LineCodec().parse(line)))
    after = here.play(parse_position(here, f"line={line} energy=9:9 turn=1"), parse_ply(here, move))
    assert LineCodec().format(after.line) == expected
