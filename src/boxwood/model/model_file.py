"""What a model adds to its full tree in the model file, to and from bytes, checked (docs/format.md)."""

from __future__ import annotations

import sys

import numpy as np

from ..errors import ModelFileError, ParameterError
from ..pruning.cost_complexity import CostComplexityPath
from ..pruning.pruners.evidence import KEEPS_ALL, CandidateSequence
from ..tree import store
from ..tree.descend import UNSEEN_POLICIES
from ..tree.sections import damaged
from ..tree.stored import check_choice, check_fields, check_numbers, check_texts
from ..tree.tree import Tree
from .edit_log import edits_from_json

#: Arrays of a family, in the order of CostComplexityPath.
_FAMILY = ("alphas", "n_leaves", "risks", "collapses_at")
_SEQUENCE = ("values", "n_leaves", "risks")

#: Entries of pruners: not in files of early versions.
_PRUNERS = {name: (dict, type(None)) for name in ("pruned_by", "family_by", "sequence")}


def to_extra(model) -> tuple[dict, dict[str, np.ndarray]]:
    """The plain values and the arrays that a model file holds beside the full tree.

    Parameters
    ----------
    model : TreeModel
    """
    extra = {
        "algorithm": model.algorithm,
        "task": model.task,
        "settings": model.settings,
        "notes": list(model.notes),
        "judged_by": model.judged_by,
        "folds": None if model.folds is None else list(model.folds),
        "pruned_by": model.pruned_by,
        "family_by": model.family_by,
    }
    arrays: dict[str, np.ndarray] = {}
    if model.edits:
        extra["edits"] = list(model.edits)
        arrays["unedited"] = np.frombuffer(model.unedited, dtype=np.uint8)
    if model.family is not None:
        alpha = KEEPS_ALL if model.alpha is None else model.alpha
        arrays |= {f"path.{name}": np.asarray(getattr(model.family, name)) for name in _FAMILY}
        arrays["alpha"] = np.array([alpha, model.family.root_risk])
    if model.alpha is None:
        # A model file within the model file: the selected tree need not be a part of the full tree.
        arrays["pruned_tree"] = np.frombuffer(store.to_bytes(model.tree), dtype=np.uint8)
    if model.sequence is not None:
        sequence = model.sequence
        extra["sequence"] = {"parameter": sequence.parameter, "row": sequence.row}
        arrays |= {f"sequence.{name}": np.asarray(getattr(sequence, name)) for name in _SEQUENCE}
        if sequence.held_out is not None:
            arrays["sequence.held_out"] = sequence.held_out
    for name in ("held_out", "confusion"):
        if getattr(model, name) is not None:
            arrays[name] = np.asarray(getattr(model, name), dtype=np.float64)
    return extra, arrays


def from_extra(tree: Tree, extra: dict, arrays: dict[str, np.ndarray]) -> dict:
    """The parts of a model by name, and its ``pruned_tree`` (None when the selected tree is a cut of the family).

    Raises
    ------
    ModelFileError
        Something is missing, or does not fit together.
    """
    _check_extra(tree, extra, arrays)
    family, alpha = None, KEEPS_ALL
    if "alpha" in arrays:
        alpha, root_risk = arrays["alpha"].tolist()
        family = CostComplexityPath(*(arrays[f"path.{name}"] for name in _FAMILY), root_risk)
    pruned = None
    if "pruned_tree" in arrays:
        pruned, alpha = _pruned_tree(tree, arrays["pruned_tree"]), None
    settings = extra["settings"]
    return {
        "algorithm": extra["algorithm"], "task": extra["task"], "settings": settings, "notes": tuple(extra["notes"]),
        "family": family, "alpha": alpha, "pruned_tree": pruned,
        "held_out": arrays.get("held_out"), "confusion": arrays.get("confusion"),
        "sequence": _sequence(extra, arrays), "judged_by": extra.get("judged_by", "folds"),
        "folds": None if extra.get("folds") is None else tuple(extra["folds"]),
        "pruned_by": extra.get("pruned_by"), "family_by": _family_by(extra), "edits": tuple(extra.get("edits", ())),
        "unedited": arrays["unedited"].tobytes() if "edits" in extra else None,
    }  # fmt: skip


def _family_by(extra: dict) -> dict | None:
    """The pruner that made the sequence; older files have it only in the settings."""
    of_fit = extra["settings"].get("pruning") if not extra["settings"].get("ccp_alpha") else None
    return extra.get("family_by", of_fit if isinstance(of_fit, dict) else None)


def _pruned_tree(full: Tree, data: np.ndarray) -> Tree:
    """The selected tree, which has the same features and the same response as the full tree."""
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ModelFileError("the model file's section 'pruned_tree' is not a row of bytes.")
    tree, extra, arrays = store.from_bytes(data.tobytes())
    if tree.schema != full.schema or tree.response != full.response or extra or arrays:
        raise ModelFileError("the model file's section 'pruned_tree' belongs to another model.")
    return tree


def _sequence(extra: dict, arrays: dict[str, np.ndarray]) -> CandidateSequence | None:
    """The trees from which the pruner selected."""
    facts = extra.get("sequence")
    if facts is None:
        return None
    check_fields("the entry 'sequence'", facts, {"parameter": str, "row": int})
    check_fields("the entry 'pruned_by' of a sequence", extra.get("pruned_by"), {"pruner": str})
    size = np.size(arrays.get("sequence.values", ()))
    check_numbers("extra.sequence.values", arrays.get("sequence.values"), (size,), endless=True)
    check_numbers("extra.sequence.n_leaves", arrays.get("sequence.n_leaves"), (size,), np.int64, 1)
    check_numbers("extra.sequence.risks", arrays.get("sequence.risks"), (size,))
    held_out = arrays.get("sequence.held_out")
    if held_out is not None:
        _check_losses("extra.sequence.held_out", held_out, size)
    if not 0 <= facts["row"] < size:
        damaged("header", "the entry 'sequence' selects a tree that is not there")
    return CandidateSequence(
        facts["parameter"], *(arrays[f"sequence.{name}"] for name in _SEQUENCE), facts["row"], held_out
    )


def _check_extra(tree: Tree, extra: dict, arrays: dict[str, np.ndarray]) -> None:
    """The parts of a model in the file have the types, shapes and ranges that they need."""
    k = len(tree.response.labels)
    check_fields("the part 'extra'", extra, {"algorithm": str, "task": str, "settings": dict, "notes": list})
    check_fields("the part 'extra'", extra, _PRUNERS, optional=True)
    check_texts("the notes", extra["notes"])
    check_choice("task", extra["task"], ("classification" if tree.response.n_classes else "regression",))
    check_choice("judged_by", extra.get("judged_by"), ("folds", "validation", None))
    _check_folds(extra.get("folds"))
    check_choice("the setting 'unseen'", extra["settings"].get("unseen", "missing"), UNSEEN_POLICIES)
    if _family_by(extra) is not None:
        check_fields("the entry 'family_by'", _family_by(extra), {"risk": (str, type(None)), "style": str})
    if "alpha" in arrays or any(name.startswith("path.") for name in arrays) or "held_out" in arrays:
        _check_family(tree, arrays)
    if "edits" in extra:
        _check_edits(extra["edits"], arrays.get("unedited"))
    if "confusion" in arrays:
        check_numbers("extra.confusion", arrays["confusion"], (k, k), least=0.0)


def _check_edits(edits: object, unedited: np.ndarray | None) -> None:
    """The log of edits can be replayed, and the model before them is there."""
    try:
        edits_from_json(edits, "the log in the model file")
    except ParameterError as error:
        raise ModelFileError(error.message) from error
    if unedited is None or unedited.dtype != np.uint8 or unedited.ndim != 1:
        damaged("extra.unedited", "the model before its edits is not there")


def _check_folds(folds) -> None:
    """How many folds were evaluated, of how many; not in files of early versions."""
    if folds is None:
        return
    is_pair = isinstance(folds, list) and len(folds) == 2 and all(type(n) is int for n in folds)
    if not is_pair or not 1 <= folds[0] <= folds[1]:
        damaged("header", "the entry 'folds' is not a number of folds evaluated and one of folds drawn")


def _check_family(tree: Tree, arrays: dict[str, np.ndarray]) -> None:
    """The sections of the family are all there, fit together, and are nested."""
    rows = max(np.size(arrays.get("path.alphas", ())), 1)
    check_numbers("extra.alpha", arrays.get("alpha"), (2,))
    check_numbers("extra.path.alphas", arrays.get("path.alphas"), (rows,), least=0.0)
    check_numbers("extra.path.n_leaves", arrays.get("path.n_leaves"), (rows,), np.int64, 1, tree.n_leaves)
    check_numbers("extra.path.risks", arrays.get("path.risks"), (rows,))
    check_numbers("extra.path.collapses_at", arrays.get("path.collapses_at"), (tree.n_nodes,), endless=True)
    if "held_out" in arrays:
        _check_losses("extra.held_out", arrays["held_out"], rows)
    alpha, alphas = float(arrays["alpha"][0]), arrays["path.alphas"]
    collapses_at, up = arrays["path.collapses_at"], np.maximum(tree.parent, 0)
    nested = (alphas[1:] > alphas[:-1]).all() and (collapses_at <= collapses_at[up]).all()
    if not (alpha >= 0.0 or alpha == KEEPS_ALL) or not nested:
        damaged("extra.path.alphas", "the pruning sequence is not nested")


def _check_losses(name: str, losses: np.ndarray, rows: int) -> None:
    """Losses and standard errors: infinite, but not minus infinity, where events were held out from a rate of 0."""
    check_numbers(name, losses, (rows, 2), least=-sys.float_info.max, endless=True, unknown=True)
