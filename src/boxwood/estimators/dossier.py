"""The dossier of a fitted estimator, and its verification."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .._messages import Setting, must_be
from .._typing import ColumnLike, TableLike
from ..algorithms.dossier.facts import SEAL, DossierRows, dossier_of, fingerprint, names_in, to_text
from ..algorithms.dossier.page import dossier_sections
from ..algorithms.dossier.verified import Discrepancy, discrepancies, read_dossier
from ..data.frames.class_labels import AsWritten
from ..data.frames.weights import read_weights
from ..errors import ParameterTypeError
from ..evaluation.grouping import taken_groups
from ..learning.responses import read_exposure
from ..model.explorer.page import Page
from ..model.explorer_page import given_to_show, page_of_model
from ..model.grouped import grouped, groups_by
from ..model.summary import ReportOptions
from ..tree.atomic import write_atomically
from .editing import Editing
from .evaluating import Evaluating
from .response import flat
from .training_rows import rows_with_response

#: So many rows are given to exports.
MOST_ROWS = 1000


@dataclass(frozen=True, eq=False)
class Dossier:
    """What is known of a model, as JSON that anybody can recompute, and as a page.

    Attributes
    ----------
    facts : dict
        Plain JSON values; ``facts["blanks"]`` are to be filled in by people.
    """

    facts: dict[str, Any]
    _page: Any

    def to_json(self) -> str:
        """The text of the file."""
        return to_text(self.facts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON file.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        write_atomically(path, self.to_json().encode())

    def page(self) -> Page:
        """The report of the model with the parts of the dossier; ``save(path)`` writes it."""
        page: Page = self._page(self.facts)
        return page

    def __repr__(self) -> str:
        return f"<Dossier {self.facts['fingerprint'][:12]}>"


class DossierMixin(Evaluating, Editing):
    """The part of a tree estimator that makes and verifies dossiers."""

    def dossier(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, *,
        exposure: ColumnLike | None = None, holdout: tuple[Any, ...] | None = None, by: Any = None,
        target_class: Any = None, formats: Sequence[str] = ("json", "python"),
    ) -> Dossier:  # fmt: skip
        """All that is known of the model in one JSON file and one page, so that others can check it.

        It holds the settings, the tree, how sure its size is, what the rows hold, the evaluation with groups, edits,
        the certificate of a monotone tree, exports that were run and compared, fingerprints of the model and of all
        values, and the items of TRIPOD+AI: those that can be known are filled in, the others are named blanks.

        Parameters
        ----------
        X : table of shape (n, p)
            The rows of the fit, or any others with a known response.
        y : column of n values
        sample_weight, exposure : column of n numbers, optional
            As for ``evaluate``.
        holdout : tuple (X, y), (X, y, sample_weight) or (X, y, sample_weight, exposure), optional
            Rows that the tree was not grown from.
        by : str or list of str, optional
            Columns, or periods of dates, whose groups are evaluated.
        target_class : label, optional
            The class of AUC, lift and average precision; default: that of the model.
        formats : list of str
            Formats of exports that are run on the first 1,000 rows and compared.

        Returns
        -------
        Dossier
            ``save(path)``, ``page()``, ``facts``.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            There is no such class or format.
        DataError, DataTypeError
            The rows do not match the model.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
        >>> model = CARTClassifier(pruning=None).fit(X, y)
        >>> found = model.dossier(X, y)
        >>> found.facts["exports"]["python"]["mismatches"], found.facts["tripod_ai"]["10 Sample size"]
        (0, '4 rows of the fit, 4 rows of data')
        >>> model.verify_dossier(X, y, found)
        ()
        """
        rows = {"data": (X, y, sample_weight, exposure)}
        rows |= {} if holdout is None else {"holdout": self._given(holdout)}
        model, options = self._fitted(), {"by": names_in("by", by), "target_class": target_class}
        model.need_constant_leaves("dossier")
        options["formats"] = names_in("formats", formats)
        read = {role: self._dossier_rows(given, options["by"], target_class) for role, given in rows.items()}
        facts = dossier_of(model, read, options, {})

        def page(facts: dict[str, Any]) -> Page:
            data = read["data"]
            given = given_to_show(model.tree.response, data.columns, self._rows(X, y).y, data.weight, data.exposure)
            return page_of_model(model, given, ReportOptions(target_class=target_class), None, dossier_sections(facts))

        return Dossier(facts, page)

    def verify_dossier(
        self, X: TableLike, y: ColumnLike, dossier: Dossier | str, sample_weight: ColumnLike | None = None, *,
        exposure: ColumnLike | None = None, holdout: tuple[Any, ...] | None = None,
    ) -> tuple[Discrepancy, ...]:  # fmt: skip
        """Recompute every number of a dossier from this model and the rows.

        Parameters
        ----------
        X : table of shape (n, p)
        y : column of n values
        dossier : Dossier or str
            Or the text of its file.
        sample_weight, exposure : column of n numbers, optional
        holdout : tuple, optional
            Like the others, as it was given for the dossier.

        Returns
        -------
        tuple of Discrepancy
            The places where the dossier states something else; empty if all is as stated.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        DataError, DataTypeError
            This is no dossier, or the rows do not match the model.
        ParameterError, ParameterTypeError
            Its options are not valid.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> X, y = {"age": [20, 30, 50, 60]}, [1, 1, 4, 4]
        >>> model = CARTRegressor(pruning=None).fit(X, y)
        >>> text = model.dossier(X, y).to_json()
        >>> [str(found) for found in model.verify_dossier(X, y, text.replace('"depth": 1', '"depth": 2'))][:1]
        ['model.depth: stated 2, found 1']
        """
        if not isinstance(dossier, (Dossier, str)):
            raise ParameterTypeError(must_be("dossier", "a dossier or the text of its file", dossier))
        text = dossier if isinstance(dossier, str) else dossier.to_json()
        stated = read_dossier(text)
        options = stated["options"]
        label = options.get("target_class")
        again = self.dossier(
            X, y, sample_weight, exposure=exposure, holdout=holdout, by=options["by"], formats=options["formats"],
            target_class=AsWritten(label) if isinstance(label, str) else label,
        )  # fmt: skip
        found = again.facts | {
            "files": stated.get("files"),
            "options": again.facts["options"] | {"target_class": label},
        }
        return discrepancies(stated, found | {SEAL: fingerprint(found)}, text)

    @staticmethod
    def _given(holdout: Any) -> tuple[Any, ...]:
        if not isinstance(holdout, tuple) or not 2 <= len(holdout) <= 4:
            raise ParameterTypeError(
                Setting("holdout"), " must be a tuple (X, y), with weights and exposures where given."
            )
        return (*holdout, None, None)[:4]

    def _dossier_rows(self, given: tuple[Any, ...], by: list[str], target_class: Any) -> DossierRows:
        """Rows with their evaluation, by groups."""
        X, y, weight, exposure = given
        model, rows = self._fitted(), self._rows(X, y, weight, exposure)
        keep = rows_with_response(flat(y), model.settings)
        groups = [group for name in by for group in groups_by(name, X, model.schema)]
        groups = groups if keep is None else [taken_groups(group, keep) for group in groups]
        found = self.evaluate(X, y, weight, exposure=exposure, target_class=target_class)
        found = grouped(found, model.tree, model.settings.get("unseen", "missing"), groups, lambda: rows.columns)
        weight, exposure = read_weights(rows.weight, rows.columns.n), read_exposure(rows.exposure, rows.columns.n)
        truth = np.asarray(model.tree.response.read(rows.y))
        return DossierRows(rows.columns, truth, found, _first_rows(X), weight, exposure)


def _first_rows(X: TableLike) -> Any:
    """The first rows of a table."""
    if isinstance(X, dict):
        return {name: list(values)[:MOST_ROWS] for name, values in X.items()}
    return X if len(X) <= MOST_ROWS else _safe_indexing(X, np.arange(MOST_ROWS))
