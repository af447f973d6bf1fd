"""The command `boxwood`: fit, show, evaluate and apply trees from files; this module turns errors into exit codes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ..errors import BoxwoodError, NotAvailableError, ParameterError, ParameterTypeError
from .streams import check_output, discard, show, show_every_character, unwritable

OK, PROBLEM, USAGE, INTERRUPTED = 0, 1, 2, 130
#: The environment variable by which a shell requests completions (docs/command_line.md).
_COMPLETE = "_BOXWOOD_COMPLETE"


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
    show_every_character()
    with _noting_interrupts() as interrupts:
        try:
            return _run(words)
        except BrokenPipeError:
            # The reader of our output (head, less) has left, which is not an error.
            discard(sys.stdout)
            return OK
        except KeyboardInterrupt:
            return _interrupted()
        except (BoxwoodError, OSError, MemoryError, ImportError, SystemError, AttributeError) as error:
            return _interrupted() if interrupts else _explain(error, words)


@contextmanager
def _noting_interrupts() -> Iterator[list[int]]:
    """A list that Ctrl-C adds to: an import that it stops may fail with an error of another kind."""
    found: list[int] = []

    def note(number: int, frame: object) -> None:
        found.append(number)
        signal.default_int_handler(number, frame)

    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield found
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted() -> int:
    show("Interrupted; no file was written.")
    return INTERRUPTED


def _run(words: list[str]) -> int:
    if "--quiet" not in words:
        check_output()
    missing = [package for package in ("click", "rich", "pyarrow") if find_spec(package) is None]
    if missing:
        needed, install = " and ".join(missing), " ".join(missing)
        raise NotAvailableError(f"the command line needs {needed}; install with: pip install {install}.")
    import click
    from click.shell_completion import shell_complete

    from .commands import boxwood

    instruction = os.environ.get(_COMPLETE)
    if instruction is not None:
        return shell_complete(boxwood, {}, "boxwood", _COMPLETE, instruction)
    try:
        with boxwood.make_context("boxwood", words) as context:
            boxwood.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return _interrupted()
    if sys.stdout is not None:
        sys.stdout.flush()
    return OK


def _explain(error: Exception, words: list[str]) -> int:
    """Print what went wrong in a sentence; errors in the program itself are raised again."""
    from .._free_memory import ran_out

    if any(ran_out(e) for e in (error, error.__cause__) if e is not None):
        show("Error: there is not enough memory for these data; give fewer rows or columns.")
        return PROBLEM
    if isinstance(error, OSError) and not isinstance(error, BoxwoodError):
        # Reading and writing of files raise FileError: what is left is our output (a full disk).
        discard(sys.stdout)
        error = unwritable(error)
    if not isinstance(error, BoxwoodError) or "--debug" in words:
        raise error
    from ..views.words import plain

    show(plain(f"Error: {error}".rstrip()))
    return USAGE if isinstance(error, (ParameterError, ParameterTypeError)) else PROBLEM
