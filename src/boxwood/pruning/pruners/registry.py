"""The pruners by name, and how a user's choice is read."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import Any, TypeAlias

from ..._messages import Setting, Value, must_be, remedy
from ..._spelling import did_you_mean
from ...errors import ParameterError
from .cost_complexity import CostComplexity
from .critical_value import CriticalValue
from .description_length import MinimumDescriptionLength
from .error_based import ErrorBased
from .evidence import Pruner
from .one_leaf import OneLeaf
from .pre_pruning import PrePruning
from .reduced_error import ReducedError
from .same_decision import SameDecision

#: Name -> class, for model files, the command line and the tests.
PRUNERS: dict[str, type] = {
    kind.name: kind
    for kind in (
        CostComplexity,
        OneLeaf,
        ReducedError,
        ErrorBased,
        MinimumDescriptionLength,
        CriticalValue,
        PrePruning,
        SameDecision,
    )
}

#: An object of ``boxwood.pruners``, for editors and type checkers.
AnyPruner: TypeAlias = (
    CostComplexity
    | OneLeaf
    | ReducedError
    | ErrorBased
    | MinimumDescriptionLength
    | CriticalValue
    | PrePruning
    | SameDecision
)


def needs_rows(pruner: Pruner) -> bool:
    """Whether a pruner needs rows, not only the tree.

    Examples
    --------
    >>> from boxwood.pruning.pruners.registry import ErrorBased, MinimumDescriptionLength, needs_rows
    >>> needs_rows(MinimumDescriptionLength()), needs_rows(ErrorBased(raising=False)), needs_rows(ErrorBased())
    (False, False, True)
    """
    return evaluates(pruner) or getattr(pruner, "raising", False)


def evaluates(pruner: Pruner) -> bool:
    """Whether a pruner chooses by held-out rows."""
    return (
        getattr(pruner, "folds", None) is not None
        or pruner.holdout is not None
        or isinstance(pruner, (ReducedError, PrePruning))
    )


def read_pruner(pruning: Any, risk: str | None = None, loss: str | None = None):
    """A pruner from what a user may give.

    Parameters
    ----------
    pruning : None, str or pruner
        None = no pruning; "cv" and "cv-1se" = weakest links by 10-fold cross-validation; the name of any pruner = that
        pruner with its defaults, or with the settings that follow a colon.
    risk : str, optional
        The risk of a weakest-link pruner that names none (``ccp_risk``).
    loss : str, optional
        The loss of a pruner that names none (``loss``).

    Raises
    ------
    ParameterError
        It is none of these, or a loss is given to a pruner that does not choose by held-out rows.

    Examples
    --------
    >>> from boxwood.pruning.pruners.registry import read_pruner
    >>> read_pruner("cv-1se")
    CostComplexity(rule='1se', folds=10, cp=0.0, risk=None, style='exact')
    >>> read_pruner("reduced_error:ties=keep,holdout=0.25")
    ReducedError(ties='keep', holdout=0.25, loss=None)
    """
    if pruning is None:
        return None
    if isinstance(pruning, str):
        name, colon, settings = pruning.partition(":")
        name = name.strip().lower().replace("-", "_")
        if name in ("cv", "cv_1se") and not colon:
            return CostComplexity(rule="min" if name == "cv" else "1se", risk=risk, loss=loss)
        if name in PRUNERS:
            pruning = _with_settings(PRUNERS[name], settings)
    if type(pruning) not in PRUNERS.values():
        raise ParameterError(
            must_be(
                "pruning",
                f"'cv', 'cv-1se', {', '.join(map(repr, PRUNERS))}, None or an object of boxwood.pruners",
                pruning,
                did_you_mean(pruning, ("cv", "cv-1se", *PRUNERS)),
            )
        )
    if isinstance(pruning, CostComplexity) and pruning.risk is None and risk is not None:
        pruning = replace(pruning, risk=risk)
    if loss is None or getattr(pruning, "loss", None) is not None:
        return pruning
    if not hasattr(pruning, "loss"):
        raise ParameterError(
            Setting("loss", loss), f" is for pruners that choose by held-out rows, but {type(pruning).__name__} "
            "evaluates none; ", remedy("leave it out."),
        )  # fmt: skip
    return replace(pruning, loss=loss)


def _with_settings(kind: type, text: str):
    """A pruner with settings written as "name=value,name=value"; values as in JSON, other texts as they are."""
    given = {}
    known = [field.name for field in fields(kind)]
    # A comma within brackets belongs to a list.
    for item in filter(None, map(str.strip, re.split(r",(?![^\[]*\])", text))):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in known:
            allowed = f"its settings are {', '.join(known)}" if known else "it has none"
            hint = did_you_mean(name, known)
            raise ParameterError(
                f"the pruner {kind.name!r} has no setting ", Value(name, repr(name)), f"; {allowed}{hint}"
            )
        try:
            given[name] = None if value.lower() == "none" else json.loads(value)
        except (ValueError, RecursionError):
            given[name] = value
    return kind(**given)
