"""A fitted tree whose leaves predict with user-defined objects, which no model file or export can hold."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.columns import Columns
from ..errors import ParameterError
from ..growing.leaf import LeafModels
from .tree_model import TreeModel


@dataclass(frozen=True, eq=False)
class LeafTreeModel(TreeModel):
    """A tree with a base hypothesis in each leaf; the tree itself shows what constant leaves would predict.

    Attributes
    ----------
    leaves : LeafModels
    """

    leaves: LeafModels | None = None

    @staticmethod
    def of(model: TreeModel, leaves: LeafModels) -> LeafTreeModel:
        """A model with base hypotheses for the leaves of its tree."""
        return LeafTreeModel(**{f.name: getattr(model, f.name) for f in fields(model)}, leaves=leaves)

    def answer(self, columns: Columns, question: str) -> np.ndarray:
        """What the base hypotheses predict; the number of the leaf is the tree's."""
        if question == "node":
            return super().answer(columns, question)
        self.refuse(columns)
        return self.leaves.answer(question, columns, self.settings.get("unseen", "missing"), self.threads)

    @property
    def _leaf(self) -> str:
        return f"{self.settings['leaf']['function']}(...)"

    @property
    def _usual(self) -> str:
        return "majority" if self.labels else "mean"

    @property
    def fits_file(self) -> bool:
        """Objects of Python are not in model files."""
        return False

    def need_constant_leaves(self, what: str) -> None:
        """Refuse what only a tree with constant leaves can do.

        Raises
        ------
        ParameterError
        """
        raise ParameterError(
            f"{what} needs leaves that predict a constant, and this model has ", Setting("leaf"), f"={self._leaf}; ",
            remedy("fit with ", Setting("leaf", self._usual), " for it"), ".",
        )  # fmt: skip

    def prune(self, *given, **named) -> TreeModel:
        """Refused: every leaf has been fitted to its rows."""
        self._refuse_pruning()

    def prune_by(self, *given, **named) -> TreeModel:
        """Refused: every leaf has been fitted to its rows."""
        self._refuse_pruning()

    def _refuse_pruning(self):
        raise ParameterError(
            "the leaves were fitted to their rows with ", Setting("leaf"), f"={self._leaf}, and pruning makes other "
            "leaves; ",
            remedy("fit again with ", Setting("pruning"), "=..., which prunes before the leaves are fitted"), ".",
        )  # fmt: skip

    def to_bytes(self) -> bytes:
        """Refused: a model file holds no objects of Python."""
        raise ParameterError(
            "a model file holds no code, and this model predicts with ", Setting("leaf"), f"={self._leaf}; ",
            remedy("pickle the estimator instead of saving it, or fit with ", Setting("leaf", self._usual)), ".",
        )  # fmt: skip

    def __reduce__(self):
        """The tree as a model file's bytes, and the objects as they pickle themselves."""
        plain = TreeModel(**{f.name: getattr(self, f.name) for f in fields(TreeModel)})
        return _unpickled, (plain.to_bytes(), self.leaves.fitted)


def _unpickled(data: bytes, fitted: dict[int, object]) -> LeafTreeModel:
    model = TreeModel.from_bytes(data)
    return LeafTreeModel.of(model, LeafModels(model.tree, fitted))
