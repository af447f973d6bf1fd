"""How the workers of a cluster read columns: by declared forms, and by those that all texts of a column have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..._messages import Setting, remedy
from ...data.columns.kind_warnings import dates_found, numbers_found, warn_of_decimals
from ...data.columns.raw import STRINGS
from ...data.columns.text_searches import TextSearch
from ...data.streams.row_rules import RowRules
from ...data.streams.survey import ColumnSummary
from ...errors import ParameterError
from ...growing.parts.layout import Layout, Roles
from .reading_rules import rules_of


def refuse_rules(settings: dict) -> None:
    """Refuse what workers do not do with the rows that they read.

    Raises
    ------
    ParameterError
    """
    for name, default in (("missing_values", None), ("missing_target", "error")):
        if settings.get(name, default) != default:
            raise ParameterError(
                Setting(name), " is not available on a cluster, whose workers read the values as stored. ",
                remedy("Change the data first, or fit without a client."),
            )  # fmt: skip


def rules_for_workers(layout: Layout, roles: Roles, task: str, settings: dict) -> RowRules:
    """How columns are declared to be read.

    Raises
    ------
    ColumnError, ParameterError, ParameterTypeError
        A declaration does not fit the data.
    """
    return replace(rules_of(layout.columns, roles, task, settings), written={}, numbers=frozenset())


def declared_forms(rules: RowRules) -> RowRules:
    """The rules of a first pass, in which columns that are declared numeric without a form are read as stored."""
    return replace(rules, numeric={name: form for name, form in rules.numeric.items() if form})


def with_found_forms(rules: RowRules, columns: Iterable[ColumnSummary]) -> RowRules:
    """The rules with the forms that surveyed texts have; warnings name those that are not declared."""
    searches: dict[str, TextSearch] = {}
    for column in columns:
        if column.form == STRINGS and rules.is_free(column.name):
            searches[column.name] = TextSearch()
            searches[column.name].add(column.counts)
    dates = dates_found({name: found.dates.forms() for name, found in searches.items() if name in rules.datable})
    numbers = {name: found.numbers for name, found in searches.items() if name not in dates}
    written = numbers_found({name: found for name, found in numbers.items() if name in rules.datable})
    declared = {name: numbers[name] for name in rules.numeric if name in numbers}
    warn_of_decimals({name: found for name, found in declared.items() if not found.forms()})
    written |= {name: found.forms()[0] for name, found in declared.items() if len(found.forms()) == 1}
    numeric = {name: form for name, form in rules.numeric.items() if form or name in declared}
    return replace(rules, forms=rules.forms | dates, written=written, numeric=numeric)
