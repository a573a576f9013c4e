"""What all tests share: the options `--soak` and `--regenerate-golden`, and how hypothesis runs."""

from collections.abc import Callable

import pytest
from hypothesis import settings

# No deadline: a busy machine is no failure. The same examples every time, except in a soak, which looks further.
settings.register_profile("normal", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=5000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long versions of the tests")
    parser.addoption("--regenerate-golden", action="store_true", help="write the golden dialogues anew")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("soak") else "normal")


@pytest.fixture(scope="session")
def soak_or(pytestconfig: pytest.Config) -> Callable[[int, int], int]:
    """`soak_or(20, 500)` is 500 under `--soak` and 20 otherwise."""
    soaking = bool(pytestconfig.getoption("soak"))
    return lambda normal, soak: soak if soaking else normal


@pytest.fixture(scope="session")
def regenerate_golden(pytestconfig: pytest.Config) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(pytestconfig.getoption("regenerate_golden"))
