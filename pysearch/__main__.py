"""The command `pysearch`, also as `python -m pysearch`."""

import sys

from pysearch.cli import run


def main() -> None:
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
