"""The thresholds of a tree as text: as short as training values allow, and never two of them the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.schema import Schema
from ..tree.tree import Tree
from .words import DIGITS, digits_apart, grouped, shortest_between, threshold

#: A cut point: the number it is, and its low part.
CutPoint = tuple[float, float]


@dataclass(frozen=True, eq=False)
class CutWords:
    """The words of all thresholds of a tree.

    Attributes
    ----------
    schema : Schema
    words : dict of (int, (float, float)) to str
        Feature and cut point -> its words.
    digits : list of (int or None)
        For each feature, significant digits of what is not a threshold of the tree, as the cuts of surrogates.
    """

    schema: Schema
    words: dict[tuple[int, CutPoint], str]
    digits: list[int | None]

    def text(self, j: int, cut: CutPoint) -> str:
        """A cut of feature ``j``."""
        found = self.words.get((j, cut))
        return grouped(threshold(self.schema[j], *cut, self.digits[j])) if found is None else found

    def texts(self, j: int, cuts: list[CutPoint]) -> list[str]:
        """Several cuts of a feature; different ones read differently."""
        found = [self.text(j, cut) for cut in cuts]
        if len(set(found)) == len(set(cuts)):
            return found
        digits = digits_apart(self.schema[j], cuts)
        return [threshold(self.schema[j], *cut, digits) for cut in cuts]


def cut_words(tree: Tree, digits: int | None = DIGITS) -> CutWords:
    """The words of a tree's thresholds, made once and kept with the tree.

    A threshold whose neighbouring training values are known is written as the shortest rounding of it that lies between
    them: whoever applies the printed rule to the training rows decides as the tree does. Whole parts and the first
    three digits are never rounded. Elsewhere so many significant digits stay, and more where cuts would look alike.

    Parameters
    ----------
    tree : Tree
    digits : int, optional
        Of thresholds whose neighbours are not known; None writes all thresholds exactly.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> from boxwood.views.cuts import cut_words
    >>> tree = CARTRegressor(pruning=None).fit({"dose": [10.0, 24.8, 24.8167]}, [0, 4, 9]).tree_
    >>> tree.splits.breaks.tolist(), [cut_words(tree).text(0, (cut, 0.0)) for cut in tree.splits.breaks.tolist()]
    ([24.80835, 17.4], ['24.81', '17.4'])
    """
    kept = vars(tree).setdefault("_cut_words", {})
    if digits not in kept:
        kept[digits] = _made(tree, digits)
    return kept[digits]


def _made(tree: Tree, digits: int | None) -> CutWords:
    table = tree.splits
    feature = np.repeat(table.feature, np.diff(table.breaks_start)).tolist()
    pairs = list(zip(table.breaks.tolist(), table.breaks_low.tolist(), strict=True))
    known = tree.neighbours is not None and digits is not None
    sides = tree.neighbours.tolist() if known else [(np.nan, np.nan)] * len(pairs)
    return words_of_cuts(tree.schema, zip(feature, pairs, sides, strict=True), digits)


def words_of_cuts(
    schema: Schema, cuts: Iterable[tuple[int, CutPoint, Sequence[float]]], digits: int | None = DIGITS
) -> CutWords:
    """The words of some thresholds: feature, cut point and its two neighbours, NaN where they are not known."""
    of_feature: dict[int, dict[CutPoint, Sequence[float]]] = {}
    for j, pair, side in cuts:
        of_feature.setdefault(j, {})[pair] = side
    words, fallback = {}, [digits] * len(schema)
    for j, own in of_feature.items():
        about = schema[j]
        fallback[j] = digits_apart(about, list(own), digits)
        short = {pair: shortest_between(pair[0], *side) for pair, side in own.items()}
        # Two cuts between the same two values may have the same shortest number: they stay different.
        alike = Counter(short.values())
        for pair, text in short.items():
            fits = text is not None and alike[text] == 1
            plain = threshold(about, *pair, fallback[j])
            words[j, pair] = text if fits else plain if digits is None else grouped(plain)
    return CutWords(schema, words, fallback)
