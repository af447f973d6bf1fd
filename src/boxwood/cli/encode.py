"""The command `boxwood encode`: writes data larger than memory as a code cache that `fit` reads."""

from __future__ import annotations

import shlex

import click

from .command_help import ExampleCommand
from .options import FILE, FileName, common
from .tables import learns_tables, read_options


@click.command(
    cls=ExampleCommand,
    short_help="Encode a large data set once, for faster fits.",
    examples=(
        "boxwood encode titanic.csv --target survived -o cache",
        "boxwood encode titanic.csv --target survived --drop embarked --max-bins 50 -o bins",
    ),
    not_with={"--counts": "--criterion"},
)
@click.argument("data", type=FILE, nargs=-1, required=True)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option("-o", "--output", required=True, type=FileName(), metavar="FOLDER", help="The folder to create.")
@click.option(
    "--task",
    type=click.Choice(["auto", "classification", "regression"]),
    default="auto",
    show_default=True,
    help="auto: text, true/false and up to 10 different integers are classes; other numbers are regression targets.",
)
@click.option("--sample-weight", metavar="COLUMN", help="Column of sample weights.")
@click.option("--counts", is_flag=True, help="The target counts events (for boxwood fit --criterion poisson).")
@click.option("--criterion", metavar="NAME", help="That of the fit, if it is poisson, gamma or tweedie.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures; without --criterion, of counts.")
@click.option("--drop", multiple=True, metavar="A,B", help="Columns to ignore.")
@click.option(
    "--categorical-features", "categorical", multiple=True, metavar="A,B", help="Numeric columns to treat as nominal."
)
@click.option(
    "--max-bins", type=int, metavar="N", help="Bin numeric columns with more than N distinct values into N bins."
)
@click.option(
    "--identifiers",
    type=click.Choice(["ignore", "use"]),
    default="ignore",
    show_default=True,
    help="Ignore columns that identify rows, or use them like others.",
)
@click.option("--memory", default="2GB", show_default=True, metavar="SIZE", help="Approximate memory limit.")
@learns_tables
@common
def encode(data, target, output, **options) -> None:
    """Read DATA once, in parts, and write an encoded copy to a new folder.

    DATA are CSV or Parquet files, or folders of them. `boxwood fit FOLDER --target COLUMN` then fits trees to the
    encoded copy, with any limits and measures; poisson, gamma and tweedie need the --criterion given here.
    """
    from ..algorithms.cart import CART
    from ..algorithms.fitting.encoding import encoded
    from ..algorithms.fitting.streams import How
    from ..learning.parameters import checked
    from .inputs import about
    from .output import collected_notes, print_json
    from .report import print_notes
    from .status import status
    from .streamed import categorical, reading, roles_of, task_of
    from .wording import classification_named

    if read_options().sheet is not None:
        raise click.UsageError("--sheet is for workbooks, which are read whole")
    source = data[0] if len(data) == 1 else list(data)
    shown = data[0] if len(data) == 1 else f"{data[0]} and {len(data) - 1} more"
    with collected_notes() as notes, about(shown), classification_named(), status(not options["quiet"]) as line:
        line.show(f"Reading {shown} ...")
        is_count = options["counts"] or options["exposure"]
        criterion = options["criterion"] or ("poisson" if is_count else None)
        task, _ = task_of(source, target, "regression" if criterion else options["task"])
        wanted = (
            {"pruning": None, "max_bins": options["max_bins"], "identifiers": options["identifiers"]}
            | categorical(options)
            | reading(source)
        )
        settings = checked(CART.parameters[task], wanted | ({"criterion": criterion} if criterion else {}))
        means = How(options["memory"], form=read_options().form).means(settings)
        with encoded(source, roles_of(target, options), task, settings, means, output) as made:
            facts = {
                "data": list(data), "target": target, "task": task, "rows": made.facts["rows"], "kept": made.n,
                "features": len(made.plan.schema), "written": output, "bytes": sum(p.size() for p in made.parts),
            }  # fmt: skip
    if options["quiet"]:
        return
    following = f"boxwood fit {shlex.quote(output)} --target {shlex.quote(target)} -o model.box"
    following += f" --criterion {shlex.quote(options['criterion'])}" if options["criterion"] else ""
    if options["as_json"]:
        print_json({**facts, "notes": notes, "next": following})
        return
    print_notes(notes)
    click.echo(
        f"Read {shown}: {facts['rows']:,} rows, {facts['features']} features.\n"
        f"Wrote {output} ({facts['bytes'] / 1e6:.1f} MB).\nNext: {following}"
    )
