"""Memory as C has it, for kernels: numbers and structs on the stack, blocks from malloc, words that threads share.

numba's own arrays are counted references to blocks of the heap: making one costs more than a playout's move. Arrays
made here are bare pointers. Nothing frees a block but `free`, and an array on the stack must not outlive the call that
made it.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

_I64 = ir.IntType(64)
_POINTER = ir.IntType(8).as_pointer()


def _array(context: Any, builder: Any, array: Any, data: Any, length: Any) -> Any:
    """An array over memory that it does not own."""
    made = context.make_array(array)(context, builder)
    size = ir.Constant(_I64, context.get_abi_sizeof(context.get_data_type(array.dtype)))
    data = builder.bitcast(data, context.get_data_type(array.dtype).as_pointer())
    populate_array(made, data=data, shape=(length,), strides=(size,), itemsize=size, meminfo=None)
    return made._getvalue()


def stack(dtype: Any) -> Callable[[int], Any]:
    """Makes `local(n)`: an array of n items on the caller's stack, n a constant, not set to anything."""
    item = from_dtype(dtype)

    def local(typing: Any, length: Any) -> Any:
        if not isinstance(length, types.IntegerLiteral):
            return None
        n = length.literal_value
        array = types.Array(item, 1, "C")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            block = ir.ArrayType(context.get_data_type(item), n)
            with builder.goto_entry_block():  # not alloca_once, which clears the whole block at each call
                data = builder.alloca(block)
            data.align = 16
            return _array(context, builder, array, data, ir.Constant(_I64, n))

        return array(length), codegen

    made: Callable[[int], Any] = intrinsic(prefer_literal=True)(local)
    return made


def at(dtype: Any) -> Callable[[Any, Any], Any]:
    """Makes `array(address, n)`: the n items that lie at an address."""
    item = from_dtype(dtype)

    def array_at(typing: Any, address: Any, length: Any) -> Any:
        array = types.Array(item, 1, "C")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _array(context, builder, array, builder.inttoptr(args[0], _POINTER), args[1])

        return array(types.uint64, types.int64), codegen

    made: Callable[[Any, Any], Any] = intrinsic(array_at)
    return made


def _external(name: str, result: Any, *arguments: Any) -> Any:
    """A function of the C library."""
    return types.ExternalFunction(name, result(*arguments))


# Addresses are Words, 0 for failure; `calloc` clears what it gives.
calloc = _external("calloc", types.uint64, types.uint64, types.uint64)
realloc = _external("realloc", types.uint64, types.uint64, types.uint64)
free = _external("free", types.void, types.uint64)


def member(dtype: Any, name: str) -> tuple[Any, Any, Any, Any]:
    """Access to one integer of a struct that threads share: load, store, add, and compare-and-swap (which
    returns what was there). Loads and stores are relaxed, the other two sequentially consistent."""
    field, offset = from_dtype(dtype.fields[name][0]), dtype.fields[name][1]
    bits = ir.IntType(field.bitwidth)

    def place(builder: Any, record: Any) -> Any:
        address = builder.gep(builder.bitcast(record, _POINTER), [ir.Constant(_I64, offset)])
        return builder.bitcast(address, bits.as_pointer())

    def load(typing: Any, record: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(place(builder, args[0]), "monotonic", bits.width // 8)

        return field(record), codegen

    def store(typing: Any, record: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store_atomic(args[1], place(builder, args[0]), "monotonic", bits.width // 8)
            return context.get_dummy_value()

        return types.none(record, field), codegen

    def add(typing: Any, record: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.atomic_rmw("add", place(builder, args[0]), args[1], "seq_cst")

        return field(record, field), codegen

    def swap(typing: Any, record: Any, expected: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pair = builder.cmpxchg(place(builder, args[0]), args[1], args[2], "seq_cst", "seq_cst")
            return builder.extract_value(pair, 0)

        return field(record, field, field), codegen

    return intrinsic(load), intrinsic(store), intrinsic(add), intrinsic(swap)


memmove = _external("memmove", types.uint64, types.uint64, types.uint64, types.uint64)
memset = _external("memset", types.uint64, types.uint64, types.int32, types.uint64)
