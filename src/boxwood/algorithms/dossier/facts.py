"""The facts of a dossier: all that can be computed from a model, its rows and the options."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import must_be
from ..._version import __version__
from ...data.columns.columns import Columns
from ...data.frames.frame import describe
from ...errors import ParameterTypeError
from ...evaluation.evaluation import Evaluation
from ...evaluation.records import finite
from ...exports.export import as_bytes
from ...model.tree_model import TreeModel
from ...views.certificate import certificate
from .. import REGISTRY
from .tripod import blanks, filled

#: The mark of a dossier.
FORMAT = "boxwood-dossier-1"
#: Parts that are written by people, or made of the others.
BLANKS, SEAL = "blanks", "fingerprint"


@dataclass(frozen=True, eq=False)
class DossierRows:
    """Rows with a known response.

    Attributes
    ----------
    columns : Columns
        Read with the model's schema.
    y : ndarray, shape (n,)
        Numbers of classes, or numbers.
    evaluation : Evaluation
        Of the predictions for them.
    raw : table
        The first of them as they were given, for exports.
    weight, exposure : float64 of shape (n,), or None
    """

    columns: Columns
    y: np.ndarray
    evaluation: Evaluation
    raw: Any
    weight: np.ndarray | None = None
    exposure: np.ndarray | None = None


def dossier_of(
    model: TreeModel, rows: Mapping[str, DossierRows], options: dict[str, Any], files: Mapping[str, str]
) -> dict[str, Any]:
    """The dossier as plain JSON values, with its fingerprint.

    Parameters
    ----------
    model : TreeModel
    rows : dict of str to DossierRows
        "data", and "holdout" if there are such.
    options : dict
        ``by``, ``target_class`` and ``formats``, from which it can be made again; and the names of the columns
        ``sample_weight`` and ``exposure`` of files.
    files : dict of str to str
        Role -> SHA-256 of the bytes of a file.

    Raises
    ------
    ParameterError
        There is no such format, or it cannot represent the model.
    """
    model.need_constant_leaves("dossier")
    evaluations = {role: one.evaluation.to_dict() | {"headline": one.evaluation.headline, "of": one.evaluation.of}
                   for role, one in rows.items()}  # fmt: skip
    facts: dict[str, Any] = {
        "format": FORMAT, "boxwood": __version__, "options": options, "files": dict(files), "model": _model(model),
        "rows": {role: _rows(one) for role, one in rows.items()}, "evaluation": evaluations,
        "edits": list(model.edits), "certificate": _certificate(model),
        "exports": {name: _export(model, name, rows["data"].raw) for name in options["formats"]},
    }  # fmt: skip
    facts = as_json(facts)
    facts["tripod_ai"] = filled(facts)
    return facts | {SEAL: fingerprint(facts), BLANKS: blanks(facts)}


def as_json(value: Any) -> Any:
    """Values as they come back from JSON."""
    return json.loads(json.dumps(finite(value), ensure_ascii=False, allow_nan=False, default=str))


def to_text(dossier: dict[str, Any]) -> str:
    """The dossier as the text of a file; the same values always give the same text."""
    return json.dumps(dossier, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def fingerprint(dossier: dict[str, Any]) -> str:
    """SHA-256 of all parts of a dossier that people do not fill in."""
    parts = {name: part for name, part in dossier.items() if name not in (BLANKS, SEAL)}
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _model(model: TreeModel) -> dict[str, Any]:
    tree, (_, leaves) = model.tree, model.full_tree_size
    share = {record["feature"]: record["share"] for record in model.ranking().records}
    features = [
        {"name": f.name, "kind": f.kind_name, "why": f.reason, "levels": [str(level) for level in f.levels],
         "missing_values": list(f.missing_values), "importance": share[f.name]}
        for f in tree.schema
    ]  # fmt: skip
    return {
        "sha256": hashlib.sha256(model.to_bytes()).hexdigest(), "algorithm": model.algorithm, "task": model.task,
        "response": model.response_name, "labels": list(map(str, model.labels)), "settings": model.settings,
        "settings_not_default": _not_default(model),
        "made_by": tree.made_by, "rows": int(tree.rows[0]), "nodes": tree.n_nodes, "leaves": tree.n_leaves,
        "depth": tree.max_depth, "leaves_before_pruning": leaves, "held_out": _held_out(model),
        "features": features, "tree": tree.to_text(max_lines=None, width=None), "notes": list(map(str, model.notes)),
    }  # fmt: skip


def _not_default(model: TreeModel) -> dict[str, Any]:
    """The settings that differ from their defaults."""
    declared = REGISTRY[model.algorithm].parameters[model.task] if model.algorithm in REGISTRY else ()
    defaults = {parameter.name: parameter.default for parameter in declared}
    return {name: value for name, value in model.settings.items() if value != defaults.get(name)}


def _held_out(model: TreeModel) -> dict[str, Any] | None:
    """How sure the size is."""
    if model.cv is None:
        return None
    plain = {name: part for name, part in model.cv.items() if name != "confusion"}
    return plain | {"confusion": None if model.cv["confusion"] is None else model.cv["confusion"].tolist()}


def _rows(rows: DossierRows) -> dict[str, Any]:
    """What the rows hold with the sums of their weights and exposures, and a hash of every value that is read."""
    columns, content = rows.columns, hashlib.sha256()
    for j, feature in enumerate(columns.schema):
        content.update(f"{feature.name}\0{columns.n}\0".encode())
        content.update(np.ascontiguousarray(columns.values[j]).tobytes())
        if columns.low[j] is not None:
            content.update(np.ascontiguousarray(columns.low[j]).tobytes())
    content.update(np.ascontiguousarray(rows.y).tobytes())
    sums = {}
    for name, numbers in (("sample_weight", rows.weight), ("exposure", rows.exposure)):
        if numbers is not None:
            content.update(name.encode() + numbers.tobytes())
            sums[name] = math.fsum(numbers.tolist())
    found = describe(columns.schema, columns)
    new = {name: {str(level): n for level, n in levels.items()} for name, levels in columns.unseen.items()}
    return {
        "rows": columns.n, "sha256": content.hexdigest(), "missing": sum(one["missing"] for one in found),
        "columns": found, "new_levels": new, **sums,
    }  # fmt: skip


def _certificate(model: TreeModel) -> dict[str, Any] | None:
    """The proof of the order of predictions, of a tree that was fitted with one."""
    if model.tree.monotonic is None:
        return None
    found = certificate(model.tree, None, "training", **model.policies)
    return found.to_dict() | {"text": found.to_text()}


def _export(model: TreeModel, name: str, raw: Any) -> dict[str, Any]:
    """An export, and in how many rows it predicts as the model does."""
    content = model.export(name)
    verdict = model.verify_export(name, raw, content)
    return {
        "sha256": hashlib.sha256(as_bytes(content)).hexdigest(), "rows": verdict.rows, "made": verdict.made,
        "mismatches": verdict.mismatches, "left_out": verdict.left_out,
    }  # fmt: skip


def names_in(setting: str, names: Sequence[str] | str | None) -> list[str]:
    """The names that a setting gives, as a list.

    Raises
    ------
    ParameterTypeError
        It gives something else.
    """
    names = [] if names is None else [names] if isinstance(names, str) else names
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise ParameterTypeError(must_be(setting, "a name or a list of names", names))
    return list(names)
