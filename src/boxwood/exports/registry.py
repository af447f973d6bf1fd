"""The formats a tree can be written in: one line per format; its module is imported on use."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .._messages import Setting, Value, must_be, remedy
from ..errors import ParameterError, ParameterTypeError, check_one_of

#: The largest number that an option can be.
MOST = 1000


@dataclass(frozen=True)
class Option:
    """A setting that a format has.

    Attributes
    ----------
    name : str
    help : str
        One line.
    default : str, tuple or int
        A tuple for an option that takes several names, a number for one that counts.
    choices : tuple of str
        Empty: any text.
    aliases : dict of str to str
        Other names of choices.
    """

    name: str
    help: str
    default: str | tuple[str, ...] | int = ""
    choices: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)

    def checked(self, value):
        """The value, checked.

        Raises
        ------
        ParameterTypeError, ParameterError
            Not a text (or texts), or none of the choices.
        """
        if isinstance(self.default, tuple):
            value = (value,) if isinstance(value, str) else value
            if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
                raise ParameterTypeError(must_be(self.name, "a text or a list of texts", value))
            return tuple(value)
        if isinstance(self.default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                raise ParameterTypeError(must_be(self.name, "a whole number", value))
            if not 1 <= value <= MOST:
                raise ParameterError(must_be(self.name, f"from 1 to {MOST}", value))
            return value
        if not isinstance(value, str):
            raise ParameterTypeError(must_be(self.name, "a text", value))
        value = self.aliases.get(value, value)
        if self.choices and value not in self.choices:
            known = ", ".join(map(repr, (*self.choices, *self.aliases)))
            raise ParameterError(must_be(self.name, f"one of {known}", value))
        return value


@dataclass(frozen=True)
class Format:
    """A format a model can be written in.

    Its module has ``write(plan, options) -> str or bytes`` and, when there is an engine that runs the result,
    ``run(content, plan, rows, options) -> (Answers, name of the engine)``; ``rows`` is a
    :class:`.raw_rows.RawRows`, ``options`` a dictionary.

    Attributes
    ----------
    name, module : str
        The module is a file of this package, or the whole name of another one.
    what : str
        One line for people.
    suffixes : tuple of str
        Endings of file names; the first is the usual one.
    options : tuple of Option
    close : float
        How far numbers may be apart; 0 where they are equal bit for bit.
    """

    name: str
    module: str
    what: str
    suffixes: tuple[str, ...]
    options: tuple[Option, ...] = ()
    close: float = 0.0

    @property
    def writes_further(self) -> bool:
        """Whether it holds what a node predicts besides its value."""
        return self.name in _WRITES_FURTHER

    @property
    def writes_several(self) -> bool:
        """Whether it holds several responses."""
        return self.name in _WRITES_SEVERAL

    @property
    def takes_any(self) -> bool:
        """Whether its engine can be given values of a wrong type, which it must refuse as ``predict`` does."""
        return self.name in _TAKES_ANY

    def load(self):
        """The module."""
        return importlib.import_module(self.module if "." in self.module else f".{self.module}", __package__)

    def settings(self, given: dict) -> dict:
        """All options of the format: as given, else their defaults.

        Raises
        ------
        ParameterError, ParameterTypeError
            An option that the format does not have, or a value it cannot have.
        """
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                has = f"its options are {', '.join(known)}" if known else "it has no options"
                raise ParameterError(Setting(name), f" is not an option of the format {self.name!r}; {has}.")
        return {name: option.checked(given.get(name, option.default)) for name, option in known.items()}


#: Databases whose SQL can be written; the first three can also be run by ``verify``.
DIALECTS = (
    "duckdb", "sqlite", "postgres", "mysql", "sqlserver", "bigquery", "snowflake", "oracle", "databricks", "clickhouse",
)  # fmt: skip
#: Other names: of SQL Server's language, of the engine of Databricks, of PostgreSQL.
DIALECT_ALIASES = {"tsql": "sqlserver", "spark": "databricks", "postgresql": "postgres"}

_SQL = (
    Option("dialect", "the database", "duckdb", DIALECTS, DIALECT_ALIASES),
    Option("table", "the table that is read; several names for a table in a schema", ("data",)),
    Option("key", "columns of the table that are carried along; by default the features that the tree tests", ()),
)

_XLSX = (Option("cases", "how many rows can be typed in", 20),)

_MISSING = Option("missing", "as_tree, or never: no row has missing values", "as_tree", ("as_tree", "never"))
_LEVELS = Option("levels", "levels by number, or as columns of 0 and 1", "codes", ("codes", "indicators"))

_C = (Option("prefix", "what the names of the functions begin with"),)

#: Formats whose programs are given any value; the others read the types they declare.
_TAKES_ANY = {"sql", "python", "js", "r", "json"}

#: Formats that hold all fields of a prediction.
_WRITES_FURTHER = {"sql", "python", "json"}

#: Formats that hold several responses.
_WRITES_SEVERAL = {"sql", "python", "json"}

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("sql", "sql", "one query that predicts every row of a table", (".sql",), _SQL),
        Format("python", "python", "a Python module that needs nothing but Python", (".py",)),
        Format("c", "c", "C99 source that needs nothing but the C library", (".c", ".h"), _C),
        Format("js", "javascript", "JavaScript that needs nothing, for browsers and Node.js", (".js", ".cjs")),
        Format("r", "r", "R source that needs nothing but R", (".r",)),
        Format("json", "json_tree", "all of the tree, with a published schema; boxwood.from_json reads it", (".json",)),
        Format("dot", "dot", "a drawing for Graphviz", (".dot", ".gv")),
        Format("xlsx", "xlsx", "a workbook that predicts what is typed into it", (".xlsx",), _XLSX, 1e-14),
        Format("pmml", "pmml", "PMML 4.4, for scoring engines, SAS, SPSS, KNIME", (".pmml",)),
        Format("dmn", "dmn", "a DMN 1.3 decision table, for rule engines", (".dmn",)),
        Format("onnx", "onnx_model", "an ONNX model in float64, for onnxruntime", (".onnx",)),
        Format(
            "treelite", "treelite_bridge", "a model for treelite's compilers and GPU library", (".tl",), (_MISSING,)
        ),
        Format(
            "sklearn",
            "sklearn_bridge",
            "a pickle of a fitted tree of scikit-learn",
            (".pkl", ".joblib"),
            (_MISSING, _LEVELS),
            1e-12,
        ),
    )
}


def format_of(name: str | None, path=None, formats: Mapping[str, Format] = FORMATS, what: str = "tree") -> Format:
    """The format of this name; without one, the one of the ending of a file's name.

    Parameters
    ----------
    name : str or None
    path : path, optional
    formats : dict of str to Format
        Those that the model can be written in.
    what : str
        What the model is called in messages.

    Raises
    ------
    ParameterError, ParameterTypeError
        There is no such format, or the ending names none; or an argument is not text.
    """
    for argument, given, known in (("format", name, str), ("path", path, (str, os.PathLike))):
        if given is not None and not isinstance(given, known):
            allowed = f"text{' or a path' * (argument == 'path')}"
            raise ParameterTypeError(must_be(argument, allowed, Value(given, type(given).__name__)))
    if name is None:
        ending = Path(path).suffix.lower() if path is not None else ""
        found = next((form for form in formats.values() if ending in form.suffixes), None)
        if found is None:
            problem = f"no format has the suffix {ending!r}" if ending else "there is no file name to read it from"
            raise ParameterError(Setting("format"), f" must be one of {', '.join(map(repr, formats))}; {problem}.")
        return found
    if name in FORMATS.keys() - formats.keys():
        known = ", ".join(map(repr, formats))
        raise ParameterError(
            f"a {what} cannot be written in the format ", Value(name), "; ",
            remedy(Setting("format"), f" must be one of {known}"), ".",
        )  # fmt: skip
    check_one_of("format", name, formats)
    return formats[name]
