"""The house rules: dependencies point one way, and the layers below do not know those above."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADERS = [
    "bits.h pysearch.h rng.h control.h",
    "buck_equity.h",
    "cuttle.h buck.h",
    "actions.h cuttle_lanes.h",
    "cuttle_worlds.h buck_worlds.h cuttle_playout.h buck_playout.h tree.h",
    "cuttle_policy.h buck_policy.h buck_lanes.h",
    "cuttle_net_weights.h",
    "cuttle_net.h",
    "cuttle_rollout.h buck_rollout.h buck_cards.h",
    "buck_quick.h",
    "cuttle_solve_state.h cuttle_solve_moves.h cuttle_solve_table.h",
    "cuttle_solve_alphabeta.h cuttle_solve_dfpn.h cuttle_solve_case.h",
    "cuttle_solve.h cuttle_solve_certificate.h",
    "buck_solve.h",
    "buck_solve_coalition.h buck_solve_equity.h buck_solve_sides.h buck_solve_maxn.h",
    "buck_solver.h",
    "cuttle_leaf.h buck_leaf.h",
    "views.h perft.h rollout.h grade.h batch.h search.h",
    "so_ismcts.h pimc.h ismcts.h",
    "search_run.h",
    "game.inc engine.h",
    "engine.inc",
    "engine_generic.c engine_x86_64_v3.c engine_x86_64_v4.c searcher.c",
]
MODULES = [
    "errors cards version equity_table",
    "games",
    "notation record_text",
    "kernels",
    "backends",
    "position equity",
    "batch",
    "limit calls records",
    "search solve playout stats lines chances",
    "handle",
    "players workers",
    "grade luck",
    "annotation",
    "review review_many",
    "match many explain",
    "certificate bench report",
    "cli",
    "__main__",
]


def test_c_files_include_only_what_lies_below() -> None:
    level = {name: i for i, names in enumerate(HEADERS) for name in names.split()}
    for path in (ROOT / "csrc").glob("*.[chi]*"):
        assert path.name in level, f"csrc/README.md and this test do not know {path.name}"
        for included in re.findall(r'#include "(.*?)"', path.read_text(encoding="utf-8")):
            assert level[included] <= level[path.name], f"{path.name} includes {included}"


def test_python_modules_import_only_what_lies_below() -> None:
    level = {name: i for i, names in enumerate(MODULES) for name in names.split()}
    package = ROOT / "pysearch"
    for path in package.rglob("*.py"):
        own = path.relative_to(package).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                base = path.relative_to(package).parent.parts[: len(path.relative_to(package).parts) - node.level]
                dotted = (node.module or "").split(".")
                if node.level:
                    names = [*base, *filter(None, dotted)] or [alias.name for alias in node.names]
                elif dotted[0] == "pysearch":
                    names = dotted[1:] or [alias.name for alias in node.names]
                else:
                    continue
                if names[0] in level:
                    assert level[names[0]] <= level[own], f"{path} imports {names[0]}"


def test_only_the_native_backend_touches_the_binding() -> None:
    for path in (ROOT / "pysearch").rglob("*.py"):
        if path.name != "native.py":
            assert "_core" not in path.read_text(encoding="utf-8"), path


def test_only_the_fallback_touches_numba() -> None:
    for path in (ROOT / "pysearch").rglob("*.py"):
        if path.parent.name == "kernels" or path.name in ("fallback.py", "ahead.py"):
            continue
        names = set(re.findall(r"^ *(?:from|import) (\w+(?:\.\w+)*)", path.read_text(encoding="utf-8"), re.MULTILINE))
        assert "numba" not in names, path
        assert not any(name.startswith("pysearch.kernels") for name in names), path


def test_twins_have_the_names_of_their_files() -> None:
    """But for what numba lacks and what stands for the interface."""
    own = {"__init__", "jit", "memory", "public", "template", "game", "engine"}  # game.inc, engine.inc
    twins = {path.stem for path in (ROOT / "pysearch" / "kernels").glob("*.py")} - own
    assert twins <= {path.stem for path in (ROOT / "csrc").glob("*.h")}
