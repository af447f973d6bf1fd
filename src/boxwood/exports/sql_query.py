"""A model as one query: what the columns of a table hold, then stage by stage what follows from it."""

from __future__ import annotations

import re
from functools import cached_property

from .._messages import Column, remedy
from ..errors import ParameterError
from .model_plan import ModelPlan
from .sql_conditions import SqlConditions
from .sql_dialects import DIALECTS
from .sql_text import column_names, free_name


class Query:
    """Writes the query of one plan in one dialect; subclasses have the stages.

    Attributes
    ----------
    keys : list of str
        Columns of the table that are carried along.
    names : dict of int to str
        Feature -> its name in the query.
    predicted, probabilities, further : list of str
        Names of the columns of the answer.
    has_nodes : bool
        Whether the column of nodes comes before these.
    taken : set of str
        Names that are in use.
    mark : str
        What sets the names of stages apart from the name of the table.
    """

    has_nodes = False

    def __init__(self, plan: ModelPlan, options: dict):
        self.plan, self.sql, self.table = plan, DIALECTS[options["dialect"]](), options["table"]
        self.options = options
        self.keys = list(dict.fromkeys(options["key"]))
        schema = plan.schema
        self._refuse_twins([schema[j].name for j in plan.features])
        self.taken = taken = set(self.keys)
        self.names = {j: free_name(schema[j].name, taken) for j in plan.features}
        several = tuple(plan.parts) or (range(plan.width) if plan.width > 1 else ())
        self.predicted = self._free("predicted", several) or [free_name("predicted", taken)]
        of_each = zip(self._words("probability", tuple(plan.parts)), plan.parts.values(), strict=True)
        self.probabilities = self._free("probability", plan.labels)
        self.probabilities += [name for what, part in of_each for name in self._free(what, part.labels)]
        self.further = [free_name(name, taken) for name in plan.further]
        self.conditions = SqlConditions(plan, self.sql, self.names)
        self.conditions.check()
        self.mark = "_" if re.fullmatch(r"inputs|branches|stage_\d+", self.table[-1].lower()) else ""

    def _words(self, what: str, labels: tuple) -> list[str]:
        """Names of columns of classes or of responses that the database can write."""
        return [self.sql.nearest_name(*pair) for pair in column_names(what, labels)]

    def _free(self, what: str, labels: tuple) -> list[str]:
        """The same, as names that are not in use."""
        return [free_name(name, self.taken) for name in self._words(what, labels)]

    def _refuse_twins(self, names: list[str]) -> None:
        lower = [name.lower() for name in names]
        twins = [name for i, name in enumerate(names) if lower[i] in lower[:i]]
        if twins and self.sql.same_case:
            raise ParameterError(
                f"SQL for {self.sql.dialect} cannot tell the ", Column(twins[0], "column"), " from one whose name "
                "differs in upper and lower case only; ", remedy("rename the feature and fit again"), ".",
            )  # fmt: skip

    @property
    def row_key(self) -> str | None:
        """The first key that is not a feature."""
        features = {self.plan.schema[j].name for j in self.plan.features}
        return next((key for key in self.keys if key not in features), None)

    def with_row_key(self) -> Query:
        """The same query with one key more, that is not a feature."""
        taken = {*self.keys, *self.plan.schema.names}
        return type(self)(self.plan, self.options | {"key": (*self.keys, free_name("row", taken))})

    @cached_property
    def carried(self) -> list[str]:
        """The columns that every stage hands on: the keys, and the features."""
        return [self.sql.name(name) for name in [*self.keys, *self.names.values()]]

    def text(self) -> str:
        """The whole query."""
        stages = [self._read(), *self.stages()]
        names = [f"stage_{i}{self.mark}" if i else f"inputs{self.mark}" for i in range(len(stages))]
        words = [f"--   {self.conditions.words(j)}" for j in self.plan.features]
        head = ["-- Columns that are read, and what they must hold:", *words] if words else []
        lines = [f"-- {self.plan.heading()}", *head, "WITH", *self.before()]
        for i, (name, stage) in enumerate(zip(names, stages, strict=True)):
            lines += self.stage(name, self._from(stage, f"FROM {names[i - 1]}"))
        lines[-1] = lines[-1].removesuffix(",")
        ending = [f"SETTINGS {', '.join(self.settings())}"] if self.settings() else []
        return "\n".join([*lines, *self.answer(), f"FROM {names[-1]}", *ending, ""])

    def before(self) -> list[str]:
        """Lines of tables that are not made of the rows."""
        return []

    def settings(self) -> list[str]:
        """Settings that the query ends with."""
        return [self.sql.settings] if self.sql.settings else []

    def stages(self) -> list[list[str]]:
        """The lines of each stage; FROM means the stage before."""
        raise NotImplementedError

    def answer(self) -> list[str]:
        """The columns of the result."""
        raise NotImplementedError

    @staticmethod
    def _from(stage: list[str], source: str) -> list[str]:
        """The lines of a stage with its source filled in."""
        lines = [source if part == "FROM" else part for part in stage]
        if lines[-1].startswith("s LEFT JOIN"):
            lines[-2:] = [f"{source} {lines[-1]}"]
        return lines

    def stage(self, name: str, lines: list[str]) -> list[str]:
        """A stage by its name."""
        first = lines[0].replace("SELECT", f"SELECT{self.sql.hint}")
        body = "\n".join(f"  {line}" for line in [first, *lines[1:]])
        return [f"{name} AS{self.sql.materialized} (\n{body}\n),"]

    def _read(self) -> list[str]:
        """The keys, and the features as they are compared."""
        keys = [f"t.{self.sql.name(key)}" for key in self.keys]
        read = [f"{self.conditions.read(j, 't')} AS {self.sql.name(name)}" for j, name in self.names.items()]
        table = ".".join(map(self.sql.name, self.table))
        # A query must have a column, so a tree that tests nothing reads a constant.
        return ["SELECT", *listed([*keys, *read] or ["1 AS nothing"]), f"FROM {table} t"]


def column(lines: list[str], name: str) -> list[str]:
    """An expression of several lines as one column."""
    return ["\n    ".join([*lines[:-1], f"{lines[-1]} AS {name}"])]


def listed(columns: list[str]) -> list[str]:
    """Columns one below the other."""
    return [f"  {column}{',' * (i < len(columns) - 1)}" for i, column in enumerate(columns)]


def indented(lines: list[str]) -> list[str]:
    """Lines two signs further right."""
    return [f"  {line}" for line in lines]
