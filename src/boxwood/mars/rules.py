"""Settings converted to the rules of the forward pass and the signs of monotone features."""

from __future__ import annotations

import math

import numpy as np

from .._messages import Setting, Value, must_be, remedy
from ..errors import ParameterError
from .candidates import ForwardRule
from .design import VALUE, Design
from .terms import LEFT, Terms

#: Columns up to which the limits and the penalty of earth are kept, and what the penalty gains beyond (docs/mars.md).
_FEW_COLUMNS, _PRICE_OF_MORE = 20, 1.5


def forward_rule(settings: dict, design: Design) -> ForwardRule:
    """The rule of the settings.

    Raises
    ------
    ParameterError
        A setting names a feature that is not there.
    """
    p, degree = len(design), settings["max_degree"]
    slots = settings["max_terms"] or min(200, max(20, 2 * p)) + 1
    as_earth, penalty = settings["compat"] == "earth", settings["penalty"]
    many = p > _FEW_COLUMNS and not as_earth
    if penalty is None:
        penalty = (2.0 if degree == 1 else 3.0) + (_PRICE_OF_MORE * math.log(p / _FEW_COLUMNS) if many else 0.0)
    linear = _features(settings["linear_features"], "linear_features", design)
    return ForwardRule(
        max_degree=degree,
        max_terms=slots,
        penalty=penalty,
        thresh=settings["thresh"],
        new_variable_penalty=settings["new_variable_penalty"],
        minspan=settings["minspan"],
        endspan=settings["endspan"],
        adjust_endspan=settings["adjust_endspan"],
        fast_k=settings["fast_k"],
        fast_beta=settings["fast_beta"],
        auto_linear=settings["auto_linear"],
        linear=frozenset(j for j, c in enumerate(design.columns) if c.feature in linear),
        allowed=_allowed(settings, design),
        as_earth=as_earth,
        while_grsq_rises=many and settings["max_terms"] is None,
    )


def signs(settings: dict, design: Design, terms: Terms) -> np.ndarray | None:
    """For each term the sign its coefficient must have (0 = any); None when no feature is monotone.

    A hinge to the right and a linear factor rise with the feature, a hinge to the left falls; so that the sum is
    monotone, each of its terms is.
    """
    directions = _monotone(settings, design)
    if not directions:
        return None
    out = np.zeros(len(terms))
    for m in range(len(terms)):
        for column, direction, _ in terms.factors(m):
            allowed = directions.get(design.columns[column].feature, 0)
            out[m] = -allowed if direction == LEFT else allowed
    return out


def _monotone(settings: dict, design: Design) -> dict[int, int]:
    """Feature -> 1 or -1."""
    given = settings["monotone"]
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ParameterError(must_be("monotone", "a dict from features to 1 or -1, or None", given))
    out = {}
    for name, direction in given.items():
        (feature,) = _features([name], "monotone", design)
        if direction not in (1, -1, 0) or isinstance(direction, bool):
            raise ParameterError(must_be("monotone", "1 (never falls) or -1 (never rises)", direction, key=name))
        if not any(c.feature == feature and c.what == VALUE for c in design.columns):
            raise ParameterError(
                Setting("monotone", key=name), ": a nominal feature has no order; ", remedy("leave it out"), "."
            )
        if direction:
            out[feature] = int(direction)
    return out


def _features(given, what: str, design: Design) -> frozenset[int]:
    """Features named or counted from 0."""
    if given is None:
        return frozenset()
    if not isinstance(given, (str, int, np.integer, list, tuple, set, frozenset, np.ndarray)):
        raise ParameterError(must_be(what, "a list of names or positions of features", given))
    items = [given] if isinstance(given, (str, int, np.integer)) else list(given)
    names, found = design.schema.names, set()
    for item in items:
        if item in names:
            found.add(names.index(item))
        elif isinstance(item, (int, np.integer)) and not isinstance(item, bool) and 0 <= item < len(names):
            found.add(int(item))
        else:
            raise ParameterError(Setting(what), " names ", Value(item), f", but the features are {list(names)}.")
    return frozenset(found)


def _allowed(settings: dict, design: Design):
    """(columns of the parent, column) -> whether their product may be tried; None when everything may."""
    rule, single = settings["allowed"], set(_monotone(settings, design))
    owner = [c.feature for c in design.columns]
    names = design.schema.names
    groups = None
    if rule is not None and not callable(rule):
        if not isinstance(rule, (list, tuple, set, frozenset)) or not all(
            isinstance(g, (list, tuple, set, frozenset)) for g in rule
        ):
            raise ParameterError(
                must_be("allowed", "a list of groups of features, such as [['age', 'sex']], or a function", rule)
            )
        groups = [_features(g, "allowed", design) for g in rule]

    def may(parent: tuple[int, ...], column: int) -> bool:
        features = {owner[j] for j in parent}
        mine = owner[column]
        if mine in features:
            return False  # two columns of one feature: 0 everywhere, or curves of higher order
        whole = features | {mine}
        if len(whole) > 1 and whole & single:
            return False
        if groups is not None and len(whole) > 1:
            return any(whole <= group for group in groups)
        if callable(rule):
            return bool(rule(len(whole), names[mine], tuple(names[f] for f in sorted(features))))
        return True

    own_columns_differ = len(set(owner)) < len(owner) and settings["compat"] != "earth"
    return may if rule is not None or single or own_columns_differ else None
