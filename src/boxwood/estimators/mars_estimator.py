"""What the estimators of MARS have in common: fit, summary, decomposition, importance, export, save, pickle."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ..algorithms.mars import MARS, indicators, responses
from ..data.columns import Columns
from ..data.frame import learn_columns, read_columns
from ..data.target import encode_classes
from ..errors import DataError
from ..mars.anova import Part, decomposition
from ..mars.exports import export
from ..mars.model import MARSModel
from ..mars.plots import plot
from ..mars.words import records, subset_records, summary
from ..training.learning_set import usable_threads
from ..training.parameters import checked
from .notices import told, warn_unseen
from .response import as_salt, flat, name_of


class MARSEstimator(BaseEstimator):
    """Base of the MARS estimators; everything that is learned is in ``model_``."""

    _algorithm: ClassVar[str] = "mars"
    _task: ClassVar[str]

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    def _fit(self, X, y, sample_weight=None):
        """Fit aside and publish with one assignment: a fit that fails leaves the earlier model as it was."""
        parameters = MARS.parameters[self._task]
        given = {p.name: getattr(self, p.name) for p in parameters}
        settings = checked(parameters, given | {"random_state": as_salt(self.random_state)})
        with told(settings["verbose"]):
            columns = learn_columns(X, settings["categorical_features"])
            self.model_ = MARS.fit(
                columns, flat(y), task=self._task, settings=settings, weight=sample_weight, response_name=name_of(y)
            )
        return self

    def _fitted(self) -> MARSModel:
        check_is_fitted(self)
        return self.model_

    def _read(self, X) -> Columns:
        model = self._fitted()
        columns = read_columns(X, model.schema, estimator=type(self).__name__)
        warn_unseen(columns, model.settings["unseen"])
        return columns

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> MARSRegressor().fit([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0]], [1, 2, 3]).n_features_in_
        2
        """
        return len(self._learned("n_features_in_").schema)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Column names of X, when it had names.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> MARSRegressor().fit({"年龄": [1.0, 2.0, 3.0]}, [1, 2, 3]).feature_names_in_.tolist()
        ['年龄']
        """
        schema = self._learned("feature_names_in_").schema
        if not schema.named:
            raise AttributeError("feature_names_in_: the data of fit had no column names.")
        return np.array(schema.names, dtype=object)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the fall of GCV over the subsets (see ``importance``), float64, shape (p,).

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> X = {"a": [0.0, 1, 2, 3, 4, 5, 6, 7], "b": [1.0, 1, 0, 0, 1, 1, 0, 0]}
        >>> MARSRegressor().fit(X, [0, 1, 2, 3, 4, 5, 6, 7]).feature_importances_.tolist()
        [1.0, 0.0]
        """
        found = self._learned("feature_importances_").importance()
        worth = np.zeros(len(self.model_.schema))
        worth[: len(found.gcv)] = np.maximum(found.gcv, 0.0)
        return worth / worth.sum() if worth.sum() > 0.0 else worth

    def _learned(self, name: str) -> MARSModel:
        if "model_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no {name} before fit.")
        return self.model_

    def summary(self) -> str:
        """The model in words: terms, coefficients, GCV, RSS, GRSq, RSq.

        Returns
        -------
        str

        Raises
        ------
        NotFittedError
            There is no model yet.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> x = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
        >>> y = [1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 2.1, 2.9, 4.1, 4.9, 6.1, 6.9]
        >>> print(MARSRegressor(minspan=1, endspan=1, max_terms=4).fit({"x": x}, y).summary())
        MARS for y: 2 of 3 terms, 1 of 1 features
                    coefficient
        (constant)      1.00968
        h(x-5)          0.99447
        Coefficients. h(z) is z where z is above 0, else 0.
        GCV 0.017532  RSS 0.118341  GRSq 0.9967  RSq 0.9978
        The forward pass ended because it reached 4 terms.
        """
        return summary(self._fitted())

    def to_frame(self, what: str = "terms"):
        """Terms, subsets or importance as a pandas data frame.

        Parameters
        ----------
        what : {"terms", "subsets", "importance"}

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        NotFittedError, ParameterError

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.to_frame()["term"].tolist()
        ['(constant)', 'x']
        """
        import pandas as pd

        from ..errors import ParameterError

        model = self._fitted()
        if what == "importance":
            return pd.DataFrame(self.importance())
        tables = {"terms": records, "subsets": subset_records}
        if what not in tables:
            raise ParameterError(f"what must be 'terms', 'subsets' or 'importance'; got {what!r}.")
        return pd.DataFrame(tables[what](model))

    def importance(self) -> list[dict]:
        """Features from the most to the least important (earth's evimp).

        Returns
        -------
        list of dict
            feature; n_subsets, in how many of the best subsets it is; gcv and rss, its share in their fall, 100 for the
            largest.

        Raises
        ------
        NotFittedError
            There is no model yet.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.importance()
        [{'feature': 'x', 'n_subsets': 1, 'gcv': 100.0, 'rss': 100.0}]
        """
        model = self._fitted()
        found = model.importance()
        return [
            {
                "feature": model.schema.names[i],
                "n_subsets": int(found.n_subsets[i]),
                "gcv": float(found.gcv[i]),
                "rss": float(found.rss[i]),
            }
            for i in found.order
        ]

    def anova(self, X, y=None) -> list[Part]:
        """The ANOVA decomposition: terms by the features they hold, with the share of each.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows over which the parts vary, usually those of fit.
        y : column of n values, optional
            With it, each part also says the GCV of the model without it.

        Returns
        -------
        list of Part

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> X = {"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}
        >>> model = MARSRegressor().fit(X, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> [(part.features, part.share) for part in model.anova(X)]
        [(('x',), 1.0)]
        """
        columns = self._read(X)
        numbers = None
        if y is not None:
            if self._task == "classification":
                codes = encode_classes(y, self.model_.labels)
                numbers = indicators(codes, len(self.model_.labels))
            else:
                numbers = responses(flat(y))
            if len(numbers) != columns.n:
                raise DataError(f"X has {columns.n} rows and y {len(numbers)}; give every row of X one value.")
        return decomposition(self.model_, self.model_.basis(columns), numbers)

    def plot(self, response: int = 0):
        """Main effects as lines and pairs as surfaces; needs matplotlib.

        Parameters
        ----------
        response : int
            Which response, or class.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        NotFittedError, NotAvailableError

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.plot().savefig("effects.png")  # doctest: +SKIP
        """
        return plot(self._fitted(), response)

    def export(self, to: str) -> str:
        """The model in another language; see :func:`boxwood.mars.exports.export`.

        Parameters
        ----------
        to : {"formula", "python", "sql", "c", "json"}

        Returns
        -------
        str

        Raises
        ------
        NotFittedError, ParameterError

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 2, 4, 6, 8, 10, 12, 14])
        >>> space = {}
        >>> exec(model.export("python"), space)
        >>> [round(v, 9) for v in space["predict"]({"x": 10.0})]
        [20.0]
        """
        return export(self._fitted(), to)

    def save(self, path: str | os.PathLike) -> None:
        """Write a model file that :func:`boxwood.load` and the command line read.

        Parameters
        ----------
        path : str or path object

        Raises
        ------
        NotFittedError, FileError

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import boxwood
        >>> model = boxwood.MARSRegressor().fit([[1.0], [2.0], [3.0]], [1, 2, 3])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.box")
        ...     boxwood.load(Path(folder) / "model.box").predict([[1.0]]).round(6).tolist()
        [2.0]
        """
        self._fitted().save(path)

    def __getstate__(self) -> dict:
        """Parameters, and the bytes of the model file for the model."""
        state = dict(vars(self))
        if "model_" in state:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            model = MARSModel.from_bytes(state["model_"])
            state["model_"] = replace(model, threads=usable_threads(model.settings["n_jobs"]))
        vars(self).update(state)

    def __sklearn_tags__(self):
        """Categories and strings are welcome; missing values with missing='indicator'."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
