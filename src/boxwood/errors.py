"""The exceptions of boxwood: every error that can reach a user, each also a built-in that its callers expect.

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
├── UnseenLevelWarning                        rows held levels not seen in training; gives their number
├── PruningWarning                            pruning requested but impossible; gives the reason
├── FormatWarning                             the encoding of a text file was detected, not given
├── KindWarning                               a column kind that was found is doubtful; gives the remedy
└── FontWarning                               no installed font has some characters of a picture; gives the remedy
"""

from __future__ import annotations

import sys
import typing

from . import _messages, _spelling

if typing.TYPE_CHECKING:
    from collections.abc import Iterable


class BoxwoodError(_messages.Worded):
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
    ...     print(error.argument, error.value)
    ParameterError - max_depth must be a whole number of at least 0 or None; got -1.
    max_depth -1
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
    """Raised when data cannot be used; the message names the argument, column, row, value and remedy.

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
        hint = _spelling.did_you_mean(value, choices)
        raise ParameterError(_messages.must_be(name, f"one of {words}", value, hint))


class BoxwoodWarning(_messages.Worded, UserWarning):
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
    """Issued when rows contain levels that did not occur in training; the message gives their number and what was done.

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
    """Issued when the detected kind of a column is doubtful; the message shows how to declare the kind.

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
    """Issued when a picture contains characters that no installed font has; the message lists them, with the remedy.

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
