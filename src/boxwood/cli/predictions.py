"""Predictions as tables, their summary, and the sentence about missing and unseen values."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as compute

from .._messages import Message
from ..data.columns.columns import Columns
from ..data.frames.beside import check_apart
from ..model.protocol import Model
from ..model.unseen import UnseenLevels, unseen_sentence
from ..views.score_columns import ScoreOptions
from .new_rows import NewRows


class Scores:
    """Predictions of rows that come table by table, and what is counted on the way.

    Parameters
    ----------
    model : Model
    requested : ScoreOptions
    prefix : str
        Put before the names of the columns of predictions.

    Attributes
    ----------
    rows : int
        How many were predicted.
    """

    def __init__(self, model: Model, requested: ScoreOptions, prefix: str = ""):
        self._model, self._requested, self._prefix = model, requested, prefix
        self.rows, self._reached, self._unseen = 0, Counter(), UnseenLevels()
        self._labels: Counter = Counter()
        self._ends: list[float] = []

    def table(self, rows: NewRows) -> pa.Table:
        """The columns kept of some rows, and their predictions: the prediction, then those that were requested."""
        model, columns = self._model, rows.columns
        found = model.score(columns, self._requested)
        named = found.named(model.response_name, model.labels)
        new = [(f"{self._prefix}{name}", values) for name, values in named]
        check_apart(rows.kept.column_names, [name for name, _ in new])
        arrays = [self._array(values) for _, values in new]
        self._count(columns, arrays[0], found.met)
        return pa.table([*rows.kept.columns, *arrays], names=[*rows.kept.column_names, *(name for name, _ in new)])

    def _array(self, values) -> pa.Array:
        """A column of predictions, of the same type in every table."""
        if values.dtype.kind in "iuf":
            return pa.array(values)
        kind = None if values.dtype.kind == "b" else pa.string()
        return pa.array(values.tolist(), kind if all(isinstance(v, str) for v in self._model.labels) else None)

    def _count(self, columns: Columns, predicted: pa.Array, met: dict[str, int]) -> None:
        self.rows += columns.n
        self._reached.update(met)
        self._unseen = self._unseen.and_of(UnseenLevels.of(columns))
        if pa.types.is_floating(predicted.type):
            self._ends = [end for end in (*self._ends, *compute.min_max(predicted).as_py().values()) if end is not None]
        else:
            self._labels.update({str(v["values"]): v["counts"] for v in compute.value_counts(predicted).to_pylist()})

    def facts(self, file: str, notes: list[str]) -> dict:
        """The summary of all predictions: how many of each."""
        notes = [*notes, *_unseen_notes(self._unseen.sentence(self._model.schema, _policy(self._model)))]
        facts = {"data": file, "rows": self.rows, "notes": notes}
        if self._ends:
            from ..views.words import amount

            name = f"{self._prefix}{self._model.response_name}"
            facts["summary"] = f"{name} from {amount(min(self._ends))} to {amount(max(self._ends))}"
        else:
            counts = dict(sorted(self._labels.items()))
            words = ", ".join(f"{label} {count:,}" for label, count in counts.items())
            facts |= {"counts": counts, "summary": words}
        return facts | {"met": dict(self._reached), "unseen_rows": self._unseen.rows}


class TablesInMemory:
    """Tables that are kept for the JSON of a command."""

    def __init__(self) -> None:
        self._tables: list[pa.Table] = []

    def write(self, table: pa.Table) -> None:
        """Add a table."""
        self._tables.append(table)

    def to_pydict(self) -> dict[str, list]:
        """The columns of all tables."""
        return pa.concat_tables(self._tables, promote_options="permissive").to_pydict()


#: What rows can reach on their path, in words.
_REACHED = {
    "missing": "met a missing value",
    "unseen": "met a level not seen at the node in training",
    "surrogate": "were routed by a surrogate",
    "stayed": "stayed at an inner node",
    "shared": "were divided among branches",
}


def reached_words(reached: dict[str, int]) -> str:
    """Missing and unseen values that rows reached, as a sentence; "" when every value was known.

    Examples
    --------
    >>> from boxwood.cli.predictions import reached_words
    >>> reached_words({"missing": 3, "unseen": 0, "surrogate": 2, "stayed": 0, "shared": 0})
    'Rows that met a missing value: 3, were routed by a surrogate: 2.'
    """
    words = [f"{_REACHED[name]}: {count}" for name, count in reached.items() if count]
    return f"Rows that {', '.join(words)}." if words else ""


def unseen_notes(model, columns: Columns) -> list[str]:
    """The note about levels that did not occur in training, if the data hold any."""
    return _unseen_notes(unseen_sentence(columns, _policy(model)))


def _policy(model) -> str:
    return model.settings.get("unseen", "missing")


def _unseen_notes(sentence: Message | None) -> list[str]:
    return [] if sentence is None else [f"{sentence}; `boxwood fit --unseen` chooses another treatment."]
