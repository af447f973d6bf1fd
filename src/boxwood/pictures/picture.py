"""A finished picture: SVG text, a file, or what a notebook shows."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import check_one_of
from .files import save_scene
from .options import THEMES
from .scene import Scene
from .svg import scene_svg


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A picture that draws itself in a notebook and can be saved; ``plot_regions`` returns one.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> X, y = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
    >>> picture = CARTClassifier(pruning=None).fit(X, y).plot_regions(X, y)
    >>> picture
    <Picture: Regions of a decision tree (cart) for y, 2 leaves>
    >>> picture.svg[:4]
    '<svg'
    """

    _scene: Scene

    def __repr__(self) -> str:
        return f"<Picture: {self._scene.title}>"

    @property
    def svg(self) -> str:
        """The picture as one ``<svg>`` element in the reader's light or dark mode; no package is needed."""
        return scene_svg(self._scene)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg

    def save(self, path: str | os.PathLike, dpi: float = 144.0, theme: str = "auto") -> None:
        """Write the picture to a file.

        Parameters
        ----------
        path : str or path object
            Ends in .svg, or, with matplotlib, .png or .pdf.
        dpi : float
            Pixels per inch of a PNG.
        theme : {"auto", "light", "dark"}
            "auto" follows the system of the viewer in SVG, and is light in other formats.

        Raises
        ------
        ParameterError, ParameterTypeError
            The ending is none of these; ``dpi`` or ``theme`` is out of range.
        NotAvailableError
            matplotlib is required but not installed.
        FileError
            The file cannot be written.
        """
        check_one_of("theme", theme, THEMES)
        save_scene(self._scene, path, theme, dpi)
