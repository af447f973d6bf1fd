"""Draws docs/images/pruning.svg: every pruner on one tree, by the same validation rows."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from boxwood import CARTClassifier, datasets, pruners

#: Families: one line each. The others make one tree: one mark each.
FAMILIES = {
    "weakest links (errors)": pruners.CostComplexity(risk="error"),
    "weakest links (Gini)": pruners.CostComplexity(risk="gini"),
    "one leaf removed": pruners.OneLeaf(),
    "critical value": pruners.CriticalValue(),
}
SINGLE = {
    "reduced error": (pruners.ReducedError(), "o"),
    "reduced error, ties kept": (pruners.ReducedError(ties="keep"), "s"),
    "pre-pruning": (pruners.PrePruning(), "v"),
    "pre-pruning, ties kept": (pruners.PrePruning(ties="keep"), "^"),
    "error-based, 0.25": (pruners.ErrorBased(raising=False), "D"),
    "description length": (pruners.MinimumDescriptionLength(), "P"),
    "same decision": (pruners.SameDecision(), "X"),
}


def halves():
    """Titanic: every third row validates."""
    X = datasets.load("titanic")
    y = np.asarray(X.pop("survived"))
    late = np.arange(len(y)) % 3 == 2
    rows = [{name: np.asarray(v, dtype=object)[part] for name, v in X.items()} for part in (~late, late)]
    return (rows[0], y[~late]), (rows[1], y[late])


def errors(model, rows) -> float:
    """Share of rows that the model gets wrong."""
    return 1.0 - model.score(*rows)


def main() -> None:
    """Draw both panels: left the training set, right the validation rows."""
    mpl.rcParams.update({"svg.hashsalt": "pruning", "svg.fonttype": "none", "font.size": 9})
    train, validation = halves()
    model = CARTClassifier(pruning=None).fit(*train)
    left, right = (figure := Figure(figsize=(10, 4.6), layout="constrained")).subplots(1, 2, sharex=True)
    for name, pruner in FAMILIES.items():
        path = model.prune(*validation, pruner=pruner).pruning_path_
        # Only the Gini family weighs something else than errors.
        by_errors = name != "weakest links (Gini)"
        trained = path.risks if by_errors else [errors(model.prune(n_leaves=int(n)), train) for n in path.n_leaves]
        for panel, values in ((left, trained), (right, path.losses)):
            panel.plot(path.n_leaves, values, lw=0.9, label=name)
        right.plot(path.n_leaves[path.row], path.losses[path.row], ".", color=right.lines[-1].get_color(), ms=11)
    for name, (pruner, mark) in SINGLE.items():
        model.prune(*validation, pruner=pruner)
        for panel, rows in ((left, train), (right, validation)):
            panel.plot(model.get_n_leaves(), errors(model, rows), mark, color="black", mfc="none", label=name)
    for panel, title in ((left, "training set"), (right, "validation rows (dot: the tree chosen)")):
        panel.set(xscale="log", xlabel="leaves", title=title)
    left.set_ylabel("share of errors")
    handles, labels = right.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
