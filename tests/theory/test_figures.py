"""Sections 6 and 9 of the theory checklist: every printed figure of the measures, feature by feature."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boxwood import datasets, measures
from theory.tables import table

DIGITS = 5e-11

# feature: H(D|A), gain, IV, gain ratio, Gini index, error after the split, above the mean gain, chi-squared, df, p
LOAN = {
    "年龄": (0.8879430946, 0.0830074999, 1.5849625007, 0.0523719014, "32/75", "1/3", False, 1.6667, 2, 0.434598),
    "有工作": (0.5509775004, 0.4199730940, 0.9709505945, 0.4325380678, "4/15", "1/5", True, 6.6667, 1, 0.009823),
    "有房子": (0.5509775004, 0.4199730940, 0.9709505945, 0.4325380678, "4/15", "1/5", True, 6.6667, 1, 0.009823),
    "信用": (0.6079610319, 0.3629895625, 1.5655962304, 0.2318538813, "64/225", "1/5", True, 6.1111, 2, 0.047097),
}
# feature: gain, gain printed in the book, IV, ratio, Gini index, chi-squared, df, p
WATERMELON = {
    "色泽": (0.1081251653, 0.109, 1.5798634011, 0.0684395658, "109/255", 2.4162, 2, 0.298764),
    "根蒂": (0.1426749596, 0.143, 1.4020814028, 0.1017593981, "201/476", 2.5930, 2, 0.273487),
    "敲声": (0.1407814336, 0.141, 1.3328204046, 0.1056267094, "36/85", 2.55, 2, 0.279431),
    "纹理": (0.3805918974, 0.381, 1.4466479595, 0.2630853587, "212/765", 7.5451, 2, 0.022994),
    "脐部": (0.2891587828, 0.289, 1.5485652260, 0.1867268992, "41/119", 5.2450, 2, 0.072620),
    "触感": (0.0060464892, 0.006, 0.8739810481, 0.0069183299, "42/85", 0.1417, 1, 0.706630),
}
# feature: gain, ratio, Gini index
LIHANG = {
    "年龄": (0.0830074999, 0.0523719014, "32/75"),
    "有工作": (0.3236501982, 0.3524465495, "8/25"),
    "有房子": (0.4199730940, 0.4325380678, "4/15"),
    "信用": (0.3629895625, 0.2318538813, "64/225"),
}
TENNIS = {
    "outlook": (0.2467498198, 0.1564275624, "12/35"),
    "temperature": (0.0292225657, 0.0187726462, "37/84"),
    "humidity": (0.1518355014, 0.1518355014, "18/49"),
    "windy": (0.0481270304, 0.0488486155, "3/7"),
}


def where(name: str, feature: str, value) -> tuple[dict, list]:
    """A table's rows with one value of one feature, without that feature."""
    X, y = table(name)
    rows = [i for i, v in enumerate(X[feature]) if v == value]
    return {k: [column[i] for i in rows] for k, column in X.items() if k != feature}, [y[i] for i in rows]


def found(X, y, measure) -> dict[str, float]:
    return {name: measure(y=y, x=column) for name, column in X.items()}


def binary_gini(X, y, feature, inside) -> float:
    return measures.gini_index(y=y, x=[v in inside for v in X[feature]])


@pytest.mark.parametrize("feature", LOAN)
def test_section_6_loan_root(feature):
    X, y = table("loan")
    rest, gain, value, ratio, gini, error, above, chi2, df, p = LOAN[feature]
    cells = measures.table(y, X[feature])
    assert measures.conditional_entropy(cells) == pytest.approx(rest, abs=DIGITS)
    assert measures.information_gain(cells) == pytest.approx(gain, abs=DIGITS)
    assert measures.intrinsic_value(cells) == pytest.approx(value, abs=DIGITS)
    assert measures.gain_ratio(cells) == pytest.approx(ratio, abs=DIGITS)
    assert measures.gini_index(cells) == pytest.approx(float(Fraction(gini)), abs=1e-15)
    assert measures.split_impurity(cells, "error") == pytest.approx(float(Fraction(error)), abs=1e-15)
    average = np.mean(list(found(X, y, measures.information_gain).values()))
    assert average == pytest.approx(0.3214858126, abs=DIGITS)
    assert bool(gain > average) is above
    test = measures.chi_squared(cells)
    assert (test.statistic, test.df, test.p) == (pytest.approx(chi2, abs=5e-5), df, pytest.approx(p, abs=5e-7))


def test_section_6_s4_04_loan_counts():
    X, y = table("loan")
    assert (len(y), y.count("是"), y.count("否")) == (15, 9, 6)
    assert datasets.load("loan")["id"] == list(range(15))
    expected = {
        "年龄": {"青年": [3, 2], "中年": [2, 3], "老年": [1, 4]},
        "有工作": {"否": [6, 3], "是": [0, 6]},
        "有房子": {"否": [6, 3], "是": [0, 6]},
        "信用": {"一般": [4, 1], "好": [2, 4], "非常好": [0, 4]},
    }
    for feature, counts in expected.items():
        cells = measures.table(y, X[feature])
        assert cells.labels == ("否", "是")
        assert dict(zip(cells.values, cells.cells.tolist(), strict=True)) == counts


@pytest.mark.parametrize(
    ("feature", "inside", "gini"),
    [
        ("年龄", "青年", "11/25"), ("年龄", "中年", "12/25"), ("年龄", "老年", "11/25"),
        ("有工作", "是", "4/15"), ("有房子", "是", "4/15"),
        ("信用", "一般", "8/25"), ("信用", "好", "64/135"), ("信用", "非常好", "4/11"),
    ],
)  # fmt: skip
def test_section_6_loan_binary_gini(feature, inside, gini):
    assert binary_gini(*table("loan"), feature, {inside}) == pytest.approx(float(Fraction(gini)), abs=1e-15)


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        (
            "有工作",
            {"有房子": (0.9182958341, 1), "信用": (0.4738513896, 0.3403744816), "年龄": (0.2516291674, 0.1644105253)},
        ),
        ("有房子", {"有工作": (0.9182958341, 1), "信用": (0.6121972227, 0.4), "年龄": (0.3060986114, 0.1931267214)}),
    ],
)
def test_section_6_loan_second_level(taken, expected):
    X, y = where("loan", taken, "否")
    assert (y.count("是"), y.count("否")) == (3, 6)
    assert measures.entropy(y=y) == pytest.approx(0.9182958341, abs=DIGITS)
    for feature, (gain, ratio) in expected.items():
        assert measures.information_gain(y=y, x=X[feature]) == pytest.approx(gain, abs=DIGITS)
        assert measures.gain_ratio(y=y, x=X[feature]) == pytest.approx(ratio, abs=DIGITS)


@pytest.mark.parametrize(("name", "expected"), [("lihang_5_1", LIHANG), ("play_tennis", TENNIS)])
def test_section_6_textbook_and_tennis(name, expected):
    X, y = table(name)
    before = {"lihang_5_1": 0.9709505945, "play_tennis": 0.9402859587}[name]
    assert measures.entropy(y=y) == pytest.approx(before, abs=DIGITS)
    for feature, (gain, ratio, gini) in expected.items():
        cells = measures.table(y, X[feature])
        assert measures.information_gain(cells) == pytest.approx(gain, abs=DIGITS)
        assert measures.gain_ratio(cells) == pytest.approx(ratio, abs=DIGITS)
        assert measures.gini_index(cells) == pytest.approx(float(Fraction(gini)), abs=1e-15)


@pytest.mark.parametrize(
    ("feature", "inside", "printed"),
    [
        ("年龄", "青年", 0.44), ("年龄", "中年", 0.48), ("年龄", "老年", 0.44), ("有工作", "是", 0.32),
        ("有房子", "是", 0.27), ("信用", "非常好", 0.36), ("信用", "好", 0.47), ("信用", "一般", 0.32),
    ],
)  # fmt: skip
def test_section_6_binary_gini_printed_in_the_textbook(feature, inside, printed):
    assert binary_gini(*table("lihang_5_1"), feature, {inside}) == pytest.approx(printed, abs=5e-3)


@pytest.mark.parametrize("feature", WATERMELON)
def test_section_6_watermelon_root(feature):
    X, y = table("watermelon_2")
    gain, printed, value, ratio, gini, chi2, df, p = WATERMELON[feature]
    cells = measures.table(y, X[feature])
    assert measures.information_gain(cells) == pytest.approx(gain, abs=DIGITS)
    # The book's 0.109 for 色泽 is a rounding of rounded terms: the gain is 0.108.
    assert round(measures.information_gain(cells), 3) == (0.108 if feature == "色泽" else printed)
    assert measures.intrinsic_value(cells) == pytest.approx(value, abs=DIGITS)
    assert measures.gain_ratio(cells) == pytest.approx(ratio, abs=DIGITS)
    assert measures.gini_index(cells) == pytest.approx(float(Fraction(gini)), abs=1e-15)
    test = measures.chi_squared(cells)
    assert (test.statistic, test.df, test.p) == (pytest.approx(chi2, abs=5e-5), df, pytest.approx(p, abs=5e-7))


def test_section_6_watermelon_whole():
    X, y = table("watermelon_2")
    assert measures.entropy(y=y) == pytest.approx(0.9975025464, abs=DIGITS)
    assert measures.gini(y=y) == pytest.approx(144 / 289, abs=1e-15)
    assert measures.classification_error(y=y) == pytest.approx(8 / 17, abs=1e-15)
    assert np.mean(list(found(X, y, measures.information_gain).values())) == pytest.approx(0.1778964546, abs=DIGITS)
    best = [("纹理", "清晰", "175/612"), ("脐部", "平坦", "80/221"), ("纹理", "模糊", "48/119")]
    for feature, inside, gini in best:
        assert binary_gini(X, y, feature, {inside}) == pytest.approx(float(Fraction(gini)), abs=1e-15)


def test_section_6_watermelon_clear_texture():
    X, y = where("watermelon_2", "纹理", "清晰")
    assert measures.entropy(y=y) == pytest.approx(0.7642045065, abs=DIGITS)
    gains = {
        "色泽": 0.0430683959,
        "根蒂": 0.4581058952,
        "敲声": 0.3308562254,
        "脐部": 0.4581058952,
        "触感": 0.4581058952,
    }
    assert found(X, y, measures.information_gain) == pytest.approx(gains, abs=DIGITS)
    ratios = found(X, y, measures.gain_ratio)
    assert ratios["触感"] == pytest.approx(0.4988652656, abs=DIGITS)
    assert ratios["根蒂"] == pytest.approx(0.3389249360, abs=DIGITS) == ratios["脐部"]


@pytest.mark.parametrize(
    ("name", "cut", "gain", "low", "ratio", "charged"),
    [
        ("密度", 0.3815, 0.2624392604, 4, 0.3334143008, 0.0271451428),
        ("含糖率", 0.126, 0.3492937223, 5, 0.3996582341, 0.1139996047),
    ],
)
def test_section_6_thresholds_of_watermelon_3(name, cut, gain, low, ratio, charged):
    X, y = table("watermelon_3")
    values = np.array(X[name])
    distinct = np.unique(values)
    cuts = (distinct[:-1] + distinct[1:]) / 2
    assert len(cuts) == 16
    gains = [measures.information_gain(y=y, x=values <= at) for at in cuts]
    best = cuts[int(np.argmax(gains))]
    assert best == pytest.approx(cut, abs=1e-12)
    assert max(gains) == pytest.approx(gain, abs=DIGITS)
    assert np.count_nonzero(values <= best) == low
    assert measures.gain_ratio(y=y, x=values <= best) == pytest.approx(ratio, abs=DIGITS)
    assert max(gains) - np.log2(len(cuts)) / len(y) == pytest.approx(charged, abs=DIGITS)


def test_section_6_gini_takes_another_threshold():
    X, y = table("watermelon_3")
    inside = [v <= 0.2045 for v in X["含糖率"]]
    assert (sum(inside), len(inside) - sum(inside)) == (8, 9)
    assert measures.gini_index(y=y, x=inside) == pytest.approx(175 / 612, abs=1e-15)


# feature: weighted gain, printed in the book, split information with "unknown" as one more outcome
ALPHA = {
    "色泽": (0.2519658177, 0.252, 1.954247),
    "根蒂": (0.1711782647, 0.171, 1.783859),
    "敲声": (0.1448029108, 0.145, 1.757484),
    "纹理": (0.4235602680, 0.424, 1.851227),
    "脐部": (0.2888253235, 0.289, 1.872670),
    "触感": (0.0057130299, 0.006, 1.332820),
}


@pytest.mark.parametrize("feature", ALPHA)
def test_section_9_gain_of_the_known_rows_times_their_share(feature):
    X, y = table("watermelon_2_alpha")
    cells = measures.table(y, X[feature])
    gain = cells.known * measures.information_gain(cells)
    assert cells.known == (17 - X[feature].count(None)) / 17
    # Ten digits by arithmetic of 40 digits; the checklist's seventh digit is that of 32-bit floats.
    assert gain == pytest.approx(ALPHA[feature][0], abs=DIGITS)
    assert gain == pytest.approx(ALPHA[feature][1], abs=5e-4)


@pytest.mark.parametrize("feature", ALPHA)
def test_section_9_unknown_is_one_more_outcome_of_the_split_information(feature):
    X, y = table("watermelon_2_alpha")
    kept = measures.table(y, X[feature], missing="level")
    assert measures.intrinsic_value(kept) == pytest.approx(ALPHA[feature][2], abs=5e-7)


def test_section_9_shares_of_a_row_without_texture():
    X, y = table("watermelon_2_alpha")
    cells = measures.table(y, X["纹理"])
    assert X["纹理"][7] is None
    assert X["纹理"][9] is None
    weight = dict(zip(cells.values, cells.cells.sum(axis=1).tolist(), strict=True))
    assert weight == {"清晰": 7.0, "稍糊": 5.0, "模糊": 3.0}
