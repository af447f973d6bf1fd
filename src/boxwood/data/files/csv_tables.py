"""CSV text as Arrow tables: which fields are missing, which columns are numeric, which only look numeric."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..._free_memory import need_memory, raise_if_ran_out
from ..._messages import Column, Message
from ..._threads import outside_main_thread
from ...errors import FileError, FormatWarning, level_outside
from ..columns.missing_codes import matcher, texts_of
from ..columns.names import listed
from ..columns.number_forms import FormSearch
from ..columns.raw import MISSING_WORDS
from ..frames.arrow_tables import each_column, is_number_type, need_pyarrow, one_line
from .delimited import BLANKS, explain_ragged
from .three_decimals import look_for_thousands

#: A row must fit one block of this many bytes.
LONGEST_ROW = 1 << 26
#: Texts that mean a missing value in columns of numbers.
MISSING_NUMBERS = list(MISSING_WORDS)
#: Bytes that Arrow allocates before it reads a byte of text: for the text of fields, and four for each field. Where it
#: does not get them, it ends the process.
_FOR_A_BYTE = 4
#: So many blanks in a field are usual, and in a padded one.
_SOME, _PADDED = 8, 128
_LEADING_ZERO = r"^\s*0[0-9]+\s*$"
_LONG_NUMBER = r"^\s*[+-]?[0-9]{16,}\s*$"


@dataclass(frozen=True)
class CsvForm:
    """How a text file is written.

    Attributes
    ----------
    separator, decimal : str
    names : list of str
        Of its columns.
    place : str
        What messages call the file, or the part of it that is read.
    left_out : frozenset of str
        Columns without values that the table lacks.
    lines : int
        Lines of the file before the text.
    """

    separator: str
    decimal: str
    names: list[str]
    place: str
    left_out: frozenset[str] = frozenset()
    lines: int = 0


@dataclass(frozen=True)
class CsvFields:
    """The meaning of fields of some columns that their form does not show.

    Attributes
    ----------
    codes : dict
        Column -> codes for missing values.
    text : frozenset of str
        Columns of text, even if all their fields are numbers.
    numbers : frozenset of str
        Columns of numbers, even if some have leading zeros.
    blanks : frozenset of str
        Columns whose texts keep blanks at their ends.
    exact : frozenset of str
        Columns that keep whole numbers of any length: as text, and decimals of typed files as decimals.
    decimals : dict of str to FormSearch
        Columns in which numbers are looked for that may be thousands (:mod:`.three_decimals`); files may share it.
    """

    codes: dict = field(default_factory=dict)
    text: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    blanks: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    decimals: dict[str, FormSearch] = field(default_factory=dict)


AS_THEY_LOOK = CsvFields()


def csv_table(data: bytes, form: CsvForm, types: dict | None, fields: CsvFields = AS_THEY_LOOK):
    """A block of CSV text with its line of column names as an Arrow table; empty text fields are nulls.

    Parameters
    ----------
    data : bytes
        UTF-8.
    form : CsvForm
    types : dict, optional
        Arrow types of columns by name, found from the fields where not given.
    fields : CsvFields

    Raises
    ------
    FileError
        It cannot be read; the message names the row.
    """
    pa = need_pyarrow()
    types = dict(types or {}) | {name: pa.string() for name in fields.text if name in form.names}
    types |= dict.fromkeys(form.left_out, pa.null())
    groups: dict[tuple, list[str]] = {}
    for name in form.names:
        groups.setdefault(fields.codes.get(name, ()), []).append(name)
    columns = {}
    for codes, members in groups.items():
        table = _parsed(data, form, types, codes, members if len(groups) > 1 else [])
        columns |= dict(zip(table.column_names, table.columns, strict=True))
    keys = [*_with_leading_zeros(data, form, columns, fields), *_with_long_numbers(data, form, columns, fields)]
    keys = [name for name in dict.fromkeys(keys) if name not in types]
    if keys:
        table = _parsed(data, form, {name: pa.string() for name in keys}, (), keys)
        columns |= {name: table.column(name) for name in keys}
    if fields.decimals:
        found = {name: column for name, column in columns.items() if name not in types}
        look_for_thousands(fields.decimals, found, data, lambda part, names: _texts(part, form, fields, names))
    names = [name for name in form.names if name not in form.left_out]
    table = pa.table([columns[name] for name in names], names=names)
    return empty_text_to_missing(
        without_blanks(table, fields.blanks) if _may_have_blanks(data, form.separator) else table
    )


def _parsed(data: bytes, form: CsvForm, types: dict, codes: tuple, members: list[str]):
    """The columns that ``members`` names, or all, as Arrow reads them."""
    pa = need_pyarrow()
    from pyarrow import csv as arrow_csv

    conversion = arrow_csv.ConvertOptions(
        null_values=[*MISSING_NUMBERS, *_blanks(data), *texts_of(codes)],
        true_values=["true", "True", "TRUE"],
        false_values=["false", "False", "FALSE"],
        decimal_point=form.decimal,
        column_types=types,
        include_columns=members,
    )
    need_memory(_FOR_A_BYTE * len(data))
    try:
        return outside_main_thread(
            arrow_csv.read_csv,
            pa.BufferReader(data),
            # One thread: with Arrow's pool, a process that raised an error now and then aborted at its end.
            read_options=arrow_csv.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=arrow_csv.ParseOptions(delimiter=form.separator, newlines_in_values=b'"' in data),
            convert_options=conversion,
        )
    except pa.ArrowException as error:
        raise_if_ran_out(error)
        explain_ragged(data, form.separator, form.place, form.lines)
        raise FileError(f"{form.place} cannot be read as CSV: {one_line(error)}.") from error


def _texts(data: bytes, form: CsvForm, fields: CsvFields, names: list[str]) -> Iterator[list[str]]:
    """The different texts of some columns, without codes for missing values."""
    from pyarrow import compute

    table = _parsed(data, form, dict.fromkeys(names, need_pyarrow().string()), (), names)
    for name in names:
        is_code = matcher(fields.codes.get(name, ()))
        texts = compute.unique(table.column(name).drop_null()).to_pylist()
        yield [text for text in texts if not is_code(text)]


def _blanks(data: bytes) -> list[str]:
    """Fields of blanks, which are empty; of many in columns that are padded to one width."""
    longest = _PADDED if b" " in data and b" " * (_SOME + 1) in data else _SOME  # a single byte is found faster
    return [" " * n for n in range(1, longest + 1)]


def _with_leading_zeros(data: bytes, form: CsvForm, columns: dict, fields: CsvFields) -> list[str]:
    """Columns of numbers in which some field has leading zeros: they hold names, such as postal codes."""
    pa = need_pyarrow()
    from pyarrow import compute

    before = re.escape(f'{form.separator}\r\n" \t'.encode())
    if not re.search(b"[" + before + b"]0[0-9]", data):
        return []
    maybe = [name for name, column in columns.items() if name not in fields.numbers and is_number_type(column.type)]
    if not maybe:
        return []
    texts = _parsed(data, form, {name: pa.string() for name in maybe}, (), maybe)
    zeros = (compute.match_substring_regex(texts.column(name), _LEADING_ZERO) for name in maybe)
    return [name for name, found in zip(maybe, zeros, strict=True) if compute.any(found).as_py()]


def _with_long_numbers(data: bytes, form: CsvForm, columns: dict, fields: CsvFields) -> list[str]:
    """Columns that keep their values in which some field is a whole number that a float64 may cut."""
    pa = need_pyarrow()
    from pyarrow import compute

    maybe = [name for name in columns if name in fields.exact and pa.types.is_floating(columns[name].type)]
    if not maybe:
        return []
    texts = _parsed(data, form, {name: pa.string() for name in maybe}, (), maybe)
    long = (compute.match_substring_regex(texts.column(name), _LONG_NUMBER) for name in maybe)
    return [name for name, found in zip(maybe, long, strict=True) if compute.any(found).as_py()]


def without_blanks(table, kept: frozenset[str]):
    """The texts without blanks at their ends; a warning names the columns that had some."""
    pa = need_pyarrow()
    from pyarrow import compute

    found = []
    for j, name in enumerate(table.column_names):
        column = table.column(j)
        if name in kept or not pa.types.is_string(column.type):
            continue
        trimmed = compute.utf8_trim(column, BLANKS)
        if _bytes(trimmed) != _bytes(column):
            table = table.set_column(j, name, trimmed)
            if any(text.strip(BLANKS) not in ("", text) for text in compute.unique(column.drop_null()).to_pylist()):
                found.append(name)
    if found:
        words = (
            Message("Blanks around texts are removed in ", Column(found[0], "column"))
            if len(found) == 1
            else (f"Blanks around texts are removed in the columns {listed(found)}")
        )
        warnings.warn(Message(words, "."), FormatWarning, stacklevel=level_outside())
    return table


def _may_have_blanks(data: bytes, separator: str) -> bool:
    """Whether some field may begin or end with a blank."""
    if b" " not in data and all(blank.encode() not in data for blank in BLANKS[1:]):
        return False
    edges, blanks = re.escape(f'{separator}\r\n"').encode(), "|".join(BLANKS).encode()
    return bool(re.search(b"[" + edges + b"](?:" + blanks + b")|(?:" + blanks + b")[" + edges + b"]", data))


def _bytes(column) -> int:
    from pyarrow import compute

    return compute.sum(compute.binary_length(column)).as_py() or 0


def empty_text_to_missing(table):
    """Empty text fields become nulls; Arrow itself does so only in columns of numbers."""
    pa = need_pyarrow()
    from pyarrow import compute

    def null_for_empty(column):
        if not pa.types.is_string(column.type):
            return column
        # Length 0 is cast to false. Comparing with "" would do too, but Arrow then loads pandas.
        known = compute.cast(compute.binary_length(column), pa.bool_())
        if compute.all(known).as_py():
            return column
        return compute.if_else(known, column, pa.nulls(len(column), column.type))

    return each_column(table, null_for_empty)
