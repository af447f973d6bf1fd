"""The forms of texts in the columns of a source, found in a pass that ends where no column with a form is left."""

from __future__ import annotations

from collections.abc import Iterable

from ..columns.raw import EMPTY, STRINGS
from ..columns.text_searches import TextSearch
from .batch import Batch


def forms_in(batches: Iterable[Batch], names: Iterable[str]) -> dict[str, TextSearch]:
    """What is found of each of some columns, as far as all of its values are texts of numbers or dates."""
    searches = {name: TextSearch() for name in names}
    for batch in batches:
        for name, search in list(searches.items()):
            column = batch.as_stored(name)
            if column.why == STRINGS:
                search.add(column.levels)
            if search.is_over or column.why not in (STRINGS, EMPTY):
                del searches[name]
        if not searches:
            break
    return searches
