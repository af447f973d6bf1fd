"""Growth below the leaves whose rows have drifted, as edits of a refreshed tree."""

from __future__ import annotations

from ...errors import ParameterError
from ...evaluation.node_drift import NodeDrift
from ...model.edits import GrowBelow
from ...model.tree_model import TreeModel
from ...views.words import p_value
from .editor import Editor
from .rows_of_fit import RowsOfFit


def grown_where_drifted(before: TreeModel, refreshed: TreeModel, rows: RowsOfFit, drift: NodeDrift) -> TreeModel:
    """A refreshed model whose drifted leaves are grown below by the recipe of the fit; each is an edit in its log.

    A leaf that the recipe does not split stays as it is.

    Parameters
    ----------
    before, refreshed : TreeModel
        The model whose nodes were compared, and the same with the statistics of the rows.
    rows : RowsOfFit
        Those of the refresh.
    drift : NodeDrift
    """
    at = before.answer(rows.columns, "node")
    now = refreshed.answer(rows.columns, "node")  # without the nodes below one that has no rows
    number = {old: int(now[row]) for row, old in reversed(list(enumerate(at.tolist())))}
    editor = Editor(refreshed, rows)
    leaves = [leaf for leaf in drift.drifted.tolist() if before.tree.is_leaf[leaf] and leaf in number]
    for leaf in sorted(leaves, key=number.__getitem__, reverse=True):  # growth renumbers only what is deeper
        p = p_value(float(drift.log_p[leaf]))
        why = f"{before.tree.response.name} is distributed otherwise than at the fit, p {p}"
        try:
            price = editor.take(GrowBelow(number[leaf]), why=why)
        except ParameterError:  # a leaf that was signed or overruled stays
            continue
        if price.after["leaves"] == price.before["leaves"]:
            editor.undo()
    return editor.model
