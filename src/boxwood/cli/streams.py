"""Standard input, output and error of the process, which may be closed, full, or unable to encode characters."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ..errors import FileError

_OUTPUT_CLOSED = "standard output is closed; send it to a file or a terminal, or write files with -o and --quiet."
_INPUT_CLOSED = "standard input is closed; name a data file, or send data through a pipe or with <."


def show_every_character() -> None:
    """Print characters that the encoding of a stream lacks as escapes, instead of failing on them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def check_output() -> None:
    """Raise FileError when standard output is closed."""
    if sys.stdout is None:
        raise FileError(_OUTPUT_CLOSED)


def check_input() -> None:
    """Raise FileError when standard input is closed."""
    if sys.stdin is None:
        raise FileError(_INPUT_CLOSED)


@contextmanager
def reading_standard_input() -> Iterator[None]:
    """Errors of the system about standard input name it."""
    check_input()
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"standard input cannot be read: {reason_of(error)}.") from error


def output_bytes() -> BinaryIO:
    """Standard output as a file of bytes; FileError when it is closed."""
    check_output()
    return sys.stdout.buffer


def write_bytes(content: bytes) -> None:
    """Write bytes to standard output; FileError when it is closed."""
    output_bytes().write(content)


def show(sentence: str) -> None:
    """Print a sentence on standard error; where that cannot be written, only the exit code shows the failure."""
    if sys.stderr is None:
        return
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: io.TextIOBase | None) -> None:
    """Let what a stream still buffers go nowhere: Python writes it at exit, and would complain a second time."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unwritable(error: OSError) -> FileError:
    """The error to raise when the system refused to write: about a file when it names one, else standard output.

    Examples
    --------
    >>> from boxwood.cli.streams import unwritable
    >>> print(unwritable(OSError(28, "No space left on device")))
    cannot write standard output: no space left on device
    """
    reason = reason_of(error)
    if error.filename is not None:
        return FileError(f"{os.fsdecode(error.filename)}: {reason}")
    return FileError(f"cannot write standard output: {reason}")


def reason_of(error: OSError) -> str:
    """The reason that the system gives, in lower case."""
    return (error.strerror or str(error)).lower()
