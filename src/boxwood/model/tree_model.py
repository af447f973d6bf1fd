"""A fitted model: the full tree, how far it is pruned, and what is needed to predict, report and store it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.columns.schema import Schema
from ..learning.learning_set import LearningSet
from ..pruning.cost_complexity import CostComplexityPath, risk_of, subtree, weakest_links
from ..pruning.held_out import LabelledSample
from ..pruning.losses import checked_loss
from ..pruning.pruners.cost_complexity import for_response
from ..pruning.pruners.evidence import KEEPS_ALL, CandidateSequence, Evidence, Pruned, Pruner
from ..pruning.selection import sizes_within_one_error
from ..tree import store
from ..tree.join_leaves import join_leaves
from ..tree.tree import Tree
from ..views.score_columns import ScoreOptions
from .applied_tree import AppliedTree
from .kept_nodes import as_free, held, refuse_removed
from .model_file import from_extra, to_extra
from .predictions import Predictions
from .price import price_of
from .readable import ReadableTree, readable
from .regions_mixin import RegionsMixin
from .settings import plain_pruner
from .tree_report import TreeReport


def cut(full_tree: Tree, family: CostComplexityPath | None, alpha: float) -> ReadableTree:
    """T(alpha), or the full tree itself for KEEPS_ALL."""
    return readable(join_leaves(full_tree if alpha == KEEPS_ALL else subtree(full_tree, family, alpha)))


@dataclass(frozen=True, eq=False)
class TreeModel(AppliedTree, RegionsMixin, TreeReport):
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
    alpha : float or None
        Where the family is cut, in the same units; KEEPS_ALL = not pruned; None = the tree is not a cut of the family.
    tree : Tree
        T(alpha), or what another pruner made of the full tree: what the model predicts with.
    held_out : ndarray of shape (S, 2) or None
        Held-out loss and its standard error for each row of the path, per unit of weight.
    confusion : ndarray of shape (K, K) or None
        Weights of held-out rows, actual by predicted class, in the tree that was chosen.
    notes : tuple of str
        What a person should know about this fit.
    sequence : CandidateSequence or None
        The trees among which the pruner chose, when these are not the weakest-link family.
    judged_by : {"folds", "validation"} or None
        Whose losses are held.
    folds : (int, int) or None
        How many folds were evaluated, of how many; None = no folds, or not known.
    pruned_by : dict or None
        Plain settings of the current pruner; None = no pruner, or a cut that was requested.
    family_by : dict or None
        Plain settings of the weakest-link pruner that made the family; None = it is made by ``ccp_risk``.
    edits : tuple of dict
        The log of edits, as plain JSON values.
    unedited : bytes or None
        The model file of the model before them.
    """

    mark: ClassVar[str] = "made_by"

    algorithm: str
    task: str
    settings: dict
    full_tree: Tree
    family: CostComplexityPath | None
    alpha: float | None
    tree: ReadableTree
    held_out: np.ndarray | None = None
    confusion: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    sequence: CandidateSequence | None = None
    judged_by: str | None = None
    folds: tuple[int, int] | None = None
    pruned_by: dict | None = None
    family_by: dict | None = None
    edits: tuple[dict, ...] = ()
    unedited: bytes | None = None
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
    def response_name(self) -> str:
        """Name of the response."""
        return self.tree.response.name

    @property
    def full_tree_size(self) -> tuple[int, int]:
        """Nodes and leaves before pruning."""
        return self.full_tree.n_nodes, self.full_tree.n_leaves

    @property
    def risk_name(self) -> str | None:
        """Risk that the weakest-link family weighs against leaves; None = the measure of growth."""
        return self.settings.get("ccp_risk") if self.family_by is None else self.family_by["risk"]

    @property
    def loss(self) -> str:
        """The loss of held-out rows in the trees of the current sequence (``Response.losses``)."""
        by = (self.family_by if self.alpha is not None else self.pruned_by) or {}
        return checked_loss(by.get("loss"), self.full_tree.response)

    @cached_property
    def path(self) -> CostComplexityPath:
        """The weakest-link family of the full tree, in units of weight; computed now if the fit did not prune."""
        if self.family is not None:
            return self.family
        return weakest_links(self.full_tree, risk_of(self.full_tree, self.risk_name))

    @property
    def row(self) -> int:
        """Row of the selected tree in the path; -1 when the full tree is, or a tree that is not a cut of the path."""
        if self.alpha is None:
            return -1
        return int(np.searchsorted(self.path.alphas, self.alpha, side="right")) - 1

    @property
    def cv(self) -> dict | None:
        """Held-out loss of the selected tree: error, se, judged_by, and the confusion if it was chosen by this loss.

        ``loss``: its name. ``folds``: how many folds were evaluated, of how many, or None. ``leaves_within_1se``: the
        fewest and the most leaves of the trees within one standard error of the least loss.
        """
        own = self.sequence if self.alpha is None else None
        held_out, row = (self.held_out, self.row) if own is None else (own.held_out, own.row)
        if held_out is None or row < 0:
            return None
        error, se = held_out[row].tolist()
        return {
            "loss": self.loss, "error": error, "se": se, "confusion": self.confusion, "judged_by": self.judged_by,
            "folds": self.folds, "leaves_within_1se": sizes_within_one_error((own or self.path).n_leaves, held_out),
        }  # fmt: skip

    @property
    def unit(self) -> float:
        """Weight of the root: alphas divided by it are on scikit-learn's scale."""
        return float(self.full_tree.weight[0])

    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels or numbers, shape (n,)."""
        return self.answer(columns, "label")

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, shape (n, K), columns in the order of ``labels``."""
        return self.answer(columns, "probability")

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """Class labels or numbers, probabilities if requested, and counts of missing and unseen values on the paths."""
        return self.score(columns, ScoreOptions(proba=proba))

    @property
    def policies(self) -> dict:
        """What an export needs beside the tree: the policy for unseen levels, whether missing values are refused."""
        refuse = self.settings.get("missing") == "error"
        return {"unseen": self.settings.get("unseen", "missing"), "refuse_missing": refuse}

    def _with_policy(self, unseen: str) -> TreeModel:
        return replace(self, settings=self.settings | {"unseen": unseen})

    def _used(self, unseen: str | None = None) -> TreeModel:
        return self.under(unseen)

    def _read(self, X: TableLike, unseen: str | None = None, match: str | None = None) -> tuple[TreeModel, Any]:
        return self.under(unseen), self.tree._read(X)[1]

    def in_order(self) -> TreeModel:
        """The same model, not pruned; where predictions have an order, leaves that share a value are joined."""
        return self if self.full_tree.monotonic is None else replace(self, tree=cut(self.full_tree, None, KEEPS_ALL))

    def prune(self, alpha: float | None = None, *, cp: float | None = None, n_leaves: int | None = None,
              force: bool = False) -> TreeModel:  # fmt: skip
        """The same model pruned elsewhere along its path; nothing is refitted and the full tree is kept.

        Parameters
        ----------
        alpha : float, optional
            Price of a leaf on scikit-learn's scale (risk per unit of weight).
        cp : float, optional
            The same as a share of the root's risk (rpart's scale).
        n_leaves : int, optional
            The largest tree of the family with at most so many leaves.
        force : bool
            Whether nodes that were signed or overruled may go.

        Raises
        ------
        ParameterError
            Not exactly one of the three is given, or it is negative.
        """
        path = self.path
        if held(self.full_tree):  # which the family that the fit found does not know
            path = weakest_links(as_free(self.full_tree, force), risk_of(self.full_tree, self.risk_name))
        price = price_of(path, self.unit, alpha, cp, n_leaves)
        tree, confusion = cut(self.full_tree, path, price), self.confusion if price == self.alpha else None
        found = {"alpha": price, "tree": tree, "confusion": confusion, "sequence": None, "pruned_by": None}
        if not np.array_equal(path.alphas, self.path.alphas):
            found |= {"held_out": None, "judged_by": None, "folds": None}
        return replace(self, family=path, **found)

    def prune_by(
        self, pruner: Pruner, rows: LabelledSample | LearningSet | None = None, force: bool = False
    ) -> TreeModel:
        """The same model pruned by a pruner; nothing is refitted, and the full tree is kept.

        Parameters
        ----------
        pruner : Pruner
        rows : LabelledSample or LearningSet, optional
            Rows that the tree was not grown from; or, for a pruner that needs them, the training set.
        force : bool
            Whether nodes that were signed or overruled may go.

        Raises
        ------
        ParameterError
            The pruner needs what it was not given, cannot prune a tree of this kind, or would remove such nodes.
        """
        tree = as_free(self.full_tree) if force else self.full_tree
        evidence = Evidence(tree, **{"learning" if isinstance(rows, LearningSet) else "validation": rows})
        pruner = for_response(pruner, self.full_tree.response)
        pruned = pruner.prune(evidence)
        if not force:
            refuse_removed(self.full_tree, pruned.tree)
        pruned = replace(pruned, tree=as_free(pruned.tree, False))
        return self.with_pruned(pruned, plain_pruner(pruner))

    def with_pruned(self, pruned: Pruned, by: dict) -> TreeModel:
        """The same model with what a pruner found; the weakest-link family stays known when another pruner is used."""
        family = {"family": pruned.family, "held_out": pruned.held_out, "family_by": by} if pruned.family else {}
        return replace(
            self, alpha=pruned.alpha, tree=readable(join_leaves(pruned.tree)), confusion=pruned.confusion,
            notes=pruned.notes + pruned.remarks, sequence=pruned.sequence, judged_by=pruned.judged_by,
            folds=pruned.folds, pruned_by=by, **family,
        )  # fmt: skip

    def to_bytes(self) -> bytes:
        """The model file's bytes; the same model always gives the same."""
        return store.to_bytes(self.full_tree, *to_extra(self))

    @staticmethod
    def from_bytes(data: bytes) -> TreeModel:
        """A model out of the bytes of a model file; see docs/format.md.

        Raises
        ------
        ModelFileError
            The bytes are damaged, or are not a model.
        """
        tree, extra, arrays = store.from_bytes(data)
        parts = from_extra(tree, extra, arrays)
        pruned = parts.pop("pruned_tree")
        shown = cut(tree, parts["family"], parts["alpha"]) if pruned is None else readable(pruned)
        return TreeModel(full_tree=tree, tree=shown, **parts)
