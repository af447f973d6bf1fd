"""The forms of numbers in the columns of text of a source, found in a pass that ends where no such column is left."""

from __future__ import annotations

from collections.abc import Iterable

from ..columns.number_forms import FormSearch
from ..columns.raw import EMPTY, STRINGS
from .batch import Batch


def searches_in(batches: Iterable[Batch], names: Iterable[str]) -> dict[str, FormSearch]:
    """What each of some columns shows, as far as all of its values are texts of numbers."""
    searches = {name: FormSearch() for name in names}
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
