"""The output for a MARS model: facts for `--json`, then text."""

from __future__ import annotations

import click

from .output import heading, print_table


def spline_facts(model) -> dict:
    """Size, terms, errors and importance of a MARS model as plain values."""
    from ..mars.words import records, subset_records, summary

    found = model.importance()
    names = model.schema.names
    return {
        "algorithm": {"algorithm": model.algorithm, "parameters": model.settings},
        "model": {
            "text": summary(model),
            "terms": records(model),
            "subsets": subset_records(model),
            "gcv": float(model.gcv[model.size - 1]),
            "rss": model.rss,
            "grsq": model.gr_squared,
            "rsq": model.r_squared,
        },
        "cross_validation": model.cv,
        "importance": [
            {
                "feature": names[i],
                "subsets": int(found.n_subsets[i]),
                "gcv": float(found.gcv[i]),
                "rss": float(found.rss[i]),
            }
            for i in found.order
            if found.n_subsets[i]
        ],
    }


def print_splines(facts: dict) -> None:
    """Print the terms of a fit."""
    heading("The model")
    click.echo(facts["model"]["text"])


def print_spline_importance(facts: dict, top: int) -> None:
    """Print what each feature is worth."""
    if not facts["importance"]:
        return
    heading("Importance of the features (subsets that hold it; fall of GCV and RSS, 100 = most)")
    rows = [[f["feature"], f["subsets"], f"{f['gcv']:.1f}", f"{f['rss']:.1f}"] for f in facts["importance"][:top]]
    print_table(["feature", "subsets", "gcv", "rss"], rows, {1, 2, 3})
