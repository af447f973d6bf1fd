"""The test that selected a split, in words: its adjusted p, its statistic and the degrees of freedom."""

from __future__ import annotations

import math

from ..statistics.measures import chi_squared, f_statistic, likelihood_ratio
from ..statistics.measures.significance import SignificanceTest
from ..tree.tree import Tree
from .words import p_value

#: Tests of classes by the name of the setting: how their statistic is written, and the test.
_OF_CLASSES = {"pearson": ("χ²", chi_squared), "likelihood_ratio": ("G²", likelihood_ratio)}


def words_of_test(tree: Tree, node: int) -> list[str]:
    """The adjusted p of a node's split, and its statistic; nothing where no test chose it.

    There is no statistic where the moments of the branches do not give it.

    Examples
    --------
    >>> from boxwood import CHAIDClassifier, datasets
    >>> from boxwood.views.tested import words_of_test
    >>> X = datasets.load("titanic")
    >>> words_of_test(CHAIDClassifier().fit(X, X.pop("survived")).tree_, 0)
    ['p 5.75e-70', 'χ² 312.66, df 1']
    """
    if tree.log_p is None or math.isnan(tree.log_p[node]):
        return []
    p, settings = f"p {p_value(float(tree.log_p[node]))}", tree.made_by.get("parameters")
    if type(settings) is not dict:  # of a file that another program wrote
        return [p]
    # Case weights and an ordinal target are tested by models that are fitted to the rows.
    fitted = settings.get("weights") != "frequency" or settings.get("ordinal_target")
    if fitted or tree.made_by.get("algorithm") != "chaid":
        return [p]
    first = int(tree.first_child[node])
    branches = tree.moments[first : first + int(tree.n_children[node])]
    symbol, test = _OF_CLASSES.get(settings.get("test"), ("F", f_statistic))
    return [p, f"{symbol} {_words(test(branches))}"]


def _words(test: SignificanceTest) -> str:
    """The statistic and the degrees of freedom of a test: one number, or two of an F test."""
    df = " and ".join(f"{float(each):g}" for each in (test.df if isinstance(test.df, tuple) else (test.df,)))
    return f"{test.statistic:,.2f}, df {df}"
