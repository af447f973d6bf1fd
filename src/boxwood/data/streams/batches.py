"""RowRange batch by batch, repeatable: files, folders, Arrow data sets, frames, or functions that return frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from ..._messages import FromZero, Message, RowRange, remedy
from ..._threads import Threads
from ...errors import DataError, DataTypeError, ParameterError
from ..columns.kind_warnings import dates_found, numbers_found, warn_of_decimals
from ..columns.missing_codes import holds_numbers
from ..columns.names import DataFile
from ..columns.number_forms import FormSearch
from ..columns.raw import EMPTY, place_of
from ..columns.text_searches import TextSearch
from ..files.csv_tables import CsvFields
from ..files.csv_whole import joint_type
from ..files.data_paths import Found, find_files
from ..files.opened import AS_FOUND, Form
from ..files.plain_copies import PlainCopies
from ..files.stacked import check_same
from ..frames.amounts import tell_of_amounts
from ..frames.containers import as_table
from ..frames.table import TableReader
from .batch import Batch
from .batch_readers import CsvReader, DatasetReader, FrameReader, Reader, file_readers, rows_of
from .distributed_frames import RayReader, is_dask_frame, is_ray_dataset, partition_readers
from .form_searches import forms_in
from .row_rules import NO_RULES, RowRules
from .table_streams import TableStream, arrow_batches, called, frame_reader, is_arrow_stream

#: A batch has at most this many rows.
MOST_ROWS = 1 << 17
#: Bytes of a cell in memory while it is read, about.
_CELL = 24


class Batches:
    """A source of rows that is read batch by batch, under a budget of memory.

    Parameters
    ----------
    source : path, list of paths, pyarrow Dataset, table, list of tables, iterator of tables, or callable
        Paths may be files (text, Parquet, Arrow or ORC, also compressed), folders of such, patterns with ``*``, or
        addresses; names of folders such as ``year=2023`` are columns. A callable is called for every pass and returns
        an iterator of tables. Tables are frames of pandas, polars or pyarrow, or anything else with the Arrow C stream
        interface. A RecordBatchReader, a generator or another iterator is read only once, which is enough unless
        ``missing_values`` are given.
    budget : int
        Bytes that a batch may take in memory, about.
    rows : int, optional
        Rows of a batch, instead of a budget.
    form : Form
        The encoding and layout of text files.

    Attributes
    ----------
    names : list of str
        Names of the columns.
    files : tuple of Found
        The files read, with size and time of last change; empty when the source is none of files.
    rules : RowRules
        Codes for missing values and rows to leave out; set before anything is read.
    left_out : int
        RowRange without a response that the last pass left out.

    Raises
    ------
    FileError, DataError, DataTypeError
        The source cannot be read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.streams.batches import Batches
    >>> batches = Batches(pa.table({"age": [1, 2, 3]}), rows=2)
    >>> [batch.table.n for batch in batches.read(["age"])], batches.names
    ([2, 1], ['age'])
    """

    def __init__(self, source, budget: int = 1 << 26, rows: int | None = None, form: Form = AS_FOUND):
        self.files: tuple[Found, ...] = ()
        self.rules, self.left_out = NO_RULES, 0
        self._readers: list[Reader] = []
        self._make: Callable | None = None
        self.exact: Collection[str] = ()
        self._copies = PlainCopies(form)
        self._open(source, form)
        self.names = self._names()
        self.budget = budget
        self.rows = rows or max(1, min(MOST_ROWS, budget // (_CELL * max(len(self.names), 1))))

    def _open(self, source, form: Form) -> None:
        if _is_path(source) or (isinstance(source, (list, tuple)) and source and all(map(_is_path, source))):
            self.files = tuple(find_files([source] if _is_path(source) else list(source)))
            self._readers = file_readers(self.files, self._copies)
        elif form != AS_FOUND:
            not_one = " is for text files, and the source is not a file; "
            raise ParameterError(form.first, not_one, remedy("leave it out."))
        elif is_read_once(source):
            self._make = TableStream(source)
        elif hasattr(source, "to_batches") and hasattr(source, "get_fragments"):
            self._readers = [DatasetReader(source)]
        elif callable(source) and not hasattr(source, "columns"):
            self._make = source
        elif is_dask_frame(source):
            self._readers = partition_readers(source)
        elif is_ray_dataset(source):
            self._readers = [RayReader(source)]
        elif isinstance(source, (list, tuple)):
            self._readers = [frame_reader(i, frame) for i, frame in enumerate(source)]
        elif is_arrow_stream(source):
            self._make = TableStream(arrow_batches(source), lambda: arrow_batches(source))
        else:
            self._readers = [FrameReader("the source", source)]
        if not self._readers and self._make is None:
            raise DataError(
                "the source holds no batches; give files, tables, an iterator of tables, or a function that makes one."
            )

    def _made(self) -> Iterator[FrameReader]:
        """The frames that a callable makes now."""
        made = called(self._make)
        if is_arrow_stream(made):
            made = arrow_batches(made)
        if not hasattr(made, "__iter__") or isinstance(made, (str, bytes, dict)) or hasattr(made, "columns"):
            raise DataTypeError(
                f"the source must return an iterator of frames each time it is called; got {type(made).__name__}."
            )
        for i, frame in enumerate(made):
            yield frame_reader(i, frame)

    def _names(self) -> list[str]:
        if isinstance(self._make, TableStream):
            first = self._make.first()
        else:
            first = self._readers[0] if self._readers else next(self._made(), None)
        if first is None:
            raise DataError("the source holds no batches; it, or its function, gave an empty iterator.")
        names = first.names()
        for other in self._readers[1:]:
            check_same(other.names(), names, other.place, first.place)
        return names

    def read(self, columns: list[str]) -> Iterator[Batch]:
        """Batches of some columns, each of at least one row, in the order of the source.

        Raises
        ------
        FileError, DataError, DataTypeError
            Something cannot be read; the message names the file or batch.
        """
        self._determine_types()
        self.left_out, seen = 0, False
        for batch in self._batches(columns):
            seen, kept = True, self.rules.kept(batch)
            self.left_out += batch.table.n - kept.table.n
            if kept.table.n:
                yield kept
        if not seen:
            raise DataError("the source holds no rows; a model needs at least one.")

    def _batches(self, columns: list[str]) -> Iterator[Batch]:
        """All batches, whether their response is known or not."""
        readers = self._readers if self._make is None else self._made()
        for number, reader in enumerate(readers):
            start = 0
            tables = reader.tables(self, columns)
            for table in ahead(tables) if reader.may_run_ahead else tables:
                container = _container(table, reader.place, columns)
                if container is None:
                    continue
                end = start + container.n - 1
                place = Message(DataFile(reader.place), ", ", RowRange(start, end), FromZero())
                yield Batch(container, place, (number, start), self.rules)
                start += container.n

    def _texts(self) -> list[CsvReader]:
        return [reader for reader in self._readers if isinstance(reader, CsvReader)]

    def _determine_joint_types(self, texts: list[CsvReader]) -> None:
        """Columns of text files get the type that suits all files; needs a pass over them."""
        found: dict = {}
        for reader in texts:
            for name, kind in reader.survey(self.block).items():
                found[name] = joint_type(found.get(name, kind), kind)
        for reader in texts:
            reader.types = found

    def _determine_types(self) -> None:
        """The types of text files are determined once."""
        texts = self._texts()
        if texts and texts[0].types is None:
            searches = {name: TextSearch() for name in self._without_form}
            decimals = {name: FormSearch() for name in searches if name not in self.rules.amounts}
            for reader in texts:
                text, numbers = self.rules.texts, frozenset(self.rules.numeric) - self.rules.texts
                reader.file.fields = CsvFields(self.rules.codes, text, numbers, decimals=decimals)
                reader.file.searches = {name: searches[name] for name in searches.keys() & set(reader.file.names)}
            self._determine_joint_types(texts)
            warn_of_decimals(decimals)
        if self.rules.written is None:
            self.rules = self._with_forms(texts)
        if self.rules.codes and self.rules.numbers is None:
            self.rules = self.rules.with_numbers(self._columns_of_numbers())

    @property
    def _without_form(self) -> list[str]:
        """Columns that may be texts of numbers of a form that is not given."""
        return [name for name in self.names if self.rules.is_free(name) or name in self.rules.amounts]

    def _with_forms(self, texts: list[CsvReader]) -> RowRules:
        """The rules with the forms of columns of dates and numbers; warnings name those that are not declared."""
        names = self._without_form
        if texts:
            found, types = texts[0].file.searches, texts[0].types
            names = [n for n in names if n in found and found[n].has_form and str(types.get(n)) == "string"]
        if not names or self._make is not None:  # what a function or a stream makes is read only as often as it must be
            return replace(self.rules, written={})
        needed = [self.rules.needed] if self.rules.needed else []
        searches = forms_in(map(self.rules.kept, self._batches(list(dict.fromkeys([*names, *needed])))), names)
        dates = dates_found({name: searches[name].dates.forms() for name in searches if name in self.rules.datable})
        numbers = {name: search.numbers for name, search in searches.items()}
        declared = self._declared_forms(numbers)
        features = {name: search for name, search in numbers.items() if name in self.rules.datable}
        return replace(self.rules, forms=self.rules.forms | dates, written=declared | numbers_found(features))

    def _declared_forms(self, searches: dict[str, FormSearch]) -> dict[str, str]:
        """The forms of weights, of exposures, and of columns that are declared numeric without a form."""
        declared = {}
        for name in [name for name in searches if name not in self.rules.datable]:
            forms = searches[name].forms()
            if name in self.rules.amounts:
                tell_of_amounts(place_of(name), forms)
            elif not forms:
                warn_of_decimals({name: searches[name]})
            if len(forms) == 1:
                declared[name] = forms[0]
        return declared

    def _columns_of_numbers(self) -> frozenset[str]:
        """Columns of text in which only numbers are left once their codes are removed; needs a pass over them, once."""
        kept = self.rules.nominal | {*self.rules.numeric, *(self.rules.written or ()), *self.rules.orders}
        maybe, seen = [name for name in self.names if name in self.rules.codes and name not in kept], set()
        columns = list(dict.fromkeys([*maybe, *([self.rules.needed] if self.rules.needed else [])]))
        for batch in map(self.rules.kept, self._batches(columns) if maybe else ()):
            for name in tuple(maybe) if batch.table.n else ():
                column = batch.column(name)
                if column.why != EMPTY and not holds_numbers(column):
                    maybe.remove(name)
                elif column.why != EMPTY:
                    seen.add(name)
            if not maybe:
                break
        return frozenset(maybe) & frozenset(seen)

    @property
    def block(self) -> int:
        """Bytes of a block of a text file."""
        return max(1 << 8, min(1 << 25, self.budget // 4)) if self.budget < 1 << 26 else 1 << 24


def _is_path(source) -> bool:
    return isinstance(source, (str, os.PathLike))


def is_read_once(source) -> bool:
    """Whether a source is an iterator of tables, which cannot be read again."""
    return hasattr(source, "__next__") or hasattr(source, "read_next_batch")


def _container(table, place: str, columns: list[str]) -> TableReader | None:
    """The reader of a frame with some columns; None when it has no rows."""
    arrow = hasattr(table, "column_names") and hasattr(table, "num_rows")
    if (table.num_rows if arrow else rows_of(table)) == 0:
        return None
    try:
        found = as_table(table)
    except (DataError, DataTypeError) as error:
        raise type(error)(place, ": ", error.message) from None
    if not set(columns) <= set(found.names):
        check_same(list(found.names), columns, place, "the source")
    return found


def ahead(tables: Iterator) -> Iterator:
    """The same tables, the next one read while the last is worked on."""
    with Threads(1) as pool:
        coming = pool.submit(next, tables, None)
        while (table := coming.result()) is not None:
            coming = pool.submit(next, tables, None)
            yield table
