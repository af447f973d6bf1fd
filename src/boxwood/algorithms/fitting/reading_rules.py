"""How the columns of a source are read, by the settings of a fit."""

from __future__ import annotations

from ...data.columns.declared_readings import orders_of_columns
from ...data.columns.learned_features import refuse_twice
from ...data.columns.missing_codes import codes_of_columns, numeric_columns
from ...data.columns.names import declared_nominal
from ...data.columns.time_texts import forms_of_columns
from ...data.streams.row_rules import RowRules
from ...growing.parts.layout import Roles


def rules_of(names: list[str], roles: Roles, task: str, settings: dict) -> RowRules:
    """Codes for missing values and rows to leave out, for data with columns of these names.

    Raises
    ------
    ColumnError, ParameterError, ParameterTypeError
        ``missing_values`` does not fit the data.
    """
    codes = codes_of_columns(settings.get("missing_values"), names)
    listed = settings.get("categorical_features", "from_dtype")
    by_type = listed is None or (isinstance(listed, str) and listed == "from_dtype")
    aside = {roles.target, roles.weight, roles.exposure, *roles.drop}
    features = [name for name in names if name not in aside]
    nominal = set() if by_type else {features[j] for j in declared_nominal(listed, features, named=True)}
    nominal |= {roles.target} if task == "classification" else set()
    needed = roles.target if settings.get("missing_target") == "drop" and roles.target in names else None
    numeric = numeric_columns(settings.get("numeric_features"), features)
    forms = forms_of_columns(settings.get("date_formats"), features)
    orders = orders_of_columns(settings.get("ordinal_features"), features)
    for name in features:
        refuse_twice([name], numeric, forms, orders, {0} if name in nominal else ())
    datable = frozenset(features) - nominal - set(numeric) - set(forms) - set(orders)
    amounts = frozenset(names) & {roles.weight, roles.exposure, *({roles.target} - nominal)}
    return RowRules(
        codes, frozenset(nominal), needed=needed, numeric=numeric, forms=forms, datable=datable, orders=orders,
        amounts=amounts,
    )  # fmt: skip
