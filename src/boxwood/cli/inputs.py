"""From a data file to a model's input: columns by name, the task inferred, the file named in every error."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as compute

from ..data.columns.columns import Columns
from ..data.columns.kind_warnings import warn_of_decimals
from ..data.columns.missing_codes import codes_of_columns
from ..data.columns.names import DataFile
from ..data.columns.number_forms import FormSearch
from ..data.columns.schema import Schema
from ..data.files.csv_tables import CsvFields
from ..data.files.data_paths import base_folder, folder_columns, named_files, names_many
from ..data.files.files import read_table
from ..data.files.layout import with_hint
from ..data.files.partitions import with_folders
from ..data.files.stacked import stacked
from ..data.frames.arrow_tables import is_number_type
from ..data.frames.frame import learn_columns, read_columns
from ..data.frames.weights import with_levels_of_weight
from ..errors import (
    ColumnError,
    DataError,
    DataTypeError,
    FormatWarning,
    KindWarning,
    ParameterError,
    ParameterTypeError,
    WeightError,
)
from .column_names import check_column, other_sheets, quoted
from .formatted_columns import amounts_of_texts, warn_of_new_decimals, with_plain_numbers
from .responses import common_numbers, common_task, response, targets_of, with_responses
from .streams import reading_standard_input
from .tables import READING, drops_rows, fields_of_model, read_options
from .wording import in_options, left_out_words


@dataclass(frozen=True)
class FileRoles:
    """Which column is what in a learning file; every other column is a feature, or only those of ``features``."""

    target: str
    weight: str | None = None
    exposure: str | None = None
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class LearningData:
    """A data file as `Algorithm.fit` takes it, with the reason why the task is what it is."""

    columns: Columns
    y: pa.ChunkedArray | dict[str, pa.ChunkedArray]
    weight: pa.ChunkedArray | None
    exposure: pa.ChunkedArray | None
    task: str
    why: str
    codes: list | dict | None = None
    forms: dict | None = None
    orders: dict | None = None
    left_out: int = 0

    @property
    def settings(self) -> dict:
        """The settings by which the file was read, for the model to store."""
        found = {} if self.codes is None else {"missing_values": self.codes}
        if read_options().numeric:
            found["numeric_features"] = read_options().numeric_features(self.columns.schema.names)
        if self.forms:
            found["date_formats"] = self.forms
        if self.orders:
            found["ordinal_features"] = self.orders
        return found | ({"missing_target": "drop"} if drops_rows({}) else {})


@contextmanager
def about(file: str, options: dict[str, str] | None = None) -> Iterator[None]:
    """Reword complaints for the command line: the file first, rows from 1, options in the place of settings.

    ``options`` gives the option of each setting, for commands that have some.
    """
    try:
        yield
    except (DataError, DataTypeError, ParameterError, ParameterTypeError) as error:
        words = in_options(error.message, READING | (options or {}))
        names_file = any(isinstance(part, DataFile) for part in error.message.parts)
        without_file = isinstance(error, (DataError, DataTypeError)) and not names_file
        raise type(error)(*(DataFile(file), ": ") * without_file, words) from error


def read_learning_data(file: str, roles: FileRoles, task: str) -> LearningData:
    """Read a file to learn from.

    Parameters
    ----------
    file : str
        ``"-"`` for standard input.
    roles : FileRoles
    task : {"auto", "classification", "regression"}

    Raises
    ------
    BoxwoodError
        One sentence that begins with the file's name.
    """
    decimals: dict[str, FormSearch] = {}
    table, codes = _read_coded(file, decimals)
    name = shown_name(file)
    targets = targets_of(roles.target, table.column_names)
    for column in (*targets, roles.weight, roles.exposure, *roles.drop, *roles.categorical, *roles.features):
        if column is not None:
            check_column(table, column, name)
    aside = {*targets, roles.weight, roles.exposure, *roles.drop}
    features = [c for c in table.column_names if c not in aside and (not roles.features or c in roles.features)]
    if not features:
        raise ColumnError(DataFile(name), ": no column is left as a feature; drop fewer columns.")
    clash = [column for column in roles.categorical if column in aside]
    if clash:
        raise ColumnError(DataFile(name), f": column {quoted(clash[0])} cannot be categorical, it is not a feature.")
    table, left_out = with_responses(table, targets, codes, drops_rows({}))
    each = {column: response(table, column, name) for column in targets}
    task, why = common_task(each, task)
    with about(name):
        if task == "regression":
            each = {column: amounts_of_texts(y, column) for column, y in each.items()}
        of_features = codes if not isinstance(codes, dict) else {c: codes[c] for c in features if c in codes} or None
        warn_of_decimals({name: decimals[name] for name in features if name in decimals.keys() - {*roles.categorical}})
        numeric = read_options().numeric_features(features)
        forms = read_options().forms(table.column_names)
        orders, listed = read_options().orders(table.column_names), list(roles.categorical) or "from_dtype"
        table_of_features = table.select(features)
        columns = learn_columns(table_of_features, listed, of_features, None, numeric, forms or None, False, orders)
    weight, exposure = (
        numbers_of(table, column, what, name)
        for column, what in ((roles.weight, "weight"), (roles.exposure, "exposure"))
    )
    columns = with_levels_of_weight(columns, weight)
    y = each if len(each) > 1 else each[roles.target]
    return LearningData(columns, y, weight, exposure, task, why, codes, forms, orders, left_out)


def _read_coded(file: str, decimals: dict[str, FormSearch]) -> tuple[pa.Table, list | dict | None]:
    """The table of a file to learn from, and the codes for missing values that the options name."""
    found: list = []

    def fields(names: list[str]) -> CsvFields:
        found.append(read_options().codes(names))
        given = read_options()
        numeric = given.numeric_features(names) or ()
        of_form = {name for name in numeric if numeric[name]} if isinstance(numeric, dict) else set()
        codes, text = codes_of_columns(found[-1], names), frozenset(given.forms(names)) | of_form
        decimals.update({name: FormSearch() for name in names if name not in decimals})
        return CsvFields(codes, text, frozenset(numeric) - of_form, decimals=decimals)

    table = read_file(file, fields)
    return table, found[-1] if found else read_options().codes(table.column_names)


def read_new_data(file: str, model, with_response: bool = False) -> tuple[pa.Table, Columns]:
    """Read a file for a model: the table and the features of the model, picked from it by name.

    Columns that the file lacks are found in the names of its folders. Values that mean missing are those that the
    model remembers and those of the options. ``with_response``: rows without a response are dropped if they are to be.
    """
    fields, schema = fields_of_model(model)
    table = with_plain_numbers(read_file(file, lambda _: fields, "", fields.text), schema)
    warn_of_new_decimals(fields.decimals)
    names = [one.name for one in model.responses] or [model.response_name]
    table, left_out = with_responses(table, names, fields.codes, with_response and drops_rows(model.settings))
    if left_out:
        warnings.warn(f"{left_out_words(left_out)}.", KindWarning, stacklevel=2)
    with about(shown_name(file)):
        return table, features_of(table, model, schema)


def features_of(table: pa.Table, model, schema: Schema) -> Columns:
    """The features of a model, picked from a table by name and read by a schema, which may know more codes."""
    try:
        columns = read_columns(table, schema, match="name")
    except ColumnError as error:
        raise ColumnError(with_hint(error.message, table.column_names)) from error
    return columns if schema is model.schema else columns.with_fields(schema=model.schema)


def read_raw_data(file: str, model) -> pa.Table:
    """A file for a model with the codes for missing values that the model stores left as they are in it."""
    table = read_file(file, lambda _: fields_of_model(model, own_codes=False)[0], "", fields_of_model(model)[0].text)
    return with_plain_numbers(table, model.schema)


def shown_name(file: str) -> str:
    """The name of a file in messages."""
    return "standard input" if file == "-" else file


def read_file(
    file: str, fields: Callable[[list[str]], CsvFields], base: str | None = None, as_text: Collection[str] = ()
) -> pa.Table:
    """The rows of a file, of all files of a folder or pattern, or of standard input.

    Columns that a file lacks are found in the names of its folders below ``base``; None = below the folder given.
    ``fields`` gives the meaning of the columns of text files; folders hold numbers, except in the columns ``as_text``.
    """
    if file == "-":
        with reading_standard_input():
            return read_table("-", fields, read_options().form)
    paths = named_files(file) if names_many(file) else [file]
    folders = folder_columns(paths, base_folder(file) if base is None else base, as_text)
    tables = []
    for path, folder in zip(paths, folders, strict=True):
        with about(path):
            table = read_table(path, fields, read_options().form)
        if sheets := other_sheets(table):
            warnings.warn(f"{path}: the first of {sheets} is read; --sheet chooses another.", FormatWarning, 2)
        tables.append(with_folders(table, folder))
    return tables[0] if len(tables) == 1 else stacked(tables, paths)


def numbers_of(table: pa.Table, column: str | None, what: str, file: str) -> pa.ChunkedArray | None:
    """A column of weights, exposures or amounts by its name, a number in every row; None when no name is given."""
    if column is None:
        return None
    check_column(table, column, file)
    with about(file):
        values = common_numbers(amounts_of_texts(table.column(column), column))
    if not is_number_type(values.type):
        raise WeightError(DataFile(file), f": the {what} column {quoted(column)} must hold numbers.")
    if values.null_count:
        row = compute.index(compute.is_null(values), True).as_py() + 1
        raise WeightError(DataFile(file), f": the {what} {quoted(column)} is missing in row {row}; give every row one.")
    return values
