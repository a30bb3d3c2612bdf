"""The C programs of tests/c, built without sanitizers; scripts/sanitize builds and runs them with them."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = sorted((ROOT / "tests" / "c").glob("*.c"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program_passes(program: Path, tmp_path: Path, full: bool) -> None:
    compiler = shlex.split(os.environ.get("CC") or "cc")
    if not shutil.which(compiler[0]):
        pytest.skip("no C compiler")  # the package may have come as a wheel
    built = tmp_path / program.stem
    flags = ["-std=c11", "-O2", "-ffp-contract=off", f"-I{ROOT / 'csrc'}"]
    subprocess.run([*compiler, *flags, str(program), "-o", str(built), "-lm"], check=True)
    done = subprocess.run([str(built), "10" if full else "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
