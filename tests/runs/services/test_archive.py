"""Everything out, everything in: nothing lost; and archives that are none, refused."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import File
from django.core.management import call_command
from django.core.management.base import CommandError

from runs import store
from runs.domain.errata import ErratumKind, Target
from runs.domain.facts import Evidence, State
from runs.models import Artifact, ErratumRow, EvaluationRow, PowerSamples, Run
from runs.models.artifact import artifact_storage
from runs.services.archive import ArchiveError, export_archive, import_archive
from runs.services.archive.sections import LEFT_OUT, SECTIONS
from runs.services.correcting import Given, file_erratum
from runs.services.editing import Claimed, edit_setting
from runs.services.evaluating import GivenEvaluation, add_evaluation
from runs.services.ingest import ingest
from runs.services.meta import meta_of
from runs.services.purging import purge_run
from runs.services.reading import Incoming
from runs.services.saved import Draft, save_comparison, saved
from tests import factories
from tests.pages import files

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, settings: Any) -> None:
    options = {"location": str(tmp_path / "artifacts")}
    backend = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "artifacts": backend}


FILLED = ("run", "artifact", "runpower", "source", "evaluationrow", "erratumrow", "comparisonversion", "uploadrecord")


def fill() -> None:
    call_command("load_demo", verbosity=0)
    sent = [("result.json", files.result()), ("power.csv", files.power_log())]
    incoming = [Incoming(name, File(io.BytesIO(content), name)) for name, content in sent]
    told = {"time_zone": "UTC", "active_gpus": ["2", "3", "4", "5", "6", "7"]}
    outcome = ingest(files=incoming, meta=meta_of(told, uploader="ann"), user=None)
    assert outcome.accepted
    given = Claimed("temperature", State.STATED, 1.0, evidence=(Evidence("statement", quote="by mail"),))
    edit_setting(run_id=outcome.runs[0].id, given=given, reason="", seen=1, user=None)
    mistaken = factories.run()
    purge_run(run_id=mistaken.public_id, reason="a mistake", user=factories.user("admin"))
    save_comparison(draft=Draft("All", {"runs": ",".join(Run.objects.values_list("public_id", flat=True))}), user=None)


def empty() -> None:
    for row in Artifact.objects.all():
        artifact_storage().delete(str(row.file.name))
    for section in reversed(SECTIONS):
        section.model._default_manager.all().delete()


def content() -> dict[str, Any]:
    ids = list(Run.objects.values_list("public_id", flat=True))
    records = store.load(ids)
    return {
        "standing": store.effective(ids),
        "records": records,
        "bytes": {row.sha256: row.open().read() for row in Artifact.objects.all()},
        "samples": [bytes(row.blob) for row in PowerSamples.objects.order_by("blob")],
        "sources": store.sources(store.source_keys(list(records.values()))),
        "rows": {section.name: section.model._default_manager.count() for section in SECTIONS},
        "links": sorted(Run.objects.values_list("public_id", "run_artifacts__artifact__sha256", "run_artifacts__role")),
    }


def test_the_round_trip_loses_nothing(tmp_path: Path) -> None:
    fill()
    before = content()
    assert all(before["rows"][name] for name in FILLED), before["rows"]
    export_archive(target=tmp_path / "all.zip")
    empty()
    done = import_archive(source=tmp_path / "all.zip")
    assert content() == before
    assert done.files == len(before["bytes"])
    again = import_archive(source=tmp_path / "all.zip")
    assert not any(again.made.values())
    assert content() == before


def test_every_model_is_in_the_archive_or_left_out_on_purpose() -> None:
    placed = {section.model for section in SECTIONS} | set(LEFT_OUT)
    assert set(apps.get_app_config("runs").get_models()) == placed


def test_the_commands(tmp_path: Path) -> None:
    fill()
    call_command("export_archive", str(tmp_path / "all.zip"), stdout=io.StringIO())
    with pytest.raises(CommandError, match="exists"):
        call_command("export_archive", str(tmp_path / "all.zip"))
    call_command("import_archive", str(tmp_path / "all.zip"), stdout=io.StringIO())
    (tmp_path / "no.zip").write_bytes(b"no zip")
    with pytest.raises(CommandError, match="no archive"):
        call_command("import_archive", str(tmp_path / "no.zip"))


Change = Callable[[dict[str, bytes]], None]


def rewritten(tmp_path: Path, change: Change) -> Path:
    fill()
    export_archive(target=tmp_path / "all.zip")
    empty()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(tmp_path / "changed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return tmp_path / "changed.zip"


def manifest(members: dict[str, bytes], **changes: Any) -> None:
    members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), **changes}).encode()


def escape(members: dict[str, bytes]) -> None:
    found = json.loads(members["manifest.json"])
    found["entries"]["../../evil"] = {"sha256": "0" * 64, "size": 1}
    members["../../evil"] = b"x"
    members["manifest.json"] = json.dumps(found).encode()


def tamper(members: dict[str, bytes]) -> None:
    name = next(name for name in members if name.startswith("artifacts/"))
    members[name] = bytes(len(members[name]))


def tamper_rows(members: dict[str, bytes]) -> None:
    members["tables/run.jsonl"] = members["tables/run.jsonl"].replace(b"Paiton", b"Saiton")


def grow(members: dict[str, bytes]) -> None:
    """A number that no column holds, in an archive that agrees with itself."""
    name = "tables/scenariorow.jsonl"
    members[name] = members[name].replace(b'"version":1,', b'"version":9999999999999999999,')
    found = json.loads(members["manifest.json"])
    found["entries"][name] = {"sha256": hashlib.sha256(members[name]).hexdigest(), "size": len(members[name])}
    members["manifest.json"] = json.dumps(found).encode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda members: manifest(members, version=99), "newer"),
        (lambda members: manifest(members, version=0), "from 1 to"),
        (lambda members: manifest(members, format="other"), "format"),
        (lambda members: members.pop("manifest.json"), "manifest.json"),
        (lambda members: members.update({"extra.txt": b"x"}), "other files"),
        (lambda members: members.update({"manifest.json": b"[" * 100_000}), "manifest"),
        (escape, "evil"),
        (tamper, "SHA-256"),
        (tamper_rows, "SHA-256"),
        (grow, "too large|out of range"),
    ],
)
def test_what_is_wrong_is_refused_whole(tmp_path: Path, change: Change, words: str) -> None:
    source = rewritten(tmp_path, change)
    with pytest.raises(ArchiveError, match=words):
        import_archive(source=source)
    assert not any(section.model._default_manager.exists() for section in SECTIONS)
    assert not [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]


def test_damage_within_the_compressed_bytes_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    source = rewritten(tmp_path, lambda _members: None)
    with zipfile.ZipFile(source) as archive:
        member = archive.getinfo("tables/runbody.jsonl")
    data = bytearray(source.read_bytes())
    start = member.header_offset + 30 + len(member.filename) + member.compress_size // 2
    data[start : start + 200] = b"\xff" * 200
    source.write_bytes(data)
    with pytest.raises(ArchiveError, match="no archive that can be read"):
        import_archive(source=source)
    assert not [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    source = rewritten(tmp_path, lambda _members: None)
    with pytest.raises(ArchiveError, match="at most"):
        import_archive(source=source, max_bytes=1000)


def test_what_contradicts_is_refused(tmp_path: Path) -> None:
    source = rewritten(tmp_path, lambda _members: None)
    call_command("load_demo", verbosity=0)
    from runs.models import Source

    Source.objects.update(record=b"{}")
    with pytest.raises(ArchiveError, match="something else"):
        import_archive(source=source)


def file_one(target: Target, key: str, **changes: Any) -> None:
    given = {"kind": ErratumKind.HISTORICAL, "reason": f"About {key}.", "date": "2026-11-30", **changes}
    file_erratum(target=target, key=key, given=Given(**given), seen=1, user=None)


def test_errata_find_the_runs_that_are_here_under_other_ids(tmp_path: Path) -> None:
    """Two instances loaded the demo, each with ids of its own; one of them corrected, covered and saved."""
    label = "Paiton · 6 × 800 W · T=0 · 8K/1K"
    call_command("load_demo", verbosity=0)
    theirs = Run.objects.get(label=label).public_id
    file_one("run", theirs, kind=ErratumKind.CORRECTED, metric="total_throughput", new="5.700", locale="nl")
    other = Run.objects.get(label="vLLM · 8 GPUs · 8K/1K").public_id
    file_one("run", other, successor=theirs)
    given = GivenEvaluation(task="GSM8K", correct=190, total=200, covers=(theirs,))
    covered = add_evaluation(given=given, user=None)
    file_one("evaluation", covered, kind=ErratumKind.WITHDRAWN)
    file_one("source", "amd-2026-11-04")
    state = {"runs": f"{other},{theirs}", "baseline": theirs}
    save_comparison(draft=Draft("Both", state), user=None)
    before = {run: store.effective([run])[run] for run in (theirs, other)}
    export_archive(target=tmp_path / "all.zip")

    empty()
    call_command("load_demo", verbosity=0)
    ours, ours_other = (Run.objects.get(label=one).public_id for one in (label, "vLLM · 8 GPUs · 8K/1K"))
    assert {ours, ours_other}.isdisjoint({theirs, other})
    revision = Run.objects.get(label=label).revision
    done = import_archive(source=tmp_path / "all.zip")
    assert (done.made["run"], done.made["erratumrow"], done.made["evaluationrow"]) == (0, 4, 1)
    assert not ErratumRow.objects.filter(target_key__in=(theirs, other)).exists()

    assert store.effective([ours])[ours] == before[theirs]
    assert store.effective([ours_other])[ours_other] == before[other]
    standing = store.current([ours, ours_other])
    assert [one.new for one in standing[ours].errata if one.kind is ErratumKind.CORRECTED] == ["5.700"]
    (historical,) = [one for one in standing[ours_other].errata if one.successor]
    assert (historical.successor, historical.target_key) == (ours, ours_other)
    assert covered in {one.evaluation.key for one in standing[ours].evaluations}
    assert any(one.target == "evaluation" and one.target_key == covered for one in standing[ours].errata)
    assert EvaluationRow.objects.get(key=covered).status == "withdrawn"
    row = Run.objects.get(label=label)
    assert (row.total_throughput, row.status, row.revision > revision) == (5700, "corrected", True)
    assert saved(slug="both").view == {"runs": f"{ours_other},{ours}", "baseline": ours}
    # A second time there is nothing new.
    again = import_archive(source=tmp_path / "all.zip")
    assert not any(again.made.values())
    assert Run.objects.get(label=label).revision == row.revision
