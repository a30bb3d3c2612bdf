"""The core without a C compiler: the twins of csrc/, compiled by numba when first called."""
