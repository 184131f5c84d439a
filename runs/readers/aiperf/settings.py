"""Settings of an aiperf result: its configuration in the two layouts that it has had, and what the counts say."""

from collections.abc import Mapping, Sequence
from typing import Any

from runs.domain.facts import Evidence, Setting, SettingValue, State
from runs.readers.aiperf.figures import Figures
from runs.readers.base import clean_text, finite


class Settings:
    """Collects the settings of one document; asked once, then dropped."""

    def __init__(self, document: Mapping[str, Any], figures: Figures, sha256: str) -> None:
        self.config = _object(document, "input_config")
        self.document, self.figures, self.sha256 = document, figures, sha256
        self.found: dict[str, Setting] = {}

    def read(self) -> dict[str, Setting]:
        self._put("client", "aiperf", "the layout of the file")
        version = self.document.get("aiperf_version")
        if isinstance(version, str) and version:
            self._put("client_version", clean_text(version, 60), "aiperf_version")
        self._model()
        self._load()
        self._lengths("isl", "total_isl", "input_sequence_length")
        self._lengths("osl", "total_osl", "output_sequence_length")
        self._sampling()
        self._prompts()
        return self.found

    def _put(self, key: str, value: SettingValue, place: str, *, nominal: str = "", note: str = "") -> None:
        evidence = (Evidence("file", self.sha256, place),)
        self.found[key] = Setting(key, State.OBSERVED, value, nominal, evidence, note=note)

    def _model(self) -> None:
        listed = _object(self.config, "models").get("items")
        names = [one.get("name") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        names = names or list(_list(_object(self.config, "endpoint"), "model_names"))
        if len(names) == 1 and isinstance(names[0], str) and names[0].strip():
            self._put("model", clean_text(names[0], 200), "input_config, model")

    def _load(self) -> None:
        phases = [one for one in _list(self.config, "phases") if isinstance(one, dict)]
        profiling = next((one for one in phases if one.get("name") == "profiling"), {})
        place = "input_config.phases" if profiling else "input_config.loadgen"
        load = profiling or _object(self.config, "loadgen")
        concurrency, rate = finite(load.get("concurrency")), finite(load.get("request_rate") or load.get("rate"))
        if concurrency and concurrency == int(concurrency):
            self._put("concurrency", int(concurrency), f"{place}, concurrency")
        if rate:
            self._put("request_rate", rate, f"{place}, request_rate")
        elif concurrency:
            self._put("request_rate", None, f"{place}, concurrency", nominal="unlimited")
        wanted = finite(load.get("requests") or load.get("request_count"))
        if wanted and wanted == int(wanted):
            self._put("num_prompts", int(wanted), f"{place}, requests")

    def _lengths(self, key: str, total_key: str, mean_key: str) -> None:
        """Mean tokens per completed request; output tokens with the reasoning ones, as throughput counts them."""
        done, tokens = self.figures.count("request_count"), self.figures.count(total_key)
        mean = tokens / done if done and tokens else self.figures.number(mean_key)
        if mean and 0 < mean < 1e12:
            place = self.figures.place(f"{total_key} / request_count" if done and tokens else mean_key)
            self._put(key, int(mean + 0.5), place, note=f"mean of completed requests: {mean:g}")

    def _sampling(self) -> None:
        extra = self._extra()
        temperature, ignore_eos = finite(extra.get("temperature")), extra.get("ignore_eos")
        if temperature is not None and temperature >= 0:
            self._put("temperature", temperature, "input_config, extra inputs", note="sent with every request")
        top_p, top_k = finite(extra.get("top_p")), finite(extra.get("top_k"))
        if top_p and top_p > 0:
            self._put("top_p", top_p, "input_config, extra inputs", note="sent with every request")
        if top_k and top_k == int(top_k) and 0 < top_k < 1e9:
            self._put("top_k", int(top_k), "input_config, extra inputs", note="sent with every request")
        if isinstance(ignore_eos, bool):
            self._put("ignore_eos", ignore_eos, "input_config, extra inputs", note="sent with every request")

    def _extra(self) -> dict[str, Any]:
        """Extra inputs: an object in 0.13, a list of pairs before."""
        extra = _object(self.config, "endpoint").get("extra")
        if isinstance(extra, dict):
            return extra
        pairs = _list(_object(self.config, "input"), "extra")
        return {str(pair[0]): pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}

    def _prompts(self) -> None:
        datasets = [one for one in _list(self.config, "datasets") if isinstance(one, dict)]
        synthetic = len(datasets) == 1 and datasets[0].get("type") == "synthetic"
        prompt = _object(_object(self.config, "input"), "prompt")
        if synthetic or (prompt and not _object(self.config, "input").get("file")):
            self._put("prompts", "synthetic text", "input_config, datasets", note="cut from a text that aiperf brings")


def _object(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = document.get(key)
    return found if isinstance(found, dict) else {}


def _list(document: Mapping[str, Any], key: str) -> Sequence[Any]:
    found = document.get(key)
    return found if isinstance(found, list) else []
