"""Files in parts as they are, for those who read their columns themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ..._messages import FromZero, Message, RowRange
from ..columns.names import DataFile
from ..files.csv_tables import CsvFields
from ..files.csv_whole import exact_types
from .batches import Batches, ahead


class FileTables(Batches):
    """Files that are read part by part, without rules about their columns."""

    def tables(self, columns: list[str], fields: CsvFields, same_types: bool) -> Iterator[tuple[Message, object]]:
        """Arrow tables of files as they are, without the rules, each with the words that name its rows.

        Parameters
        ----------
        columns : list of str
        fields : CsvFields
            The meaning of fields of text files.
        same_types : bool
            Columns of text files have the same type in all tables, for which they are read twice.
        """
        texts = self._texts()
        for reader in texts:
            reader.file.fields = fields
        self.exact = fields.exact
        if same_types:
            self._determine_joint_types(texts)
            for reader in texts:
                reader.types = exact_types(reader.types, fields)
        for reader in self._readers:
            start = 0
            for table in ahead(reader.tables(self, columns)):
                if table.num_rows:
                    end = start + table.num_rows
                    yield Message(DataFile(reader.place), ", ", RowRange(start, end - 1), FromZero()), table
                    start = end
