"""The command grow-below: grows one node of a tree anew, with a given split or without."""

from __future__ import annotations

from pathlib import Path

import click

from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, print_json
from .paths import check_new_file, load_tree
from .status import working
from .tables import reads_responses


@click.command(
    "grow-below",
    cls=ExampleCommand,
    short_help="Grow a node of a tree anew, with a split of your own.",
    examples=(
        'boxwood grow-below titanic.box titanic.csv --node 2 --split "age <= 14" -o grown.box',
        "boxwood grow-below titanic.box titanic.csv --node 1 -o grown.box",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--node", type=click.IntRange(min=0), required=True, metavar="N", help="Node number.")
@click.option(
    "--split",
    metavar="CONDITION",
    help='Split the node first by a condition on one column: "income <= 24.5", "town in {Ulm, Bonn}".',
)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="File for the new model.")
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights, as in the fit.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, as in the fit.")
@reads_responses
@common
def grow_below(model, data, node, split, output, weight, exposure, **options) -> None:
    """Grow everything below a node of the tree in a MODEL file anew, from the training DATA, without pruning.

    All other nodes stay. Rows that fulfil the condition of --split go down the first branch.
    """
    from ..algorithms import REGISTRY
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    if output == "-":
        raise click.UsageError("-o must be a file: a model is not written to standard output")
    check_new_file(output, model, data)
    loaded, file = load_tree(model), shown_name(data)
    with collected_notes() as notes, about(file), working(f"Reading {file} ...") as line:
        table, columns = read_new_data(data, loaded, with_response=True)
        line.show(f"Growing below node {node} ...")
        grown = REGISTRY[loaded.algorithm].grow_below(
            loaded, node, columns, response_of(table, loaded, file), split=split,
            weight=numbers_of(table, weight, "weight", file), exposure=numbers_of(table, exposure, "exposure", file),
        )  # fmt: skip
    grown.save(output)
    if options["quiet"]:
        return
    before, after = ({"leaves": each.tree.n_leaves, "depth": each.tree.max_depth} for each in (loaded, grown))
    notes = [*notes, *grown.notes]
    if options["as_json"]:
        facts = {"node": node, "split": split, "before": before, "after": after, "notes": notes, "written": output}
        print_json({"model": model, "data": data, **facts})
        return
    for note in notes:
        click.echo(f"Note: {note}")
    click.echo(f"{after['leaves']} leaves, depth {after['depth']}; before {before['leaves']}, depth {before['depth']}.")
    click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).")
