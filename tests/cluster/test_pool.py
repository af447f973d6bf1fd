"""Pieces that any worker may hold give the model of memory, byte for byte, whoever is lost at whatever moment."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.algorithms.fitting.streams import How, fit_stream
from boxwood.data.files.opened import Form
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import (
    ClusterError,
    DataError,
    DataTypeError,
    FileError,
    MissingValueError,
    ParameterError,
    WeightError,
)
from boxwood.growing.cluster import verbs, worker
from boxwood.growing.cluster.pool import MOST_LOSSES
from boxwood.growing.parts.layout import Roles
from boxwood.growing.parts.memory_part import MemoryPart
from cluster.in_process import InProcess
from cluster.tables import SETTINGS, TARGETS, in_memory, roles, table

FRAME = table()


def pieces(frame, n: int) -> list:
    return [frame.iloc[rows] for rows in np.array_split(np.arange(len(frame)), n)]


def fitted(source, workers, target="種類", weight=None, rows=60, **settings) -> bytes:
    task = dict(TARGETS)[target]
    cluster = Cluster(workers, rows=rows)
    given = SETTINGS | settings
    return fit_cluster(REGISTRY["cart"], source, roles(target, weight), task, given, cluster).to_bytes()


@pytest.mark.sample(3)
@pytest.mark.parametrize(("target", "weight"), [(t, w) for t, _ in TARGETS for w in (None, "w")])
@pytest.mark.parametrize(("n", "workers"), [(1, 1), (2, 2), (7, 3)])
def test_any_pieces_on_any_workers_give_the_model_of_memory(target, weight, n, workers):
    assert fitted(pieces(FRAME, n), InProcess(workers), target, weight) == in_memory(FRAME, target, weight)


#: All in files, some pieces in memory, all in memory.
MEMORIES = [0, 40_000, 10**9]


@pytest.mark.parametrize("memory", MEMORIES)
def test_workers_hold_in_memory_what_fits_into_a_quarter_of_it(memory, monkeypatch):
    sessions = {}
    monkeypatch.setattr(worker, "_sessions", sessions)
    kinds = set()

    class Watched(InProcess):
        def close(self, session):
            for known in sessions.values():
                parts = [part for piece in known.pieces.values() for part in piece.finisher.parts]
                kinds.update(type(part).__name__ for part in parts)
                assert sum(part.size() for part in parts if isinstance(part, MemoryPart)) <= max(1, memory // 4)
            super().close(session)

    assert fitted(pieces(FRAME, 7), Watched(2, memory=memory), rows=10) == in_memory(FRAME, "種類")
    assert kinds == [{"PartFile"}, {"PartFile", "MemoryPart"}, {"MemoryPart"}][MEMORIES.index(memory)]


@pytest.mark.long
@pytest.mark.parametrize("memory", MEMORIES)
def test_a_hundred_pieces_become_few_shards(memory, monkeypatch):
    made = []

    class Counted(verbs.Shard):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(verbs, "Shard", Counted)
    assert fitted(pieces(FRAME, 100), InProcess(memory=memory), rows=200) == in_memory(FRAME, "種類")
    assert len(made) == 4


def test_a_group_of_pieces_that_was_torn_apart_is_made_again():
    class Torn(InProcess):
        """Sends the first questions about a level to a part of the pieces alone."""

        def run(self, session, jobs):
            for job in jobs:
                if job.verb == "request" and len(job.ids) > 1 and not self.torn:
                    self.torn = True
                    yield from super().run(session, [replace(job, ids=job.ids[:1])])
                    yield from super().run(session, [replace(job, ids=job.ids[1:])])
                else:
                    yield from super().run(session, [job])

    workers = Torn(2)
    workers.torn = False
    assert fitted(pieces(FRAME, 6), workers) == in_memory(FRAME, "種類")
    assert [job.verb for job in workers.jobs].count("read") == 9


def test_pieces_in_another_order_give_the_same_model():
    shuffled = FRAME.iloc[np.random.default_rng(1).permutation(len(FRAME))]
    assert fitted(pieces(shuffled, 5), InProcess()) == in_memory(FRAME, "種類")


def test_a_piece_without_rows_changes_nothing():
    parts = pieces(FRAME, 3)
    assert fitted([parts[0], parts[0].iloc[:0], *parts[1:]], InProcess()) == in_memory(FRAME, "種類")


def test_priors_costs_and_class_weights():
    settings = {
        "priors": [0.2, 0.3, 0.5],
        "class_weight": {"ja": 2.0, "nein": 0.5},
        "costs": [[0, 1, 2], [1, 0, 1], [1, 3, 0]],
    }
    assert fitted(pieces(FRAME, 4), InProcess(), "種類", "w", **settings) == in_memory(FRAME, "種類", "w", **settings)
    settings = {"class_weight": "balanced"}
    assert fitted(pieces(FRAME, 4), InProcess(), "種類", "w", **settings) == in_memory(FRAME, "種類", "w", **settings)


def test_uneven_weights_and_a_price_of_leaves():
    frame = FRAME.assign(w=np.random.default_rng(3).random(len(FRAME)) ** 3)
    settings = {"ccp_alpha": 0.01, "missing": "majority"}
    assert fitted(pieces(frame, 4), InProcess(), "menge", "w", **settings) == in_memory(frame, "menge", "w", **settings)


@pytest.mark.sample(4)
@pytest.mark.parametrize("verb", ["read", "survey", "weigh", "finish", "update", "request"])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_worker_lost_at_any_moment_changes_nothing(verb, number):
    workers = InProcess(2, ((verb, number),))
    assert fitted(pieces(FRAME, 5), workers, "menge", "w") == in_memory(FRAME, "menge", "w")
    done = [job.verb for job in workers.jobs]
    assert done.count("read") > 5 or done.count(verb) <= number


@pytest.mark.parametrize("seed", range(6))
def test_several_workers_lost(seed):
    rng = np.random.default_rng(seed)
    verbs = ("read", "survey", "weigh", "finish", "update", "request", "request", "request")
    losses = tuple((str(rng.choice(verbs)), int(rng.integers(0, 12))) for _ in range(3))
    assert fitted(pieces(FRAME, 4), InProcess(3, losses), "種類", "w") == in_memory(FRAME, "種類", "w")


def test_workers_that_are_always_lost_end_the_fit():
    always = tuple(("request", number) for number in range(100))
    with pytest.raises(ClusterError, match=f"lost {MOST_LOSSES + 1} times"):
        fitted(pieces(FRAME, 3), InProcess(2, always))


def test_the_error_reports_why_the_last_worker_was_lost():
    workers = InProcess(2, tuple(("request", number) for number in range(100)))
    workers.why_lost = "OSError: 連線逾時"
    with pytest.raises(ClusterError, match=r"the last time: OSError: 連線逾時\)"):
        fitted(pieces(FRAME, 3), workers)


def test_what_a_lost_driver_left_is_removed_when_another_fit_begins(monkeypatch):
    left = InProcess(2)
    left.close = lambda session: None
    fitted(pieces(FRAME, 2), left)
    folders = [known.folder for known in worker._sessions.values()]
    assert len(folders) == 2
    assert all(os.path.isdir(folder) for folder in folders)
    monkeypatch.setattr(worker, "SILENCE", -1.0)
    assert fitted(pieces(FRAME, 2), InProcess(1)) == in_memory(FRAME, "種類")
    assert not any(os.path.isdir(folder) for folder in folders)
    assert not worker._sessions


def test_one_message_a_worker_and_question():
    workers = InProcess(3)
    fitted(pieces(FRAME, 9), workers)
    arguments = [job for job in workers.jobs if job.verb == "request"]
    assert {job.worker for job in arguments} == {"worker 0", "worker 1", "worker 2"}
    assert all(len(job.ids) == 3 for job in arguments)


def test_parquet_files_in_groups_of_rows(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as parquet

    for i, part in enumerate(pieces(FRAME, 2)):
        plain = part.assign(size=part["size"].astype(str))
        parquet.write_table(
            pa.Table.from_pandas(plain, preserve_index=False), tmp_path / f"{i}.parquet", row_group_size=70
        )
    workers = InProcess()
    expected = in_memory(FRAME.assign(size=FRAME["size"].astype(str)), "種類", "w")
    assert fitted(str(tmp_path), workers, "種類", "w", rows=150) == expected
    assert len({job.ids for job in workers.jobs if job.verb == "read"}) == 6


def test_errors_of_workers_name_the_place():
    parts = pieces(FRAME, 3)
    parts[1] = parts[1].assign(menge=np.nan)
    with pytest.raises(Exception, match="partition 1") as raised:
        fitted(parts, InProcess(), "menge")
    assert type(raised.value).__module__ == "boxwood.errors"


def test_raising_in_pieces_gives_the_model_of_memory():
    raised = {"pruning": "error_based"}
    expected = in_memory(FRAME, "種類", **raised)
    assert fitted(pieces(FRAME, 3), InProcess(2), "種類", **raised) == expected


@pytest.mark.parametrize(
    ("name", "settings"), [("c45", {}), ("cart", {"pruning": "error_based", "missing": "majority", "max_bins": 5})]
)
def test_raising_that_needs_all_rows_reads_them_here(name, settings):
    """Divided rows, or bins: the workers have read the pieces and are released, then this process reads them."""
    workers, algorithm = InProcess(2), REGISTRY[name]
    X = learn_columns(FRAME.drop(columns=["w", "menge", "種類"]))
    expected = algorithm.fit(
        X, FRAME["種類"], task="classification", settings=settings, weight=FRAME["w"].to_numpy(), response_name="種類"
    )
    assert expected.tree.n_nodes < expected.full_tree.n_nodes
    cluster = Cluster(workers, rows=60)
    found = fit_cluster(algorithm, pieces(FRAME, 3), roles("種類", "w"), "classification", settings, cluster)
    assert found.to_bytes() == expected.to_bytes()
    assert sum(len(job.ids) for job in workers.jobs if job.verb == "read") == 3


def test_the_memory_that_all_rows_need_is_reported():
    source = pieces(pd.concat([FRAME] * 300), 2)
    cluster = Cluster(InProcess(), memory="32MB")
    with pytest.raises(ParameterError, match=r"divides rows .*raising=False.*Or set memory to \d+MB"):
        fit_cluster(REGISTRY["c45"], source, roles("種類"), "classification", {}, cluster)


def test_what_a_cluster_does_not_do_is_refused_by_name(tmp_path):
    with pytest.raises(MissingValueError, match="'x' has a missing value"):
        fitted(pieces(FRAME, 2), InProcess(), missing="error")
    with pytest.raises(WeightError, match="zero for every row"):
        fitted(pieces(FRAME.assign(w=0.0), 2), InProcess(), "種類", "w")
    with pytest.raises(DataTypeError, match="its own data frames, Parquet or CSV"):
        fitted(FRAME, InProcess())
    (tmp_path / "a.csv").write_text(",".join(FRAME.columns) + "\n")
    with pytest.raises(DataError, match="holds no rows"):
        fitted(str(tmp_path / "a.csv"), InProcess())


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("c45", {"pruning": None}),
        ("c45", {"pruning": None, "laplace": True, "compat": "c45"}),
        ("id3", {}),
        ("cls", {}),
    ],
)
def test_multiway_trees(name, settings):
    frame, algorithm = FRAME.drop(columns=["x", "f", "menge", "w"]).dropna(), REGISTRY[name]
    features = frame[["city", "size", "b"]] if name != "c45" else frame.drop(columns="種類")
    expected = algorithm.fit(
        learn_columns(features), frame["種類"], task="classification", settings=settings, response_name="種類"
    )
    source = pieces(features.assign(種類=frame["種類"]), 3)
    found = fit_cluster(algorithm, source, Roles("種類"), "classification", settings, Cluster(InProcess(), rows=50))
    assert found.to_bytes() == expected.to_bytes()


@pytest.mark.parametrize("losses", [(), (("update", 2),), (("request", 5), ("update", 6))])
def test_rows_are_shared_out_whoever_is_lost(losses):
    frame, algorithm = FRAME.drop(columns=["menge"]), REGISTRY["c45"]
    expected = algorithm.fit(
        learn_columns(frame.drop(columns=["種類", "w"])), frame["種類"], task="classification",
        settings={"pruning": None}, weight=frame["w"], response_name="種類",
    )  # fmt: skip
    roles = Roles("種類", "w")
    workers = InProcess(2, losses)
    cluster = Cluster(workers, rows=40)
    found = fit_cluster(algorithm, pieces(frame, 5), roles, "classification", {"pruning": None}, cluster)
    assert found.to_bytes() == expected.to_bytes()
    assert [job.verb for job in workers.jobs].count("update") > 4


@pytest.mark.parametrize(("target", "weight"), [("種類", None), ("menge", "w")])
def test_the_methods_of_rpart(target, weight):
    given = {"compat": "rpart", "max_competitors": 3}
    assert fitted(pieces(FRAME, 4), InProcess(), target, weight, **given) == in_memory(FRAME, target, weight, **given)


@pytest.mark.parametrize("losses", [(), (("finish", 1), ("update", 3))])
def test_whole_numbers_beyond_doubles_are_exact(losses):
    rng = np.random.default_rng(8)
    frame = FRAME.assign(z=2**60 + rng.integers(-30, 30, len(FRAME)))
    frame["menge"] = (frame["z"] - 2**60) + frame["f"]
    frame.loc[frame.index < 120, "z"] = 3  # pieces without such a number
    found = fitted(pieces(frame, 5), InProcess(2, losses), "menge", "w", rows=80)
    assert found == in_memory(frame, "menge", "w")


@pytest.mark.parametrize("losses", [(), (("bin_counts", 1),), (("bin_counts", 3), ("finish", 1))])
@pytest.mark.parametrize(("target", "settings"), [("menge", {}), ("種類", {"class_weight": {"ja": 0.0}})])
def test_bins_are_those_of_memory(target, settings, losses):
    settings = settings | {"max_bins": 12}
    frame = FRAME.assign(x=np.round(FRAME["x"], 1))
    found = fitted([*pieces(frame, 5), frame.iloc[:0]], InProcess(2, losses), target, "w", **settings)
    assert found == in_memory(frame, target, "w", **settings)


def text_files(folder) -> tuple[str, list]:
    """CSV files whose columns have one type only together: whole numbers and gaps first, quotes over several lines."""
    rng = np.random.default_rng(2)
    plain = FRAME.assign(size=FRAME["size"].astype(str), whole=np.where(np.arange(len(FRAME)) < 300, 7.0, 0.25))
    plain["note"] = rng.choice(['a "b"', "北京\n東京", "c,d", ""], len(FRAME))
    plain["late"] = np.where(np.arange(len(FRAME)) < 250, None, rng.choice(["u", "v"], len(FRAME)))
    parts = [plain.iloc[:200].assign(whole=7), plain.iloc[200:230], plain.iloc[230:]]
    for i, part in enumerate(parts):
        part.to_csv(folder / f"{i}.csv", index=False)
    (folder / "3.csv").write_text(",".join(plain.columns) + "\n")
    return str(folder), [str(folder / f"{i}.csv") for i in range(4)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("losses", [(), (("cut", 0), ("cut", 2), ("read", 3), ("update", 2))])
@pytest.mark.parametrize("rows", [20, 150, 10_000])
def test_text_files_give_the_model_of_a_stream(rows, losses, tmp_path):
    folder, paths = text_files(tmp_path)
    settings = SETTINGS | {"categorical_features": ["z"]}
    expected = fit_stream(REGISTRY["cart"], folder, roles("種類", "w"), "classification", settings).to_bytes()
    for source in (folder, paths[::-1]):
        workers = InProcess(2, losses)
        assert fitted(source, workers, "種類", "w", rows=rows, categorical_features=["z"]) == expected
        drafts = [job for job in workers.jobs if job.verb == "read"]
        assert len(drafts) > 10 if rows == 20 else len(drafts) >= 3


def test_text_that_cannot_be_read_is_named(tmp_path):
    text_files(tmp_path)
    with open(tmp_path / "1.csv", "a") as file:
        file.write("1,2\n")
    with pytest.raises(FileError, match=r"1\.csv"):
        fitted(str(tmp_path), InProcess(), "種類", "w")


def test_workers_leave_out_totals_and_remarks(tmp_path):
    path, numbers = tmp_path / "a.csv", FRAME.select_dtypes("number").columns
    sums = {name: FRAME[name].sum() if name in numbers else "" for name in FRAME.columns}
    words = next(name for name in FRAME.columns if name not in numbers)
    row = FRAME.iloc[:0].astype(object)
    row.loc[0] = sums | {words: "合計"}
    FRAME.to_csv(path, index=False)
    expected = fitted(str(path), InProcess(2), "種類", "w")
    rows = row.to_csv(index=False, header=False)
    path.write_text(FRAME.to_csv(index=False) + rows + "\n* 注：合計\n", encoding="utf-8")
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        found = fitted(str(path), InProcess(2), "種類", "w")
    assert found == expected
    messages = " ".join(str(note.message) for note in notes)
    assert "the last row holds totals and is left out" in messages
    assert "1 line below the table is left out" in messages


@pytest.mark.filterwarnings("ignore::boxwood.errors.FormatWarning", "ignore::boxwood.errors.KindWarning")
def test_workers_find_the_table_in_files_of_pandas_with_a_title(tmp_path):
    path, names = tmp_path / "a.csv", {"identifiers": "ignore"}
    path.write_text("報告\n" + FRAME.to_csv(), encoding="utf-8")
    for form in (Form(), Form(skip_rows=1), Form(skip_rows=1, header_rows=1)):
        expected = fit_stream(
            REGISTRY["cart"], str(path), roles("種類", "w"), "classification", SETTINGS | names, How(form=form)
        )
        cluster = Cluster(InProcess(2), rows=60, form=form)
        found = fit_cluster(
            REGISTRY["cart"], str(path), roles("種類", "w"), "classification", SETTINGS | names, cluster
        )
        assert found.to_bytes() == expected.to_bytes()
        assert found.schema.names_of_rows == {"column_1"}
    with pytest.raises(ParameterError, match="skip_rows=1 is for text files, and the source is not a file"):
        fit_cluster(
            REGISTRY["cart"], pieces(FRAME, 2), roles("種類", "w"), "classification", SETTINGS,
            Cluster(InProcess(2), form=Form(skip_rows=1)),
        )  # fmt: skip
