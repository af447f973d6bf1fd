"""The output of an evaluation: the headline first, then its tables."""

from __future__ import annotations

import click

from .output import heading, print_table


def evaluation_of(model, y, columns, weight=None, exposure=None, by=(), amount=None, **about):
    """How good the predictions of a model are for rows whose response is known.

    Parameters
    ----------
    model : Model
    y : column of n values
    columns : Columns
    weight, exposure : column of n numbers, optional
    by : list of RowGroups
    amount : column of n numbers, optional
    **about
        of, target_class, new_labels: as for :func:`boxwood.evaluation.evaluate.evaluated_classes`.

    Returns
    -------
    Evaluation
    """
    from ..evaluation.evaluate import evaluated_classes, evaluated_numbers, judged_by_costs, with_amounts
    from ..model.grouped import grouped
    from ..model.recognised import recognised
    from ..statistics.responses.registry import loss_of

    if model.responses:
        return _of_each(model, y, columns, weight, about)
    about["response_name"], unseen = model.response_name, model.settings.get("unseen", "missing")
    if not model.labels:
        found = evaluated_numbers(
            y, model.predict(columns), weight, exposure, **loss_of(model.settings), **about
        )  # fmt: skip
        return grouped(recognised(found, model, lambda: columns), model.tree, unseen, by, lambda: columns)
    found = model.predictions(columns, True)
    about = {"weight": weight, "target_class": model.interest} | about
    found = evaluated_classes(model.labels, y, found.values, found.probability, **about)
    found = with_amounts(judged_by_costs(found, model.costs), amount, columns.n)
    found = recognised(found, model, lambda: columns)
    return grouped(found, model.tree, unseen, by, lambda: columns)


def _of_each(model, y: dict, columns, weight, about: dict):
    """The evaluation of each of several responses."""
    from ..evaluation.several import SeveralEvaluations
    from ..model.one_response import model_of_response

    each = {name: model_of_response(model, name) for name in y}
    return SeveralEvaluations({name: evaluation_of(each[name], y[name], columns, weight, **about) for name in y})


def groups_of(names, table, model, file: str) -> list:
    """The groups of rows by columns of a table, or by periods of their dates."""
    from ..data.columns.raw import place_of
    from ..data.frames.containers import open_column
    from ..evaluation.grouping import grouping, period_of
    from .column_names import check_column

    found = []
    for by in dict.fromkeys(names):
        _, name = period_of(by, table.column_names)
        check_column(table, name, file)
        column, _ = open_column(table.column(name), place_of(name))
        found.append(grouping(by, column, table.column_names, model.schema))
    return found


def print_evaluation(found, with_headline: bool = True) -> None:
    """Print the headline and every table of an evaluation."""
    from ..evaluation.several import SeveralEvaluations
    from ..evaluation.words import sections, title
    from ..views.words import amount

    if isinstance(found, SeveralEvaluations):
        for name, one in found.each.items():
            heading(name)
            print_evaluation(one, with_headline)
        heading("Mean over the responses")
        click.echo(", ".join(f"{name} {amount(value)}" for name, value in found.mean.items()))
        return
    if with_headline:
        click.echo(found.headline)
    click.echo(f"{title(found)}.")
    for name, head, rows in sections(found):
        heading(name)
        print_table(head, rows, set(range(1, len(head))))


def print_groups(found) -> None:
    """Print the tables of each column of groups of an evaluation."""
    from ..evaluation.group_words import remarks, sections

    for groups in found.groups.values():
        for name, head, rows in sections(groups):
            heading(name)
            print_table(head, rows, set(range(1, len(head))))
        for remark in remarks(groups):
            click.echo(remark)


def charted(found, figure: str | None, limits) -> tuple:
    """What has a chart, the groups of an evaluation or its thresholds (``limits``), and what chooses the figure."""
    return (next(iter(found.groups.values())), figure) if limits is None else (limits,)
