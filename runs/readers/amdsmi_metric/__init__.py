"""``amd-smi metric -p`` and ``amd-smi monitor -p``: text, JSON and CSV, one-shot and watch, ROCm 5.7 to 7."""

from runs.readers.amdsmi_metric.reader import READER

__all__ = ["READER"]
