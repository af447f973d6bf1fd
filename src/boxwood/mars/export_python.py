"""A MARS model as Python source without dependencies."""

from __future__ import annotations

from ..data.columns.schema import NUMERIC
from ..exports.codes import code_numbers, spelled
from .design import LEVELS, MISSING
from .export_language import (
    Language,
    counts_of_times,
    has_hinges,
    n_scores,
    score_names,
    signed,
    used_columns,
    used_features,
)
from .model import MARSModel

_HINGE = '''
def h(z):
    """z where z is above 0, else 0."""
    return z if z > 0.0 else 0.0
'''
_VALUE = """
def is_missing(value):
    return value is None or value != value
"""
_KNOWN = '''
def known(row):
    """The row with None for codes for missing values; blanks at the ends of a text do not count."""
    row = dict(row)
    for name, codes in CODES.items():
        value = row[name].strip() if isinstance(row[name], str) else row[name]
        if type(value) is not bool and value in codes:
            row[name] = None
    return row
'''
_NUMBER = '''
def number(row, name, fill):
    """A number of the row, or its replacement."""
    value = row[name]
    if not is_missing(value):
        return float(value)
    if MISSING == "error":
        raise ValueError(f"{name} is missing")
    return fill
'''
_LEVEL = '''
def level(row, name):
    """A level of the row; None when it is missing."""
    value = row[name]
    if is_missing(value):
        if MISSING == "error":
            raise ValueError(f"{name} is missing")
        return None
    if UNSEEN == "error" and value not in LEVELS[name]:
        raise ValueError(f"{name}: training did not have the level {value!r}")
    return value


def one_of(row, name, *levels):
    """1 if the row has one of these levels, else 0."""
    return float(level(row, name) in levels)


def place(row, name, fill):
    """The rank of a level, from 1, or its replacement."""
    value = level(row, name)
    return LEVELS[name].index(value) + 1.0 if value in LEVELS[name] else fill


def unknown(row, name):
    """1 if the level is missing or was not seen in training, else 0."""
    return float(level(row, name) not in LEVELS[name])
'''
_SIGMOID = """
def sigmoid(z):
    small = exp(-abs(z))
    return (1.0 if z >= 0.0 else small) / (1.0 + small)
"""


def python_source(model: MARSModel) -> str:
    """Source of ``predict(row)``, and of ``predict_proba(row)`` for classes; a row is a dictionary of the features."""
    language = Language(lambda v: signed(repr(v)), lambda j: f"x{j}", lambda a, b: f"h({a} - {b})")
    names = score_names(model)
    lines = [f"# {name!r}: {counts}" for name, counts in counts_of_times(model).items()]
    lines += ["", "def scores(row):", f"    {'; '.join(names)!r}"]
    lines += ["    row = known(row)"] * bool(_codes(model))
    lines += [f"    x{j} = {_column(model, j)}" for j in used_columns(model)]
    lines.append("    return [")
    for k in range(n_scores(model)):
        first, *more = language.score(model, k)
        lines += [f"        {first}", *(f"        {term}" for term in more)]
        lines[-1] += ","
    lines += ["    ]", ""]
    if model.labels:
        return "\n".join([*_head(model), *lines, *_classes(model)])
    result = "scores(row)[0]" if len(names) == 1 else "scores(row)"
    return "\n".join([*_head(model), *lines, "", "def predict(row):", f"    return {result}", ""])


def _head(model: MARSModel) -> list[str]:
    """Imports, what is known of the features, and the functions needed."""
    levels = {f.name: f.levels for f in (model.schema[i] for i in used_features(model)) if f.kind != NUMERIC}
    lines = ["from math import exp", ""] if model.log_odds is not None else []
    lines += [f"MISSING = {model.settings['missing']!r}", f"UNSEEN = {model.settings['unseen']!r}"]
    lines += ["LEVELS = {", *(f"    {name!r}: {known!r}," for name, known in levels.items()), "}"] if levels else []
    codes = _codes(model)
    lines += (
        ["CODES = {", *(f"    {name!r}: {known!r}," for name, known in codes.items()), "}", _KNOWN] if codes else []
    )
    if has_hinges(model):
        lines.append(_HINGE)
    if used_columns(model):
        lines.append(_VALUE)
    if any(model.schema[i].kind == NUMERIC for i in used_features(model)):
        lines.append(_NUMBER)
    if levels:
        lines.append(_LEVEL)
    if model.log_odds is not None:
        lines.append(_SIGMOID)
    return lines


def _codes(model: MARSModel) -> dict[str, tuple]:
    """The codes for missing values of the features that are used."""
    found = {}
    for feature in (model.schema[i] for i in used_features(model)):
        codes = (*spelled(feature).texts, *code_numbers(feature)) if feature.missing_values else ()
        found |= {feature.name: codes} if codes else {}
    return found


def _column(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    feature = model.schema[column.feature]
    if column.what == MISSING:
        return (
            f"float(is_missing(row[{feature.name!r}]))"
            if feature.kind == NUMERIC
            else f"unknown(row, {feature.name!r})"
        )
    if column.what == LEVELS:
        return f"one_of(row, {feature.name!r}, {', '.join(repr(feature.levels[v]) for v in column.levels)})"
    how = "number" if feature.kind == NUMERIC else "place"
    return f"{how}(row, {feature.name!r}, {model.design.fill[column.feature]!r})"


def _classes(model: MARSModel) -> list[str]:
    """The functions of a class model: the link, the sum to 1, the most probable label."""
    each = "sigmoid(z)" if model.log_odds is not None else "min(max(z, 0.0), 1.0)"
    lines = ["", f"LABELS = {list(model.labels)!r}", "", "", "def predict_proba(row):"]
    lines.append('    """A dictionary: label -> probability."""')
    lines.append(f"    each = [{each} for z in scores(row)]")
    if len(model.labels) == 1:
        lines.append("    each = [1.0]")
    elif len(model.labels) == 2:
        lines.append("    each = [1.0 - each[0], each[0]]")
    else:
        lines.append("    total = sum(each)")
        lines.append("    each = [p / total if total > 0.0 else 1.0 / len(LABELS) for p in each]")
    lines += ["    return dict(zip(LABELS, each))", "", "", "def predict(row):"]
    lines += ['    """The most probable label; the first of equals."""', "    said = predict_proba(row)"]
    return [*lines, "    return max(LABELS, key=said.get)", ""]
