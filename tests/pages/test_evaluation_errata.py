"""An evaluation that turns out wrong: it validates nothing any more, and every surface of its runs says so."""

import html
import re
from dataclasses import replace

import pytest
from django.test import Client

from runs.services.evaluating import GivenEvaluation, add_evaluation
from runs.services.saved import Draft, save_comparison
from runs.services.shares import ShareDraft, ShareSpec, make_share
from tests import factories
from tests.builders import record

CAVEAT = "No valid evaluation covers this very configuration"
REASON = "The harness counted answers twice."


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).replace("\xa0", " ").split())


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(factories.user("analyst"))
    return client


@pytest.fixture
def run(db: None) -> str:
    return factories.run(replace(record("Six"), setup="six GPUs")).public_id


def validate(*covers: str) -> str:
    return add_evaluation(given=GivenEvaluation(task="GSM8K", correct=197, total=200, covers=covers), user=None)


def erratum(kind: str, **more: str) -> dict[str, str]:
    return {"kind": kind, "reason": REASON, "date": "2026-12-02", "revision": "1", **more}


@pytest.mark.parametrize("covered", ["run", "setup"])
@pytest.mark.parametrize(
    ("kind", "validates"), [("withdrawn", False), ("superseded", False), ("historical", False), ("corrected", True)]
)
def test_only_an_evaluation_that_stands_validates(
    analyst: Client, run: str, covered: str, kind: str, validates: bool
) -> None:
    assert CAVEAT in text(analyst, f"/compare/?runs={run}")
    key = validate(run if covered == "run" else "six GPUs")
    assert CAVEAT not in text(analyst, f"/compare/?runs={run}")
    new = {"new": "190/200"} if kind == "corrected" else {}
    assert analyst.post(f"/evaluations/{key}/errata/", erratum(kind, **new)).status_code == 302
    assert (CAVEAT not in text(analyst, f"/compare/?runs={run}")) is validates
    caveats = {one["id"] for one in analyst.get(f"/api/v1/comparisons?runs={run}").json()["caveats"]}
    assert ("accuracy-not-validated" not in caveats) is validates


def test_a_withdrawn_evaluation_is_told_wherever_its_run_stands(analyst: Client, run: str) -> None:
    key = validate(run)
    other = factories.run(record("Eight", active_gpus=8)).public_id
    kept = save_comparison(draft=Draft("Both", {"runs": f"{run},{other}"}), user=None)
    owner, spec = factories.user(), ShareSpec((run, other))
    live = make_share(draft=ShareDraft("Live", spec, kind="live", language="en"), user=owner).token
    frozen = make_share(draft=ShareDraft("Frozen", spec, language="en"), user=owner).token
    pages = [f"/compare/?runs={run},{other}", f"/comparisons/{kept.slug}/", f"/s/{live}/", f"/s/{frozen}/"]
    bases = [f"/compare/export.{{}}?runs={run},{other}", f"/comparisons/{kept.slug}/export.{{}}"]
    bases += [
        f"/api/v1/comparisons/export.{{}}?runs={run},{other}",
        f"/s/{live}/export.{{}}",
        f"/s/{frozen}/export.{{}}",
    ]
    files = [base.format(form) for base in bases for form in ("csv", "json", "md", "html")]
    files += [f"/s/{live}/chart-throughput.svg", "/api/v1/evaluations/export.md"]
    for path in pages:
        assert REASON.rstrip(".") not in text(analyst, path)

    assert analyst.post(f"/evaluations/{key}/errata/", erratum("withdrawn")).status_code == 302
    for path in [*pages, *files, f"/runs/{run}/", "/evaluations/" + key + "/"]:
        assert REASON.rstrip(".") in text(analyst, path), path
    assert f"the evaluation {key}" in text(analyst, f"/compare/export.md?runs={run},{other}").replace("\\", "")
    listed = text(analyst, "/evaluations/")
    assert "withdrawn" in listed
    # Whom a frozen share was given to keeps its caveats as they were; a live one has those of today.
    assert CAVEAT in text(analyst, f"/s/{live}/")
