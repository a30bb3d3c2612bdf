#!/usr/bin/env python3
"""Instructions per unit of work of every kernel, counted by callgrind and compared with those recorded.

Unlike times they do not depend on what else the machine does, so a change that slows a kernel down shows at once. The
work is that of bench/workloads.c, on the C core built with the flags of setup.py, for the baseline and for x86-64-v3
(valgrind knows no AVX-512). Counts belong to a compiler: with another than that of the record, or without valgrind,
nothing is compared, and a line says so.

usage: python bench/count_instructions.py [--record]
    exit code 1 where a count is more than 3 % from the recorded one; --record writes bench/instructions.json anew
"""

import argparse
import ast
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path(__file__).with_name("instructions.json")
TOLERANCE = 0.03
ISAS = {"generic": "csrc/engine_generic.c", "x86-64-v3": "csrc/engine_x86_64_v3.c"}
HAVE = "-DPYSEARCH_HAVE_X86_64_V3=1"

Counts = dict[str, dict[str, float]]  # instructions per unit, by work and instruction set


def flags() -> tuple[list[str], dict[str, list[str]]]:
    """Those of setup.py: for all files, and for single ones."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "extra_compile_args":
                    common = ast.literal_eval(value)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ENGINES":
            special = ast.literal_eval(node.value)
    return common, special


def build(folder: Path) -> dict[str, Path]:
    """A program for each instruction set; both engines are in each, as in the extension module."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    common, special = flags()

    def compile_one(source: str, name: str, *own: str) -> str:
        done = str(folder / name)
        subprocess.run([*compiler, *common, HAVE, *own, "-Icsrc", "-c", source, "-o", done], cwd=ROOT, check=True)
        return done

    jobs = [("csrc/searcher.c", "searcher.o")]
    for isa, engine in ISAS.items():
        own = special.get(engine, [])
        jobs.append((engine, f"engine-{isa}.o", *own))
        jobs.append(("bench/workloads.c", f"{isa}.o", *own, f'-DCOUNTED_ISA="{isa}"'))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda job: compile_one(*job), jobs))
    core = [path for path in objects if Path(path).name.startswith(("searcher", "engine"))]
    for isa in ISAS:
        program = str(folder / f"{isa}.o")
        subprocess.run([*compiler, program, *core, "-o", str(folder / isa), "-lm"], check=True)
    return {isa: folder / isa for isa in ISAS}


def match_equity(folder: Path) -> Path:
    """The table as the core reads it: in its file two lines and compressed bytes."""
    *_, packed = (ROOT / "pysearch" / "data" / "match_equity.bin").read_bytes().split(b"\n", 2)
    unpacked = folder / "match_equity"
    unpacked.write_bytes(zlib.decompress(packed))
    return unpacked


def count(program: Path, equity: Path) -> tuple[str, dict[str, tuple[int, float]]]:
    """The compiler, and for each work, with its unit, how many units were done and instructions for each."""
    out = program.with_suffix(".count")
    tool = ("valgrind", "--tool=callgrind", "--toggle-collect=measured", "--dump-after=measured",
            f"--callgrind-out-file={out}")  # fmt: skip
    done = subprocess.run([*tool, str(program), str(equity)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    compiler, *lines = done.stdout.splitlines()
    compiler = compiler.strip()
    counts = {}
    for number, line in enumerate(lines, 1):
        name, unit, units = line.split("\t")
        dump = Path(f"{out}.{number}").read_text(encoding="utf-8").splitlines()
        (instructions,) = (int(row.split()[1]) for row in dump if row.startswith("totals:"))
        counts[f"{name}, {unit}"] = int(units), instructions / int(units)
    return compiler, counts


def count_all() -> tuple[str, Counts]:
    """The compiler and the counts. Both instruction sets must do the same work."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs, equity = build(folder), match_equity(folder)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = dict(zip(programs, pool.map(lambda program: count(program, equity), programs.values()), strict=True))
    found: Counts = {}
    for isa, (_, counts) in runs.items():
        for work, (units, each) in counts.items():
            if units != runs["generic"][1][work][0]:
                sys.exit(f"{work}: {isa} does {units} of it, generic {runs['generic'][1][work][0]}")
            found.setdefault(work, {})[isa] = float(f"{each:.5g}")
    return runs["generic"][0], found


def compiler_here() -> str:
    """As ps_compiler names it."""
    source = '#if defined __clang__\n"clang " __clang_version__\n#else\n"gcc " __VERSION__\n#endif\n'
    command = [*shlex.split(os.environ.get("CC") or "cc"), "-E", "-P", "-x", "c", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return "".join(shlex.split(done.stdout.replace('" "', ""))).strip()


def why_not() -> str | None:
    """What is missing for counting."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return f"this is {platform.machine()}, counts are for x86-64"
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if not shutil.which(shlex.split(os.environ.get("CC") or "cc")[0]):
        return "there is no C compiler"
    return None


def compare(recorded: Counts, found: Counts) -> list[str]:
    """A line for each count that is not within the tolerance."""
    complaints = [f"{work}: not recorded" for work in found.keys() - recorded.keys()]
    complaints += [f"{work}: recorded and not counted" for work in recorded.keys() - found.keys()]
    for work in found.keys() & recorded.keys():
        for isa, each in found[work].items():
            change = each / recorded[work][isa] - 1
            if abs(change) > TOLERANCE:
                complaints.append(f"{work}, {isa}: {each:,.1f} instead of {recorded[work][isa]:,.1f}, {change:+.1%}")
    return sorted(complaints)


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts instructions per unit of work.")
    parser.add_argument("--record", action="store_true", help="write what is counted to bench/instructions.json")
    options = parser.parse_args()
    reason = why_not()
    recorded = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() and not options.record else None
    if recorded and not reason and recorded["compiler"] != compiler_here():
        reason = f"the compiler is {compiler_here()}, that of the record {recorded['compiler']}"
    if reason:
        print(f"instructions not counted: {reason}")
        sys.exit(options.record)
    compiler, found = count_all()
    print(f"instructions per unit, {compiler}\n| work, unit | {' | '.join(ISAS)} |\n|{' --- |' * (1 + len(ISAS))}")
    for work, counts in found.items():
        print(f"| {work} | {' | '.join(f'{each:,.1f}' for each in counts.values())} |")
    if not recorded:
        RECORD.write_text(json.dumps({"compiler": compiler, "counts": found}, indent=1) + "\n", encoding="utf-8")
        print(f"recorded in {RECORD.name}")
    elif complaints := compare(recorded["counts"], found):
        print("\n".join(complaints), file=sys.stderr)
        sys.exit("not within 3 % of bench/instructions.json; if that is meant: bench/count_instructions.py --record")
    else:
        print("all within 3 % of those recorded")


if __name__ == "__main__":
    main()
