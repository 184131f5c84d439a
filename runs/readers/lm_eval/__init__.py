"""Results of lm-evaluation-harness: scores per task, metric and filter."""

from runs.readers.lm_eval.reader import READER

__all__ = ["READER"]
