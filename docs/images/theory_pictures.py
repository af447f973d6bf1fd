"""The pictures of the chapter on theory and of the tutorials; `python docs/images/pictures.py` writes them too."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LinearRegression

from boxwood import CARTClassifier, CARTRegressor, datasets
from boxwood.pictures.axes import figure_bytes, new_axes
from boxwood.pictures.chart import Chart, Series, chart_scene
from boxwood.pictures.colours import OKABE_ITO
from boxwood.pictures.scene import Group, Label, Scene
from boxwood.pictures.svg import scene_svg

_GAP, _TITLE = 14.0, 20.0


class Named(list):
    """A column that knows its name, as the column of a data frame does."""

    def __init__(self, name: str, values) -> None:
        super().__init__(values)
        self.name = name


def sheet(scenes: dict[str, Scene], columns: int) -> str:
    """Several pictures in one, each with a line above it."""
    width = max(scene.width for scene in scenes.values())
    height = max(scene.height for scene in scenes.values()) + _TITLE
    items = []
    for at, (title, scene) in enumerate(scenes.items()):
        x, y = (at % columns) * (width + _GAP), (at // columns) * (height + _GAP)
        items += [Label(x + 4.0, y + 14.0, title, 12.0, bold=True), Group(x, y + _TITLE, scene.items)]
    rows = -(-len(scenes) // columns)
    whole = Scene(
        columns * (width + _GAP),
        rows * (height + _GAP),
        tuple(items),
        ", ".join(scenes),
        "Several pictures side by side",
    )
    return scene_svg(whole)


def melons() -> tuple[dict, Named]:
    """Density and sugar of 17 melons, and whether they are ripe, in English."""
    table = datasets.load("watermelon_3")
    ripe = Named("ripe", ["yes" if value == "是" else "no" for value in table["好瓜"]])
    return {"density": table["密度"], "sugar": table["含糖率"]}, ripe


def depths() -> str:
    """The melons cut at depth 1, 2 and 3, which is the full tree."""
    X, ripe = melons()
    scenes = {}
    for depth in (1, 2, 3):
        model = CARTClassifier(max_depth=depth, pruning=None).fit(X, ripe)
        errors = round(17 * (1 - model.score(X, ripe)))
        title = f"{'depth' if depth < 3 else 'full tree, depth'} {depth}: {errors} of 17 wrong"
        scenes[title] = model.plot_regions(X, ripe)._scene
    return sheet(scenes, 3)


def adaboost() -> str:
    """Ten stumps of AdaBoost beside one tree."""
    X, ripe = melons()
    plane, labels = np.column_stack([X["density"], X["sugar"]]), np.asarray(ripe)
    stump = CARTClassifier(max_depth=1, pruning=None)
    boosted = AdaBoostClassifier(stump, n_estimators=10, random_state=0).fit(plane, labels)
    figure = new_axes("plot", (640.0, 290.0)).figure
    figure.clear()
    left, right = figure.subplots(1, 2)
    CARTClassifier(pruning=None).fit(X, ripe).plot_regions(X, ripe, ax=right)
    right.set_title("a tree: cuts within a region", fontsize="medium")
    cuts: list[set] = [set(), set()]
    for member in boosted.estimators_:
        cuts[member.tree_.splits.feature[0]].add(float(member.tree_.splits.breaks_of(0)[0]))
    edges = [np.array([low, *sorted(found), high]) for found, (low, high) in
             zip(cuts, (right.get_xlim(), right.get_ylim()), strict=True)]  # fmt: skip
    x, y = np.meshgrid(*((edge[1:] + edge[:-1]) / 2 for edge in edges))
    yes = boosted.predict(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape) == "yes"
    from matplotlib.colors import ListedColormap

    left.pcolormesh(*edges, yes, cmap=ListedColormap(["#61a8cf", "#f0c361"]), vmin=0, vmax=1)
    for edge, line in zip(edges, (left.axvline, left.axhline), strict=True):
        for at in edge[1:-1]:
            line(at, color="#16191d", linewidth=1.0)
    for label, ink, mark in (("no", OKABE_ITO[0], "o"), ("yes", OKABE_ITO[1], "s")):
        rows = labels == label
        left.scatter(
            *plane[rows].T, s=16, c=ink, marker=mark, edgecolors="white", linewidths=0.6, zorder=3, label=label
        )
    left.set(xlim=right.get_xlim(), ylim=right.get_ylim(), xlabel="density", ylabel="sugar")
    left.set_title("AdaBoost-stump: cuts across the plane", fontsize="medium")
    figure.tight_layout()
    return figure_bytes(figure, "svg").decode("utf-8")


def bias() -> str:
    """Twenty fits of a full tree and of a straight line to noisy samples of one curve."""
    random = np.random.default_rng(0)
    x, grid = np.linspace(0.0, 1.0, 60), np.linspace(0.0, 1.0, 121)
    samples = [np.sin(6 * x) + random.normal(0, 0.3, 60) for _ in range(20)]
    models = {"full tree: low bias, high variance": CARTRegressor(pruning=None, max_surrogates=0),
              "straight line: high bias, low variance": LinearRegression()}  # fmt: skip
    scenes = {}
    for title, model in models.items():
        fits = [model.fit(x[:, None], y).predict(grid[:, None]) for y in samples]
        thin = [Series(grid, fit, "20 fits" if k == 0 else "", "#9fc6de") for k, fit in enumerate(fits)]
        curve = Series(grid, np.sin(6 * grid), "the curve", "text")
        mean = Series(grid, np.mean(fits, axis=0), "their mean", OKABE_ITO[5])
        scenes[title] = chart_scene(Chart("x", "y", (*thin, curve, mean)), title)
    return sheet(scenes, 2)


def ordered(name: str) -> dict:
    """A bundled table whose ordinal columns are ordered categories."""
    table = datasets.load(name)
    kinds = {column.name: column for column in datasets.describe(name).columns if column.kind == "ordinal"}
    return {name: pd.Categorical(list(values), kinds[name].levels, ordered=True) if name in kinds else values
            for name, values in table.items()}  # fmt: skip


def loans() -> str:
    """The tree of the tutorial on credit."""
    table = ordered("german_credit")
    credit = np.array(list(table.pop("credit")), dtype=str)
    train = np.random.default_rng(0).permutation(1000)[:700]
    frame = pd.DataFrame(table).iloc[train]
    model = CARTClassifier(max_depth=3, min_samples_leaf=20, pruning=None)
    return model.fit(frame, pd.Series(credit[train], name="credit")).to_svg(direction="right")


def recurrences() -> str:
    """The regions of the tutorial on medicine."""
    table = ordered("breast_cancer")
    outcome = pd.Series(list(table["class"]), name="class")
    two = pd.DataFrame({name: table[name] for name in ("deg_malig", "inv_nodes")})
    model = CARTClassifier(max_leaf_nodes=4, pruning=None, min_samples_leaf=10).fit(two, outcome)
    return model.plot_regions(two, outcome, target_class="recurrence-events").svg


def pictures() -> dict[str, str]:
    """Name of a file -> its SVG."""
    trees = datasets.load("trees")
    volume = Named("volume", trees["volume"])
    girth = {"girth": trees["girth"]}
    titanic = datasets.load("titanic")
    survived = Named("survived", titanic["survived"])
    three = {name: titanic[name] for name in ("sex", "age", "siblings_spouses")}
    return {
        "theory_depths.svg": depths(),
        "theory_steps.svg": CARTRegressor(max_depth=3, pruning=None).fit(girth, volume).plot_regions(girth, volume).svg,
        "theory_titanic.svg": CARTClassifier(max_leaf_nodes=4, pruning=None).fit(three, survived).to_svg(),
        "theory_adaboost.svg": adaboost(),
        "theory_bias.svg": bias(),
        "tutorial_credit.svg": loans(),
        "tutorial_medicine.svg": recurrences(),
    }
