"""Messages of the library in terms of the command line: rows counted from 1, parameters named by their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from .._messages import DroppedColumn, FromZero, Learner, Message, Phrase, Row, RowRange, Setting
from ..errors import TextResponseError

#: A response with more classes than this is questioned.
MOST_CLASSES = 50
_IN_QUOTES = re.compile('"(?:[^"]|"")*"')
#: A value of a list with commas, perhaps with a name before it.
_PIECE = re.compile(rf"({_IN_QUOTES.pattern}(?=[,=]|$)|[^,=]*)(?:=({_IN_QUOTES.pattern}(?=,|$)|[^,]*))?", re.DOTALL)
_TASKS = {"CARTClassifier": "--task classification ", "CARTRegressor": "--task regression "}


def in_options(message: str, options: dict[str, str], from_one: bool = True) -> Message:
    """A message of the library with options in the place of arguments, and rows counted from 1.

    Parameters
    ----------
    message : str or Message
        A text without parts stays as it is.
    options : dict of str to str
        Name of an argument -> its option.
    from_one : bool
        Count rows from 1.

    Examples
    --------
    >>> from boxwood._messages import Message, Row, Setting
    >>> from boxwood.cli.wording import in_options
    >>> message = Message(Row(3, "Row"), " has no value; use ", Setting("missing", "stay"), ".")
    >>> in_options(message, {"missing": "--missing"})
    'Row 4 has no value; use --missing stay.'
    """

    def written(part: Phrase) -> Phrase:
        if isinstance(part, Row) and from_one:
            return f"{part.word} {part.index + 1}"
        if isinstance(part, RowRange) and from_one:
            return f"rows {part.first + 1} to {part.last + 1}"
        if isinstance(part, FromZero) and from_one:
            return ""
        if isinstance(part, Setting) and part.name in options:
            return _option(part, options[part.name])
        if isinstance(part, Learner):
            return f"--algorithm {part.algorithm}"
        if isinstance(part, DroppedColumn):
            return f"--drop {shlex.quote(part.name)}"
        return part

    return Message(message).replaced(written)


def _option(setting: Setting, option: str) -> str:
    """The option of an argument with its value, as it is typed."""
    option = _TASKS.get(setting.estimator, "") + option
    if not setting.has_value:
        return option if setting.key is None else f"{option} {shlex.quote(setting.key)}"
    value = setting.value
    if setting.key is not None and isinstance(value, list):
        values = ",".join(f"{_quoted(setting.key)}={_quoted(str(item))}" for item in value)
        return f"{option} {shlex.quote(values)}"
    if setting.key is not None:
        return f"{option} {shlex.quote(f'{setting.key}=' + ('...' if value is ... else str(value)))}"
    if isinstance(value, dict):
        return " ".join(f"{option} {shlex.quote(f'{key}={form}')}" for key, form in value.items())
    if isinstance(value, (list, tuple)):
        value = ",".join(_quoted(str(item)) for item in value)
    if value is None or isinstance(value, bool):
        value = str(value).lower()
    return f"{option} {shlex.quote(str(value))}"


def _quoted(text: str) -> str:
    """One value of a list with commas; between double quotes, which are doubled in it, where it needs them."""
    if text == "":
        return " "
    plain = not re.search('[,=]|^"', text) and text == text.strip()
    return text if plain else '"' + text.replace('"', '""') + '"'


def quoted_values(text: str) -> list[tuple[str, str | None]]:
    """The values of a list with commas as :func:`in_options` writes it, each as NAME=VALUE, or as a value and None.

    Examples
    --------
    >>> from boxwood.cli.wording import quoted_values
    >>> quoted_values('?,age=-1,"a,b"="1,5",""')
    [('?', None), ('age', '-1'), ('a,b', '1,5'), ('', None)]
    """
    found, at = [], 0
    while at <= len(text):
        piece = _PIECE.match(text, at)
        at = piece.end() + 1
        first, second = (None if part is None else _unquoted(part) for part in piece.groups())
        found.append((first, second))
    return found


def quoted_list(text: str) -> list[str]:
    """The values of such a list in which no NAME= has a meaning."""
    return [first if second is None else f"{first}={second}" for first, second in quoted_values(text)]


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if _IN_QUOTES.fullmatch(text) else text


@contextmanager
def classification_named() -> Iterator[None]:
    """In a fit: an error about text in the target of a regression also names the other task."""
    try:
        yield
    except TextResponseError as error:
        raise TextResponseError(error.message, " If these are classes, use --task classification.") from error


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
