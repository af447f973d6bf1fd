"""Pictures of regions: tiles, cuts, steps and points are what the model predicts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression

from boxwood import CARTClassifier, CARTRegressor, ID3Classifier, TreeRegressor, datasets
from boxwood.errors import DataError, ParameterError, ParameterTypeError, ResponseError
from boxwood.pictures.colours import shade
from boxwood.pictures.region_options import region_options
from boxwood.pictures.regions import MOST_POINTS, find_regions
from boxwood.pictures.rows import read_truth

LEVELS = ("北", "남", "east", "west")


def regions_of(model, X, y=None, **options):
    """The regions of a fitted estimator."""
    columns = model._read(X)[1]
    truth = None if y is None else read_truth(model.tree_, y)
    return find_regions(model.tree_, columns, truth, region_options(model.tree_, **options))


def tile_at(regions, x: float, y: float) -> list:
    """The tiles that hold a point; an upper end belongs to a tile, a lower one does not."""
    return [t for t in regions.tiles if t.x[0] < x <= t.x[1] and t.y[0] < y <= t.y[1]]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_each_point_lies_in_the_one_tile_of_its_node(seed, nominal):
    random = np.random.default_rng(seed)
    a = random.integers(0, 9, 60).astype(float)
    b = random.choice(LEVELS, 60) if nominal else random.normal(size=60)
    y = random.choice(["no", "yes", "maybe"], 60)
    X = {"가": a, "乙": b}
    model = CARTClassifier(pruning=None, max_depth=5).fit(X, y)
    regions = regions_of(model, X, y)
    levels = model.tree_.schema[1].levels
    place = np.array([levels.index(v) + 0.5 for v in b]) if nominal else b
    for x, up, node in zip(a, place, model.apply(X), strict=True):
        assert [tile.node for tile in tile_at(regions, x, up)] == [node]
    area = sum((t.x[1] - t.x[0]) * (t.y[1] - t.y[0]) for t in regions.tiles)
    assert area == pytest.approx((regions.x.high - regions.x.low) * (regions.y.high - regions.y.low))
    if not nominal:
        assert len(regions.tiles) == model.get_n_leaves()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_cuts_are_the_borders_between_nodes_and_have_the_depth_of_their_split(seed):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(50, 2)), random.normal(size=50)
    model = CARTRegressor(pruning=None, max_depth=4).fit(X, y)
    regions = regions_of(model, X, y)
    tree, small = model.tree_, 1e-9
    splits = {(int(tree.splits.feature[t]), float(tree.splits.breaks_of(t)[0]), int(tree.depth[t])) for t in
              range(tree.n_nodes) if not tree.is_leaf[t]}  # fmt: skip
    found = set()
    for cut in regions.cuts:
        upright = cut.x[0] == cut.x[1]
        at = cut.x[0] if upright else cut.y[0]
        found.add((0 if upright else 1, at, cut.depth))
        middle = np.mean(cut.y if upright else cut.x)
        sides = (
            [[at - small, middle], [at + small, middle]] if upright else [[middle, at - small], [middle, at + small]]
        )
        one, other = model.apply(np.array(sides)).tolist()
        assert one != other
    assert found == splits


def test_the_steps_of_one_feature_are_its_predictions():
    trees = datasets.load("trees")
    volume = trees.pop("volume")
    X = {"girth": trees["girth"]}
    model = CARTRegressor(pruning=None, max_depth=3).fit(X, volume)
    regions = regions_of(model, X, volume)
    middles = [(left + right) / 2 for left, right, _ in regions.steps]
    assert [value for *_, value in regions.steps] == model.predict({"girth": middles}).tolist()
    assert regions.points.y.tolist() == list(volume)
    assert regions.tiles == ()
    corners = regions.lines[0]
    assert corners[0][0] == regions.x.low
    assert corners[-1][0] == regions.x.high
    assert len(regions_of(model, X).points.x) == 0


def test_levels_are_bands_of_one_value_each():
    chicks = datasets.load("chickwts")
    weight = chicks.pop("weight")
    model = CARTRegressor(pruning=None).fit(chicks, weight)
    regions = regions_of(model, chicks, weight)
    names = [word for _, word in regions.x.words]
    assert [value for *_, value in regions.steps] == model.predict({"feed": names}).tolist()
    assert len(regions.lines) == len(names) == 6
    band = np.floor(regions.points.x).astype(int)
    assert [names[k] for k in band] == list(chicks["feed"])


def test_classes_of_one_feature_are_bands_without_a_second_axis():
    tennis = datasets.load("play_tennis")
    model = ID3Classifier().fit({"outlook": tennis["outlook"]}, tennis["play"])
    regions = regions_of(model, {"outlook": tennis["outlook"]}, tennis["play"])
    nodes = model.apply({"outlook": [word for _, word in regions.x.words]}).tolist()
    assert [tile.node for tile in regions.tiles] == nodes
    assert regions.y.name == ""


def test_a_class_is_deeper_where_it_is_more_probable_and_one_class_can_be_the_scale():
    X = {"x": [1, 1, 1, 2, 2, 2, 2, 3, 3], "z": [0] * 9}
    y = ["a", "a", "b", "b", "b", "b", "b", "a", "a"]
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    doubtful, other, certain = (tile.ink for tile in regions_of(model, X).tiles)
    assert other == "#f0c361"
    assert certain == "#61a8cf"
    assert all(
        weak > strong for weak, strong in zip(bytes.fromhex(doubtful[1:]), bytes.fromhex(certain[1:]), strict=True)
    )
    regions = regions_of(model, X, y, target_class="b")
    assert regions.colouring.scale == (0.0, 1.0)
    assert [tile.ink for tile in regions.tiles] == [shade(21 / 64), shade(1.0), shade(0.0)]
    assert regions.points.marks == (1, 1, 0, 0, 0, 0, 0, 1, 1)


def test_dates_and_ordered_levels_have_their_own_words_and_cuts():
    random = np.random.default_rng(0)
    grade = pd.Categorical(random.choice(["low", "mid", "high"], 60), ["low", "mid", "high"], ordered=True)
    X = pd.DataFrame({"opened": pd.date_range("2020-01-01", periods=60, freq="7D"), "grade": grade})
    y = np.where((X.opened > "2020-08-01") & (X.grade != "low"), "a", "b")
    model = CARTClassifier(pruning=None).fit(X, y)
    regions = regions_of(model, X, y)
    assert [word for _, word in regions.y.words] == ["low", "mid", "high"]
    assert all(word[:4] in ("2020", "2021") for _, word in regions.x.words)
    assert {cut.y for cut in regions.cuts if cut.y[0] == cut.y[1]} == {(1.0, 1.0)}  # between low and mid
    days = model._read(X)[1].values[0]
    for day, level, node in zip(days, X.grade.cat.codes, model.apply(X), strict=True):
        assert [tile.node for tile in tile_at(regions, day, level + 0.5)] == [node]


def test_branches_of_many_levels_and_without_rows_are_tiles_too():
    melons = datasets.load("watermelon_2")
    X, ripe = {name: melons[name] for name in ("根蒂", "敲声")}, melons["好瓜"]
    model = ID3Classifier().fit(X, ripe)
    regions = regions_of(model, X, ripe)
    levels = [feature.levels for feature in model.tree_.schema]
    rows = [(a, b) for a in range(3) for b in range(3)]
    nodes = model.apply({"根蒂": [levels[0][a] for a, _ in rows], "敲声": [levels[1][b] for _, b in rows]})
    for (a, b), node in zip(rows, nodes, strict=True):
        assert [tile.node for tile in tile_at(regions, a + 0.5, b + 0.5)] == [node]
    assert (model.tree_.rows[[tile.node for tile in regions.tiles]] == 0).any()


def test_the_root_alone_is_one_tile_over_the_first_two_features():
    model = CARTClassifier(pruning=None).fit({"a": [1, 2], "b": [3, 4], "c": [5, 6]}, ["x", "x"])
    regions = regions_of(model, {"a": [1, 2], "b": [3, 4], "c": [5, 6]})
    assert (regions.x.name, regions.y.name) == ("a", "b")
    assert len(regions.tiles) == 1
    assert regions.cuts == ()


@pytest.fixture(scope="module")
def titanic():
    table = datasets.load("titanic")
    X = {name: table[name] for name in ("sex", "age", "siblings_spouses", "fare")}
    three = {name: X[name] if name != "fare" else [0] * len(X["age"]) for name in X}
    return CARTClassifier(max_leaf_nodes=4, pruning=None).fit(three, table["survived"]), X, table["survived"]


def test_fixed_values_give_a_slice_of_the_tree_and_the_rows_in_it(titanic):
    model, X, y = titanic
    with pytest.raises(
        ParameterError, match=r"this tree tests 'sex', 'age', 'siblings_spouses'; give the others"
    ) as refused:
        model.plot_regions(X, y)
    assert refused.value.argument == "fixed"
    regions = regions_of(model, X, y, fixed={"sex": "male"})
    assert (regions.x.name, regions.y.name) == ("age", "siblings_spouses")
    assert len(regions.tiles) == 3
    known = np.array([age == age and age is not None for age in X["age"]])
    assert len(regions.points.x) == int(np.sum(known & (np.asarray(X["sex"]) == "male")))
    assert regions.notes[0].startswith("sex = male: 556 of 1,109 rows")
    assert len(regions_of(model, X, y, fixed={"sex": "female"}).tiles) == 1
    upright = regions_of(model, X, y, features=["sex", "age"], fixed={"siblings_spouses": 4})
    assert {tile.node for tile in upright.tiles} == set(model.apply(
        {**{name: X[name][:3] for name in X}, "sex": ["male", "male", "female"], "age": [3, 30, 30],
         "siblings_spouses": [4, 4, 4]}
    ).tolist())  # fmt: skip


def test_many_rows_are_thinned_and_missing_ones_are_counted(titanic):
    _, X, y = titanic
    pair = {"age": X["age"], "fare": X["fare"]}
    model = CARTClassifier(max_depth=2, pruning=None).fit(pair, y)
    assert regions_of(model, pair).notes == ("not drawn: 243 rows with missing or infinite values",)
    random = np.random.default_rng(0)
    many = random.normal(size=(5 * MOST_POINTS, 2))
    model = CARTRegressor(max_depth=2, pruning=None).fit(many, many[:, 0])
    regions = regions_of(model, many)
    assert regions.notes == ("points: one row in 5",)
    assert len(regions.points.x) == MOST_POINTS


def test_svg_has_names_of_any_script_notes_and_needs_no_matplotlib():
    melons = datasets.load("watermelon_3")
    ripe = melons.pop("好瓜")
    X = {name: melons[name] for name in ("密度", "含糖率")}
    picture = CARTClassifier(pruning=None).fit(X, ripe).plot_regions(X, ripe)
    for word in ("密度", "含糖率", "是", "否", "<title>node"):
        assert word in picture.svg
    assert picture.svg.startswith("<svg")
    assert picture._repr_svg_() == picture.svg
    assert "密度".encode() not in repr(picture).encode()


def test_files_by_ending(tmp_path):
    model = CARTRegressor(pruning=None).fit([[1.0], [2.0]], [0.0, 1.0])
    picture = model.plot_regions([[1.0], [2.0]], [0.0, 1.0])
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        picture.save(tmp_path / f"r.{ending}")
        assert (tmp_path / f"r.{ending}").read_bytes().startswith(start)
    with pytest.raises(ParameterError, match=r"path must end in \.svg, \.png or \.pdf") as refused:
        picture.save("r.gif")
    assert (refused.value.argument, refused.value.value) == ("path", "r.gif")
    with pytest.raises(ParameterError, match="theme must be one of"):
        picture.save(tmp_path / "r.svg", theme="blue")


def test_axes_have_the_numbers_of_the_features():
    figure = pytest.importorskip("matplotlib.figure").Figure()
    iris = datasets.load("iris")
    species = iris.pop("species")
    model = CARTClassifier(max_depth=2).fit(iris, species)
    ax = figure.subplots()
    assert model.plot_regions(iris, species, ax=ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("petal_length", "petal_width")
    boxes = [patch.get_bbox() for patch in ax.patches]
    assert len(boxes) == model.get_n_leaves()
    assert 2.45 in {float(box.x0) for box in boxes} | {float(box.x1) for box in boxes}
    drawn = np.concatenate([points.get_offsets() for points in ax.collections[2:]])
    assert len(drawn) == 150
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["setosa", "versicolor", "virginica"]
    ax = figure.subplots()
    trees = datasets.load("trees")
    CARTRegressor(pruning=None).fit(trees, trees.pop("volume")).plot_regions(trees, ax=ax)
    assert len(figure.axes) == 3
    with pytest.raises(ParameterTypeError, match="ax must be axes of matplotlib or None; got str"):
        model.plot_regions(iris, species, ax="ax")


def test_models_trees_and_estimators_draw_the_same(titanic):
    model, X, y = titanic
    wanted = {"fixed": {"sex": "male"}}
    svg = model.plot_regions(X, y, **wanted).svg
    assert model.tree_.plot_regions(X, y, **wanted).svg == svg
    assert model.model_.plot_regions(X, y, **wanted).svg == svg


def test_before_the_fit_there_is_nothing_to_draw():
    with pytest.raises(NotFittedError):
        CARTClassifier().plot_regions([[1]])


def test_leaves_of_ones_own_are_refused():
    model = TreeRegressor(leaf=LinearRegression()).fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 9.0])
    with pytest.raises(ParameterError, match="plot_regions"):
        model.plot_regions([[1.0]])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            {"features": "agee"},
            ParameterError,
            "features holds 'agee', and the columns of the model are 'sex', 'age'",
        ),
        ({"features": ["age", "age"]}, ParameterError, "features must be one or two different columns"),
        ({"features": ["age", "sex", "fare"]}, ParameterError, "features must be one or two different columns"),
        ({"features": []}, ParameterError, "features must be one or two different columns"),
        ({"features": 99}, ParameterError, "features holds 99, and the columns"),
        ({"features": 1.5}, ParameterTypeError, "features must be one or two names or positions of columns; got 1.5"),
        ({"features": [True]}, ParameterTypeError, "features must hold names or positions of columns; got True"),
        ({"fixed": ["sex"]}, ParameterTypeError, "fixed must be a dictionary of column names and values"),
        ({"fixed": {"sexx": 1}}, ParameterError, "fixed holds 'sexx', and the columns of the model are"),
        ({"fixed": {"sex": "other"}}, ParameterError, r"fixed\['sex'\] must be one of 'female', 'male'; got 'other'"),
        ({"fixed": {"age": None}}, ParameterError, r"fixed\['age'\] must be a known value of that column; got None"),
        ({"fixed": {"age": float("nan")}}, ParameterError, r"fixed\['age'\] must be a known value"),
        ({"features": ["age"], "fixed": {"age": 3}}, ParameterError, "fixed holds 'age', which features shows"),
        (
            {"fixed": {"sex": "male"}, "target_class": "maybe"},
            ParameterError,
            "target_class must be one of 'no', 'yes'",
        ),
    ],
)
def test_wrong_arguments(titanic, wrong, error, message):
    model, X, y = titanic
    with pytest.raises(error, match=message):
        model.plot_regions(X, y, **wrong)


def test_wrong_rows(titanic):
    model, X, y = titanic
    with pytest.raises(DataError, match="1109, 5"):
        model.plot_regions(X, y[:5], fixed={"sex": "male"})
    with pytest.raises(ResponseError, match="'perhaps'"):
        model.plot_regions(X, ["perhaps"] * 1109, fixed={"sex": "male"})
    rates = CARTRegressor(criterion="poisson", pruning=None).fit([[1], [2]], [1, 5])
    with pytest.raises(ParameterError, match="regions of a tree of rates take no y"):
        rates.plot_regions([[1], [2]], [1, 5])
    plane = CARTRegressor(criterion="poisson", pruning=None).fit([[1, 2], [2, 3]], [1, 5])
    assert "events per exposure of y" in plane.plot_regions([[1, 2], [2, 3]]).svg
