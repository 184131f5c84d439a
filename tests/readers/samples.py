"""The samples that this repository holds, as uploads."""

from pathlib import Path

from runs.readers import Upload, unpack

FOLDER = Path(__file__).resolve().parents[1] / "samples"


def sample(format_name: str, name: str) -> Upload:
    return unpack(name, (FOLDER / format_name / name).read_bytes(), 1 << 24)


def upload(text: str | bytes, name: str = "upload.txt") -> Upload:
    return unpack(name, text.encode() if isinstance(text, str) else text, 1 << 24)
