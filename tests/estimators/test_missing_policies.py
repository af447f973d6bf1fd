"""The table of docs/missing.md: every policy in every algorithm, shown by `explain` and counted by `routing`."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CHAIDClassifier, CLSClassifier, ID3Classifier, TreeClassifier
from boxwood.errors import MissingValueError, ParameterError, UnseenLevelError

MULTIWAY = {"error", "majority", "own_branch", "level", "fractional"}
BINARY = {"error", "majority", "own_branch", "level", "surrogate", "learned"}
SMALL = {"alpha_split": 0.9, "min_samples_split": 2, "min_samples_leaf": 1}
TAKES = {
    "cart": (CARTClassifier, {"pruning": None}, BINARY | {"stay", "surrogate_or_stay"}),
    "cls": (CLSClassifier, {}, MULTIWAY),
    "id3": (ID3Classifier, {}, MULTIWAY),
    "c45": (C45Classifier, {"pruning": None}, MULTIWAY),
    "chaid": (CHAIDClassifier, SMALL, {"error", "floating"}),
    "binary": (TreeClassifier, {}, BINARY | {"fractional"}),
    "multiway": (TreeClassifier, {"branching": "multiway", "criterion": "gain"}, MULTIWAY),
    "merged": (TreeClassifier, {"branching": "merged", "criterion": "significance"}, {"error", "floating"}),
}
POLICIES = sorted(BINARY | MULTIWAY | {"stay", "surrogate_or_stay", "floating"})
WORDS = {
    "majority": "the branch with most weight",
    "own_branch": "the branch of missing values",
    "level": "the branch of missing values",
    "fractional": "divided",
    "learned": "the side that was better in training",
    "stay": "the row stays at this node",
    "floating": "the branch of missing values",  # here the missing ones differ from both groups of known ones
    "surrogate": "surrogate 1 (agrees in",
    "surrogate_or_stay": "surrogate 1 (agrees in",
}


def table(gaps: bool):
    """城 decides, 天 tells a little; with gaps every fifth 城 is missing."""
    town = ["京都", "서울", "北京"] * 20
    y = ["yes" if v == "京都" else "no" for v in town]
    sky = ["晴" if (v == "京都") != (i % 7 == 0) else "雨" for i, v in enumerate(town)]
    return {"城": [None if gaps and i % 5 == 0 else v for i, v in enumerate(town)], "天": sky}, y


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("algorithm", TAKES)
def test_a_policy_works_or_is_refused_by_a_sentence(algorithm, policy):
    estimator, settings, takes = TAKES[algorithm]
    X, y = table(gaps=policy != "error")
    model = estimator(missing=policy, **settings)
    if policy not in takes:
        with pytest.raises(ParameterError, match=r"missing.*one of .*'error'"):
            model.fit(X, y)
        return
    model.fit(X, y)
    new = {"城": [None, "京都"], "天": ["晴", "晴"]}
    if policy == "error":
        with pytest.raises(MissingValueError, match=r"column '城' has a missing value .* in row 0"):
            model.predict(new)
        return
    text, counts = str(model.explain(new)), model.routing(new).count()
    assert counts["missing"] == 1
    assert counts["shared"] == (policy == "fractional")
    assert counts["stayed"] == (policy == "stay")
    assert counts["surrogate"] == (policy in ("surrogate", "surrogate_or_stay"))
    assert "城 is missing" in text
    assert WORDS[policy] in text
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay", "error"])
@pytest.mark.parametrize("algorithm", TAKES)
def test_a_level_never_seen(algorithm, unseen):
    estimator, settings, _ = TAKES[algorithm]
    X, y = table(gaps=False)
    model = estimator(unseen=unseen, **settings).fit(X, y)
    new = {"城": ["臺北"], "天": ["晴"]}
    if unseen == "error":
        with pytest.raises(UnseenLevelError, match="column '城' holds the level '臺北' in 1 row"):
            model.predict(new)
        return
    with pytest.warns(UserWarning, match="column '城' '臺北'"):
        model.predict(new)
    counts = model.routing(new).count()
    assert counts["unseen"] == 1
    assert counts["stayed"] == (unseen == "stay" or (unseen == "missing" and algorithm in ("chaid", "merged")))
    text = str(model.explain(new))
    assert "臺北" in text
    if unseen == "majority":
        assert "the branch with most weight" in text
