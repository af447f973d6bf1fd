"""The text of an evaluation (``found``): the headline, the tables, the confusion matrix."""

from __future__ import annotations

import math

from ..views.aligned import aligned
from ..views.figures import number
from ..views.words import amount, level
from .number_figures import deviance_name

#: A table of classes, or a confusion matrix, has at most so many classes.
_MOST_CLASSES = 20


def headline(found) -> str:
    """Whether the model is better than always predicting the same, in one sentence; not by the rows of the fit."""
    if found.of == "training set":
        return f"Not evaluated ({training_words(found)})."
    gain, se = found.gain
    main = found.main
    if found.rows.labels:
        always, name, value, base = level(found.constant), main.words, main.value, main.baseline
    elif found.rows.level is not None:
        which = "median" if found.rows.level == 0.5 else f"{found.rows.level:g} quantile"
        always = f"the {which} {in_units(found.constant, main.baseline)}"
        name, value, base = main.words, main.value, main.baseline
    else:
        root = found["rmse"]
        always, name = f"the mean {in_units(found.constant, root.baseline)}", "root mean squared error"
        value, base = root.value, root.baseline
    against = f"{name} {in_units(value, base)} against {in_units(base, base)}"
    if not gain > 1e-12 * abs(main.baseline):
        return f"No better than always predicting {always}: {against}.{_ranks(found)}"
    if gain < main.width * se:
        what = " in squared error" if main.name == "mse" else ""
        return (
            f"Not clearly better than always predicting {always}: {against} (difference{what} "
            f"{in_units(gain, main.baseline)} ± {in_units(se, main.baseline, gain)}).{_ranks(found)}"
        )
    return f"Better than always predicting {always}: {against}."


def in_units(value: float, baseline: float, error_of: float = 0.0) -> str:
    """A figure in units of the response, which may be of any size: the baseline shows what is a rounding error."""
    ordinary = 1e-6 < abs(baseline) < 1e15 or baseline == 0.0 or math.isnan(value)
    return number(value, error_of) if ordinary else f"{value:.4g}"


def training_words(found) -> str:
    """The main figure of the rows of the fit."""
    rows = found.rows
    by_deviance = rows.exposure is not None or (rows.power or 1.0) > 1.0
    wanted = (
        found.main.name
        if rows.labels or rows.level is not None
        else deviance_name(rows.power or 1.0)
        if by_deviance
        else "r2"
    )
    figure = next((figure for figure in found.figures if figure.name == wanted), found.main)
    return f"training {figure.words} {number(figure.value)}"


def _ranks(found) -> str:
    """What an accuracy hides where one class is rare: the rows may be ranked well all the same."""
    if found.rows.costs is not None or found.target is None or math.isnan(found["auc"].se):
        return ""
    area = found["auc"]
    if not area.value - 0.5 > area.width * area.se:
        return ""
    label = level(found.rows.labels[found.target])
    return f" But it ranks {label} first: AUC {number(area.value)} against 0.500; another threshold can use that."


def figure_cells(found) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of figures."""
    with_se = found.of != "training set"
    head = ["figure", "value", *(["± se"] if with_se else []), "baseline"]
    rows = []
    for figure in found.figures:
        unit = (
            figure.baseline
            if figure.name in ("rmse", "mae", "mse", "pinball") or figure.name.endswith("_deviance")
            else 1.0
        )
        error = in_units(figure.se, unit, figure.value)
        se = [f"± {error}" if error else ""] if with_se else []
        rows.append([figure.words, in_units(figure.value, unit) or "-", *se, in_units(figure.baseline, unit)])
    return head, rows


def class_cells(found) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of classes."""
    names = list(dict.fromkeys(figure.name for figure in found.by_class))
    names = [name for name in names if name not in ("gini", "average_precision")]
    heads = {"lift_10": "lift 10 %", "f1": "F1", "auc": "AUC", "ks": "KS"}
    head = ["class", "n", *(heads.get(name, name) for name in names)]
    rows, by = [], {}
    for figure in found.by_class:
        by[id(figure.label), figure.name] = figure
    shown = found.rows.labels[:_MOST_CLASSES]
    count = found.confusion.sum(axis=1)
    for k, label in enumerate(shown):
        cells = []
        for name in names:
            figure = by[id(label), name]
            se = f" ± {number(figure.se, figure.value)}" if not math.isnan(figure.se) else ""
            cells.append(f"{number(figure.value)}{se}" if not math.isnan(figure.value) else "-")
        rows.append([level(label), amount(count[k]), *cells])
    return head, rows


def confusion_cells(found) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the confusion matrix."""
    labels = [level(label) for label in found.rows.labels]
    rows = [[label, *map(amount, row)] for label, row in zip(labels, found.confusion, strict=True)]
    return [r"actual \ predicted", *labels], rows


def title(found) -> str:
    """What was evaluated."""
    n = found.rows.count
    rows = f"{n:,} row{'s' * (n != 1)}"
    where = {
        "evaluation data": f"on {rows}",
        "training set": f"on the training set, {rows}: optimistic for new rows, so without standard errors",
        "cross-validation": f"by cross-validation, {rows} left out in turn",
        "held-out rows": f"on {rows} held out from the fit",
    }[found.of]
    if found.folds is not None and found.folds[0] < found.folds[1]:
        where += f" ({found.folds[0]} of {found.folds[1]} folds)"
    if found.threshold is not None:
        where += f"; {level(found.rows.labels[found.target])} is predicted from probability {found.threshold:g} on"
    return f"Evaluation {where}"


def sections(found) -> list[tuple[str, list[str], list[list[str]]]]:
    """Heading, header and rows of each table."""
    figures = "Figures"
    if found.target is not None:
        label = level(found.rows.labels[found.target])
        figures = f"Figures (AUC, Gini, KS, lift and average precision of {label})"
    tables = [(figures, *figure_cells(found))]
    if not found.rows.labels:
        return tables
    known = len(found.rows.labels)
    note = f", {_MOST_CLASSES} of {known}; to_frame(), or --json, has all" if known > _MOST_CLASSES else ""
    tables.append((f"Classes{note}", *class_cells(found)))
    if known <= _MOST_CLASSES:
        tables.append(("Confusion matrix", *confusion_cells(found)))
    return tables


def evaluation_text(found) -> str:
    """All of it in text."""
    lines = [found.headline, f"{title(found)}."]
    for heading, head, rows in sections(found):
        lines += ["", heading, *(f"  {line}" for line in aligned([head, *rows]))]
    for groups in found.groups.values():
        lines += ["", groups.to_text()]
    return "\n".join(lines)
