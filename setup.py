"""Builds the C core, csrc/, into the extension module pysearch._core. Everything else stands in pyproject.toml."""

import os
import platform
import re
from glob import glob
from pathlib import Path
from typing import Any

from cffi import FFI
from setuptools import setup
from setuptools.command.build_ext import build_ext

X86_64 = platform.machine().lower() in ("x86_64", "amd64")
V3 = "csrc/engine_x86_64_v3.c"  # the engine for processors with AVX2 and BMI2
# 128-bit vectors: gcc 12 leaves the upper halves of wide registers in use after some calls, which slows the caller's
# other code by a quarter. Nothing here gains from wider ones.
V3_FLAGS = ["-march=x86-64-v3", "-mprefer-vector-width=128"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror"] if os.environ.get("PYSEARCH_WERROR") == "1" else []


def declarations() -> str:
    """csrc/pysearch.h as cffi reads it: no preprocessor, only constants that are plain integers."""
    header = Path("csrc/pysearch.h").read_text(encoding="utf-8")
    constants = re.findall(r"^#define (PS_\w+) \(?(-?\d+)\b", header, re.MULTILINE)
    plain = re.sub(r"^#.*", "", header, flags=re.MULTILINE)
    return "".join(f"#define {name} {value}\n" for name, value in constants) + plain


class BuildExt(build_ext):
    """Flags for single files: warnings are for our own code, not for cffi's; v3 instructions for one engine only."""

    def build_extensions(self) -> None:
        compile_plain = self.compiler._compile

        def compile_one(obj: str, src: str, ext: str, cc_args: list[str], extra: list[str], pp_opts: list[str]) -> None:
            warnings = WARNINGS if src.startswith("csrc/") else []
            march = V3_FLAGS if src == V3 else []
            compile_plain(obj, src, ext, cc_args, [*extra, *warnings, *march], pp_opts)

        self.compiler._compile = compile_one
        super().build_extensions()


options: dict[str, Any] = {
    "sources": [path for path in sorted(glob("csrc/*.c")) if X86_64 or path != V3],
    "depends": sorted(glob("csrc/*.h") + glob("csrc/*.inc")),
    "include_dirs": ["csrc"],
    "define_macros": [("PYSEARCH_HAVE_X86_64_V3", "1")] if X86_64 else [],
    # No contraction into fused multiply-adds: results must not depend on the processor.
    "extra_compile_args": ["-std=c11", "-O2", "-ffp-contract=off"],
}
ffibuilder = FFI()
ffibuilder.cdef(declarations())
ffibuilder.set_source("pysearch._core", '#include "pysearch.h"', **options)

if __name__ == "__main__":
    setup(
        cffi_modules=["setup.py:ffibuilder"],
        cmdclass={"build_ext": BuildExt},
        options={"bdist_wheel": {"py_limited_api": "cp311"}},
    )
