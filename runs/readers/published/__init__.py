"""Published runs in Likewise's own YAML or JSON."""

from runs.readers.published.reader import READER, read

__all__ = ["READER", "read"]
