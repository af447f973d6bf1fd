"""Charts beside the output of a command: the ending of the file's name determines the kind of picture."""

from __future__ import annotations

from ..pictures.axes import figure_bytes
from ..pictures.files import kind_of
from ..tree.atomic import write_atomically
from .paths import check_new_file


def check_chart(file: str, *inputs: str) -> None:
    """Raise an error before anything is read when a chart cannot have this name.

    Raises
    ------
    ParameterError
        The ending is that of no picture.
    click.UsageError
        The file is one of those that are read.
    """
    kind_of(file)
    check_new_file(file, *inputs)


def write_chart(file: str, drawn, *chosen) -> None:
    """Write the chart of an object with ``to_svg`` and ``plot``; ``chosen`` is what it may choose by.

    Raises
    ------
    NotAvailableError
        PNG and PDF require matplotlib.
    """
    if (kind := kind_of(file)) == "svg":
        write_atomically(file, drawn.to_svg(*chosen).encode("utf-8"))
    else:
        write_atomically(file, figure_bytes(drawn.plot(*chosen).figure, kind))
