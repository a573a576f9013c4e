"""Who may import whom: the layers of the package, held against every import in it."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "powerduels"
ARCHITECTURE = ROOT / "docs" / "architecture.md"

# A name stands for a module, or for a package with everything inside it; `games.__init__`
# is the registry alone, `__init__` the façade.  The longest name that fits a module counts.
RULES = "core text"
RECORDS = f"{RULES} records match"
SERVICES = f"{RECORDS} guide tokens players store checks solve fast analyse answers pictures"
OPPONENTS = f"{SERVICES} bots arena grade proofs verify hints review"

MAY_IMPORT = {
    # the rules: what a game is
    "core": "",
    "text": "core",
    "games.__init__": "core",
    "games": RULES,
    "records": RULES,
    "match": f"{RULES} records",
    "checks": f"{RULES} records",
    "solve": f"{RULES} solve",
    # an oracle knows the one game whose structure it uses
    "solve.double_up": f"{RULES} solve games.double_up",
    "solve.power_match": f"{RULES} solve games.power_match",
    "solve.power_up": f"{RULES} solve games.power_up",
    # services: what can be done with any game
    "guide": RULES,
    "tokens": "",
    "players": f"{RECORDS} bots",
    "fast": f"{RULES} solve fast",
    "store": f"{RECORDS} solve",
    "analyse": f"{RECORDS} solve fast store",
    "answers": f"{RECORDS} solve analyse",
    "pictures": f"{RECORDS} solve fast store tokens analyse answers",
    "proofs": f"{RULES} solve store analyse",
    "verify": "",
    # opponents, and what compares them
    "bots": f"{SERVICES} bots",
    "arena": f"{SERVICES} bots",
    "grade": f"{SERVICES} bots",
    # what strikes the eye in a game is known of each one
    "bots.sights": f"{SERVICES} bots games.double_up games.power_line",
    "hints": f"{SERVICES} bots",
    "review": SERVICES,
    # shells: they alone know which games there are, and they do not know one another
    "terminal": f"{OPPONENTS} __init__ games terminal",
    "envs": f"{OPPONENTS} __init__ games envs",
    "web": f"{OPPONENTS} __init__ games web",
    "cli": f"{OPPONENTS} __init__ games terminal envs web",
    "__main__": "cli",
    "__init__": f"{OPPONENTS} games",
}

THIRD_PARTY = {
    "terminal": "termcolor",
    "fast": "numpy numba",
    "envs": "numpy gymnasium pettingzoo pyspiel",
}

# Start-up must not pay for what is not used: third-party modules are imported inside functions here ...
LATE_THIRD_PARTY = "terminal cli __init__"
# ... and here the package's own modules as well, but for the façade, which Python loads anyway.
LATE_OWN = "cli __init__"

# Only these may import a module by a name they make up, which no table can check.
DYNAMIC = "__init__ games.__init__ terminal analyse"
MADE_UP = "a module by a name made up at run time"

# What `import powerduels` and its parts may cost: the standard library, whatever else is installed.
STANDARD_LIBRARY_ONLY = (
    "powerduels powerduels.core powerduels.text powerduels.games powerduels.records powerduels.match"
)


def fits(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def fits_any(module: str, names: str) -> bool:
    return any(fits(module, name) for name in names.split())


def layer_of(module: str) -> str | None:
    return max((name for name in MAY_IMPORT if fits(module, name)), key=len, default=None)


def module_name(path: Path) -> str:
    """`games.power_up`; packages other than the registry and the façade go by their own name."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    name = ".".join(parts)
    return name if name in MAY_IMPORT else name.removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


class Import(NamedTuple):
    """One import of one module, and whether it happens when the importing module is loaded."""

    target: str
    line: int
    early: bool

    @property
    def own(self) -> str | None:
        """The name of the target inside the package; None for anything else."""
        if not fits(self.target, "powerduels"):
            return None
        name = self.target.removeprefix("powerduels").removeprefix(".") or "__init__"
        return "games.__init__" if name == "games" else name

    @property
    def third_party(self) -> str | None:
        top = self.target.partition(".")[0]
        return None if self.own or top in sys.stdlib_module_names else top


def imports(module: str, source: str) -> Iterator[Import]:
    """Every import in the source, those inside functions and for type checkers included."""
    yield from _imports(module, ast.parse(source), early=True)


def _imports(module: str, node: ast.AST, early: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import():
                for alias in child.names:
                    yield Import(alias.name, child.lineno, early)
            case ast.ImportFrom():
                origin = _origin(module, child)
                for alias in child.names:
                    inner = f"{origin}.{alias.name}"
                    is_module = fits(inner, "powerduels") and inner.removeprefix("powerduels.") in MODULES
                    yield Import(inner if is_module else origin, child.lineno, early)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _imports_by_name(child):
                yield Import(name, child.lineno, early)
            case ast.Call() if _imports_by_name(child):
                yield Import(MADE_UP, child.lineno, early)
        yield from _imports(module, child, early and not _runs_later(child))


def _origin(module: str, statement: ast.ImportFrom) -> str:
    if not statement.level:
        return str(statement.module)
    package = MODULES[module].relative_to(PACKAGE.parent).parts[: -statement.level]
    return ".".join((*package, *([statement.module] if statement.module else [])))


def _imports_by_name(call: ast.Call) -> bool:
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
    return called in ("import_module", "__import__")


def _runs_later(node: ast.AST) -> bool:
    """A function's body, or what only a type checker reads."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def faults(module: str, source: str) -> list[str]:
    """What is wrong with the imports of a module, one sentence with its line for each."""
    layer = layer_of(module)
    found = []
    for imported in imports(module, source):
        reason = None
        if imported.target == MADE_UP:
            if not fits_any(module, DYNAMIC):
                reason = "which no table can check"
        elif imported.own:
            if not fits_any(imported.own, MAY_IMPORT[layer] if layer else ""):
                reason = f"which {layer} may not import"
            elif imported.early and imported.own != "__init__" and fits_any(module, LATE_OWN):
                reason = "which only its functions may import"
        elif imported.third_party:
            if not fits_any(imported.third_party, THIRD_PARTY.get(module.partition(".")[0], "")):
                reason = f"a third-party library that {layer} may not use"
            elif imported.early and fits_any(module, LATE_THIRD_PARTY):
                reason = "a third-party library that only its functions may import"
        if reason:
            found.append(f"{module}, line {imported.line}: imports {imported.target}, {reason}")
    return found


@pytest.mark.parametrize("module", MODULES)
def test_every_module_belongs_to_a_layer(module: str) -> None:
    assert layer_of(module), f"{module} is missing in the table MAY_IMPORT"


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_layers(module: str) -> None:
    assert faults(module, MODULES[module].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core", "import powerduels.text"),
        ("core", "import termcolor"),
        ("core", "from powerduels import text"),
        ("games.power_up", "from powerduels.games.double_up import DoubleUp"),
        ("games.power_up", "from powerduels.games import GAMES"),
        ("games.power_up", "from . import double_up"),
        ("games.power_up", "from .double_up import DoubleUp"),
        ("games.power_up", "from ..records import Record"),
        ("games.power_up", "def late():\n    from powerduels.match import Match"),
        ("games.power_up", "from importlib import import_module\nimport_module('powerduels.match')"),
        ("games.power_up", "from importlib import import_module\nimport_module(f'powerduels.{1}')"),
        ("text", "if TYPE_CHECKING:\n    from powerduels.records import Record"),
        ("records", "from powerduels.games import GAMES"),
        ("match", "import powerduels"),
        ("store", "import termcolor"),
        ("terminal.console", "from powerduels.cli import main"),
        ("terminal.console", "import termcolor"),
        ("cli", "import termcolor"),
        ("cli", "from powerduels.core import Game"),
        ("cli", "class Early:\n    from powerduels.core import Game"),
    ],
)
def test_a_forbidden_import_is_found(module: str, source: str) -> None:
    """The check itself is checked: each of these sources breaks one rule once."""
    (fault,) = faults(module, source)
    assert fault.startswith(f"{module}, line {source.count(chr(10)) + 1}: ")


@pytest.mark.parametrize("isolation", [["-I"], ["-I", "-S"]], ids=["libraries at hand", "libraries out of reach"])
def test_the_package_imports_the_standard_library_only(isolation: list[str]) -> None:
    """Everything the façade offers and all games work without any other library, and load none."""
    program = f"""
import sys
sys.path.insert(0, {str(PACKAGE.parent)!r})
before = set(sys.modules)
import {", ".join(STANDARD_LIBRARY_ONLY.split())}
for name in powerduels.__all__:
    getattr(powerduels, name)
for game_class in powerduels.GAMES.values():
    powerduels.game(game_class.id)
loaded = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(*sorted(loaded - set(sys.stdlib_module_names)))
"""
    run = subprocess.run([sys.executable, *isolation, "-c", program], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("powerduels\n", "")


def own_modules(layer: str) -> str:
    """What the page says of a layer: the modules there are that it may import, those inside it aside."""
    names = [name for name in MAY_IMPORT[layer].split() if name != layer and any(fits(each, name) for each in MODULES)]
    return ", ".join(f"`{name}`" for name in names) or "nothing"


def test_the_architecture_page_tells_what_is_enforced_here() -> None:
    modules = ARCHITECTURE.read_text(encoding="utf-8").partition("\n## Modules\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_.]+)` \| [^|]+ \| ([^|]+) \|$", modules, re.MULTILINE)
    layers = {layer for module in MODULES if (layer := layer_of(module))}
    assert dict(rows) == {layer: own_modules(layer) for layer in layers}
    assert len(dict(rows)) == len(rows)
