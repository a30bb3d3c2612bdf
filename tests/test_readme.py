"""The examples of the README run and print what they say."""

import doctest
from pathlib import Path


def test_readme_examples_hold() -> None:
    readme = Path(__file__).parent.parent / "README.md"
    results = doctest.testfile(str(readme), module_relative=False, encoding="utf-8")
    assert results.attempted > 5
    assert results.failed == 0
