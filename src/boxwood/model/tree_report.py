"""A tree model described: facts, text, importance, and the rows that it was fitted to."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from ..data.columns.columns import Columns
from ..evaluation.evaluation import Evaluation
from ..evaluation.held_out import folds_words, held_out_of, held_out_words, not_evaluated, size_range_words
from ..evaluation.rows import EvaluatedRows
from ..pruning.losses import loss_words
from ..statistics.responses.registry import MEAN
from ..tree.interest import class_of_interest
from ..views.certificate import certificate
from ..views.figures import percent
from ..views.importance import importance
from ..views.table import to_records
from ..views.text import to_text
from ..views.words import with_error
from .given_evaluation import is_training_set
from .protocol import FeatureRanking, Model

#: Lines of the text among the facts.
_MOST_LINES = 30


class TreeReport(Model):
    """The part of a tree model that describes it."""

    kind = "tree"
    part = "tree"

    def to_text(self, max_lines: int | None = None, hint: str = "to_text()") -> str:
        """The selected tree as text."""
        return to_text(self.tree, max_lines=max_lines, hint=hint)

    def facts(self) -> dict:
        """Size, text and importance of the selected tree, and its held-out loss."""
        tree, (nodes, leaves) = self.tree, self.full_tree_size
        return {
            "algorithm": dict(tree.made_by),
            "tree": {
                "text": self.to_text(_MOST_LINES, "boxwood show MODEL"),
                "nodes": tree.n_nodes,
                "leaves": tree.n_leaves,
                "depth": tree.max_depth,
                "nodes_before_pruning": nodes,
                "leaves_before_pruning": leaves,
            },
            "cross_validation": self.cv,
            "importance": [record for record in self.ranking().records if record["share"] > 0],
        }

    def details(self) -> dict:
        """Every property of every node."""
        tree = self.tree
        response = {"name": tree.response.name, "kind": tree.response.kind, "labels": tree.response.labels}
        features = [asdict(feature) for feature in tree.schema]
        return {"made_by": tree.made_by, "response": response, "features": features, "nodes": to_records(tree)}

    def remarks(self) -> list[str]:
        """The size, and the loss in rows that were held out."""
        tree, (nodes, leaves), cv = self.tree, self.full_tree_size, self.cv
        size = f"Size: {tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.max_depth}"
        found = [f"{size}; not pruned." if nodes == tree.n_nodes else f"{size}; {leaves} leaves before pruning."]
        if tree.monotonic is not None:
            found.append(certificate(tree, None, "training", **self.policies).to_text())
        if cv is not None:
            how = "Held-out" if cv.get("judged_by") == "validation" else "Cross-validated"
            loss = f"{how} {loss_words()[cv['loss']]}{folds_words(cv)}"
            found.append(f"{loss}: {with_error(cv['error'], cv['se'])}{size_range_words(cv)}.")
        return found

    def ranking(self, kind: str = "mdi") -> FeatureRanking:
        """Features by the importance of :func:`boxwood.views.importance.importance`."""
        shares = importance(self.tree, kind).tolist()
        ranked = sorted(zip(self.schema.names, shares, strict=True), key=lambda pair: -pair[1])
        cells = [[name, percent(share)] for name, share in ranked]
        records = [{"feature": name, "share": share} for name, share in ranked]
        return FeatureRanking(kind, "", ("feature", "share"), cells, records)

    @property
    def interest(self) -> object:
        """The class of interest of the tree."""
        return class_of_interest(self.tree)

    @property
    def costs(self) -> tuple | None:
        """The costs that the tree minimises."""
        return self.tree.response.costs

    def rows_of_fit(self, otherwise: int) -> int:
        """The rows at the root."""
        return int(self.tree.rows[0])

    def may_be_fitted_to(self, rows: EvaluatedRows) -> bool:
        """Whether as many rows are at the root."""
        return bool(np.isclose(self.tree.rows[0], rows.count, rtol=1e-9))

    def was_fitted_to(self, columns: Columns, rows: EvaluatedRows) -> bool:
        """Whether the same response ends in each leaf."""
        y = self.tree.response.with_exposure(rows.truth, rows.exposure)
        return is_training_set(self.tree, columns, (y, rows.weight), self.route(columns))

    def held_out_evaluation(self) -> Evaluation | None:
        """The evaluation of the rows that the pruner left out."""
        return held_out_of(self)

    def not_evaluated(self) -> str:
        """The loss in rows that the pruner left out, else the main figure on the training set."""
        if self.cv is not None and self.tree.response.kind == MEAN:
            root = self.full_tree
            return held_out_words(self.cv, float(root.value[0]), float(root.impurity("variance")[0]))
        return not_evaluated(self.tree)
