"""A table as the bytes of a data file, for tests."""

import io

from boxwood.data.files.table_writer import format_of, writer_of


def table_bytes(table, file_name, spreadsheet_safe: bool = False) -> bytes:
    """What the writer of files of this name writes."""
    file = io.BytesIO()
    writer = writer_of(format_of(file_name), file, spreadsheet_safe=spreadsheet_safe)
    writer.write(table)
    writer.close()
    return file.getvalue()
