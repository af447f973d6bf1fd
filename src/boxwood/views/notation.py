"""Three notations of formulas: plain text, LaTeX and HTML."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import ClassVar

from .aligned import aligned

#: How cells of numbers are written in HTML.
ALIGNED = ' align="right"'


@dataclass(frozen=True)
class Sheet:
    """The arithmetic of one feature: a title, a table of counts, equations, and a sentence."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    equations: tuple[tuple[str, ...], ...]
    verdict: str
    notes: tuple[str, ...] = field(default=())


class Notation:
    """Plain text; the other two define what they write differently.

    An equation is a chain of expressions joined by equals signs. Names of the user's pass through ``name``.
    """

    minus, times, plus = " - ", " · ", " + "

    def name(self, text: str) -> str:
        """A name of the user's, safe in this notation."""
        return text

    def call(self, symbol: str, of: str, given: str | None = None) -> str:
        """A measure of something: H(D), H(D | age); ``of`` and ``given`` are already safe."""
        return f"{symbol}({of} | {given})" if given else f"{symbol}({of})"

    def fraction(self, above: str, below: str) -> str:
        """A quotient of two numbers."""
        return f"{above}/{below}"

    def log2(self, above: str, below: str) -> str:
        """Binary logarithm of a quotient."""
        return f"log2({above}/{below})"

    def square(self, text: str) -> str:
        """A square of something in brackets."""
        return f"({text})²"

    def symbol(self, name: str) -> str:
        """A symbol that has a letter of its own: chi_squared, sum."""
        return {"chi_squared": "χ²"}.get(name, name)

    def figure(self, value: float, digits: int) -> str:
        """A result, rounded."""
        return self.power(number(value, digits))

    def power(self, text: str) -> str:
        """A number that may have a power of ten: 1.23e-05."""
        return text

    def document(self, head: str | None, sheets: list[Sheet]) -> str:
        """Sheets one after the other."""
        parts = [] if head is None else [head]
        return "\n\n".join([*parts, *map(self._sheet, sheets)])

    def _sheet(self, sheet: Sheet) -> str:
        lines = [sheet.title, *(aligned([sheet.header, *sheet.rows]) if sheet.rows else [])]
        lines += [" = ".join(equation) for equation in sheet.equations]
        return "\n".join([*lines, *sheet.notes, sheet.verdict])


class Latex(Notation):
    """Formulas for amsmath: one align* a feature."""

    minus, times, plus = " - ", r" \cdot ", " + "
    _SPECIAL: ClassVar[dict[str, str]] = {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
        "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }  # fmt: skip

    def escaped(self, text: str) -> str:
        """Text in which nothing is a command."""
        return "".join(self._SPECIAL.get(sign, sign) for sign in text)

    def name(self, text: str) -> str:
        """A name as text within a formula."""
        return rf"\text{{{self.escaped(text)}}}"

    def call(self, symbol: str, of: str, given: str | None = None) -> str:
        """A measure of something."""
        inside = rf"{of} \mid {given}" if given else of
        head = symbol if len(symbol) == 1 else rf"\operatorname{{{symbol}}}"
        return f"{head}({inside})"

    def fraction(self, above: str, below: str) -> str:
        """A fraction."""
        return rf"\frac{{{above}}}{{{below}}}"

    def log2(self, above: str, below: str) -> str:
        """Binary logarithm of a fraction."""
        return rf"\log_2 \frac{{{above}}}{{{below}}}"

    def square(self, text: str) -> str:
        """A square."""
        return rf"\left({text}\right)^2"

    def symbol(self, name: str) -> str:
        """A symbol, or words as an operator."""
        return r"\chi^2" if name == "chi_squared" else name if len(name) == 1 else rf"\text{{{name}}}"

    def power(self, text: str) -> str:
        """A number; a power of ten is written as such."""
        head, e, power = text.partition("e")
        return rf"{head} \times 10^{{{int(power)}}}" if e else head

    def document(self, head: str | None, sheets: list[Sheet]) -> str:
        """Sheets one after the other."""
        parts = [] if head is None else [rf"\paragraph{{{self.escaped(head)}}}"]
        return "\n\n".join([*parts, *map(self._sheet, sheets)])

    def _sheet(self, sheet: Sheet) -> str:
        lines = [rf"\subparagraph{{{self.escaped(sheet.title)}}}", *self._table(sheet)]
        if sheet.equations:
            body = [f"{first} &= {' = '.join(rest)}" for first, *rest in sheet.equations]
            lines += [r"\begin{align*}", " \\\\\n".join(body), r"\end{align*}"]
        return "\n".join([*lines, *map(self.escaped, (*sheet.notes, sheet.verdict))])

    def _table(self, sheet: Sheet) -> list[str]:
        if not sheet.rows:
            return []
        rows = [" & ".join(map(self.escaped, row)) for row in (sheet.header, *sheet.rows)]
        head = rf"\begin{{tabular}}{{l{'r' * (len(sheet.header) - 1)}}}"
        return [head, rows[0] + r" \\ \hline", " \\\\\n".join(rows[1:]), r"\end{tabular}"]


class Html(Notation):
    """A piece of HTML: a section a feature, nothing loaded from elsewhere."""

    minus, times, plus = " − ", " · ", " + "

    def name(self, text: str) -> str:
        """A name, escaped."""
        return html.escape(text)

    def log2(self, above: str, below: str) -> str:
        """Binary logarithm of a quotient."""
        return f"log<sub>2</sub>({above}/{below})"

    def square(self, text: str) -> str:
        """A square."""
        return f"({text})<sup>2</sup>"

    def symbol(self, name: str) -> str:
        """A symbol."""
        return "χ<sup>2</sup>" if name == "chi_squared" else name

    def document(self, head: str | None, sheets: list[Sheet]) -> str:
        """Sheets in one division."""
        title = "" if head is None else f"<h3>{html.escape(head)}</h3>\n"
        return f'<div class="boxwood-split">\n{title}' + "\n".join(map(self._sheet, sheets)) + "\n</div>"

    def _sheet(self, sheet: Sheet) -> str:
        lines = [f"<section>\n<h4>{html.escape(sheet.title)}</h4>", *self._table(sheet)]
        lines += [f"<p>{' = '.join(equation)}</p>" for equation in sheet.equations]
        lines += [f"<p>{html.escape(note)}</p>" for note in sheet.notes]
        return "\n".join([*lines, f"<p><strong>{html.escape(sheet.verdict)}</strong></p>\n</section>"])

    def _table(self, sheet: Sheet) -> list[str]:
        if not sheet.rows:
            return []
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in sheet.header)
        body = ["".join(self._cell(j, cell) for j, cell in enumerate(row)) for row in sheet.rows]
        return [f"<table>\n<tr>{head}</tr>", *(f"<tr>{row}</tr>" for row in body), "</table>"]

    def _cell(self, j: int, cell: str) -> str:
        align = ALIGNED if j else ""
        return f"<td{align}>{html.escape(cell)}</td>"


TEXT, LATEX, HTML = Notation(), Latex(), Html()


def number(value: float, digits: int) -> str:
    """A result with so many decimals; whole numbers without any, small ones with so many significant digits.

    Examples
    --------
    >>> from boxwood.views.notation import number
    >>> number(0.97095, 3), number(5.0, 3), number(0.0000123456, 3)
    ('0.971', '5', '1.23e-05')
    """
    if value == round(value) and abs(value) < 1e15:
        return str(round(value))
    if abs(value) < 10.0**-digits:
        return re.sub(r"\.?0+e", "e", f"{value:.{digits - 1}e}")
    return f"{value:.{digits}f}"
