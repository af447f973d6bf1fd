"""The commands that explain: explain, explain-split."""

from __future__ import annotations

from dataclasses import replace

import click

from .command_help import ExampleCommand
from .options import FILE, common, split_names
from .output import collected_notes, print_json
from .paths import load_tree
from .status import working
from .tables import reads_responses, reads_tables


@click.command(
    cls=ExampleCommand,
    short_help="Explain the predictions of rows of a file.",
    examples=(
        "boxwood explain titanic.box titanic_new.csv --row 1",
        "boxwood explain titanic.box titanic_new.csv --row 1 --row 7 --json",
    ),
    not_with={"--row": "--where"},
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option(
    "--row",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="Row number, counted from 1. Default: the first 5 rows.",
)
@click.option("--where", metavar="CONDITION", help='Only rows that fulfil it, the first 5: "age <= 14 and sex = male".')
@reads_tables
@common
def explain(model, data, row, where, **options) -> None:
    """Explain, node by node, how the tree in a MODEL file predicts rows of DATA (- for standard input).

    Each step shows the prediction of the node, the value of the row and the change in the prediction. If the value is
    missing or did not occur in training, it also shows how the row was routed.
    """
    from .inputs import about, read_new_data, shown_name
    from .predictions import unseen_notes

    loaded = load_tree(model)
    with collected_notes() as notes, about(shown_name(data)), working(f"Reading {shown_name(data)} ...") as line:
        _, columns = read_new_data(data, loaded)
        rows = [n - 1 for n in row] or _first_rows(columns, where)
        if max(rows, default=0) >= columns.n:
            raise click.UsageError(f"--row {max(rows) + 1}: {shown_name(data)} has {columns.n} rows")
        line.show(f"Explaining {columns.n:,} rows ...")
        found = loaded.explain(columns)
    notes += unseen_notes(loaded, columns)
    if options["quiet"]:
        return
    if options["as_json"]:
        records = found.to_records()
        requested = set(rows)
        kept = [i for i, at in enumerate(records["row"]) if at in requested]
        steps = {name: [column[i] for i in kept] for name, column in records.items()}
        steps["row"] = [at + 1 for at in steps["row"]]
        print_json(
            {"model": model, "data": data, "rows": columns.n, "met": found.count(), "notes": notes, "steps": steps}
        )
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    click.echo("\n\n".join(found[at].to_text(first_row=1) for at in rows))


def _first_rows(columns, where: str | None, most: int = 5) -> list[int]:
    """The first rows that fulfil a condition, or the first of all."""
    from ..views.given_condition import fulfilled
    from ..views.read_condition import read_condition

    if where is None:
        return list(range(min(columns.n, most)))
    found = fulfilled(read_condition(where, columns.schema, "--where"), columns).nonzero()[0].tolist()
    if not found:
        raise click.UsageError(f"--where {where!r}: none of the {columns.n} rows fulfils it")
    return found[:most]


@click.command(
    "explain-split",
    cls=ExampleCommand,
    short_help="Explain why a node was split as it was.",
    examples=(
        "boxwood explain-split titanic.box titanic.csv",
        "boxwood explain-split titanic.box titanic.csv --node 1 --feature age",
    ),
    goes_with={"--digits": "--feature or --measures or --format"},
    not_with={
        "--digits": "--format summary or --json", "--measures": "--format summary or --json",
        "--format": "--json",
    },
)  # fmt: skip
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--node", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Node number.")
@click.option("--feature", metavar="NAME", help="Show the arithmetic of this feature.")
@click.option(
    "--format",
    "notation",
    type=click.Choice(["summary", "text", "latex", "html"]),
    help="Output format. Default: summary, or text with --feature or --measures.",
)
@click.option(
    "--measures",
    metavar="A,B",
    help="entropy, gini, error, chi_squared, variance, f, or all. Default: the measure of the criterion.",
)
@click.option(
    "--digits", type=click.IntRange(1, 15), default=3, show_default=True, metavar="N", help="Number of decimals."
)
@click.option(
    "--branches", type=click.Choice(["split", "values"]), default="split", show_default=True,
    help="Evaluate the branches of the best split, or one branch for each value.",
)  # fmt: skip
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights, as in the fit.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, as in the fit.")
@reads_responses
@common
def explain_split(model, data, node, feature, notation, **options) -> None:
    """Rank the candidate features of a node, with the training DATA, and show the arithmetic.

    The candidates are sorted by rank. For each of them, the best split is shown and the reason why it was or was not
    chosen.
    """
    from ..algorithms import REGISTRY
    from ..views.candidates import sections_of
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    requested = split_names((options["measures"],)) if options["measures"] else None
    loaded = load_tree(model)
    file = shown_name(data)
    with collected_notes() as notes, about(file), working(f"Reading {file} ...") as line:
        table, columns = read_new_data(data, loaded, with_response=True)
        line.show(f"Searching the splits of node {node} ...")
        found = REGISTRY[loaded.algorithm].explain_split(
            loaded, node, columns, response_of(table, loaded, file),
            weight=numbers_of(table, options["weight"], "weight", file),
            exposure=numbers_of(table, options["exposure"], "exposure", file), branches=options["branches"],
        )  # fmt: skip
    sections = sections_of(found, "all" if requested == ["all"] else requested)
    if options["quiet"]:
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    if options["as_json"]:
        found = found if feature is None else replace(found, candidates=(found[feature],))
        facts = {"node": node, "path": found.path, "rows": found.rows, "note": found.note, "score": found.criterion}
        print_json({"model": model, "data": data, **facts, "candidates": found.to_records()})
        return
    notation = notation or ("summary" if feature is None and requested is None else "text")
    if notation == "summary":
        click.echo(str(found if feature is None else replace(found, candidates=(found[feature],))))
        return
    write = {"text": found.to_text, "latex": found.to_latex, "html": found.to_html}[notation]
    click.echo(write(feature, sections, options["digits"]))
