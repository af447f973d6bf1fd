"""What a model adds to its full tree in the model file, and back, checked; the contract is docs/format.md."""

from __future__ import annotations

import numpy as np

from ..errors import ModelFileError
from ..pruners.evidence import KEEPS_ALL, Sequence
from ..pruning.cost_complexity import CostComplexityPath
from ..tree import store
from ..tree.tree import Tree

#: Arrays of a family, in the order of CostComplexityPath.
_FAMILY = ("alphas", "n_leaves", "risks", "collapses_at")
_SEQUENCE = ("values", "n_leaves", "risks")


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
        "pruned_by": model.pruned_by,
        "family_by": model.family_by,
    }
    arrays = {}
    if model.family is not None:
        alpha = KEEPS_ALL if model.alpha is None else model.alpha
        arrays = {f"path.{name}": np.asarray(getattr(model.family, name)) for name in _FAMILY}
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
    # Files from before there were other pruners say it in the settings alone.
    of_fit = settings.get("pruning") if not settings.get("ccp_alpha") else None
    family_by = extra.get("family_by", of_fit if isinstance(of_fit, dict) else None)
    return {
        "algorithm": extra["algorithm"], "task": extra["task"], "settings": settings, "notes": tuple(extra["notes"]),
        "family": family, "alpha": alpha, "pruned_tree": pruned,
        "held_out": arrays.get("held_out"), "confusion": arrays.get("confusion"),
        "sequence": _sequence(extra, arrays), "judged_by": extra.get("judged_by", "folds"),
        "pruned_by": extra.get("pruned_by"), "family_by": family_by,
    }  # fmt: skip


def _pruned_tree(full: Tree, data: np.ndarray) -> Tree:
    """The selected tree, which has the same features and the same response as the full tree."""
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ModelFileError("the model file's section 'pruned_tree' is not a row of bytes.")
    tree, extra, arrays = store.from_bytes(data.tobytes())
    if tree.schema != full.schema or tree.response != full.response or extra or arrays:
        raise ModelFileError("the model file's section 'pruned_tree' belongs to another model.")
    return tree


def _sequence(extra: dict, arrays: dict[str, np.ndarray]) -> Sequence | None:
    """The trees among which the pruner chose."""
    facts = extra.get("sequence")
    if facts is None:
        return None
    parameter, row = (facts.get(name) for name in ("parameter", "row")) if isinstance(facts, dict) else (None, None)
    parts = [arrays.get(f"sequence.{name}") for name in _SEQUENCE]
    size = np.size(parts[0])
    held_out = arrays.get("sequence.held_out")
    sound = type(parameter) is str and type(row) is int and 0 <= row < size
    sound = sound and all(part is not None and part.shape == (size,) for part in parts)
    if not sound or (held_out is not None and held_out.shape != (size, 2)):
        raise ModelFileError("the model file's sections of the pruning sequence do not fit together.")
    return Sequence(parameter, *parts, row, held_out)


def _check_extra(tree: Tree, extra: dict, arrays: dict[str, np.ndarray]) -> None:
    """The parts of a model in the file have the shapes and types that they need."""
    k = len(tree.response.labels)
    words = {"algorithm": str, "task": str, "settings": dict, "notes": list}
    for name, kind in words.items():
        if not isinstance(extra.get(name), kind):
            raise ModelFileError(f"the model file's header has no entry {name!r}; it was not written by boxwood.")
    for name in ("pruned_by", "family_by"):
        if not isinstance(extra.get(name), (dict, type(None))):
            raise ModelFileError(f"the model file's header has an entry {name!r} that is no pruner.")
    of_family = extra.get("family_by")
    if of_family is not None and ("risk" not in of_family or "style" not in of_family):
        raise ModelFileError("the model file's header has an entry 'family_by' without risk and style.")
    if "alpha" in arrays or any(name.startswith("path.") for name in arrays) or "held_out" in arrays:
        _check_family(tree, arrays)
    if "confusion" in arrays and arrays["confusion"].shape != (k, k):
        raise ModelFileError("the model file's section 'confusion' has the wrong shape.")


def _check_family(tree: Tree, arrays: dict[str, np.ndarray]) -> None:
    """The sections of the family are all there, fit together, and are nested."""
    rows = np.size(arrays.get("path.alphas", ()))
    shapes = {"alpha": (2,), "path.alphas": (rows,), "path.n_leaves": (rows,), "path.risks": (rows,)}
    shapes |= {"path.collapses_at": (tree.n_nodes,)}
    for name, shape in shapes.items():
        if name not in arrays or arrays[name].shape != shape or rows == 0:
            raise ModelFileError(f"the model file's section {name!r} is missing or has the wrong shape.")
    if "held_out" in arrays and arrays["held_out"].shape != (rows, 2):
        raise ModelFileError("the model file's section 'held_out' has the wrong shape.")
    alpha, alphas = float(arrays["alpha"][0]), arrays["path.alphas"]
    collapses_at, up = arrays["path.collapses_at"], np.maximum(tree.parent, 0)
    rising = not np.isnan(alphas).any() and (alphas[1:] > alphas[:-1]).all()
    nested = not np.isnan(collapses_at).any() and (collapses_at <= collapses_at[up]).all()
    if not (alpha >= 0.0 or alpha == KEEPS_ALL) or not rising or not nested:
        raise ModelFileError("the model file's pruning sequence is not nested; the file is damaged.")
