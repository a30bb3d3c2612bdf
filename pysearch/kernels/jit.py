"""How kernels are compiled: `kernel` for functions that call one another, `entry` for those that Python calls.

Only entries are cached on disk, each with all that it calls inside; a cached one compiles nothing. numba looks at the
file of an entry alone, so the folder of the cache is named after the text of all kernels: whatever is edited, the old
code is not found again.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_name, llvm_version_info
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_options = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def digest(folder: Path) -> str:
    """A digest of all Python files of a folder."""
    text = hashlib.blake2b(digest_size=12)
    for path in sorted(folder.glob("*.py")):
        text.update(path.name.encode() + b"\0" + path.read_bytes())
    return text.hexdigest()


@cache
def stamp() -> str:
    """The digest of the kernels."""
    return digest(Path(__file__).parent)


@cache
def folder() -> str:
    """Where compiled kernels are kept: PYSEARCH_CACHE, the user's cache folder, or, where none can be
    written, a temporary folder that lasts as long as the process."""
    places = [os.environ.get("PYSEARCH_CACHE"), os.environ.get("XDG_CACHE_HOME"), os.path.expanduser("~/.cache")]
    for place in filter(None, places):
        path = Path(place) / "pysearch" / stamp()
        try:
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                return str(path)
        except OSError:
            continue
    _temporary.append(tempfile.TemporaryDirectory(prefix="pysearch-"))
    return str(_temporary[0].name)


_temporary: list[Any] = []


class _Locator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, py_func: Any, py_file: str) -> None:
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return folder()

    def get_source_stamp(self) -> str:
        return stamp()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Impl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            _tell(f"compiling {self._py_func.__qualname__.replace('_api_', ': ')}, once on this machine ...")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)
        _tell("")

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # numba's own key pickles the functions that a template's function calls, which differs from process to process.
        # The folder answers for the text; a template's functions are told apart by the name of their game.
        return sig, codegen.magic_tuple(), self._py_func.__qualname__


def _tell(text: str) -> None:
    """A line on a terminal that the next one takes the place of."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def compiler() -> str:
    """Name and version of the compiler."""
    return f"numba {numba.__version__}, LLVM {'.'.join(map(str, llvm_version_info))}"


def processor() -> str:
    """The processor that is compiled for."""
    return str(numba.config.CPU_NAME or get_host_cpu_name())


def use_processor(name: str) -> bool:
    """Compiles for the plainest processor of this kind from now on, where it is "generic"; False for other names."""
    if name == "generic":
        numba.config.CPU_NAME, numba.config.CPU_FEATURES = "generic", ""
    return name == processor()


def kernel(function: F) -> F:
    """A function that kernels call; compiled with each entry that reaches it, for the types it is called with.

    Left to itself numba compiles a version for every number that a call names, and theirs as well in what is called."""
    dispatcher = numba.njit(**_options)(function)
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
    compiled: F = dispatcher
    return compiled


def entry(function: F) -> F:
    """A function that Python calls; compiled when first called and kept on disk."""
    dispatcher = numba.njit(**_options)(function)
    dispatcher._cache = _Cache(dispatcher.py_func)
    compiled: F = dispatcher
    return compiled


def recursion(result: Any, n: int) -> Any:
    """Makes the function by which a kernel of `n` arguments, all of the same types, calls itself for a `result`.

    A plain call would go through an address that numba looks up by name when code is loaded: from the cache it finds
    none where the kernel has been inlined into its caller."""

    def typed(typing: Any, *arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            call = context.call_conv.call_function
            return call(builder, builder.function, signature.return_type, signature.args, args)[1]

        return result(*arguments), codegen

    _name_arguments(typed, n)
    return intrinsic(typed)


def by_address(result: Any, *arguments: Any) -> tuple[Any, Any]:
    """For kernels that call one another in a circle, which numba's cache loses as it does `recursion`: `here()`, the
    address of the kernel that says it, and `there(address, ...)`, a call of that kernel. Arguments are given as numba's
    types or as dtypes of structs."""
    signature = result(*(numba.from_dtype(a) if isinstance(a, np.dtype) else a for a in arguments))

    def here(typing: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            wanted = context.call_conv.get_function_type(signature.return_type, signature.args)
            if builder.function.function_type != wanted:
                raise TypeError(f"{builder.function.name} is not of type {signature}")
            return builder.ptrtoint(builder.function, ir.IntType(64))

        return numba.types.uint64(), codegen

    def there(typing: Any, address: Any, *arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            type_ = context.call_conv.get_function_type(signature.return_type, signature.args)
            function = builder.inttoptr(args[0], type_.as_pointer())
            return context.call_conv.call_function(builder, function, signature.return_type, signature.args, args[1:])[
                1
            ]

        return signature.return_type(numba.types.uint64, *signature.args), codegen

    _name_arguments(there, len(arguments) + 1)
    return intrinsic(here), intrinsic(there)


def _name_arguments(typed: Any, n: int) -> None:
    """An intrinsic has a fixed number of arguments."""
    names = ["typing", *(f"argument{i}" for i in range(n))]
    typed.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])
