"""Terms and models in words: names as earth writes them, conditions for people, and the summary."""

from __future__ import annotations

from .design import LEVELS, MISSING, Design
from .gcv import share_explained
from .model import MARSModel
from .terms import LINEAR, RIGHT, Terms

#: Name of the term that is 1 everywhere.
CONSTANT = "(constant)"


def number(value: float, digits: int = 6) -> str:
    """A number with at most so many significant digits."""
    return f"{value:.{digits}g}"


def factor_name(design: Design, column: int, direction: int, cut: float) -> str:
    """A factor as a formula: ``h(size-3)``, ``h(3-size)``, ``size``; an indicator by its name."""
    name, at = design.name(column), number(cut)
    if direction == LINEAR or (design.columns[column].what != "value" and direction == RIGHT and cut == 0.0):
        return name
    minus = f"-{at}" if cut >= 0 else f"+{number(-cut)}"
    return f"h({name}{minus})" if direction == RIGHT else f"h({at}-{name})"


def term_name(design: Design, terms: Terms, m: int) -> str:
    """A term as a formula."""
    parts = [factor_name(design, *factor) for factor in terms.factors(m)]
    return "*".join(parts) if parts else CONSTANT


def term_words(design: Design, terms: Terms, m: int) -> str:
    """A term for people: what it measures, and where it is not 0."""
    return " times ".join(_factor_words(design, *f) for f in terms.factors(m)) or "always"


def _factor_words(design: Design, column: int, direction: int, cut: float) -> str:
    what = design.columns[column]
    feature = design.schema[what.feature]
    if what.what == MISSING:
        return f"1 if {feature.name} is missing"
    if what.what == LEVELS:
        levels = [str(feature.levels[v]) for v in what.levels]
        said = f"{feature.name} is {levels[0]}" if len(levels) == 1 else f"{feature.name} is one of {', '.join(levels)}"
        return f"1 if {said}" if direction in (LINEAR, RIGHT) and cut == 0.0 else f"1 if not {said}"
    if direction == LINEAR:
        return feature.name
    return f"how far {feature.name} is {'above' if direction == RIGHT else 'below'} {number(cut)}"


def summary(model: MARSModel) -> str:
    """A model as text: terms with coefficients, and how good it is.

    Parameters
    ----------
    model : MARSModel

    Returns
    -------
    str
    """
    kept, design = model.kept, model.design
    table = model.coefficients if model.log_odds is None else model.log_odds
    heads = _heads(model)
    names = [term_name(design, kept, m) for m in range(len(kept))]
    width = max(len(name) for name in names)
    columns = [[number(value) for value in table[:, k]] for k in range(table.shape[1])]
    widths = [max(len(head), *(len(v) for v in column)) for head, column in zip(heads, columns, strict=True)]
    features = f"{len(_features_used(model))} of {len(design.schema)} features"
    lines = [f"MARS for {model.response_name}: {model.size} of {len(model.terms)} terms, {features}"]
    lines.append(" " * width + "".join(f"  {h:>{w}}" for h, w in zip(heads, widths, strict=True)))
    for m in [0, *sorted(range(1, len(kept)), key=lambda i: (kept.degree[i], i))]:
        cells = "".join(f"  {c[m]:>{w}}" for c, w in zip(columns, widths, strict=True))
        lines.append(f"{names[m]:<{width}}{cells}")
    scale = " on the scale of log odds" if model.log_odds is not None else ""
    lines.append(f"Coefficients{scale}. h(z) is z where z is above 0, else 0.")
    lines.append(
        f"GCV {number(float(model.gcv[model.size - 1]))}  RSS {number(model.rss)}  "
        f"GRSq {number(model.gr_squared, 4)}  RSq {number(model.r_squared, 4)}"
    )
    if model.cv is not None:
        at = min(model.size, len(model.cv["r_squared"])) - 1
        lines.append(f"RSq on rows held out: {number(model.cv['r_squared'][at], 4)}")
    lines.append(f"The forward pass ended because {model.stopped}.")
    return "\n".join(lines)


def _heads(model: MARSModel) -> list[str]:
    k = model.coefficients.shape[1]
    if model.labels:
        return [str(model.labels[-1])] if k == 1 else [str(label) for label in model.labels]
    return ["coefficient"] if k == 1 else [f"{model.response_name}[{i}]" for i in range(k)]


def _features_used(model: MARSModel) -> set[int]:
    kept = model.kept
    return {model.design.columns[f[0]].feature for m in range(len(kept)) for f in kept.factors(m)}


def records(model: MARSModel) -> list[dict]:
    """Every chosen term as a dictionary: term, words, degree, features, coefficients; for tables."""
    kept, design = model.kept, model.design
    heads = _heads(model)
    out = []
    for m in range(len(kept)):
        row = {"term": term_name(design, kept, m), "words": term_words(design, kept, m), "degree": int(kept.degree[m])}
        row["features"] = ", ".join(design.schema[design.columns[f[0]].feature].name for f in kept.factors(m))
        row |= {head: float(model.coefficients[m, k]) for k, head in enumerate(heads)}
        if model.log_odds is not None:
            row |= {f"{head} (log odds)": float(model.log_odds[m, k]) for k, head in enumerate(heads)}
        out.append(row)
    return out


def subset_records(model: MARSModel) -> list[dict]:
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
