"""A scene as SVG text: one element, for a file or within a page, that loads nothing."""

from __future__ import annotations

import hashlib

from .colours import ROLES, paint
from .scene import Group, Label, Path, Rect, Scene

#: Tried in this order; what has no sign for a character is skipped. No family is wider than DejaVu Sans.
FONTS = (
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', 'PingFang SC', "
    "'Hiragino Sans', 'Microsoft YaHei', 'Yu Gothic', 'Malgun Gothic', 'Noto Sans CJK SC', 'Noto Sans SC', "
    "'Source Han Sans SC', 'WenQuanYi Zen Hei', sans-serif"
)

#: Replaced in text: what XML could take for markup, and what it does not allow at all.
_ESCAPES = {ord(c): e for c, e in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;"))}
_ESCAPES |= {code: f"\\u{code:04x}" for code in (*range(9), 11, 12, *range(14, 32), 127, 0xFFFE, 0xFFFF)}


def escaped(text: str) -> str:
    """Text as it may be within an element or an attribute.

    Examples
    --------
    >>> from boxwood.pictures.svg import escaped
    >>> escaped("a<b> & 'c'")
    'a&lt;b&gt; &amp; &#39;c&#39;'
    """
    text = text.translate(_ESCAPES)
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)


def scene_svg(scene: Scene, theme: str = "auto") -> str:
    """A scene as one ``<svg>`` element.

    Parameters
    ----------
    scene : Scene
    theme : {"auto", "light", "dark", "page"}
        "auto": light, and dark where the reader's system prefers it; "page": the style sheet of the page that the
        picture is put into paints the roles of its classes (bw-f-text: fill, bw-s-strip: stroke).

    Returns
    -------
    str
        The same scene gives the same text. Identifiers come from the content, so that several pictures can be in
        one page.
    """
    return _Writer(scene, theme).text()


class _Writer:
    """Writes one scene."""

    def __init__(self, scene: Scene, theme: str) -> None:
        self.scene, self.theme = scene, theme
        self.dark = theme == "dark"
        self.mark = "bw" + hashlib.sha256(repr(scene).encode("utf-8", "backslashreplace")).hexdigest()[:10]
        self.hatched: dict[tuple[str, int], str] = {}

    def text(self) -> str:
        scene, mark = self.scene, self.mark
        size = f"{_number(scene.width)} {_number(scene.height)}"
        width, height = size.split()
        body = [self._item(item) for item in scene.items]
        ground = self._item(Rect(0.0, 0.0, scene.width, scene.height, "ground"))
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {size}" '
            f'role="img" aria-labelledby="{mark}-title {mark}-desc" font-family="{FONTS}">'
        )
        words = [
            f'<title id="{mark}-title">{escaped(scene.title)}</title>',
            f'<desc id="{mark}-desc">{escaped(scene.description)}</desc>',
        ]
        return "\n".join([opening, *words, *self._style(), *self._patterns(), ground, *body, "</svg>\n"])

    def _style(self) -> list[str]:
        """Colours of dark ground; light ones are in the elements, for readers that know no style sheets."""
        if self.theme != "auto":
            return []
        rules = " ".join(
            f".bw-f-{role}{{fill:{dark}}} .bw-s-{role}{{stroke:{dark}}}" for role, (_, dark) in ROLES.items()
        )
        return [f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"]

    def _patterns(self) -> list[str]:
        """Stripes and dots over the colours that need them."""
        if not self.hatched:
            return []
        parts = []
        for (ink, hatch), name in self.hatched.items():
            ground = f'<rect width="6" height="6"{self._inks(ink, None)}/>'
            lines = '<path d="M0 6L6 0M-1 1L1 -1M5 7L7 5" stroke="#ffffff" stroke-width="1.6"/>'
            over = lines if hatch == 1 else '<circle cx="3" cy="3" r="1.5" fill="#ffffff"/>'
            unit = 'width="6" height="6" patternUnits="userSpaceOnUse"'
            parts.append(f'<pattern id="{name}" {unit}>{ground}{over}</pattern>')
        return ["<defs>", *parts, "</defs>"]

    def _inks(self, fill: str | None, stroke: str | None) -> str:
        """Fill and stroke of one element; the roles among them are classes, which the style sheet can repaint."""
        parts, roles = [], []
        for what, ink in (("fill", fill), ("stroke", stroke)):
            if ink is None:
                parts += [' fill="none"'] if what == "fill" else []
                continue
            fixed = ink.startswith(("#", "url("))
            parts.append(f' {what}="{ink if fixed else paint(ink, self.dark)}"')
            if not fixed and self.theme in ("auto", "page"):
                roles.append(f"bw-{what[0]}-{ink}")
        return "".join(parts) + (f' class="{" ".join(roles)}"' if roles else "")

    def _item(self, item) -> str:
        return {Rect: self._rect, Label: self._label, Path: self._path, Group: self._group}[type(item)](item)

    def _rect(self, rect: Rect) -> str:
        place = _attributes(x=rect.x, y=rect.y, width=rect.width, height=rect.height)
        radius = f' rx="{_number(rect.radius)}"' if rect.radius else ""
        fill = rect.fill
        if rect.hatch and fill:
            fill = f"url(#{self.hatched.setdefault((fill, rect.hatch), f'{self.mark}-{len(self.hatched)}')})"
        return f"<rect{place}{radius}{self._inks(fill, rect.stroke)}/>"

    def _label(self, label: Label) -> str:
        anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
        weight = ' font-weight="bold"' if label.bold else ""
        place = _attributes(x=label.x, y=label.y) + f' font-size="{_number(label.size)}"'
        return f"<text{place}{anchor}{weight}{self._inks(label.ink, None)}>{escaped(label.text)}</text>"

    def _path(self, path: Path) -> str:
        steps = "".join(step[0] + " ".join(map(_number, step[1:])) for step in path.steps)
        width = f' stroke-width="{_number(path.width)}"' if path.stroke and path.width != 1.0 else ""
        dashes = ' stroke-dasharray="3 2"' if path.dashed else ""
        return f'<path d="{steps}"{self._inks(path.fill, path.stroke)}{width}{dashes}/>'

    def _group(self, group: Group) -> str:
        moved = f' transform="translate({_number(group.x)} {_number(group.y)})"' if group.x or group.y else ""
        note = f"<title>{escaped(group.note)}</title>" if group.note else ""
        return f"<g{moved}>{note}{''.join(map(self._item, group.items))}</g>"


def _attributes(**values: float) -> str:
    return "".join(f' {name}="{_number(value)}"' for name, value in values.items())


def _number(value: float) -> str:
    """A length in hundredths, without needless digits."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
