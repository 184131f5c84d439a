"""Which form of amd-smi's output a file is."""

from runs.readers.amdsmi_metric.csvform import header_of, read_csv
from runs.readers.amdsmi_metric.fields import MONITOR_FIELD
from runs.readers.amdsmi_metric.jsonform import read_json
from runs.readers.amdsmi_metric.textform import TABLE, is_metric, read_blocks, read_monitor
from runs.readers.base import Reader, Reading, Upload

FORMAT = "amdsmi_metric"


def _is_json(upload: Upload) -> bool:
    keys = upload.outline
    return keys.has("gpu", "power") or keys.has("gpu_data.gpu", "gpu_data.power") or keys.has("gpu", MONITOR_FIELD)


def claims(upload: Upload) -> bool:
    if upload.outline.is_json:
        return _is_json(upload)
    return header_of(upload) is not None or is_metric(upload.head) or bool(TABLE.search(upload.head[:1000]))


def read(upload: Upload) -> Reading:
    """The power trace of a log, clock ``utc`` (whole seconds since 1970) or, one-shot, ``none``."""
    header = None if upload.outline.is_json else header_of(upload)
    if upload.outline.is_json:
        trace = read_json(upload)
    elif header is not None:
        trace = read_csv(upload, header)
    elif is_metric(upload.head):
        trace = read_blocks(upload)
    else:
        trace = read_monitor(upload)
    return Reading(FORMAT, trace=trace)


READER = Reader(FORMAT, "amd-smi metric or monitor (text, JSON or CSV)", claims, read)
