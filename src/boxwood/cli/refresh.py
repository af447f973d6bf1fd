"""The command refresh: how the nodes of a tree differ for newer rows, and a model with their statistics."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import ParameterError
from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, print_json
from .paths import check_new_file, load_tree
from .report import print_notes
from .status import working
from .tables import reads_responses


@click.command(
    cls=ExampleCommand,
    short_help="Compare the nodes of a tree with newer rows, and refresh their statistics.",
    examples=(
        "boxwood refresh titanic.box titanic_new.csv",
        "boxwood refresh titanic.box titanic_new.csv -o refreshed.box",
    ),
    goes_with={"--grow": "-o"},
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="File for the model with the statistics of DATA.")
@click.option("--grow", is_flag=True, help="Grow the leaves that have drifted anew, as edits in the log of the model.")
@click.option(
    "--level", type=float, default=0.95, show_default=True, metavar="X", help="Confidence level of the tests."
)
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, for models of rates.")
@reads_responses
@common
def refresh(model, data, output, grow, level, weight, exposure, **options) -> None:
    """Compare each node of the tree in a MODEL file with the rows of DATA, which holds the target.

    Printed are the nodes in which the target is distributed otherwise than at the fit, and those that divide their rows
    in other shares. With -o, a model is written whose nodes have the statistics of DATA; its splits stay.
    """
    from ..algorithms import REGISTRY
    from ..algorithms.editing.drifted import grown_where_drifted
    from ..algorithms.editing.rows_of_fit import RowsOfFit
    from ..algorithms.fitting.refreshing import node_drift, refreshed
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    if output == "-":
        raise click.UsageError("-o must be a file: a model is not written to standard output")
    if output is not None:
        check_new_file(output, model, data)
    loaded, file = load_tree(model), shown_name(data)
    if loaded.algorithm not in REGISTRY:
        raise ParameterError(f"{model} holds a tree that boxwood did not fit; refresh one that it did.")
    algorithm = REGISTRY[loaded.algorithm]
    with collected_notes() as notes, about(file), working(f"Reading {file} ...") as line:
        table, columns = read_new_data(data, loaded, with_response=True)
        rows = RowsOfFit(
            columns, response_of(table, loaded, file), numbers_of(table, weight, "weight", file),
            numbers_of(table, exposure, "exposure", file),
        )  # fmt: skip
        line.show("Comparing the nodes ...")
        drift = node_drift(algorithm, loaded, rows, level)
        if output is not None:
            found = refreshed(algorithm, loaded, rows)
            if grow:
                found = grown_where_drifted(loaded, found, rows, drift)
            found.save(output)
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json({"model": model, "data": data, "notes": notes, **drift.to_dict(), "written": output})
        return
    print_notes(notes)
    click.echo(drift.to_text())
    if output is not None:
        click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).")
