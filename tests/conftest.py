"""What all tests share: how much of it to do."""

from collections.abc import Callable

import pytest

from pysearch.backends import select


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full counts; they take several minutes")


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compiles the numba backend first, where it is the one under test: not in the time of some test with a limit."""
    if select().NAME == "numba":
        from pysearch.backends.ahead import compile_all

        for name, seconds in compile_all():
            print(f"compiled {name} in {seconds:.1f} s")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Is this a run with the full counts?"""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def count(full: bool) -> Callable[[int, int], int]:
    """count(quick, all): how many to do of something, in an ordinary run and in a full one."""
    return lambda quick, everything: everything if full else quick
