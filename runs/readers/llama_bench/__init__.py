"""llama.cpp's ``llama-bench``, as a JSON array or as JSON lines: one run for every test."""

from runs.readers.llama_bench.reader import READER

__all__ = ["READER"]
