"""A correction after a frozen share was made: its numbers stay, and every surface says what came out since."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from runs.domain.compare import compare as compare_entries
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.redaction import Redactions
from runs.services.shares import ShareDraft, ShareSpec, make_share
from tests import factories
from tests.builders import record

NODE = "gpu-node07"
ERRATUM = Erratum(ErratumKind.CORRECTED, "2026-12-02", f"read off {NODE}", "ann", "total_throughput", "6000", "5400")


@pytest.fixture
def path(db: None) -> str:
    runs = [factories.run(record("Six", node=NODE)), factories.run(record("Eight", active_gpus=8))]
    spec = ShareSpec(tuple(run.public_id for run in runs), redactions=Redactions(nodes=True))
    return f"/s/{make_share(draft=ShareDraft('For you', spec, language='en'), user=factories.user()).token}/"


@pytest.fixture
def corrected(path: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The share, after its first run was corrected."""

    def later(entries: Sequence[RunEntry], *args: Any, **more: Any) -> Comparison:
        first, *others = entries
        return compare_entries([replace(first, errata=(ERRATUM,)), *others], *args, **more)

    monkeypatch.setattr("runs.services.compare.compare_entries", later)
    return path


def test_before_a_correction_nothing_is_said(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert "Corrected since" not in page
    assert "1,000" in page  # 6000 tok/s over six GPUs


def test_the_open_page_says_so_on_reload_and_keeps_its_numbers(client: Client, corrected: str) -> None:
    page = client.get(corrected).content.decode()
    assert "Corrected since this page was made" in page
    assert "<s>6000</s> → <strong>5400</strong>" in page
    assert "1,000" in page
    assert "?corrected=1" in page
    assert NODE not in page
    assert "read off […]" in page


def test_see_corrected_shows_the_numbers_of_today(client: Client, corrected: str) -> None:
    page = client.get(f"{corrected}?corrected=1").content.decode()
    assert "This is the comparison as corrected" in page
    assert ">900<" in page  # 5400 over six
    assert "See it as it was shared" in page


def test_downloads_of_the_frozen_share_carry_the_notice(client: Client, corrected: str) -> None:
    table = client.get(f"{corrected}export.csv").content.decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(table)))
    (notice,) = [row for row in rows if row["record"] == "notice"]
    assert notice["status"] == "corrected"
    figures = [row for row in rows if row["record"] == "figure" and row["run"] == "A"]
    (figure,) = [row for row in figures if row["key"] == "total_throughput"]
    assert float(figure["value"]) == 6000
    assert "6000 → 5400" in client.get(f"{corrected}chart-throughput.svg").content.decode()
    assert "6000 → 5400" in client.get(f"{corrected}export.md").content.decode()
    assert client.get(f"{corrected}export.json").json()["notices_since"]


def test_a_run_that_is_gone_is_said_to_be_gone(client: Client, path: str) -> None:
    from runs.models import Run

    Run.objects.filter(label="Eight").delete()
    page = client.get(path).content.decode()
    assert "Eight was taken out by the sender since" in page
    assert "1,000" in page
