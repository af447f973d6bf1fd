"""The types of what users pass in, for editors and type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

# An optional package: Any for a checker that does not find it.
if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Axes = Figure = Any

#: A table of n rows: a data frame of any library, a matrix, a mapping of columns, or a list of rows. Python
#: has no common type for these; ``data.frame.read_columns`` decides what it can read, and its errors name it.
TableLike: TypeAlias = Any

#: A column of n values: a list, an array, a series or a chunked array.
ColumnLike: TypeAlias = Any

#: Formats of exports that are bytes; the others are text.
BinaryFormat: TypeAlias = Literal["xlsx", "pmml", "dmn", "onnx", "treelite", "sklearn"]
