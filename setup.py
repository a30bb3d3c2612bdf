"""Builds the C core, csrc/, into the extension module pysearch._core. Everything else stands in pyproject.toml.

Without a C compiler the package installs all the same, and numba takes the core's place. PYSEARCH_REQUIRE_NATIVE=1
makes a core that does not build an error, PYSEARCH_WERROR=1 its warnings too.
"""

import os
import platform
import re
from glob import glob
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cffi import FFI
from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

X86_64 = platform.machine().lower() in ("x86_64", "amd64")
# The engines that need flags of their own. 128-bit vectors: gcc 12 leaves the upper halves of wide registers in use
# after some calls, which slows the caller's other code by a quarter. What gains from wider ones asks for them
# (buck_lanes.h).
ENGINES = {
    "csrc/engine_x86_64_v3.c": ["-march=x86-64-v3", "-mprefer-vector-width=128"],  # AVX2, BMI2
    "csrc/engine_x86_64_v4.c": ["-march=x86-64-v4", "-mavx512vpopcntdq", "-mprefer-vector-width=128"],
}
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror"] if os.environ.get("PYSEARCH_WERROR") == "1" else []


def declarations() -> str:
    """csrc/pysearch.h as cffi reads it: no preprocessor, only constants that are plain integers."""
    header = Path("csrc/pysearch.h").read_text(encoding="utf-8")
    constants = re.findall(r"^#define (PS_\w+) \(?(-?\d+)\b", header, re.MULTILINE)
    plain = re.sub(r"^#.*", "", header, flags=re.MULTILINE)
    return "".join(f"#define {name} {value}\n" for name, value in constants) + plain


class BuildExt(build_ext):
    """Flags for single files: warnings are for our own code, not for cffi's; an engine has those of its instruction
    set. Engines whose flags the compiler does not know are left out."""

    def build_extensions(self) -> None:
        for path in ENGINES:
            name = Path(path).stem.removeprefix("engine_").upper()
            for extension in self.extensions:
                if path not in extension.sources:
                    continue
                if self.knows(ENGINES[path]):
                    extension.define_macros.append((f"PYSEARCH_HAVE_{name}", "1"))
                else:
                    extension.sources.remove(path)
        compile_plain = self.compiler._compile

        def compile_one(obj: str, src: str, ext: str, cc_args: list[str], extra: list[str], pp_opts: list[str]) -> None:
            warnings = WARNINGS if src.startswith("csrc/") else []
            compile_plain(obj, src, ext, cc_args, [*extra, *warnings, *ENGINES.get(src, [])], pp_opts)

        self.compiler._compile = compile_one
        super().build_extensions()

    def knows(self, flags: list[str]) -> bool:
        """Whether the compiler takes these flags."""
        with TemporaryDirectory() as folder:
            source = Path(folder, "empty.c")
            source.write_text("extern int empty;\n", encoding="utf-8")
            try:
                self.compiler.compile([str(source)], output_dir=folder, extra_postargs=flags)
            except CompileError:
                return False
        return True


options: dict[str, Any] = {
    "sources": [path for path in sorted(glob("csrc/*.c")) if X86_64 or path not in ENGINES],
    "depends": sorted(glob("csrc/*.h") + glob("csrc/*.inc")),
    "include_dirs": ["csrc"],
    # No contraction into fused multiply-adds: results must not depend on the processor.
    "extra_compile_args": ["-std=c11", "-O2", "-ffp-contract=off"],
    "optional": os.environ.get("PYSEARCH_REQUIRE_NATIVE") != "1",
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
