"""``vllm bench serve``: its result JSON in every shape and fork, and the block it prints on the console."""

from runs.readers.vllm_serve.console import CONSOLE
from runs.readers.vllm_serve.reader import RESULT

__all__ = ["CONSOLE", "RESULT"]
