"""A reader's message decided in one step: looked at, confirmed, and written down at the run with its evidence."""

import re

import pytest
from django.test import Client

from runs import store
from runs.domain.facts import State
from runs.domain.redaction import Redactions
from runs.models import AuditEntry, ErratumRow, FactMessage, Run, User
from runs.services.shares import ShareDraft, ShareSpec, make_share
from tests import factories
from tests.builders import record


@pytest.fixture
def run(db: None) -> Run:
    return factories.run(record("Six", power_cap_w=800.0))


@pytest.fixture
def sharing(db: None) -> User:
    return factories.user()


@pytest.fixture
def shared(run: Run, sharing: User) -> str:
    """A frozen share of the run and another; its path."""
    other = factories.run(record("Eight", throughput=7000.0, active_gpus=8))
    spec = ShareSpec((run.public_id, other.public_id), redactions=Redactions(notes=True))
    draft = ShareDraft("For Acme", spec, language="en")
    return f"/s/{make_share(draft=draft, user=sharing).token}/"


@pytest.fixture
def owner(sharing: User) -> Client:
    client = Client()
    client.force_login(sharing)
    return client


def said(shared: str, **more: str) -> FactMessage:
    sent = {"message": "It was 5,400 by our log", "run": "1", "email": "c@acme.example", **more}
    assert Client().post(f"{shared}fact/", sent).status_code == 200
    return FactMessage.objects.latest("pk")


def confirm(owner: Client, row: FactMessage, decision: str, **changed: str) -> tuple[int, str]:
    """Confirms the preview's form as it came, with what was changed in it; status and page."""
    page = owner.get(f"/inbox/{row.pk}/?decision={decision}").content.decode()
    typed = dict(re.findall(r'<input[^>]*?name="(\w+)"[^>]*?value="([^"]*)"', page, re.DOTALL))
    quote = re.search(r'name="quote"[^>]*>([^<]*)<', page)
    typed |= {"quote": quote[1] if quote else "", "decision": decision, "locale": "en"}
    answer = owner.post(f"/inbox/{row.pk}/", {**typed, **changed})
    return answer.status_code, answer.content.decode()


def test_a_preview_shows_what_would_be_written_and_writes_nothing(owner: Client, shared: str, run: Run) -> None:
    row = said(shared, subject="figure:total_throughput", value="5,400 tok/s")
    page = owner.get(f"/inbox/{row.pk}/?decision=correction").content.decode()
    for text in ("now 6000.0 tok/s", 'value="5,400 tok/s"', "It was 5,400 by our log", "a customer"):
        assert text in page
    row.refresh_from_db()
    assert (row.state, ErratumRow.objects.count()) == ("new", 0)


def test_a_correction_is_filed_at_once_and_the_open_share_says_so(owner: Client, shared: str, run: Run) -> None:
    row = said(shared, subject="figure:total_throughput", value="5,400 tok/s")
    assert "Corrected since" not in Client().get(shared).content.decode()
    assert confirm(owner, row, "correction")[0] == 302
    row.refresh_from_db()
    assert (row.state, row.decision) == ("accepted", "correction")
    (erratum,) = store.current([run.public_id])[run.public_id].errata
    assert (erratum.kind, erratum.metric, erratum.old, erratum.new) == (
        "corrected", "total_throughput", "6000.0 tok/s", "5,400",
    )  # fmt: skip
    assert erratum.who == "a customer"
    assert [(one.kind, one.ref, one.quote) for one in erratum.evidence] == [
        ("statement", f"message {row.pk}", "It was 5,400 by our log")
    ]
    page = Client().get(shared).content.decode()
    assert "Corrected since this page was made" in page
    assert "5,400" in page
    assert "acme.example" not in page
    assert ">900<" in Client().get(f"{shared}?corrected=1").content.decode()  # 5400 over six
    noted = set(AuditEntry.objects.values_list("noun", "action"))
    assert {("erratum of run", "filed"), ("factmessage", "changed")} <= noted


@pytest.mark.parametrize(
    ("decision", "state", "value", "claims"),
    [("correction", State.STATED, 750, ()), ("disputed", State.DISPUTED, None, ("750", "800"))],
)
def test_a_setting_is_corrected_or_disputed(
    owner: Client, shared: str, run: Run, decision: str, state: State, value: object, claims: tuple[str, ...]
) -> None:
    row = said(shared, subject="setting:power_cap_w", value="750 W")
    assert confirm(owner, row, decision)[0] == 302
    cap = store.current([run.public_id])[run.public_id].record.setting("power_cap_w")
    assert (cap.state, cap.value) == (state, value)
    assert all(claim in " ".join(cap.claims) for claim in claims)


def test_a_setting_that_nobody_stated_is_stated(owner: Client, shared: str, run: Run) -> None:
    row = said(shared, subject="setting:runtime_version", value="0.21.0")
    assert confirm(owner, row, "stated")[0] == 302
    found = store.current([run.public_id])[run.public_id].record.setting("runtime_version")
    assert (found.state, found.value) == (State.STATED, "0.21.0")
    assert found.evidence[0].quote == "It was 5,400 by our log"


def test_a_value_changed_meanwhile_is_a_conflict_and_nothing_is_decided(owner: Client, shared: str, run: Run) -> None:
    first = said(shared, subject="figure:total_throughput", value="5,400")
    second = said(shared, subject="figure:total_throughput", value="5,300")
    page = owner.get(f"/inbox/{second.pk}/?decision=correction").content.decode()
    seen = re.search(r'name="revision" value="(\d+)"', page)
    assert seen is not None
    assert confirm(owner, first, "correction")[0] == 302
    status, page = confirm(owner, second, "correction", revision=seen[1])
    assert status == 409
    assert "was changed meanwhile and is now 5400.0 tok/s; nothing was written" in page
    second.refresh_from_db()
    assert second.state == "new"
    assert ErratumRow.objects.count() == 1


def test_a_message_is_decided_once(owner: Client, shared: str) -> None:
    row = said(shared, subject="figure:total_throughput", value="5,400")
    assert owner.post(f"/inbox/{row.pk}/", {"decision": ""}).status_code == 302
    status, page = confirm(owner, row, "correction")
    assert status == 409
    assert "decided meanwhile" in page
    assert ErratumRow.objects.count() == 0


@pytest.mark.parametrize(
    ("decision", "changed"),
    [
        ("stated", {}),  # a figure is corrected or disputed
        ("correction", {"value": "fast"}),
        ("correction", {"value": ""}),
        ("correction", {"reason": " "}),
        ("nonsense", {}),
        ("correction", {"revision": "x"}),
    ],
)
def test_what_cannot_be_is_refused_in_words(owner: Client, shared: str, decision: str, changed: dict[str, str]) -> None:
    row = said(shared, subject="figure:total_throughput", value="5,400")
    status, page = confirm(owner, row, decision, **changed)
    assert status == 400
    assert 'role="alert"' in page
    row.refresh_from_db()
    assert (row.state, ErratumRow.objects.count()) == ("new", 0)


def test_what_names_no_run_is_only_decided(owner: Client, shared: str) -> None:
    row = said(shared, run="", subject="")
    assert confirm(owner, row, "stated")[0] == 302
    row.refresh_from_db()
    assert row.state == "accepted"
    assert owner.get("/inbox/999/").status_code == 404
