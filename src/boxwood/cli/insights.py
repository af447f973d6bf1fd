"""The commands that describe a tree: its rules, the importance of its features, counterfactuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..errors import ParameterError
from .command_help import ExampleCommand
from .options import FILE, LABEL, common, split_names
from .output import collected_notes, csv_text, heading, print_json, tree_words
from .paths import load_model, load_tree
from .status import working
from .tables import reads_tables

if TYPE_CHECKING:
    from ..data.columns.schema import Feature
    from ..views.rules import Rules


@click.command(
    cls=ExampleCommand,
    short_help="Print the rules of a tree, or its gains table.",
    examples=(
        "boxwood rules titanic.box --target-class yes",
        "boxwood rules titanic.box titanic_new.csv --gains --costs 0,10 --amount fare",
    ),
    goes_with={"--amount-costs": "--amount"},
    not_with={"--max-rules": "--gains or --json or --format csv", "--level": "--gains", "--format": "--json"},
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE, required=False)
@click.option(
    "--target-class", type=LABEL, metavar="LABEL",
    help="Print only rules that predict this class; with --gains, costs or DATA, the class of interest (default: that "
    "of the model).",
)  # fmt: skip
@click.option("--gains", is_flag=True, help="Print the gains table: the leaves, best first, with cumulative counts.")
@click.option(
    "--costs", metavar="MISS,ALARM",
    help="Costs of a false negative and of a false positive, such as 5,1, by which each rule has a profit.",
)  # fmt: skip
@click.option("--amount", metavar="COLUMN", help="Column of DATA with amounts of money: a miss also costs its amount.")
@click.option(
    "--amount-costs", metavar="MISS,ALARM",
    help="What --amount adds to the costs per unit of the amount. Default: 1,0.",
)  # fmt: skip
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of DATA with sample weights.")
@click.option(
    "--format", "form", type=click.Choice(["text", "csv"]), default="text", show_default=True,
    help="Text (with --gains, a table), or CSV with one row for each rule or leaf.",
)  # fmt: skip
@click.option(
    "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True,
    metavar="SHARE", help="Confidence level of the intervals.",
)  # fmt: skip
@click.option("--max-rules", type=click.IntRange(min=1), metavar="N", help="Maximum number of rules. Default: all.")
@reads_tables
@common
def rules(model, data, target_class, gains, form, level, max_rules, **options) -> None:
    """Print the rules of the tree in a MODEL file, with prediction, confidence and number of rows.

    With --costs, each rule also has the profit of predicting the class of interest, in the rows of training; with a
    DATA file, in its rows.
    """
    loaded = load_tree(model)
    with collected_notes() as notes, working("Writing the rules ..."):
        found = loaded.tree.rules(level)
        costs, by_amount = (options[name] and options[name].split(",") for name in ("costs", "amount_costs"))
        if data is not None:
            found = _rules_on_rows(found, loaded, data, (costs, by_amount), options | {"target_class": target_class})
        elif options["amount"] or options["weight"]:
            raise click.UsageError("--amount and --sample-weight are columns of DATA: name the file after MODEL")
        elif costs is not None:
            found = found.with_profit(costs, target_class)
    if gains:
        shown = found.gains(None if found.profits else target_class)
        records, text = shown.to_records(), shown.to_text()
    else:
        if target_class is not None and found.profits is None:
            found = found.of(target_class)
        records = found.to_records()
        text = tree_words(found.to_text(max_rules, hint="boxwood rules MODEL"))
    if options["quiet"]:
        return
    if options["as_json"]:
        profit = {} if found.profits is None else found.profits.to_dict()
        more = {"notes": notes} if data is not None else {}
        print_json({"model": model, "level": level, "gains" if gains else "rules": records, **profit, **more})
    elif form == "csv":
        click.echo(csv_text(records), nl=False)
    else:
        for note in notes:
            click.echo(f"Note: {note}", err=True)
        click.echo(text)
        if gains and found.profits is not None:
            click.echo(found.profits.total_words())


def _rules_on_rows(found: Rules, loaded, data: str, costs: tuple, options: dict) -> Rules:
    """The rules with their profit in the rows of a file."""
    from ..evaluation.rule_profit import with_profit_of
    from ..tree.descend import route_shares
    from .evaluations import evaluation_of
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    loaded.tree.response.need_one("the profit of rules")
    file = shown_name(data)
    with about(file):
        table, columns = read_new_data(data, loaded, with_response=True)
        y = response_of(table, loaded, file)
        weight, amount = (numbers_of(table, options[name], name, file) for name in ("weight", "amount"))
        wanted = {"target_class": options["target_class"]} if options["target_class"] is not None else {}
        evaluated = evaluation_of(loaded, y, columns, weight, amount=amount, **wanted)
    parts = route_shares(loaded.tree, columns, loaded.unseen)
    return with_profit_of(found, evaluated, parts, *costs)


@click.command(
    cls=ExampleCommand,
    short_help="Print the importance of each feature.",
    examples=(
        "boxwood importance titanic.box",
        "boxwood importance titanic.box --kind mdi+surrogates",
    ),
)
@click.argument("model", type=FILE)
@click.option(
    "--kind", type=click.Choice(["mdi", "mdi+surrogates"]), default="mdi", show_default=True,
    help="Mean decrease in impurity by splits; +surrogates also credits surrogate splits, as in rpart.",
)  # fmt: skip
@common
def importance(model, kind, **options) -> None:
    """Print the importance of each feature, the most important first."""
    from .report import print_ranking

    loaded = load_model(model) if kind == "mdi" else load_tree(model)
    if options["quiet"]:
        return
    found = loaded.ranking() if kind == "mdi" else loaded.ranking(kind)
    if found is None:
        raise ParameterError(f"{model} holds a {loaded.kind}, which has no feature importances.")
    if options["as_json"]:
        print_json({"model": model, "kind": found.kind, "importance": found.records})
        return
    if found.what:
        heading(f"Importance of the features ({found.what})")
    print_ranking(found)


@click.command(
    cls=ExampleCommand,
    short_help="Find the smallest changes that change a prediction.",
    examples=(
        "boxwood counterfactual titanic.box titanic_new.csv --row 2",
        "boxwood counterfactual titanic.box titanic_new.csv --row 2 --immutable sex --allowed age=:30",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option(
    "--row", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Row number, counted from 1."
)
@click.option("--target-class", type=LABEL, metavar="LABEL", help="Desired class. Default: any other class.")
@click.option(
    "--target-range", metavar="LOW:HIGH", help="Desired range of a numeric prediction; either bound may be omitted."
)
@click.option("--immutable", "fixed", multiple=True, metavar="A,B", help="Columns that must not change.")
@click.option(
    "--allowed", "allow", multiple=True, metavar="COLUMN=WHAT",
    help="Allowed changes of a column: a range 18:65 (or 18: or :65), increase, decrease, or levels red|blue.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(["changes", "distance"]), default="changes", show_default=True,
    help="Sort by the number of changes or by distance.",
)  # fmt: skip
@click.option(
    "-n",
    "--n",
    "n",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Maximum number of results.",
)
@click.option(
    "--rounded/--no-rounded",
    default=True,
    show_default=True,
    help="Suggest round numbers, or the nearest possible numbers.",
)
@reads_tables
@common
def counterfactual(model, data, row, fixed, allow, by, n, **options) -> None:
    """Find the smallest changes to a row of DATA that change the prediction."""
    import numpy as np

    from ..views.constraints import Constraints
    from .inputs import about, read_new_data, shown_name

    loaded = load_tree(model)
    tree = loaded.tree
    constraints = Constraints(tuple(split_names(fixed)), allowed_changes(tree, allow), None, by, options["rounded"], n)
    with collected_notes() as notes, about(shown_name(data)), working(f"Reading {shown_name(data)} ...") as line:
        _, columns = read_new_data(data, loaded)
        line.show("Searching the smallest changes ...")
        if row > columns.n:
            raise click.UsageError(f"--row {row}: {shown_name(data)} has {columns.n} rows")
        found = loaded.counterfactual(columns.take(np.array([row - 1])), target_given(tree, options), constraints)
    if options["quiet"]:
        return
    if options["as_json"]:
        facts = {"model": model, "data": data, "row": row, "prediction": found.prediction, "already": found.already}
        print_json(facts | {"notes": notes, "changes": found.to_records()})
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    click.echo(f"row {row}: {found.to_text()}")


def target_given(tree, options: dict):
    """The class or range to reach; None if none is given."""
    from ..views.target import target_of

    ends = options["target_range"]
    given = None if ends is None else _range(ends, "--target-range")
    return target_of(tree.response).given(options["target_class"], given)


def _range(text: str, option: str) -> tuple[float | None, float | None]:
    """LOW:HIGH as a pair, None where an end is left out."""
    low, colon, high = text.partition(":")
    try:
        if not colon:
            raise ValueError
        return tuple(float(end) if end.strip() else None for end in (low, high))
    except ValueError:
        raise click.UsageError(f"{option} must be LOW:HIGH, such as 18:65, 18: or :65; got {text!r}") from None


def _time_range(feature: Feature, text: str, option: str) -> tuple[str | None, str | None]:
    """LOW:HIGH of dates or times, which may hold colons themselves."""
    from ..data.columns.time_texts import instants_in

    for at, sign in enumerate(text):
        ends = tuple(end.strip() or None for end in (text[:at], text[at + 1 :]))
        if sign == ":" and all(end is None or instants_in(feature.temporal, [end]) for end in ends):
            return ends
    raise click.UsageError(f"{option} must be LOW:HIGH, such as 2020-01-01:2021-12-31; got {text!r}")


def allowed_changes(tree, given: tuple[str, ...]) -> dict:
    """What columns may change to, by name."""
    from ..data.columns.kinds.kind import ByKind

    readers = ByKind(
        numeric=lambda _, text, option: _range(text, option), ordinal=_listed, nominal=_listed, temporal=_time_range
    )
    found = {}
    for text in given:
        name, equal, what = text.partition("=")
        if not equal or name not in tree.schema.names:
            raise click.UsageError(f"--allowed must be COLUMN=WHAT with a column of the model; got {text!r}")
        feature = tree.schema[tree.schema.names.index(name)]
        if what in ("increase", "decrease"):
            found[name] = what
        else:
            found[name] = readers.of(feature)(feature, what, f"--allowed {name}")
    return found


def _listed(feature: Feature, text: str, option: str) -> list:
    known = {str(level): level for level in feature.levels}
    return [known.get(level, level) for level in text.split("|")]
