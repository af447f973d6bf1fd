"""Predictions as a table, and the sentence about missing and unseen values."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as compute

from ..data.columns.columns import Columns
from ..model.protocol import Model
from ..model.unseen import unseen_sentence


def prediction_table(model: Model, columns: Columns, proba: bool) -> tuple[pa.Table, dict[str, int]]:
    """The prediction of each row under the response's name, then ``probability_<label>``; and what rows reached.

    The second value counts the rows that reached each event on their path down a tree, see
    :meth:`boxwood.tree.descend.Routing.count`; empty for a sum of terms.
    """
    predictions = model.predictions(columns, proba)
    found = {model.response_name: pa.array(predictions.values.tolist())}
    if predictions.probability is not None:
        found |= {f"probability_{label}": predictions.probability[:, k] for k, label in enumerate(model.labels)}
    return pa.table(found), predictions.met


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


def prediction_facts(file: str, table: pa.Table, notes: list[str]) -> dict:
    """The summary of predictions: how many of each."""
    predicted = table.column(0)
    facts = {"data": file, "rows": table.num_rows, "notes": notes}
    if pa.types.is_floating(predicted.type):
        from ..views.words import amount

        low, high = compute.min_max(predicted).as_py().values()
        return facts | {"summary": f"{table.column_names[0]} from {amount(low)} to {amount(high)}"}
    counts = sorted((str(v["values"]), v["counts"]) for v in compute.value_counts(predicted).to_pylist())
    return facts | {"counts": dict(counts), "summary": ", ".join(f"{label} {count:,}" for label, count in counts)}


def unseen_notes(model, columns: Columns) -> list[str]:
    """The note about levels that did not occur in training, if the data hold any."""
    sentence = unseen_sentence(columns, model.settings.get("unseen", "missing"))
    return [] if sentence is None else [f"{sentence}; `boxwood fit --unseen` chooses another treatment."]
