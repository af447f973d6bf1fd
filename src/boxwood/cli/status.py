"""How far a command has come, on one line of standard error that is written over: for people at a terminal only."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

#: Goes to the start of the line and clears it.
_CLEAR = "\r\x1b[K"


@contextmanager
def status(wanted: bool) -> Iterator[Status]:
    """Show what the library reports (rows read, folds, levels) while the block runs; nothing in pipes.

    Parameters
    ----------
    wanted : bool
        False for ``--quiet``.
    """
    handler = Status(wanted and sys.stderr is not None and sys.stderr.isatty())
    if not wanted:
        yield handler
        return
    log = logging.getLogger("boxwood")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield handler
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        if handler.shown:
            handler.clear()


@contextmanager
def working(words: str) -> Iterator[Status]:
    """Show what the running command does while the block runs, unless it is to be quiet."""
    context = click.get_current_context(silent=True)
    with status(context is not None and not context.params.get("quiet", True)) as shown:
        shown.show(words)
        yield shown


class Status(logging.Handler):
    """Writes over its own line.

    Attributes
    ----------
    shown : bool
        Whether anything is written.
    left_out : int
        Rows without a response that the library has reported so far.
    rows : int
        Rows that it has reported to have read, the rest.
    """

    def __init__(self, shown: bool):
        super().__init__()
        self.shown, self.left_out, self.rows = shown, 0, 0

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message of the library."""
        self.left_out += getattr(record, "left_out", 0)
        self.rows = getattr(record, "rows", self.rows)
        self.show(record.getMessage())

    def show(self, words: str) -> None:
        """Show words in place of those before, cut to the width of the terminal."""
        if self.shown:
            self._write(_CLEAR + words[: shutil.get_terminal_size().columns - 1])

    def line(self, words: str) -> None:
        """Show words that stay."""
        if self.shown:
            self._write(f"{_CLEAR}{words}\n")

    def clear(self) -> None:
        """Leave an empty line."""
        self._write(_CLEAR)

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):  # the terminal was closed
            self.shown = False
