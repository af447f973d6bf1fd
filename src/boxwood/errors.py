"""The exception tree of boxwood: every error a user can meet, each also the built-in its callers expect.

BoxwoodError
├── ParameterError          (ValueError)      a setting outside its range
├── ParameterTypeError      (TypeError)       a setting of the wrong type
├── DataError               (ValueError)      data that cannot be used: names column, row, value
│   ├── ColumnError                           missing, extra, duplicate or ambiguous columns
│   ├── ResponseError                         the response y cannot be used
│   ├── WeightError                           sample weights cannot be used
│   ├── MissingValueError                     a missing value where the policy says "error"
│   └── UnseenLevelError                      a level not seen in training where the policy says "error"
├── DataTypeError           (TypeError)       a container or value of a kind that cannot be used
├── FileError               (ValueError, OSError)  a data file that cannot be read or written
├── ModelFileError          (ValueError)      a model file that is damaged, hostile or too new
└── NotAvailableError       (ImportError)     an optional package is needed

BoxwoodWarning (UserWarning)
├── UnseenLevelWarning                        rows held levels not seen in training; says how many
├── PruningWarning                            pruning asked for but impossible; says why
└── KindWarning                               a column kind that was found is doubtful; says what to do
"""

from __future__ import annotations


class BoxwoodError(Exception):
    """Root of every error raised by boxwood on purpose."""


class ParameterError(BoxwoodError, ValueError):
    """A setting has a value outside its allowed range; the message names the range."""


class ParameterTypeError(BoxwoodError, TypeError):
    """A setting has a value of the wrong type; the message names the allowed types."""


class DataError(BoxwoodError, ValueError):
    """Data cannot be used as they are; the message names argument, column, row, value and remedy."""


class ColumnError(DataError):
    """Columns are missing, extra, duplicated or cannot be told apart."""


class ResponseError(DataError):
    """The response y cannot be used."""


class WeightError(DataError):
    """Sample weights are negative, not finite, all zero or of the wrong length."""


class MissingValueError(DataError):
    """A value is missing where the missing-value policy is "error"."""


class UnseenLevelError(DataError):
    """A level was not seen in training and the policy for unseen levels is "error"."""


class DataTypeError(BoxwoodError, TypeError):
    """A container or a value is of a kind that cannot be used."""


class FileError(BoxwoodError, ValueError, OSError):
    """A data file cannot be read or written; the message names file, column and row."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ModelFileError(BoxwoodError, ValueError):
    """A model file is damaged, hostile, or written by a newer major version."""


class NotAvailableError(BoxwoodError, ImportError):
    """An optional package is needed; the message names the extra that installs it."""


class BoxwoodWarning(UserWarning):
    """Root of every warning given by boxwood."""


class UnseenLevelWarning(BoxwoodWarning):
    """Rows held levels not seen in training; the message counts them and says what was done."""


class PruningWarning(BoxwoodWarning):
    """Pruning was asked for but could not be done; the message says why."""


class KindWarning(BoxwoodWarning):
    """The kind found for a column is doubtful; the message says how to declare it."""
