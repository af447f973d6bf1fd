"""Writes the explorer page of a tree or a model, with rows if there are any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.columns import Columns
from ..data.frames.weights import check_lengths, relative_weights
from ..errors import DataError, ParameterError
from ..learning.labelled_rows import target_of, truth_of
from ..pruning.pruners.evidence import KEEPS_ALL
from ..statistics.responses.response import Response
from ..tree.one_response import of_response
from ..tree.tree import Tree
from .explorer.contents import Contents, GivenRivals, GivenRows, of_tree, refuses
from .explorer.page import Page, make_page
from .explorer.summary import Summary
from .given_evaluation import given_evaluation
from .grouped import grouped
from .one_response import model_of_response
from .summary import NO_OPTIONS, ReportOptions, summary_of


def given_to_show(response: Response, columns: Columns | None, y=None, weight=None, exposure=None) -> GivenRows | None:
    """Rows as the explorer takes them, or None where none are given.

    Parameters
    ----------
    response : Response
        Of the tree.
    columns : Columns or None
        Read with the tree's schema.
    y : array-like of shape (n,), optional
        Without it the rows are only counted.
    weight, exposure : array-like of shape (n,), optional

    Raises
    ------
    ResponseError, WeightError, ParameterError, DataError
        Values that do not fit the tree, or the columns; something that is given without X, or without y.
    """
    if columns is None:
        if y is not None or weight is not None or exposure is not None:
            raise ParameterError(
                Setting("y"), ", ", Setting("sample_weight"), " and ", Setting("exposure"),
                " tell about the rows of X; ", remedy("give ", Setting("X"), " too"), ".",
            )  # fmt: skip
        return None
    if columns.n == 0:
        raise DataError(
            Setting("X"), " has no rows; ", remedy("give at least one, or leave ", Setting("X"), " out"), "."
        )
    if y is None:
        if exposure is not None:
            raise ParameterError(
                Setting("exposure"), " tells about the response; ", remedy("give ", Setting("y"), " too"), "."
            )
        weights = relative_weights(weight, columns.n)
        return GivenRows(columns, np.ones(columns.n) if weights is None else weights)
    target = target_of(response, y, weight, exposure)
    check_lengths(columns.n, len(target.y))
    weights = np.ones(columns.n) if target.weight is None else target.weight
    return GivenRows(columns, weights, truth_of(target))


def page_of_tree(tree: Tree, rows: GivenRows | None, unseen: str, options: ReportOptions = NO_OPTIONS) -> Page:
    """The page of a tree on its own."""
    return make_page(_with_summary(of_tree(tree, rows, unseen), tree, options))


def page_of_model(
    model, rows: GivenRows | None = None, options: ReportOptions = NO_OPTIONS, rivals: GivenRivals | None = None,
    more: tuple = (),
) -> Page:  # fmt: skip
    """The page of a fitted model: the whole family of its pruned trees, with their losses as they were evaluated.

    Parameters
    ----------
    model : TreeModel
    rows : GivenRows, optional
    options : ReportOptions, optional
    rivals : GivenRivals, optional
        Competing splits for these rows; see :meth:`boxwood.algorithms.fitting.algorithm.Algorithm.rivals`.
    more : tuple of sections
        At the end of the report.

    Raises
    ------
    ParameterError
        The selected tree has too many nodes for a page, or there is no such class.
    """
    found = _with_summary(contents_of(model, rows), model.tree, options, model)
    summaries = tuple(replace(each, sections=(*each.sections, *more)) for each in found.summaries)
    return make_page(replace(found, rivals=rivals, summaries=summaries))


def _with_summary(contents: Contents, tree: Tree, options: ReportOptions, model=None) -> Contents:
    """The contents with the first page of each response."""
    names = [one.name for one in tree.response.responses] or [tree.response.name]
    found = (
        _summary(one, of_response(tree, name), options, None if model is None else model_of_response(model, name))
        for one, name in zip(contents.of_each, names, strict=True)
    )
    return replace(contents, summaries=tuple(found))


def _summary(contents: Contents, tree: Tree, options: ReportOptions, model) -> Summary:
    """The first page of one response."""
    rows = contents.rows
    given = given_evaluation(tree, rows, contents.unseen, options.target_class)
    if given is not None:
        given = grouped(given, tree, contents.unseen, options.by, lambda: rows.columns)
    return summary_of(tree, given, rows, options, model)


def contents_of(model, rows: GivenRows | None = None) -> Contents:
    """What the page of a model shows.

    A model whose tree is not a cut of the weakest-link family (another pruner made it, or its predictions have an
    order) shows that tree, and what the weakest links of it are.
    """
    unseen = model.settings.get("unseen", "missing")
    if model.alpha is None or model.tree.monotonic is not None:
        name = model.pruned_by["pruner"] if model.pruned_by else "another pruner"
        plain = of_tree(model.tree, rows, unseen)
        return Contents(
            plain.tree, plain.family, -1, None, None, unseen, plain.refuses_missing, rows, (f"pruned by {name}",)
        )
    selected = -1 if model.alpha == KEEPS_ALL else model.row
    return Contents(
        model.full_tree, model.path, selected, model.held_out, model.judged_by, unseen, refuses(model.full_tree), rows,
        loss=model.loss,
    )  # fmt: skip
