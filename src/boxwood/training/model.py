"""A fitted model: the full tree, how far it is pruned, and what is needed to predict, report and store it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..data.columns import Columns
from ..data.schema import Schema
from ..errors import ModelFileError, ParameterError
from ..pruning.cost_complexity import CostComplexityPath, alpha_for_leaves, risk_of, subtree, weakest_links
from ..tree import store
from ..tree.descend import Landing, land
from ..tree.tree import Tree
from ..views.explanation import Explanation, explain_rows
from ..views.readable import ReadableTree, readable
from .parameters import shortened

#: The alpha of a model that keeps its full tree, also the splits that gain nothing.
KEEPS_ALL = -1.0

#: Arrays of a family, in the order of CostComplexityPath.
_FAMILY = ("alphas", "n_leaves", "risks", "collapses_at")


def cut(full_tree: Tree, family: CostComplexityPath | None, alpha: float) -> ReadableTree:
    """T(alpha), or the full tree itself for KEEPS_ALL."""
    return readable(full_tree if alpha == KEEPS_ALL else subtree(full_tree, family, alpha))


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A tree that has been fitted, pruned or read from a file.

    Attributes
    ----------
    algorithm : str
        Name in the registry.
    task : {"classification", "regression"}
    settings : dict
        Plain parameters the model was made with.
    full_tree : Tree
        As grown, before pruning; kept so that pruning can be changed without a refit.
    family : CostComplexityPath or None
        The weakest-link family of the full tree, in units of weight; None until something needs it (see ``path``).
    alpha : float
        Where the family is cut, in the same units; KEEPS_ALL = not pruned.
    tree : Tree
        T(alpha), what the model predicts with.
    held_out : ndarray of shape (S, 2) or None
        Cross-validated loss and its standard error for each row of the path, per unit of weight.
    confusion : ndarray of shape (K, K) or None
        Weights of held-out rows, true class by class said, at the alpha that cross-validation chose.
    notes : tuple of str
        What a person should know about this fit.
    """

    algorithm: str
    task: str
    settings: dict
    full_tree: Tree
    family: CostComplexityPath | None
    alpha: float
    tree: ReadableTree
    held_out: np.ndarray | None = None
    confusion: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    threads: int = field(default=1, compare=False)

    @property
    def schema(self) -> Schema:
        """The features the model was fitted with."""
        return self.tree.schema

    @property
    def labels(self) -> tuple:
        """Class labels; empty for regression."""
        return self.tree.response.labels

    @property
    def full_tree_size(self) -> tuple[int, int]:
        """Nodes and leaves before pruning."""
        return self.full_tree.n_nodes, self.full_tree.n_leaves

    @property
    def risk_name(self) -> str | None:
        """Risk that pruning weighs against leaves; None = the measure of growth."""
        pruning = self.settings.get("pruning")
        own = pruning.get("risk") if isinstance(pruning, dict) and not self.settings.get("ccp_alpha") else None
        return own or self.settings.get("ccp_risk")

    @cached_property
    def path(self) -> CostComplexityPath:
        """The weakest-link family of the full tree, in units of weight; worked out now if the fit did not prune."""
        if self.family is not None:
            return self.family
        return weakest_links(self.full_tree, risk_of(self.full_tree, self.risk_name))

    @property
    def row(self) -> int:
        """Row of the path in force."""
        return int(np.searchsorted(self.path.alphas, self.alpha, side="right")) - 1

    @property
    def cv(self) -> dict | None:
        """Cross-validated loss of the tree in force: keys error, se, and confusion if it is the one that was chosen."""
        if self.held_out is None or self.row < 0:
            return None
        error, se = self.held_out[self.row].tolist()
        return {"error": error, "se": se, "confusion": self.confusion}

    @property
    def unit(self) -> float:
        """Weight of the root: alphas divided by it are on scikit-learn's scale."""
        return float(self.full_tree.weight[0])

    def land(self, columns: Columns) -> Landing:
        """Where rows end and what they met; levels not seen are treated by the model's policy."""
        if self.settings.get("missing") == "error":
            columns.refuse_missing()
        return land(self.tree, columns, self.settings.get("unseen", "missing"), self.threads)

    def explain(self, columns: Columns) -> Explanation:
        """What happens to rows on their way down, step by step."""
        if self.settings.get("missing") == "error":
            columns.refuse_missing()
        return explain_rows(self.tree, columns, self.settings.get("unseen", "missing"))

    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels or numbers, shape (n,)."""
        return self.decide(self.land(columns).node)

    def decide(self, node: np.ndarray) -> np.ndarray:
        """What the nodes in which rows ended say: class labels or numbers."""
        value = self.tree.value[node]
        return self.tree.classes[value] if self.labels else value

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, shape (n, K), columns in the order of ``labels``."""
        return self.tree.probability[self.land(columns).node]

    def prune(self, alpha: float | None = None, *, cp: float | None = None, n_leaves: int | None = None) -> TreeModel:
        """The same model pruned elsewhere along its path; nothing is refitted and the full tree is kept.

        Parameters
        ----------
        alpha : float, optional
            Price of a leaf on scikit-learn's scale (risk per unit of weight).
        cp : float, optional
            The same as a share of the root's risk (rpart's scale).
        n_leaves : int, optional
            The largest tree of the family with at most so many leaves.

        Raises
        ------
        ParameterError
            Not exactly one of the three is given, or it is negative.
        """
        given = [x is not None for x in (alpha, cp, n_leaves)]
        if sum(given) != 1:
            raise ParameterError("give exactly one of alpha, cp and n_leaves.")
        if n_leaves is not None:
            if isinstance(n_leaves, bool) or not isinstance(n_leaves, (int, np.integer)):
                raise ParameterError(f"n_leaves must be a whole number of at least 1; got {shortened(n_leaves)}.")
            price = alpha_for_leaves(self.path, n_leaves)
        else:
            value = cp if alpha is None else alpha
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0.0 <= value <= 1e300:
                name = "cp" if alpha is None else "alpha"
                raise ParameterError(f"{name} must be a number from 0 to 1e300; got {shortened(value)}.")
            price = _nearest(self.path, float(value) * (self.path.root_risk if alpha is None else self.unit))
        return replace(self, family=self.path, alpha=price, tree=cut(self.full_tree, self.path, price))

    def to_bytes(self) -> bytes:
        """The model file's bytes; the same model always gives the same."""
        extra = {
            "algorithm": self.algorithm,
            "task": self.task,
            "settings": self.settings,
            "notes": list(self.notes),
        }
        arrays = {} if self.family is None else _family_arrays(self.family, self.alpha)
        if self.held_out is not None:
            arrays["held_out"] = self.held_out
        if self.confusion is not None:
            arrays["confusion"] = np.asarray(self.confusion, dtype=np.float64)
        return store.to_bytes(self.full_tree, extra, arrays)

    @staticmethod
    def from_bytes(data: bytes) -> TreeModel:
        """A model out of the bytes of a model file; see docs/format.md.

        Raises
        ------
        ModelFileError
            The bytes are damaged, or are not a model.
        """
        tree, extra, arrays = store.from_bytes(data)
        _check_extra(tree, extra, arrays)
        family, alpha = None, KEEPS_ALL
        if "alpha" in arrays:
            alpha, root_risk = arrays["alpha"].tolist()
            family = CostComplexityPath(*(arrays[f"path.{name}"] for name in _FAMILY), root_risk)
        return TreeModel(
            extra["algorithm"], extra["task"], extra["settings"], tree, family, alpha, cut(tree, family, alpha),
            arrays.get("held_out"), arrays.get("confusion"), tuple(extra["notes"]),
        )  # fmt: skip

    def save(self, path: str | os.PathLike) -> None:
        """Write the model file, whole or not at all: an older file stays until the new one is complete.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        store.save(path, self.to_bytes())

    @staticmethod
    def load(path: str | os.PathLike) -> TreeModel:
        """Read a model file.

        Raises
        ------
        FileError
            The file cannot be read.
        ModelFileError
            It is damaged, or not a model file.
        """
        return TreeModel.from_bytes(store.load(path))


def _family_arrays(family: CostComplexityPath, alpha: float) -> dict[str, np.ndarray]:
    """The sections of a model file that hold the family and where it is cut."""
    arrays = {f"path.{name}": np.asarray(getattr(family, name)) for name in _FAMILY}
    return arrays | {"alpha": np.array([alpha, family.root_risk])}


def _nearest(path: CostComplexityPath, alpha: float) -> float:
    """An alpha within rounding of one of the path's own is that one: tables print fewer digits than floats hold."""
    at = int(np.argmin(np.abs(path.alphas - alpha))) if np.isfinite(alpha) else -1
    close = abs(path.alphas[at] - alpha) <= 1e-12 * max(path.root_risk, 0.0)
    return float(path.alphas[at]) if np.isfinite(alpha) and close else alpha


def _check_extra(tree: Tree, extra: dict, arrays: dict[str, np.ndarray]) -> None:
    """What the training floor put into the file has the shapes and types it needs."""
    k = len(tree.response.labels)
    words = {"algorithm": str, "task": str, "settings": dict, "notes": list}
    for name, kind in words.items():
        if not isinstance(extra.get(name), kind):
            raise ModelFileError(f"the model file's header has no entry {name!r}; it was not written by boxwood.")
    if "alpha" in arrays or any(name.startswith("path.") for name in arrays) or "held_out" in arrays:
        _check_family(tree, arrays)
    if "confusion" in arrays and arrays["confusion"].shape != (k, k):
        raise ModelFileError("the model file's section 'confusion' has the wrong shape.")


def _check_family(tree: Tree, arrays: dict[str, np.ndarray]) -> None:
    """The sections of the family are all there, fit together, and are nested."""
    rows = np.size(arrays.get("path.alphas", ()))
    shapes = {"alpha": (2,), "path.alphas": (rows,), "path.n_leaves": (rows,), "path.risks": (rows,)}
    shapes |= {"path.collapses_at": (tree.n_nodes,)}
    for name, shape in shapes.items():
        if name not in arrays or arrays[name].shape != shape or rows == 0:
            raise ModelFileError(f"the model file's section {name!r} is missing or has the wrong shape.")
    if "held_out" in arrays and arrays["held_out"].shape != (rows, 2):
        raise ModelFileError("the model file's section 'held_out' has the wrong shape.")
    alpha, alphas = float(arrays["alpha"][0]), arrays["path.alphas"]
    collapses_at, up = arrays["path.collapses_at"], np.maximum(tree.parent, 0)
    rising = not np.isnan(alphas).any() and (alphas[1:] > alphas[:-1]).all()
    nested = not np.isnan(collapses_at).any() and (collapses_at <= collapses_at[up]).all()
    if not (alpha >= 0.0 or alpha == KEEPS_ALL) or not rising or not nested:
        raise ModelFileError("the model file's pruning sequence is not nested; the file is damaged.")
