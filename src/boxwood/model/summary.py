"""The first page of an explorer from a tree: the data, the target, the evaluation, the variables, the size."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np

from .._version import __version__
from ..evaluation.data_check.check import important_findings, target_as_read
from ..evaluation.evaluation import Evaluation
from ..evaluation.group_words import figure_chart, remarks, words_of
from ..evaluation.group_words import sections as group_sections
from ..evaluation.grouping import RowGroups
from ..evaluation.held_out import folds_words, held_out_of, held_out_words, not_evaluated
from ..evaluation.plots import chart_of
from ..evaluation.words import figure_cells, sections, title
from ..pictures.chart import chart_scene
from ..pictures.svg import scene_svg
from ..pruning.losses import loss_words
from ..statistics.responses.registry import CLASSES, MEAN
from ..tree.tree import Tree
from ..views.figures import number, percent
from ..views.importance import importance
from ..views.small_leaves import small_leaves_words
from ..views.words import amount, level, plain, with_error
from .explorer.contents import GivenRows
from .explorer.summary import Facts, FigureTable, Pictures, Sentences, Summary

#: Pictures of two classes, of more, and of numbers, with what they show.
TWO = {
    "roc": "Ranking of the cases (ROC curve)", "calibration": "Calibration of the probabilities",
    "gains": "Share of the cases found (gains)", "precision_recall": "Precision and recall",
    "scores": "Distribution of the probabilities", "confusion": "Confusion matrix",
}  # fmt: skip
NUMBERS = {"residuals": "Errors"}
#: Pictures of groups, as far as they have these figures.
GROUP_PICTURES = ("accuracy", "cost", "rmse", "observed_to_predicted", "auc", "selection_rate")
#: A picture of a confusion matrix has at most so many classes, and a line of facts names as many.
_MOST_CLASSES = 8
_MOST_FEATURES = 30


@dataclass(frozen=True)
class ReportOptions:
    """What only the caller can give: names of the files, and the class that matters.

    Attributes
    ----------
    model, data : str
        Names; empty where there are none.
    target_class : object
        The class of AUC, lift and base rate; by default the class of interest of the tree.
    by : tuple of RowGroups
        Groups of the rows that are evaluated.
    """

    model: str = ""
    data: str = ""
    target_class: object = None
    by: tuple[RowGroups, ...] = ()


#: No names, and the usual class.
NO_OPTIONS = ReportOptions()


def summary_of(
    tree: Tree, given: Evaluation | None, rows: GivenRows | None, options: ReportOptions, model=None
) -> Summary:
    """The first page.

    Parameters
    ----------
    tree : Tree
        That predicts.
    given : Evaluation or None
        Of the rows given.
    rows : GivenRows or None
    options : ReportOptions
    model : TreeModel, optional
        Holds what the fit found about rows left out, and the size before pruning.
    """
    held_out = None if model is None else held_out_of(model)
    parts = [_data(tree, given, rows, options), _model(tree, model)]
    if given is not None:
        parts.append(_figures(given, f"{title(given)}{f', {options.data}' if options.data else ''}"))
    if held_out is not None:
        parts.append(_figures(held_out, title(held_out)))
    if given is not None:
        parts += _classes(given) + _pictures(given) + _groups(given)
    parts += _variables(tree, rows) + _checked(tree, rows)
    names = f" of {options.model}" if options.model else ""
    line = f"Report{names}, {datetime.date.today().isoformat()}, boxwood {__version__}"
    kicker = f"Decision tree for {plain(tree.response.name)}"
    return Summary(kicker, _headline(tree, given, held_out, model), line, tuple(parts), _notes(given, model))


def _headline(tree: Tree, given: Evaluation | None, held_out: Evaluation | None, model) -> str:
    if given is not None and given.of != "training set":
        return given.headline
    if held_out is not None:
        return held_out.headline
    if model is not None and model.cv is not None and tree.response.kind == MEAN:
        variance = float(model.full_tree.impurity("variance")[0])
        return held_out_words(model.cv, float(model.full_tree.value[0]), variance)
    return not_evaluated(tree) if given is None else given.headline


def _data(tree: Tree, given: Evaluation | None, rows: GivenRows | None, options: ReportOptions) -> Facts:
    """The target, its base rate, and the rows."""
    response = tree.response
    pairs = [("Target", plain(response.name)), ("Training set", f"{int(tree.rows[0]):,} rows{_weight(tree)}")]
    if response.kind == CLASSES:
        of_rows = "" if tree.weight_squares is None else ", by the weights of rows"
        pairs.append((f"Base rate in training{of_rows}", _shares(response.labels, tree.counts[0] / tree.row_weight[0])))
        if response.is_weighted:
            pairs.append(("Base rate as weighted in training", _shares(response.labels, tree.probability[0])))
    else:
        pairs.append((f"{_constant_name(response.level)} in training", amount(float(tree.value[0]))))
    if rows is not None:
        name = f" of {options.data}" if options.data else ""
        known = "" if rows.y is not None else ", response not known"
        pairs.append(("Evaluation data", f"{rows.columns.n:,} rows{name}{known}"))
    if given is not None and given.rows.labels:
        pairs.append(("Base rate in these rows", _shares(given.rows.labels, given.rows.share)))
    elif given is not None:
        pairs.append((f"{_constant_name(given.rows.level)} in these rows", amount(float(given.constant))))
    return Facts("Data", tuple(pairs))


def _constant_name(level: float | None) -> str:
    """What the best constant prediction of numbers is called."""
    return {None: "Mean", 0.5: "Median"}.get(level, f"{level} quantile")


def _checked(tree: Tree, rows: GivenRows | None) -> list[Sentences]:
    """What the check of the rows given found that changes what the tree means."""
    if rows is None or rows.y is None:
        return []
    response = tree.response
    found = important_findings(rows.columns, target_as_read(response.labels, rows.y, response.name)).sentences()
    return [Sentences("Check of the data", tuple(found))] if found else []


def _weight(tree: Tree) -> str:
    weight = float(tree.row_weight[0])
    if weight == tree.rows[0] and tree.weight_squares is None:
        return ""
    like = f", as good as {tree.effective_rows[0]:,.0f} rows of equal weight"
    return f", weight {amount(weight)}{'' if tree.weight_squares is None else like}"


def _shares(labels: tuple, share: np.ndarray) -> str:
    order = (
        np.argsort(-share, kind="stable")[:_MOST_CLASSES].tolist()
        if len(labels) > _MOST_CLASSES
        else range(len(labels))
    )
    words = ", ".join(f"{level(labels[k])} {percent(share[k])}" for k in order)
    more = len(labels) - _MOST_CLASSES
    return f"{words} and {more} more" if more > 0 else words


def _model(tree: Tree, model) -> Facts:
    """The algorithm, the size, and how certain the size is."""
    made_by = tree.made_by
    pairs = [("Algorithm", plain(str(made_by.get("algorithm", "tree"))))]
    if made_by.get("version"):
        pairs.append(("Fitted by", f"boxwood {plain(str(made_by['version']))}"))
    size = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.max_depth}"
    if model is not None and model.full_tree_size[1] != tree.n_leaves:
        size += f"; {model.full_tree_size[1]} leaves before pruning"
    pairs.append(("Size", size))
    cv = None if model is None else model.cv
    if cv is not None:
        how = "held-out rows" if cv["judged_by"] == "validation" else "cross-validation"
        words = loss_words()[cv["loss"]]
        pairs.append((f"{words[0].upper()}{words[1:]} by {how}{folds_words(cv)}", with_error(cv["error"], cv["se"])))
    if cv is not None and cv["leaves_within_1se"] is not None:
        least, most = cv["leaves_within_1se"]
        span = f"trees of {least} to {most} leaves are" if least < most else f"only trees of {least} leaves are"
        span = "only the single leaf is" if most == 1 else span
        pairs.append(("Uncertainty of the size", f"{span} within one standard error of the best"))
    small = small_leaves_words(tree)
    pairs.append(("Small leaves", small or "none of fewer than 7 rows"))
    return Facts("Model", tuple(pairs))


def _figures(found: Evaluation, heading: str) -> FigureTable:
    """Every figure beside the baseline."""
    head, rows = figure_cells(found)
    if found.of != "training set":
        head = [*head[:2], "± se", "95 % interval", "baseline"]
        rows = [
            [*row[:3], f"{number(f.low)} to {number(f.high)}" if row[2] else "", row[3]]
            for row, f in zip(rows, found.figures, strict=True)
        ]
    about = ""
    if found.target is not None:
        label = level(found.rows.labels[found.target])
        about = f"AUC, Gini, KS, lift and average precision are of {label}. "
    always = level(found.constant) if found.rows.labels else f"the {_constant_name(found.rows.level).lower()}"
    note = f"{about}The baseline always predicts {always}."
    return FigureTable(heading, tuple(head), tuple(map(tuple, rows)), note=note)


def _classes(found: Evaluation) -> list[FigureTable]:
    """Precision, recall and the rest by class."""
    return [
        FigureTable(heading, tuple(head), tuple(map(tuple, rows)))
        for heading, head, rows in sections(found)
        if heading.startswith("Classes")
    ]


def _pictures(found: Evaluation) -> list[Pictures]:
    """The pictures that go with the response."""
    if not found.rows.labels:
        kinds = NUMBERS
    elif found.target is not None and 0.0 < found.rows.share[found.target] < 1.0:
        kinds = TWO
    else:
        kinds = {kind: words for kind, words in TWO.items() if kind == "confusion"}
    if len(found.rows.labels) > _MOST_CLASSES:
        kinds = {kind: words for kind, words in kinds.items() if kind != "confusion"}
    drawn = [(words, scene_svg(chart_scene(chart_of(found, kind), words), "page")) for kind, words in kinds.items()]
    return [Pictures("Pictures of the evaluation", tuple(drawn))] if drawn else []


def _groups(found: Evaluation) -> list[FigureTable | Pictures]:
    """The tables of each column of groups, and pictures of the main figures."""
    parts: list[FigureTable | Pictures] = []
    for groups in found.groups.values():
        notes = remarks(groups)
        for heading, head, rows in group_sections(groups):
            note = notes[0] if notes and heading.startswith("Selection") else ""
            parts.append(FigureTable(heading, tuple(head), tuple(map(tuple, rows)), note=note))
        named = {name: words_of(name) for name in GROUP_PICTURES if name in groups.whole.figures}
        charts = [(words, figure_chart(groups, name)) for name, words in named.items()]
        drawn = [(words, scene_svg(chart_scene(chart, words), "page")) for words, chart in charts]
        parts.append(Pictures(f"Pictures by {plain(groups.name)}", tuple(drawn)))
    return parts


def _variables(tree: Tree, rows: GivenRows | None) -> list[FigureTable | Facts]:
    """The features that the tree tests with their importance, and those that it does not."""
    share = importance(tree, "mdi")
    splits = np.bincount(tree.splits.feature[tree.splits.feature >= 0], minlength=len(tree.schema))
    used = [j for j in np.argsort(-share, kind="stable").tolist() if splits[j]]
    head = ["variable", "kind", "splits"] + ["missing"] * (rows is not None) + ["importance"]
    lines = []
    for j in used[:_MOST_FEATURES]:
        feature = tree.schema[j]
        missing = [] if rows is None else [percent(float(np.mean(rows.columns.missing(j))))]
        lines.append((plain(feature.name), feature.kind_name, str(int(splits[j])), *missing, percent(share[j])))
    more = f"{len(used) - _MOST_FEATURES} more are used. " if len(used) > _MOST_FEATURES else ""
    idle = [plain(tree.schema[j].name) for j in range(len(tree.schema)) if not splits[j]]
    shown = ", ".join(idle[:_MOST_FEATURES]) + (
        f" and {len(idle) - _MOST_FEATURES} more" if len(idle) > _MOST_FEATURES else ""
    )
    note = f"{more}Not used: {shown}." if idle else f"{more}All variables are used."
    if not lines:
        return [Facts("Variables", (("Not used", shown),))]
    largest = float(share.max()) or 1.0
    bars = tuple(float(share[j]) / largest for j in used[:_MOST_FEATURES])
    return [FigureTable("Variables used, by importance", tuple(head), tuple(lines), 2, bars, note)]


def _notes(given: Evaluation | None, model) -> tuple[str, ...]:
    notes = list(() if model is None else model.notes)
    if given is None:
        notes.append("Give rows with known response to see AUC, calibration and gains.")
    elif given.of == "training set":
        notes.append("The rows given are those that the tree was fitted to: their figures are optimistic for new rows.")
    return tuple(notes)
