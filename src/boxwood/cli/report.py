"""The output of `fit` and `show`: plain facts, which `--json` prints, then text."""

from __future__ import annotations

import click

from .evaluations import evaluation_of, print_evaluation
from .output import heading, print_table, tree_words
from .wording import left_out_words, many_classes_words

#: How many classes the line of the response names.
MOST_SHOWN = 10
#: How many features are listed with their kinds.
MOST_FEATURES = 20
#: How many notes are printed.
MOST_NOTES = 40
#: How many features the list of importances names.
TOP = 8


def fit_facts(file: str, data, model, roles) -> dict:
    """Everything that `boxwood fit` reports, as plain values.

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
    from ..data.columns.identifiers import blank_identifiers
    from ..data.frames.frame import describe

    columns = blank_identifiers(data.columns, model.schema)
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
    """The facts of a model, its text with options in the place of arguments."""
    facts = model.facts()
    return facts | {model.part: facts[model.part] | {"text": tree_words(facts[model.part]["text"])}}


def _training(model, data, columns):
    """The evaluation of a model on its training set."""
    from ..statistics.responses.registry import power_of

    exposure = None if power_of(model.settings) is None else data.exposure
    return evaluation_of(model, data.y, columns, data.weight, exposure, of="training set")


def _response_facts(data, model) -> dict:
    if model.responses:
        return {"responses": {one.name: _facts_of_one(data.y[one.name], one.labels) for one in model.responses}}
    return _facts_of_one(data.y, model.labels)


def _facts_of_one(y, labels: tuple) -> dict:
    import pyarrow.compute as compute

    if labels:
        counts = {item["values"]: item["counts"] for item in compute.value_counts(y).to_pylist()}
        return {"classes": [{"label": label, "rows": counts.get(label, 0)} for label in labels]}
    low, high = compute.min_max(y).as_py().values()
    return {"mean": compute.mean(y).as_py(), "lowest": low, "highest": high}


def print_fit(facts: dict, model) -> None:
    """Print the facts of a fit in the order in which they are printed."""
    read = facts["read"]
    click.echo(_read_words(read))
    print_features(
        ["feature", "kind", "because", "levels", "missing"],
        [
            [f["name"], f["kind"], f["why"], f["levels"] or "", _missing_words(f["missing"], read["rows"])]
            for f in read["features"]
        ],
        {3, 4},
    )
    print_notes(facts["notes"])
    print_model(facts, model)
    print_evaluations(facts)
    found = model.ranking()
    if found is not None and facts["importance"]:
        heading("Importance of the features" + f" ({found.what})" * bool(found.what))
        print_ranking(found, min(TOP, len(facts["importance"])))


def print_features(header: list[str], rows: list[list], numbers: set[int]) -> None:
    """Print a table of features, name and kind first; the first :data:`MOST_FEATURES`, others are counted by kind."""
    print_table(header, rows[:MOST_FEATURES], numbers)
    kinds = [row[1] for row in rows[MOST_FEATURES:]]
    if kinds:
        words = ", ".join(f"{kinds.count(kind):,} {kind}" for kind in dict.fromkeys(kinds))
        click.echo(f"  and {len(kinds):,} features more: {words}; --json lists all.")


def print_model(facts: dict, model) -> None:
    """Print the text of a model under its heading, and the remarks on it."""
    heading(f"The {model.part}")
    click.echo(facts[model.part]["text"])
    for remark in ["", *model.remarks()] if model.remarks() else []:
        click.echo(remark)


def print_ranking(found, top: int | None = None) -> None:
    """Print features by importance, all or the first ones."""
    print_table(list(found.header), found.cells[:top], set(range(1, len(found.header))))


def _read_words(read: dict) -> str:
    columns = len(read["features"])
    rows = f"{read['rows']:,} row{'s' * (read['rows'] != 1)}"
    start = f"Read {read['file']}: {rows}, {columns} feature{'s' * (columns != 1)}."
    if read["rows_without_response"]:
        start += f" {left_out_words(read['rows_without_response'])}."
    found = read["response"]
    each = found.get("responses", {read["target"]: found})
    return "\n".join([start, *(_target_words(name, one, read["task_why"]) for name, one in each.items()), ""])


def _target_words(target: str, found: dict, why: str) -> str:
    """The kind of a target and its values."""
    from ..views.words import amount

    if "classes" in found:
        classes = ", ".join(f"{c['label']} {c['rows']:,}" for c in found["classes"][:MOST_SHOWN])
        if len(found["classes"]) > MOST_SHOWN:
            classes += f" and {len(found['classes']) - MOST_SHOWN} more"
        many = "es" * (len(found["classes"]) != 1)
        return f"Target {target}: {len(found['classes'])} class{many} ({why}): {classes}."
    ends = f"from {amount(found['lowest'])} to {amount(found['highest'])}"
    return f"Target {target}: numeric ({why}), {ends}, mean {amount(found['mean'])}."


def _missing_words(missing: int, rows: int) -> str:
    from ..views.figures import percent

    return f"{missing:,} ({percent(missing / rows)})" if missing else ""


def print_evaluations(facts: dict) -> None:
    """Print what predictions of rows that were not learned from are worth, then the figures of the training set."""
    from ..evaluation.several import SeveralEvaluations

    found = facts["evaluation"]
    click.echo()
    if found is None:
        if not isinstance(facts["training"], SeveralEvaluations):
            click.echo(facts["training"].headline)
    else:
        print_evaluation(found)
        click.echo()
    print_evaluation(facts["training"], with_headline=False)


def print_notes(notes: list[str]) -> None:
    """Print sentences that the user should know, one a line; of very many the first, the others are counted."""
    for note in notes[:MOST_NOTES]:
        click.echo(f"Note: {note}")
    if len(notes) > MOST_NOTES:
        click.echo(f"Note: {len(notes) - MOST_NOTES:,} notes more; --json lists all.")
