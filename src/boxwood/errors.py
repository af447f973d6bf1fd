"""The exceptions of boxwood: every error a user can meet, each also a built-in that its callers expect.

BoxwoodError
├── ParameterError          (ValueError)      a setting outside its range
├── ParameterTypeError      (TypeError)       a setting of the wrong type
├── DataError               (ValueError)      data that cannot be used: names column, row, value
│   ├── ColumnError                           missing, extra, duplicate or ambiguous columns
│   ├── ResponseError                         the response y cannot be used
│   │   └── TextResponseError                 the y of a regression holds text
│   ├── WeightError                           sample weights cannot be used
│   ├── MissingValueError                     a missing value under the policy "error"
│   └── UnseenLevelError                      a level not seen in training under the policy "error"
├── DataTypeError           (TypeError)       a container or value of a kind that cannot be used
├── FileError               (ValueError, OSError)  a data file that cannot be read or written
├── ModelFileError          (ValueError)      a model file that is damaged, hostile or too new
├── ClusterError            (RuntimeError)    workers of a cluster were lost or do not understand
│   └── RowsLostError                         between driver and workers: some rows must be prepared again
└── NotAvailableError       (ImportError)     an optional package is needed

BoxwoodWarning (UserWarning)
├── UnseenLevelWarning                        rows held levels not seen in training; says how many
├── PruningWarning                            pruning asked for but impossible; says why
├── FormatWarning                             the encoding of a text file was detected, not given
├── KindWarning                               a column kind that was found is doubtful; says what to do
└── FontWarning                               no installed font has some characters of a picture; says what to do
"""

from __future__ import annotations

import sys
import typing

from ._messages import Column, Message, Part, Remedy, Row, Setting, Value, did_you_mean

if typing.TYPE_CHECKING:
    from collections.abc import Iterable

    Kind = typing.TypeVar("Kind")


class _Worded(Exception):  # noqa: N818 - a base of errors and of warnings
    """A sentence of parts, and the fields that it names: errors and warnings have both."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(Message(*parts))

    @property
    def message(self) -> Message:
        """The sentence with its parts, which a front end may word in its own terms."""
        return self.args[0]

    @property
    def argument(self) -> str | None:
        """The first argument that the message names, such as ``"max_depth"``."""
        return None if (found := self._first(Setting)) is None else found.name

    @property
    def row(self) -> int | None:
        """The first row that the message names, counted from 0."""
        return None if (found := self._first(Row)) is None else found.index

    @property
    def column(self) -> str | None:
        """The first column that the message names, in full."""
        return None if (found := self._first(Column)) is None else found.name

    @property
    def value(self) -> object:
        """The value that cannot be used, or None if the message names none."""
        return None if (found := self._first(Value)) is None else found.value

    @property
    def remedy(self) -> str | None:
        """The clause of the message that states what to do."""
        return None if (found := self._first(Remedy)) is None else str(found)

    def _first(self, kind: type[Kind]) -> Kind | None:
        return next((part for part in self.message.all() if isinstance(part, kind)), None)


class BoxwoodError(_Worded):
    """Base class of all errors that boxwood raises.

    Attributes
    ----------
    argument, column, remedy : str or None
        The argument and the column that the message names, and the clause that states what to do.
    row : int or None
        The first row that the message names, counted from 0.
    value : object
        The value that cannot be used.

    Examples
    --------
    >>> import boxwood
    >>> try:
    ...     boxwood.CARTClassifier(max_depth=-1).fit([[1], [2]], ["no", "yes"])
    ... except boxwood.BoxwoodError as error:
    ...     print(type(error).__name__, "-", error)
    ParameterError - max_depth must be a whole number of at least 0 or None; got -1.
    >>> error.argument, error.value
    ('max_depth', -1)
    """


class ParameterError(BoxwoodError, ValueError):
    """Raised when a parameter is outside its allowed range; the message gives the range.

    See Also
    --------
    ParameterTypeError : the value has the wrong type.
    """


class ParameterTypeError(BoxwoodError, TypeError):
    """Raised when a parameter has the wrong type; the message gives the allowed types.

    See Also
    --------
    ParameterError : the value is out of range.
    """


class DataError(BoxwoodError, ValueError):
    """Raised when data cannot be used; the message names the argument, column, row and value, and says what to do.

    See Also
    --------
    DataTypeError : a container or value has an unsupported type.

    Examples
    --------
    >>> import boxwood
    >>> try:
    ...     boxwood.CARTClassifier().fit({"age": [20, 30, 40]}, ["no", None, "yes"])
    ... except boxwood.DataError as error:
    ...     print(error)
    Input y contains NaN. Row 1 (counted from 0) is the first of 1 without a value; missing_target='drop' drops them.
    """


class ColumnError(DataError):
    """Raised when columns are missing, extra, duplicated or cannot be distinguished.

    See Also
    --------
    DataError : base class of errors about data.
    """


class ResponseError(DataError):
    """Raised when the target y cannot be used.

    See Also
    --------
    DataError : base class of errors about data.
    """


class TextResponseError(ResponseError):
    """Raised when the target y of a regression holds text; a regressor also names the classifier to use.

    See Also
    --------
    ResponseError : the target cannot be used for another reason.
    """


class WeightError(DataError):
    """Raised when sample weights are negative, not finite, all zero or of the wrong length.

    See Also
    --------
    DataError : base class of errors about data.
    """


class MissingValueError(DataError):
    """Raised when a value is missing and ``missing="error"``.

    See Also
    --------
    UnseenLevelError : a level that did not occur in training.
    """


class UnseenLevelError(DataError):
    """Raised when a level did not occur in training and ``unseen="error"``.

    See Also
    --------
    UnseenLevelWarning : issued with other settings of ``unseen``.
    """


class DataTypeError(BoxwoodError, TypeError):
    """Raised when a container or a value has an unsupported type.

    See Also
    --------
    DataError : data of a supported type cannot be used.
    """


class FileError(BoxwoodError, ValueError, OSError):
    """Raised when a data file cannot be read or written; the message names the file, column and row.

    See Also
    --------
    ModelFileError : the content of a model file cannot be used.
    """


class ModelFileError(BoxwoodError, ValueError):
    """Raised when a model file is damaged, malicious, or written by a newer major version.

    See Also
    --------
    FileError : a file cannot be read or written.
    """


class ClusterError(BoxwoodError, RuntimeError):
    """Raised when a fit on a cluster cannot continue: workers were lost, or have another version of boxwood.

    See Also
    --------
    NotAvailableError : the package for the cluster is not installed.
    """


class RowsLostError(ClusterError):
    """Raised when a worker lost rows and read them again, but earlier results are missing; the driver recomputes them.

    See Also
    --------
    ClusterError : raised when this happens too often.
    """


class NotAvailableError(BoxwoodError, ImportError):
    """Raised when an optional package is required but not installed; the message names the extra to install.

    See Also
    --------
    BoxwoodError : base class of all errors.
    """


def check_one_of(name: str, value: object, choices: Iterable[str | None]) -> None:
    """Raise an error, which suggests the nearest choice, if the value of an argument is not one of the given choices.

    Examples
    --------
    >>> from boxwood.errors import ParameterError, check_one_of
    >>> try:
    ...     check_one_of("direction", ["up"], ("up", "down"))
    ... except ParameterError as error:
    ...     print(error)
    direction must be one of 'up', 'down'; got ['up'].
    """
    choices = tuple(choices)
    if not (value is None and None in choices) and not (isinstance(value, str) and value in choices):
        words = ", ".join(map(repr, choices))
        given, guess = Value(value, shortened(value)), did_you_mean(value, choices)
        raise ParameterError(Setting(name), f" must be one of {words}; got ", given, guess)


def must_be(name: str, allowed: str, value: object, end: str = ".") -> Message:
    """The message of an argument whose value is not allowed; a :class:`Value` is written as it is.

    Examples
    --------
    >>> from boxwood.errors import must_be
    >>> must_be("n_trees", "a whole number", "many")
    "n_trees must be a whole number; got 'many'."
    """
    given = value if isinstance(value, Value) else Value(value, shortened(value))
    return Message(Setting(name), " must be ", allowed, "; got ", given, end)


def shortened(value: object) -> str:
    """A value as a single line for messages, shortened if it is long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to write whole numbers of many thousand digits
        return "a number with very many digits"
    return text if len(text) <= 80 else text[:77] + "..."


class BoxwoodWarning(_Worded, UserWarning):
    """Base class of all warnings that boxwood issues; they have the fields of errors.

    Examples
    --------
    >>> import warnings
    >>> import boxwood
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", boxwood.BoxwoodWarning)
    ...     model = boxwood.CARTClassifier(pruning=None).fit({"size": ["9", "10"]}, ["no", "yes"])
    """


class UnseenLevelWarning(BoxwoodWarning):
    """Issued when rows contain levels that did not occur in training; the message counts them and says what was done.

    See Also
    --------
    UnseenLevelError : raised with ``unseen="error"``.
    """


class PruningWarning(BoxwoodWarning):
    """Issued when pruning was requested but is not possible; the message gives the reason.

    See Also
    --------
    CostComplexity : the settings of pruning.
    """


class KindWarning(BoxwoodWarning):
    """Issued when the detected kind of a column is doubtful; the message says how to declare the kind.

    Examples
    --------
    >>> import boxwood
    >>> issubclass(boxwood.errors.FormatWarning, boxwood.errors.BoxwoodWarning)
    True
    """


class FormatWarning(BoxwoodWarning):
    """Issued when the encoding of a text file was detected because no ``encoding`` was given.

    See Also
    --------
    BoxwoodWarning : base class of all warnings.
    """


class FontWarning(BoxwoodWarning):
    """Issued when a picture contains characters that no installed font has; the message lists them and says what to do.

    See Also
    --------
    BoxwoodWarning : base class of all warnings.
    """


_INSIDE = (__file__.removesuffix("errors.py"), "_callback_support.py")  # this package, scikit-learn's callbacks of fit


def level_outside() -> int:
    """The ``stacklevel`` with which a warning points to the calling line outside boxwood."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and any(part in frame.f_code.co_filename for part in _INSIDE):
        level, frame = level + 1, frame.f_back
    return level


def __dir__() -> list[str]:
    """The exceptions and warnings, without what the package needs to raise them."""
    return [name for name, thing in globals().items() if isinstance(thing, type) and issubclass(thing, Exception)]
