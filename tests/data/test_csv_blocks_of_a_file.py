"""CSV in memory that is read in blocks: the same table as in one piece, and errors of memory that are no one else's."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pytest

from boxwood._free_memory import need_memory, raise_if_ran_out
from boxwood.data.files import csv_whole
from boxwood.data.files.csv_tables import CsvFields
from boxwood.data.files.files import read_table
from boxwood.errors import FileError, FormatWarning

N = 40


def written(tmp_path, fields: list[str], header: str = "a,b", end: str = "\n"):
    path = tmp_path / "data.csv"
    path.write_text(header + end + "".join(f"{field},x{i}{end}" for i, field in enumerate(fields)), encoding="utf-8")
    return path


COLUMNS = {
    "whole numbers": [str(i) for i in range(N)],
    "decimals late": [*map(str, range(N - 1)), "0.5"],
    "text late": [*map(str, range(N - 1)), "京都"],
    "text first": ["京都", *map(str, range(N - 1))],
    "a leading zero late": [*map(str, range(N - 1)), "007"],
    "words that are missing among numbers": ["NA"] * 20 + ["1"] * 20,
    "words that are ordinary among text": ["NA"] * 20 + ["Ulm"] * 20,
    "nothing, then numbers": [""] * 20 + ["1.5"] * 20,
    "nothing, then text": [""] * 20 + ["Wien"] * 20,
    "nothing at all": [""] * N,
    "booleans": ["true", "false"] * 20,
    "booleans, then numbers": ["true"] * 20 + ["1"] * 20,
    "days": ["2024-01-31"] * N,
    "days, then times": ["2024-01-31"] * 20 + ["2024-01-31 10:11:12"] * 20,
    "times, then text": ["2024-01-31 10:11:12"] * 20 + ["never"] * 20,
    "large numbers": [str(2**53 + 1)] * 20 + ["0.25"] * 20,
    "beyond 64 bits": ["1"] * 20 + [str(2**70)] * 20,
    "quoted line ends": ['"p\nq"', '"r"'] * 20,
    "quotes written twice": ['"say ""no"""', "plain"] * 20,
    "quotes inside of fields": ['5" pipe', '"a\nb"'] * 20,
    "codes": ["-9"] * 20 + ["3.5"] * 20,
}


@pytest.mark.parametrize("size", [16, 50, 333])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", COLUMNS)
def test_blocks_change_nothing(tmp_path, monkeypatch, name, end, size):
    path = written(tmp_path, COLUMNS[name], end=end)

    def fields(names):
        return CsvFields(codes={"a": (-9,)} if name == "codes" else {})

    whole = read_table(path, fields)
    monkeypatch.setattr(csv_whole, "_BLOCK", size)
    assert read_table(path, fields).combine_chunks().equals(whole.combine_chunks())
    assert read_table(path, fields).num_rows == N


def test_an_error_names_the_row_of_the_whole_file(tmp_path, monkeypatch):
    path = written(tmp_path, [*map(str, range(30)), "1,2", *map(str, range(9))])
    monkeypatch.setattr(csv_whole, "_BLOCK", 40)
    with pytest.raises(FileError, match=r"row 31 \(line 32\) has 3 fields"):
        read_table(path)


def test_an_error_of_memory_does_not_blame_the_file():
    for error in (
        pa.ArrowMemoryError("malloc of size 131072 failed"),
        OSError(12, "Cannot allocate memory"),
        SystemError("error return without exception set"),
    ):
        with pytest.raises(MemoryError):
            raise_if_ran_out(error)
    raise_if_ran_out(OSError(2, "No such file or directory"))
    with pytest.raises(MemoryError):
        need_memory(2**60)


_READS = """
import resource, sys
from boxwood.data.files.files import read_table
import pyarrow.csv, pyarrow.parquet, pyarrow.json, pyarrow.feather, numpy
small = [read_table(path).num_rows for path in sys.argv[1::2]]
found = []
for path in sys.argv[2::2]:
    for more in range(4, 300, 24):
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + more * 2**20, resource.RLIM_INFINITY))
        try:
            rows = read_table(path).num_rows
            found.append("read")
        except MemoryError:
            found.append("memory")
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
print(sorted(set(found)))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are those of Linux")
def test_memory_that_ends_while_a_file_is_read_is_an_error_and_no_abort(tmp_path):
    import pyarrow.feather as feather
    import pyarrow.parquet as parquet

    table = pa.table({"a": list(range(1000)) * 600, "b": ["京都", "Ulm"] * 300_000})
    paths = []
    for size in (1000, len(table)):
        rows = table.slice(0, size)
        names = [tmp_path / f"{size}.{ending}" for ending in ("csv", "parquet", "arrow", "jsonl")]
        names[0].write_text("a,b\n" + "7,京都\n" * (size * 6), encoding="utf-8")
        parquet.write_table(rows, names[1])
        feather.write_feather(rows, names[2])
        names[3].write_text('{"a": 7, "b": "京都"}\n' * size, encoding="utf-8")
        paths.append(names)
    words = [str(path) for pair in zip(*paths, strict=True) for path in pair]
    done = subprocess.run([sys.executable, "-c", _READS, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "['memory', 'read']"


def test_blanks_among_numbers_are_missing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1, x\n ,y\n  ,z\n2.5, \n", encoding="utf-8")
    with pytest.warns(FormatWarning, match="Blanks around texts are removed in column 'b'"):
        table = read_table(path)
    assert table.column("a").to_pylist() == [1.0, None, None, 2.5]
    assert table.column("b").to_pylist() == ["x", "y", "z", None]
