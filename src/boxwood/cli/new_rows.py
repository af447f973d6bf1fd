"""Rows to predict: a file read whole, files read in parts, or CSV that comes through a pipe."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .._messages import Message
from ..data.columns.columns import Columns
from ..data.columns.number_forms import FormSearch
from ..data.columns.schema import Schema
from ..data.files.arriving import arriving_kind
from ..data.files.arriving_csv import ArrivingCsv
from ..data.files.arriving_json import ArrivingJson
from ..data.files.csv_tables import CsvFields
from ..data.files.file_kinds import JSON
from ..data.frames.beside import ALL, kept_names
from ..errors import DataError, DataTypeError
from .formatted_columns import warn_of_new_decimals, with_plain_numbers
from .inputs import features_of, read_file
from .streams import check_input, reading_standard_input
from .tables import fields_of_model, read_options

if TYPE_CHECKING:
    import pyarrow as pa


#: What messages call standard input.
_PIPE = "standard input"


@dataclass(frozen=True)
class Kept:
    """The columns that are written before the predictions.

    Attributes
    ----------
    names : tuple of str, or None
        None = all.
    as_text : bool
        Those of text files that are not features stay as they are written there.
    """

    names: tuple[str, ...] | None
    as_text: bool

    def fields(self, names: Sequence[str], model, decimals: dict[str, FormSearch]) -> CsvFields:
        """How the columns of a text file are read: codes for missing values stay in columns that are kept."""
        kept = set(names if self.names is None else self.names)
        fields = fields_of_model(model)[0]
        codes = {name: codes for name, codes in fields.codes.items() if name not in kept}
        others = kept.intersection(names).difference(model.schema.names) if self.as_text else ()
        return replace(
            fields, codes=codes, text=fields.text.union(others), numbers=fields.numbers.difference(others),
            blanks=fields.blanks.union(others), exact=frozenset(kept.difference(model.schema.names)),
            decimals=decimals,
        )  # fmt: skip

    def of(self, table: pa.Table) -> pa.Table:
        """The columns of a table that are kept."""
        return table.select(kept_names(ALL if self.names is None else self.names, table.column_names))


@dataclass(frozen=True, eq=False)
class NewRows:
    """Some rows: the features of the model, and the columns that are kept."""

    columns: Columns
    kept: pa.Table


def rows_of(data: str, model, kept: Kept, memory: str | None) -> Iterator[NewRows]:
    """All rows to predict.

    Parameters
    ----------
    data : str
        A file, a folder, a pattern, an address, or "-" for standard input.
    model : Model
    kept : Kept
    memory : str or None
        The limit within which files are read in parts; None = they are read whole.

    Raises
    ------
    BoxwoodError
        Something cannot be read; the message names the file and the row.
    """
    schema = fields_of_model(model)[1]
    kind = _kind_of_pipe(kept, memory) if data == "-" else None
    if kind is not None:
        form = read_options().form
        if kind == JSON:
            arriving = ArrivingJson(sys.stdin.buffer, _PIPE, form, schema.names)
        else:
            arriving = ArrivingCsv(sys.stdin.buffer, _PIPE, form)
        yield from _arriving(arriving, model, schema, kept)
    elif memory is None:
        fields = fields_of_model(model)[0]
        table = read_file(data, lambda names: kept.fields(names, model, fields.decimals), "", fields.text)
        warn_of_new_decimals(fields.decimals)
        yield NewRows(features_of(with_plain_numbers(table, schema), model, schema), kept.of(table))
    else:
        yield from _in_parts(data, model, schema, kept, memory)


def _kind_of_pipe(kept: Kept, memory: str | None) -> str | None:
    """Text or JSON, if standard input is CSV or JSON lines whose rows are predicted as they come; else None."""
    check_input()
    if memory is not None and not kept.as_text:
        message = "with --memory, standard input is written as CSV or JSON lines only: give -o another ending"
        raise click.UsageError(message)
    if read_options().sheet is not None or not kept.as_text:
        return None
    try:
        is_file = stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except OSError:  # a stream in memory
        is_file = False
    with reading_standard_input():
        return arriving_kind(sys.stdin.buffer) if memory is not None or not is_file else None


def _arriving(arriving: ArrivingCsv | ArrivingJson, model, schema: Schema, kept: Kept) -> Iterator[NewRows]:
    with reading_standard_input():
        for place, table in arriving.tables(lambda names: kept.fields(names, model, {})):
            yield _read_part(place, table, model, schema, kept)


def _in_parts(data: str, model, schema: Schema, kept: Kept, memory: str) -> Iterator[NewRows]:
    from ..algorithms.fitting.memory_size import memory_size
    from ..data.streams.file_tables import FileTables

    if read_options().sheet is not None:
        raise click.UsageError("--sheet is for one workbook, which is read whole: leave out --memory")
    files = FileTables(data, memory_size(memory) // 8, form=read_options().form)
    needed = {*model.schema.names, *kept_names(ALL if kept.names is None else kept.names, files.names)}
    columns = [name for name in files.names if name in needed]
    fields = kept.fields(files.names, model, fields_of_model(model)[0].decimals)
    for place, table in files.tables(columns, fields, not kept.as_text):
        yield _read_part(place, table, model, schema, kept)
    warn_of_new_decimals(fields.decimals)


def _read_part(place: Message, table: pa.Table, model, schema: Schema, kept: Kept) -> NewRows:
    try:
        return NewRows(features_of(with_plain_numbers(table, schema), model, schema), kept.of(table))
    except (DataError, DataTypeError) as error:
        raise type(error)(place, ": ", error.message) from error
