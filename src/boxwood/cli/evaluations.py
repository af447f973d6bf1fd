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
    from ..evaluation.evaluate import evaluated_classes, evaluated_numbers, interest_of, judged_by_costs

    about["response_name"] = model.response_name
    if not model.labels:
        return evaluated_numbers(y, model.predict(columns), weight, exposure, **about)
    found = model.predictions(columns, True)
    about = {"weight": weight, "target_class": interest_of(model)} | about
    return judged_by_costs(evaluated_classes(tuple(model.labels), y, found.values, found.probability, **about), model)


def held_out_evaluation(model, n: int, weight):
    """How good the predictions of the rows left out of the model's own folds, or held out, were.

    Parameters
    ----------
    model : Model
    n : int
        Rows of the training set.
    weight : column of n numbers, optional

    Returns
    -------
    Evaluation or None
        None where the fit kept no confusion matrix.
    """
    import numpy as np

    from ..data.weights import read_weights
    from ..evaluation.evaluate import judged_by_costs
    from ..evaluation.held_out import held_out_evaluation as of_labels

    cv = model.cv if model.kind == "tree" else None
    given = read_weights(weight, n)
    found = of_labels(model.labels, cv, np.ones(n) if given is None else given, model.response_name)
    return None if found is None else judged_by_costs(found, model)


def held_out_words(cv: dict | None, training) -> str | None:
    """Whether held-out predictions of numbers are better than the mean of the training set, by their squared error."""
    from ..evaluation.held_out import held_out_words as of_numbers

    if cv is None or training.rows.labels:
        return None
    return of_numbers(cv, training.constant, training["mse"].baseline)


def print_evaluation(found, with_headline: bool = True) -> None:
    """Print the headline and every table of an evaluation."""
    from ..evaluation.words import title

    if with_headline:
        click.echo(found.headline)
    click.echo(f"{title(found)}.")
    print_sections(found)


def print_sections(found, where: str = "") -> None:
    """Print every table of an evaluation; ``where`` follows its heading."""
    from ..evaluation.words import sections

    for name, head, rows in sections(found):
        heading(f"{name}{where}")
        print_table(head, rows, set(range(1, len(head))))
