"""The hot loops of boxwood: arrays in, arrays out."""

from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

class Table:
    """Columns as order-preserving codes with the exact values behind them."""

    def __init__(self, rows: int) -> None: ...
    def encode(self, columns: list, threads: int, ranks_only: bool = False) -> None: ...
    def sort(self, columns: list, threads: int) -> None: ...
    def row_numbers(self, more: Table, threads: int) -> tuple: ...

class Codes:
    """
    16-bit codes of columns, order-preserving or of levels, rows side by side.
    """

    def __init__(self, columns: object, rows: int, threads: int, most_bins: int = 0) -> None: ...
    def thresholds(self) -> dict: ...
    def bins(self) -> dict: ...
    @property
    def has_missing(self) -> bool: ...

class SparseColumns:
    """Columns of few values other than zero, each in order of value."""

    def __init__(
        self,
        n: int,
        starts: NDArray[numpy.int64],
        rows: NDArray[numpy.uint32],
        values: NDArray[numpy.float64],
        threads: int,
    ) -> None: ...
    def ranks(self) -> tuple: ...
    @property
    def has_missing(self) -> bool: ...

def grow_sparse(sparse: SparseColumns, response: dict, settings: Settings, threads: int, rows: list) -> list[Nodes]: ...

class Settings:
    """The settings of a recipe of binary splits, read once."""

    def __init__(self, given: dict) -> None: ...

def grow_coded(
    codes: Codes,
    response: dict,
    settings: Settings,
    threads: int,
    rows: object | None = None,
    ranks: object | None = None,
    sizes: tuple = (32768, 1024),
) -> list[Nodes]: ...
def shard_stats(places: NDArray[numpy.int16], count: int, response: dict, threads: int) -> tuple:
    """Sums of the response at each place, as words."""

def shard_tables(
    places: NDArray[numpy.int16], count: int, rows: object | None, columns: list, summed: dict, threads: int
) -> list:
    """Rows and sums of every bin or level of columns at each place."""

def shard_values(
    places: NDArray[numpy.int16], count: int, rows: object | None, columns: list, summed: dict, threads: int
) -> list:
    """
    Rows and sums by exact value inside some bins of columns, at each place.
    """

def shard_share_out(
    tree: object,
    columns: list,
    rows: NDArray[numpy.uint32],
    nodes: NDArray[numpy.int32],
    weights: NDArray[numpy.int64],
    known: NDArray[numpy.int64],
    threads: int,
) -> tuple:
    """
    Row, node and weight of the parts that parts of rows become down the tree.
    """

def value_codes(values: NDArray[numpy.float64], low_parts: object | None) -> tuple:
    """
    Codes of numbers, dense and in their order, and the value and low part of each code.
    """

class LevelSearch:
    """Best splits of a level from the summed tables of shards."""

    def __init__(
        self, response: dict, settings: dict, features: list, weighted: bool, rows: int, threads: int
    ) -> None: ...
    def start(self, words: NDArray[numpy.int64], ends: NDArray[numpy.int64], is_root: bool) -> tuple: ...
    def limit_means(self, least: NDArray[numpy.float64], greatest: NDArray[numpy.float64]) -> None: ...
    def root(self) -> tuple[float, float]: ...
    def set_bins(self, arg0: int, arg1: tuple, /) -> None: ...
    def take_table(
        self,
        arg0: int,
        arg1: int,
        arg2: NDArray[numpy.int64],
        arg3: NDArray[numpy.int64],
        arg4: NDArray[numpy.float64],
        arg5: bool,
        /,
    ) -> None: ...
    def candidate_bins(self, arg0: int, arg1: int, arg2: bool, /) -> object: ...
    def take_values(
        self,
        arg0: int,
        arg1: int,
        arg2: NDArray[numpy.float64],
        arg3: NDArray[numpy.float64],
        arg4: NDArray[numpy.uint32],
        arg5: NDArray[numpy.int64],
        arg6: NDArray[numpy.int64],
        arg7: NDArray[numpy.float64],
        arg8: int,
        arg9: bool,
        /,
    ) -> None: ...
    def ends(self, arg0: int, arg1: int, arg2: bool, /) -> list: ...
    def choose(self, arg0: Sequence[int], arg1: bool, /) -> None: ...
    def unresolved(self) -> list: ...
    def resolve(
        self, arg0: int, arg1: int, arg2: int, arg3: tuple[float, float], arg4: tuple[float, float], /
    ) -> None: ...
    def known_weights(self) -> object: ...
    def level(self) -> Nodes: ...

class MultiwayGrower:
    """
    Finds and makes the splits of a multiway tree level by level, or grows it whole.
    """

    def __init__(
        self, table: object, rows: NDArray[numpy.uint32], response: dict, settings: dict, threads: int
    ) -> None: ...
    def root(self) -> None: ...
    def best_splits(self, is_open: NDArray[numpy.uint8]) -> None: ...
    def route(self) -> None: ...
    def level(self) -> Nodes: ...
    def finish(self) -> Nodes: ...

class MarsSearch:
    """The search for the next term of a MARS model."""

    def __init__(
        self,
        columns: list,
        y: NDArray[numpy.float64],
        root_weight: NDArray[numpy.float64] | None,
        spans: tuple,
        memory: int,
        threads: int,
    ) -> None: ...
    def attempt(self, factors: list) -> tuple: ...
    def end_trial(self, keep: bool) -> None: ...
    def examine(
        self, parents: list, least_share: float, least_linear: NDArray[numpy.float64], limit: float
    ) -> tuple: ...
    def exact_gain(self, parent: list, feature: int, cut: float, linear: bool, new_form: bool) -> float: ...
    def all_knots(self, parent: tuple, feature: int, least_share: float, least_linear: float) -> tuple: ...

class Nodes:
    """
    A grown tree, or the nodes of one level; its arrays are created when they are fetched.
    """

    @property
    def parent(self) -> object: ...
    @property
    def first_child(self) -> object: ...
    @property
    def n_children(self) -> object: ...
    @property
    def rows(self) -> object: ...
    @property
    def missing(self) -> object: ...
    @property
    def heuristic(self) -> object: ...
    @property
    def score(self) -> object: ...
    @property
    def surrogate_start(self) -> object: ...
    @property
    def agreement(self) -> object: ...
    @property
    def adjusted(self) -> object: ...
    @property
    def competitor_start(self) -> object: ...
    @property
    def competitor_score(self) -> object: ...
    @property
    def log_p(self) -> object: ...
    @property
    def moments(self) -> object: ...
    def moments_at(self, arg: NDArray[numpy.int64], /) -> object: ...
    @property
    def splits(self) -> tuple: ...
    @property
    def surrogates(self) -> tuple: ...
    @property
    def competitors(self) -> tuple: ...
    @property
    def root(self) -> tuple: ...

class Plan:
    """A tree compiled for prediction."""

    def __init__(self, tree: object, unseen: object | None, features: list) -> None: ...
    @property
    def possible(self) -> bool: ...
    def node_of(self) -> object: ...
    def predict(self, rows: object, values: NDArray, out: NDArray, threads: int) -> tuple: ...

def apply(
    tree: object,
    unseen: object | None,
    columns: object,
    which: NDArray[numpy.uint32] | None,
    threads: int,
    start: NDArray[numpy.int32] | None = None,
) -> tuple: ...
def mix(
    tree: object,
    unseen: object | None,
    columns: object,
    which: NDArray[numpy.uint32],
    share_and_values: tuple,
    threads: int,
) -> tuple: ...
def parts(
    tree: object, unseen: object | None, columns: object, which: NDArray[numpy.uint32], share: NDArray[numpy.float64]
) -> tuple: ...
def shap(
    tree: object,
    unseen: object | None,
    columns: object,
    background: object | None,
    nodes: tuple,
    quadrature: tuple,
    threads: int,
) -> object: ...
def weakest_links(
    parent: NDArray[numpy.int32],
    first_child: NDArray[numpy.int32],
    n_children: NDArray[numpy.int32],
    risk: NDArray[numpy.float64],
    tolerance: float,
) -> tuple: ...
def squared_error_changes(
    parent: NDArray[numpy.int32],
    collapses_at: NDArray[numpy.float64],
    betas: NDArray[numpy.float64],
    rows: tuple,
    predicted: NDArray[numpy.float64],
) -> object: ...
def class_loss_changes(trees: list, losses: Callable, n_classes: int, strata: int) -> object: ...
def added_errors(weight: NDArray[numpy.float64], errors: NDArray[numpy.float64], rule: dict) -> object: ...
def simplified_rule(
    failing: NDArray[numpy.uint64], cases: tuple, predicted: int, whole: float, rule: dict
) -> tuple: ...
def prune_and_raise(tree: object, columns: object, cases: tuple, rule: dict, n_classes: int) -> tuple: ...
def ordered_leaves(boxes: dict, values: NDArray[numpy.float64], all: bool) -> tuple: ...
def isotonic_blocks(boxes: dict, weight: NDArray[numpy.float64], values: NDArray[numpy.float64]) -> object: ...

class ChaidGrower:
    """Finds and makes the splits of CHAID level by level, or the whole tree."""

    def __init__(
        self, table: object, rows: NDArray[numpy.uint32], response: dict, settings: dict, threads: int
    ) -> None: ...
    def root(self) -> None: ...
    def best_splits(self, is_open: NDArray[numpy.uint8]) -> None: ...
    def route(self) -> None: ...
    def level(self) -> Nodes: ...
    def finish(self) -> Nodes: ...
    def tests(self, samples: NDArray[numpy.uint32]) -> list: ...
    def bin_ends(self, feature: int) -> tuple: ...

def chaid_bins(
    below: NDArray[numpy.int64], here: NDArray[numpy.int64], total: int, unit: float, n_bins: int
) -> object: ...
def log_chi2_tails(statistic: NDArray[numpy.float64], df: NDArray[numpy.float64]) -> object: ...
def log_f_tails(
    statistic: NDArray[numpy.float64], df1: NDArray[numpy.float64], df2: NDArray[numpy.float64]
) -> object: ...
def coarse_codes(values: object, cuts: NDArray[numpy.float64]) -> object: ...
def look(values: object, limit: int) -> object: ...
def bin_cells(values: object) -> tuple:
    """Cells of the number line that hold values, and the rows in each."""

def bin_cell_ends() -> tuple:
    """Least and greatest key of each cell, uint64."""

def bin_parts(
    values: object, start: NDArray[numpy.uint64], last: NDArray[numpy.uint64], shift: NDArray[numpy.int32], width: int
) -> tuple:
    """Least key, greatest key and rows of each part of each range of keys."""

def bin_ends(values: object, cuts: NDArray[numpy.float64]) -> tuple:
    """Least and greatest value of each bin."""
