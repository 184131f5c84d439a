"""Over a real sshd on loopback: host keys, faults of the connection, and observations with a stand-in for amd-smi."""

import sys
import time
from pathlib import Path

from tests.jobs.rig import STANDINS, Rig, SshServer
from tests.live import wait_for


def test_an_unknown_host_key_is_refused_until_a_person_accepts_it(faulty: Rig, sshd: SshServer, unique: str) -> None:
    target = sshd.target(faulty, unique, accept=False)
    faulty.worker()
    job = faulty.job(target)
    assert faulty.ended(job) == "failed"
    assert "is not accepted" in str(faulty.look(job)["problems"])
    faulty.ask(f"targets.test_connection(target=Target.objects.get(pk={target}), user=User.objects.first())")
    shown = faulty.ask(f"result = list(HostKey.objects.filter(target={target}).values('fingerprint', 'accepted'))")
    assert len(shown) == 1
    assert shown[0]["fingerprint"].startswith("SHA256:")
    assert shown[0]["accepted"] is None
    faulty.ask(
        f"targets.accept_host_key(target=Target.objects.get(pk={target}), user=User.objects.first(), "
        f"fingerprint={shown[0]['fingerprint']!r})"
    )
    faulty.free(target)


def test_a_host_that_shows_another_key_is_refused(faulty: Rig, sshd: SshServer, unique: str) -> None:
    target = sshd.target(faulty, unique)
    other = Path(f"{sshd.folder}/client.pub").read_text(encoding="ascii").strip()
    faulty.ask(f"HostKey.objects.filter(target={target}).update(key={other!r}, fingerprint='SHA256:other')")
    faulty.worker()
    job = faulty.job(target)
    assert faulty.ended(job) == "failed"
    assert "is not accepted" in str(faulty.look(job)["problems"])


def test_connection_cut_and_restored(faulty: Rig, sshd: SshServer, unique: str) -> None:
    target = sshd.target(faulty, unique)
    faulty.worker()
    job = faulty.job(target, seconds=5)
    faulty.until(job, "running")
    wait_for(lambda: "started" in faulty.look(job)["tail"], "the first output")
    sshd.kill()
    wait_for(lambda: "silent" in faulty.look(job)["reason"], "the silence to be noticed")
    assert faulty.state(job) == "running"
    assert faulty.alive(job)
    time.sleep(1)
    sshd.start()
    assert faulty.ended(job) == "done"
    assert len(faulty.runs(job)) == 1
    assert faulty.look(job)["reason"] == ""
    faulty.free(target)


def test_a_target_silent_for_too_long_is_lost_and_cleaned_up_later(faulty: Rig, sshd: SshServer, unique: str) -> None:
    target = sshd.target(faulty, unique)
    faulty.worker()
    job = faulty.job(target, "hang")
    faulty.until(job, "running")
    wait_for(lambda: faulty.alive(job), "the client")
    sshd.kill()
    try:
        assert faulty.ended(job) == "lost"
        assert faulty.look(job)["remote_open"] is True
        assert faulty.alive(job)
    finally:
        sshd.start()
    wait_for(lambda: not faulty.alive(job), "the sweep to end what the lost job had left")
    wait_for(lambda: faulty.look(job)["remote_open"] is False, "that to be written down")
    faulty.free(target)


def test_test_connection_shows_what_is_there(faulty: Rig, sshd: SshServer, unique: str) -> None:
    programs = {"amd-smi": str(STANDINS / "amd-smi")}
    target = sshd.target(faulty, unique, programs=programs)
    faulty.ask(f"targets.test_connection(target=Target.objects.get(pk={target}), user=User.objects.first())")
    found = faulty.ask(f"result = Target.objects.get(pk={target}).found")
    assert [gpu["cap_w"] for gpu in found["gpus"]["gpus"]] == [750.0, 750.0]
    assert found["gpus"]["driver"] == "ROCm 7.0.2"
    assert abs(found["clock_offset_s"]) < 1
    assert found["python"]


def test_a_run_with_power_is_bracketed_observed_and_simulated(
    faulty: Rig, sshd: SshServer, unique: str, tmp_path: Path
) -> None:
    load = {"STAND_IN_LOAD": "0", "STAND_IN_CAP_FILE": str(tmp_path / "cap")}
    programs = {"amd-smi": str(STANDINS / "amd-smi")}
    target = sshd.target(faulty, unique, programs=programs, sampler="amd-smi", environment=load)
    faulty.worker()
    job = faulty.job(target, seconds=11, active_gpus=[0, 1], power_cap_w=750)
    assert faulty.ended(job, 60) == "done", faulty.look(job)
    run = faulty.runs(job)[0]
    told = faulty.ask(
        "from runs import selectors\nfrom runs.services.meta import msgspec\n"
        f"result = msgspec.to_builtins(selectors.run_detail({run!r}).record)"
    )
    assert told["provenance"] == "simulated"
    assert "stand-in" in str(told["remarks"])
    assert told["settings"]["power_cap_w"]["state"] == "observed"
    assert told["settings"]["power_cap_w"]["value"] == 750
    assert told["settings"]["accelerator"]["value"] == "Stand-in MI355X"
    assert told["window"]["state"] == "observed"
    assert told["power"]["bracketed"] is True
    assert round(told["power"]["mean_w"]) == 1201
    assert told["power"]["gpus"] == ["0", "1"]
    assert set(faulty.files(job)) >= {"power.csv", "output.log", "result.json", "job-record.json"}


def test_a_cap_that_changes_during_the_run_is_disputed(faulty: Rig, unique: str, tmp_path: Path) -> None:
    cap = tmp_path / "cap"
    cap.write_text("750", encoding="ascii")
    programs = {"amd-smi": str(STANDINS / "amd-smi")}
    target = faulty.target(unique, programs=programs, environment={"STAND_IN_CAP_FILE": str(cap)})
    faulty.worker()
    job = faulty.job(target, seconds=2, active_gpus=[0])
    faulty.until(job, "running")
    wait_for(lambda: "started" in faulty.look(job)["tail"], "the client")
    cap.write_text("500", encoding="ascii")
    assert faulty.ended(job) == "done"
    cap_setting = faulty.ask(
        "from runs import selectors\nfrom runs.services.meta import msgspec\n"
        f"result = msgspec.to_builtins(selectors.run_detail({faulty.runs(job)[0]!r}).record.setting('power_cap_w'))"
    )
    assert cap_setting["state"] == "disputed"
    assert "GPU 0 before: 750 W" in cap_setting["claims"]
    assert "GPU 0 after: 500 W" in cap_setting["claims"]


def test_preflight_says_every_reason(faulty: Rig, unique: str) -> None:
    load = {"STAND_IN_LOAD": "80"}
    programs = {"nvidia-smi": str(STANDINS / "nvidia-smi")}
    target = faulty.target(unique, programs=programs, environment=load)
    faulty.worker()
    job = faulty.job(target, endpoint="http://127.0.0.1:9", model="m", power_cap_w=500, active_gpus=[0, 7])
    assert faulty.ended(job) == "failed"
    said = " | ".join(faulty.look(job)["problems"])
    assert "does not answer" in said
    assert "GPU 0 is busy: 80 %" in said
    assert "power cap 700 W; the plan says 500 W" in said
    assert "GPU 7 of the plan is not among" in said


def test_what_looks_like_shell_or_options_arrives_as_it_is(faulty: Rig, sshd: SshServer, unique: str) -> None:
    odd = 'it\'s "quoted" $(touch /tmp/likewise-owned) `id` ; rm -rf x\n--flag=1 | & ü'
    show = "import json, sys; open('result.json', 'w').write(''); print(json.dumps(sys.argv[1:]))"
    command = {"argv": [sys.executable, "-c", show, "--text={text}"], "parameters": ["text"], "results": []}
    target = sshd.target(faulty, unique, environment={"ODD": odd})
    faulty.ask(f"Target.objects.filter(pk={target}).update(commands={{'client': {command!r}}})")
    faulty.worker()
    job = faulty.job(target, parameters={"text": odd})
    assert faulty.ended(job) == "done", faulty.look(job)
    import json

    assert json.loads(faulty.look(job)["tail"]) == [f"--text={odd}"]
    assert not Path("/tmp/likewise-owned").exists()
