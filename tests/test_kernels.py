"""How numba kernels are compiled, kept and used. What they compute: test_twins.py, and all other tests once more."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

fallback: Any = pytest.importorskip("pysearch.backends.fallback", reason="numba is missing")

from pysearch.kernels import jit  # noqa: E402


def run_python(code: str, **environment: str) -> str:
    """What a program prints that uses the numba backend in an environment of these variables alone."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYSEARCH_BACKEND": "numba", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_cache_is_named_after_the_text_of_all_kernels(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    shutil.copytree(Path(jit.__file__).parent, kernels)
    assert jit.digest(kernels) == jit.stamp()
    assert jit.stamp() in jit.folder()
    for path in kernels.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "# edited\n", encoding="utf-8")
        assert jit.digest(kernels) != jit.stamp(), path.name
        path.write_text(text, encoding="utf-8")
    assert jit.digest(kernels) == jit.stamp()


CACHED = (
    "import json; from pysearch.backends import fallback as core; from pysearch.kernels import jit\n"
    "state = core.deal(0, 17, 1, 0, [0] * 4); core.to_move(0, state)\n"
    "hits = sum(core._game(0).api_to_move.stats.cache_hits.values())\n"
    "print(json.dumps([jit.folder(), hits]))"
)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    hits = [json.loads(run_python(CACHED, PYSEARCH_CACHE=str(tmp_path)))[1] for _ in range(2)]
    assert hits == [0, 1]


def test_without_a_home_kernels_last_as_long_as_the_process(tmp_path: Path) -> None:
    """A file stands where the folders would have to be made: not even a superuser can write there."""
    file = tmp_path / "file"
    file.touch()
    folder, hits = json.loads(run_python(CACHED, HOME=str(file), PYSEARCH_CACHE=str(file), TMPDIR=str(tmp_path)))
    assert hits == 0
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()


def test_compiling_is_told_of_on_a_terminal_only(tmp_path: Path) -> None:
    code = (
        "import io, sys\n"
        "class Terminal(io.StringIO):\n"
        "    def isatty(self): return TERMINAL\n"
        "sys.stderr = told = Terminal()\n" + CACHED + "\nprint(json.dumps(told.getvalue()))"
    )
    for terminal in (True, False):
        line = run_python(f"TERMINAL = {terminal}\n{code}", PYSEARCH_CACHE=str(tmp_path / str(terminal)))
        told = json.loads(line.splitlines()[1])
        assert ("compiling cuttle: to_move" in told) == terminal
        assert bool(told) == terminal


def test_limits_of_time_do_not_count_compiling() -> None:
    """A search that is opened has been compiled, whatever its clock says then."""
    state = fallback.deal(0, 17, 1, 0, [0] * 4)
    search = fallback.search(0, fallback.view(0, state, 1), "ismcts", 0, 1 << 20)
    assert search._game.api_search_run.signatures
    assert search.read().iterations == 0


def test_a_child_of_a_process_that_used_kernels_can_use_them() -> None:
    code = (
        "import os, pysearch\n"
        "view = pysearch.deal('cuttle', seed=3).view(0)\n"
        "search = lambda: str(pysearch.analyze(view, pysearch.Limit(iterations=300), seed=1).to_dict())\n"
        "before = search()\n"
        "child = os.fork()\n"
        "if not child: os._exit(0 if search() == before else 3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    assert run_python(code, PYSEARCH_CACHE=os.path.dirname(os.path.dirname(jit.folder()))) == "0\n"
