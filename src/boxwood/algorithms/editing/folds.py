"""The price of an edit by folds: trees that are fitted and edited without the rows that evaluate them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..._messages import must_be
from ...errors import ParameterError
from ...learning.learning_set import LearningSet
from ...model.edit_log import Edit
from ...model.tree_model import TreeModel
from ...pruning.resampling import resampling
from .apply import applied
from .figures import EditPrice, KnownRows, figures_of, mean_figures
from .relocated import relocated
from .rows_of_fit import RowsOfFit
from .site import Site


class EditSession(Protocol):
    """What an editing session gives.

    Attributes
    ----------
    model : TreeModel
    rows : RowsOfFit
    """

    model: TreeModel
    rows: RowsOfFit

    @property
    def site(self) -> Site:
        """Where verbs work."""

    @property
    def learning(self) -> LearningSet:
        """The rows of the fit."""

    def replay(self, log: Any) -> Any:
        """Apply all edits of a log."""


def with_folds(
    price: EditPrice, session: EditSession, edit: Edit, folds: int, begin: Callable[..., EditSession]
) -> EditPrice:
    """A price with the figures of rows left out of folds, weighted by the rows of each fold.

    ``begin`` makes a session of a model and its rows. In a fold whose tree has no node that the edit fits, the edit
    changes nothing.

    Raises
    ------
    ParameterError
        There are too few rows for so many folds.
    """
    before, after, rows = [], [], []
    for part, outside in _sessions(session, folds, begin):
        tree, known = part.model.tree, {"": outside}
        before.append(figures_of(part.model, tree, known)[""])
        after.append(before[-1])
        rows.append(outside.columns.n)
        found, _ = relocated(edit, tree, 1)
        if found is not None:
            try:
                after[-1] = figures_of(part.model, applied(found, part.site), known)[""]
            except ParameterError:  # the edit does not fit this tree
                continue
    of_folds = mean_figures(before, rows), mean_figures(after, rows)
    return EditPrice(price.before | {"folds": of_folds[0]}, price.after | {"folds": of_folds[1]})


def _sessions(whole: EditSession, folds: int, begin: Callable[..., EditSession]) -> list[tuple[EditSession, KnownRows]]:
    """Of each fold, a session of the model fitted and edited without its rows, and those rows."""
    learning, rows, model = whole.learning, whole.rows, whole.model
    keeps = resampling(learning).folds(folds, model.settings.get("random_state"))
    if keeps is None:
        raise ParameterError(must_be("folds", f"fewer, as {learning.n} rows are too few", folds))
    found = []
    for keep in keeps:
        inside, outside = (rows.taken(model, learning.rows[which]) for which in (keep, ~keep))
        part = begin(inside.fitted(model), inside)
        part.replay(list(model.edits))
        found.append((part, outside.known(part.model)))
    return found
