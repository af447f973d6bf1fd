"""The candidates of a node carry the numbers of the lecture notes (THEORY 6 and 9)."""

from __future__ import annotations

import math

import pytest

from boxwood import CARTClassifier, CHAIDClassifier, CLSClassifier, ID3Classifier, TreeClassifier
from theory.tables import table

#: Feature: H(D|A), gain, IV, ratio, Gini index, error after, above the mean, chi-squared, df, p.
LOAN = {
    "年龄": (0.8879430946, 0.0830074999, 1.5849625007, 0.0523719014, 32 / 75, 1 / 3, False, 1.6667, 2, 0.434598),
    "有工作": (0.5509775004, 0.4199730940, 0.9709505945, 0.4325380678, 4 / 15, 1 / 5, True, 6.6667, 1, 0.009823),
    "有房子": (0.5509775004, 0.4199730940, 0.9709505945, 0.4325380678, 4 / 15, 1 / 5, True, 6.6667, 1, 0.009823),
    "信用": (0.6079610319, 0.3629895625, 1.5655962304, 0.2318538813, 64 / 225, 1 / 5, True, 6.1111, 2, 0.047097),
}
EXACT = ("conditional_entropy", "gain", "intrinsic_value", "gain_ratio", "gini_index", "error_after")


@pytest.mark.parametrize(
    ("model", "branches"),
    [
        (TreeClassifier(branching="multiway", criterion="gain_ratio", pruning=None), "split"),
        (TreeClassifier(branching="multiway", criterion="gain", pruning=None), "split"),
        (CARTClassifier(pruning=None), "values"),
    ],
)
def test_the_root_of_the_loan_table(model, branches):
    X, y = table("loan")
    found = model.fit(X, y).explain_split(X, y, 0, branches=branches)
    assert {c.feature for c in found.candidates} == set(LOAN)
    for name, expected in LOAN.items():
        numbers = found[name].numbers
        for key, value in zip(EXACT, expected[:6], strict=True):
            assert numbers[key] == pytest.approx(value, abs=5e-11), (name, key)
        assert numbers["above_mean"] is expected[6]
        assert numbers["chi_squared"] == pytest.approx(expected[7], abs=5e-5)
        assert (numbers["df"], round(numbers["p"], 6)) == (expected[8], expected[9])
        assert numbers["entropy"] == pytest.approx(0.9709505945, abs=5e-11)
        assert numbers["mean_gain"] == pytest.approx(0.3214858126, abs=5e-11)
        assert (numbers["gini"], numbers["error"]) == (pytest.approx(0.48), pytest.approx(0.4))


def test_the_second_level_of_the_loan_table():
    X, y = table("loan")
    model = TreeClassifier(branching="multiway", criterion="gain", pruning=None).fit(X, y)
    found = model.explain_split(X, y, 1)
    assert (found.path, found.rows) == ("有工作 = 否", 9)
    expected = {
        "有房子": (0.9182958341, 1.0),
        "信用": (0.4738513896, 0.3403744816),
        "年龄": (0.2516291674, 0.1644105253),
    }
    assert [c.feature for c in found.candidates] == [*expected, "有工作"]
    for name, (gain, ratio) in expected.items():
        assert found[name].numbers["gain"] == pytest.approx(gain, abs=5e-11)
        assert found[name].numbers["gain_ratio"] == pytest.approx(ratio, abs=5e-11)
    assert found["有工作"].why == "already tested above, at node 0"


def test_binary_subsets_of_the_loan_table():
    X, y = table("loan")
    found = CARTClassifier(pruning=None).fit(X, y).explain_split(X, y, 0)
    best = {"年龄": 11 / 25, "有工作": 4 / 15, "有房子": 4 / 15, "信用": 8 / 25}
    assert {c.feature: pytest.approx(c.numbers["gini_index"]) for c in found.candidates} == best
    for c in found.candidates:
        assert c.score == pytest.approx(0.48 - best[c.feature]) == pytest.approx(c.numbers["gini_decrease"])


def test_ties_are_reported():
    X, y = table("loan")
    found = TreeClassifier(branching="multiway", criterion="gain_ratio", pruning=None).fit(X, y).explain_split(X, y, 0)
    assert found["有工作"].why == "chosen: gain ratio 0.4325 ties with 有房子; the first column is taken"
    assert found["有房子"].why == "gain ratio 0.4325 is equal to that of 有工作; the earlier column is taken"
    assert found["年龄"].why == "gain 0.08301 is below the mean gain 0.3215"


def test_the_arithmetic_of_the_loan_table_in_text():
    X, y = table("loan")
    model = TreeClassifier(branching="multiway", criterion="gain_ratio", pruning=None).fit(X, y)
    assert model.explain_split(X, y, 0).to_text("有工作").splitlines()[-8:] == [
        "H(D) = -6/15 log2(6/15) - 9/15 log2(9/15) = 0.971",
        "H(有工作 = 否) = -6/9 log2(6/9) - 3/9 log2(3/9) = 0.918",
        "H(有工作 = 是) = -6/6 log2(6/6) = 0",
        "H(D | 有工作) = 9/15 · 0.918 + 6/15 · 0 = 0.551",
        "gain = 0.971 - 0.551 = 0.420",
        "IV(有工作) = -9/15 log2(9/15) - 6/15 log2(6/15) = 0.971",
        "gain ratio = 0.420/0.971 = 0.433",
        "rank 1: chosen: gain ratio 0.4325 ties with 有房子; the first column is taken",
    ]


def test_gains_of_known_rows_of_watermelon_2_alpha():
    X, y = table("watermelon_2_alpha")
    model = TreeClassifier(branching="multiway", criterion="gain", missing="fractional", pruning=None).fit(X, y)
    found = model.explain_split(X, y, 0)
    gains = {
        "色泽": 0.2519657,
        "根蒂": 0.1711777,
        "敲声": 0.1448030,
        "纹理": 0.4235601,
        "脐部": 0.2888251,
        "触感": 0.0057132,
    }
    splits = {
        "色泽": 1.954247,
        "根蒂": 1.783859,
        "敲声": 1.757484,
        "纹理": 1.851227,
        "脐部": 1.872670,
        "触感": 1.332820,
    }
    for name, gain in gains.items():
        assert found[name].numbers["gain"] == pytest.approx(gain, abs=1e-6)
        assert found[name].numbers["intrinsic_value"] == pytest.approx(splits[name], abs=5e-7)
        assert found[name].score == pytest.approx(gain, abs=1e-6)
    shares = [node for node in range(model.tree_.n_nodes) if not float(model.tree_.weight[node]).is_integer()]
    assert shares
    for node in shares:
        if model.tree_.rows[node]:
            shown = model.explain_split(X, y, node)
            assert math.isclose(shown.moments.sum(), model.tree_.weight[node], rel_tol=1e-9)


def test_cuts_of_watermelon_3():
    X, y = table("watermelon_3")
    model = TreeClassifier(branching="multiway", criterion="gain", pruning=None).fit(X, y)
    found = model.explain_split(X, y, 0)
    assert found["密度"].numbers["gain"] == pytest.approx(0.2624392604, abs=5e-11)
    assert found["密度"].numbers["gain_ratio"] == pytest.approx(0.3334143008, abs=5e-11)
    assert found["含糖率"].numbers["gain"] == pytest.approx(0.3492937223, abs=5e-11)
    assert found["含糖率"].numbers["gain_ratio"] == pytest.approx(0.3996582341, abs=5e-11)
    assert found.candidates[0].feature == "纹理"


def chaid(**settings):
    return CHAIDClassifier(min_samples_split=2, min_samples_leaf=1, **settings)


def test_chaid_tests_of_the_loan_table():
    X, y = table("loan")
    found = chaid().fit(X, y).explain_split(X, y, 0)
    assert [c.feature for c in found.candidates] == ["有工作", "有房子", "信用", "年龄"]
    assert found["有工作"].numbers["statistic"] == pytest.approx(6.666667, abs=5e-7)
    assert found["有工作"].score == found["有工作"].numbers["p"] == pytest.approx(0.00982327, abs=5e-9)
    assert (found["年龄"].split, found["信用"].split) == (
        "年龄 in {中年, 青年} | 年龄 = 老年",
        "信用 = 一般 | 信用 in {好, 非常好}",
    )
    assert found["年龄"].numbers["statistic"] == pytest.approx(1.25)
    assert found["年龄"].score == pytest.approx(0.790657, abs=5e-7)
    assert found["信用"].numbers["chi_squared"] == pytest.approx(5.0)
    assert found["信用"].numbers["multiplier"] == 3.0
    assert found["信用"].score == pytest.approx(0.07604196, abs=5e-9)
    assert found["有房子"].why == "adjusted p 0.00982 is equal to that of 有工作; the earlier column is taken"
    assert found["信用"].why == "adjusted p 0.076 is above alpha = 0.05"
    assert found.to_text("信用").splitlines()[-5:] == [
        "χ² = (4 - 2)²/2 + (1 - 3)²/3 + (2 - 4)²/4 + (8 - 6)²/6 = 5",
        "df = (2 - 1)(2 - 1) = 1",
        "p = 0.025",
        "adjusted p = 3 · 0.025 = 0.076",
        "rank 3: adjusted p 0.076 is above alpha = 0.05",
    ]


def test_chaid_of_watermelon_2():
    X, y = table("watermelon_2")
    model = chaid().fit(X, y)
    root = model.explain_split(X, y, 0).candidates[0]
    assert (root.feature, root.split) == ("纹理", "纹理 in {模糊, 稍糊} | 纹理 = 清晰")
    assert root.numbers["statistic"] == pytest.approx(7.244020, abs=5e-7)
    assert root.score == pytest.approx(0.02134126, abs=5e-9)
    exhaustive = chaid(exhaustive=True, multiplier="biggs").fit(X, y).explain_split(X, y, 0)["纹理"]
    assert (exhaustive.numbers["multiplier"], exhaustive.score) == (4.0, pytest.approx(0.02845501, abs=5e-9))


@pytest.mark.parametrize(("model", "best"), [(ID3Classifier(), "信用"), (CLSClassifier(), "有工作")])
def test_id3_and_cls_tell_what_they_went_by(model, best):
    X, y = table("loan")
    found = model.fit(X, y).explain_split(X, y, 0)
    for name, expected in LOAN.items():
        assert found[name].numbers["gain"] == pytest.approx(expected[1], abs=5e-11)
    by_order = isinstance(model, CLSClassifier)
    assert [c.feature for c in found.candidates] == (list(X) if by_order else ["有工作", "有房子", "信用", "年龄"])
    assert found.candidates[0].chosen
    assert ("in order" in found.candidates[0].why) is by_order
    assert found[best].rank == (2 if by_order else 3)
