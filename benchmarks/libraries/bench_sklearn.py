"""scikit-learn's exact DecisionTree: one thread, float32 inside."""

from __future__ import annotations

NAME = "scikit-learn"


def model(task: str, max_depth: int | None, threads: int):
    """An estimator that grows the full exact tree; it cannot use more than one thread."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    return kind(max_depth=max_depth, random_state=0)
