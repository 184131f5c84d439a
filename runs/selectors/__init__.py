"""What pages and API read. Lists and single runs are named here; ``history`` and ``documents`` are asked by name."""

from runs.selectors.listing import (
    MAX_PAGE,
    SORTS,
    CursorError,
    RunCount,
    RunFilter,
    RunItem,
    RunPage,
    canonical_words,
    count_runs,
    facets,
    list_runs,
)
from runs.selectors.runs import (
    FileItem,
    RunDetail,
    RunTrace,
    all_sources,
    fingerprint_of,
    names,
    records,
    revisions,
    run_detail,
    run_file,
    run_trace,
    sources,
    sources_by_key,
)

__all__ = [
    "MAX_PAGE", "SORTS", "CursorError", "FileItem", "RunCount", "RunDetail", "RunFilter", "RunItem", "RunPage",
    "RunTrace", "all_sources", "canonical_words", "count_runs", "facets", "fingerprint_of", "list_runs", "names",
    "records", "revisions", "run_detail", "run_file", "run_trace", "sources", "sources_by_key",
]  # fmt: skip
