"""The record of instruction counts: it covers all work, and a count that has changed is found. scripts/check counts."""

import json
import re
import runpy
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, float]]:
    record = json.loads((BENCH / "instructions.json").read_text(encoding="utf-8"))
    assert record["compiler"]
    counts: dict[str, dict[str, float]] = record["counts"]
    return counts


def test_all_work_is_recorded_for_both_instruction_sets(recorded: dict[str, dict[str, float]]) -> None:
    source = (BENCH / "workloads.c").read_text(encoding="utf-8")
    work = [", ".join(names) for names in re.findall(r'^    \{ "(.*?)", "(.*?)", \w+, &', source, re.MULTILINE)]
    assert work == list(recorded)
    assert all(counts.keys() == {"generic", "x86-64-v3"} for counts in recorded.values())


def test_a_count_that_has_changed_is_told(recorded: dict[str, dict[str, float]]) -> None:
    compare = runpy.run_path(str(BENCH / "count_instructions.py"))["compare"]
    work = next(iter(recorded))

    def changed(factor: float) -> dict[str, dict[str, float]]:
        return recorded | {work: recorded[work] | {"generic": recorded[work]["generic"] * factor}}

    assert compare(recorded, recorded) == compare(recorded, changed(1.029)) == compare(recorded, changed(0.971)) == []
    for factor, told in ((1.04, "+4.0%"), (0.96, "-4.0%")):
        (line,) = compare(recorded, changed(factor))
        assert line.startswith(f"{work}, generic: ")
        assert line.endswith(told)
    rest = {name: counts for name, counts in recorded.items() if name != work}
    assert compare(recorded, rest) == [f"{work}: recorded and not counted"]
    assert compare(rest, recorded) == [f"{work}: not recorded"]
