"""A MARS model as a query in standard SQL: numbers as doubles, names and texts quoted."""

from __future__ import annotations

import sys

from ..data.columns.schema import NUMERIC, Feature
from ..exports.codes import code_numbers, spelled
from ..exports.column_words import reads_text
from ..exports.sql_text import apostrophed, column_names, double, free_name, quoted
from .design import LEVELS, MISSING
from .export_language import Language, counts_of_times, fills, n_scores, refuses_unseen, signed
from .model import MARSModel

#: Log odds beyond which a probability is 0 or 1; databases report underflow of EXP as an error.
_FAR = 700


def sql_select(model: MARSModel, table: str) -> str:
    """A SELECT of all columns of a table and the predictions.

    Parameters
    ----------
    model : MARSModel
    table : str
        Its name, as it is; it is quoted here.

    Returns
    -------
    str
        Regression adds ``predicted``, of several responses ``predicted_0`` and so on. Classes add ``log_odds_<label>``,
        ``probability_<label>`` and ``predicted``. A value that the model refuses gives NULL.
    """
    language = Language(_number, lambda j: _column(model, j), _hinge)
    taken = set(model.schema.names)
    scores = [free_name(name, taken) for name in _score_names(model)]
    sums = ["\n      ".join(language.score(model, k)) for k in range(n_scores(model))]
    inner = ",\n  ".join(f"{s} AS {quoted(name)}" for s, name in zip(sums, scores, strict=True))
    comments = "".join(f"-- {quoted(name)}: {counts}\n" for name, counts in counts_of_times(model).items())
    first = f"SELECT t.*,\n  {inner}\nFROM {quoted(table)} t"
    return comments + (_classes(model, first, scores, taken) if model.labels else first)


def _score_names(model: MARSModel) -> list[str]:
    """Names of the columns of the sums."""
    k = n_scores(model)
    if not model.labels:
        return ["predicted"] if k == 1 else [f"predicted_{i}" for i in range(k)]
    labels = model.labels[-1:] if k == 1 else model.labels
    return [name for name, _ in column_names("share" if model.log_odds is None else "log_odds", labels)]


def _classes(model: MARSModel, first: str, scores: list[str], taken: set[str]) -> str:
    """Probabilities around the query of the sums, and the label around them."""
    links = [_link(model, f"s.{quoted(name)}") for name in scores]
    probabilities = [free_name(name, taken) for name, _ in column_names("probability", model.labels)]
    if len(model.labels) == 1:
        shares = ["1.0e0"]
    elif len(model.labels) == 2:
        shares = [f"1.0e0 - {links[0]}", links[0]]
    else:
        total = " + ".join(links)
        even = _number(1 / len(links))
        shares = [
            f"CASE WHEN {total} > 0.0e0 THEN {each} / ({total}) WHEN {total} = 0.0e0 THEN {even} END" for each in links
        ]
    columns = ",\n  ".join(f"{share} AS {quoted(name)}" for share, name in zip(shares, probabilities, strict=True))
    second = f"SELECT s.*,\n  {columns}\nFROM (\n{first}\n) s"
    best = _best([f"p.{quoted(name)}" for name in probabilities], [_literal(label) for label in model.labels])
    value = quoted(free_name("predicted", taken))
    return f"SELECT p.*,\n  {best} AS {value}\nFROM (\n{second}\n) p"


def _link(model: MARSModel, score: str) -> str:
    if model.log_odds is None:
        return f"(CASE WHEN {score} < 0.0e0 THEN 0.0e0 WHEN {score} > 1.0e0 THEN 1.0e0 ELSE {score} END)"
    near = f"1.0e0 / (1.0e0 + EXP(-{score}))"
    return f"(CASE WHEN {score} > {_FAR} THEN 1.0e0 WHEN {score} < -{_FAR} THEN 0.0e0 ELSE {near} END)"


def _best(values: list[str], labels: list[str]) -> str:
    """The label of the greatest value, the first of equals; NULL when they are missing."""
    cases = []
    for k, value in enumerate(values):
        others = [f"{value} >= {other}" for other in values[k + 1 :]] or [f"{value} IS NOT NULL"]
        cases.append(f"WHEN {' AND '.join(others)} THEN {labels[k]}")
    return f"CASE {' '.join(cases)} END"


def _literal(level) -> str:
    if isinstance(level, bool):
        return "TRUE" if level else "FALSE"
    if isinstance(level, (int, float)):
        return signed(repr(level))
    return apostrophed(level)


def _number(value: float) -> str:
    """A double that may follow an operator."""
    return signed(double(value))


def _hinge(ahead: str, off: str) -> str:
    return f"(CASE WHEN {ahead} > {off} THEN {ahead} - {off} WHEN {ahead} <= {off} THEN 0.0e0 END)"


def _column(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    feature = model.schema[column.feature]
    name = _read(feature)
    if column.what == MISSING:
        if feature.kind == NUMERIC:
            return f"(CASE WHEN {name} IS NULL THEN 1.0e0 ELSE 0.0e0 END)"
        gone = f"WHEN {name} IS NULL THEN 1.0e0" if refuses_unseen(model) else "ELSE 1.0e0"
        return f"(CASE WHEN {name} IN ({_list(feature, range(len(feature.levels)))}) THEN 0.0e0 {gone} END)"
    if column.what == LEVELS:
        return _indicator(model, feature, name, column.levels)
    fill = _number(model.design.fill[column.feature])
    if feature.kind == NUMERIC and feature.temporal is not None:
        # + takes the type TEXT of a column away, so that a text is more than any number in SQLite, and refused
        gone = f"WHEN {name} IS NULL THEN {fill} " * fills(model)
        return f"(CASE {gone}WHEN +{name} <= {_number(sys.float_info.max)} THEN {name} END)"
    if feature.kind == NUMERIC:
        return f"COALESCE({name}, {fill})" if fills(model) else name
    places = " ".join(f"WHEN {name} = {_literal(level)} THEN {v + 1}.0e0" for v, level in enumerate(feature.levels))
    others = "" if refuses_unseen(model) else f"{name} IS NOT NULL"
    return f"(CASE {places}{_rest(model, name, others, fill)} END)"


def _read(feature: Feature) -> str:
    """A column, NULL where it holds a code for a missing value."""
    name = f"t.{quoted(feature.name)}"
    if feature.levels and isinstance(feature.levels[0], str):
        codes = ", ".join(map(apostrophed, spelled(feature).texts))
        return f"CASE WHEN TRIM({name}) NOT IN ({codes}) THEN {name} END" if codes else name
    if feature.temporal is None and reads_text(feature):  # a column of texts
        text = f"TRIM(CAST({name} AS VARCHAR(100)))"
        codes = ", ".join(map(apostrophed, dict.fromkeys(("", *spelled(feature).texts))))
        name = f"CAST(CASE WHEN {text} NOT IN ({codes}) THEN {text} END AS DOUBLE PRECISION)"
    for code in code_numbers(feature):
        name = f"NULLIF({name}, {_literal(code)})"
    return name


def _indicator(model: MARSModel, feature: Feature, name: str, levels: tuple[int, ...]) -> str:
    """1 for some levels, 0 for all that the model takes otherwise, NULL for what it refuses."""
    rest = [v for v in range(len(feature.levels)) if v not in levels]
    others = f"{name} IS NOT NULL"
    if refuses_unseen(model):
        others = f"{name} IN ({_list(feature, rest)})" if rest else ""
    return f"(CASE WHEN {name} IN ({_list(feature, levels)}) THEN 1.0e0{_rest(model, name, others, '0.0e0')} END)"


def _rest(model: MARSModel, name: str, others: str, value: str) -> str:
    """The value for the ``others`` and, where missing values are filled, of these; the rest of a CASE."""
    if fills(model) and not refuses_unseen(model):
        return f" ELSE {value}"
    allowed = " OR ".join([f"{name} IS NULL"] * fills(model) + [others] * bool(others))
    return f" WHEN {allowed} THEN {value}" if allowed else ""


def _list(feature: Feature, levels) -> str:
    return ", ".join(_literal(feature.levels[v]) for v in levels)
