"""A MARS model in other languages: a formula, Python, SQL, C and JSON, all with the same predictions."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import check_one_of
from .export_c import c_source
from .export_plain import formula, json_text
from .export_python import python_source
from .export_sql import sql_select
from .model import MARSModel


def export(model: MARSModel, format: str, table: str = "data") -> str:
    """A model as text in another language.

    Parameters
    ----------
    model : MARSModel
    format : {"formula", "python", "sql", "c", "json"}
        formula: to read, with all digits. python and c: functions ``predict`` and for classes ``predict_proba``. sql: a
        SELECT that adds predictions to a table. json: the parts of the model, as documented in docs/mars.md.
    table : str
        Name of the table in SQL.

    Returns
    -------
    str
        Numbers are written so that they are read back exactly. Missing values and levels that did not occur in
        training are treated as in ``predict``. Where ``predict`` raises an error, Python raises ValueError, SQL gives
        NULL and C gives NaN. Features that are in no term are not read.

    Raises
    ------
    ParameterError
        ``format`` is something else.
    """
    writers: dict[str, Callable[[MARSModel], str]] = {
        "formula": formula, "python": python_source, "sql": lambda m: sql_select(m, table), "c": c_source,
        "json": json_text,
    }  # fmt: skip
    check_one_of("format", format, writers)
    return writers[format](model)
