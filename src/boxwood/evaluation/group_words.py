"""The text and the chart of an evaluation by group (``found``)."""

from __future__ import annotations

import math

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from ..pictures.chart import Chart, Series
from ..views.aligned import aligned
from ..views.figures import number
from ..views.words import level, p_value, plain
from .figure import FIGURES

#: Words of the figures that only groups have.
_WORDS = {
    "observed": "observed", "predicted": "predicted", "observed_to_predicted": "observed / predicted",
    "selection_rate": "selection rate", "equal_opportunity": "recall less that of other rows",
}  # fmt: skip
#: Heading of a table -> its figures.
_TABLES = {
    "Calibration": ("observed", "predicted", "observed_to_predicted"),
    "Selection": ("selection_rate", "recall", "equal_opportunity"),
}


def words_of(name: str) -> str:
    """A figure by its name, for people."""
    return _WORDS.get(name) or FIGURES[name][0]


def group_name(found, group) -> str:
    """A group as a table names it."""
    return "all rows" if group is found.whole else "missing" if group.label is None else level(group.label)


def sections(found) -> list[tuple[str, list[str], list[list[str]]]]:
    """Heading, header and rows of each table."""
    groups = (*found.groups, found.whole)
    named = [[group_name(found, group)] for group in groups]
    of_class = "" if found.label is None else f" of {level(found.label)}"
    others = [name for name in found.whole.figures if not any(name in names for names in _TABLES.values())]
    rows = [[*name, f"{group.rows:,}"] for name, group in zip(named, groups, strict=True)]
    tables = [_table(f"By {plain(found.name)}, with 95 % intervals", others, groups, rows, ["group", "rows"])]
    for heading, names in _TABLES.items():
        if names[0] in found.whole.figures:
            tables.append(_table(heading + of_class, names, groups, named, ["group"]))
    kinds = [(name, what) for name, what in (("psi_score", "score"), ("psi_leaves", "leaves"))
             if any(not math.isnan(getattr(group, name).psi) for group in groups)]  # fmt: skip
    if kinds:
        head = ["group"] + [word for _, what in kinds for word in (f"PSI of {what}", "expected", "p")]
        cells = [name + [word for kind, _ in kinds for word in _stability(getattr(group, kind))]
                 for name, group in zip(named, groups, strict=True)]  # fmt: skip
        tables.append((f"Stability against the {found.reference}", head, cells))
    return tables


def remarks(found) -> list[str]:
    """Sentences below the tables."""
    ratio = found.selection_ratio
    if math.isnan(ratio) or len(found.groups) < 2:
        return []
    by_rate = sorted(found.groups, key=lambda group: group.figures["selection_rate"].value)
    least, most = by_rate[0], by_rate[-1]
    words = [f"{number(g.figures['selection_rate'].value)} ({group_name(found, g)})" for g in (least, most)]
    return [f"Selection rates range from {words[0]} to {words[1]}; their ratio is {number(ratio)}."]


def _table(heading: str, names, groups, start, head) -> tuple[str, list[str], list[list[str]]]:
    cells = [row + [_estimate(group.figures[name]) for name in names] for row, group in zip(start, groups, strict=True)]
    return heading, [*head, *map(words_of, names)], cells


def _estimate(found) -> str:
    if math.isnan(found.value):
        return "-"
    ends = "" if math.isnan(found.low) else f" [{number(found.low)} to {number(found.high)}]"
    return number(found.value) + ends


def _stability(found) -> list[str]:
    if math.isnan(found.psi):
        return ["-", "-", "-"]
    return [number(found.psi), number(found.expected), p_value(found.log_p)]


def groups_text(found) -> str:
    """All tables in text."""
    lines = []
    for heading, head, rows in sections(found):
        lines += [heading, *(f"  {line}" for line in aligned([head, *rows])), ""]
    return "\n".join([*lines, *remarks(found)]).rstrip("\n")


def figure_chart(found, figure: str | None = None) -> Chart:
    """A dot for each group with its 95 % interval, and a line at the figure of all rows.

    Raises
    ------
    ParameterError
        There is no such figure.
    """
    known = list(found.whole.figures)
    figure = known[0] if figure is None else figure
    if figure not in known:
        raise ParameterError(must_be("figure", f"one of {', '.join(map(repr, known))}", figure))
    estimates = np.array([group.figures[figure] for group in found.groups], dtype=np.float64)
    at = np.flatnonzero(np.isfinite(estimates[:, 0]))
    value, low, high = estimates[at].T
    ends = np.concatenate([estimates[at][np.isfinite(estimates[at])], [found.whole.figures[figure].value]])
    errors = np.array([value - np.clip(low, ends.min(), None), np.clip(high, None, ends.max()) - value])
    dots = Series(value, at.astype(np.float64), "95 % interval", line="", marks=True, errors=np.nan_to_num(errors),
                  across=True)  # fmt: skip
    names = tuple(group_name(found, group) for group in found.groups)
    line = Series(
        np.full(2, found.whole.figures[figure].value), np.array([-0.5, len(names) - 0.5]), "all rows", "faint", ":"
    )
    return Chart(words_of(figure), f"by {plain(found.name)}", (dots, line), names=names)
