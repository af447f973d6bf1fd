"""Merged conditions as an English sentence."""

from __future__ import annotations

from ..tree.tree import Tree
from .boxes import COMES, LEAVES, PART, FeatureRange
from .kinds import VALUE_WORDS
from .words import plain


def range_words(part: FeatureRange, tree: Tree, max_levels: int | None = 4) -> str:
    """What a path requires of one feature, as a clause.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.boxes import path_ranges
    >>> from boxwood.views.english import range_words
    >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "yes", "no"]).tree_
    >>> [range_words(path_ranges(tree, leaf)[0], tree) for leaf in tree.leaves]
    ['age is at most 25', 'age is above 25 and at most 40', 'age is above 40']
    """
    feature = tree.schema[part.feature]
    name = plain(feature.name)
    if not part.has_values:
        comes = part.missing != LEAVES or part.has_surrogates
        return f"{name} is missing" if comes else f"{name} has no value that leads here"
    return f"{name} is {VALUE_WORDS.of(feature).clause(feature, part.intervals, part.levels, max_levels)}"


def missing_sentence(ranges: tuple[FeatureRange, ...], tree: Tree) -> str:
    """Which missing values come along a path, as one sentence; "" when none does or the model refuses them."""
    if tree.made_by.get("missing") == "error":
        return ""
    kinds: dict[str, list[str]] = {}
    for part in ranges:
        # The condition of a branch for missing values only mentions them already.
        if part.has_values and (fate := _FATES.get((part.missing, part.has_surrogates))):
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
