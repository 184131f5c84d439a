"""LocalMaxxing's ``lmx``: a run as it is saved, submitted, exported in a list, or given by its site."""

from runs.readers.lmx.reader import READER

__all__ = ["READER"]
