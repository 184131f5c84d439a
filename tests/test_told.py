"""What readers, domain and services tell in English stands in Dutch on a Dutch page: remarks, refusals, verdicts."""

import time
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.render.telling import formula
from runs.models import Job, Target, User
from runs.runners.plans import PlanSpec
from runs.services.jobs.preflight import reasons
from runs.telling import Pattern, tell
from tests.dutch import english_in, fields
from tests.pages import files
from tests.pages.conftest import upload
from tools import messages
from tools.told import Told


@pytest.fixture
def dutch(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("jan", role="admin", language="nl"))
    return client


@pytest.mark.parametrize(
    ("english", "expected"),
    [
        ("JSON nested too deeply to read", "JSON die te diep is genest om te lezen"),
        ("gsm8k: only a part of the task was run", "gsm8k: er is slechts een deel van de taak gedraaid"),
        (
            "a.json: at line 3, column 7: expected whole JSON, saw a file that is cut off",
            "a.json: bij regel 3, kolom 7: verwacht hele JSON, gezien een bestand dat is afgebroken",
        ),
        (
            "GPU 4: 5.5 s without a sample; 3 s are allowed at a median interval of 1 s",
            "GPU 4: 5,5 s zonder meting; 3 s zijn toegestaan bij een mediaan interval van 1 s",
        ),
        (
            "samples cover 93.2 %, under 95 %: no energy is given",
            "metingen dekken 93,2 %, minder dan 95 %: er wordt geen energie gegeven",
        ),
        (
            "not a comparison snapshot: version 1.5",
            "geen momentopname van een vergelijking: versie 1.5",
        ),
        (
            "the target has 1,024 MiB of disk left; 2048 are needed",
            "het doel heeft nog 1.024 MiB schijfruimte; 2048 zijn nodig",
        ),
        (
            "GPU 3: 1,250.5 W is more than a GPU draws: milliwatts?",
            "GPU 3: 1.250,5 W is meer dan een GPU opneemt: milliwatts?",
        ),
        ("5,648 is no number as nl prints one", "5,648 is geen getal zoals nl er een drukt"),
        ("an erratum says why.", "een erratum zegt waarom."),
        ("the plan of nobody", "the plan of nobody"),
        ("", ""),
        ("6", "6"),
    ],
)
def test_a_told_text_is_told_in_dutch(english: str, expected: str) -> None:
    assert tell(english, "nl") == expected
    assert tell(english, "en") == english


def test_formulas_name_their_inputs() -> None:
    text = "mean of the repeats: total_throughput / active_gpus"
    assert formula(text, "en") == "mean of the repeats: total throughput, node / active GPUs"
    assert formula(text, "nl") == "gemiddelde van de herhalingen: totale doorvoer, node / actieve GPU’s"
    assert formula("1 / tpot:median", "nl") == "1 / mediaan TPOT"


def test_a_pattern_is_matched_in_linear_time() -> None:
    """Literals that come back thousands of times must not be tried in every combination."""
    pattern = Pattern(("", " a ", " a ", " a ", "!"), ("p", "q", "r", "s"), "{s}")
    began = time.perf_counter()
    assert pattern.match(" a " * 300_000) is None
    assert pattern.match("1 a 2 a 3 a 4!") == ("1", "2", "3", "4")
    assert time.perf_counter() - began < 0.5


def test_every_told_text_with_places_is_taken_apart_and_told_in_dutch() -> None:
    """Each text of the source, its places filled with numbers, gives its own translation and no other's."""
    told = {text for _place, text in messages.told()}
    wrong = {}
    for message in messages.read():
        text = str(message.id)
        if message.id in told and fields(text):
            filling = {name: str(101 * place) for place, name in enumerate(sorted(fields(text)), start=1)}
            found = tell(fill(text, filling), "nl")
            if found != fill(str(message.string), filling):
                wrong[text] = found
    assert wrong == {}


def fill(text: str, filling: dict[str, str]) -> str:
    for name, value in filling.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def test_what_flows_into_a_message_is_found(tmp_path: Path) -> None:
    """A message that is new in the source is asked for in Dutch, whichever way it comes to be told."""
    code = tmp_path / "made.py"
    code.write_text(
        """
LIMIT = "a limit of the module"
def refuse(why, count):
    said = f"{count} things are wrong: {why}" if count else "nothing is wrong here"
    raise DomainError(said)
def named(kind: str) -> str:
    return "one kind of it" if kind else "another kind of it"
def work(kind):
    refuse("the why of a caller", 2)
    Remark("code", LIMIT, "place"); problems = []
    problems.append("a " + "problem " + f"of {kind.name}")
    yield Problem("", "", expected=named(kind))
    log("not told to people")
class OwnError(DomainError): pass
def other(): raise OwnError(f"own of {x}")
"""
    )
    assert set(Told([("made.py", code)]).texts) == {
        "{count} things are wrong: {why}", "nothing is wrong here", "the why of a caller", "a limit of the module",
        "a problem of {name}", "one kind of it", "another kind of it", "own of {x}",
    }  # fmt: skip


def test_a_refused_upload_is_dutch(dutch: Client) -> None:
    for name, content in {
        "cut.json": files.result()[:-40], "empty.csv": b"", "binary.bin": b"\x00\xff\x10" * 99,
        "watts.csv": b"timestamp, index, power.draw [W]\n2026/08/06 13:00:00.000, 0, 99999999 W\n",
        "zero.json": files.result(completed=0),
    }.items():  # fmt: skip
        sent = {"files": SimpleUploadedFile(name, content), "active_gpus": "0, x", "window_start": "later"}
        for given in (sent, {"files": SimpleUploadedFile(name, content)}):
            page = dutch.post("/runs/upload/", given).content.decode()
            assert '<html lang="nl">' in page
            assert english_in(page) == [], name
    page = dutch.post("/runs/upload/", {"files": SimpleUploadedFile("cut.json", files.result()[:-40])}).content.decode()
    assert "een bestand dat is afgebroken" in page


def test_remarks_and_verdicts_of_a_run_are_dutch(dutch: Client) -> None:
    lines = files.power_log().splitlines()
    gap = b"\n".join(line for place, line in enumerate(lines) if not 800 < place < 1000)
    run = upload(("result.json", files.result(failed=3, num_prompts=643)), ("power.csv", gap))
    page = dutch.get(f"/runs/{run}/").content.decode()
    assert "s zonder meting" in page
    assert "verzoeken mislukten" in page
    assert english_in(page) == []


def test_a_refused_job_is_dutch(dutch: Client) -> None:
    target = Target.objects.create(name="doel", connection="local", sampler="amd-smi")
    spec = PlanSpec(client="aiperf", model="m", active_gpus=[2, 9], power_cap_w=800)
    found = {
        "endpoint": {"ok": False, "reason": "the endpoint does not serve m; it serves: k"}, "program": None,
        "sampler": "", "free_bytes": 1024**2, "time": 0,
        "gpus": {"gpus": [{"index": "2", "load": 97, "cap_w": 750}]},
    }  # fmt: skip
    said = reasons(spec, target, found, -9.5)
    assert len(said) == 8
    job = Job.objects.create(
        target=target, label="een job", spec={}, state=Job.State.FAILED, reason="refused before the start",
        problems=said, times=[["queued", "2026-01-01T00:00:00+00:00"]], argv=["aiperf"],
    )  # fmt: skip
    for path in (f"/jobs/{job.pk}/", "/jobs/", f"/jobs/{job.pk}/live/"):
        page = dutch.get(path).content.decode()
        assert english_in(page) == [], path
    page = dutch.get(f"/jobs/{job.pk}/").content.decode()
    assert "GPU 2 is bezet: 97 % belasting vóór de run" in page
    assert "GPU 2 heeft de vermogenslimiet 750 W; het plan zegt 800 W" in page


BAD = {
    "/sources/new/": {"title": "", "published": "x", "accessed": "y", "url": "ftp://x", "key": "A B"},
    "/scenarios/new/": {"name": "", "price_per_kwh": "x", "pue": "0", "utilisation": "7", "offer.0.name": "A"},
    "/evaluations/new/": {
        "task": "",
        "correct": "9",
        "total": "3",
        "date": "x",
        "covers": "nobody",
        "source": "nobody",
    },
    "/names/": {"kind": "nonsense", "alias": "x" * 300, "name": ""},
    "/plans/new/": {"name": "", "spec": '{"client": "bash"}'},
    "/targets/new/": {"name": "x", "connection": "ssh", "host": "-o", "port": "x", "queue": "a b", "programs": "{"},
    "/tokens/": {"name": "", "scopes": ["x"], "days": "x"},
    "/runs/upload/": {"set.active_gpus": "six", "set.power_cap_w": "-1", "window.start": "x", "time_zone": "Mars/X"},
}


@pytest.mark.parametrize("path", BAD)
def test_a_refused_form_is_dutch(dutch: Client, path: str) -> None:
    answer = dutch.post(path, BAD[path])
    assert answer.status_code in (400, 403)
    assert english_in(answer.content.decode()) == []


def test_a_place_before_a_message_keeps_it_from_no_translation() -> None:
    assert tell("pue: PUE is from 1 to 10, not 99", "nl") == "pue: PUE ligt van 1 tot 10, niet 99"
    assert tell("row 3: no number", "nl") == "rij 3: geen getal"
