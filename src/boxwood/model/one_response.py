"""The model of one of several responses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..tree.one_response import of_response


def model_of_response(model: Any, response: int | str) -> Any:
    """The ``TreeModel`` with the trees of one response.

    Raises
    ------
    ParameterError
        There is no such response.
    """
    full, tree = of_response(model.full_tree, response), of_response(model.tree, response)
    if full is model.full_tree:
        return model
    return replace(
        model, full_tree=full, tree=tree, settings=model.settings | {"response_weights": None}, family=None, alpha=None,
        held_out=None, confusion=None, sequence=None, judged_by=None, folds=None, pruned_by=None, family_by=None,
    )  # fmt: skip
