"""Merged conditions as an English sentence."""

from __future__ import annotations

import numpy as np

from ..data.columns.schema import NOMINAL, ORDINAL
from ..tree.tree import Tree
from .boxes import COMES, LEAVES, PART, FeatureRange, interval_ends
from .condition import codes_in
from .words import level, plain


def asked_words(part: FeatureRange, tree: Tree, max_levels: int | None = 4) -> str:
    """What a way requires of one feature, as a clause.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.boxes import path_ranges
    >>> from boxwood.views.english import asked_words
    >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "yes", "no"]).tree_
    >>> [asked_words(path_ranges(tree, leaf)[0], tree) for leaf in tree.leaves]
    ['age is at most 25', 'age is above 25 and at most 40', 'age is above 40']
    """
    feature = tree.schema[part.feature]
    name = plain(feature.name)
    if not part.has_values:
        return f"{name} is missing" if part.missing != LEAVES or part.asked else f"{name} has no value that leads here"
    if feature.kind == NOMINAL:
        return f"{name} is {_one_of([feature.levels[code] for code in part.levels], max_levels)}"
    if feature.kind == ORDINAL:
        return f"{name} is {' or '.join(_run(run, feature.levels) for run in _runs(part.levels))}"
    if found := codes_in(feature, part.runs):
        codes, outside = found
        return f"{name} is {'not ' * outside}{_one_of(codes, max_levels)}" if codes else f"{name} is known"
    return (
        f"{name} is {' or '.join(_range(*ends) for ends in interval_ends(part.intervals, tree.schema[part.feature]))}"
    )


def _one_of(levels: list, max_levels: int | None) -> str:
    """One level, or a few, or the first ones and how many more."""
    names = [level(value) for value in levels]
    if len(names) == 1:
        return names[0]
    if max_levels is None or len(names) <= max_levels:
        return f"{', '.join(names[:-1])} or {names[-1]}"
    named = max(max_levels - 1, 1)
    return f"one of {', '.join(names[:named])} and {len(names) - named} more"


def _runs(codes: tuple[int, ...]) -> list[tuple[int, int]]:
    """First and last of each run of neighbouring codes."""
    cuts = np.flatnonzero(np.diff(codes) > 1)
    first = [codes[0], *(codes[at + 1] for at in cuts)]
    return list(zip(first, [*(codes[at] for at in cuts), codes[-1]], strict=True))


def _run(run: tuple[int, int], levels: tuple) -> str:
    """Neighbouring levels of an ordinal feature."""
    first, last = run
    if first == 0 and last == len(levels) - 1:
        return "known"
    if first == last:
        return level(levels[first])
    if first == 0:
        return f"{level(levels[last])} or below"
    return (
        f"{level(levels[first])} or above"
        if last == len(levels) - 1
        else f"{level(levels[first])} to {level(levels[last])}"
    )


def _range(above: str | None, upto: str | None) -> str:
    """An interval of numbers."""
    if above is None:
        return "known" if upto is None else f"at most {upto}"
    return f"above {above}" if upto is None else f"above {above} and at most {upto}"


def missing_sentence(ranges: tuple[FeatureRange, ...], tree: Tree) -> str:
    """Which missing values come along a way, as one sentence; "" when none does or the model refuses them."""
    if tree.made_by.get("missing") == "error":
        return ""
    kinds: dict[str, list[str]] = {}
    for part in ranges:
        # The condition of a branch for missing values only mentions them already.
        if part.has_values and (fate := _FATES.get((part.missing, part.asked))):
            kinds.setdefault(fate, []).append(plain(tree.schema[part.feature].name))
    parts = [fate.format(f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0])
            for fate, names in kinds.items()]  # fmt: skip
    return f"Missing values {'; '.join(parts)}." if parts else ""


#: How to treat missing values of the features in the braces.
_FATES = {
    (COMES, False): "of {} lead here",
    (COMES, True): "of {} lead here unless a surrogate decides otherwise",
    (PART, False): "of {} lead here in part",
    (PART, True): "of {} lead here in part unless a surrogate decides",
    (LEAVES, True): "of {} lead here only if a surrogate decides so",
}
