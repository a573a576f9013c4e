"""The visual language: what `tokens.json` says of marks and colours, for all who draw."""

import os
from typing import Any


def load_tokens() -> dict[str, Any]:
    import json

    with open(os.path.join(os.path.dirname(__file__), "tokens.json"), encoding="utf-8") as file:
        tokens: dict[str, Any] = json.load(file)
    return tokens
