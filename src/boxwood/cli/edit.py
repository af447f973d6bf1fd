"""The command edit: changes a tree by one verb or by a log of them, prices each, and writes the log."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .._messages import must_be
from ..errors import FileError, ParameterError
from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, heading, print_json, print_table
from .paths import check_new_file, load_tree
from .status import working
from .tables import reads_responses

#: A log is a text; a file that is larger than this is none.
MOST_BYTES = 100_000_000


@click.command(
    cls=ExampleCommand,
    short_help="Edit a tree by hand, with a log.",
    examples=(
        "boxwood edit titanic.box titanic.csv --split 2 'age <= 14' --who 'A. Berg' --why 'children first' -o new.box",
        "boxwood edit titanic.box titanic.csv --split 2 'age <= 14' --dry-run",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE, required=False)
@click.option("--log", type=FILE, metavar="FILE", help="Apply all edits of a log.")
@click.option("--split", type=(int, str), metavar="NODE CONDITION", help="Split a node: 3 'income <= 24.5'.")
@click.option("--competitor", type=(int, int), metavar="NODE K", help="Split a node as its competing split K would.")
@click.option("--prune", type=int, metavar="NODE", help="Make a node a leaf.")
@click.option("--grow", type=int, metavar="NODE", help="Grow everything below a node anew, unpruned.")
@click.option(
    "--recipe", metavar="JSON", help="""For --grow: algorithm and settings, '{"algorithm": "chaid", "max_depth": 2}'."""
)
@click.option("--missing", type=(int, str), metavar="NODE TO", help="Send missing values to a child of a node, or own.")
@click.option("--merge", metavar="NODE,NODE,...", help="Merge siblings into one leaf.")
@click.option("--rename", type=(int, str), metavar="NODE NAME", help="Name a leaf or a segment.")
@click.option("--overrule", type=(int, str), metavar="NODE PREDICTION", help="Let a leaf predict this; needs --why.")
@click.option("--sign", type=int, metavar="NODE", help="Sign a node, so that no pruning removes it; needs --who.")
@click.option("--undo", type=click.IntRange(min=1), metavar="N", help="Take the last N edits back.")
@click.option("--who", metavar="NAME", help="For the log: who edits.")
@click.option("--when", metavar="TEXT", help="For the log: when.")
@click.option("--why", metavar="TEXT", help="For the log: the reason.")
@click.option("--force", is_flag=True, help="Also change nodes that were signed or overruled.")
@click.option("--dry-run", is_flag=True, help="Print the price only; nothing is written.")
@click.option("--holdout", type=FILE, metavar="DATA", help="Held-out rows, on which the price is evaluated, too.")
@click.option("--folds", type=click.IntRange(min=2), metavar="K", help="With --dry-run: also evaluate by K folds.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="File for the edited model.")
@click.option("--write-log", type=FILE, metavar="FILE", help="File for the log.")
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights, as in the fit.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, as in the fit.")
@reads_responses
@common
def edit(model, data, log, recipe, undo, who, when, why, force, dry_run, holdout, folds, output, write_log, weight,
         exposure, **options) -> None:  # fmt: skip
    """Edit the tree in a MODEL file by hand, with the training DATA: one verb, or all those of a log.

    Without a verb, the edits that the model holds are listed. The price of a verb is printed: the size of the tree, and
    its loss and AUC before and after.
    """
    loaded = load_tree(model)
    named = [name for name in _VERBS if options.get(name) is not None]
    actions = len(named) + (log is not None) + (undo is not None)
    _check_usage(actions, data, dry_run, (recipe, named), (output, write_log), folds)
    for file in (output, write_log):
        if file is not None:
            check_new_file(file, model, *(name for name in (data, log, holdout) if name is not None))
    if not actions:
        _finish(loaded, None, output, write_log, options)
        return
    facts: dict = {}
    with collected_notes() as notes:
        editor = _editor(loaded, data, holdout, (weight, exposure))
        if log is not None:
            facts = _replayed(editor, log)
        elif undo is not None:
            for _ in range(undo):
                editor.undo()
        else:
            verb = _verb(named[0], options[named[0]], recipe, loaded)
            about = {"who": who, "when": when, "why": why, "force": force}
            price = editor.price(verb, folds=folds) if dry_run else editor.take(verb, **about)
            facts = {"price": price.to_json(), "rows": price.rows}
    _finish(editor.model, facts | {"notes": notes}, output, write_log, options)


#: The verbs that are options.
_VERBS = ("split", "competitor", "prune", "grow", "missing", "merge", "rename", "overrule", "sign")


def _check_usage(actions: int, data, dry_run: bool, grow: tuple, files: tuple, folds) -> None:
    """Raise click.UsageError for options that do not go together."""
    (recipe, named), (output, write_log) = grow, files
    if actions > 1:
        raise click.UsageError("give one verb, --log or --undo")
    if actions and data is None:
        raise click.UsageError("an edit needs DATA, the rows that the model was fitted to")
    if dry_run and (not named or output is not None or write_log is not None):
        raise click.UsageError("--dry-run is for one verb, and writes no file")
    if folds is not None and not dry_run:
        raise click.UsageError("--folds is for --dry-run")
    if actions and not dry_run and output is None:
        raise click.UsageError("-o is missing: the file for the edited model")
    if recipe is not None and named != ["grow"]:
        raise click.UsageError("--recipe is for --grow")
    if "-" in files:
        raise click.UsageError("-o and --write-log must be files")


def _verb(name: str, given, recipe: str | None, loaded):
    """The verb of an option."""
    from ..model import edits

    if name in ("split", "competitor"):
        return edits.SplitNode(given[0], **{"condition" if name == "split" else "competitor": given[1]})
    if name == "grow":
        return edits.GrowBelow(given, None if recipe is None else _json(recipe, "recipe"))
    if name == "missing":
        return edits.SendMissing(given[0], given[1] if given[1] == "own" else _node(given[1], "missing"))
    if name == "merge":
        first, *others = [_node(text, "merge") for text in given.split(",")]
        return edits.MergeNodes(first, tuple(others))
    if name == "overrule":
        return edits.OverruleLeaf(given[0], _prediction(given[1], loaded.tree.response))
    if name == "rename":
        return edits.RenameNode(*given)
    return {"prune": edits.PruneNode, "sign": edits.SignNode}[name](given)


def _node(text: str, option: str) -> int:
    if not text.strip().isdecimal():
        raise ParameterError(must_be(option, "numbers of nodes", text))
    return int(text)


def _prediction(text: str, response):
    """A label by its text, or a number."""
    from ..data.frames.class_labels import AsWritten, class_code

    if response.labels:
        return response.labels[class_code(response.labels, AsWritten(text), "overrule")]
    try:
        return float(text)
    except ValueError:
        raise ParameterError(must_be("overrule", "a number", text)) from None


def _json(text: str, option: str):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError(must_be(option, "a JSON object", text)) from None


def _editor(loaded, data: str, holdout: str | None, names: tuple[str | None, str | None]):
    """The editing session of a model with the rows of files."""
    from ..algorithms.editing.editor import Editor
    from ..algorithms.editing.rows_of_fit import RowsOfFit
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    def rows(file: str) -> RowsOfFit:
        shown = shown_name(file)
        with about(shown), working(f"Reading {shown} ..."):
            table, columns = read_new_data(file, loaded, with_response=True)
            weight, exposure = (
                numbers_of(table, names[0], "weight", shown),
                numbers_of(table, names[1], "exposure", shown),
            )
            return RowsOfFit(columns, response_of(table, loaded, shown), weight, exposure)

    return Editor(loaded, rows(data), None if holdout is None else rows(holdout))


def _replayed(editor, log: str) -> dict:
    """Replay the log of a file."""
    try:
        path = Path(log)
        text = path.read_text(encoding="utf-8") if path.stat().st_size <= MOST_BYTES else ""
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{log} cannot be read as a log: {error}.") from error
    found = editor.replay(text)
    if found.findings and not found.taken:
        raise ParameterError(f"no edit of {log} fits this model, so nothing is written:\n", str(found))
    return {"taken": found.taken, "findings": [vars(finding) for finding in found.findings], "replay": str(found)}


def _finish(model, facts: dict | None, output: str | None, write_log: str | None, options: dict) -> None:
    """Write the files, and print what was done."""
    from ..algorithms.editing.log import log_of

    if output is not None:
        model.save(output)
    if write_log is not None:
        text = json.dumps(log_of(model), ensure_ascii=False, indent=1)
        try:
            Path(write_log).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise FileError(f"{write_log} cannot be written: {error}.") from error
    if options["quiet"]:
        return
    rows, replay = (None, None) if facts is None else (facts.pop("rows", None), facts.pop("replay", None))
    written = [name for name in (output, write_log) if name is not None]
    if options["as_json"]:
        print_json(log_of(model) | (facts or {}) | {"written": written})
        return
    if facts is None:
        _print_edits(model)
    for note in (facts or {}).get("notes", ()):
        click.echo(f"Note: {note}")
    if rows is not None:
        cells = [[name, *("" if v is None else f"{v:.6g}" for v in values)] for name, *values in rows]
        print_table(["", "before", "after"], cells, {1, 2})
    if replay is not None:
        click.echo(replay)
    for name in written:
        click.echo(f"\nWrote {name} ({Path(name).stat().st_size / 1000:.1f} kB).")


def _print_edits(model) -> None:
    from ..model.edit_log import edits_from_json

    edits = edits_from_json(list(model.edits))
    if not edits:
        click.echo("This model has no edits.")
        return
    heading(f"{len(edits)} edit{'s' * (len(edits) != 1)}")
    rows = [[i, e.verb.node, e.verb.words, e.who or "", e.when or "", e.why or ""] for i, e in enumerate(edits, 1)]
    print_table(["", "node", "what", "who", "when", "why"], rows, {0, 1})
