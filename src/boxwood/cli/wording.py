"""Messages of the library in terms of the command line: rows counted from 1, parameters named by their options."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from .._messages import QUOTED
from ..errors import TextResponseError

#: A response with more classes than this is questioned.
MOST_CLASSES = 50
_RANGE = r"\brows (?P<first>\d+) to (?P<last>\d+) \(counted from 0\)"
_ROW = re.compile(
    rf"{QUOTED}|{_RANGE}|(?P<word>\brow )(?P<row>\d+)|(?P<zero> \(counted from 0\)|, counted from 0)", re.I
)
_WORD = r"(?P<name>[a-z]\w*)"
_CALL = r"(?:CART(?P<kind>Classifier|Regressor)(?P<call>\())?"
_SETTING = re.compile(rf"{_CALL}\b{_WORD}=(?:'(?P<value>[^']*)')(?(call)\))|{QUOTED}|\b(?P<bare>[a-z]\w*)\b")
_CODES = re.compile(r"missing_values=(\[[^\]]*\])")
_FORMS = re.compile(r"date_formats=(\{[^}]*\})")
_DROPPED = re.compile(r"X\.drop\(columns=(\[[^\]]*\])\)")
_ITEM = re.compile(r"(?P<name>[a-z]\w*)\[(?P<key>'(?:[^'\\]|\\.)*')\]")
_FIXED = re.compile(r"fixed=\{(?P<key>'(?:[^'\\]|\\.)*'): \.\.\.\}")
_TASKS = {"Classifier": "--task classification ", "Regressor": "--task regression ", None: ""}

#: What users of the library give, and what those of the command line give instead.
_GIVEN = {
    "give the X, y and sample_weight of the fit": "give the file of the fit, with the same --sample-weight",
    "X holds levels": "the file holds levels",
}


def rows_from_one(message: str) -> str:
    """A message about data whose rows count from 0, with rows that count from 1, as people count lines.

    Examples
    --------
    >>> from boxwood.cli.wording import rows_from_one
    >>> rows_from_one("sample_weight, row 3 (counted from 0) is -1.0")
    'sample_weight, row 4 is -1.0'
    """

    def changed(found: re.Match) -> str:
        if found["first"]:
            return f"rows {int(found['first']) + 1} to {int(found['last']) + 1}"
        if found["row"]:
            return f"{found['word']}{int(found['row']) + 1}"
        return "" if found["zero"] else found.group()

    return _ROW.sub(changed, message)


def settings_as_options(message: str, options: dict[str, str]) -> str:
    """A message with options in the place of settings.

    A setting is recognised where the message begins with it, where a value follows (``name='value'``), and by an
    underscore in its name; elsewhere a word such as "missing" is an ordinary word.

    Parameters
    ----------
    message : str
    options : dict of str to str
        Name of a setting -> its option.

    Examples
    --------
    >>> from boxwood.cli.wording import settings_as_options
    >>> settings_as_options("max_depth must be at least 1; use missing='stay'.",
    ...                     {"max_depth": "--max-depth", "missing": "--missing"})
    '--max-depth must be at least 1; use --missing stay.'
    """

    def changed(found: re.Match) -> str:
        bare = found["bare"]
        if bare in options and ("_" in bare or found.start() == 0):
            return options[bare]
        if found["name"] in options:
            return f"{_TASKS[found['kind']]}{options[found['name']]} {found['value']}"
        return found.group()

    for python, command in _GIVEN.items():
        message = message.replace(python, command)
    if (item := _ITEM.match(message)) and item["name"] in options:
        message = f"{options[item['name']]} {shlex.quote(ast.literal_eval(item['key']))}{message[item.end() :]}"
    if "fixed" in options:
        message = _FIXED.sub(lambda found: f"--fixed {shlex.quote(ast.literal_eval(found['key']) + '=...')}", message)
    message = _DROPPED.sub(lambda found: f"--drop {shlex.quote(ast.literal_eval(found[1])[0])}", message)
    message = _codes_as_option(message) if "missing_values" in options else message
    return _SETTING.sub(changed, _forms_as_option(message) if "date_formats" in options else message)


@contextmanager
def classification_named() -> Iterator[None]:
    """In a fit: an error about text in the target of a regression also names the other task."""
    try:
        yield
    except TextResponseError as error:
        raise TextResponseError(f"{error} If these are classes, use --task classification.") from error


def _codes_as_option(message: str) -> str:
    """A message in which a list of codes for missing values is what --missing-values takes."""

    def changed(found: re.Match) -> str:
        codes = [code if code else " " for code in ast.literal_eval(found[1])]
        return f"--missing-values {shlex.quote(','.join(codes))}"

    return _CODES.sub(changed, message)


def _forms_as_option(message: str) -> str:
    """A message in which the format of a column of dates is what --date-formats takes."""

    def changed(found: re.Match) -> str:
        return " ".join(
            f"--date-formats {shlex.quote(f'{name}={form}')}" for name, form in ast.literal_eval(found[1]).items()
        )

    return _FORMS.sub(changed, message)


def left_out_words(count: int) -> str:
    """How many rows were left out, as text."""
    return "1 row without a response was left out" if count == 1 else f"{count} rows without a response were left out"


def many_classes_words(target: str, classes: int, rows: int) -> str:
    """A question about a response of very many classes; nothing where there are few.

    Examples
    --------
    >>> from boxwood.cli.wording import many_classes_words
    >>> many_classes_words("id", 800, 800)
    "'id' has 800 classes in 800 rows: is it the right target?"
    """
    from ..views.words import shorten

    if classes <= MOST_CLASSES:
        return ""
    return f"{shorten(target, 40)!r} has {classes} classes in {rows} rows: is it the right target?"
