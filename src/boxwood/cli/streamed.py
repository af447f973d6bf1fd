"""`boxwood fit` for data read in parts: infers the task, fits the model, describes it."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import numpy as np

from .._messages import remedy
from ..algorithms.fitting.algorithm import Algorithm
from ..algorithms.fitting.raising_in_shards import RaisingError
from ..algorithms.fitting.streams import How, fit_stream
from ..data.columns.distinct import distinct
from ..data.columns.missing_codes import codes_of_columns
from ..data.columns.raw import STRINGS
from ..data.columns.schema import NAMES_ROWS
from ..data.files.layout import with_hint
from ..data.streams.batches import Batches
from ..data.streams.row_rules import RowRules
from ..errors import ColumnError, ParameterError, ResponseError
from ..growing.parts.cache import is_cache, open_cache
from ..growing.parts.layout import Roles
from ..learning.suggested_task import MOST_CLASSES
from ..model.tree_model import TreeModel
from ..views.words import plain
from .evaluations import print_evaluation
from .fit_evaluation import CV, NONE, on_file
from .formatted_columns import numbers_form
from .inputs import about
from .options import SETTING, options_of, read_settings, split_names
from .output import collected_notes, print_json
from .report import model_facts, print_features, print_model, print_notes
from .responses import targets_of
from .status import status
from .tables import drops_rows, read_options
from .wording import classification_named, in_options, left_out_words, many_classes_words

NOT_PRUNED = (
    "the tree is not pruned: {} prunes with raising, which divides rows of missing values and needs all rows at once. "
    "Give a larger --memory, --no-raising, --pruning, --ccp-alpha or --max-depth, or use: boxwood prune."
)


def fit_parts(data: tuple[str, ...], target: str, algorithm: Algorithm, output: str, options: dict) -> None:
    """Learn from files in parts, write the model, and print what was done."""
    names = options_of(algorithm)
    if read_options().sheet is not None:
        raise click.UsageError("--sheet is for one workbook, which is read whole: leave out --memory")
    source, notes = _source(data), []
    reported = about(_shown(data), names)
    with collected_notes() as warned, reported, classification_named(), status(not options["quiet"]) as shown:
        shown.show(f"Reading {_shown(data)} ...")
        task, why = task_of(source, target, options["task"])
        settings = read_settings(options, algorithm, task) | categorical(options) | reading(source)
        try:
            model = _learned(algorithm, source, task, settings, target, options)
        except RaisingError:
            if options[f"{SETTING}pruning"] is not None:
                raise
            notes.append(NOT_PRUNED.format(algorithm.name))
            model = _learned(algorithm, source, task, settings | {"pruning": None}, target, options)
    model.save(output)
    if options["quiet"]:
        return
    rows = model.rows_of_fit(shown.rows)
    read = {"files": list(data), "target": target, "task": task, "task_why": why, "rows": rows}
    read["rows_without_response"] = shown.left_out
    read["features"] = [
        {
            "name": f.name, "kind": "identifier" if f.why == NAMES_ROWS else f.kind_name, "why": f.reason,
            "levels": len(f.levels),
        }
        for f in model.schema
    ]  # fmt: skip
    notes.append(many_classes_words(target, len(model.labels), rows))
    facts = {
        "read": read,
        "notes": [in_options(note, names) for note in dict.fromkeys([*notes, *model.notes, *warned]) if note],
    } | model_facts(model)
    facts["evaluation"] = _evaluation(options, model)
    facts["headline"] = model.not_evaluated() if facts["evaluation"] is None else facts["evaluation"].headline
    following = f"boxwood predict {shlex.quote(output)} new.csv -o predicted.csv"
    if options["as_json"]:
        print_json({**facts, "written": output, "next": following})
        return
    _print(facts, _shown(data), model)
    click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).\nNext: {following}")


def _learned(algorithm: Algorithm, source, task: str, settings: dict, target: str, options: dict) -> TreeModel:
    """The model, learned by this process or by the workers of a cluster."""
    memory, roles = options["memory"] or "2GB", roles_of(target, options)
    if not options["engine"]:
        return fit_stream(algorithm, source, roles, task, settings, How(memory, form=read_options().form))
    if read_options().encoding is not None:
        raise click.UsageError("--encoding is not available on a cluster, whose workers read UTF-8")
    from .engines import fit_on

    return fit_on(options["engine"], algorithm, source, roles, task, settings, memory)


def _print(facts: dict, files: str, model) -> None:
    read = facts["read"]
    left_out = f" {left_out_words(read['rows_without_response'])}." if read["rows_without_response"] else ""
    click.echo(f"Read {plain(files)}: {read['rows']:,} rows.{left_out}")
    click.echo(f"{read['task'].capitalize()} of {plain(read['target'])} ({read['task_why']}).")
    rows = [[f["name"], f["kind"], f["why"], f["levels"] or ""] for f in read["features"]]
    print_features(["feature", "kind", "because", "levels"], rows, {3})
    print_notes(facts["notes"])
    print_model(facts, model)
    click.echo()
    if facts["evaluation"] is not None:
        print_evaluation(facts["evaluation"])
    else:
        click.echo(f"{facts['headline']} To evaluate it: boxwood evaluate MODEL new.csv")


def _evaluation(options: dict, model):
    """The evaluation of a file, or of the rows that the pruner left out; None where there is neither."""
    if options["evaluate"] not in (CV, NONE):
        return on_file(options["evaluate"], model, options["sample_weight"], options["exposure"])
    return model.held_out_evaluation() if options["evaluate"] == CV else None


def _source(data: tuple[str, ...]):
    return data[0] if len(data) == 1 else list(data)


def _shown(data: tuple[str, ...]) -> str:
    return data[0] if len(data) == 1 else f"{data[0]} and {len(data) - 1} more"


def roles_of(target: str, options: dict) -> Roles:
    """The declarations of the columns in the options."""
    return Roles(
        target, options["sample_weight"], tuple(split_names(options["drop"])), exposure=options.get("exposure")
    )


def categorical(options: dict) -> dict:
    """The setting that --categorical-features makes."""
    listed = split_names(options["categorical"])
    return {"categorical_features": listed} if listed else {}


def reading(source) -> dict:
    """The settings that --missing-values and --missing-target make."""
    given = read_options()
    if not given.missing_values:
        codes = {}
    elif is_cache(source):
        raise click.UsageError("--missing-values is for data files; a code cache holds what was read with its own")
    else:
        codes = {"missing_values": given.codes(Batches(source, form=given.form).names)}
    numeric = {}
    if given.numeric:
        numeric["numeric_features"] = given.numeric_features(Batches(source, form=given.form).names)
    if given.dates:
        numeric["date_formats"] = given.forms(Batches(source, form=given.form).names)
    if given.ordinal:
        numeric["ordinal_features"] = given.orders(Batches(source, form=given.form).names)
    return codes | numeric | ({"missing_target": "drop"} if drops_rows({}) else {})


def task_of(source, target: str, task: str) -> tuple[str, str]:
    """The task, and the sentence that gives the reason; the target column is read as far as needed."""
    if is_cache(source):
        found = open_cache(source).facts["task"]
        return (found, "as encoded") if task == "auto" else (task, "as requested")
    if task != "auto":
        return task, "as requested"
    batches, values = Batches(source, form=read_options().form), set()
    if len(targets_of(target, batches.names)) > 1:
        raise ParameterError(
            f"several targets ({target}) need all rows in memory at once; ",
            remedy("leave --memory and --engine out, and give one file, or fit a tree for each target."),
        )  # fmt: skip
    if target not in batches.names:
        try:
            Roles(target).layout(batches, task)
        except ColumnError as error:  # which lists the columns
            raise ColumnError(with_hint(error.message, batches.names)) from error
    given = reading(source)
    codes = codes_of_columns(given.get("missing_values"), batches.names)
    codes = {target: codes[target]} if target in codes else {}
    batches.rules = RowRules(codes, needed=target if "missing_target" in given else None)
    for batch in batches.read([target]):
        column = batch.column(target)
        if form := numbers_form(column.levels) if column.why == STRINGS else "":
            return "regression", f"numbers of the form {form}; use --task to change this"
        if column.levels is not None:
            return "classification", "true/false" if column.levels == (False, True) else "text"
        known = column.values[~np.isnan(column.values)]
        if len(known) and not column.integer:
            return "regression", "numbers"
        values.update(distinct(known).tolist())
        if len(values) > MOST_CLASSES:
            return "regression", f"integers, more than {MOST_CLASSES} distinct; use --task to change this"
    if not values:
        raise ResponseError(f"the response {target!r} has no value in any row; name another column.")
    return "classification", f"integers, {len(values)} distinct; use --task to change this"
