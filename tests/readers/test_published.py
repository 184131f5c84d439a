"""Published runs: the documented example, every refusal with its place, and nothing but ReadError for any input."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.facts import Basis, Party, Quantity, State, Status
from runs.domain.records import Provenance, RunRecord
from runs.domain.units import Interval
from runs.readers import ReadError, Reading, Upload, published, read

ROOT = Path(__file__).parents[2]
EXAMPLE = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/published-runs.md").read_text(encoding="utf-8"), re.DOTALL)[0]


def reading(text: str | bytes, name: str = "runs.yaml") -> Reading:
    return published.read(Upload(name, text.encode() if isinstance(text, str) else text))


def the_run() -> RunRecord:
    (run,) = reading(EXAMPLE).runs
    assert run.place == "runs[0] short"
    return run.record


def figure(key: str) -> Quantity:
    found = the_run().quantity(key)
    assert found is not None
    return found


def test_the_example_of_the_documentation_is_claimed_and_read() -> None:
    found = read(Upload("runs.yaml", EXAMPLE.encode()))
    assert (found.format, len(found.runs), len(found.sources), len(found.scenarios)) == ("published-runs", 1, 1, 1)
    (source,) = found.sources
    assert (source.key, source.published, source.locale) == ("table-nov", "2026-11-04", "nl")
    (scenario,) = found.scenarios
    assert (scenario.price_per_kwh, scenario.offers[0].rate_per_gpu_hour) == (Decimal("0.10"), Decimal("2.95"))
    assert scenario.offers[0].unit_gpus is None


def test_its_figures_are_the_printed_ones() -> None:
    total = figure("total_throughput")
    assert (total.value, total.unit, total.repeats) == (Decimal(5661), "tok/s", 2)
    assert total.repeat_values == (Decimal(5673), Decimal(5648))
    assert total.printed is not None
    assert (total.printed.text, total.printed.locale) == ("5.661", "nl")
    assert figure("output_throughput").value == Decimal("629.5")
    assert figure("per_gpu_total").basis is Basis.DERIVED
    assert figure("gpu_power:mean").interval() == Interval(Decimal(4150), Decimal(4250))
    assert figure("ttft:median").evidence[0].quote == "0,65 s"
    tpot = figure("tpot:median")
    assert (tpot.value, tpot.low, tpot.high, tpot.unit, tpot.repeats) == (
        None,
        Decimal(20),
        Decimal("22.5"),
        "ms",
        None,
    )
    assert (figure("e2el:median").status, figure("e2el:median").is_missing) == (Status.NOT_MEASURED, True)


def test_its_settings_have_their_states() -> None:
    record = the_run()
    states = {key: record.setting(key).state for key in record.settings}
    assert states == {
        **dict.fromkeys(("model", "runtime", "accelerator", "node_gpus", "active_gpus"), State.STATED),
        **dict.fromkeys(("speculative_method", "isl", "osl"), State.STATED),
        "power_cap_w": State.NOT_STATED, "draft_count": State.NOT_APPLICABLE, "concurrency": State.INFERRED,
        "temperature": State.DISPUTED,
    }  # fmt: skip
    assert (record.setting("isl").value, record.setting("isl").nominal) == (None, "8K")
    assert (record.setting("osl").value, record.setting("osl").nominal) == (1024, "1K")
    assert record.setting("temperature").claims == ("0, by the table", "1.0, by the text")
    assert record.setting("active_gpus").evidence[0].quote == "8 × A1"
    assert record.setting("precision").state is State.NOT_STATED
    assert record.provenance is Provenance.PUBLISHED
    assert record.party == Party("Example Vendor", "maker of the accelerator")


def test_the_table_of_locales_is_so() -> None:
    text = (ROOT / "docs/published-runs.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(nl|en|plain)`[^|]*\| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    for locale, *values in rows:
        for printed, value in zip(("5.661", "5,661", "1e-3"), values, strict=True):
            data = plain()
            data["sources"]["table-nov"]["locale"] = locale
            data["runs"][0]["figures"] = {"total_throughput": printed}
            if value == "refused":
                with pytest.raises(ReadError, match=f"no number as {locale} prints one"):
                    reading(json.dumps(data))
            else:
                assert reading(json.dumps(data)).runs[0].record.quantities[0].value == Decimal(value)


def plain() -> Any:
    """The example as data, to be changed and written as JSON."""
    return yaml.load(EXAMPLE, Loader=yaml.BaseLoader) | {
        "runs": [{"label": "L", "source": "table-nov", "settings": {}, "figures": {"total_throughput": "5.661"}}],
        "setups": {},
    }


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_json_is_read_however_it_is_laid_out(separators: tuple[str, str], indent: Any) -> None:
    text = json.dumps(plain(), separators=separators, indent=indent)
    assert len(read(Upload("runs.json", text.encode())).runs) == 1


def test_json_escapes_and_a_byte_order_mark_are_read() -> None:
    data = plain()
    data["runs"][0]["label"] = "smile \U0001f600"
    text = json.dumps(data)
    assert "\\ud83d" in text
    assert read(Upload("runs.json", b"\xef\xbb\xbf" + text.encode())).runs[0].record.label == "smile \U0001f600"


def test_only_json_words_and_numbers_are_anything_but_text() -> None:
    text = EXAMPLE.replace("runtime: vLLM", "runtime: yes").replace("model: Example-1", "model: 2026-11-04")
    record = reading(text).runs[0].record
    assert (record.setting("runtime").value, record.setting("model").value) == ("yes", "2026-11-04")


def test_a_run_says_otherwise_than_its_setup() -> None:
    text = EXAMPLE.replace("      isl:", "      active_gpus: 6\n      isl:")
    assert reading(text).runs[0].record.setting("active_gpus").value == 6


def test_a_date_that_is_not_stated() -> None:
    text = EXAMPLE.replace('published: "2026-11-04"', "published: not stated")
    assert reading(text).sources[0].published == ""


OLD_TOTAL = 'total_throughput: {printed: "5.661", repeat_values: ["5.673", "5.648"]}'
TOTAL = "runs[0].figures.total_throughput"
REFUSALS = [
    # (what stands in the example, what stands there instead, the place, words of the refusal)
    ("    title:", "    titel: x\n    title:", "$.sources", "the key titel"),
    ("  - key: short", "  - kye: short", "$.runs[0]", "the key kye"),
    ('    published: "2026-11-04"\n', "", "$.sources", "the key published"),
    ('published: "2026-11-04"', 'published: "4 november 2026"', "sources.table-nov", "a date such as 2026-11-04"),
    ("https://example.org", "javascript:alert(1)//", "sources.table-nov", "begins with https://"),
    ("published-runs/1", "published-runs/2", "$.likewise", "published-runs/2"),
    ('"629,5"', "629.5", "$.runs[0].figures", "a printed number stands in quotes"),
    ('"629,5"', "629", "$.runs[0].figures", "a whole number"),
    ('"629,5"', '"629.5"', "runs[0].figures.output_throughput", "no number as nl prints one"),
    ('"629,5"', '"0.629"', "runs[0].figures.output_throughput", "no number as nl prints one"),
    ('"629,5"', '"629,5 tok/s"', "runs[0].figures.output_throughput", "no number"),
    ("output_throughput", "outputthroughput", "runs[0].figures.outputthroughput", "unknown metric"),
    (OLD_TOTAL, 'speed: {printed: "1", unit: W}', "runs[0].figures.speed", "unknown metric"),
    ("ttft:median", "ttft:p12", "runs[0].figures.ttft:p12", "no statistic 'p12'"),
    ('"ttft:median"', "ttft", "runs[0].figures.ttft", "which statistic"),
    ("unit: ms", "unit: msec", "runs[0].figures.tpot:median", "unknown unit 'msec'"),
    ("unit: ms", "unit: kW", "runs[0].figures.tpot:median", "kW measures power, s measures time"),
    ('low: "20", high: "22,5"', 'low: "22,5", high: "20"', "runs[0].figures.tpot:median", "upside down"),
    ('low: "20", high: "22,5"', 'low: "20"', "runs[0].figures.tpot:median", "both ends"),
    ('low: "20", high: "22,5"', 'printed: "21", low: "20", high: "22,5"', "runs[0].figures.tpot:median", "not both"),
    ("{status: not measured}", "{status: current}", "runs[0].figures.e2el:median", "a status that says why"),
    ("{status: not measured}", '{printed: "1", status: not measured}', "runs[0].figures.e2el:median", "a value, and"),
    ("basis: derived", "basis: guessed", "$.runs[0].figures", "guessed"),
    (OLD_TOTAL, 'total_throughput: {printed: "5.661", repeat_values: ["5.673"]}', TOTAL, "1 repeat values of 2"),
    (OLD_TOTAL, 'total_throughput: {printed: "5.661", repeats: 0}', TOTAL, "at least 1, not 0"),
    (OLD_TOTAL, 'total_throughput: {printed: "5.661", source: elsewhere}', TOTAL, "source 'elsewhere' is none of"),
    (OLD_TOTAL, '"rental:Cloud": {printed: "1"}', "runs[0].figures.rental:Cloud", "follows from a scenario"),
    ("    source: table-nov", "    source: table-dec", "runs[0]", "a source among table-nov"),
    ("    setup: eight-gpus", "    via: article\n    setup: eight-gpus", "runs[0]", "article"),
    ("    setup: eight-gpus", "    setup: eight-gpus\n    provenance: measured", "runs[0].provenance", "has files"),
    ("node_gpus: 8", "node_gpus: eight", "setups.eight-gpus.settings.node_gpus", "a whole number of 0 or more"),
    ("node_gpus: 8", "node_gpus: -8", "setups.eight-gpus.settings.node_gpus", "a whole number of 0 or more"),
    ("node_gpus: 8", "node_gpus: true", "setups.eight-gpus.settings.node_gpus", "a whole number of 0 or more"),
    ("node_gpus: 8", "node_gpus: 99999999999999999999", "setups.eight-gpus.settings.node_gpus", "a larger one"),
    ("node_gpus: 8", "gpus: 8", "setups.eight-gpus.settings.gpus", "unknown setting 'gpus'"),
    ("node_gpus: 8", "prefix_caching: on", "setups.eight-gpus.settings.prefix_caching", "true or false"),
    ("node_gpus: 8", "active_gpu_indices: [1, 1]", "setups.eight-gpus.settings.active_gpu_indices", "each once"),
    ("quote: 8 × A1", "source: elsewhere", "setups.eight-gpus.settings.active_gpus", "source 'elsewhere'"),
    ("{value: 8, quote: 8 × A1}", "{quote: 8 × A1}", "setups.eight-gpus.settings.active_gpus", "without a value"),
    ("{value: 8, quote: 8 × A1}", "{value: 8, state: not stated}", "setups.eight-gpus.settings.active_gpus", "a value"),
    ("{value: 8, quote: 8 × A1}", "{value: 8, state: observed}", "setups.eight-gpus.settings.active_gpus", "stated"),
    (', "1.0, by the text"', "", "setups.eight-gpus.settings.temperature", "both claims"),
    ("model: Example-1", "model: &m Example-1", "line ", "an anchor or alias"),
    ("model: Example-1", "model: *m", "line ", "an anchor or alias"),
    ("model: Example-1", "model: !!str x", "line ", "a tag"),
    ("model: Example-1", "model: !!timestamp x", "line ", "a tag"),
    ("model: Example-1", "model: [" + "[" * 40 + "]" * 41, "line ", "at most 32 levels"),
    ("model: Example-1", 'model: "a\\0b"', "setups.eight-gpus.settings.model", "control characters"),
    ("model: Example-1", 'model: "\\ud800"', "setups.eight-gpus.settings.model", "lone surrogates"),
    ("model: Example-1", "model: Example-1\n      model: Example-2", "line ", "model twice"),
    ("model: Example-1", "model: " + "x" * 201, "$.setups", "length <= 200"),
    ("model: Example-1", "model: 'x", "line ", "YAML or JSON"),
    ("key: example\n", "key: example\n    price: 1\n", "$.scenarios[0]", "the key price"),
    ('"0.10"', '"0,10"', "scenarios[0]", "no number as plain prints one"),
    ('"0.10"', "0.10", "$.scenarios[0].price_per_kwh", "stands in quotes"),
    ('"2.95"', '"-2.95"', "scenarios[0]", "a rate is 0 or more"),
    ('"2.95"', '"1e30"', "scenarios[0]", "a rate is 0 or more, at most a million"),
    ('price_per_kwh: "0.10"', 'utilisation: "0"', "scenarios[0]", "utilisation is above 0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "place", "words"), REFUSALS, ids=[f"{n}: {r[1][:40]}" for n, r in enumerate(REFUSALS)]
)
def test_refused_in_words_with_the_place(old: str, new: str, place: str, words: str) -> None:
    assert EXAMPLE.count(old) >= 1
    with pytest.raises(ReadError) as refused:
        reading(EXAMPLE.replace(old, new, 1))
    assert refused.value.place.startswith(place)
    assert words in str(refused.value)


def test_two_runs_of_one_key_are_refused() -> None:
    again = EXAMPLE.replace("scenarios:", "  - {key: short, label: again, source: table-nov}\n\nscenarios:")
    with pytest.raises(ReadError, match="at runs: expected each key once, saw short twice"):
        reading(again)


def test_a_key_twice_in_json_is_refused() -> None:
    text = json.dumps(plain()).replace('"label": "L"', '"label": "L", "label": "M"')
    with pytest.raises(ReadError, match="label twice"):
        reading(text)


def test_a_setup_that_no_run_uses_is_checked_too() -> None:
    text = EXAMPLE.replace("runs:\n", "  spare:\n    settings: {speed: 1}\n\nruns:\n", 1)
    with pytest.raises(ReadError, match=r"setups\.spare\.settings\.speed"):
        reading(text)


ERRATUM = """
errata:
  - {kind: corrected, date: "2026-11-12", reason: a typing error, who: Example Vendor, source: table-nov, run: short,
     metric: total_throughput, old: "5.661", new: "5.616"}
"""


def test_an_erratum_finds_its_run() -> None:
    (found,) = reading(EXAMPLE + ERRATUM).errata
    assert (found.target, found.key, found.erratum.new) == ("run", "runs[0] short", "5.616")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("metric: total_throughput", '"metric": "itl:median"', "has no figure itl:median"),
        ('new: "5.616"', 'new: "5616 tok/s"', "no number as nl prints one"),
        ("run: short", "run: long", "a run and a source of this file, saw long"),
        ("run: short", "note: short", "the key note"),
        ("reason: a typing error", 'reason: " "', "says why"),
    ],
)
def test_an_erratum_that_does_not_fit_is_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(ReadError) as refused:
        reading(EXAMPLE + ERRATUM.replace(old, new))
    assert "errata[0]" in refused.value.place
    assert words in str(refused.value)


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("not stated")
keys = st.sampled_from(
    ["likewise", "sources", "setups", "runs", "settings", "figures", "label", "source", "table-nov", "value", "printed",
     "total_throughput", "ttft:median", "isl", "unit", "low", "high", "state", "status", "claims", "repeats",
     "scenarios", "evaluations", "errata", "key", "party", "name"]
) | st.text(max_size=4)  # fmt: skip
trees = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4))


def assert_read_or_refused(data: bytes) -> None:
    try:
        found = reading(data)
    except ReadError:
        return
    assert found.format == "published-runs"


@settings(max_examples=150)
@given(trees, st.booleans())
def test_any_tree_is_read_or_refused(tree: Any, as_json: bool) -> None:
    text = json.dumps(tree) if as_json else yaml.safe_dump(tree, allow_unicode=True)
    assert_read_or_refused(text.encode("utf-8", errors="replace"))


@settings(max_examples=150)
@given(trees, st.data())
def test_the_example_with_anything_anywhere_is_read_or_refused(tree: Any, data: st.DataObject) -> None:
    whole: Any = yaml.load(EXAMPLE, Loader=yaml.BaseLoader)
    node, depth = whole, data.draw(st.integers(0, 5))
    for _ in range(depth):
        inner = [
            key for key in (node if isinstance(node, dict) else range(len(node))) if isinstance(node[key], dict | list)
        ]
        if not inner:
            break
        node = node[data.draw(st.sampled_from(inner))]
    if node:
        key = data.draw(st.sampled_from(list(node) if isinstance(node, dict) else list(range(len(node)))))
        node[key] = tree
    assert_read_or_refused(json.dumps(whole).encode())


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_example_is_read_or_refused(data: st.DataObject) -> None:
    whole = EXAMPLE.encode()
    place = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 6))
    inserted = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"&a ", b"*a", b"!!int ", b"{", b"[", b"- ", b"'", b"\t"])
    )
    assert_read_or_refused(whole[:place] + inserted + whole[place + length :])


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert_read_or_refused(data)


@pytest.mark.parametrize(
    "text",
    ["{" * 5000, '{"a":' * 5000, "[" * 100_000, "- " * 5000, "? " * 5000, "a: &a [*a]", "1:" * 400, "9" * 5000, ""],
)
def test_what_exhausts_a_parser_is_refused(text: str) -> None:
    with pytest.raises(ReadError):
        reading(text)


def test_a_refusal_names_the_one_part_that_it_is_about() -> None:
    content: dict[str, Any] = {
        "likewise": "published-runs/1",
        "sources": {
            "first": {"title": "T", "publisher": "P", "published": "2026"},
            "second": {"title": "T", "publisher": "P"},
        },
        "runs": [],
    }
    with pytest.raises(ReadError) as refused:
        published.read(Upload("a.json", json.dumps(content).encode()))
    assert (refused.value.place, refused.value.expected) == ("$.sources.second", "the key published")
    content["sources"]["second"]["published"] = "2026"
    figures = {"total_throughput": {"printed": "1"}, "ttft:median": {"printed": "1", "unit": 5}}
    content["runs"] = [{"label": "A", "source": "first"}, {"label": "B", "source": "first", "figures": figures}]
    with pytest.raises(ReadError) as refused:
        published.read(Upload("a.json", json.dumps(content).encode()))
    assert refused.value.place == "$.runs[1].figures.ttft:median.unit"
