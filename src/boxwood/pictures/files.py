"""Picture files: the suffix of the name determines the format."""

from __future__ import annotations

import os
from pathlib import Path

from .._messages import Setting, Value, must_be
from ..errors import ParameterError, ParameterTypeError
from ..tree.atomic import write_atomically
from .axes import figure_bytes, scene_axes
from .scene import Scene
from .svg import scene_svg

KINDS = ("svg", "png", "pdf")


def kind_of(path: str | os.PathLike) -> str:
    """Kind of picture by the ending of a file's name.

    Raises
    ------
    ParameterError, ParameterTypeError
        The name ends otherwise, or is not a name.
    """
    try:
        ending = Path(path).suffix
    except TypeError:
        raise ParameterTypeError(must_be("path", "a file name", path, ". Axes of matplotlib go to ax=.")) from None
    kind = ending.lower().removeprefix(".")
    if kind not in KINDS:
        raise ParameterError(Setting("path"), " must end in .svg, .png or .pdf; got ", Value(os.fspath(path)), ".")
    return kind


def save_scene(scene: Scene, path: str | os.PathLike, theme: str = "auto", dpi: float = 144.0) -> None:
    """Write a scene as SVG (without any package), PNG or PDF (through matplotlib), whole or not at all.

    Raises
    ------
    ParameterError, ParameterTypeError
        The ending is none of these; ``dpi`` is not a positive number; a PNG would be too large.
    NotAvailableError
        matplotlib is required but not installed.
    FileError
        The file cannot be written.
    """
    check_dpi(dpi)
    kind = kind_of(path)
    if kind == "svg":
        write_atomically(path, scene_svg(scene, theme).encode("utf-8"))
        return
    ax = scene_axes(scene, None, theme == "dark")
    write_atomically(path, figure_bytes(ax.figure, kind, dpi))


def check_dpi(dpi) -> None:
    """Refuse what is not a number of pixels."""
    if isinstance(dpi, bool) or not isinstance(dpi, (int, float)):
        raise ParameterTypeError(must_be("dpi", "a number of pixels per inch", dpi))
    if not 1.0 <= dpi <= 2400.0:
        raise ParameterError(must_be("dpi", "a number from 1 to 2400", dpi))
