"""The result of a pruner that makes one tree; held-out rows evaluate it beside the full tree."""

from __future__ import annotations

import numpy as np

from ...tree.rebuild import keep_nodes
from ...tree.tree import Tree
from ..confusions import PredictedClasses, confusions_at
from ..held_out import LabelledSample
from ..losses import checked_loss, training_losses
from ..validation import tree_losses
from .evidence import CandidateSequence, Evidence, Pruned
from .remarks import single_leaf


def closed_nodes(evidence: Evidence, closed: np.ndarray, loss: str | None = None) -> Pruned:
    """The full tree in which some nodes (bool, shape (T,)) are leaves."""
    return one_tree(evidence, keep_nodes(evidence.tree, closed), loss)


def one_tree(evidence: Evidence, tree: Tree, loss: str | None = None) -> Pruned:
    """Another tree in the place of the full one."""
    trees = (evidence.tree, tree)
    loss = checked_loss(loss, tree.response)
    risks = np.array([float(training_losses(t, loss)[t.is_leaf].sum()) for t in trees])
    n_leaves = np.array([t.n_leaves for t in trees])
    sample, remarks = evidence.validation, ()
    if tree.n_leaves == 1 < evidence.tree.n_leaves:
        remarks = (single_leaf("pruning keeps no split"),)
    if sample is None:
        sequence = CandidateSequence("step", np.array([0.0, 1.0]), n_leaves, risks, 1)
        return Pruned(tree, sequence=sequence, remarks=remarks)
    held_out = np.array([_evaluated(t, sample, loss) for t in trees])
    sequence = CandidateSequence("step", np.array([0.0, 1.0]), n_leaves, risks, 1, held_out)
    confusion = tree.response.confusion(
        lambda: confusions_at(PredictedClasses.of([tree]), tree.is_leaf, sample.ends(tree))[0]
    )
    return Pruned(tree, sequence=sequence, confusion=confusion, judged_by="validation", remarks=remarks)


def _evaluated(tree: Tree, sample: LabelledSample, loss: str) -> tuple[float, float]:
    """Held-out loss of a tree and its standard error, per unit of weight."""
    losses = tree_losses(tree, sample.ends(tree), (loss,))[0]
    return float(losses.mean()[0]), float(losses.standard_error()[0])
