"""The reader of conditions: `income <= 24.5 and town in {Ulm, Bonn}` as ranges of features, as text prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from .._messages import Column, Message, Phrase, Setting, Value, must_be, shortened
from .._spelling import did_you_mean
from ..data.columns.schema import Feature, Schema
from ..errors import ParameterError, ParameterTypeError
from .boxes import LEAVES, FeatureRange
from .constraints import count_of
from .intervals import End
from .value_ranges import RANGES, end_of, of_state, outside, union
from .words import level, plain

_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "==": "=", "is": "="}
_SIGN = re.compile(r"\s*(<=|>=|==|!=|<|>|=|≤|≥|≠|not\s+in\b|in\b|is\b)\s*", re.IGNORECASE)
_STATE = re.compile(r"(?:not\s+missing|known|missing)(?!\w)", re.IGNORECASE)
_MISSING = re.compile(r"missing(?=\s|$)", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(<=|<|≤)\s*")
_AND = re.compile(r"\s+and\s+|\s*(?:&&|∧)\s*|\s*$", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+|\s*(?:\|\||∨)\s*", re.IGNORECASE)
#: What may follow a value.
_AFTER = re.compile(rf"{_AND.pattern}|{_OR.pattern}", re.IGNORECASE)
_AFTER_IN_BRACES = re.compile(r"\s*([,}])\s*")
_AT_END = re.compile(r"\s*$")
#: Where that can begin; a run of blanks counts once, so that long ones take no quadratic time.
_GAP = re.compile(r"(?<!\s)\s|[&|∧∨,}]")
#: Whole numbers that a double has, digit by digit.
_WHOLE = re.compile(r"[+-]?\d{1,309}")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NANOSECONDS = re.compile(r"\.\d{6}(\d{1,3})$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'')
_HIDDEN_LEVELS = re.compile(r"and \d+ more$")
#: What a condition looks like, for messages.
_EXAMPLES = "income <= 24.5, 18 < age <= 65, town in {Ulm, Bonn}, grade > low, income is missing"


def read_condition(text: str, schema: Schema, argument: str = "condition") -> tuple[FeatureRange, ...]:
    """A condition on rows, as views print it, feature by feature.

    Comparisons are joined by ``and``. A known value fulfils a comparison of values, a missing one only ``is missing``.
    Names and levels are matched as they are shown; those that hold signs of the language can be in quotes.

    Parameters
    ----------
    text : str
        For example ``income <= 24.5``, ``18 < age <= 65``, ``town in {Ulm, Bonn}``, ``town = Ulm``, ``grade > low``
        (levels in their order), ``opened <= 2021-03-14``, ``income is missing``, ``income is known``.
    schema : Schema
    argument : str
        What the condition was given for; messages begin with it.

    Returns
    -------
    tuple of FeatureRange
        In the order in which the features appear.

    Raises
    ------
    ParameterError
        A name, a level or a value is not known, or no row can fulfil it; the message gives the place and the remedy.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature, Schema
    >>> from boxwood.views.read_condition import read_condition
    >>> schema = Schema((Feature("income", "numeric"), Feature("town", "nominal", ("Bonn", "Ulm", "京都"))))
    >>> [part.words(schema) for part in read_condition("20 < income <= 24.5 and town in {Ulm, 京都}", schema)]
    ['20 < income <= 24.5', 'town in {Ulm, 京都}']
    """
    if not isinstance(text, str):
        raise ParameterTypeError(must_be(argument, f"a condition as text, such as {_EXAMPLES}", text))
    found: dict[int, FeatureRange] = {}
    reader = _Reader(text, schema, argument)
    for part in reader.comparisons():
        before = found.get(part.feature)
        found[part.feature] = part if before is None else before.cut_with(part)
    for part in found.values():
        if not part.has_values and part.missing == LEAVES:
            name = plain(schema[part.feature].name)
            raise ParameterError(
                Setting(argument), " ", Value(text, shortened(text)),
                f" can hold for no row: no value of {name} fulfils all of it.",
            )  # fmt: skip
    return tuple(found.values())


class _Reader:
    """Reads comparisons from left to right; names and levels are known words, the longest that fits is meant."""

    def __init__(self, text: str, schema: Schema, argument: str):
        self._given = self._text = text
        self._schema, self._argument, self._at = schema, argument, 0
        shown = [(plain(feature.name), j) for j, feature in enumerate(schema)]
        self._names = sorted(shown, key=lambda pair: -len(pair[0]))

    def comparisons(self) -> Iterator[FeatureRange]:
        """The comparisons that ``and`` joins."""
        while True:
            yield self._alternatives()
            end = _AND.match(self._text, self._at)
            if end is None:
                raise self._error(f"'and' or the end is expected before {shortened(self._rest())}")
            self._at = end.end()
            if self._at == len(self._text):
                return

    def _alternatives(self) -> FeatureRange:
        """Comparisons of one feature that ``or`` joins."""
        parts = [self._comparison()]
        while (found := _OR.match(self._text, self._at)) is not None:
            self._at = found.end()
            j, missing = parts[0].feature, _MISSING.match(self._text, self._at)
            if missing is not None:
                self._at = missing.end()
            parts.append(self._comparison() if missing is None else of_state(j, self._schema[j], missing=True))
            if parts[-1].feature != parts[0].feature:
                raise self._error("'or' joins comparisons of one feature only")
        return parts[0] if len(parts) == 1 else union(parts)

    def _comparison(self) -> FeatureRange:
        self._at += len(self._rest()) - len(self._rest().lstrip())
        j = self._name()
        if j is None:
            return self._between()
        feature, found = self._schema[j], _SIGN.match(self._text, self._at)
        if found is None:
            raise self._error("<, <=, >, >=, =, !=, in or is must follow the name ", Column(feature.name))
        self._at = found.end()
        sign = re.sub(r"\s+", " ", found[1].lower())
        state = _STATE.match(self._text, self._at) if sign == "is" else None
        if state is not None:
            self._at = state.end()
            return of_state(j, feature, state[0].lower() == "missing")
        sign = _SIGNS.get(sign, sign)
        if sign in ("in", "not in"):
            return self._among(j, feature, sign == "in")
        return self._compared(j, feature, sign)

    def _between(self) -> FeatureRange:
        """``low < name <= high``: the value before the name is known only once the name is."""
        for found in re.finditer(r"(<=|<|≤)\s*", self._rest()):
            start, self_at = self._at, self._at + found.end()
            self._at = self_at
            j = self._name()
            if j is None:
                self._at = start
                continue
            feature, upto = self._schema[j], _BETWEEN.match(self._text, self._at)
            after, self._text, self._at = self._at, self._given[: start + found.start()], start
            above = self._compared(j, feature, ">" if found[1] == "<" else ">=", _AT_END)
            self._text, self._at = self._given, after
            if upto is None:
                return above
            self._at = upto.end()
            return above.cut_with(self._compared(j, feature, _SIGNS.get(upto[1], upto[1])))
        names = [name for name, _ in self._names]
        word = re.split(r"<|>|=|!|≤|≥|≠|\bin\b|\bis\b|\bnot\b", self._rest(), maxsplit=1)[0].strip() or self._rest()
        known = ", ".join(repr(feature.name) for feature in list(self._schema)[:8])
        near = did_you_mean(word, names)
        raise self._error(f"{shortened(word)} is not a feature{near if near != '.' else f'; the features are {known}'}")

    def _compared(self, j: int, feature: Feature, sign: str, end: re.Pattern = _AFTER) -> FeatureRange:
        kind = RANGES.of(feature)
        if sign not in kind.signs:
            raise self._error(f"{plain(feature.name)} has no order: compare it by =, !=, in {{...}} or not in {{...}}")
        return kind.compared(j, feature, sign, kind.read(self, feature, end))

    def _among(self, j: int, feature: Feature, inside: bool) -> FeatureRange:
        """``in {a, b}``: the values in braces."""
        if self._text[self._at : self._at + 1] != "{":
            raise self._error("values in braces must follow 'in', as in {Ulm, Bonn}")
        self._at += 1
        end, parts = _AFTER_IN_BRACES, []
        while True:
            self._at += len(self._rest()) - len(self._rest().lstrip())
            parts.append(self._compared(j, feature, "=", end))
            found = end.match(self._text, self._at)
            if found is None:
                raise self._error(f"',' or '}}' is expected before {shortened(self._rest())}")
            self._at = found.end() if found[1] == "," else found.start(1) + 1
            if found[1] == "}":
                return union(parts) if inside else outside(union(parts), feature)

    def _name(self) -> int | None:
        """The feature whose name is here, or None."""
        quoted = _QUOTED.match(self._text, self._at)
        for name, j in self._names:
            here = self._text.startswith(name, self._at)
            if here and _ends_word(name, self._text, self._at + len(name)):
                self._at += len(name)
                return j
            if quoted is not None and _unquoted(quoted) == self._schema[j].name:
                self._at = quoted.end()
                return j
        return None

    def level(self, feature: Feature, end: re.Pattern) -> int:
        """The code of the level that is here, before something that ends it."""
        quoted = _QUOTED.match(self._text, self._at)
        by_length = sorted(enumerate(feature.levels), key=lambda pair: -len(level(pair[1])))
        for code, value in by_length:
            for text in _spellings(value):
                if self._text.startswith(text, self._at) and end.match(self._text, self._at + len(text)):
                    self._at += len(text)
                    return code
            if quoted is not None and _unquoted(quoted) == str(value):
                self._at = quoted.end()
                return code
        word = self._until(end).strip()
        if _HIDDEN_LEVELS.search(word):
            raise self._error(f"{shortened(word)} names no level; write all levels")
        known = [str(value) for value in feature.levels]
        listed = ", ".join(map(shortened, known[:8])) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
        near = did_you_mean(word, known)
        hint = near if near != "." else f"; the levels are {listed}"
        raise self._error(f"{shortened(word)} is not a level of {plain(feature.name)}{hint}")

    def number(self, feature: Feature, end: re.Pattern) -> End:
        """A number, exactly."""
        text = self._unquoted_until(end)
        plain_text = text.replace(",", "") if _GROUPED.fullmatch(text) else text
        try:
            number = float(plain_text)
        except ValueError:
            raise self._error(f"{shortened(text)} is not a number; {plain(feature.name)} is numeric") from None
        if math.isnan(number):
            raise self._error(f"a missing value is written {plain(feature.name)} is missing")
        whole = math.isfinite(number) and _WHOLE.fullmatch(plain_text)
        return end_of(Fraction(int(plain_text))) if whole else (number, 0.0)

    def instant(self, feature: Feature, end: re.Pattern) -> End:
        """A date or time as a number of the feature's unit; the forms that are read end with microseconds."""
        text = self._unquoted_until(end)
        finer = _NANOSECONDS.search(text) if feature.temporal.unit == "ns" else None
        try:
            count = count_of(
                feature, text if finer is None else text[: finer.start(1)], Message(Setting(self._argument))
            )
        except ParameterError:
            shown = f"{plain(feature.name)} holds such as {feature.temporal.text(0)}"
            raise self._error(f"{shortened(text)} is not a {feature.temporal.kind}; {shown}") from None
        return end_of(Fraction(count if finer is None else count + int(finer[1].ljust(3, "0"))))

    def _unquoted_until(self, end: re.Pattern) -> str:
        text = self._until(end).strip()
        quoted = _QUOTED.fullmatch(text)
        return _unquoted(quoted) if quoted else text

    def _until(self, end: re.Pattern) -> str:
        """The text before what ends a value; the reader goes there."""
        start, gaps = self._at, (found.start() for found in _GAP.finditer(self._text, self._at))
        places = (at for at in chain((start,), gaps) if end.match(self._text, at))
        self._at = next(places, len(self._text))
        return self._text[start : self._at]

    def _rest(self) -> str:
        return self._text[self._at :]

    def _error(self, *problem: Phrase) -> ParameterError:
        text, end = Value(self._given, shortened(self._given)), "" if str(problem[-1]).endswith("?") else "."
        return ParameterError(Setting(self._argument), " ", text, ": ", *problem, end)


def _spellings(value: object) -> tuple[str, ...]:
    """A level as text: as it is shown, as it is, and truth values and whole numbers as other languages write them."""
    if isinstance(value, bool):
        return str(value), str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(value), str(value).removesuffix(".0")
    return level(value), str(value)


def _unquoted(found: re.Match) -> str:
    return re.sub(r"\\(.)", r"\1", found[1] if found[1] is not None else found[2])


def _ends_word(name: str, text: str, at: int) -> bool:
    """Whether a name that ends at a place is not the beginning of a longer word."""
    return not (
        name[-1].isalnum() and at < len(text) and (text[at].isalnum() or text[at] == "_") and text[at].isascii()
    )
