"""scikit-learn's exact DecisionTree: one thread, float32 inside, levels as codes."""

from __future__ import annotations

from benchmarks.libraries.session import Job, as_codes, in_process
from benchmarks.problems import CLASSIFICATION

#: Its words for our measures; it has no classification error, so the tree it grows fastest is timed instead.
CRITERIA = {"error": "gini"}


def _train(job: Job):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    problem, data = job.problem, job.data
    kind = DecisionTreeClassifier if problem.task == CLASSIFICATION else DecisionTreeRegressor
    settings = {"max_depth": job.depth, "random_state": 0}
    if problem.criterion:
        settings["criterion"] = CRITERIA.get(problem.criterion, problem.criterion)
    return kind(**settings).fit(as_codes(data.X), data.y, sample_weight=data.weight)


LIBRARY = in_process("scikit-learn", "sklearn", _train, lambda model, X: model.predict(as_codes(X)))
