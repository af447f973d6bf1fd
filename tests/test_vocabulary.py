"""Options of the command line are parameters of Python, data come first, and the table of the docs is true."""

import inspect
import re
from pathlib import Path

import click
import pytest

import boxwood
from boxwood.algorithms.binning.table import BinTable
from boxwood.algorithms.editing.editor import Editor
from boxwood.cli.commands import boxwood as command_line
from boxwood.cli.options import SETTING
from boxwood.evaluation.evaluation import Evaluation
from boxwood.evaluation.groups import Groups
from boxwood.model.diff.diff import Diff
from boxwood.model.readable import ReadableTree
from boxwood.views.candidates import SplitExplanation
from boxwood.views.rules import Rules

TREE = boxwood.CARTRegressor
PAGE = Path(__file__).parents[1] / "docs" / "vocabulary.md"

#: Command -> what does the same in Python.
SAME = {
    "bins": (boxwood.bin_features, BinTable.to_sql, TREE.export),
    "certificate": (TREE.certificate,),
    "check": (boxwood.check_data,),
    "compare": (boxwood.compare, TREE),
    "counterfactual": (TREE.counterfactual,),
    "diff": (boxwood.diff, Diff.to_text),
    "dossier": (TREE.dossier, TREE.evaluate),
    "edit": (TREE.edit, Editor.take, Editor.price, Editor.replay),
    "encode": (TREE.fit_stream, TREE),
    "evaluate": (TREE.evaluate, Evaluation.thresholds, Groups.to_svg, TREE),
    "explain": (TREE.explain, TREE),
    "explain-split": (TREE.explain_split, SplitExplanation.to_text, TREE),
    "explore": (TREE.explore, TREE),
    "export": (TREE.export, TREE.verify_export),
    "fit": (TREE.fit, TREE.fit_stream),
    "grow-below": (TREE.grow_below, TREE),
    "importance": (TREE.importance,),
    "letter": (TREE.letter, TREE),
    "plot": (TREE.plot, TREE.plot_regions, TREE.plot_importance, TREE.plot_gains, TREE),
    "predict": (TREE.predict_frame, TREE),
    "prune": (TREE.prune, TREE),
    "refresh": (TREE.refresh, TREE.node_drift),
    "response": (TREE.of_response,),
    "rules": (TREE.rules, TREE.evaluate_rules, Rules.of, Rules.gains, Rules.to_text),
    "show": (ReadableTree.to_text,),
    "verify": (TREE.verify_dossier,),
}

#: Options that Python needs no parameter for, with the reason.
OF_FILES = {
    "output": "where the result goes", "force": "files are replaced", "json": "how it is printed", "help": "usage",
    "quiet": "how it is printed", "debug": "how errors are printed", "open": "a page is opened", "data": "X and y",
    "sheet": "which table of a workbook", "encoding": "how text is read",
    "skip_rows": "how files are read", "header_rows": "how files are read", "user_missing": "how files are read",
    "row": "X is one row", "format": "the method",
    "missing_values": "a parameter of the fit", "missing_target": "a parameter of the fit",
    "date_formats": "a parameter of the fit", "numeric_features": "a parameter of the fit",
    "ordinal_features": "a parameter of the fit",
}  # fmt: skip
OF_COMMAND = {
    ("bins", "target"): "y", ("bins", "columns"): "columns of X", ("bins", "drop"): "columns of X",
    ("bins", "dialect"): "BinTable.to_sql", ("bins", "table"): "BinTable.to_sql", ("bins", "key"): "BinTable.to_sql",
    ("check", "target"): "y", ("check", "drop"): "columns of X",
    ("compare", "target"): "y", ("compare", "drop"): "columns of X", ("compare", "chart"): "Comparison.to_svg",
    ("compare", "categorical_features"): "a parameter of each model", ("encode", "task"): "the class of the estimator",
    ("edit", "split"): "SplitNode", ("edit", "competitor"): "SplitNode", ("edit", "prune"): "PruneNode",
    ("edit", "grow"): "GrowBelow", ("edit", "recipe"): "GrowBelow", ("edit", "missing"): "SendMissing",
    ("edit", "merge"): "MergeNodes", ("edit", "rename"): "RenameNode", ("edit", "overrule"): "OverruleLeaf",
    ("edit", "sign"): "SignNode", ("edit", "undo"): "Editor.undo()", ("edit", "dry_run"): "Editor.price",
    ("edit", "write_log"): "Editor.log",
    ("encode", "counts"): "criterion='poisson'", ("evaluate", "thresholds"): "Evaluation.thresholds()",
    ("evaluate", "chart"): "Groups.to_svg", ("diff", "memory"): "how files are read",
    ("letter", "memory"): "how files are read", ("dossier", "page"): "Dossier.page()",
    ("fit", "target"): "y", ("fit", "task"): "the estimator", ("fit", "algorithm"): "the estimator",
    ("fit", "evaluate"): "evaluate, compare",
    ("fit", "engine"): "client", ("fit", "categorical_features"): "a parameter of the estimator",
    ("explain", "where"): "rows_where",
    ("export", "verify"): "verify_export", ("plot", "what"): "plot, plot_importance, plot_pruning, plot_gains",
    ("predict", "spreadsheet_safe"): "how a file is written", ("predict", "append"): "how a file is written",
    ("predict", "all_columns"): "keep='all'", ("predict", "memory"): "how files are read",
    ("check", "memory"): "how files are read",
    ("prune", "validation"): "X and y", ("prune", "learning"): "X and y",
    ("rules", "gains"): "Rules.gains", ("rules", "max_rules"): "Rules.to_text",
}  # fmt: skip

#: Spellings that were replaced.
OLD = {
    "weight",
    "weights",
    "label",
    "cases_weight",
    "allow",
    "leaves",
    "to",
    "what_class",
    "jobs",
    "seed",
    "method",
}


def options(name: str) -> set[str]:
    """The long options of a command, as parameters."""
    command = command_line.commands[name]
    found = set()
    for parameter in command.get_params(click.Context(command)):
        if isinstance(parameter, click.Option) and not parameter.name.startswith(SETTING):
            found |= {text[2:].replace("-", "_") for text in parameter.opts if text.startswith("--")}
    return found


def parameters(of) -> list[str]:
    """Names of parameters, in order, without self."""
    return [name for name in inspect.signature(of).parameters if name != "self"]


def methods() -> list:
    """The public functions, and the methods of the public estimators."""
    found = [boxwood.bin_features, boxwood.compare, boxwood.check_data, boxwood.diff, Diff.to_text]
    for name in boxwood.__all__:
        thing = getattr(boxwood, name)
        if inspect.isclass(thing) and hasattr(thing, "fit"):
            found += [
                method
                for key, method in inspect.getmembers(thing, inspect.isfunction)
                if not key.startswith("_") and method.__module__.startswith("boxwood") and "request" not in key
            ]
    return list(dict.fromkeys(found))


def test_every_command_has_its_equal_in_python():
    assert set(SAME) == set(command_line.commands)


@pytest.mark.parametrize("name", SAME)
def test_an_option_has_the_name_of_the_parameter(name):
    known = {parameter for of in SAME[name] for parameter in parameters(of)}
    unknown = options(name) - known - set(OF_FILES) - {option for command, option in OF_COMMAND if command == name}
    assert not unknown
    assert not options(name) & OLD


def test_the_reasons_are_needed():
    assert all(option in options(name) for name, option in OF_COMMAND)


def test_data_come_first_and_in_one_order():
    order = ["X", "y", "sample_weight"]
    #: A file to write, the language of an export, and two models are what these methods are about.
    first = {"plot": ["path"], "verify_export": ["format"], "diff": ["a", "b"]}
    for method in methods():
        names = parameters(method)
        assert not set(names) & OLD, method
        at = first.get(method.__name__, [])
        data = [name for name in names if name in order]
        assert data == [name for name in order if name in data], method
        if "X" in names:
            assert names[: len(at) + 1] == [*at, "X"], method
        if {"X", "y"} <= set(names):
            assert names.index("y") == names.index("X") + 1, method
    assert len(methods()) > 40


def test_the_table_of_the_docs_is_true():
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and "---" not in line
    ][1:]
    known = {name for of in methods() for name in parameters(of)} | set(parameters(TREE)) | {"models"}
    spelled = {option for name in SAME for option in options(name)}
    for row in rows:
        _, python, line = (cell.strip() for cell in row.strip("|").split(" | "))
        for name in re.findall(r"`([a-z_]+)`", python):
            assert name in known, row
        for call in re.findall(r"`model\.(\w+)\(", python):
            assert hasattr(TREE, call), row
        for option in re.findall(r"--([a-z-]+)", line):
            assert option.replace("-", "_") in spelled, row
        for name in re.findall(r"boxwood ([a-z-]+)", line):
            assert name in SAME, row
    assert len(rows) > 25
