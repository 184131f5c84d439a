"""A run's power chart as a file: what must be known about the lines stands inside the picture."""

from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from runs.models import Artifact, PowerSamples, User
from tests.pages import files
from tests.pages.conftest import upload


def flat_log() -> bytes:
    """GPUs 0 and 1 at 140 W, GPUs 2 to 7 at 700 W under a cap of 800 W: 6 x 0.7 kW x 315.248 s = 1,324.0 kJ."""
    lines = ["timestamp, index, power.draw [W], power.limit [W]"]
    for second in range(-20, int(files.SECONDS) + 21):
        at = files.START + timedelta(seconds=second)
        stamp = f"{at:%Y/%m/%d %H:%M:%S}.{at.microsecond // 1000:03d}"
        lines += [f"{stamp}, {gpu}, {140 if gpu < 2 else 700:.2f} W, 800.00 W" for gpu in range(8)]
    return "\n".join(lines).encode()


def words(content: bytes) -> str:
    root = ET.fromstring(content)  # drawn here
    return " ".join(" ".join(text.replace("\xa0", " ").split()) for text in root.itertext() if text.strip())


@pytest.fixture
def run(db: None) -> str:
    return upload(("result.json", files.result()), ("power.csv", flat_log()))


def test_the_page_offers_its_chart_as_a_picture(reader: Client, run: str) -> None:
    page = reader.get(f"/runs/{run}/").content.decode()
    for extension in ("svg", "png"):
        assert f'href="/runs/{run}/chart-power.{extension}"' in page
    png = reader.get(f"/runs/{run}/chart-power.png")
    assert (png["Content-Type"], png.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert png["Content-Disposition"].startswith("attachment;") and png["Content-Disposition"].endswith('power.png"')


def test_the_picture_says_what_the_page_says_of_the_lines(reader: Client, run: str) -> None:
    svg = reader.get(f"/runs/{run}/chart-power.svg")
    assert svg["Content-Type"] == "image/svg+xml"
    assert b"<script" not in svg.content
    said = words(svg.content)
    log = Artifact.objects.get(name="power.csv").sha256
    for wanted in (
        "Power of each GPU over time",
        "active GPU", "idle GPU of the node", "power cap per GPU",
        "The power log covers the window.",
        "4.20 kW on average in all",
        "Energy: 1,324.0 kJ",
        "2026-08-06 13:23:14 – 13:28:30 UTC, 315.2 s",
        "The dashed line is the cap of 800 W per GPU.",
        "GPU Mean, W / Peak, W / Energy, kJ / Samples / Covered / Above cap — 2 700 / 700 / 220.7 / 315 / 100.0 % / 0",
        "0 (idle) 140 / 140 / 44.1",
        "seconds from the start of the window",
        "Kimi-K3.1-Pro",
    ):  # fmt: skip
        assert wanted in said, wanted
    assert log in said.replace(" ", "")


def test_in_dutch_the_picture_is_dutch(client: Client, run: str) -> None:
    client.force_login(User.objects.create_user("jan", role="viewer", language="nl"))
    said = words(client.get(f"/runs/{run}/chart-power.svg").content)
    for wanted in ("samen gemiddeld 4,20 kW", "1.324,0 kJ", "seconden vanaf het begin van het venster"):
        assert wanted in said, wanted
    assert "on average" not in said


def test_a_doubtful_log_and_a_later_erratum_stand_in_the_picture(reader: Client, run: str) -> None:
    short = upload(("result.json", files.result(model="other")), ("power.csv", flat_log()[:9000]))
    assert "The power figures are doubtful." in words(reader.get(f"/runs/{short}/chart-power.svg").content)
    answer = reader.post(
        f"/runs/{run}/errata/",
        {"kind": "historical", "reason": "Measured before the fan was mended.", "date": "2026-11-20", "revision": "1"},
    )
    assert answer.status_code == 302
    assert "Measured before the fan was mended" in words(reader.get(f"/runs/{run}/chart-power.svg").content)


def test_no_log_no_picture(reader: Client) -> None:
    bare = upload(("result.json", files.result()))
    for path in (f"{bare}/chart-power.svg", f"{bare}/chart-power.png", "nobody/chart-power.svg"):
        assert reader.get(f"/runs/{path}").status_code == 404


def test_a_stored_log_that_cannot_be_read_is_said_in_words(client: Client, run: str) -> None:
    client.force_login(User.objects.create_user("jan", role="viewer", language="nl"))
    PowerSamples.objects.update(blob=b"LWPT, damaged")
    answer = client.get(f"/runs/{run}/chart-power.svg")
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert answer.content.decode().startswith("bewaard vermogensverloop van versie 44")
    assert client.get(f"/runs/{run}/chart-power.gif").status_code == 404
