"""The output of an evaluation: the headline first, then its tables."""

from __future__ import annotations

import click

from .output import heading, print_table


def evaluation_of(model, y, columns, weight=None, exposure=None, **about):
    """How good the predictions of a model are for rows whose response is known.

    Parameters
    ----------
    model : Model
    y : column of n values
    columns : Columns
    weight, exposure : column of n numbers, optional
    **about
        of, target_class, new_labels: as for :func:`boxwood.evaluation.evaluate.evaluated_classes`.

    Returns
    -------
    Evaluation
    """
    from ..evaluation.evaluate import evaluated_classes, evaluated_numbers, judged_by_costs
    from ..model.recognised import recognised
    from ..statistics.responses.registry import power_of

    about["response_name"] = model.response_name
    if not model.labels:
        found = evaluated_numbers(
            y, model.predict(columns), weight, exposure, power=power_of(model.settings), **about
        )  # fmt: skip
        return recognised(found, model, lambda: columns)
    found = model.predictions(columns, True)
    about = {"weight": weight, "target_class": model.interest} | about
    found = evaluated_classes(model.labels, y, found.values, found.probability, **about)
    return recognised(judged_by_costs(found, model.costs), model, lambda: columns)


def print_evaluation(found, with_headline: bool = True) -> None:
    """Print the headline and every table of an evaluation."""
    from ..evaluation.words import sections, title

    if with_headline:
        click.echo(found.headline)
    click.echo(f"{title(found)}.")
    for name, head, rows in sections(found):
        heading(name)
        print_table(head, rows, set(range(1, len(head))))
