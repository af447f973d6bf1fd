"""What `boxwood fit --evaluate` does: how good the model is on rows that it has not seen."""

from __future__ import annotations

import os

import click

from ..errors import BoxwoodError
from .evaluations import evaluation_of
from .inputs import LearningData, about, numbers_of, read_new_data, shown_name
from .responses import response_of
from .streams import show

#: Methods that are not the name of a file.
CV, NONE = "cv", "none"


def check_evaluate(how: str) -> None:
    """Refuse a file that is not there, before the fit."""
    if how not in (CV, NONE) and "://" not in how and not os.path.exists(how):
        raise click.UsageError(f"--evaluate must be cv, none or a file with the target; there is no file {how!r}")


def evaluation_of_fit(how: str, model, learning: LearningData, roles, settings: dict):
    """The evaluation of a fit, or None; and why it could not be made, as notes.

    Parameters
    ----------
    how : str
        "cv", "none" or the name of a file.
    model : Model
    learning : LearningData
        What it was fitted to.
    roles : FileRoles
    settings : dict
        Settings of the fit.
    """
    if how == NONE:
        return None, []
    if model.responses and how == CV:
        return None, ["several responses are not evaluated by folds; --evaluate takes a file with the targets."]
    try:
        if how != CV:
            return on_file(how, model, roles.weight, roles.exposure), []
        return _by_folds(model, learning, settings), []
    except KeyboardInterrupt:
        show("Interrupted; the model was written, but not evaluated.")
        raise click.exceptions.Exit(130) from None  # as of any interrupt
    except BoxwoodError as error:
        if how != CV:
            raise
        return None, [f"the fit cannot be repeated without some of the rows: {error}"]


def on_file(file: str, model, weight: str | None, exposure: str | None):
    """The evaluation of the rows of a file, as `boxwood evaluate` makes it."""
    name = shown_name(file)
    with about(name, {"new_labels": "--new-labels"}):
        table, columns = read_new_data(file, model, with_response=True)
        weights, exposures = (
            numbers_of(table, column if column in table.column_names else None, what, name)
            for column, what in ((weight, "weight"), (exposure, "exposure"))
        )
        return evaluation_of(model, response_of(table, model, name), columns, weights, exposures)


def _by_folds(model, learning: LearningData, settings: dict):
    from dataclasses import replace

    from ..algorithms import REGISTRY
    from ..algorithms.comparison.entrants import TreeEntrant, Truth
    from ..algorithms.comparison.evaluated import cross_validated
    from ..evaluation.evaluate import judged_by_costs, target_of
    from ..learning.responses import read_exposure

    truth = Truth.read(learning.y, learning.weight, learning.task)
    exposure = read_exposure(learning.exposure, learning.columns.n)
    entrant = TreeEntrant(model.algorithm, REGISTRY[model.algorithm], settings, learning.columns, truth, exposure)
    found = cross_validated(entrant, settings.get("random_state"), model.response_name)
    if not truth.labels:
        return found
    return judged_by_costs(replace(found, target=target_of(truth.labels, model.interest)), model.costs)
