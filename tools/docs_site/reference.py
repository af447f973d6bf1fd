"""Writes the pages of the API reference: an index by group, and one page for each public name, for autodoc to fill.

The groups below name everything in ``boxwood.__all__`` and in the public modules; a name in no group, or in two, is an
error.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import boxwood
from boxwood.estimators.saved import every_estimator

#: Group -> (sentence, names). A name with a dot is the full path of an object that methods return.
GROUPS: dict[str, tuple[str, list[str]]] = {
    "Estimators": (
        "scikit-learn estimators: set parameters, call `fit(X, y)`, then `predict`.",
        [*(cls.__name__ for cls in every_estimator().values()), "MARSTransformer"],
    ),
    "In place of scikit-learn's trees": (
        "scikit-learn's own classes, grown by CART, in `boxwood.sklearn`.",
        [f"sklearn.{name}" for name in boxwood.sklearn.__all__],
    ),
    "Saved and foreign models": (
        "Read a model file, compare models, bin columns, or read the trees of other programs.",
        [
            "load", "compare", "diff", "bin_features", "from_json", "from_lightgbm", "from_rpart", "from_sklearn",
            "from_xgboost",
        ],
    ),
    "Before a fit": ("Look for what makes trees wrong in a table, and for drift.", ["check_data"]),
    "Settings": (
        "How estimators find the columns of new rows: by place, or by name.",
        ["set_config", "config_context"],
    ),
    "Parts of a tree's recipe": (
        "The choices of which `TreeClassifier` and `TreeRegressor` are composed: branches, criterion, termination.",
        ["Binary", "Multiway", "Merged", "Proposed", "ImpurityDecrease", "Gain", "InOrder", "Scored", "Significance",
         "Tsallis", "Quantile", "Tweedie", "Termination"],
    ),
    "Pruners": (
        "Values of the argument `pruning`, and of the method `prune`. All are in `boxwood.pruners`.",
        ["pruners.CostComplexity", "pruners.ErrorBased", "pruners.CriticalValue", "pruners.MinimumDescriptionLength",
         "pruners.OneLeaf", "pruners.PrePruning", "pruners.ReducedError", "pruners.SameDecision"],
    ),
    "Edits": (
        "The verbs of an editing session (`model.edit(X, y)`), in `boxwood.edits`.",
        [f"edits.{name}" for name in boxwood.edits.__all__],
    ),
    "Trees and results": (
        "What `tree_` and `model_` are, and what methods of an estimator return. You do not construct these yourself.",
        ["Tree", "model.readable.ReadableTree", "model.tree_model.TreeModel", "model.pruning_path.PruningPath",
         "model.pruning_path.PruningSequence", "evaluation.evaluation.Evaluation", "views.rules.Rules",
         "views.explanation.Explanation", "views.candidates.SplitExplanation", "views.counterfactual.Counterfactuals",
         "tree.descend.Routing", "exports.verify.Verdict", "model.explorer.page.Page", "mars.model.MARSModel",
         "mars.terms.Terms", "mars.backward.Subsets", "mars.importance.Importance", "mars.anova.Anova",
         "mars.anova.AnovaPart", "algorithms.editing.editor.Editor", "algorithms.editing.figures.EditPrice",
         "algorithms.editing.log.Replay"],
    ),
    "Measures": (
        "The measures of the theory as functions of a table of counts, in `boxwood.measures`.",
        [f"measures.{name}" for name in boxwood.measures.__all__],
    ),
    "Bundled tables": (
        "Small data sets for examples, in `boxwood.datasets`.",
        [f"datasets.{name}" for name in boxwood.datasets.__all__],
    ),
    "Errors and warnings": (
        "Every error that boxwood raises; each is also one of Python's own, such as `ValueError`.",
        [name for name in boxwood.__all__ if name.endswith(("Error", "Warning"))],
    ),
}  # fmt: skip

#: Names of ``boxwood.__all__`` that the index itself covers.
MODULES = {"datasets", "edits", "errors", "measures", "pruners", "sklearn", "__version__"}

#: The head of a table of names with their first sentences.
TABLE = (".. autosummary::", "   :nosignatures:", "")


def thing_at(path: str) -> object:
    """The object of a name below ``boxwood``."""
    module, _, name = f"boxwood.{path}".rpartition(".")
    return getattr(importlib.import_module(module), name)


def check_complete() -> None:
    """Every public name is in exactly one group."""
    listed = [name for _, names in GROUPS.values() for name in names]
    public = set(boxwood.__all__) - MODULES - {"CostComplexity", "ErrorBased"}  # these two are listed as pruners
    public |= {f"{module}.{name}" for module in ("measures", "datasets", "edits", "pruners", "sklearn") for name in
               importlib.import_module(f"boxwood.{module}").__all__}  # fmt: skip
    missing = public - set(listed)
    if missing or len(set(listed)) < len(listed):
        raise SystemExit(f"tools/docs_site/reference.py: in no group {sorted(missing)}, or a name in two groups")


def members_of(cls: type) -> tuple[list[str], list[str]]:
    """Public methods and properties of a class that are boxwood's, and methods that it inherits from scikit-learn."""
    ours, inherited = [], []
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or not (inspect.isroutine(member) or isinstance(member, property)):
            continue
        function = member.fget if isinstance(member, property) else member
        module = getattr(function, "__module__", "") or ""
        if module.startswith("boxwood"):
            ours.append(name)
        elif module.startswith("sklearn"):
            inherited.append(name)
    return ours, inherited


def page_of(path: str) -> str:
    """The page of one name, as reStructuredText."""
    thing = thing_at(path)
    name = path.rpartition(".")[2]
    lines = [f".. title: {path}", "", name, "=" * len(name), ""]
    if not inspect.isclass(thing):
        kind = "autofunction" if callable(thing) else "autodata"
        return "\n".join([*lines, f".. {kind}:: boxwood.{path}", ""])
    lines += [f".. autoclass:: boxwood.{path}", "   :show-inheritance:" if issubclass(thing, Exception) else ""]
    ours, inherited = ([], []) if issubclass(thing, Exception) else members_of(thing)
    if ours:
        lines += ["", "Methods and properties", "-" * 22, "", ".. currentmodule:: boxwood", "", *TABLE]
        lines += [f"   ~{path}.{member}" for member in ours]
        for member in ours:
            kind = "autoproperty" if isinstance(getattr(thing, member, None), property) else "automethod"
            lines += ["", f".. {kind}:: boxwood.{path}.{member}"]
    if inherited:
        words = ", ".join(f"``{member}``" for member in inherited)
        lines += ["", "Inherited from scikit-learn", "-" * 27, "", f"{words}: see the scikit-learn documentation."]
    return "\n".join([*lines, ""])


def index() -> str:
    """The page that lists all groups."""
    lines = ["API reference", "=" * 13, "", "Every public name of boxwood " + boxwood.__version__ + ".", ""]
    lines += [".. currentmodule:: boxwood", ""]
    for group, (sentence, names) in GROUPS.items():
        lines += [group, "-" * len(group), "", sentence.replace("`", "``"), "", *TABLE]
        lines += [f"   ~{name}" for name in names]
        lines += ["", ".. toctree::", "   :hidden:", ""]
        lines += [f"   {name.rpartition('.')[2]} <{name}>" for name in names]
        lines += [""]
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write all pages of the reference into a folder."""
    check_complete()
    folder.mkdir(parents=True)
    (folder / "index.rst").write_text(index(), encoding="utf-8")
    for _, names in GROUPS.values():
        for name in names:
            (folder / f"{name}.rst").write_text(page_of(name), encoding="utf-8")
