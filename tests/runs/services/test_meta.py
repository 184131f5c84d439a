"""What an uploader states: taken exactly, or refused by name; nothing is bent, guessed or overwritten."""

import json
from typing import Any

import pytest

from runs.domain.facts import State
from runs.services.answers import RefusedError
from runs.services.meta import read_meta
from runs.services.statements import with_meta
from tests.builders import record


def refused(meta: Any) -> tuple[str, str]:
    """Place and sight of the only problem."""
    with pytest.raises(RefusedError) as refusal:
        read_meta(meta if isinstance(meta, str) else json.dumps(meta), uploader="ana")
    (problem,) = refusal.value.problems
    return problem.place, problem.seen


@pytest.mark.parametrize(
    "gpu", [-1, "-1", "2-7", "00", "07", "²", "٣", 1024, 1.0, True, "", " ", "a b", "<b>", "x" * 81]
)
def test_what_is_no_label_of_one_gpu(gpu: Any) -> None:
    """ "2-7" as one GPU of that name would make six GPUs' throughput one GPU's."""
    assert refused({"active_gpus": [gpu]})[0] == "active_gpus"


def test_indices_uuids_and_bus_ids_are_labels() -> None:
    labels = ["0", "1023", "GPU-c4529c8d-69c4-b61d-e0bc-7aaaaaaaaaaa", "00000000:05:00.0", "card0"]
    assert read_meta(json.dumps({"active_gpus": [0, *labels[1:]]}), uploader="ana").active_gpus == tuple(labels)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"label": "a", "label": "b"}', "label"),
        ('{"settings": {"power_cap_w": 800, "power_cap_w": 1000}}', "power_cap_w"),
        ('{"window": {"start": "x", "start": "y", "end": "z"}}', "start"),
    ],
)
def test_a_key_given_twice_is_refused_not_dropped(text: str, place: str) -> None:
    assert refused(text) == (place, "the key twice")


@pytest.mark.parametrize(
    "key", ["power_cap_w", "active_gpus", "node_gpus", "isl", "osl", "concurrency", "num_prompts", "tensor_parallel"]
)
def test_zero_is_no_way_to_say_unknown(key: str) -> None:
    assert refused({"settings": {key: 0}}) == (f"settings.{key}", "0")


def test_zero_where_it_can_be_meant() -> None:
    settings = read_meta('{"settings": {"temperature": 0, "draft_count": 0}}', uploader="ana").settings
    assert [one.value for one in settings.values()] == [0.0, 0]


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_blank_text_is_no_value(blank: str) -> None:
    assert refused({"settings": {"model": blank}})[0] == "settings.model"


@pytest.mark.parametrize("odd", ["\0", "\x1b[31m", "\u202e", "\u2066", "\x85"])
@pytest.mark.parametrize("key", ["label", "notes", "setup"])
def test_characters_that_make_a_text_say_something_else(key: str, odd: str) -> None:
    assert refused({key: f"a{odd}b"}) == (key, "a\ufffdb" if len(odd) == 1 else "a\ufffd[31mb")
    assert read_meta(json.dumps({"notes": "two\r\nlines\tand 😀"}), uploader="ana").notes


@pytest.mark.parametrize(
    ("meta", "place"),
    [
        ({"active_gpus": [0, 1], "settings": {"active_gpus": 8}}, "settings.active_gpus"),
        ({"active_gpus": [0, 1], "settings": {"active_gpu_indices": [4, 5]}}, "settings.active_gpu_indices"),
        ({"settings": {"active_gpu_indices": [0, 1], "active_gpus": 4}}, "settings.active_gpus"),
        ({"settings": {"active_gpus": 8, "node_gpus": 4}}, "settings.node_gpus"),
        ({"active_gpus": [0, 1, 2], "settings": {"node_gpus": 2}}, "settings.node_gpus"),
        ({"settings": {"active_gpu_indices": [0, 0]}}, "settings.active_gpu_indices"),
    ],
)
def test_one_uploader_contradicting_itself(meta: Any, place: str) -> None:
    assert refused(meta)[0] == place


def test_indices_in_the_settings_name_the_active_gpus() -> None:
    meta = read_meta('{"settings": {"active_gpu_indices": [7, 2], "node_gpus": 8}}', uploader="ana")
    made = with_meta(record(active_gpus=None), meta, label="")
    assert meta.active_gpus == ("7", "2") and made.setting("active_gpus").value == 2


def test_other_indices_than_before_are_disputed_not_overwritten() -> None:
    before = record(active_gpus=2, active_gpu_indices=(2, 3))
    again = with_meta(before, read_meta('{"active_gpus": [3, 2]}', uploader="ana"), label="")
    assert again.setting("active_gpu_indices").state is State.STATED
    other = with_meta(before, read_meta('{"active_gpus": [0, 1]}', uploader="ana"), label="")
    assert other.setting("active_gpu_indices").state is State.DISPUTED
