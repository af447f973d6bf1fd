"""What commands say of an evaluation: the headline first, then its tables."""

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
        of, target_class: as for :func:`boxwood.evaluation.evaluation.evaluated_classes`.

    Returns
    -------
    Evaluation
    """
    from ..evaluation.evaluation import evaluated_classes, evaluated_numbers

    about["response_name"] = model.response_name
    if not model.labels:
        return evaluated_numbers(y, model.predict(columns), weight, exposure, **about)
    found = model.predictions(columns, True)
    return evaluated_classes(tuple(model.labels), y, found.values, found.probability, weight, **about)


def print_evaluation(found) -> None:
    """Print the headline and every table of an evaluation."""
    from ..evaluation.words import sections, title

    click.echo(found.headline)
    click.echo(f"{title(found)}.")
    for name, head, rows in sections(found):
        heading(name)
        print_table(head, rows, set(range(1, len(head))))
