"""The one gate between records and rows: what goes in is a frozen record, what comes out is one again."""

from runs.store.codec import Summary, SummaryFigure, content_key, decode_summary, finite
from runs.store.current import CurrentRun, current, effective, refresh, runs_covered, runs_on
from runs.store.evaluations import (
    NewEvaluation,
    StoredEvaluation,
    add_evaluations,
    evaluation_keys,
    evaluations,
    taken_keys,
)
from runs.store.files import StoredFile, discard, discard_unused, known, register, write
from runs.store.history import NewErratum, add_edit, add_errata, decode_edit, decode_erratum, errata_about
from runs.store.names import add_alias, aliases
from runs.store.power import link_power, load_trace, pack, save_log
from runs.store.references import (
    archived_hashes,
    every_source,
    save_scenario,
    save_source,
    scenario_of,
    source_keys,
    sources,
)
from runs.store.rows import Prepared, existing, insert, link, load, replace

__all__ = [
    "CurrentRun",
    "NewErratum",
    "NewEvaluation",
    "Prepared",
    "StoredEvaluation",
    "StoredFile",
    "Summary",
    "SummaryFigure",
    "add_alias",
    "add_edit",
    "add_errata",
    "add_evaluations",
    "aliases",
    "archived_hashes",
    "content_key",
    "current",
    "decode_edit",
    "decode_erratum",
    "decode_summary",
    "discard",
    "discard_unused",
    "effective",
    "errata_about",
    "evaluation_keys",
    "evaluations",
    "every_source",
    "existing",
    "finite",
    "insert",
    "known",
    "link",
    "link_power",
    "load",
    "load_trace",
    "pack",
    "refresh",
    "register",
    "replace",
    "runs_covered",
    "runs_on",
    "save_log",
    "save_scenario",
    "save_source",
    "scenario_of",
    "source_keys",
    "sources",
    "taken_keys",
    "write",
]
