"""A model in other languages: a formula, Python, SQL, C and JSON, all of which give the same predictions."""

from __future__ import annotations

import json

import numpy as np

from ..data.schema import NUMERIC
from ..errors import ParameterError
from .design import LEVELS, MISSING
from .model import MARSModel
from .terms import LEFT, LINEAR
from .words import term_name

FORMATS = ("formula", "python", "sql", "c", "json")


def export(model: MARSModel, to: str) -> str:
    """A model as text in another language.

    Parameters
    ----------
    model : MARSModel
    to : {"formula", "python", "sql", "c", "json"}
        python and c: a function ``predict``; sql: one expression a response, its columns named like the features.

    Returns
    -------
    str
        Numbers are written so that they are read back exactly. Class models give log odds (or least squares, without
        the logistic step) of the columns named in the text; the command of the language turns them into probabilities.

    Raises
    ------
    ParameterError
        ``to`` is something else, or the model has missing values to fill that the language cannot tell.
    """
    writers = {"formula": _formula, "python": _python, "sql": _sql, "c": _c, "json": _json}
    if to not in writers:
        raise ParameterError(f"to must be one of {', '.join(map(repr, FORMATS))}; got {to!r}.")
    return writers[to](model)


def _table(model: MARSModel) -> np.ndarray:
    return model.coefficients if model.log_odds is None else model.log_odds


def _formula(model: MARSModel) -> str:
    """Readable: names as in the summary, all digits of the numbers."""
    kept, lines = model.kept, []
    for k, name in enumerate(response_names(model)):
        parts = [repr(float(_table(model)[0, k]))]
        for m in range(1, len(kept)):
            c = float(_table(model)[m, k])
            parts.append(f"{'-' if c < 0 else '+'} {abs(c)!r} * {term_name(model.design, kept, m)}")
        lines.append(f"{name} = " + "\n    ".join(parts))
    return "\n".join(lines)


def response_names(model: MARSModel) -> list[str]:
    """What each column of coefficients says."""
    k = _table(model).shape[1]
    if model.labels:
        said = "log odds" if model.log_odds is not None else "share"
        labels = [model.labels[-1]] if k == 1 else model.labels
        return [f"{said} of {label}" for label in labels]
    return [model.response_name] if k == 1 else [f"{model.response_name}[{i}]" for i in range(k)]


def _factor(model: MARSModel, factor, value: str, greatest: str) -> str:
    """A factor as an expression; ``value`` of the column, ``greatest`` the function of two numbers."""
    _, direction, cut = factor
    if direction == LINEAR:
        return value
    off = f"({cut!r} - {value})" if direction == LEFT else f"({value} - {cut!r})"
    return f"{greatest}(0.0, {off})"


def _sum(model: MARSModel, k: int, values: list[str], greatest: str) -> str:
    parts = [repr(float(_table(model)[0, k]))]
    for m in range(1, len(model.kept)):
        factors = [_factor(model, f, values[f[0]], greatest) for f in model.kept.factors(m)]
        parts.append(f"{float(_table(model)[m, k])!r} * {' * '.join(factors)}")
    return " + ".join(parts)


def _python(model: MARSModel) -> str:
    values = [_python_value(model, j) for j in range(len(model.design))]
    returns = ", ".join(_sum(model, k, values, "max") for k in range(_table(model).shape[1]))
    what = "; ".join(response_names(model))
    return f'def predict(row):\n    """{what}, from a dictionary of the features."""\n    return [{returns}]\n'


def _python_value(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    feature = model.schema[column.feature]
    of_row = f"row[{feature.name!r}]"
    gone = f"({of_row} is None or {of_row} != {of_row})"
    if column.what == MISSING:
        return f"float({gone})"
    if column.what == LEVELS:
        return f"float({of_row} in {tuple(feature.levels[v] for v in column.levels)!r})"
    fill = model.design.fill[column.feature]
    if feature.kind == NUMERIC:
        return f"({fill!r} if {gone} else {of_row})" if _fills(model) else of_row
    places = {level: place + 1.0 for place, level in enumerate(feature.levels)}
    return f"{places!r}.get({of_row}, {fill!r})"


def _fills(model: MARSModel) -> bool:
    return model.settings["missing"] == "indicator"


def _sql(model: MARSModel) -> str:
    values = [_sql_value(model, j) for j in range(len(model.design))]
    out = []
    for k, name in enumerate(response_names(model)):
        parts = [_sql_number(float(_table(model)[0, k]))]
        for m in range(1, len(model.kept)):
            factors = [_sql_factor(f, values[f[0]]) for f in model.kept.factors(m)]
            parts.append(f"{_sql_number(float(_table(model)[m, k]))} * {' * '.join(factors)}")
        out.append(" + ".join(parts) + f" AS {_quoted(name)}")
    return ",\n".join(out)


def _sql_number(value: float) -> str:
    """A number as a double; a bare decimal would be an exact one in most databases."""
    return f"{value:.17e}" if value >= 0 else f"({value:.17e})"


def _sql_factor(factor, value: str) -> str:
    _, direction, cut = factor
    if direction == LINEAR:
        return value
    ahead, off = (value, _sql_number(cut)) if direction != LEFT else (_sql_number(cut), value)
    return f"(CASE WHEN {ahead} > {off} THEN {ahead} - {off} ELSE 0.0e0 END)"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _literal(level) -> str:
    if isinstance(level, bool):
        return "TRUE" if level else "FALSE"
    if isinstance(level, (int, float)):
        return repr(level)
    doubled = level.replace("'", "''")
    return f"'{doubled}'"


def _sql_value(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    feature = model.schema[column.feature]
    name = _quoted(feature.name)
    if column.what == MISSING:
        return f"(CASE WHEN {name} IS NULL THEN 1.0e0 ELSE 0.0e0 END)"
    if column.what == LEVELS:
        levels = ", ".join(_literal(feature.levels[v]) for v in column.levels)
        return f"(CASE WHEN {name} IN ({levels}) THEN 1.0e0 ELSE 0.0e0 END)"
    fill = _sql_number(model.design.fill[column.feature])
    if feature.kind == NUMERIC:
        return f"COALESCE({name}, {fill})" if _fills(model) else name
    cases = " ".join(f"WHEN {_literal(level)} THEN {place + 1}.0e0" for place, level in enumerate(feature.levels))
    return f"(CASE {name} {cases} ELSE {fill} END)"


def _c(model: MARSModel) -> str:
    """A C99 function; nominal and ordinal features come as places of levels, -1 = missing."""
    values = [_c_value(model, j) for j in range(len(model.design))]
    comments = [_comment("; ".join(response_names(model)))]
    for i, feature in enumerate(model.schema):
        levels = ", ".join(f"{place} = {level}" for place, level in enumerate(feature.levels))
        comments.append(_comment(f"x[{i}] = {feature.name}" + (f" ({levels})" if levels else "")))
    lines = ["#include <math.h>", *comments, "void predict(const double *x, double *out) {"]
    lines += [f"  out[{k}] = {_sum(model, k, values, 'fmax')};" for k in range(_table(model).shape[1])]
    return "\n".join([*lines, "}", ""])


def _comment(text: str) -> str:
    plain = text.replace("*/", "* /").replace("\n", " ").replace("\r", " ")
    return f"/* {plain} */"


def _c_value(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    feature, x = model.schema[column.feature], f"x[{column.feature}]"
    gone = f"isnan({x})" if feature.kind == NUMERIC else f"({x} < 0.0)"
    if column.what == MISSING:
        return f"({gone} ? 1.0 : 0.0)"
    if column.what == LEVELS:
        return f"(({' || '.join(f'{x} == {float(v)!r}' for v in column.levels)}) ? 1.0 : 0.0)"
    fill = model.design.fill[column.feature]
    value = x if feature.kind == NUMERIC else f"({x} + 1.0)"
    return f"({gone} ? {fill!r} : {value})" if _fills(model) or feature.levels else value


def _json(model: MARSModel) -> str:
    design = model.design
    terms = [
        {
            "coefficients": _table(model)[m].tolist(),
            "factors": [
                {"column": j, "direction": {1: "right", -1: "left", 2: "linear"}[d], "cut": cut}
                for j, d, cut in model.kept.factors(m)
            ],
        }
        for m in range(len(model.kept))
    ]  # fmt: skip
    columns = [
        {
            "feature": model.schema[c.feature].name, "what": c.what,
            "levels": [model.schema[c.feature].levels[v] for v in c.levels],
            "order": list(model.schema[c.feature].levels) if c.what == "value" else [],
            "fill": design.fill[c.feature],
        }
        for c in design.columns
    ]  # fmt: skip
    facts = {"responses": response_names(model), "columns": columns, "terms": terms}
    return json.dumps(facts, ensure_ascii=False, indent=1)
