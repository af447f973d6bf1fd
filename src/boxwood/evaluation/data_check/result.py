"""The result of a check: its findings, and the drift between two tables, as text, HTML, records and JSON."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp
from typing import Any

from ..._messages import Message
from ...views.aligned import aligned
from ...views.figures import number, percent
from ...views.table import frame_of
from ...views.words import p_value, plain
from .drift import Drift
from .finding import KINDS, Finding

#: So many columns are listed for each kind of finding; the others are counted.
MOST = 20


@dataclass(frozen=True, eq=False)
class DataCheck:
    """What :func:`boxwood.check_data` found in a table.

    Attributes
    ----------
    rows : int
    columns : int
        Number of features.
    target : str or None
        Name of the target.
    findings : tuple of Finding
        The most important first.
    drift : tuple of Drift
        One record for each column that two tables share; empty without a second table.

    Examples
    --------
    >>> import boxwood
    >>> X = boxwood.datasets.load("iris")
    >>> print(boxwood.check_data(X, X.pop("species")))
    Checked 150 rows, 4 columns and the target y: no findings.
    """

    rows: int
    columns: int
    target: str | None
    findings: tuple[Finding, ...]
    drift: tuple[Drift, ...] = ()

    def __len__(self) -> int:
        return len(self.findings)

    def worded(self, write: Callable[[Message], Message]) -> DataCheck:
        """The result with each message rewritten."""
        return replace(self, findings=tuple(replace(f, message=write(f.message)) for f in self.findings))

    @property
    def headline(self) -> str:
        """How much was checked, and how many findings there are."""
        of = f"{self.rows:,} row{'s' * (self.rows != 1)}"
        columns = f"{self.columns:,} column{'s' * (self.columns != 1)}"
        of += f" and {columns}" if self.target is None else f", {columns} and the target {plain(self.target)}"
        many = len(self.findings)
        return f"Checked {of}: {f'{many:,}' if many else 'no'} finding{'s' * (many != 1)}."

    def sentences(self, most: int = MOST) -> list[str]:
        """The findings as sentences, ``most`` of each kind; the others are counted."""
        found = []
        for kind, words in KINDS.items():
            messages = [finding.message for finding in self.findings if finding.kind == kind]
            found += messages[:most]
            if len(messages) > most:
                rest = len(messages) - most
                found.append(Message(f"{rest:,} column{'s' * (rest != 1)} more: {words}."))
        return found

    def drift_cells(self, most: int = MOST) -> list[list[str]]:
        """Header and rows of the table of drift, the largest PSI first."""
        head = ["column", "PSI", "without drift", "test", "statistic", "adjusted p", "missing", "now"]
        ranked = sorted(self.drift, key=lambda one: -one.psi)
        rows = [
            [
                plain(one.column), number(one.psi), number(one.expected_psi), one.test, number(one.statistic),
                p_value(one.adjusted_log_p), percent(one.missing[0]), percent(one.missing[1]),
            ]
            for one in ranked[:most]
        ]  # fmt: skip
        return [head, *rows]

    def _more_drift(self, most: int) -> str:
        rest = len(self.drift) - most
        return f"{rest:,} columns more, with less drift" if rest > 0 else ""

    def to_text(self, most: int = MOST) -> str:
        """The findings as text, one a line, and the table of drift.

        Parameters
        ----------
        most : int
            Columns listed for each kind of finding, and in the table of drift; the others are counted.
        """
        lines = [self.headline, *(f"- {plain(sentence)}" for sentence in self.sentences(most))]
        if self.drift:
            lines += ["", *aligned(self.drift_cells(most), (0, 3)), *filter(None, [self._more_drift(most)])]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_html(self, most: int = MOST) -> str:
        """The same as a section of HTML, without styles or scripts."""
        lines = [f'<section class="data-check"><p>{html.escape(self.headline)}</p>']
        if self.findings:
            items = "".join(f"<li>{html.escape(plain(sentence))}</li>" for sentence in self.sentences(most))
            lines.append(f"<ul>{items}</ul>")
        if self.drift:
            head, *rows = self.drift_cells(most)
            cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
            body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
            more = f"<p>{self._more_drift(most)}</p>" if self._more_drift(most) else ""
            lines.append(f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>{more}")
        return "\n".join([*lines, "</section>"])

    def to_records(self) -> dict[str, list[Any]]:
        """All findings as columns: kind, column, amount, message and remedy; :class:`Finding` describes them."""
        plain_findings = [finding.to_dict() for finding in self.findings]
        names = ("kind", "column", "amount", "message", "remedy")
        return {name: [found[name] for found in plain_findings] for name in names}

    def to_frame(self, backend: str | None = None) -> Any:
        """All findings as a data frame with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, as ``--json`` prints it; unseen levels are named as text."""
        drift = [
            {
                "column": one.column, "psi": one.psi, "expected_psi": one.expected_psi, "test": one.test,
                "statistic": one.statistic, "p": exp(one.log_p), "adjusted_p": exp(one.adjusted_log_p),
                "missing": list(one.missing), "unseen": {str(level): rows for level, rows in one.unseen.items()},
            }
            for one in self.drift
        ]  # fmt: skip
        found = {"rows": self.rows, "columns": self.columns, "target": self.target}
        return found | {"findings": [finding.to_dict() for finding in self.findings], "drift": drift}
