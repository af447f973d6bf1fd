"""The protocol of fitted models: what trees, rules and splines have in common, and the marks of their files."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.columns import Columns
from ..data.columns.schema import Schema
from ..data.frames.class_labels import of_interest
from ..errors import ModelFileError, ParameterError
from ..evaluation.evaluation import Evaluation
from ..evaluation.rows import EvaluatedRows
from ..exports.export import export, verify
from ..exports.model_plan import ModelPlan
from ..exports.registry import Format, format_of
from ..exports.verify import Verdict
from ..tree import store
from ..tree.sections import unpack
from ..views.score_columns import ScoreOptions
from .predictions import Predictions
from .readable import ReadableTree


@dataclass(frozen=True)
class FeatureRanking:
    """The importance of the features, the most important first.

    Attributes
    ----------
    kind : str
        Name of the measure.
    what : str
        What the numbers are, behind "Importance of the features"; may be empty.
    header : tuple of str
    cells : list of list
        A row for each feature, as people read it.
    records : list of dict
        The same as plain values.
    """

    kind: str
    what: str
    header: tuple[str, ...]
    cells: list[list]
    records: list[dict[str, Any]]


class Model(ABC):
    """A fitted model of any algorithm; a new kind defines the abstract methods, ``part``, ``kind`` and ``mark``.

    Attributes
    ----------
    kind : str
        What a model of this kind is called in messages.
    part : str
        What its facts, and the heading above its text, are called.
    mark : str
        The entry of the header by which its files are recognised.
    algorithm, task : str
    settings : dict
        Plain parameters the model was made with.
    response_name : str
    labels : tuple
        Class labels; empty for regression.
    notes : tuple of str
        What a person should know about the fit.
    schema : Schema
    tree : ReadableTree or None
        The selected tree; None for a model that is not a tree.
    """

    kind: ClassVar[str]
    part: ClassVar[str]
    mark: ClassVar[str]

    algorithm: str
    task: str
    settings: dict
    response_name: str
    labels: tuple
    notes: tuple[str, ...]
    schema: Schema
    tree: ReadableTree | None

    def __init_subclass__(cls, **options: Any) -> None:
        """Register the mark of a kind of its own."""
        super().__init_subclass__(**options)
        if "mark" in vars(cls):
            _KINDS[cls.mark] = cls

    @abstractmethod
    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels or numbers, shape (n,)."""

    @abstractmethod
    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """Predictions, probabilities if requested, and counts of missing and unseen values on the paths."""

    def score(self, columns: Columns, options: ScoreOptions) -> Predictions:
        """Predictions with the columns that the options name.

        Raises
        ------
        ParameterError
            An option needs nodes, or classes, which a model of this kind does not have.
        """
        options.check(len(self.labels), len(self.schema))
        if options.of_nodes:
            name = options.of_nodes[0]
            raise ParameterError(Setting(name), f" needs a tree, and this is a {self.kind}; ", remedy("leave it out."))
        return self.predictions(columns, options.proba)

    @abstractmethod
    def facts(self) -> dict:
        """The model as plain values; ``facts()[part]`` is what is special of its kind."""

    @abstractmethod
    def to_text(self, max_lines: int | None = None, hint: str = "to_text()") -> str:
        """The model as text of at most so many lines; ``hint`` is what shows all."""

    @abstractmethod
    def export_plan(self) -> ModelPlan:
        """The model in the form from which exports are written."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """The bytes of the model file; equal models give equal bytes."""

    @staticmethod
    @abstractmethod
    def from_bytes(data: bytes) -> Model:
        """Read a model from the bytes of a model file.

        Raises
        ------
        ModelFileError
            The bytes are damaged, or hold another kind of model.
        """

    @property
    def responses(self) -> tuple:
        """Several responses that are predicted at once; empty where it is one."""
        return ()

    @property
    def label_array(self) -> np.ndarray:
        """Class labels as an array of their own type, shape (K,)."""
        return np.array(self.labels, dtype=np.str_ if any(isinstance(v, str) for v in self.labels) else None)

    def details(self) -> dict:
        """Everything there is to know of the model, as plain values."""
        return self.facts()

    @property
    def fits_file(self) -> bool:
        """Whether a model file can hold all that predicts."""
        return True

    def remarks(self) -> list[str]:
        """Sentences about the model below its text."""
        return []

    def ranking(self) -> FeatureRanking | None:
        """The importance of the features; None if a model of this kind has none."""
        return None

    @property
    def formats(self) -> Mapping[str, Format]:
        """The formats that the model can be exported to."""
        return self.export_plan().formats

    def format_name(self, format: str | None, path: str | os.PathLike | None = None) -> str:
        """The name of a format, by default of that of a file's ending."""
        return format_of(format, path, self.formats, self.kind).name

    def export(self, format: str | None = None, path: str | os.PathLike | None = None, **options) -> str | bytes:
        """The model in another format, with the same predictions; see :func:`boxwood.exports.export.export`."""
        return export(self.export_plan(), format, path, **options)

    def verify_export(self, format: str, X, content: str | bytes | None = None, **options) -> Verdict:
        """Run an export on rows and compare with ``predict``; see :func:`boxwood.exports.export.verify`."""
        return verify(self.export_plan(), X, format, content, **options)

    def save(self, path: str | os.PathLike) -> None:
        """Write the model file, whole or not at all: an older file stays until the new one is complete.

        Parameters
        ----------
        path : str or path object

        Raises
        ------
        FileError
            The file cannot be written.
        """
        store.save(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike):
        """Read a model file.

        Parameters
        ----------
        path : str or path object

        Returns
        -------
        A model of this class.

        Raises
        ------
        FileError
            The file cannot be read.
        ModelFileError
            It is damaged, or contains no model of this kind.
        """
        return cls.from_bytes(store.load(path))

    @property
    def interest(self) -> Any:
        """The class of interest: that of the fit, else the second of two; None for none."""
        return of_interest(self.settings.get("target_class"), self.labels, lambda: (1, 0))

    @property
    def costs(self) -> tuple | None:
        """Costs of misclassification that the model minimises; None = every error counts 1."""
        return None

    def rows_of_fit(self, otherwise: int) -> int:
        """Number of rows of the fit; ``otherwise`` for a model that does not know it."""
        return otherwise

    def may_be_fitted_to(self, rows: EvaluatedRows) -> bool:
        """Whether as many rows, or as large a weight, were fitted."""
        return True

    def was_fitted_to(self, columns: Columns, rows: EvaluatedRows) -> bool:
        """Whether rows are those of the fit, as far as that can be seen."""
        return False

    def held_out_evaluation(self) -> Evaluation | None:
        """The evaluation of the rows that the fit left out, where the model keeps it."""
        return None

    def not_evaluated(self) -> str:
        """That the model has not been evaluated, with the facts about the rows of the fit."""
        return "Not evaluated."


def first_lines(text: str, max_lines: int | None, hint: str) -> str:
    """At most so many lines of a text, then how many more there are; ``hint`` is what shows all."""
    lines = text.split("\n")
    if max_lines is None or len(lines) <= max_lines:
        return text
    return "\n".join([*lines[:max_lines], f"... {len(lines) - max_lines} more lines; {hint} shows all"])


_KINDS: dict[str, type[Model]] = {}


def model_from_bytes(data: bytes) -> Model:
    """A model of the kind whose mark the bytes of a model file bear.

    Raises
    ------
    ModelFileError
        The bytes are damaged, or hold a model of no known kind.
    """
    header = unpack(data)[0]
    found = next((kind for mark, kind in _KINDS.items() if mark in header), None)
    if found is None:
        raise ModelFileError("the model file holds a model of a kind that this version does not know; update boxwood.")
    return found.from_bytes(data)
