"""How a command reads its data files: its options, combined with those stored in a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .wording import quoted_list, quoted_values

if TYPE_CHECKING:
    from ..data.columns.schema import Schema
    from ..data.files.csv_tables import CsvFields
    from ..data.files.opened import Form

#: Settings of reading, and the options that set them.
READING = {
    "missing_values": "--missing-values", "missing_target": "--missing-target", "encoding": "--encoding",
    "sheet": "--sheet", "skip_rows": "--skip-rows", "header_rows": "--header-rows",
    "user_missing": "--user-missing",
    "numeric_features": "--numeric-features", "date_formats": "--date-formats",
    "ordinal_features": "--ordinal-features",
}  # fmt: skip
#: Options of every command that reads a data file, and of those that read a response there.
OF_TABLES = ("--missing-values", "--encoding", "--sheet", "--skip-rows", "--header-rows", "--user-missing")
OF_RESPONSES = (*OF_TABLES, "--missing-target")
_KEY = "boxwood.cli.tables"


@dataclass(frozen=True)
class ReadOptions:
    """The options of a command for its data files.

    Attributes
    ----------
    missing_values : tuple of str
        Values of --missing-values.
    missing_target : str or None
    encoding : str or None
    sheet : str or None
    skip_rows, header_rows : int or None
    user_missing : str or None
    numeric : tuple of str
        Values of --numeric-features.
    dates : tuple of str
        Values of --date-formats.
    ordinal : tuple of str
        Values of --ordinal-features.
    """

    missing_values: tuple[str, ...] = ()
    missing_target: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    skip_rows: int | None = None
    header_rows: int | None = None
    user_missing: str | None = None
    numeric: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    ordinal: tuple[str, ...] = ()

    def forms(self, names: Sequence[str]) -> dict[str, str]:
        """The setting ``date_formats`` for a table with columns of these names.

        Raises
        ------
        click.UsageError
            A value of --date-formats begins with the name of no column.

        Examples
        --------
        >>> from boxwood.cli.tables import ReadOptions
        >>> ReadOptions(dates=("born=%d/%m/%Y", "a=b=iso")).forms(["born", "a", "a=b"])
        {'born': '%d/%m/%Y', 'a=b': 'iso'}
        """
        return dict(_of_column("--date-formats", "FORMAT", value, names) for value in self.dates)

    def orders(self, names: Sequence[str]) -> dict[str, list[str]]:
        """The setting ``ordinal_features`` for a table with columns of these names.

        Raises
        ------
        click.UsageError
            A value of --ordinal-features begins with the name of no column.

        Examples
        --------
        >>> from boxwood.cli.tables import ReadOptions
        >>> ReadOptions(ordinal=("q1=low<mid<high", "q2,q3=1<2")).orders(["q1", "q2", "q3"])
        {'q1': ['low', 'mid', 'high'], 'q2': ['1', '2'], 'q3': ['1', '2']}
        """
        found = {}
        for value in self.ordinal:
            columns, mark, levels = value.partition("=")
            several = columns.split(",")
            if not (mark and columns not in names and set(several) <= set(names)):
                name, levels = _of_column("--ordinal-features", "LOW<HIGH", value, names)
                several = [name]
            found |= {name: [level.strip() for level in levels.split("<")] for name in several}
        return found

    @property
    def form(self) -> Form:
        """How files are read as tables."""
        from ..data.files.opened import Form

        return Form(self.encoding, self.sheet, self.skip_rows, self.header_rows, self.user_missing)

    def numeric_features(self, names: Sequence[str]) -> list[str] | dict[str, str | None] | None:
        """The setting ``numeric_features`` for a table with columns of these names.

        Examples
        --------
        >>> from boxwood.cli.tables import ReadOptions
        >>> ReadOptions(numeric=("a,b",)).numeric_features(["a", "b"])
        ['a', 'b']
        >>> ReadOptions(numeric=("a", "b=1.234,5 €")).numeric_features(["a", "b"])
        {'a': None, 'b': '1.234,5 €'}
        """
        found: dict[str, str | None] = {}
        for value in self.numeric:
            name = _column_before(value, names)
            if name is None:
                found |= dict.fromkeys(name.strip() for name in quoted_list(value) if name.strip())
            else:
                found[name] = value[len(name) + 1 :]
        return found if any(found.values()) else list(found) or None

    def codes(self, names: Sequence[str]) -> list | dict | None:
        """The setting ``missing_values`` for a table with columns of these names.

        Examples
        --------
        >>> from boxwood.cli.tables import ReadOptions
        >>> ReadOptions(("?,.",)).codes(["age"]), ReadOptions(("?", "age=-9")).codes(["age", "sex"])
        (['?', '.'], {'age': ['?', '-9'], 'sex': ['?']})
        >>> ReadOptions(('"1.008,28 €",?',)).codes(["age"])
        ['1.008,28 €', '?']
        """
        of_all: list[str] = []
        of_one: dict[str, list[str]] = {}
        for value in self.missing_values:
            into = of_all
            for first, second in quoted_values(value):
                if second is not None and first in names:
                    into = of_one.setdefault(first, [])
                    into.append(second)
                else:
                    into.append(first if second is None else f"{first}={second}")
        if not of_one:
            return of_all or None
        joint = {name: of_all + of_one.get(name, []) for name in names}
        return {name: codes for name, codes in joint.items() if codes}


def _of_column(option: str, what: str, value: str, names: Sequence[str]) -> tuple[str, str]:
    """The column that a value of an option begins with, and what follows."""
    name = _column_before(value, names)
    if name is None:
        raise click.UsageError(f"{option} {value}: give COLUMN={what}, with the name of a column of the file")
    return name, value[len(name) + 1 :]


def _column_before(value: str, names: Sequence[str]) -> str | None:
    """The column of an option COLUMN=...; None without one."""
    return max((name for name in names if value.startswith(f"{name}=")), key=len, default=None)


def read_options() -> ReadOptions:
    """The reading options of the running command."""
    context = click.get_current_context(silent=True)
    return ReadOptions() if context is None else context.meta.get(_KEY, ReadOptions())


def _keep(context: click.Context, option: click.Parameter, value) -> None:
    if value is not None and value != ():
        context.meta[_KEY] = replace(context.meta.get(_KEY, ReadOptions()), **{option.name: value})


def reads_tables(command: Callable) -> Callable:
    """Add the options of every command that reads a data file."""
    for option in (
        click.option(
            "--user-missing", type=click.Choice(["missing", "levels"]), expose_value=False, callback=_keep,
            help="User-missing codes in SPSS, Stata and SAS files: missing (default), or levels of nominal columns.",
        ),
        click.option(
            "--header-rows", type=click.IntRange(0), metavar="N", expose_value=False, callback=_keep,
            help="Rows of column names, which are joined; 0: none, so that columns are column_1 ... Default: detected.",
        ),
        click.option(
            "--skip-rows", type=click.IntRange(0), metavar="N", expose_value=False, callback=_keep,
            help="Lines of text, or rows of a sheet, above the column names. Default: detected.",
        ),
        click.option(
            "--sheet", metavar="NAME|N", expose_value=False, callback=_keep,
            help="Sheet of a workbook, or data frame of an R file, by name or number. Default: the first.",
        ),
        click.option(
            "--encoding", metavar="NAME", expose_value=False, callback=_keep,
            help="Encoding of text files, such as gb18030, shift_jis or latin-1. Default: detected.",
        ),
        click.option(
            "--missing-values", multiple=True, metavar="A,B", expose_value=False, callback=_keep,
            help="Values that mean missing, such as '?,.,-999', 'age=-1,?' for one column, or '\"1,5\"' with a comma.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def reads_responses(command: Callable) -> Callable:
    """Add the options of every command that reads a data file with a response."""
    return click.option(
        "--missing-target", type=click.Choice(["error", "drop"]), expose_value=False, callback=_keep,
        help="Treatment of rows with a missing target. Default: error, or as in the fit.",
    )(reads_tables(command))  # fmt: skip


def learns_tables(command: Callable) -> Callable:
    """Add the options of every command that learns from a data file."""
    command = click.option(
        "--date-formats", "dates", multiple=True, metavar="COLUMN=FORMAT", expose_value=False, callback=_keep,
        help="Format of dates or times in a text column: 'opened=%d/%m/%Y' or 'opened=iso'. Default: detected.",
    )(command)  # fmt: skip
    command = click.option(
        "--ordinal-features", "ordinal", multiple=True, metavar="A=LOW<HIGH", expose_value=False, callback=_keep,
        help="Ordinal columns with their levels in order: 'size=S<M<L', or 'q1,q2=1<2<3' for several.",
    )(command)  # fmt: skip
    return click.option(
        "--numeric-features", "numeric", multiple=True, metavar="A,B", expose_value=False, callback=_keep,
        help="Text columns to read as numbers: names, or 'price=1.234,5 €', the number 1234.5 as the column writes it.",
    )(reads_responses(command))  # fmt: skip


def drops_rows(settings: Mapping) -> bool:
    """Whether rows without a response are left out."""
    return (read_options().missing_target or settings.get("missing_target")) == "drop"


def fields_of_model(model, names: Sequence[str] | None = None, own_codes: bool = True) -> tuple[CsvFields, Schema]:
    """How the columns of a file are read for a model, and its schema with the codes of the options added.

    Parameters
    ----------
    model : Model
    names : sequence of str, optional
        Columns that --missing-values may name beside those of the model.
    own_codes : bool
        Whether the codes that the model remembers for its features are codes of the fields, too.
    """
    from ..data.columns.missing_codes import codes_of_columns
    from ..data.columns.number_forms import FormSearch
    from ..data.columns.schema import NUMERIC
    from ..data.files.csv_tables import CsvFields
    from ..data.files.delimited import BLANKS

    responses = {one.name: one.labels for one in model.responses} or {model.response_name: model.labels}
    known = list(dict.fromkeys([*model.schema.names, *responses, *(names or ())]))
    more = codes_of_columns(read_options().codes(known), known)
    remembered = model.settings.get("missing_values")
    if isinstance(remembered, Mapping):
        remembered = {name: codes for name, codes in remembered.items() if name in responses} or None
    codes = {f.name: f.missing_values for f in model.schema if own_codes} | codes_of_columns(
        remembered, list(responses)
    )
    codes = {name: tuple(dict.fromkeys((*codes.get(name, ()), *more.get(name, ())))) for name in known}
    codes = {name: found for name, found in codes.items() if found}
    values = {f.name: f.levels for f in model.schema if f.levels} | responses
    text = {name for name, levels in values.items() if levels and all(isinstance(v, str) for v in levels)}
    text |= {f.name for f in model.schema if f.type.form is not None}
    numbers = {f.name for f in model.schema if f.kind == NUMERIC} | {
        name for name, labels in responses.items() if not labels
    }
    blanks = {name for name in text if any(level != level.strip(BLANKS) for level in values.get(name, ()))}
    whole = (f.name for f in model.schema if f.kind_name == NUMERIC and f.integer and f.written is None)
    decimals = {name: FormSearch() for name in whole}
    fields = CsvFields(codes, frozenset(text), frozenset(numbers), frozenset(blanks), decimals=decimals)
    return fields, model.schema.with_codes(codes) if more else model.schema
