"""Fits from data in parts: files, frames, or rows that workers hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

from .._messages import Setting, Value, must_be, remedy
from .._typing import ColumnLike, TableLike
from ..algorithms.fitting.cluster_learning import Cluster, fit_cluster
from ..algorithms.fitting.streams import How, fit_stream
from ..data.files.opened import Form
from ..data.streams.distributed_frames import is_ray_dataset
from ..errors import ParameterError, ParameterTypeError
from ..growing.cluster.dask import default_client
from ..growing.parts.layout import Roles
from .callbacks import fit_task, with_callbacks
from .declared import Declared
from .lazy_frames import one_frame
from .notices import log_shown
from .response import classifier_named


class Streaming(Declared):
    """The method ``fit_stream``, and ``fit`` for Dask data frames."""

    model_: Any

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
        skip_rows: int | None = None,
        header_rows: int | None = None,
    ) -> Self:
        """Fit to data in parts; the model is that of ``fit`` on the same rows.

        CART, CHAID, C4.5, ID3 and CLS learn from data that need not fit into memory. The source is read once. While
        the tree is grown, the data are stored in encoded form, in memory or in a folder on disk (the code cache).
        MARS, C4.5 rules and composed trees need all rows at once, and so does C4.5's pruning with raising where values
        are missing and rows are divided: these are read into memory, about 32 bytes per value.

        Parameters
        ----------
        source : path, list of paths, pyarrow Dataset or Table, list of frames, callable, or folder of a code cache
            Paths may be Parquet, Arrow, ORC or CSV files, also compressed, folders of such files, patterns with ``*``,
            or addresses (docs/tables.md). Folder names such as ``year=2023`` become columns (docs/streams.md). A
            callable must return an iterator of pandas, polars or pyarrow frames each time it is called. Workers read a
            Dask data frame; without a client, it is read one partition at a time. Actors read a Ray data set. With
            ``client``, the source is one of these two, or Parquet or CSV files that all workers can read.
        target : str
            Column to predict.
        sample_weight : str, optional
            Column of weights of at least 0.
        exposure : str, optional
            Column of exposures, such as the observation time of each row, for counts (``criterion="poisson"``).
        drop : sequence of str
            Columns to ignore; all others are features.
        memory : str or int
            Approximate memory limit: "2GB", "512MB", "1GiB", or bytes; at least 32 MB. A fit that needs all rows at
            once raises an error if they need more; the message gives the size.
        cache : path, optional
            Folder in which the code cache is kept for later fits. An existing cache of the same files is reused. None
            means a temporary folder (see the environment variable TMPDIR), which is removed at the end. Not available
            where all rows are read into memory.
        client : distributed.Client, optional
            A Dask cluster whose workers read and store the rows; ``memory`` then applies to this process only. For
            another engine, pass a ``Workers`` object (docs/scale.md). None means Dask's default client for a Dask data
            frame if there is one and ``cache`` is not given, and no cluster otherwise. Where all rows are needed at
            once, this process reads them.
        encoding : str, optional
            Encoding of text files, such as "gb18030"; by default it is detected.
        skip_rows : int, optional
            Lines above the column names of text files; by default they are detected.
        header_rows : int, optional
            Lines of column names of text files, which are joined; 0 means none, so that columns are called column_1,
            column_2 and so on. By default they are detected.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range, needs more than ``memory``, or is a fold number for each row. On a cluster or
            from a code cache: C4.5's pruning with raising where rows are divided (use ``raising=False``).
        DataError, DataTypeError, FileError
            The data cannot be used, or the disk is full; the message names the file and its rows. A previously fitted
            model is kept.
        ClusterError
            Workers were lost more often than they could be replaced, or have another version of boxwood.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from boxwood import CARTClassifier
        >>> days = pa.table({"heat": [10, 30, 20, 35], "tea": ["热", "冷", "热", "冷"]})
        >>> CARTClassifier(pruning=None).fit_stream(days, "tea").classes_.tolist()
        ['冷', '热']
        """
        if not isinstance(drop, Iterable):
            given = Value(drop, type(drop).__name__)
            raise ParameterTypeError(must_be("drop", "a list of names of columns", given))
        if cache is not None and not isinstance(cache, (str, os.PathLike)):
            given = Value(cache, type(cache).__name__)
            raise ParameterTypeError(must_be("cache", "a path or None", given))
        drop = (drop,) if isinstance(drop, str) else tuple(drop)
        named = (("target", target), ("sample_weight", sample_weight), ("exposure", exposure))
        for name, value in (*named, *(("drop", c) for c in drop)):
            if not isinstance(value, str) and not (value is None and name in ("sample_weight", "exposure")):
                given = Value(value, type(value).__name__)
                raise ParameterTypeError(must_be(name, "the name of a column", given))
        algorithm, form = self._declared, Form(encoding, None, skip_rows, header_rows)
        settings = self._settings(algorithm)
        roles = Roles(target, sample_weight, drop, exposure=exposure)
        client = default_client(source) if client is None and cache is None else client
        with fit_task(self), classifier_named(self):
            with log_shown(settings.get("verbose", 0)):
                if client is None and not is_ray_dataset(source):
                    how = How(memory, None if cache is None else os.fspath(cache), form=form)
                    model = fit_stream(algorithm, source, roles, self._task, settings, how)
                elif encoding is not None:
                    raise ParameterError(
                        Setting("encoding"), " is not available on a cluster, whose workers read UTF-8; ",
                        remedy("leave out ", Setting("client"), "."),
                    )  # fmt: skip
                else:
                    cluster = _cluster(client, memory, cache, form)
                    model = fit_cluster(algorithm, source, roles, self._task, settings, cluster)
            self.model_ = model
        return self

    def _fit_lazily(self, X: TableLike, y: ColumnLike, **more: ColumnLike | None) -> Self:
        source, names = one_frame(X, {"target": y, **{name: c for name, c in more.items() if c is not None}})
        roles: dict[str, Any] = dict(names)
        return self.fit_stream(source, **roles)


def _cluster(client: Any, memory: str | int, cache: str | os.PathLike[str] | None, form: Form) -> Cluster:
    if cache is not None:
        raise ParameterError(
            "cache is not available on a cluster, whose workers keep what they read until the fit ends; leave it out."
        )
    return Cluster(client, memory, form=form)
