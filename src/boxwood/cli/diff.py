"""The command diff: what changed between two models."""

from __future__ import annotations

import html

import click

from .check import PAGE, AsRead
from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, print_json
from .paths import check_new_file, check_page_name, load_tree
from .report import print_notes
from .status import status
from .streams import write_bytes
from .tables import reads_tables


@click.command(
    cls=ExampleCommand,
    short_help="Compare two trees by the rows that get another answer.",
    examples=(
        "boxwood diff titanic.box pruned.box",
        "boxwood diff titanic.box pruned.box titanic.csv -o diff.html",
    ),
    not_with={"--json": "-o -", "--max-segments": "--json"},
)
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@click.argument("data", type=FILE, required=False)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the result as an HTML page.")
@click.option(
    "--max-segments", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
    help="Maximum number of segments to print.",
)  # fmt: skip
@click.option("--memory", metavar="SIZE", help="Read DATA in parts within this memory limit, such as 2GB.")
@reads_tables
@common
def diff(a, b, data, output, max_segments, memory, **options) -> None:
    """Print which segments of rows get another answer from the model B than from A, and how many rows of DATA.

    The trees are compared by the values that rows may have, with missing values, surrogates and levels that training
    did not have; not by the numbers of nodes. If DATA has the target, the errors of both models are compared too.
    """
    from ..model.diff.diff import diff_of
    from ..tree.atomic import write_atomically
    from .inputs import about, shown_name

    if data is None and memory is not None:
        raise click.UsageError("--memory is for DATA: name a file")
    if data == "-" and memory is not None:
        raise click.UsageError("--memory is for files; leave it out for standard input")
    if output is not None:
        check_new_file(output, a, b, *([] if data is None else [data]))
        check_page_name(output)
    first, second = load_tree(a), load_tree(b)
    with collected_notes() as notes, status(not options["quiet"]) as shown:
        shown.show("Comparing the trees ...")
        found = diff_of(first, second)
        if data is not None:
            shown.show(f"Reading {shown_name(data)} ...")
            with about(shown_name(data)):
                found = found.with_sums(_sums(found, first, data, memory))
    if output is not None:
        title = f"Changes from {a} to {b}"
        page = PAGE.format(title=html.escape(title), body=found.to_html()).encode("utf-8")
        write_bytes(page) if output == "-" else write_atomically(output, page)
    if options["quiet"] or output == "-":
        return
    if options["as_json"]:
        print_json({"a": a, "b": b, "data": data, "notes": notes, **found.to_dict()})
        return
    print_notes(notes)
    click.echo(found.to_text(max_segments, "--json"))


def _sums(found, first, data: str, memory: str | None):
    """Counts of the rows of a file in each cell, and losses where it has the target."""
    from .new_rows import Kept, rows_of
    from .responses import response

    target = first.response_name
    model = AsRead(found.schema, target, found.labels, first.settings)
    total = None
    for rows in rows_of(data, model, Kept(None, False), memory):
        has_target = target in rows.kept.column_names
        sums = found.sums_of(rows.columns, response(rows.kept, target, data) if has_target else None)
        total = sums if total is None else total + sums
    return total
