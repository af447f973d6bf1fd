"""Files of SPSS, Stata and SAS as Arrow tables, by pyreadstat: labels become levels, user-missing codes missing."""

from __future__ import annotations

import datetime
import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from ..._free_memory import raise_if_ran_out
from ..._messages import Message, Setting, remedy
from ...errors import FileError, FormatWarning, NotAvailableError, level_outside
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, one_line
from .file_kinds import SAS, SAS_TRANSPORT, SPSS, SPSS_PORTABLE, STATA, R
from .opened import Form
from .r_files import read_r
from .typed_files import as_whole

_READERS = {
    SPSS: "read_sav", SPSS_PORTABLE: "read_por", STATA: "read_dta", SAS: "read_sas7bdat", SAS_TRANSPORT: "read_xport",
}  # fmt: skip
_WITH_USER_MISSING = (SPSS, STATA, SAS)
_TIMES = (datetime.date, datetime.time, datetime.timedelta)
#: Measurement levels of SPSS.
_NOMINAL, _ORDINAL, _SCALE = "nominal", "ordinal", "scale"


@dataclass(frozen=True)
class Variable:
    """What a file holds about a column beside its values.

    Attributes
    ----------
    labels : dict
        Code -> label.
    measure : str
        Measurement level: "nominal", "ordinal", "scale", or another word where the file has none.
    missing : tuple of (low, high)
        Ranges of user-missing codes.
    """

    labels: dict
    measure: str
    missing: tuple[tuple, ...] = ()

    def is_missing(self, code) -> bool:
        """Whether a code is user-missing."""
        return any(type(code) is type(low) and low <= code <= high for low, high in self.missing)

    def labels_all(self, codes: set) -> bool:
        """Whether several of some codes are known, and all of these have labels."""
        known = {code for code in codes if not self.is_missing(code)}
        return len(known) > 1 and known <= set(self.labels)


def read_statistical(data: bytes, kind: str, name: str, form: Form):
    """A file of another statistics program as a table (:mod:`.r_files` for R).

    Columns of nominal and ordinal measurement level, and those whose values all have labels, become categories: the
    labels, in the order of their codes, and the code itself where there is no label. All others are numbers, text,
    dates and times.

    Parameters
    ----------
    data : bytes
    kind : str
        One of :data:`.file_kinds.STATISTICAL`, or R.
    name : str
        What messages call the file.
    form : Form
        The encoding; and whether user-missing codes are missing or levels of nominal columns.

    Raises
    ------
    FileError
        It cannot be read.
    NotAvailableError
        pyreadstat is not installed.
    """
    if kind == R:
        return read_r(data, name, form)
    pa = need_pyarrow()
    columns, facts = _parsed(data, kind, name, form)
    keeps, with_labels, arrays = form.user_missing == "levels", [], []
    with_codes: dict[str, bool] = {}
    for column, values in columns.items():
        variable = _variable(facts, column)
        found = set(values) - {None}
        if any(map(variable.is_missing, found)):
            with_codes[column] = _may_keep(found, variable)
        if variable.measure == _SCALE and variable.labels_all(found):
            with_labels.append(column)
        arrays.append(_array(list(values), found, variable, keeps))
    if with_codes and form.user_missing is None:
        _tell_of_missing(with_codes, name)
    if with_labels:
        _tell_of_labels(with_labels, name)
    return pa.table(arrays, names=list(columns))


def _parsed(data: bytes, kind: str, name: str, form: Form):
    """The columns as lists, and what the file holds about them."""
    try:
        import pyreadstat
    except ImportError as error:
        raise NotAvailableError(
            f"{name} is {kind}, which pyreadstat reads; install it with: pip install pyreadstat (or boxwood with its "
            "extra statistics), or save the table as CSV."
        ) from error
    options: dict = {"output_format": "dict"}
    if form.encoding is not None and kind != SPSS_PORTABLE:
        options["encoding"] = form.encoding
    if kind in _WITH_USER_MISSING:
        options["user_missing"] = True
    try:
        return getattr(pyreadstat, _READERS[kind])(io.BytesIO(data), **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError) as error:
        raise_if_ran_out(error)
        raise FileError(f"{name} starts like {kind} but cannot be read as one: {one_line(error)}.") from error


def _variable(facts, column: str) -> Variable:
    """What a file holds about one column."""
    letters = ((code, code) for code in facts.missing_user_values.get(column, ()))
    ranges = ((r["lo"], r["hi"]) for r in facts.missing_ranges.get(column, ()))
    labels = facts.variable_value_labels.get(column, {})
    return Variable(labels, facts.variable_measure.get(column, ""), (*ranges, *letters))


def _array(values: list, found: set, variable: Variable, keeps: bool):
    """The values of a column as one Arrow array."""
    pa = need_pyarrow()
    lost = {code for code in found if variable.is_missing(code)}
    known = found - lost - {""}
    if _are_levels(known, variable):
        kept = lost if keeps and _may_keep(found, variable) else set()
        return _categories(values, known | kept, variable)
    lost.add("")
    plain = pa.array([None if value in lost else value for value in values], from_pandas=True)
    return as_whole(plain)


def _may_keep(found: set, variable: Variable) -> bool:
    """Whether user-missing codes can be levels of a column: it is nominal."""
    known = {code for code in found if code != "" and not variable.is_missing(code)}
    return variable.measure not in (_ORDINAL, _SCALE) and _are_levels(known, variable)


def _are_levels(known: set, variable: Variable) -> bool:
    """Whether a column holds codes of categories."""
    if any(isinstance(value, _TIMES) for value in known):
        return False
    if any(isinstance(value, str) for value in known):
        return bool(variable.labels) or variable.measure == _ORDINAL
    if variable.measure in (_NOMINAL, _ORDINAL):
        return True
    return variable.measure != _SCALE and bool(variable.labels) and known <= set(variable.labels)


def _categories(values: list, known: set, variable: Variable):
    """Codes as the levels that their labels are, in the order of the codes; codes that are not known are missing."""
    pa = need_pyarrow()
    labelled = {code for code in variable.labels if not variable.is_missing(code)}
    codes = sorted(known | labelled, key=lambda code: (isinstance(code, str), code))
    position = {code: i for i, code in enumerate(codes)}
    indices = pa.array([position.get(value) for value in values], pa.int32())
    levels = _unique([str(variable.labels.get(code, "")).strip() or _shown(code) for code in codes], codes)
    return pa.DictionaryArray.from_arrays(indices, pa.array(levels, pa.string()), ordered=variable.measure == _ORDINAL)


def _unique(levels: Sequence[str], codes: list) -> list[str]:
    """The levels, with their codes where several have the same label."""
    twice = {level for level in levels if levels.count(level) > 1} if len(set(levels)) < len(levels) else set()
    return [f"{level} ({_shown(code)})" if level in twice else level for level, code in zip(levels, codes, strict=True)]


def _shown(code) -> str:
    """A code as text; whole numbers without a decimal point."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _tell_of_labels(columns: list[str], name: str) -> None:
    """A note that columns are numbers by their measurement level, though their values have labels."""
    are = "has labels for all values, but its" if len(columns) == 1 else "have labels for all values, but their"
    words = f"{name}: {listed(columns)} {are} measurement level is scale: the codes are read as numbers; "
    advice = remedy("set it to nominal or ordinal where the labels are categories.")
    warnings.warn(Message(words, advice), FormatWarning, stacklevel=level_outside())


def _tell_of_missing(columns: dict[str, bool], name: str) -> None:
    """A note that user-missing codes are missing values, and in which columns they can be levels."""
    words = f"{name}: the user-missing codes in {listed(list(columns))} are read as missing"
    nominal = [column for column, may_keep in columns.items() if may_keep]
    keep = (
        ("; ", Setting("user_missing", "levels"), f" makes those in {listed(nominal)} levels.") if nominal else (".",)
    )
    note = Message(words, *keep)
    warnings.warn(note, FormatWarning, stacklevel=level_outside())
