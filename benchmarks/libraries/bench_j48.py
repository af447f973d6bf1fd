"""Weka's J48 without pruning, a Java process each time; its own clock, the reading of files left out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.libraries.session import Job, Library, is_frame
from benchmarks.problems import CLASSIFICATION, Problem

#: Where Debian's package puts it; WEKA_JAR names another place (several archives joined by the path separator).
JARS = ("/usr/share/java/weka.jar",)


def _class_path() -> str | None:
    given = os.environ.get("WEKA_JAR")
    return given or next((jar for jar in JARS if Path(jar).exists()), None)


def _absent() -> str | None:
    if shutil.which("java") is None:
        return "Java is not installed"
    return None if _class_path() else "weka.jar not found (set WEKA_JAR)"


def _unable(problem: Problem, depth: int | None) -> str | None:
    if problem.task != CLASSIFICATION:
        return "classes only"
    return "has no limit of depth" if depth else None


def write_arff(path: Path, job: Job) -> None:
    """The table in Weka's format; ordered categories as numbers, weights in braces."""
    X, data = job.data.X, job.data
    columns, heads = [], []
    for j in range(X.shape[1]):
        column = X.iloc[:, j] if is_frame(X) else X[:, j]
        if column.dtype == "category":
            codes = column.cat.codes.to_numpy()
            texts = np.where(codes < 0, "?", codes.astype(str))
            levels = ",".join(map(str, range(len(column.cat.categories))))
            kind = "numeric" if column.cat.ordered else f"{{{levels}}}"
        else:
            values = np.asarray(column)
            texts, kind = np.where(np.isnan(values), "?", np.char.mod("%.17g", values)), "numeric"
        columns.append(texts)
        heads.append(f"@attribute x{j} {kind}")
    heads.append(f"@attribute y {{{','.join(map(str, range(job.problem.classes)))}}}")
    columns.append(data.y.astype(str))
    if data.weight is not None:
        columns.append(np.char.mod("{%g}", data.weight))
    with open(path, "w", encoding="utf-8") as file:
        file.write("@relation bench\n" + "\n".join(heads) + "\n@data\n")
        file.writelines(",".join(row) + "\n" for row in zip(*columns, strict=True))


class Session:
    """The table in a file, read anew by every process; ``options`` of J48, by default without pruning."""

    def __init__(self, job: Job, options: tuple[str, ...] = ("-U", "-M", "1")):
        self._options = options
        self._home = tempfile.TemporaryDirectory()
        self._table = Path(self._home.name) / "learn.arff"
        write_arff(self._table, job)

    def fit(self) -> float:
        """Fit once; seconds to build the model, as Weka reports."""
        command = ["java", "-Xmx8g", "-cp", _class_path(), "weka.classifiers.trees.J48", "-t", str(self._table)]
        done = subprocess.run([*command, "-no-cv", *self._options], capture_output=True, text=True, check=False)
        took = re.search(r"Time taken to build model:?\s*([0-9.]+)", done.stdout)
        if took is None:
            raise RuntimeError(f"J48 did not report how long it took: {(done.stderr or done.stdout).strip()[:300]}")
        return float(took[1])

    def predict(self, X) -> None:
        """Not measured."""

    def close(self) -> None:
        """Remove the table."""
        self._home.cleanup()


LIBRARY = Library("J48", _absent, _unable, Session)
