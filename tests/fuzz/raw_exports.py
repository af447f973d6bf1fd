"""Models with codes for missing values and texts of dates and numbers: exports of raw rows agree with predict."""

from __future__ import annotations

import datetime
import json
import random
import shutil
import warnings

from boxwood import CARTClassifier
from boxwood.errors import BoxwoodWarning, MissingValueError, NotAvailableError, ParameterError

FORMS = (
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y%m%d",
    "%d%b%Y",
    "%d %B %Y",
    "%Y. %m. %d.",
    "%d.%m.%Y %H:%M",
    "%Y/%m/%d %I:%M %p",
    "iso",
)
CODES = (-999, -9, 99, 0.5, "?", "", "n.a.", "-1", "1e3", "missing", "9999-12-31", "31.12.9999", 99991231)
COLUMNS = ("number", "whole", "text of numbers", "level", "number level", "truth", "date", "text of dates")
ENGINES = ({"format": "python"}, {"format": "json"}, {"format": "sql", "dialect": "sqlite"},
           {"format": "sql", "dialect": "duckdb"}, {"format": "c"}, {"format": "js"}, {"format": "r"})  # fmt: skip
_NEEDED = {"c": "cc", "js": "node", "r": "Rscript"}


def draw(draw: random.Random) -> bytes:
    """A seed, the columns, the format of dates, the policies, and the engine."""
    columns = draw.sample(COLUMNS, draw.randint(1, 4))
    policies = [draw.choice(("surrogate", "majority", "learned", "own_branch", "error")),
                draw.choice(("missing", "majority", "stay", "error"))]  # fmt: skip
    return json.dumps([draw.randrange(10**6), columns, draw.choice(FORMS), policies, draw.choice(ENGINES)]).encode()


def run(data: bytes) -> None:
    """Fit, export, and compare on rows with all that may be in a table."""
    seed, columns, form, (missing, unseen), engine = json.loads(data)
    if shutil.which(_NEEDED.get(engine["format"], "python3")) is None:
        return
    rng = random.Random(seed)
    codes = {name: rng.sample(_possible(name), rng.randint(0, 2)) for name in columns}
    gaps = missing != "error"
    rows = {name: [_value(name, form, rng, codes[name], gaps) for _ in range(80)] for name in columns}
    settings = {"missing": missing, "unseen": unseen, "pruning": None, "min_samples_leaf": 1, "max_depth": 5}
    settings["categorical_features"] = [name for name in columns if name == "number level"]
    settings["numeric_features"] = [name for name in columns if name == "text of numbers"]
    settings["date_formats"] = {name: form for name in columns if name == "text of dates"} or None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        model = CARTClassifier(
            missing_values={name: found for name, found in codes.items() if found} or None, **settings
        )
        try:
            model.fit(rows, [rng.choice("abc") for _ in range(80)])
        except MissingValueError:  # a number happens to be a code
            return
        new = {name: [_value(name, form, rng, codes[name], gaps, new=True) for _ in range(60)] for name in columns}
        try:
            verdict = model.verify_export(X=new if unseen != "error" else rows, **engine)
        except NotAvailableError:
            return
        except ParameterError as error:
            if "ends with an error" in str(error) or "does not" in str(error):
                raise AssertionError(str(error)) from error
            raise
    if not verdict:
        raise AssertionError(str(verdict))


def _possible(name: str) -> list:
    """Codes that may be in a column: one of a single type holds no texts among numbers."""
    texts = [code for code in CODES if isinstance(code, str)]
    if name in ("text of numbers", "level", "text of dates"):
        return list(CODES)
    return [code for code in CODES if code not in texts] if name not in ("date", "truth") else ["9999-12-31", "?"]


def _value(name: str, form: str, rng: random.Random, codes: list, gaps: bool, new: bool = False):
    """A value of a column; some are codes, some are missing."""
    text = name in ("text of numbers", "level", "text of dates")
    if gaps and codes and rng.random() < 0.2 and name not in ("date", "truth"):
        code = rng.choice(codes)
        return f"{' ' * rng.randrange(2)}{code}{' ' * rng.randrange(2)}" if text else code
    if gaps and rng.random() < 0.1:
        return rng.choice([None, None if text or name in ("date", "truth", "number level") else float("nan")])
    day = datetime.datetime(2000, 1, 1) + datetime.timedelta(minutes=rng.randrange(10**7))
    if name == "number":
        return rng.choice([rng.gauss(0, 1), round(rng.gauss(0, 1), 1), float(rng.randrange(5))])
    if name == "whole":
        return rng.randrange(-(2**40), 2**40) if rng.random() < 0.5 else rng.randrange(200)
    if name == "text of numbers":
        return rng.choice([str(rng.randrange(100)), f" {rng.gauss(0, 1):.2f}", f"{rng.randrange(9)}e1", "+5", ".5"])
    if name == "level":
        return rng.choice(["Ulm", "京都", "a b", "O'Hara", "-2", "x"] + ["ulm", "Ulm "] * new)
    if name == "number level":
        return rng.choice([3, 17, 40, 2.5] + [4, 99.5] * new)
    if name == "truth":
        return rng.random() < 0.5
    return day.date() if name == "date" else day.isoformat(" ") if form == "iso" else day.strftime(form)
