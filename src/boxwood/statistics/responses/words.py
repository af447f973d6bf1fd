"""What a kind of y is called in views and messages."""

from __future__ import annotations

from typing import ClassVar


class ResponseWords:
    """The words of a kind of y; the defaults are those of a number whose mean is predicted."""

    #: Words: what a node predicts, as in "mean of income"; the number and y in a sentence, "the median of y is"; what
    #: y is.
    predicts: ClassVar[str] = "mean of"
    moment_names: ClassVar[tuple[str, ...]] = ("weight", "sum")
    sections: ClassVar[tuple[str, ...]] = ("deviance",)
    spread_words: ClassVar[str] = "mean ± sd"
    value_name: ClassVar[str] = "mean"
    before_value: ClassVar[str] = ""
    of_value: ClassVar[str] = ""
    of_name: ClassVar[str] = ""
    described: ClassVar[str] = "a numeric target"
    evaluated: ClassVar[str] = "a numeric target"
    test: ClassVar[str | None] = None
    least: ClassVar[float] = 0.0
