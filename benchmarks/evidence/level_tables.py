"""Public tables and simulated ones with a nominal column of many levels, whose target is a class or a number."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.evidence.tables import Table

#: More rows than this are drawn from at random, always the same ones.
MOST_ROWS = 5_000


def _table(source: str, target: str, drop: str = "") -> Table:
    return Table(source, target, tuple(drop.split()), MOST_ROWS)


#: Tables with classes. Columns that give the answer, identify the row or are known only afterwards are left out.
CLASSES = (
    _table("modeldata/mlc_churn", "churn"),
    _table("modeldata/lending_club", "Class"),
    _table("carData/MplsStops", "problem", "idNum date"),
    _table("ratdat/complete", "sex", "record_id"),
    _table("openintro/mn_police_use_of_force", "subject_injury", "response_datetime"),
    _table("medicaldata/covid_testing", "result", "subject_id ct_result"),
    _table("stevedata/TV16", "votetrump", "uid"),
    _table("lme4/VerbAgg", "r2", "resp id"),
    _table("Stat2Data/Kershaw", "Swing", "Outcome Class Result Time ABEvent"),
    _table("AER/ResumeNames", "call"),
    _table("openintro/mlbbat10", "position", "name"),
    _table("openintro/birds", "effect", "opid remarks date"),
    _table("openintro/reddit_finance", "fin_indy", "fin_indy_num fin_indy_pct"),
    _table("stevedata/anes_vote84", "vote", "uid govrace"),
    _table("dplyr/storms", "status", "category"),
    _table("causaldata/social_insure", "takeup_survey"),
    _table("openintro/loans_full_schema", "homeownership", "grade sub_grade interest_rate"),
)
#: Tables with numbers; some are panels, in which the rows of a level are alike.
NUMBERS = (
    _table("openintro/loans_full_schema", "interest_rate", "grade sub_grade installment"),
    _table("HSAUR/Forbes2000", "marketvalue", "rank name"),
    _table("wooldridge/apple", "ecolbs", "id"),
    _table("AER/USSeatBelts", "fatalities"),
    _table("causaldata/gapminder", "lifeExp"),
    _table("Ecdat/Cigarette", "packpc"),
    _table("vcd/Baseball", "sal87", "name1 name2"),
    _table("vcd/Bundesliga", "HomeGoals", "Date"),
    _table("modeldata/ames", "Sale_Price"),
    _table("modeldata/Sacramento", "price"),
    _table("modeldata/hotel_rates", "avg_price_per_room", "arrival_date"),
    _table("ggplot2/mpg", "hwy", "cty"),
    _table("openintro/epa2021", "comb_mpg", "city_mpg hwy_mpg carline model_yr mfr_code model_type_index"),
    _table("ggplot2/txhousing", "median", "volume date"),
    _table("HLMdiag/radon", "log.radon", "county"),
    _table("mosaicData/TenMileRace", "net", "time"),
    _table("openintro/nycflights", "dep_delay", "arr_time arr_delay dep_time"),
    _table("plyr/baseball", "hr"),
    _table("Ecdat/SumHes", "gdp"),
    _table("wooldridge/census2000", "lweekinc"),
    _table("openintro/census", "total_personal_income", "census_year total_family_income"),
    _table("pscl/presidentialElections", "demVote"),
    _table("causaldata/restaurant_inspections", "inspection_score"),
)
#: Of nominal columns in simulated tables, and rows; a level has at least three rows on average.
LEVELS, ROWS = (5, 10, 20, 30, 50, 100, 200, 1_000), (500, 3_000)
#: What the levels tell of the target: nothing, an effect of each, or the same effect of three in ten.
EFFECTS = ("noise", "effects", "group")
WORLDS = tuple(f"{effect}, {k} levels, {n} rows" for effect in EFFECTS for k in LEVELS for n in ROWS if 3 * k <= n)


def drawn(world: str, seed: int, is_number: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows of a simulated table: six numbers, of which three matter, and one nominal column, two if it is noise."""
    effect, levels, rows = world.split(", ")
    k, n = int(levels.split()[0]), int(rows.split()[0])
    rng = np.random.default_rng([seed, k, n, EFFECTS.index(effect)])
    values = rng.normal(size=(n, 6))
    codes = rng.integers(0, k, n)
    of_level = {"noise": np.zeros(k), "effects": rng.normal(scale=0.8, size=k), "group": 1.2 * (rng.random(k) < 0.3)}
    score = values[:, 0] * (1.0 + 0.7 * (values[:, 1] > 0.3)) - 0.6 * values[:, 2] + of_level[effect][codes]
    X = pd.DataFrame({f"x{j}": values[:, j] for j in range(6)})
    for j, column in enumerate((codes, rng.integers(0, k, n))[: 2 if effect == "noise" else 1]):
        X[f"c{j}"] = pd.Categorical.from_codes(column, [f"l{level:04}" for level in range(k)])
    if is_number:
        return X, score + rng.normal(size=n)
    return X, (rng.random(n) < 1.0 / (1.0 + np.exp(-1.5 * score))).astype(np.int64)


def most_levels(X: pd.DataFrame) -> int:
    """The number of levels of the nominal column that has most."""
    return max(X[name].nunique() for name in X.columns if X[name].dtype == "category")
