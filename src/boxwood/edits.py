"""The public verbs of editing: `boxwood.edits`, documented in docs/edit.md."""

from .model.edits import GrowBelow, MergeNodes, OverruleLeaf, PruneNode, RenameNode, SendMissing, SignNode, SplitNode

__all__ = ["GrowBelow", "MergeNodes", "OverruleLeaf", "PruneNode", "RenameNode", "SendMissing", "SignNode", "SplitNode"]


def __dir__() -> list[str]:
    """The public names, without the modules they are in."""
    return list(__all__)
