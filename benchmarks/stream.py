"""Learning from Parquet files that are larger than the memory allowed: time a row against a fit in memory, and memory.

    python -m benchmarks.stream --rows 50000000 --memory-rows 5000000
    python -m benchmarks.stream --resident --rows 5000000

Each measurement is a process of its own. The table has 20 columns of float32 and three classes. With --resident it is
one file of 20 columns of float64 and two classes, and the resident memory of several fits is printed beside `memory`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks.cell import resident
from benchmarks.problems import signal

COLUMNS, BLOCK, DEPTH = 20, 1_000_000, 8


def write(folder: str, rows: int) -> list[str]:
    """Parquet files of a million rows each, made from a seed."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    paths = []
    for start in range(0, rows, BLOCK):
        rng = np.random.default_rng(start)
        n = min(BLOCK, rows - start)
        x = rng.standard_normal((COLUMNS, n), dtype=np.float32)
        score = x[0] + x[1] * x[2] + np.abs(x[3]) + 0.7 * rng.standard_normal(n, dtype=np.float32)
        y = np.digitize(score, [0.4, 1.6]).astype(np.int8)
        paths.append(os.path.join(folder, f"{start // BLOCK:05d}.parquet"))
        names = [f"x{j}" for j in range(COLUMNS)]
        table = pa.table([*x, y], names=[*names, "y"])
        parquet.write_table(table, paths[-1], compression="none", use_dictionary=["y"])
    return paths


#: Name -> kind of estimator and settings, for the resident memory of streams.
RESIDENT: dict[str, tuple[str, dict]] = {
    "CART, no surrogates": ("CARTClassifier", {"max_depth": DEPTH, "pruning": None, "max_surrogates": 0}),
    "CART": ("CARTClassifier", {"max_depth": DEPTH, "pruning": None}),
    "CART, pruned by folds": ("CARTClassifier", {"max_depth": DEPTH}),
    "CART, regression": ("CARTRegressor", {"max_depth": DEPTH, "pruning": None}),
    "C4.5": ("C45Classifier", {"max_depth": DEPTH, "pruning": None}),
    "CHAID": ("CHAIDClassifier", {"max_depth": DEPTH}),
}


def write_one(folder: str, rows: int) -> str:
    """One Parquet file of float64 columns and two classes."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    path = os.path.join(folder, "one.parquet")
    schema = pa.schema([*((f"x{j}", pa.float64()) for j in range(COLUMNS)), ("y", pa.int8())])
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=["y"]) as writer:
        for start in range(0, rows, BLOCK):
            X, score = signal(min(BLOCK, rows - start), COLUMNS, seed=start)
            writer.write_table(pa.table([*X.T, (score > 0).astype(np.int8)], schema=schema))
    return path


def measure_resident(name: str, path: str, memory: str, threads: int) -> float:
    """Peak resident bytes of one fit in this process, less those of the program and its libraries."""
    import pyarrow as pa

    import boxwood

    kind, settings = RESIDENT[name]
    model = getattr(boxwood, kind)(n_jobs=threads, **settings)
    few = pa.table({"x": [0.0, 1.0] * 10, "y": [0, 1] * 10})
    model.fit_stream(few, "y", memory=memory)  # what it imports belongs to the program
    before = resident("VmRSS")
    model.fit_stream(path, "y", memory=memory)
    return resident("VmHWM") - before


def print_resident(rows: int, threads: int, folder: str) -> None:
    """A line for each fit: resident memory beside the program's, with 1 GB, 500 MB and 200 MB."""
    path = write_one(folder, rows)
    for name in RESIDENT:
        for memory in ("1GB", "500MB", "200MB"):
            words = ["--resident", "--method", name, "--memory", memory, "--threads", str(threads), path]
            found = subprocess.check_output([sys.executable, "-m", "benchmarks.stream", *words], text=True)
            print(f"{name}, memory={memory}: {float(found) / 1e9:.2f} GB", flush=True)


def measure(method: str, paths: list[str], memory: str, threads: int) -> dict:
    """One fit in this process: seconds, peak resident bytes, and a hash of the model."""
    import hashlib

    from boxwood import CARTClassifier

    model = CARTClassifier(max_depth=DEPTH, pruning=None, max_surrogates=0, n_jobs=threads, verbose=1)
    began = time.perf_counter()
    read = 0.0
    if method == "stream":
        model.fit_stream(paths, "y", memory=memory)
    else:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        table = pa.concat_tables(parquet.read_table(path) for path in paths)
        matrix = {name: table.column(name).to_numpy() for name in table.column_names}
        del table
        y = matrix.pop("y")
        import pandas as pd

        frame, y = pd.DataFrame(matrix, copy=False), pd.Series(y, name="y")
        read = time.perf_counter() - began
        model.fit(frame, y)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    digest = hashlib.sha256(model.model_.to_bytes()).hexdigest()[:16]
    return {
        "method": method,
        "seconds": seconds,
        "read": read,
        "cpu": cpu,
        "peak": peak,
        "model": digest,
        "nodes": model.tree_.n_nodes,
    }


def apart(method: str, paths: list[str], memory: str, threads: int) -> dict:
    """The same in another process."""
    words = [
        sys.executable,
        "-m",
        "benchmarks.stream",
        "--method",
        method,
        "--memory",
        memory,
        "--threads",
        str(threads),
    ]
    done = subprocess.run([*words, *paths], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main() -> None:
    """Generate, measure both methods, print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=50_000_000, help="rows to stream")
    parser.add_argument("--memory-rows", type=int, default=5_000_000, help="rows of the fit in memory")
    parser.add_argument("--memory", default="2GB", help="what the stream may use")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", help="where to put the data and the code cache; default: a temporary folder")
    parser.add_argument("--resident", action="store_true", help="print the resident memory of several fits instead")
    parser.add_argument("--method", choices=("stream", "memory", *RESIDENT), help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.resident and given.method:
        print(measure_resident(given.method, *given.paths, given.memory, given.threads))
        return
    if given.method:
        print(json.dumps(measure(given.method, given.paths, given.memory, given.threads)))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        if given.resident:
            print_resident(given.rows, given.threads, folder)
            return
        paths = write(folder, given.rows)
        some = paths[: -(-given.memory_rows // BLOCK)]
        # the last block may hold fewer rows than requested in memory
        rows = {"memory": min(given.rows, len(some) * BLOCK), "stream": given.rows}
        for method, used in (("memory", some), ("stream", paths)):
            found = apart(method, used, given.memory, given.threads)
            each = found["seconds"] / rows[method] * 1e6
            print(
                f"{method}: {rows[method]} rows, {found['seconds']:.1f} s, {found['read']:.1f} s of it reading",
                end=", ",
            )
            print(
                f"{each:.3f} us a row, {found['cpu']:.1f} s of all processors, peak {found['peak'] / 1e9:.2f} GB",
                end=", ",
            )
            print(f"{found['nodes']} nodes, model {found['model']}", flush=True)


if __name__ == "__main__":
    main()
