"""The first page of an explorer, for people who decide: facts, tables and pictures as HTML that needs no script."""

from __future__ import annotations

from dataclasses import dataclass

from ...pictures.svg import escaped
from ...views.words import plain


@dataclass(frozen=True)
class Facts:
    """A list of names with the facts of each."""

    heading: str
    pairs: tuple[tuple[str, str], ...]

    def html(self) -> str:
        """One section."""
        items = "".join(f"<div><dt>{escaped(name)}</dt><dd>{escaped(words)}</dd></div>" for name, words in self.pairs)
        return f'<section><h3>{escaped(self.heading)}</h3><dl class="facts">{items}</dl></section>'


@dataclass(frozen=True)
class Sentences:
    """A list of sentences."""

    heading: str
    sentences: tuple[str, ...]

    def html(self) -> str:
        """One section."""
        items = "".join(f"<li>{escaped(plain(sentence))}</li>" for sentence in self.sentences)
        return f"<section><h3>{escaped(self.heading)}</h3><ul>{items}</ul></section>"


@dataclass(frozen=True)
class FigureTable:
    """A table: texts to the left, numbers to the right; on a phone each row is a name and a line of named numbers.

    Attributes
    ----------
    heading : str
    head : tuple of str
    rows : tuple of tuple of str
    texts : int
        So many columns at the left hold texts.
    shares : tuple of float
        A bar in the last column of each row, as a share of the largest; empty for none.
    note : str
        A sentence below.
    """

    heading: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    shares: tuple[float, ...] = ()
    note: str = ""

    def html(self) -> str:
        """One section."""
        heads = "".join(f'<th scope="col"{self._class(j)}>{escaped(name)}</th>' for j, name in enumerate(self.head))
        heads += "<td></td>" if self.shares else ""
        lines = []
        for i, row in enumerate(self.rows):
            first, *rest = row
            cells = "".join(
                f'<td{self._class(j)} data-head="{escaped(self.head[j].removeprefix("± "))}">{escaped(cell)}</td>'
                for j, cell in enumerate(rest, start=1)
            )
            bar = f'<td class="meterbar">{_bar(self.shares[i])}</td>' if self.shares else ""
            lines.append(f'<tr><th scope="row">{escaped(first)}</th>{cells}{bar}</tr>')
        note = f'<p class="faint">{escaped(self.note)}</p>' if self.note else ""
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        return f'<section><h3>{escaped(self.heading)}</h3><div class="scroll">{table}</div>{note}</section>'

    def _class(self, column: int) -> str:
        return "" if column < self.texts else ' class="number"'


def _bar(share: float) -> str:
    """A bar of a share of 120 points."""
    rect = f'<rect class="meter" width="{120 * share:.1f}" height="9" y="1" rx="2"/>'
    return f'<svg width="120" height="11" viewBox="0 0 120 11" aria-hidden="true">{rect}</svg>'


@dataclass(frozen=True)
class Pictures:
    """Pictures, each with a line above."""

    heading: str
    pictures: tuple[tuple[str, str], ...]

    def html(self) -> str:
        """One section; the pictures are trusted SVG."""
        figures = "".join(
            f"<figure><figcaption>{escaped(words)}</figcaption>{picture}</figure>" for words, picture in self.pictures
        )
        return f'<section><h3>{escaped(self.heading)}</h3><div class="pictures">{figures}</div></section>'


@dataclass(frozen=True)
class Summary:
    """The first page.

    Attributes
    ----------
    kicker, headline, line : str
        What it is, the one sentence, and when and by whom.
    sections : tuple of Facts, FigureTable, Pictures or Sentences
    notes : tuple of str
    """

    kicker: str
    headline: str
    line: str
    sections: tuple[Facts | FigureTable | Pictures | Sentences, ...]
    notes: tuple[str, ...] = ()

    def html(self) -> str:
        """The whole page."""
        parts = [
            f'<p class="kind">{escaped(self.kicker)}</p><h2>{escaped(self.headline)}</h2>',
            f'<p class="faint">{escaped(self.line)}</p>',
            *(section.html() for section in self.sections),
            Sentences("Notes", self.notes).html() if self.notes else "",
        ]
        return "\n".join(filter(None, parts))
