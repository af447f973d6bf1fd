"""The command `boxwood`: learn, show, evaluate and apply trees from files; this module turns errors into exit codes."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from ..errors import BoxwoodError, NotAvailableError, ParameterError, ParameterTypeError

OK, PROBLEM, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : list of str, optional
        Words after ``boxwood``; None takes those of the process.

    Returns
    -------
    int
        Exit code: 0 done; 1 a problem with data, a model or a file; 2 the command was not understood; 130 interrupted.
        An error is one sentence on standard error; with ``--debug`` it is raised, with all its origins.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(words)
    except (ParameterError, ParameterTypeError) as error:
        return _explain(error, USAGE, words)
    except BoxwoodError as error:
        return _explain(error, PROBLEM, words)
    except BrokenPipeError:
        # The reader of our output (head, less) has left: what is still buffered goes nowhere, so that exit is silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        print("Interrupted; no file was written.", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        print("Error: there is not enough memory for these data; give fewer rows or columns.", file=sys.stderr)
        return PROBLEM


def _run(words: list[str]) -> int:
    missing = [package for package in ("click", "rich", "pyarrow") if find_spec(package) is None]
    if missing:
        needed = " and ".join(missing)
        raise NotAvailableError(f"the command line needs {needed}; install with: pip install 'boxwood[cli]'.")
    import click

    from .commands import boxwood

    try:
        with boxwood.make_context("boxwood", words) as context:
            boxwood.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        print("Interrupted; no file was written.", file=sys.stderr)
        return INTERRUPTED
    sys.stdout.flush()
    return OK


def _explain(error: BoxwoodError, code: int, words: list[str]) -> int:
    if "--debug" in words:
        raise error
    print(f"Error: {error}", file=sys.stderr)
    return code
