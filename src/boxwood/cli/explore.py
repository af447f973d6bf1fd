"""The command explore: writes an HTML page in which a tree can be explored."""

from __future__ import annotations

from pathlib import Path

import click

from .command_help import ExampleCommand
from .options import FILE, FORCE, LABEL, common
from .output import collected_notes, print_json
from .paths import check_new_file, check_no_earlier_file, check_page_name, load_tree
from .status import status
from .streams import write_bytes
from .tables import OF_RESPONSES, reads_responses


@click.command(
    cls=ExampleCommand,
    short_help="Write an HTML page to explore a tree in a browser.",
    examples=(
        "boxwood explore titanic.box",
        "boxwood explore titanic.box titanic_new.csv -o titanic_new.html",
    ),
    goes_with=dict.fromkeys(("--sample-weight", "--exposure", "--by", *OF_RESPONSES), "DATA"),
    not_with={"--open": "-o -", "--json": "-o -"},
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE, required=False)
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="The HTML file. Default: the name of the model file with .html."
)
@FORCE
@click.option("--open", "open_it", is_flag=True, help="Open the page in the browser.")
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights in DATA.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures in DATA.")
@click.option(
    "--target-class", type=LABEL, metavar="LABEL", help="Class for AUC, lift and gains. Default: that of the model."
)
@click.option("--by", multiple=True, metavar="COLUMN", help="Groups of rows that the report compares, as in evaluate.")
@reads_responses
@common
def explore(model, data, output, force, open_it, weight, exposure, target_class, by, **options) -> None:
    """Write an HTML file with a report on the tree in a MODEL file and an interactive explorer.

    The report describes the data, the target, the evaluation with a baseline, the variables and the size of the tree.
    The explorer offers what-if analysis, pruning, rules and leaves. The page works without a network.

    If you pass DATA (- for standard input) with the target, the page includes the evaluation on these rows and their
    counts at each node. The rows themselves are not stored in the file.
    """
    from ..algorithms import REGISTRY
    from ..model.explorer_page import page_of_model
    from ..model.summary import ReportOptions
    from ..tree.atomic import write_atomically
    from .inputs import shown_name

    chosen, output = output, output or f"{Path(model).stem}.html"
    check_new_file(output, model, *([] if data is None else [data]))
    check_page_name(output)
    check_no_earlier_file(output, force or chosen is not None)
    loaded = load_tree(model)
    with collected_notes() as notes, status(not options["quiet"]) as line:
        line.show("Making the report ..." if data is None else f"Reading {shown_name(data)} ...")
        rows, groups = (None, ()) if data is None else _rows(loaded, data, (weight, exposure), by, notes)
        names = (Path(model).name, "" if data is None else Path(shown_name(data)).name)
        report = ReportOptions(*names, target_class, groups)
        line.show("Making the report ...")
        rivals = REGISTRY[loaded.algorithm].rivals(loaded, rows) if loaded.algorithm in REGISTRY else None
        page = page_of_model(loaded, rows, report, rivals)
    if output == "-":
        write_bytes(page.html.encode("utf-8"))
    else:
        write_atomically(output, page.html.encode("utf-8"))
    _print(_facts(model, loaded, rows, notes), output, page, options)
    if open_it:
        click.launch(Path(output).resolve().as_uri())


def _rows(model, data: str, names: tuple[str | None, str | None], by: tuple[str, ...], notes: list[str]):
    """The rows of a file as the page takes them, with their response if the file holds it, and their groups."""
    from ..model.explorer_page import given_to_show
    from .evaluations import groups_of
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .predictions import unseen_notes
    from .responses import response_of

    file = shown_name(data)
    targets = [one.name for one in model.responses] or [model.response_name]
    with about(file):
        table, columns = read_new_data(data, model, with_response=True)
        model.refuse(columns)
        weight, exposure = (
            numbers_of(table, column, what, file) for column, what in zip(names, ("weight", "exposure"), strict=True)
        )
        y = response_of(table, model, file) if set(targets) & set(table.column_names) else None
        if y is None:
            notes.append(
                f"{file} has no column {targets[0]!r}: its rows are counted, but nothing is known to be true of them."
            )
        notes += unseen_notes(model, columns)
        groups = () if y is None else tuple(groups_of(by, table, model, file))
        return given_to_show(model.tree.response, columns, y, weight, exposure), groups


def _facts(model: str, loaded, rows, notes: list[str]) -> dict:
    """What the page shows, as plain values."""
    nodes, leaves = loaded.tree.n_nodes, loaded.tree.n_leaves
    facts = {"model": model, "nodes": nodes, "leaves": leaves, "trees": len(loaded.path.alphas)}
    return facts | {"rows": None if rows is None else rows.columns.n, "notes": list(dict.fromkeys(notes))}


def _print(facts: dict, output: str, page, options: dict) -> None:
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json(facts | {"written": output})
        return
    for note in facts["notes"]:
        click.echo(f"Note: {note}", err=True)
    if output != "-":
        size = len(page.html.encode("utf-8")) / 1000
        click.echo(
            f"Wrote {output} ({size:.0f} kB): {facts['leaves']} leaves. Open it in any browser; nothing is loaded."
        )
