"""The output of `fit` and `show`: plain facts, which `--json` prints, then text."""

from __future__ import annotations

import click

from .evaluations import evaluation_of, print_evaluation
from .output import SHOWS_ALL, heading, print_table
from .rulesets import print_rules, rule_facts
from .splines import print_spline_importance, print_splines, spline_facts
from .wording import left_out_words, many_classes_words, size_range_words

#: How many classes the line of the response names.
MOST_SHOWN = 10
#: How many features the list of importances names.
TOP = 8


def fit_facts(file: str, data, model, roles) -> dict:
    """Everything that `boxwood fit` has to say, as plain values.

    Parameters
    ----------
    file : str
    data : LearningData
    model : Model
    roles : Roles

    Returns
    -------
    dict
        Keys read, notes, algorithm, tree (or rules, or model), training, and what else such a model has.
    """
    from ..data.columns.identifiers import passed_over
    from ..data.frames.frame import describe

    columns = passed_over(data.columns, model.schema)
    facts = {
        "read": {
            "file": file,
            "rows": data.columns.n,
            "rows_without_response": data.left_out,
            "target": roles.target,
            "task": data.task,
            "task_why": data.why,
            "response": _response_facts(data, model),
            "weight": roles.weight,
            "exposure": roles.exposure,
            "dropped": list(roles.drop),
            "features": describe(data.columns.schema, data.columns),
        },
        "notes": [many_classes_words(roles.target, len(model.labels), data.columns.n), *model.notes],
    }
    facts["notes"] = [note for note in facts["notes"] if note]
    return facts | model_facts(model) | {"training": _training(model, data, columns)}


def model_facts(model) -> dict:
    """What a model is, as plain values: a tree, a set of rules or a sum of terms."""
    return _FACTS[model.kind](model)


def _tree_facts(model) -> dict:
    from ..views.text import to_text

    tree = model.tree
    nodes, leaves = model.full_tree_size
    return {
        "algorithm": dict(tree.made_by),
        "tree": {
            "text": to_text(tree, max_lines=30, hint=SHOWS_ALL),
            "nodes": tree.n_nodes,
            "leaves": tree.n_leaves,
            "depth": tree.max_depth,
            "nodes_before_pruning": nodes,
            "leaves_before_pruning": leaves,
        },
        "cross_validation": model.cv,
        "importance": _importance(tree),
    }


#: Kind of model -> its facts.
_FACTS = {"tree": _tree_facts, "set of rules": rule_facts, "MARS model": spline_facts}


def _training(model, data, columns):
    """The evaluation of a model on its training set."""
    rates = model.settings.get("criterion") == "poisson"
    exposure = data.exposure if rates else None
    return evaluation_of(model, data.y, columns, data.weight, exposure, of="training set")


def _response_facts(data, model) -> dict:
    import pyarrow.compute as compute

    if model.labels:
        counts = {item["values"]: item["counts"] for item in compute.value_counts(data.y).to_pylist()}
        return {"classes": [{"label": label, "rows": counts.get(label, 0)} for label in model.labels]}
    low, high = compute.min_max(data.y).as_py().values()
    return {"mean": compute.mean(data.y).as_py(), "lowest": low, "highest": high}


def _importance(tree) -> list[dict]:
    from ..views.importance import mdi

    share = mdi(tree).tolist()
    ranked = sorted(zip(tree.schema.names, share, strict=True), key=lambda pair: -pair[1])
    return [{"feature": name, "share": value} for name, value in ranked if value > 0]


def print_fit(facts: dict) -> None:
    """Print the facts of a fit in the order in which they are printed."""
    read = facts["read"]
    click.echo(_read_words(read))
    print_table(
        ["feature", "kind", "because", "levels", "missing"],
        [
            [f["name"], f["kind"], f["why"], f["levels"] or "", _missing_words(f["missing"], read["rows"])]
            for f in read["features"]
        ],
        {3, 4},
    )
    print_notes(facts["notes"])
    if "rules" in facts:
        print_rules(facts)
        print_evaluations(facts)
        return
    if "tree" not in facts:
        print_splines(facts)
        print_evaluations(facts)
        print_spline_importance(facts, TOP)
        return
    heading("The tree")
    click.echo(facts["tree"]["text"])
    click.echo()
    click.echo(_size_words(facts["tree"]))
    if facts["cross_validation"] is not None:
        click.echo(_cv_words(facts["cross_validation"]))
    print_evaluations(facts)
    if facts["importance"]:
        from ..views.figures import percent

        heading("Importance of the features")
        rows = [[f["feature"], percent(f["share"])] for f in facts["importance"][:TOP]]
        print_table(["feature", "share"], rows, {1})


def _read_words(read: dict) -> str:
    from ..views.words import amount

    columns = len(read["features"])
    rows = f"{read['rows']:,} row{'s' * (read['rows'] != 1)}"
    start = f"Read {read['file']}: {rows}, {columns} feature{'s' * (columns != 1)}."
    if read["rows_without_response"]:
        start += f" {left_out_words(read['rows_without_response'])}."
    found = read["response"]
    if "classes" in found:
        classes = ", ".join(f"{c['label']} {c['rows']:,}" for c in found["classes"][:MOST_SHOWN])
        if len(found["classes"]) > MOST_SHOWN:
            classes += f" and {len(found['classes']) - MOST_SHOWN} more"
        many = "es" * (len(found["classes"]) != 1)
        words = f"{len(found['classes'])} class{many} ({read['task_why']}): {classes}"
        return f"{start}\nTarget {read['target']}: {words}.\n"
    return (
        f"{start}\nTarget {read['target']}: numeric ({read['task_why']}), "
        f"from {amount(found['lowest'])} to {amount(found['highest'])}, mean {amount(found['mean'])}.\n"
    )


def _missing_words(missing: int, rows: int) -> str:
    from ..views.figures import percent

    return f"{missing:,} ({percent(missing / rows)})" if missing else ""


def _size_words(tree: dict) -> str:
    size = f"Size: {tree['leaves']} {'leaf' if tree['leaves'] == 1 else 'leaves'}, depth {tree['depth']}"
    if tree["nodes_before_pruning"] == tree["nodes"]:
        return f"{size}; not pruned."
    return f"{size}; {tree['leaves_before_pruning']} leaves before pruning."


def _cv_words(cv: dict) -> str:
    from ..evaluation.held_out import folds_words
    from ..pruning.losses import LOSS_WORDS
    from ..views.words import with_error

    how = "Held-out" if cv.get("judged_by") == "validation" else "Cross-validated"
    return (
        f"{how} {LOSS_WORDS[cv['loss']]}{folds_words(cv)}: {with_error(cv['error'], cv['se'])}{size_range_words(cv)}."
    )


def print_evaluations(facts: dict) -> None:
    """Print what predictions of rows that were not learned from are worth, then the figures of the training set."""
    found = facts["evaluation"]
    click.echo()
    if found is None:
        click.echo(facts["training"].headline)
    else:
        print_evaluation(found)
        click.echo()
    print_evaluation(facts["training"], with_headline=False)


def print_notes(notes: list[str]) -> None:
    """Print sentences that the user should know, one a line."""
    for note in notes:
        click.echo(f"Note: {note}")
