"""What the workers of a cluster read: pieces of a data frame or of files, with all that is needed to read each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.columns.number_forms import FormSearch, searched
from ...data.files.csv_whole import joint_type
from ...data.files.data_paths import Found
from ...data.files.file_kinds import PARQUET, TEXT
from ...data.files.opened import AS_FOUND
from ...data.files.totals import tell_of_totals
from ...data.streams.batches import Batches
from ...data.streams.pieces import TextPiece, pieces_of, types_from_bytes, types_to_bytes
from ...data.streams.row_rules import RowRules
from ...errors import DataError, DataTypeError, FileError, ParameterError
from ...growing.cluster.pool import PieceSource, Workers, cut_files
from ...growing.cluster.summaries import layout_to_json, rules_to_json
from ...growing.parts.layout import Layout, Roles
from ...growing.shards.messages import to_message
from .encoding import Budget

#: Rows of a piece of a file: small enough that all workers have some, and that a lost one is soon made again.
PIECE_ROWS = 1 << 20
#: Bytes of a block of text in which workers look for types and for ends of rows.
_TEXT_BLOCK = 1 << 24


@dataclass(frozen=True)
class _Names:
    """The names of the columns, as :class:`boxwood.data.streams.batches.Batches` has them."""

    names: list[str]


def pieces_for(workers: Workers, source, roles: Roles, task: str, means: Budget) -> tuple[Layout, list[ClusterPiece]]:
    """What each column is, and what workers need to read each piece."""
    names = workers.columns(source)
    if names is not None:
        if means.form != AS_FOUND:
            raise ParameterError(means.form.first, " is for text files, and the source is not a file; leave it out.")
        layout = roles.layout(_Names(names), task)
        frames = workers.frames(source, layout.columns)
        pieces = [
            ClusterPiece({"place": f"partition {i}", "path": None, "where": None}, {}, frame)
            for i, frame in enumerate(frames)
        ]
    else:
        layout, pieces = _file_pieces(workers, source, roles, task, means)
    return layout, pieces


def piece_sources(pieces: list[ClusterPiece], layout: Layout, means: Budget, rules: RowRules) -> list[PieceSource]:
    """The pieces as messages for workers."""
    part_rows = means.part_rows(len(layout.columns))
    common = {"layout": layout_to_json(layout), "part_rows": part_rows, "batch_rows": min(part_rows, 1 << 17)}
    common["rules"] = rules_to_json(rules)
    return [PieceSource(to_message("piece", {**common, **p.facts}, p.arrays), p.frame) for p in pieces]


@dataclass(frozen=True, eq=False)
class ClusterPiece:
    """What a worker needs to read a piece.

    Attributes
    ----------
    facts : dict
    arrays : dict of str to ndarray
    frame : object
    decimals : dict of str to str, or None
        As in :class:`.TextCuts`, of text files.
    """

    facts: dict
    arrays: dict[str, np.ndarray]
    frame: object = None
    decimals: dict[str, str] | None = None


def doubtful_decimals(pieces: list[ClusterPiece]) -> dict[str, FormSearch]:
    """The columns of text files whose numbers may be thousands in all of them."""
    each = [piece.decimals for piece in pieces if piece.decimals is not None]
    names = [name for name in (each[0] if each else ()) if all(name in others for others in each)]
    found = {name: searched(of_file[name] for of_file in each if of_file[name]) for name in names}
    return {name: search for name, search in found.items() if search is not None}


def _file_pieces(workers: Workers, source, roles: Roles, task: str, means: Budget) -> tuple[Layout, list[ClusterPiece]]:
    batches = Batches(source, form=means.form)
    if not batches.files:
        raise DataTypeError(
            f"a cluster reads its own data frames, Parquet or CSV files; got {type(source).__name__}. Make a data "
            "frame of Dask or Ray of it, or leave out client."
        )
    for found in batches.files:
        if found.packed or found.kind not in (TEXT, PARQUET):
            raise FileError(f"{found.name}: workers read only plain Parquet and CSV files; convert it to Parquet.")
    layout = roles.layout(batches, task)
    texts = _text_pieces(workers, [found for found in batches.files if found.is_csv], means)
    pieces: list[ClusterPiece] = []
    for found in batches.files:
        if found.is_csv:
            pieces += texts[found.path]
            continue
        for piece in pieces_of(found, means.rows or PIECE_ROWS):
            facts = {"place": piece.name, "path": piece.path, "where": list(piece.groups)}
            pieces.append(ClusterPiece(facts | {"partition": piece.partition}, {}))
    if not pieces:
        raise DataError("the source holds no rows; a model needs at least one.")
    return layout, pieces


def _text_pieces(workers: Workers, files: list[Found], means: Budget) -> dict[str, list[ClusterPiece]]:
    """Pieces of CSV files, which workers cut where rows end; the types of columns are those that suit all files."""
    size = _TEXT_BLOCK if means.rows is None else max(1 << 8, 16 * means.rows)
    given = {"skip_rows": means.form.skip_rows, "header_rows": means.form.header_rows}
    facts = {"size": size, "rows": means.rows or PIECE_ROWS, "form": given}
    replies = cut_files(workers, [to_message("file", {"path": f.path, **facts}) for f in files]) if files else []
    types: dict = {}
    for reply in replies:
        for name, kind in types_from_bytes(reply.arrays["types"].tobytes()).items():
            types[name] = joint_type(types.get(name, kind), kind)
    arrays = {"types": np.frombuffer(types_to_bytes(types), dtype=np.uint8)} if types else {}
    out: dict[str, list[ClusterPiece]] = {}
    for found, reply in zip(files, replies, strict=True):
        if reply.plain["has_totals"]:
            tell_of_totals(found.name)
        common = {"path": found.path, "partition": found.partition, "form": given}
        named = ((TextPiece(found.path, tuple(span), types).name, span) for span in reply.plain["spans"])
        decimals = reply.plain["decimals"]
        out[found.path] = [
            ClusterPiece({"place": name, "where": span, **common}, arrays, decimals=decimals) for name, span in named
        ]
    return out
