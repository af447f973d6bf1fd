"""The items of TRIPOD+AI: what a model and its rows know is filled in, the rest are named blanks."""

from __future__ import annotations

from typing import Any

#: Number, topic, and the function that fills it from the facts of a dossier; None = only people know it.
#: Source: Collins, Moons, Dhiman, Riley et al. 2024, "TRIPOD+AI statement", BMJ 385:e078378, Table 2.
ITEMS: tuple[tuple[str, str, str | None], ...] = (
    ("1", "Title", "title"), ("2", "Abstract", None), ("3a", "Health context and rationale", None),
    ("3b", "Target population and intended purpose", None), ("3c", "Health inequalities", None),
    ("4", "Objectives", None), ("5a", "Sources of data", None), ("5b", "Dates of the data", None),
    ("6a", "Setting", None), ("6b", "Eligibility of participants", None), ("6c", "Treatments received", None),
    ("7", "Data preparation", "preparation"), ("8a", "Outcome and how it was assessed", None),
    ("8b", "Outcome assessors", None), ("8c", "Blinding of the outcome", None), ("9a", "Predictors considered", None),
    ("9b", "Predictors and how they were measured", "predictors"), ("9c", "Predictor assessors", None),
    ("10", "Sample size", "sample"), ("11", "Missing data", "missing"), ("12a", "How the data were used", "use"),
    ("12b", "Handling of predictors", "preparation"), ("12c", "Type of model and its building", "building"),
    ("12d", "Heterogeneity between clusters", None), ("12e", "Measures of performance", "measures"),
    ("12f", "Model updating", "updating"), ("12g", "How predictions were calculated", "output"),
    ("13", "Class imbalance", "imbalance"), ("14", "Fairness", "fairness"), ("15", "Model output", "output"),
    ("16", "Training versus evaluation", None), ("17", "Ethical approval", None), ("18a", "Funding", None),
    ("18b", "Conflicts of interest", None), ("18c", "Protocol", None), ("18d", "Registration", None),
    ("18e", "Data sharing", None), ("18f", "Code sharing", "code"), ("19", "Patient and public involvement", None),
    ("20a", "Flow of participants", None), ("20b", "Characteristics of participants", None),
    ("20c", "Comparison of development and evaluation data", None), ("21", "Participants in each analysis", "sample"),
    ("22", "Model specification", "specification"), ("23a", "Performance", "performance"),
    ("23b", "Heterogeneity of performance", "fairness"), ("24", "Results of updating", "updating"),
    ("25", "Interpretation", None), ("26", "Limitations", None), ("27a", "Poor quality or missing input", "missing"),
    ("27b", "Interaction with users", None), ("27c", "Next steps", None),
)  # fmt: skip


def filled(facts: dict[str, Any]) -> dict[str, str]:
    """The items that the facts of a dossier fill, by "number topic"."""
    words = _words(facts)
    found = {f"{number} {topic}": words.get(key or "", "") for number, topic, key in ITEMS}
    return {item: text for item, text in found.items() if text}


def blanks(facts: dict[str, Any]) -> dict[str, str]:
    """The other items, to be filled in by people."""
    known = filled(facts)
    return {item: "" for number, topic, _ in ITEMS if (item := f"{number} {topic}") not in known}


def _words(facts: dict[str, Any]) -> dict[str, str]:
    """Sentences of facts, by what they are about."""
    model, rows, settings = facts["model"], facts["rows"], facts["model"]["settings"]
    features = model["features"]
    sizes = ", ".join(f"{one['rows']:,} rows of {role}" for role, one in rows.items())
    missing = ", ".join(f"{one['missing']:,} missing values in {role}" for role, one in rows.items())
    weights = {name: settings[name] for name in ("class_weight", "priors", "costs") if settings.get(name) is not None}
    measures = {role: one["headline"] for role, one in facts["evaluation"].items()}
    exports = [f"{name} (equal in {one['rows'] - one['mismatches']:,} of {one['rows']:,} rows)"
               for name, one in facts["exports"].items()]  # fmt: skip
    by = facts["options"]["by"]
    chosen = ", ".join(f"{name}={value}" for name, value in model["settings_not_default"].items()) or "default settings"
    edits = len(facts["edits"])
    return {
        "title": f"A decision tree ({model['algorithm']}) that predicts {model['response']}",
        "preparation": "; ".join(f"{one['name']}: {one['kind']}" for one in features),
        "predictors": ", ".join(one["name"] for one in features if one["importance"] > 0) or "none",
        "sample": f"{model['rows']:,} rows of the fit, {sizes}",
        "missing": f"policy {settings.get('missing', 'of the algorithm')!r}; {missing}",
        "use": "; ".join(f"{role}: {one['of']}" for role, one in facts["evaluation"].items()),
        "building": f"{model['algorithm']}, {model['leaves']} of {model['leaves_before_pruning']} leaves; {chosen}",
        "measures": ", ".join(next(iter(facts["evaluation"].values()))["figures"]),
        "imbalance": f"settings {weights}" if weights else "",
        "fairness": f"evaluated by {', '.join(by)}" if by else "",
        "output": "the class of least expected cost, with its probability" if model["labels"] else "a number",
        "code": f"boxwood {facts['boxwood']}",
        "specification": f"the model file with SHA-256 {model['sha256']}; exports: {', '.join(exports) or 'none'}",
        "performance": "; ".join(f"{role}: {words}" for role, words in measures.items()),
        "updating": f"{edits} edits, each in the log" if edits else "",
    }
