"""Columns stored only in the names of folders, as Hive writes them: sales/year=2023/month=1/part-0.parquet."""

from __future__ import annotations

import os
from collections.abc import Collection
from urllib.parse import unquote

from ...errors import FileError
from ..frames.arrow_tables import need_pyarrow, shown_path

#: Column -> its value in all rows of a file; None = missing.
FolderPartition = dict[str, int | str | None]


def partitions(paths: list[str], base: str, as_text: Collection[str] = ()) -> list[FolderPartition]:
    """The values that the folders below ``base`` give for each file.

    Values are decoded (``%2F`` is a slash); ``__HIVE_DEFAULT_PARTITION__`` and an empty value are missing. A column is
    one of whole numbers when every value in it is one and ``as_text`` does not name it, else of text.

    Raises
    ------
    FileError
        The name of a folder cannot be decoded.

    Examples
    --------
    >>> from boxwood.data.files.partitions import partitions
    >>> partitions(["sales/year=2023/a.csv", "sales/year=2024/city=S%C3%A3o%20Paulo/b.csv"], "sales")
    [{'year': 2023}, {'year': 2024, 'city': 'São Paulo'}]
    """
    found = _texts([path[len(base) :].replace(os.sep, "/") for path in paths])
    for name in {name for texts in found for name in texts}.difference(as_text):
        holders = [texts for texts in found if name in texts]
        for texts, value in zip(holders, _as_numbers([texts[name] for texts in holders]), strict=True):
            texts[name] = value
    return found


def _texts(paths: list[str]) -> list[FolderPartition]:
    """The same as text."""
    keys = [[unquote(p.partition("=")[0]) for p in path.split("/")[:-1] if p.find("=") > 0] for path in paths]
    if not any(keys):
        return [{} for _ in paths]
    pa = need_pyarrow()
    from pyarrow import dataset

    schema = pa.schema([(name, pa.string()) for name in dict.fromkeys(name for names in keys for name in names)])
    folders, found = dataset.HivePartitioning(schema), []
    for path, names in zip(paths, keys, strict=True):
        try:
            texts = dataset.get_partition_keys(folders.parse(path))
        except pa.ArrowInvalid as error:
            name = shown_path(os.path.dirname(path).strip("/"))
            raise FileError(f"the name of the folder {name} is not UTF-8 once it is decoded; rename it.") from error
        found.append({name: texts[name] or None for name in names})
    return found


def _as_numbers(texts: list[str | None]) -> list:
    """Texts as whole numbers if all of them are, else as they are."""
    pa = need_pyarrow()
    try:
        return pa.array(texts, pa.string()).cast(pa.int64()).to_pylist()
    except pa.ArrowInvalid:
        return texts


def columns_to_read(columns: list[str], own: list[str]) -> list[str]:
    """Those of ``columns`` that a file has itself; one of its own if it has none: without columns there are no rows."""
    held = set(own)
    return [name for name in columns if name in held] or own[:1]


def with_folders(table, partition: FolderPartition, columns: list[str] | None = None):
    """A table with the values of its folders: those of ``columns`` (None = all) that it lacks itself.

    Parameters
    ----------
    table : pyarrow.Table
    partition : dict
        Column -> value in all rows.
    columns : list of str, optional

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.files.partitions import with_folders
    >>> with_folders(pa.table({"x": [1, 2]}), {"year": 2023}).to_pydict()
    {'x': [1, 2], 'year': [2023, 2023]}
    """
    pa = need_pyarrow()
    for name, value in partition.items():
        if name not in table.column_names and (columns is None or name in columns):
            table = table.append_column(name, pa.repeat(value, table.num_rows))
    return table
