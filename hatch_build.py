"""Compiles the Power Line search while the package is installed or a wheel is built.

Any C compiler will do; where there is none, the one that the `ziglang` package brings.
The library does not depend on the version of Python, so one wheel serves all of them.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

FOLDER = "src/powerduels/fast"
SOURCES = ("power_line_search.c", "power_line_search.h")
LIBRARY = "power_line_search.so"
FLAGS = ("-std=c11", "-O3", "-fPIC", "-shared", "-pthread")


class CompileHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.path.join(self.root, FOLDER)
        sources, library = [os.path.join(folder, name) for name in SOURCES], os.path.join(folder, LIBRARY)
        if not os.path.exists(library) or os.path.getmtime(library) < max(map(os.path.getmtime, sources)):
            draft = f"{library}.new"
            subprocess.run([*_compiler(), *FLAGS, "-o", draft, sources[0]], check=True)
            os.replace(draft, library)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{next(iter(platform_tags()))}"


def _compiler() -> list[str]:
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return [name]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise SystemExit("Powerduels needs a C compiler to be installed: gcc, clang, or pip install ziglang.")
