"""The one gate between records and rows: what goes in is a frozen record, what comes out is one again."""

from runs.store.codec import Summary, SummaryFigure, content_key, decode_summary, finite
from runs.store.files import StoredFile, discard, discard_unused, known, register, write
from runs.store.power import link_power, load_trace, pack, save_log
from runs.store.references import (
    all_sources,
    runs_of,
    save_scenario,
    save_source,
    scenario_of,
    scenario_versions,
    scenarios,
    source_keys,
    sources,
    sources_of,
)
from runs.store.rows import Prepared, existing, insert, link, load, replace

__all__ = [
    "Prepared",
    "StoredFile",
    "Summary",
    "SummaryFigure",
    "all_sources",
    "content_key",
    "decode_summary",
    "discard",
    "discard_unused",
    "existing",
    "finite",
    "insert",
    "known",
    "link",
    "link_power",
    "load",
    "load_trace",
    "pack",
    "register",
    "replace",
    "runs_of",
    "save_log",
    "save_scenario",
    "save_source",
    "scenario_of",
    "scenario_versions",
    "scenarios",
    "source_keys",
    "sources",
    "sources_of",
    "write",
]
