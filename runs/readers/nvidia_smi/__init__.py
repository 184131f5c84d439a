"""``nvidia-smi --query-gpu=... --format=csv``: with or without units, re-saved or not."""

from runs.readers.nvidia_smi.reader import READER

__all__ = ["READER"]
