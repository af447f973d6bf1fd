"""A script of a user, which mypy accepts in its strict mode; `reveal_type` shows what an editor knows."""

from pathlib import Path
from typing import reveal_type

import numpy as np

import boxwood
from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CostComplexity,
    ID3Classifier,
    ImpurityDecrease,
    MARSRegressor,
    Tree,
    TreeClassifier,
    Tsallis,
    datasets,
    from_sklearn,
    measures,
)
from boxwood.pruners import ReducedError

X = datasets.load("iris")
y = X.pop("species")

model = CARTClassifier(max_depth=3, criterion="entropy", min_samples_leaf=0.05, pruning=CostComplexity("1se"))
reveal_type(model.fit(X, y).tree_)
reveal_type(model.predict(X))
reveal_type(model.rules())
reveal_type(model.explain(X)[0])
reveal_type(model.evaluate(X, y)["accuracy"].value)
reveal_type(model.to_svg(direction="right", max_leaves="all"))
reveal_type(boxwood.compare(X, y, ["cart"]))
reveal_type(model.plot_importance())
reveal_type(model.plot_regions(X, y))
reveal_type(model.prune(pruner=ReducedError(), X=X, y=y))


def leaves(tree: Tree) -> int:
    """Trees of models are trees."""
    return tree.n_leaves


print(leaves(model.tree_) + leaves(CARTRegressor().fit([[1.0], [2.0]], [0.0, 1.0]).tree_))
model.prune(n_leaves=2).plot(Path("tree.svg"), theme="dark")
model.plot().set_title("a tree")
sql: str | bytes = model.export("sql", dialect="sqlite", key=["id"])
gain: float = measures.information_gain([[3, 6], [6, 0]])
importances: np.ndarray = model.feature_importances_
print(TreeClassifier(criterion=ImpurityDecrease(Tsallis(1.5))).fit(X, y).rules().gains("setosa"))
for algorithm in (C45Classifier(), CHAIDClassifier(), ID3Classifier()):
    print(algorithm.fit(X, y).evaluate(X, y)["accuracy"], algorithm.get_depth(), algorithm.tree_.probability[0])
print(C45Rules().fit(X, y).rules_[0], from_sklearn(None).predict(X))
print(MARSRegressor(max_degree=2).fit(X, y).summary(), sql, gain, importances)
try:
    boxwood.load("model.box")
except boxwood.FileError as error:
    print(error)

Path("tree.sql").write_text(model.tree_.export("sql", dialect="postgres"), encoding="utf-8")
Path("tree.onnx").write_bytes(model.tree_.export("onnx"))
Path("model.c").write_text(model.export("c"), encoding="utf-8")
Path("model.xlsx").write_bytes(model.export("xlsx"))
