"""Picture files: the suffix of the name determines the format."""

from __future__ import annotations

import os
from pathlib import Path

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
        raise ParameterTypeError(f"path must be a file name; got {path!r}. Axes of matplotlib go to ax=.") from None
    kind = ending.lower().removeprefix(".")
    if kind not in KINDS:
        raise ParameterError(f"path must end in .svg, .png or .pdf; got {os.fspath(path)!r}.")
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
        raise ParameterTypeError(f"dpi must be a number of pixels per inch; got {dpi!r}.")
    if not 1.0 <= dpi <= 2400.0:
        raise ParameterError(f"dpi must be a number from 1 to 2400; got {dpi!r}.")
