"""How commands print: aligned tables, notes, JSON; boxes and colours only on a terminal."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..errors import BoxwoodWarning
from .tables import READING
from .wording import in_options

#: The command that shows what a folded tree hides.
SHOWS_ALL = "boxwood show MODEL"
#: Options of a fit that texts of trees name.
_OF_FIT = {"min_samples_leaf": "--min-samples-leaf", "min_branch_weight": "--min-branch-weight"}


def print_table(header: list[str], rows: list[list], numbers: set[int]) -> None:
    """Print rows under a header.

    Parameters
    ----------
    header : list of str
    rows : list of list
        Cells; anything but text is printed as ``str`` gives it.
    numbers : set of int
        Columns that are aligned to the right.
    """
    from ..views.aligned import aligned
    from ..views.words import plain

    cells = [[plain(str(cell)) if str(cell) else "" for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_pretty(header, cells, numbers)
    else:
        for line in aligned([header, *cells], set(range(len(header))) - numbers):
            click.echo(f"  {line}")


def _print_pretty(header: list[str], cells: list[list[str]], numbers: set[int]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1))
    for j, name in enumerate(header):
        table.add_column(Text(name), justify="right" if j in numbers else "left")
    for row in cells:
        table.add_row(*map(Text, row))
    Console().print(table)


def heading(text: str) -> None:
    """Print a line that opens a section; bold on a terminal."""
    click.echo()
    click.secho(text, bold=True)


def csv_text(records: dict[str, list]) -> str:
    """Columns of values as CSV text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records)
    writer.writerows(zip(*records.values(), strict=True))
    return out.getvalue()


def print_json(facts: dict) -> None:
    """Print facts as JSON; numbers that JSON does not know (nan, infinities) become null."""
    plain_facts = _jsonable(facts)
    text = json.dumps(plain_facts, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        # The escapes that the stream would write (\xe9, \U0001f333) are not JSON; those of JSON itself are.
        text = json.dumps(plain_facts, indent=2, allow_nan=False)
    click.echo(text)


def _jsonable(value):
    if hasattr(value, "to_dict"):
        return _jsonable(value.to_dict())
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if hasattr(value, "tolist"):
        return _jsonable(value.tolist())
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def tree_words(text: str) -> str:
    """The text of a tree or of its rules with options in the place of arguments."""
    return in_options(text, _OF_FIT)


@contextmanager
def collected_notes() -> Iterator[list[str]]:
    """The sentences of boxwood's warnings that were given inside the block, each once."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BoxwoodWarning)
        yield notes
    context = click.get_current_context(silent=True)
    options = READING | getattr(getattr(context, "command", None), "settings_of", lambda _: {})(context)
    for warning in caught:
        if not isinstance(warning.message, BoxwoodWarning):
            continue
        note = in_options(warning.message.message, options)
        if note not in notes:
            notes.append(note)
