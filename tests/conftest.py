"""What all tests share: how much of it to do."""

from collections.abc import Callable

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full counts; they take several minutes")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Is this a run with the full counts?"""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def count(full: bool) -> Callable[[int, int], int]:
    """count(quick, all): how many to do of something, in an ordinary run and in a full one."""
    return lambda quick, everything: everything if full else quick
