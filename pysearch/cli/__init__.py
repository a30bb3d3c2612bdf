"""The command line: one module per verb, loaded when it is called, so that start-up stays short."""

import importlib
import sys

import click

import pysearch
from pysearch.cli.output import silence, tell

VERBS = ("analyze", "bench", "deal", "match", "perft", "play", "review", "show", "solve")

INTERNAL = 1
BAD_INPUT = 2
INTERRUPTED = 130


class Verbs(click.Group):
    """A group whose commands live in the modules of their name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"pysearch.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


def print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from pysearch.cli.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(cls=Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version,
              help="Show version, backend, instruction set and rules, and exit.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context) -> None:
    """Search for the best move in the card games Cuttle and Buck Euchre.

    A position POS is given as text, as the name of a file that holds it, or as - for standard input.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: list[str]) -> int:
    """Runs the command line; returns the exit code. Bad input is one line on standard error."""
    if sys.stdout is None:
        return complain("cannot write standard output: it is closed", INTERNAL)
    try:
        with command.make_context("pysearch", list(arguments)) as ctx:
            command.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.MissingParameter as error:
        return complain(f"{error.param.name if error.param else 'argument'}: left out")
    except click.BadOptionUsage as error:  # "Option '--sprt' requires 2 arguments."
        return complain(f"{error.option_name.lstrip('-')}: {error.message.partition(chr(39) + ' ')[2].rstrip('.')}")
    except click.ClickException as error:
        return complain(error.format_message())
    except (pysearch.Error, pysearch.BackendError) as error:
        return complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        silence(sys.stdout)
    except OSError as error:
        if error.filename is not None:
            raise
        silence(sys.stdout)
        return complain(f"cannot write standard output: {(error.strerror or str(error)).lower()}", INTERNAL)
    return 0


def complain(message: str, code: int = BAD_INPUT) -> int:
    tell(message)
    return code
