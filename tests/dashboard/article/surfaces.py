"""The demo as each surface gives it: API answers, files and pages, each fetched once and read into plain cells."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from runs.domain.metrics import METRICS
from runs.selectors import list_runs
from tests.domain.article import entries

API = "/api/v1"
EVERY_METRIC = ",".join(one.key for one in METRICS)
EIGHT = ("paiton-8k1k-t0", "paiton-8k1k-t1", "atom-8k1k", "vllm-8k1k")
LONG = ("atom-128k", "paiton-128k-t0", "paiton-128k-t1", "vllm-128k")

PARTIES = {
    "maker of Paiton (the article's authors)": "ElioVP",
    "AMD (article of 2026-11-04), read via the article": "AMD (article of 4 November 2026)",
    "AMD (article of 2026-11-04) and the vLLM project, read via the article": (
        "AMD (article of 4 November 2026) and the vLLM project"
    ),
}


@dataclass
class Table:
    """Rows of cells as texts; ``head`` is the first row. Spaces are plain and single."""

    rows: list[list[str]] = field(default_factory=list)

    @property
    def head(self) -> list[str]:
        return self.rows[0]


class _Reader(HTMLParser):
    """Tables, description lists and the values of fields of a page, as texts."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.pairs: list[tuple[str, str]] = []
        self.fields: dict[str, tuple[str, str]] = {}
        self.text: list[str] = []
        self._open: list[tuple[str, list[str]]] = []
        self._label = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "table":
            self.tables.append(Table())
        elif tag == "tr" and self.tables:
            self.tables[-1].rows.append([])
        elif tag in ("th", "td", "dt", "dd", "label"):
            self._open.append((tag, []))
        elif tag == "input" and self._label:
            self.fields[given.get("name", "")] = (self._label, given.get("value", ""))
        self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        self.handle_data(" ")
        if self._open and self._open[-1][0] == tag:
            _tag, parts = self._open.pop()
            text = plain("".join(parts))
            if tag in ("th", "td") and self.tables and self.tables[-1].rows:
                self.tables[-1].rows[-1].append(text)
            elif tag == "label":
                self._label = text
            else:
                self.pairs.append((tag, text))

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        for _tag, parts in self._open:
            parts.append(data)


@dataclass(frozen=True)
class Page:
    tables: list[Table]
    facts: dict[str, str]
    fields: dict[str, tuple[str, str]]
    text: str

    def row(self, name: str) -> list[str] | None:
        """The first row with cells whose head is ``name``, with or without its unit or mark behind it."""
        for table in self.tables:
            for row in table.rows:
                if len(row) > 1 and (row[0] == name or row[0].startswith((f"{name} ", f"{name},"))):
                    return row
        return None


def plain(text: str) -> str:
    return " ".join(re.sub("[\u00a0\u2007\u2008\u202f]", " ", text).split())


def page(content: str) -> Page:
    reader = _Reader()
    reader.feed(content)
    facts: dict[str, str] = {}
    name = ""
    for tag, text in reader.pairs:
        if tag == "dt":
            name = text
        else:
            facts.setdefault(name, text)
    return Page(reader.tables, facts, reader.fields, plain("".join(reader.text)))


def markdown(content: str) -> Page:
    """A Markdown export read back: its tables, its list items as facts by their bold name."""
    tables: list[Table] = []
    facts: dict[str, str] = {}
    inside = False
    for line in content.split("\n"):
        if line.startswith("| "):
            if not inside:
                tables.append(Table())
            cells = [plain(_unescaped(cell)) for cell in line.strip("| ").split(" | ")]
            if set(cells) != {"---"}:
                tables[-1].rows.append(cells)
        elif found := re.fullmatch(r"- \*\*(.*?)\*\* (.*)", line):
            facts.setdefault(plain(_unescaped(found[1])), plain(_unescaped(found[2])))
        inside = line.startswith("| ")
    return Page(tables, facts, {}, plain(_unescaped(content)))


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\\`*_\[\]<>|#!~])", r"\1", text).replace("&amp;", "&")


def html_items(found: Page, content: str) -> Page:
    """An HTML export: its list items as facts, as those of Markdown."""
    items = re.findall(r"<li><strong>(.*?)</strong> (.*?)</li>", content)
    return Page(found.tables, {plain(name): plain(text) for name, text in items}, {}, found.text)


@dataclass(frozen=True)
class Compared:
    """One comparison on every surface. ``place`` of a run's column by its key in the demo's file."""

    keys: tuple[str, ...]
    ids: dict[str, str]
    api: dict[str, Any]
    json: dict[str, Any]
    csv: list[dict[str, str]]
    markdown: Page
    html: Page
    page: Page

    def place(self, run: str) -> int:
        return self.keys.index(run)

    def csv_line(self, record: str, key: str, run: str = "") -> dict[str, str]:
        wanted = self.ids[run] if run else ""
        (line,) = [one for one in self.csv if (one["record"], one["key"], one["run_id"]) == (record, key, wanted)]
        return line


class Surfaces:
    """Everything that the product gives of the demo, fetched once."""

    def __init__(self, client: Client) -> None:
        self.client = client
        by_label = {item.label: item.id for item in list_runs(limit=100).items}
        self.ids = {key: by_label[entry.record.label] for key, entry in entries().items()}
        rest = tuple(key for key in self.ids if key not in (*EIGHT, *LONG))
        self.eight = self._compared(EIGHT)
        self.long = self._compared(LONG)
        self.rest = self._compared(rest)
        self.against_vllm = self._compared(LONG, "vllm-128k")
        self.runs = {key: json.loads(self._text(f"{API}/runs/{one}")) for key, one in self.ids.items()}
        self.run_pages = {key: page(self._text(f"/runs/{one}/")) for key, one in self.ids.items()}
        self.evaluations = {
            one["evaluation"]["key"]: one["evaluation"] for one in json.loads(self._text(f"{API}/evaluations"))
        }
        self.evaluation_page = page(self._text("/evaluations/"))
        self.evaluation_files = {
            name: self._text(f"{API}/evaluations/export.{name}") for name in ("csv", "json", "md", "html")
        }
        self.scenario = json.loads(self._text(f"{API}/scenarios/article"))
        self.scenarios = json.loads(self._text(f"{API}/scenarios"))
        self.scenario_page = page(self._text("/scenarios/"))

    def of(self, run: str) -> Compared:
        return next(one for one in (self.eight, self.long, self.rest) if run in one.keys)

    def _compared(self, keys: tuple[str, ...], baseline: str = "") -> Compared:
        ids = ",".join(self.ids[key] for key in keys)
        asked = f"runs={ids}&metrics={EVERY_METRIC}&scenario=article&baseline={self.ids.get(baseline, '')}"
        files = {name: self._text(f"{API}/comparisons/export.{name}?{asked}") for name in ("csv", "json", "md", "html")}
        return Compared(
            keys,
            self.ids,
            json.loads(self._text(f"{API}/comparisons?{asked}")),
            json.loads(files["json"])["comparison"],
            list(csv.DictReader(io.StringIO(files["csv"].removeprefix("\ufeff")))),
            markdown(files["md"]),
            html_items(page(files["html"]), files["html"]),
            page(self._text(f"/compare/?{asked}")),
        )

    def _text(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.content[:300])
        return answer.content.decode()


def cells_of(found: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The cells of a comparison's row as the API and the JSON export give them."""
    for row in found["rows"]:
        if (f"{row['metric']}:{row['stat']}" if row["stat"] else row["metric"]) == key:
            yield from row["cells"]
