"""Settings of a result document: what the file says, what it lets infer, and nothing that it does not say."""

import math

from runs.domain.facts import Setting, SettingValue, State
from runs.readers.base import clean_text
from runs.readers.base.findings import Findings
from runs.readers.vllm_serve.documents import Document, Scalar
from runs.readers.vllm_serve.figures import as_count, as_number
from runs.readers.vllm_serve.keys import METADATA, SECRET, SECRET_VALUE, is_known

MAX_METADATA = 50
COUNTS = ("completed", "failed", "num_prompts", "total_input_tokens", "total_output_tokens")
UNLIMITED = "unlimited"


class Settings(Findings):
    """Collects the settings and remarks of one document; asked once, then dropped."""

    def __init__(self, document: Document, sha256: str) -> None:
        super().__init__(sha256, document.place)
        self.document, self.scalars = document, document.scalars

    def read(self) -> dict[str, Setting]:
        for key in COUNTS:
            if as_count(self.scalars.get(key)) is None:
                self._left_out(key, "a whole number from 0")
        self._metadata()
        self._model()
        self._client()
        self._load()
        self._lengths("isl", "total_input_tokens", "input_lens")
        self._lengths("osl", "total_output_tokens", "output_lens")
        self._speculation()
        return self.settings

    def _left_out(self, key: str, expected: str) -> None:
        """Says that a value is not one; nothing where the file has none."""
        value = self.scalars.get(key)
        if value is not None:
            said = f"{key} is {clean_text(str(value), 40)!r}, expected {expected}: left out"
            self.remark("value-left-out", said, key)

    def _model(self) -> None:
        model = self.scalars.get("model_id")
        if not isinstance(model, str) or not model.strip():
            self._left_out("model_id", "a name")
            return
        self.setting("model", clean_text(model), "model_id")
        if model.startswith(("/", "./", "~", "\\")) or "\\" in model or model[1:3] in (":/", ":\\"):
            self.remark("model-path", "the model is named by a path on the machine, not by a public name", "model_id")

    def _client(self) -> None:
        name, keys = client_of(self.document)
        note = f"inferred from {', '.join(keys)}: the file does not name its client"
        self.setting("client", name, ", ".join(keys), state=State.INFERRED, note=note)

    def _load(self) -> None:
        prompts = as_count(self.scalars.get("num_prompts"))
        if prompts:
            self.setting("num_prompts", prompts, "num_prompts")
        if "max_concurrency" in self.scalars:
            limit = as_count(self.scalars["max_concurrency"])
            if self.scalars["max_concurrency"] is None:
                self.setting("concurrency", None, "max_concurrency", nominal=UNLIMITED)
            elif limit:
                self.setting("concurrency", limit, "max_concurrency")
            else:
                self._left_out("max_concurrency", "a whole number above 0, or null for no limit")
        self._rate()

    def _rate(self) -> None:
        ramp = self.scalars.get("ramp_up_strategy")
        if isinstance(ramp, str):
            ends = [as_number(self.scalars.get(f"ramp_up_{end}_rps")) for end in ("start", "end")]
            span = " to ".join("?" if end is None else f"{end:g}" for end in ends)
            self.setting("request_rate", None, "ramp_up_strategy", nominal=f"{clean_text(ramp, 40)} ramp, {span} req/s")
            return
        rate = self.scalars.get("request_rate")
        number = as_number(rate)
        if rate == "inf" or number == math.inf:
            self.setting("request_rate", None, "request_rate", nominal=UNLIMITED)
        elif number is not None and math.isfinite(number) and number > 0:
            self.setting("request_rate", number, "request_rate")
        else:
            self._left_out("request_rate", 'a number above 0 or "inf"')

    def _lengths(self, key: str, total_key: str, lens_key: str) -> None:
        """ISL or OSL: mean tokens per completed request, with the range where the file has every length."""
        completed, tokens = as_count(self.scalars.get("completed")), as_count(self.scalars.get(total_key))
        if not completed or not tokens:
            return
        mean = tokens / completed
        note = f"mean of {completed} completed requests" + ("" if tokens % completed == 0 else f": {mean:.2f}")
        lengths = [length for length in self.document.lengths.get(lens_key, ()) if length > 0]
        if lengths and min(lengths) != max(lengths):
            note += f"; from {min(lengths)} to {max(lengths)}"
        self.setting(key, (2 * tokens + completed) // (2 * completed), f"{total_key} / completed", note=note)

    def _speculation(self) -> None:
        key = "spec_decode_acceptance_rate"
        if as_number(self.scalars.get(key)) is not None:
            note = "the file counts accepted drafts, so drafting was on; with which method and model it does not say"
            self.setting(
                "speculative_method", None, key, state=State.INFERRED, nominal="on, method not stated", note=note
            )

    def _metadata(self) -> None:
        """Keys that are not the tool's own: a setting where the meaning is beyond doubt, else a remark."""
        told = 0
        for key, value in self.scalars.items():
            if value is None or is_known(key):
                continue
            if told == MAX_METADATA:
                self.remark("metadata", f"more than {MAX_METADATA} further keys were left out", clean_text(key, 60))
                return
            told += 1
            self._pair(clean_text(key, 60), value)

    def _pair(self, key: str, value: Scalar) -> None:
        text = clean_text(str(value), 120)
        if SECRET.search(key) or SECRET_VALUE.match(text):
            self.remark("metadata-secret", f"{key}: looks like a secret, its value was not kept", key)
            return
        setting, kind = METADATA.get(key, ("", ""))
        parsed = _parse(value, text, kind)
        if parsed is None:
            self.remark("metadata", f"{key} = {text}: a key of whoever ran it, kept as written", key)
        else:
            self.setting(
                setting, parsed, key, state=State.STATED, note="stated by whoever ran it (--metadata or a sweep)"
            )


def _parse(value: Scalar, text: str, kind: str) -> SettingValue:
    """The value as the setting's kind; None where it does not fit ("gpu": "0" is an index, no accelerator)."""
    try:
        if kind == "int":
            return int(text) if 0 < int(text) < 1 << 40 else None
        if kind == "float":
            return float(text) if math.isfinite(float(text)) and not isinstance(value, bool) else None
    except ValueError:
        return None
    if kind == "name":
        return text if any(char.isalpha() for char in text) and any(char.isdigit() for char in text) else None
    return text if kind == "text" and text and isinstance(value, str) else None


def client_of(document: Document) -> tuple[str, tuple[str, ...]]:
    """The client that wrote a document, and the keys it is known by."""
    if document.has("benchmark_start_time_unix"):
        return "InferenceX benchmark_serving", ("benchmark_start_time_unix",)
    if document.has("accept_length", "acceptance_rate") and document.has("concurrency"):
        return "ATOM benchmark_serving", ("concurrency", "accept_length", "acceptance_rate")
    if document.has("good_completed") or (document.has("median_ttft") and not document.has("median_ttft_ms")):
        return "benchmark_serving (token_position fork)", ("good_completed", "median_ttft")
    if document.has("endpoint_type"):
        return "vllm bench serve", ("endpoint_type",)
    return "benchmark_serving.py (vLLM's script or a fork)", ("backend without endpoint_type",)
