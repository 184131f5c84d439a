"""Local timestamps of nvidia-smi, as it writes them and as spreadsheets re-save them."""

import re

import numpy as np
from numpy.typing import NDArray

from runs.readers.base import ReadError, Table, excerpt

# day-first dots are German and Dutch spreadsheets; slashes with the day or month first are ambiguous and stay refused
# "%S.%3f" is the one polars has a fast path for: 1/6 of the time of "%S%.f"
FORMATS = {
    r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}": "%Y/%m/%d %H:%M:%S.%3f",
    r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d": "%Y/%m/%d %H:%M:%S",
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?": "%Y-%m-%d %H:%M:%S%.f",
    r"\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d\d:\d\d([.,]\d+)?": "%d.%m.%Y %H:%M:%S%.f",
}


def local_seconds(table: Table, column: int) -> NDArray[np.float64]:
    """Wall-clock times counted as if they were UTC, in s. Raises ReadError with the line of the first that is none."""
    text = table.column(column)
    if text.head(1).str.strip_chars().ne_missing(text.head(1)).any():  # only where needed: it costs as much as a parse
        text = text.str.strip_chars()
    if not text.len():
        return np.array([], dtype=np.float64)
    first = str(text[0])
    form = next((form for pattern, form in FORMATS.items() if re.fullmatch(pattern, first)), None)
    if form is None:
        place = table.locate(column, first)
        raise ReadError(table.upload.name, place, "a time like 2026/08/12 14:15:30.123", excerpt(first))
    if form.startswith("%Y-"):
        text = text.str.replace("T", " ", literal=True)
    elif form.startswith("%d"):
        text = text.str.replace(",", ".", literal=True)
    times = text.str.to_datetime(form, strict=False, time_unit="us", cache=False)
    if times.null_count():
        odd = str(table.column(column).filter(times.is_null())[0])
        raise ReadError(table.upload.name, table.locate(column, odd), f"a time like {first}", excerpt(odd))
    return times.to_physical().to_numpy().astype(np.float64) / 1e6
