"""The command `pysearch`, also as `python -m pysearch`."""

import sys


def main() -> None:
    try:
        from pysearch.cli import run  # here, because Ctrl-C may come before everything is loaded

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
