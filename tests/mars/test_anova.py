"""The decomposition adds up, its GCVs are those of models without the part, and importance counts subsets."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import MARSRegressor, ParameterError
from boxwood.data.frames.frame import read_columns
from boxwood.mars.anova import effect, groups
from mars.fitted_models import case


@pytest.fixture(scope="module")
def bumpy():
    """A model of two curves and a product, its rows and responses."""
    rng = np.random.default_rng(3)
    rows = {"a": rng.uniform(-1, 1, 200), "b": rng.uniform(-1, 1, 200), "c": rng.uniform(-1, 1, 200)}
    y = np.maximum(0, rows["a"]) * (2 + rows["b"]) + np.abs(rows["c"]) + rng.normal(scale=0.05, size=200)
    return MARSRegressor(max_degree=2).fit(rows, y), rows, y


def basis(model, rows) -> np.ndarray:
    return model.model_.basis(read_columns(rows, model.model_.schema, estimator="test"))


def test_parts_hold_every_term_once_and_main_effects_come_first(bumpy):
    model, rows, _ = bumpy
    found = model.anova(rows)
    assert sorted(m for part in found for m in part.terms) == list(range(1, model.model_.size))
    assert [len(part.features) for part in found] == sorted(len(part.features) for part in found)
    assert sum(part.share for part in found) == pytest.approx(1.0)
    assert {("a",), ("a", "b"), ("c",)} <= {part.features for part in found}


def test_spread_is_the_standard_deviation_of_the_function(bumpy):
    model, rows, _ = bumpy
    terms = basis(model, rows)
    for part in model.anova(rows):
        values = terms[:, part.terms] @ model.model_.coefficients[list(part.terms), 0]
        assert part.spread == pytest.approx(values.std())


def test_gcv_without_is_that_of_the_other_terms_alone(bumpy):
    model, rows, y = bumpy
    terms, found = basis(model, rows), model.anova(rows, y)
    assert found.gcv == pytest.approx(model.model_.gcv[model.model_.size - 1], rel=1e-9)
    for part in found:
        left = [m for m in range(terms.shape[1]) if m not in part.terms]
        rss = np.sum((y - terms[:, left] @ np.linalg.lstsq(terms[:, left], y, rcond=None)[0]) ** 2)
        price = len(left) + 3.0 * (len(left) - 1) / 2
        assert part.gcv_without == pytest.approx(rss / (200 * (1 - price / 200) ** 2), rel=1e-9)
        assert part.gcv_without > found.gcv


def test_a_weight_is_so_many_rows(bumpy):
    _, rows, y = bumpy
    weight = np.arange(200) % 3
    thrice = {name: np.repeat(values, weight) for name, values in rows.items()}
    model = MARSRegressor(max_degree=2).fit(rows, y, sample_weight=weight)
    one, many = model.anova(rows, y, sample_weight=weight), model.anova(thrice, np.repeat(y, weight))
    assert one.gcv == pytest.approx(model.model_.gcv[model.model_.size - 1], rel=1e-9)
    np.testing.assert_allclose(one.to_frame("dict")["spread"], many.to_frame("dict")["spread"])
    np.testing.assert_allclose(one.to_frame("dict")["gcv_without"], many.to_frame("dict")["gcv_without"])


def test_several_responses_add_their_variances():
    fitted = case("several")
    rows = {name: values[:60] for name, values in fitted.rows.items()}
    terms, table = basis(fitted.model, rows), fitted.model.model_.coefficients
    for part in fitted.model.anova(rows):
        m = list(part.terms)
        assert part.spread == pytest.approx(np.sqrt((terms[:, m] @ table[m]).var(axis=0).sum()))


def test_classes_are_decomposed_on_the_scale_of_log_odds():
    fitted = case("yes or no")
    rows = {name: values[:60] for name, values in fitted.rows.items()}
    part = fitted.model.anova(rows, fitted.model.predict(rows))[0]
    m = list(part.terms)
    assert part.spread == pytest.approx((basis(fitted.model, rows)[:, m] @ fitted.model.model_.log_odds[m, 0]).std())
    assert np.isfinite(part.gcv_without)


def test_lengths_must_agree(bumpy):
    model, rows, y = bumpy
    with pytest.raises(ValueError, match="X has 200 rows and y 199"):
        model.anova(rows, y[:199])
    with pytest.raises(ValueError, match="sample_weight"):
        model.anova(rows, y, sample_weight=[1.0])


def test_table_and_text(bumpy):
    model, rows, y = bumpy
    found = model.anova(rows, y)
    frame = found.to_frame("dict")
    assert list(frame) == ["features", "n_features", "terms", "spread", "share", "gcv_without"]
    assert sum(frame["terms"]) == model.model_.size - 1
    assert str(found).splitlines()[0].split() == ["function", "of", "terms", "spread", "share", "GCV", "without"]
    assert str(found).splitlines()[-1].startswith("GCV of the whole model: ")
    assert "GCV" not in str(model.anova(rows))


def test_effects_add_up_to_the_prediction():
    for kind in ("numbers", "several"):
        fitted = case(kind)
        model, rows = fitted.model.model_, {name: values[:60] for name, values in fitted.rows.items()}
        columns = read_columns(rows, model.schema, estimator="test")
        predicted = fitted.model.predict(rows).reshape(60, -1)
        for k in range(predicted.shape[1]):
            total = np.full(60, model.coefficients[0, k])
            for features in groups(model.design, model.kept):
                total += effect(model, features, [columns.values[f].astype(float) for f in features], k)
            np.testing.assert_allclose(total, predicted[:, k], rtol=1e-10, atol=1e-10)


def test_an_effect_that_is_not_there_is_refused(bumpy):
    with pytest.raises(ParameterError, match="no term of the model holds exactly the features"):
        effect(bumpy[0].model_, (1, 2), [np.zeros(1), np.zeros(1)])


def test_importance_counts_subsets_and_takes_roots_of_falls(bumpy):
    model = bumpy[0]
    subsets, gcv = model.model_.subsets, model.model_.gcv
    names, held, fell = list("abc"), dict.fromkeys("abc", 0), dict.fromkeys("abc", 0.0)
    for k in range(1, model.model_.size):
        features = {j for m in subsets.members[k] for j in np.flatnonzero(model.model_.terms.directions[m])}
        for j in features:
            held[names[j]] += 1
            fell[names[j]] += gcv[k - 1] - gcv[k]
    top = max(map(abs, fell.values()))
    found = model.importance()
    assert {row["feature"]: row["n_subsets"] for row in found} == held
    for row in found:
        assert row["gcv"] == pytest.approx(
            100 * np.sign(fell[row["feature"]]) * np.sqrt(abs(fell[row["feature"]]) / top)
        )
    assert [(-row["n_subsets"], -row["gcv"]) for row in found] == sorted(
        (-row["n_subsets"], -row["gcv"]) for row in found
    )


def test_importance_lists_every_feature_once():
    rows = {"x": [float(i) for i in range(20)], "same": ["a"] * 20, "also same": ["b"] * 20}
    model = MARSRegressor().fit(rows, [2.0 * v for v in rows["x"]])
    assert [row["feature"] for row in model.importance()] == ["x", "same", "also same"]
    assert model.to_frame("importance", "dict")["n_subsets"] == [1, 0, 0]
