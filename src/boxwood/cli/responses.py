"""The response columns of a file: named by --target, read, and the task that follows from them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as compute

from .._messages import Column, Setting, remedy
from ..data.columns.missing_codes import codes_of_columns, matcher
from ..data.columns.names import DataFile
from ..data.frames.arrow_tables import is_number_type
from ..errors import ParameterError, ResponseError
from ..learning.suggested_task import MOST_CLASSES
from .column_names import check_column, quoted
from .formatted_columns import numbers_form
from .options import split_names


def targets_of(target: str, names: list[str]) -> list[str]:
    """The columns that --target names: one, or several separated by commas.

    Raises
    ------
    ParameterError
        It names a column twice.
    """
    found = [target] if target in names else list(split_names((target,)))
    twice = [name for k, name in enumerate(found) if name in found[:k]]
    if twice:
        raise ParameterError(
            Setting("target"), " names ", Column(twice[0]), " twice; ", remedy("name each column once"), "."
        )  # fmt: skip
    return found


def with_responses(table: pa.Table, columns: list[str], codes, drops: bool) -> tuple[pa.Table, int]:
    """The same for each of some responses."""
    left_out = 0
    for column in columns:
        table, more = _with_response(table, column, codes, drops)
        left_out += more
    return table, left_out


def _with_response(table: pa.Table, column: str, codes, drops: bool) -> tuple[pa.Table, int]:
    """The table without the codes of its response, and without the rows that lack it, if they are to be dropped."""
    if column not in table.column_names or not (codes or drops):
        return table, 0
    if isinstance(codes, dict):
        codes = {column: codes[column]} if column in codes else None
    found = codes_of_columns(codes, [column])
    values = _without_codes(common_numbers(table.column(column)), found.get(column, ()))
    table = table.set_column(table.column_names.index(column), column, values)
    missing = compute.is_null(values, nan_is_null=pa.types.is_floating(values.type))
    count = compute.sum(missing).as_py() or 0
    if not (drops and count):
        return table, 0
    return table.filter(compute.invert(missing)), count


def _without_codes(values: pa.ChunkedArray, codes: tuple) -> pa.ChunkedArray:
    """A column with nulls in the place of codes."""
    if not codes or not (pa.types.is_string(values.type) or is_number_type(values.type)):
        return values
    is_code, different = matcher(codes), compute.unique(values)
    found = pa.array([value for value in different.to_pylist() if value is not None and is_code(value)], values.type)
    return compute.if_else(compute.is_in(values, found), pa.scalar(None, values.type), values) if len(found) else values


def response(table: pa.Table, column: str, file: str) -> pa.ChunkedArray:
    """The response column; every row must have a value; decimals and short floats become float64."""
    values = common_numbers(table.column(column))
    missing = compute.is_null(values, nan_is_null=pa.types.is_floating(values.type))
    count = compute.sum(missing).as_py()
    if count:
        row = compute.index(missing, True).as_py() + 1
        rows = f"{count} row{'s' * (count > 1)}"
        where = f": the response {quoted(column)} is missing in {rows}, first in row {row}; "
        raise ResponseError(DataFile(file), where, "remove them, or leave them out with --missing-target drop.")
    return values


def response_of(table: pa.Table, model, file: str) -> pa.ChunkedArray | dict[str, pa.ChunkedArray]:
    """The response of a model in a table, by its name; of several responses each by its name."""
    names = [one.name for one in model.responses] or [model.response_name]
    for name in names:
        check_column(table, name, file)
    found = {name: response(table, name, file) for name in names}
    return found if model.responses else found[model.response_name]


def common_numbers(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column, as float64 where it holds numbers that numpy or Arrow's functions do not know."""
    rare = pa.types.is_decimal(values.type) or pa.types.is_float16(values.type)
    return values.cast(pa.float64()) if rare else values


def common_task(each: dict[str, pa.ChunkedArray], requested: str) -> tuple[str, str]:
    """The task of one response or of several, which must have the same."""
    found = {name: _task(y, requested) for name, y in each.items()}
    if len({task for task, _ in found.values()}) > 1:
        words = ", ".join(f"{quoted(name)}: {task} ({why})" for name, (task, why) in found.items())
        raise ParameterError("the targets are of different kinds, ", words, "; ", remedy("name one with --task."))
    return next(iter(found.values()))


def _task(y: pa.ChunkedArray, requested: str) -> tuple[str, str]:
    """The task, and the sentence that gives the reason."""
    if requested != "auto":
        return requested, "as requested"
    kind = y.type
    if pa.types.is_integer(kind):
        different = compute.count_distinct(y).as_py()
        words = f"integers, {different} distinct; use --task to change this"
        return ("classification" if different <= MOST_CLASSES else "regression"), words
    if pa.types.is_floating(kind):
        return "regression", "numbers"
    if pa.types.is_string(kind) and (form := numbers_form(compute.unique(y).to_pylist())):
        return "regression", f"numbers of the form {form}; use --task to change this"
    return "classification", "true/false" if pa.types.is_boolean(kind) else "text"
