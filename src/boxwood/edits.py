"""The public verbs of editing: `boxwood.edits`, documented in docs/edit.md."""

from .model.edits import Grow, Merge, Missing, Overrule, Prune, Rename, Sign, Split

__all__ = ["Grow", "Merge", "Missing", "Overrule", "Prune", "Rename", "Sign", "Split"]


def __dir__() -> list[str]:
    """The public names, without the modules they are in."""
    return list(__all__)
