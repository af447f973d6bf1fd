"""Predictions as a table, and as one sentence."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as compute

from ..data.columns import Columns
from ..training.unseen import unseen_sentence


def prediction_table(model, columns: Columns, proba: bool) -> pa.Table:
    """The prediction of each row under the response's name, then ``probability_<label>`` if asked for."""
    name = model.tree.response.name
    said = model.predict(columns)
    found = {name: pa.array(said.tolist())}
    if proba and model.labels:
        shares = np.asarray(model.predict_proba(columns))
        found |= {f"probability_{label}": shares[:, k] for k, label in enumerate(model.labels)}
    return pa.table(found)


def prediction_facts(file: str, table: pa.Table, notes: list[str]) -> dict:
    """What there is to say about predictions: how many of each."""
    said = table.column(0)
    facts = {"data": file, "rows": table.num_rows, "notes": notes}
    if pa.types.is_floating(said.type):
        low, high = compute.min_max(said).as_py().values()
        return facts | {"summary": f"{table.column_names[0]} from {low:.6g} to {high:.6g}"}
    counts = sorted((str(v["values"]), v["counts"]) for v in compute.value_counts(said).to_pylist())
    return facts | {"counts": dict(counts), "summary": ", ".join(f"{label} {count}" for label, count in counts)}


def unseen_notes(model, columns: Columns) -> list[str]:
    """The note about levels that training did not have, if the data hold any."""
    sentence = unseen_sentence(columns, model.settings.get("unseen", "missing"))
    return [] if sentence is None else [f"{sentence}; `boxwood fit --unseen` chooses another treatment."]
