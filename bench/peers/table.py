"""One table of ratios to the peers, OpenSpiel and DDS: what `pysearch bench --peers` prints. README.md, one folder up,
says how each figure is taken.

usage: python bench/peers/table.py [--quick] [--json]
"""

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import version
from typing import Any

from pysearch.bench import Machine

DDS = "2.9"  # that in endplay, which cannot be asked for it
DEALS = 2000, 1000  # compared with DDS, and of these timed


def row(
    work: str, ours: str, own: Sequence[float], theirs: str | None = None, peer: Sequence[float] = ()
) -> dict[str, Any]:
    """Of rates per second, pass by pass: the ratio of the medians; least and greatest are those of single passes."""
    found = {"work": work, "engine": ours, "rate": statistics.median(own), "peer": theirs,
             "peer_rate": None, "ratio": None, "spread": None}  # fmt: skip
    if theirs:
        passes = [mine / other for mine, other in zip(own, peer, strict=True)]
        found["peer_rate"] = statistics.median(peer)
        found["ratio"] = found["rate"] / found["peer_rate"]
        found["spread"] = [min(passes), max(passes)]
    return found


def beside_openspiel(nodes: int, passes: int) -> list[dict[str, Any]]:
    import openspiel  # here, for the processes that openspiel.py starts load this file, and are not to load both peers

    rows = []
    for found in openspiel.measure(nodes, passes):
        if found.group == openspiel.PLAYOUT and found.kind == openspiel.LATER:
            continue  # one of few plies says more of what goes on around it
        peer = found.fastest()
        for engine, rates in found.ours.items():
            name = f"rollout, {Machine.here().isa}" if engine == "rollout" else engine
            rows.append(row(f"{found.group}, {found.kind}", name, rates, peer, found.theirs[peer] if peer else ()))
    return rows


def beside_dds(deals: int, timed: int, rounds: int) -> list[dict[str, Any]]:
    import dds

    dealt = dds.random_deals(deals, 1)
    dds.compare(dealt)
    figures = dds.measure(dealt[:timed], rounds)
    ours = "solve_many, 2 v 2"
    rows = []
    for which, work in enumerate(("best score of a deal", "every card of a deal")):
        for engine in figures:
            if not engine.startswith("solve_many"):
                own, peer = ([1e6 / each for each in figures[name][which]] for name in (ours, engine))
                rows.append(row(f"{work}, five cards each", ours, own, engine, peer))
    return rows


def measure(quick: bool) -> dict[str, Any]:
    rows = beside_openspiel(1 if quick else 3, 2 if quick else 5)
    rows += beside_dds(*((200, 200) if quick else DEALS), rounds=3 if quick else 7)
    versions = {"OpenSpiel": version("open_spiel"), "endplay": version("endplay"), "DDS": DDS}
    document = {"versions": versions, **vars(Machine.here()), "rows": rows}
    return {**document, "markdown": markdown(document)}


def markdown(document: dict[str, Any]) -> str:
    versions = document["versions"]
    lines = [
        f"pysearch {document['version']} ({document['backend']}, {document['isa']}, {document['compiler']}) beside "
        f"OpenSpiel {versions['OpenSpiel']} and DDS {versions['DDS']} in endplay {versions['endplay']}; "
        f"{document['processor']}, {document['system']}, {document['python']}",
        "",
        "| work | pysearch | a second | peer | a second | ratio | least, greatest |",
        "| --- | --- | ---: | --- | ---: | ---: | --- |",
    ]
    for each in document["rows"]:
        cells = [each["work"], each["engine"], f"{each['rate']:,.0f}", *["–"] * 4]
        if each["peer"]:
            ends = ", ".join(f"{end:.1f}" for end in each["spread"])
            cells[3:] = [each["peer"], f"{each['peer_rate']:,.0f}", f"{each['ratio']:.1f}", ends]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Ratios to OpenSpiel and DDS as a Markdown table.")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    try:
        document = measure(options.quick)
    except (KeyboardInterrupt, BrokenProcessPool):  # Ctrl-C
        sys.exit(130)
    print(json.dumps(document) if options.as_json else document["markdown"])


if __name__ == "__main__":
    main()
