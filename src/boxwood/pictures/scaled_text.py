"""A matplotlib text whose size is in units of its axes, so that it keeps its place at any zoom."""

from __future__ import annotations

from matplotlib.text import Text

from .fonts import missing_weights_unsaid


class ScaledText(Text):
    """A text whose font size is a length along the x axis.

    Parameters
    ----------
    x, y, text
        As for ``matplotlib.text.Text``; in the coordinates of the axes' data.
    size : float
        Font size in these coordinates.
    """

    def __init__(self, x: float, y: float, text: str, size: float, **more) -> None:
        super().__init__(x, y, text, parse_math=False, **more)
        self._length = size

    def _fit(self) -> None:
        """Set the size in points from what a unit of the x axis measures now."""
        (left, _), (right, _) = self.axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])
        figure = self.get_figure(root=True)
        self.set_fontsize(max(abs(right - left) * self._length * 72.0 / figure.dpi, 0.01))

    def draw(self, renderer) -> None:
        """Draw in the size of the moment."""
        if self.axes is not None:
            self._fit()
        with missing_weights_unsaid():
            super().draw(renderer)

    def get_window_extent(self, renderer=None, dpi=None):
        """The box around the text, in the size of the moment."""
        if self.axes is not None:
            self._fit()
        with missing_weights_unsaid():
            return super().get_window_extent(renderer, dpi)
