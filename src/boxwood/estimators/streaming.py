"""Fits from data larger than memory, for estimators whose algorithm supports it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

from .._typing import ColumnLike, TableLike
from ..errors import ParameterError, ParameterTypeError
from ..fitting.cluster_learning import Cluster, fit_cluster
from ..fitting.streams import How, fit_stream
from ..sources.cluster.dask import default_client
from ..sources.cluster.ray import is_ray_dataset
from ..sources.parts.layout import Roles
from .callbacks import fit_task, with_callbacks
from .fitted import FittedTree
from .lazy_frames import one_frame
from .notices import log_shown


class Streaming(FittedTree):
    """The method ``fit_stream``."""

    @with_callbacks
    def fit_stream(
        self,
        source: Any,
        target: str,
        *,
        sample_weight: str | None = None,
        exposure: str | None = None,
        drop: Sequence[str] = (),
        memory: str | int = "2GB",
        cache: str | os.PathLike[str] | None = None,
        client: Any = None,
        encoding: str | None = None,
    ) -> Self:
        """Grow a tree from data that need not fit into memory; the tree is that of ``fit`` on the same rows.

        The source is read once. The data are kept in encoded form, in memory or in a folder on disk (the code cache),
        while the tree is grown.

        Parameters
        ----------
        source : path, list of paths, pyarrow Dataset or Table, list of frames, callable, or folder of a code cache
            Paths may be Parquet, Arrow, ORC or CSV files, also compressed, folders of such, patterns with ``*``, or
            addresses (docs/tables.md); names of folders such as ``year=2023`` are columns (docs/streams.md). A callable
            returns an iterator of pandas, polars or pyarrow frames each time it is called. A Dask data frame is read
            by the workers, without a client one partition at a time; a Ray data set by actors. With ``client``: these,
            or Parquet or CSV files that all workers see.
        target : str
            Column to predict.
        sample_weight : str, optional
            Column of weights of 0 or more.
        exposure : str, optional
            Column of the time, area or persons under observation in each row, for counts (``criterion="poisson"``).
        drop : sequence of str
            Columns to leave out; all others are features.
        memory : str or int
            Approximate memory limit: "2GB", "512MB", "1GiB", or bytes; at least 32 MB.
        cache : path, optional
            Folder in which the code cache stays for other fits; one that is there, of the same files, is used. None =
            a temporary folder (where the environment variable TMPDIR says), removed at the end.
        client : distributed.Client, optional
            Workers of a Dask cluster read the rows and keep them; ``memory`` is then that of this process only.
            Another engine may be given as a ``Workers`` object (docs/scale.md). None = the default client of Dask for
            a Dask data frame, if there is one, and no cluster for all else. With ``cache``, there is no default.
        encoding : str, optional
            Encoding of text files, such as "gb18030"; None = UTF-8, or detected.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range, or asks for something that needs all rows at once: C4.5's pruning with raising
            where rows are divided for missing values (choose ``raising=False``), or a fold number for each row.
        DataError, DataTypeError, FileError
            Data that cannot be used, or no room on the disk; the message names the file and its rows. An earlier model
            stays.
        ClusterError
            Workers were lost, more often than they could be replaced, or have another version of boxwood.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from boxwood import CARTClassifier
        >>> days = pa.table({"heat": [10, 30, 20, 35], "tea": ["热", "冷", "热", "冷"]})
        >>> CARTClassifier(pruning=None).fit_stream(days, "tea").classes_.tolist()
        ['冷', '热']
        """
        if not isinstance(drop, Iterable):
            raise ParameterTypeError(f"drop must be a list of names of columns; got {type(drop).__name__}.")
        if cache is not None and not isinstance(cache, (str, os.PathLike)):
            raise ParameterTypeError(f"cache must be a path or None; got {type(cache).__name__}.")
        drop = (drop,) if isinstance(drop, str) else tuple(drop)
        named = (("target", target), ("sample_weight", sample_weight), ("exposure", exposure))
        for name, value in (*named, *(("drop", c) for c in drop)):
            if not isinstance(value, str) and not (value is None and name in ("sample_weight", "exposure")):
                raise ParameterTypeError(f"{name} must be the name of a column; got {type(value).__name__}.")
        algorithm = self._declared
        settings = self._settings(algorithm)
        roles = Roles(target, sample_weight, drop, exposure=exposure)
        client = default_client(source) if client is None and cache is None else client
        with fit_task(self):
            with log_shown(settings.get("verbose", 0)):
                if client is None and not is_ray_dataset(source):
                    how = How(memory, None if cache is None else os.fspath(cache), encoding=encoding)
                    model = fit_stream(algorithm, source, roles, self._task, settings, how)
                elif encoding is not None:
                    raise ParameterError("encoding is for one machine: workers read UTF-8. Leave out client.")
                else:
                    model = fit_cluster(algorithm, source, roles, self._task, settings, _cluster(client, memory, cache))
            self.model_ = model
        return self

    def _fit_lazily(self, X: TableLike, y: ColumnLike, **more: ColumnLike | None) -> Self:
        source, names = one_frame(X, {"target": y, **{name: c for name, c in more.items() if c is not None}})
        return self.fit_stream(source, **names)


def _cluster(client: Any, memory: str | int, cache: str | os.PathLike[str] | None) -> Cluster:
    if cache is not None:
        raise ParameterError("cache is for one machine; workers keep what they read until the fit ends. Leave it out.")
    return Cluster(client, memory)
