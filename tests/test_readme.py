"""The README's commands, run as printed against a real server."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from tests import live

README = (live.ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)


def run(server: live.Server, script: str) -> str:
    """Some blocks in one shell, with this server's address and folder in place of the printed ones."""
    script = script.replace("http://127.0.0.1:8000", server.url)
    script = script.replace("var/admin_password", f"{server.var_dir}/admin_password")
    script = script.replace(".venv/bin/python", sys.executable)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=live.ROOT,
        env=server.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_the_curl_lines_work_as_printed(server: live.Server) -> None:
    login, dry, store, shell = BLOCKS
    # Each curl prints one JSON document without a line end.
    answers = run(server, f"{login}\n{dry}\necho\n{store.replace('curl -s -H', 'echo; curl -s -H')}")
    dry_answer, stored, listed = [json.loads(line) for line in answers.splitlines() if line.strip()]
    assert dry_answer["dry_run"] is True
    assert [file["format"] for file in dry_answer["files"]] == ["vllm_serve", "amdsmi_metric"]
    (made,) = stored["runs"]
    assert made["created"] is True
    (found,) = [one for one in listed["results"] if one["id"] == made["id"]]
    assert found["label"] == "README example"
    # Six GPUs at 700 W.
    assert float(found["summary"]["figures"]["gpu_power:mean"]["value"]) == pytest.approx(4200.0)
    again = run(server, f"{login}\n{store.split('curl')[0]}{'curl' + store.split('curl')[1]}")
    assert json.loads(again)["runs"] == [{**json.loads(again)["runs"][0], "id": made["id"], "created": False}]
    assert "result.json" in run(server, shell)


def test_the_printed_numbers_of_the_example(server: live.Server) -> None:
    """64 requests of 1,024 + 128 tokens in 64 s on six GPUs at 700 W."""
    login, _dry, store, _shell = BLOCKS
    text = run(server, f"{login}\n{store.replace('curl -s -H', 'echo; curl -s -H')}")
    run_id = json.loads(next(line for line in text.splitlines() if line.strip()))["runs"][0]["id"]
    answer = run(server, f'{login}\ncurl -s -H "Authorization: Token $TOKEN" {server.url}/api/v1/runs/{run_id}')
    figures = json.loads(answer)["figures"]
    assert float(figures["energy"]["value"]) == pytest.approx(268_800.0)
    assert float(figures["energy_per_token"]["value"]) == pytest.approx(268_800 / 73_728)
    assert float(figures["per_gpu_total"]["value"]) == pytest.approx(192.0)
