"""A MARS model as C99 source."""

from __future__ import annotations

from ..data.columns.schema import NUMERIC
from ..exports.codes import code_numbers
from ..exports.column_words import codes_words
from ..exports.moments import counted
from .design import LEVELS, MISSING
from .export_language import (
    Language,
    fills,
    has_hinges,
    n_scores,
    refuses_unseen,
    score_names,
    signed,
    used_columns,
    used_features,
)
from .model import MARSModel

_HINGE = """\
/* z where z is above 0, else 0; NaN stays NaN */
static double h(double z) { return z <= 0.0 ? 0.0 : z; }
"""
_SIGMOID = """\
static double sigmoid(double z) {
  const double small = exp(-fabs(z));
  return (z >= 0.0 ? 1.0 : small) / (1.0 + small);
}
"""


def c_source(model: MARSModel) -> str:
    """Source of ``predict``, and of ``predict_proba`` for classes.

    ``x`` holds the features in the order of training: numbers with NaN for missing, levels by their places from 0, -1
    for missing, -2 for a level that did not occur in training.
    """
    language = Language(lambda v: signed(repr(v)), lambda j: f"v{j}", lambda a, b: f"h({a} - {b})")
    lines = [*_comments(model), "#include <math.h>", ""]
    if has_hinges(model):
        lines.append(_HINGE)
    levels = [i for i in used_features(model) if model.schema[i].kind != NUMERIC]
    if levels:
        lines.append(_level(model))
    if model.log_odds is not None:
        lines.append(_SIGMOID)
    name = "scores" if model.labels else "predict"
    lines.append(f"{'static ' if model.labels else ''}void {name}(const double *x, double *out) {{")
    lines += [f"  const double c{i} = level(x[{i}], {len(model.schema[i].levels)});" for i in levels]
    lines += [f"  const double v{j} = {_column(model, j)};" for j in used_columns(model)]
    if not used_columns(model):
        lines.append("  (void)x;")
    for k in range(n_scores(model)):
        sums = "\n      ".join(language.score(model, k))
        lines.append(f"  out[{k}] = {sums};")
    lines += ["}", ""]
    return "\n".join(lines + (_classes(model) if model.labels else []))


def _comments(model: MARSModel) -> list[str]:
    """The arguments and the results."""
    lines = []
    for i in used_features(model):
        feature = model.schema[i]
        levels = ", ".join(f"{v} = {level}" for v, level in enumerate(feature.levels))
        counts = "" if feature.temporal is None else f" ({counted(feature.temporal)})"
        lines.append(
            f"x[{i}]: {feature.name}{counts}"
            + (f" ({levels}, -1 = missing, -2 = another)" if levels else "")
            + codes_words(feature)
        )
    names = [f"probability of {label}" for label in model.labels] or score_names(model)
    lines += [f"out[{k}]: {name}" for k, name in enumerate(names)]
    return [_comment(line) for line in lines]


def _comment(text: str) -> str:
    plain = " ".join(text.replace("*/", "* /").replace("/*", "/ *").split())
    return f"/* {plain} */"


def _level(model: MARSModel) -> str:
    """The function that reads a level by the settings: NaN for a rejected one."""
    missing = "-1.0" if fills(model) else "NAN"
    unseen = "NAN" if refuses_unseen(model) else "-2.0"
    return (
        "static double level(double code, int count) {\n"
        f"  if (code == -1.0 || isnan(code)) return {missing};\n"
        f"  return code >= 0.0 && code < count ? code : {unseen};\n"
        "}\n"
    )


def _column(model: MARSModel, j: int) -> str:
    column = model.design.columns[j]
    i, fill = column.feature, repr(model.design.fill[column.feature])
    if model.schema[i].kind == NUMERIC:
        codes = [f" || x[{i}] == {float(code)!r}" for code in code_numbers(model.schema[i])]
        gone = f"isnan(x[{i}]){''.join(codes)}"
        if column.what == MISSING:
            return f"{gone} ? 1.0 : 0.0"
        return f"{gone} ? {fill if fills(model) else 'NAN'} : x[{i}]" if fills(model) or codes else f"x[{i}]"
    if column.what == MISSING:
        return f"isnan(c{i}) ? c{i} : c{i} < 0.0 ? 1.0 : 0.0"
    if column.what == LEVELS:
        tests = " || ".join(f"c{i} == {v}.0" for v in column.levels)
        return f"isnan(c{i}) ? c{i} : {tests} ? 1.0 : 0.0"
    return f"isnan(c{i}) ? c{i} : c{i} < 0.0 ? {fill} : c{i} + 1.0"


def _classes(model: MARSModel) -> list[str]:
    """The functions of a class model: the link, the sum to 1, the most probable label."""
    count, k = len(model.labels), n_scores(model)
    link = "sigmoid(z)" if model.log_odds is not None else "z < 0.0 ? 0.0 : z > 1.0 ? 1.0 : z"
    labels = ", ".join(f"{i} = {label}" for i, label in enumerate(model.labels))
    lines = ["void predict_proba(const double *x, double *out) {", f"  double each[{k}];", "  scores(x, each);"]
    lines += [f"  for (int k = 0; k < {k}; ++k) {{", "    const double z = each[k];", f"    each[k] = {link};", "  }"]
    if count == 1:
        lines.append("  out[0] = 1.0;")
    elif count == 2:
        lines += ["  out[0] = 1.0 - each[0];", "  out[1] = each[0];"]
    else:
        lines += ["  double total = 0.0;", f"  for (int k = 0; k < {k}; ++k) total += each[k];"]
        lines.append(f"  for (int k = 0; k < {k}; ++k) out[k] = total == 0.0 ? {1 / count!r} : each[k] / total;")
    lines += ["}", "", _comment(f"the most probable of {labels}; the first of equals; -1 when refused")]
    lines += ["int predict(const double *x) {", f"  double p[{count}];", "  predict_proba(x, p);", "  int best = 0;"]
    lines.append(f"  for (int k = 1; k < {count}; ++k) if (p[k] > p[best]) best = k;")
    return [*lines, "  return isnan(p[best]) ? -1 : best;", "}", ""]
