"""aiperf's result of a whole run: ``profile_export_aiperf.json``, from 0.1 to 0.13."""

from runs.readers.aiperf.reader import READER

__all__ = ["READER"]
