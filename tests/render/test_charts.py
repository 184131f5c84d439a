"""Figures for Plotly: their patterns, their sentences, and what a strict policy forbids in them."""

import json

import numpy as np
import pytest

from dashboard.render.chart_theme import escape
from dashboard.render.charts import Chart, comparison_charts, figure_bar
from dashboard.render.power_chart import power_chart
from dashboard.render.power_series import power_series
from runs.domain.compare import compare
from runs.domain.facts import Basis, Quantity, State
from runs.domain.figures import figure_of
from runs.domain.records import GpuPower, PowerAnalysis, Window
from runs.domain.trace import PowerTrace
from tests.render import article


@pytest.fixture
def charts() -> dict[str, Chart]:
    comparison = compare(article.entries(), "atom-8k-1k", article.SCENARIO)
    return {chart.id: chart for chart in comparison_charts(comparison, "en")}


def test_each_way_of_knowing_a_kw_has_its_pattern_and_its_words(charts: dict[str, Chart]) -> None:
    chart = charts["kilowatt"]
    patterns = chart.payload["data"][0]["marker"]["pattern"]["shape"]
    words = [row[-1] for row in chart.numbers]
    assert dict(zip(words, patterns, strict=True)) == {"assumed kW": "x", "measured kW": "", "kW of power cap": "/"}
    assert "1,354 (measured kW)" in chart.alternative
    assert [row[1] for row in chart.numbers] == ["668", "1,354", "1,179", "945", "537"]


def test_the_bars_say_the_digits_of_the_table(charts: dict[str, Chart]) -> None:
    assert charts["throughput"].payload["data"][0]["text"] == ["936", "944", "756", "752"]
    assert [row[1:3] for row in charts["latency"].numbers][1] == ("0.65", "20.4")


def test_nothing_a_strict_policy_or_an_outsider_could_mind(charts: dict[str, Chart]) -> None:
    for chart in charts.values():
        text = json.dumps(chart.payload)
        assert "<b>" not in text
        assert all(not trace["type"].endswith("gl") for trace in chart.payload["data"])
        config = chart.payload["config"]
        assert (config["showSendToCloud"], config["plotlyServerURL"]) == (False, "")
        assert set(chart.payload["themes"]) == {"light", "dark"}


def test_an_estimate_is_drawn_as_a_range() -> None:
    estimate = figure_of(Quantity("per_gpu_total", "tok/s/GPU", Basis.ESTIMATED, low=1035.0, high=1105.0))
    bar = figure_bar(estimate, "x", "en", house=True)
    assert (bar.low, bar.high, bar.kind, bar.text) == (1035, 1105, "estimated", "1,035–1,105")


def test_labels_are_text() -> None:
    assert escape("<b>&") == "&lt;b&gt;&amp;"


def analysis(**changes: object) -> PowerAnalysis:
    gpu = GpuPower("0", 11, 0, 700.0, 7000.0, 750.0, 1.0, 1.0, 800.0, 0)
    idle = GpuPower("1", 11, 0, 140.0, 1400.0, 141.0, 1.0, 1.0, None, None)
    found = {
        "gpus": ("0",), "scope": "GPUs", "tool": "test", "window": Window(100.0, 110.0, State.OBSERVED),
        "mean_w": 700.0, "energy_j": 7000.0, "peak_w": 750.0, "p50_w": 700.0, "p95_w": 740.0, "per_gpu": (gpu,),
        "idle": (idle,), "interval_s": 1.0, "largest_gap_s": 1.0, "covered": 1.0, "bracketed": True, "valid": True,
    }  # fmt: skip
    return PowerAnalysis(**{**found, **changes})  # type: ignore[arg-type]


def trace() -> PowerTrace:
    t = np.repeat(np.arange(98.0, 113.0), 2)
    gpu = np.tile(np.array([0, 1], dtype=np.int16), 15)
    return PowerTrace(("0", "1"), gpu, t, np.where(gpu == 0, 700.0, 140.0), "utc", "test")


def test_power_over_time_has_window_cap_and_idle_gpus() -> None:
    chart = power_chart(analysis(), power_series(trace(), analysis()), 800.0, "en")
    kinds = [shape["type"] for shape in chart.payload["layout"]["shapes"]]
    assert kinds == ["rect", "line"]
    assert [trace["name"] for trace in chart.payload["data"]] == ["GPU 1", "GPU 0"]
    assert "The dashed line is the cap of 800\u00a0W per GPU." in chart.alternative
    assert chart.numbers[1][0] == "1 (idle)"
    assert chart.numbers[1][-1] == "cap not stated"
    assert chart.payload["data"][0]["x"][0] >= -2


def test_without_a_cap_no_line_is_drawn_and_it_is_said() -> None:
    chart = power_chart(analysis(), (), None, "en")
    assert [shape["type"] for shape in chart.payload["layout"]["shapes"]] == ["rect"]
    assert "The power cap is not stated." in chart.alternative
