"""A scene drawn on matplotlib axes, or as PNG, PDF or SVG bytes."""

from __future__ import annotations

import io
import warnings

from .._messages import Setting, Value, must_be, remedy
from ..errors import NotAvailableError, ParameterError, ParameterTypeError
from .colours import paint
from .fonts import families, missing_weights_unsaid
from .scene import Group, Label, Path, Rect, Scene, every_label

#: Longest side of a PNG in pixels: what the painter of matplotlib can do.
_MOST_PIXELS = 2**16 - 1
#: Only a PNG is compressed by us: pictures are mostly ground, and stronger compression takes longer than painting.
_COMPRESSION = {"png": {"pil_kwargs": {"compress_level": 1}}}
HATCHES = {0: None, 1: "//////", 2: "...."}
#: What a file does not contain, so that the same picture gives the same bytes.
_UNSAID = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def new_axes(what: str, size: tuple[float, float] | None = None):
    """Axes of a new figure without a window; ``size`` in points.

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotAvailableError(f"{what} needs matplotlib; install it with: pip install matplotlib.") from error
    figure = Figure(layout="constrained") if size is None else Figure(figsize=(size[0] / 72, size[1] / 72))
    # With a canvas of its own: else measuring a text would paint the whole figure once.
    FigureCanvasAgg(figure)
    return figure.subplots() if size is None else figure.add_axes((0.0, 0.0, 1.0, 1.0))


def given_axes(ax):
    """The axes that a caller gave, None for none; ParameterTypeError when it is something else."""
    if ax is not None and not callable(getattr(ax, "set_xlim", None)):
        raise ParameterTypeError(must_be("ax", "axes of matplotlib or None", Value(ax, type(ax).__name__)))
    return ax


def scene_axes(scene: Scene, ax=None, dark: bool = False):
    """Paint a scene.

    Parameters
    ----------
    scene : Scene
    ax : matplotlib Axes, optional
        The picture fills it, its proportions kept; texts shrink and grow with it. By default a new figure in which a
        point of the scene is a point.
    dark : bool

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    """
    ax = given_axes(ax) or new_axes("plot", (scene.width, scene.height))
    ax.set_xlim(0.0, scene.width)
    ax.set_ylim(scene.height, 0.0)
    ax.set_aspect("equal")
    ax.axis("off")
    # Points for a unit of the scene: what matplotlib measures in points, as widths of lines, shrinks with the picture.
    frame = ax.get_window_extent()
    unit = min(frame.width / scene.width, frame.height / scene.height) * 72.0 / ax.get_figure(root=True).dpi
    painter = _Painter(ax, dark, families(label.text for *_, label in every_label(scene.items)), min(unit, 1.0))
    painter.rect(Rect(0.0, 0.0, scene.width, scene.height, "ground"), 0.0, 0.0)
    painter.items(scene.items, 0.0, 0.0)
    return ax


class _Painter:
    """Paints shapes on axes in the order they come."""

    def __init__(self, ax, dark: bool, fonts: list[str], unit: float) -> None:
        self.ax, self.dark, self.fonts, self.unit = ax, dark, fonts, unit
        self.order = 1.0

    def items(self, items, x: float, y: float) -> None:
        for item in items:
            if isinstance(item, Group):
                self.items(item.items, x + item.x, y + item.y)
            else:
                {Rect: self.rect, Label: self.label, Path: self.path}[type(item)](item, x, y)

    def _next(self) -> float:
        self.order += 1e-4
        return self.order

    def _paint(self, ink: str | None) -> str:
        return "none" if ink is None else paint(ink, self.dark)

    def rect(self, rect: Rect, x: float, y: float) -> None:
        from matplotlib.patches import BoxStyle, FancyBboxPatch, Rectangle

        place = (x + rect.x, y + rect.y)
        look = {
            "facecolor": self._paint(rect.fill), "edgecolor": self._paint(rect.stroke), "zorder": self._next(),
            "linewidth": 0.8 * self.unit if rect.stroke else 0.0,
        }  # fmt: skip
        if rect.hatch:
            look |= {"hatch": HATCHES[rect.hatch], "edgecolor": "#ffffff", "linewidth": 0.0}
        radius = min(rect.radius, rect.width / 2, rect.height / 2)
        if radius > 0:
            style = BoxStyle.Round(pad=0, rounding_size=radius)
            patch = FancyBboxPatch(place, rect.width, rect.height, boxstyle=style, **look)
        else:
            patch = Rectangle(place, rect.width, rect.height, **look)
        self.ax.add_artist(patch)

    def label(self, label: Label, x: float, y: float) -> None:
        from .scaled_text import ScaledText

        self.ax.add_artist(
            ScaledText(
                x + label.x, y + label.y, label.text, label.size, color=self._paint(label.ink),
                horizontalalignment={"start": "left", "middle": "center", "end": "right"}[label.anchor],
                verticalalignment="baseline", fontfamily=self.fonts, fontweight="bold" if label.bold else "normal",
                zorder=self._next(), usetex=False,
            )
        )  # fmt: skip

    def path(self, path: Path, x: float, y: float) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Outline

        vertices, codes = [], []
        for step, *numbers in path.steps:
            if step == "Z":
                vertices.append(vertices[0])
                codes.append(Outline.CLOSEPOLY)
                continue
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            vertices += [(x + px, y + py) for px, py in points]
            codes += {"M": [Outline.MOVETO], "L": [Outline.LINETO], "C": [Outline.CURVE4] * 3}[step]
        self.ax.add_artist(
            PathPatch(
                Outline(vertices, codes), facecolor=self._paint(path.fill), edgecolor=self._paint(path.stroke),
                linewidth=path.width * self.unit if path.stroke else 0.0, linestyle=(0, (3, 2)) if path.dashed else "-",
                zorder=self._next(), capstyle="butt",
            )
        )  # fmt: skip


def figure_bytes(figure, kind: str, dpi: float = 144.0) -> bytes:
    """A figure as the content of a file.

    Parameters
    ----------
    figure : matplotlib Figure
    kind : {"png", "pdf", "svg"}
    dpi : float
        Pixels per inch of a PNG.

    Raises
    ------
    ParameterError
        A PNG would be too large.
    """
    from matplotlib import rc_context

    pixels = max(figure.get_size_inches()) * dpi
    if kind == "png" and pixels > _MOST_PIXELS:
        raise ParameterError(
            f"a PNG of {pixels:.0f} pixels is larger than the {_MOST_PIXELS} that can be painted; ",
            remedy("fold more away (", Setting("max_leaves"), ", ", Setting("max_depth"), "), lower ", Setting("dpi"),
                   ", or save as .svg"), ".",
        )  # fmt: skip
    file = io.BytesIO()
    fonts = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "boxwood"}
    with rc_context(fonts), missing_weights_unsaid(), warnings.catch_warnings():
        # FontWarning has already reported characters that no font has.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(file, format=kind, dpi=dpi, metadata=_UNSAID[kind], **_COMPRESSION.get(kind, {}))
    return file.getvalue()
