"""The command evaluate: how good a model's predictions are on a file, compared with a constant prediction."""

from __future__ import annotations

import click

from .command_help import ExampleCommand
from .options import FILE, LABEL, common
from .output import collected_notes, print_json
from .paths import load_model
from .status import status
from .tables import reads_responses


@click.command(
    "evaluate",
    cls=ExampleCommand,
    short_help="Compare predictions with actual values.",
    examples=(
        "boxwood evaluate titanic.box titanic_new.csv --by sex",
        "boxwood evaluate titanic.box titanic_new.csv --target-class yes --thresholds --costs 5,1",
    ),
    goes_with={
        "--costs": "--thresholds", "--amount": "--thresholds", "--amount-costs": "--amount",
        "--chart": "--by or --thresholds", "--figure": "--chart",
    },
)  # fmt: skip
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, for models of rates.")
@click.option(
    "--target-class",
    type=LABEL,
    metavar="LABEL",
    help="Class for AUC, KS, lift and thresholds. Default: that of the model.",
)
@click.option(
    "--new-labels", type=click.Choice(["error", "drop"]), default="error", show_default=True,
    help="Rows whose label did not occur in training: an error, or leave them out.",
)  # fmt: skip
@click.option("--threshold", type=float, metavar="P", help="Predict the target class at this probability or above.")
@click.option("--thresholds", is_flag=True, help="Print a table of all thresholds and their costs.")
@click.option("--costs", metavar="MISS,ALARM", help="Costs of a false negative and of a false positive, such as 5,1.")
@click.option(
    "--amount", metavar="COLUMN", help="Column of amounts of money: with --thresholds, a miss also costs its amount."
)
@click.option(
    "--amount-costs", metavar="MISS,ALARM",
    help="What --amount adds to the costs per unit of the amount. Default: 1,0.",
)  # fmt: skip
@click.option(
    "--by", multiple=True, metavar="COLUMN",
    help="Also evaluate each group of rows: by a column, or by the month:, quarter: or year:COLUMN of its dates.",
)  # fmt: skip
@click.option(
    "--chart",
    type=FILE,
    metavar="FILE",
    help="Write a chart (.svg, .png, .pdf): with --by of a figure of each group, with --thresholds of the profit.",
)
@click.option("--figure", metavar="NAME", help="Figure of the chart, such as auc. Default: the first of the table.")
@reads_responses
@common
def evaluate(model, data, **options) -> None:
    """Predict every row of DATA with the model in a MODEL file and compare with the actual values.

    DATA must contain the target under the same name as in training. Each measure is printed with that of the
    baseline, which always predicts the most frequent class or the mean.
    """
    from .charts import write_chart
    from .evaluations import charted, evaluation_of, groups_of, print_evaluation, print_groups
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .predictions import unseen_notes
    from .report import print_notes
    from .responses import response_of
    from .several import check_of_one

    loaded, file = load_model(model), shown_name(data)
    check_of_one(loaded, options)
    requested = {} if loaded.responses else _of_classes(loaded, options)
    _check_chart(data, options)
    with collected_notes() as notes, about(file, {"new_labels": "--new-labels"}), status(not options["quiet"]) as shown:
        shown.show(f"Reading {file} ...")
        table, columns = read_new_data(data, loaded, with_response=True)
        by = groups_of(options["by"], table, loaded, file)
        found = evaluation_of(
            loaded, response_of(table, loaded, file), columns,
            numbers_of(table, options["weight"], "weight", file),
            numbers_of(table, options["exposure"], "exposure", file), by=by,
            amount=numbers_of(table, options["amount"], "amount", file), **requested,
        )  # fmt: skip
    costs = {name: options[name] and options[name].split(",") for name in ("costs", "amount_costs")}
    limits = found.thresholds(**costs) if options["thresholds"] else None
    if options["threshold"] is not None:
        found = found.at(options["threshold"])
    notes += unseen_notes(loaded, columns)
    if options["chart"]:
        write_chart(options["chart"], *charted(found, options["figure"], limits))
    if options["quiet"]:
        return
    if options["as_json"]:
        more = {} if limits is None else {"thresholds": limits.to_records(), "best_threshold": limits.best}
        facts = {"model": model, "data": data, "target": loaded.response_name, "notes": notes}
        print_json({**facts, **found.to_dict(), **more})
        return
    print_notes(notes)
    print_evaluation(found)
    if not loaded.responses:
        print_groups(found)
    if limits is not None:
        click.echo(f"\n{limits}")


def _of_classes(model, options: dict) -> dict:
    """The options that go with the response of a model; a usage error for those that do not."""
    from ..statistics.responses.registry import power_of

    if model.labels:
        if options["exposure"] is not None:
            raise click.UsageError("--exposure is for models of rates")
        wanted, requested = options["target_class"], {"new_labels": options["new_labels"]}
        if wanted is not None:
            return requested | {"target_class": wanted}
        if options["thresholds"] and model.interest is None:
            raise click.UsageError("--thresholds needs --target-class: no class of interest was named at the fit")
        return requested
    if options["exposure"] is not None and power_of(model.settings) is None:
        raise click.UsageError("--exposure is for models of rates; this one predicts means")
    for name in ("target_class", "threshold", "thresholds", "new_labels"):
        if options[name] not in (None, False, "error"):
            raise click.UsageError(f"--{name.replace('_', '-')} is for models of classes; this one predicts numbers")
    return {}


def _check_chart(data: str, options: dict) -> None:
    """A chart is of one column of groups or of thresholds, and written beside the data."""
    from .charts import check_chart

    if not options["chart"]:
        return
    if len(options["by"]) + bool(options["thresholds"]) != 1:
        raise click.UsageError("--chart goes with one --by, or with --thresholds")
    if options["figure"] and not options["by"]:
        raise click.UsageError("--figure goes with --by: it is for the chart of groups")
    check_chart(options["chart"], data)
