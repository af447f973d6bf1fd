"""The log of edits: of a model, read from JSON, and what came of one that was replayed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..._messages import Setting, must_be
from ...errors import DataTypeError, ParameterError
from ...model.edit_log import Edit, edits_from_json
from ...model.edits import SplitNode
from ...model.tree_model import TreeModel
from ...tree.tree import Tree
from .figures import effect_of
from .relocated import Misfit

#: What a log of edits is called in its file.
FORMAT, VERSION = "boxwood edits", 1


@dataclass(frozen=True)
class Replay:
    """What came of a log that was replayed.

    Attributes
    ----------
    taken : int
        Number of edits that were applied.
    findings : tuple of Misfit
        What no longer fits; print one for a sentence.
    """

    taken: int
    findings: tuple[Misfit, ...] = ()

    def __str__(self) -> str:
        first = f"{self.taken} edit{'s' * (self.taken != 1)} taken"
        return "\n".join([f"{first}; all fit." if not self.findings else f"{first}.", *map(str, self.findings)])


def log_of(model: TreeModel) -> dict[str, Any]:
    """The log of a model as plain JSON values."""
    edits = [edit.to_json() for edit in edits_from_json(list(model.edits))]
    return {"format": FORMAT, "version": VERSION, "edits": edits}


def read_log(log: Any) -> tuple[Edit, ...]:
    """The edits of a log: its entries, or with its head, or as JSON text.

    Raises
    ------
    ParameterError, DataTypeError
    """
    if isinstance(log, (str, bytes)):
        try:
            log = json.loads(log)
        except (ValueError, RecursionError) as error:
            raise ParameterError(Setting("log"), f" is not JSON: {error}.") from error
    if isinstance(log, dict):
        if log.get("format") != FORMAT or log.get("version") != VERSION:
            raise ParameterError(Setting("log"), f" must have the format {FORMAT!r} and the version {VERSION}.")
        log = log.get("edits")
    if isinstance(log, tuple):
        log = list(log)
    if not isinstance(log, list):
        raise DataTypeError(must_be("log", "a log of edits, or a list of edits", log))
    return edits_from_json(log)


def changed_effect(taken: Edit, tree: Tree, number: int, logged: Edit) -> Sequence[Misfit]:
    """What a split does otherwise than when it was logged: an empty branch, or predictions in another order."""
    verb = taken.verb
    if not isinstance(verb, SplitNode):
        return ()
    first = int(tree.first_child[verb.node])
    empty = [t for t in range(first, first + int(tree.n_children[verb.node])) if tree.rows[t] == 0]
    found = [Misfit(number, verb.name_of, "empty branch", f"no row comes to node {t}.") for t in empty]
    now = effect_of(tree, verb.node)
    if len(now) == len(logged.effect) == 2 and (now[0] - now[1]) * (logged.effect[0] - logged.effect[1]) < 0:
        words = f"the first branch now predicts {'less' if now[0] < now[1] else 'more'} than the second."
        found.append(Misfit(number, verb.name_of, "effect reversed", words))
    return found
