"""Text for terms and models: names as earth writes them, conditions for people, and the summary."""

from __future__ import annotations

import math

from ..views.aligned import aligned
from ..views.figures import number
from ..views.words import amount
from .design import ENCODINGS, MISSING, VALUE, Design
from .gcv import share_explained
from .terms import LINEAR, RIGHT, Terms

#: Name of the term that is 1 everywhere.
CONSTANT = "(constant)"


def cut_words(design: Design, column: int, cut: float, digits: int | None = 6) -> str:
    """A knot; of dates and times, which the design counts in units of their resolution, as such."""
    what = design.columns[column]
    feature, written = design.schema[what.feature], _written(cut, digits)
    return ENCODINGS.of(feature).knot(feature, cut, written) if what.what == VALUE and math.isfinite(cut) else written


def _written(value: float, digits: int | None) -> str:
    """A number in a formula, with at most so many significant digits; None = all that bring it back."""
    return repr(float(value)) if digits is None else f"{value:.{digits}g}"


def factor_name(design: Design, column: int, direction: int, cut: float, digits: int | None = 6) -> str:
    """A factor as a formula: ``h(size-3)``, ``h(3-size)``, ``size``; an indicator by its name."""
    name, at = design.name(column), cut_words(design, column, cut, digits)
    if direction == LINEAR or _is_indicator(design, column, direction, cut):
        return name
    minus = f"-{at}" if cut >= 0 or at != _written(cut, digits) else f"+{_written(-cut, digits)}"
    return f"h({name}{minus})" if direction == RIGHT else f"h({at}-{name})"


def term_name(design: Design, terms: Terms, m: int, digits: int | None = 6) -> str:
    """A term as a formula."""
    parts = [factor_name(design, *factor, digits) for factor in terms.factors(m)]
    return "*".join(parts) if parts else CONSTANT


def term_names(design: Design, terms: Terms) -> list[str]:
    """The terms as formulas, with six digits, or all where six do not distinguish them."""
    short = [term_name(design, terms, m) for m in range(len(terms))]
    return [name if short.count(name) == 1 else term_name(design, terms, m, None) for m, name in enumerate(short)]


def term_words(design: Design, terms: Terms, m: int) -> str:
    """A term for people: what it measures, and where it is not 0."""
    return " times ".join(_factor_words(design, *f) for f in terms.factors(m)) or "always"


def column_words(design: Design, column: int) -> str:
    """When an indicator is 1."""
    what = design.columns[column]
    feature = design.schema[what.feature]
    if what.what == MISSING:
        return f"1 if {feature.name} is missing" + (" or not known" if feature.levels else "")
    levels = [str(feature.levels[v]) for v in what.levels]
    return f"1 if {feature.name} is {levels[0] if len(levels) == 1 else 'one of ' + ', '.join(levels)}"


def _factor_words(design: Design, column: int, direction: int, cut: float) -> str:
    if _is_indicator(design, column, direction, cut):
        return column_words(design, column)
    name = design.name(column)
    if direction == LINEAR:
        return name
    return f"how far {name} is {'above' if direction == RIGHT else 'below'} {cut_words(design, column, cut)}"


def _is_indicator(design: Design, column: int, direction: int, cut: float) -> bool:
    """Whether a factor is a column of 0 and 1 as it is."""
    return design.columns[column].what != VALUE and (direction == LINEAR or (direction == RIGHT and cut == 0.0))


def summary(model) -> str:
    """A model as text: terms with coefficients, and how good it is.

    Parameters
    ----------
    model : MARSModel

    Returns
    -------
    str
    """
    kept = model.kept
    table = model.predicting
    names = term_names(model.design, kept)
    order = [0, *sorted(range(1, len(kept)), key=lambda i: (kept.degree[i], i))]
    rows = [["", *_heads(model)], *([names[m], *map(amount, table[m])] for m in order)]
    scale = " on the scale of log odds" if model.log_odds is not None else ""
    used = f"{len(_features_used(model))} of {len(model.schema)} features"
    lines = [
        f"MARS for {model.response_name}: {model.size} of {len(model.terms)} terms, {used}",
        *aligned(rows),
        f"Coefficients{scale}. h(z) is z where z is above 0, else 0.",
        _quality(model),
    ]
    if model.cv is not None:
        at = min(model.size, len(model.cv["r_squared"])) - 1
        lines.append(f"RSq on rows held out: {number(model.cv['r_squared'][at])}")
    lines.append(f"The forward pass ended because {model.stopped}.")
    return "\n".join(lines)


def _quality(model) -> str:
    """How well least squares fits, and would fit new rows."""
    before = "  (least squares, before the logistic step)" if model.log_odds is not None else ""
    return (
        f"GCV {amount(model.gcv[model.size - 1])}  RSS {amount(model.rss)}  "
        f"GRSq {number(model.gr_squared)}  RSq {number(model.r_squared)}{before}"
    )


def _heads(model) -> list[str]:
    k = model.coefficients.shape[1]
    if model.labels:
        return [str(model.labels[-1])] if k == 1 else [str(label) for label in model.labels]
    return ["coefficient"] if k == 1 else [f"{model.response_name}[{i}]" for i in range(k)]


def _features_used(model) -> set[int]:
    kept = model.kept
    return {model.design.columns[f[0]].feature for m in range(len(kept)) for f in kept.factors(m)}


def records(model) -> list[dict]:
    """Every chosen term as a dictionary: term, words, degree, features, coefficients; for tables."""
    kept, design = model.kept, model.design
    heads = _heads(model)
    out = []
    for m, name in enumerate(term_names(design, kept)):
        row = {"term": name, "words": term_words(design, kept, m), "degree": int(kept.degree[m])}
        row["features"] = ", ".join(design.schema[design.columns[f[0]].feature].name for f in kept.factors(m))
        row |= {head: float(model.coefficients[m, k]) for k, head in enumerate(heads)}
        if model.log_odds is not None:
            row |= {f"{head} (log odds)": float(model.log_odds[m, k]) for k, head in enumerate(heads)}
        out.append(row)
    return out


def subset_records(model) -> list[dict]:
    """Every subset of the backward pass: terms, RSS, GCV, RSq, GRSq, whether it was chosen."""
    rss, gcv = model.subsets.rss, model.gcv
    r_squared, g_squared = share_explained(rss, float(rss[0])), share_explained(gcv, float(gcv[0]))
    return [
        {
            "terms": k + 1, "rss": float(rss[k]), "gcv": float(gcv[k]), "rsq": float(r_squared[k]),
            "grsq": float(g_squared[k]), "chosen": k + 1 == model.size,
        }
        for k in range(len(rss))
    ]  # fmt: skip
