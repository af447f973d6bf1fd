"""What an estimator and its tree both offer is one method: one implementation, one signature, one docstring."""

import inspect

import pytest

import boxwood
from boxwood.estimators.saved import every_estimator
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.model.readable import ReadableTree

TREES = [cls for cls in every_estimator().values() if issubclass(cls, TreeEstimator)]


def _public(cls: type) -> dict[str, object]:
    """The members of a class with a docstring, by name."""
    members = {name: inspect.getattr_static(cls, name) for name in dir(cls) if not name.startswith("_")}
    return {name: member for name, member in members.items() if inspect.getdoc(member)}


@pytest.mark.parametrize("estimator", TREES)
def test_no_method_is_written_on_the_estimator_and_on_its_tree(estimator):
    own, of_tree = _public(estimator), _public(ReadableTree)
    common = own.keys() & of_tree.keys()
    assert len(common) >= 17
    assert not [name for name in common if own[name] is not of_tree[name]]


def test_an_estimator_takes_the_policy_of_its_model_and_a_call_may_name_another():
    X, y = {"town": ["Ulm", "Ulm", "Bonn", "Bonn", "Ulm"]}, [1.0, 1.0, 3.0, 3.0, 1.0]
    model = boxwood.CARTRegressor(pruning=None, unseen="majority").fit(X, y)
    rows = {"town": ["Wien"]}
    with pytest.warns(boxwood.UnseenLevelWarning):
        assert model.predict(rows).tolist() == model.tree_.predict(rows, unseen="majority").tolist() == [1.0]
    with pytest.warns(boxwood.UnseenLevelWarning):
        assert model.predict(rows, unseen="stay").tolist() == model.tree_.predict(rows, unseen="stay").tolist() == [1.8]
    with pytest.raises(boxwood.UnseenLevelError):
        model.predict(rows, unseen="error")
    with pytest.raises(boxwood.ParameterError, match="unseen"):
        model.apply(rows, unseen="drop")
    assert model.unseen == model.model_.settings["unseen"] == "majority"
