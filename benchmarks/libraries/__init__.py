"""One adapter a library: how its users would fit the tree of a problem."""

from __future__ import annotations

from benchmarks.libraries import (
    bench_boxwood,
    bench_hist_gradient_boosting,
    bench_j48,
    bench_lightgbm,
    bench_rpart,
    bench_sklearn,
    bench_xgboost,
    bench_ydf,
)
from benchmarks.libraries.session import Library

#: What everything is compared with.
OURS = bench_boxwood.FULL
#: Our library with other settings.
VARIANTS = (bench_boxwood.SURROGATES, bench_boxwood.DEFAULT)
PEERS = (
    bench_sklearn.LIBRARY,
    bench_hist_gradient_boosting.LIBRARY,
    bench_lightgbm.LIBRARY,
    bench_xgboost.HIST,
    bench_xgboost.EXACT,
    bench_ydf.LIBRARY,
    bench_rpart.LIBRARY,
    bench_j48.LIBRARY,
)
LIBRARIES: dict[str, Library] = {library.name: library for library in (OURS, *VARIANTS, *PEERS)}
