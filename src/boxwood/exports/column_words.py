"""What each column that a tree tests must hold, in words for the head of an export."""

from __future__ import annotations

from ..data.columns.schema import Feature
from ..views.words import plain
from .kinds import EXPORTED


def described(feature: Feature, type_: str = "", text: bool = True) -> str:
    """The values of a feature: what they are, the type of the language, the format of texts, codes for missing values.

    Parameters
    ----------
    feature : Feature
    type_ : str
        The type in the language, if it has some.
    text : bool
        Whether the export reads texts of numbers and dates, where ``predict`` does.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature
    >>> from boxwood.exports.column_words import described
    >>> described(Feature("age", "numeric", missing_values=(-999, "?")), "DOUBLE")
    'numbers (DOUBLE), or texts of numbers; -999 and ? are missing'
    """
    return types_read(feature, type_, text) + codes_words(feature)


def types_read(feature: Feature, type_: str = "", text: bool = True) -> str:
    """The values of a feature without its codes."""
    kind = EXPORTED.of(feature)
    what = f"{kind.what(feature)} ({type_})" if type_ else kind.what(feature)
    return f"{what}, or texts {kind.texts(feature)}" if text and kind.texts(feature) else what


def codes_words(feature: Feature) -> str:
    """The codes for missing values, as an end of a sentence; empty without any."""
    codes = list(dict.fromkeys(plain(str(code)) for code in feature.missing_values))
    if not codes:
        return ""
    listed = " and ".join(filter(None, (", ".join(codes[:-1]), codes[-1])))
    return f"; {listed} {'are' if len(codes) > 1 else 'is'} missing"


def reads_text(feature: Feature) -> bool:
    """Whether ``predict`` was shown texts of the numbers or dates of a feature, or texts among them."""
    return bool(EXPORTED.of(feature).texts(feature))
