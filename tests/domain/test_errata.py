"""Errata worked into records, settings that settle, and names."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.domain.derived import figures
from runs.domain.errata import Erratum, ErratumKind, after, applied
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Evidence, State, Status
from runs.domain.names import canonical, folded, merged, with_canonical
from runs.domain.records import PowerAnalysis, Requests, RunRecord, Window
from runs.domain.repeats import mean_record
from runs.domain.settling import SettingEdit, edited
from runs.domain.units import DomainError
from tests.builders import printed_record, record, setting
from tests.domain.article import entries


def erratum(kind: ErratumKind = ErratumKind.CORRECTED, **changes: Any) -> Erratum:
    given = {"metric": "total_throughput", "new": "5.700", "locale": "nl"} if kind is ErratumKind.CORRECTED else {}
    return Erratum(kind, "2026-12-01", "a reason", "ann", **{**given, **changes})


def test_a_printed_figure_is_corrected_by_its_number_locale() -> None:
    (figure,) = applied(printed_record(), [erratum()]).quantities
    assert (figure.value, figure.status) == (Decimal(5700), Status.CORRECTED)
    assert figure.printed is not None and figure.printed.text == "5.700"


@given(st.lists(st.sampled_from(list(ErratumKind)), max_size=6))
def test_applying_errata_loses_nothing_of_what_was(kinds: list[ErratumKind]) -> None:
    before = printed_record()
    errata = [erratum(kind, old="5.661") for kind in kinds]
    kept = replace(before)
    after_all = applied(before, errata)
    assert before == kept
    assert [one.key for one in after_all.quantities] == [one.key for one in before.quantities]
    # every value there ever was is in the record as it came or in an erratum
    values = {one.value for one in after_all.quantities}
    assert values <= {Decimal(5661), Decimal(5700)}
    assert all(one.old for one in errata)
    if not any(kind is ErratumKind.CORRECTED for kind in kinds):
        assert values == {Decimal(5661)}


def test_what_a_source_derived_falls_with_the_number_it_comes_from() -> None:
    entry = entries()["paiton-8k1k-t1"]
    assert figures(entry.record)["per_gpu_total"].value == Decimal(756)
    found = figures(applied(entry.record, [erratum(new="4.600")]))
    each = found["per_gpu_total"]
    assert each.value is not None and round(each.value) == 767
    assert (each.status, each.checks[0].kind, each.checks[0].value) == (Status.CORRECTED, "printed", Decimal(756))
    # A correction within its rounding, and one of the figure itself, leave what was printed.
    assert figures(applied(entry.record, [erratum(new="4.536")]))["per_gpu_total"].value == Decimal(756)
    both = [erratum(new="4.600"), erratum(metric="per_gpu_total", new="767")]
    assert figures(applied(entry.record, both))["per_gpu_total"].printed is not None


def test_a_source_s_erratum_touches_what_rests_on_it_only() -> None:
    about: dict[str, Any] = {"target": "source", "target_key": "article"}
    assert applied(printed_record(), [erratum(ErratumKind.WITHDRAWN, **about)]).quantities[0].status is Status.WITHDRAWN
    elsewhere = erratum(ErratumKind.WITHDRAWN, target="source", target_key="another")
    assert applied(printed_record(), [elsewhere]).quantities[0].status is Status.CURRENT
    with pytest.raises(DomainError, match="as a whole"):
        erratum(**about)


def test_a_corrected_score() -> None:
    score = Evaluation("k", "GSM8K", 185, 200)
    filed = erratum(metric="score", new="186/200", target="evaluation", target_key="k")
    standing = after(score, [filed])
    assert (standing.correct, standing.total, standing.status) == (186, 200, Status.CORRECTED)
    with pytest.raises(DomainError, match="0 to 200"):
        after(score, [replace(filed, new="201/200")])


def test_claims_that_differ_are_a_dispute_of_all_of_them() -> None:
    claims = [SettingEdit(setting("temperature", value)) for value in (0.0, 1.0, 0.7, 1.0)]
    standing = edited(record(), claims).setting("temperature")
    assert standing.state is State.DISPUTED
    assert standing.claims == ("0.0 (stated)", "1.0 (stated)", "0.7 (stated)")
    assert len(standing.evidence) == 4
    settled = edited(record(), [*claims, SettingEdit(setting("temperature", 0.7), replaces=True)])
    assert (settled.setting("temperature").state, settled.setting("temperature").value) == (State.STATED, 0.7)


def test_an_inferred_value_yields_and_the_same_value_agrees() -> None:
    inferred = setting("temperature", 0.0, State.INFERRED)
    standing = edited(record(), [SettingEdit(inferred), SettingEdit(setting("temperature", 1.0))])
    assert (standing.setting("temperature").state, standing.setting("temperature").value) == (State.STATED, 1.0)
    again = edited(standing, [SettingEdit(setting("temperature", 1.0, State.OBSERVED))])
    assert again.setting("temperature").state is State.OBSERVED


ALIASES = {"accelerator": {"mi355x": "AMD MI355X", "amd mi355x": "AMD Instinct MI355X"}}


def test_names_are_followed_to_the_end() -> None:
    assert canonical("accelerator", " MI355X", ALIASES) == "AMD Instinct MI355X"
    assert canonical("accelerator", "H200", ALIASES) == "H200"
    assert canonical("model", "MI355X", ALIASES) == "MI355X"
    named = with_canonical(record(accelerator="MI355X"), ALIASES).setting("accelerator")
    assert (named.value, named.canonical, named.evidence) == ("MI355X", "AMD Instinct MI355X", (Evidence("statement"),))


@pytest.mark.parametrize(
    ("kind", "alias", "name"),
    [("node", "a", "b"), ("model", " ", "b"), ("accelerator", "MI355X", "H200"),
     ("accelerator", "AMD Instinct MI355X", "MI355X"), ("model", "A", "a")],
)  # fmt: skip
def test_merges_that_cannot_be(kind: str, alias: str, name: str) -> None:
    with pytest.raises(DomainError):
        merged(kind, alias, name, ALIASES)


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("abcdef"), max_size=6), st.sampled_from("abcdef"))
def test_following_names_ends_and_is_stable(known: dict[str, str], name: str) -> None:
    found = canonical("model", name, {"model": known})
    assert folded(found) not in known or found in known.values()


def logged() -> RunRecord:
    """100 s at a mean of 4,200 W: 420 kJ over 84,000 + 12,000 tokens; 6,000 tok/s on six GPUs."""
    span = Window(0.0, 100.0, State.OBSERVED)
    analysis = PowerAnalysis(
        ("2", "3"), "GPUs", "amd-smi", span, 4200.0, 420_000.0, 4500.0, 4200.0, 4400.0, (), (), 1.0, 1.0, 1.0,
        bracketed=True, valid=True, log_sha256="ab" * 32,
    )  # fmt: skip
    requests = Requests(completed=64, failed=0, input_tokens=84_000, output_tokens=12_000)
    return replace(record(active_gpus=6, power_cap_w=800.0), window=span, power=analysis, requests=requests)


def test_a_correction_of_a_logs_mean_power_reaches_all_that_follows_from_it() -> None:
    before = figures(logged())
    assert before["energy_per_token"].value == 4.375
    assert before["tok_per_kw_measured"].value == pytest.approx(1428.571)
    halved = erratum(metric="gpu_power:mean", new="2100", locale="plain")
    after_it = applied(logged(), [halved])
    found = figures(after_it)
    assert (found["gpu_power:mean"].value, found["gpu_power:mean"].status) == (2100.0, Status.CORRECTED)
    assert found["energy"].value == pytest.approx(210_000)
    assert found["energy"].formula == "gpu_power:mean x seconds measured"
    assert found["energy_per_token"].value == pytest.approx(2.1875)
    assert found["energy_per_output_token"].value == pytest.approx(17.5)
    assert found["gpu_power_per_gpu:mean"].value == pytest.approx(350)
    assert found["tok_per_kw_measured"].value == pytest.approx(2857.142857)
    for key in ("energy", "energy_per_token", "gpu_power_per_gpu:mean", "tok_per_kw_measured"):
        assert found[key].status is Status.CORRECTED, key
    # The watts of the log stay, and what does not follow from the mean stands.
    assert after_it.power == logged().power
    assert (found["gpu_power:peak"].value, found["gpu_power:peak"].status) == (4500.0, Status.CURRENT)
    assert found["gpu_power:mean"].evidence[-1].ref == "ab" * 32


@pytest.mark.parametrize("kind", [ErratumKind.HISTORICAL, ErratumKind.WITHDRAWN, ErratumKind.SUPERSEDED])
@pytest.mark.parametrize("metric", ["", "gpu_power:mean"])
def test_a_logs_power_may_stand_no_more(kind: ErratumKind, metric: str) -> None:
    found = figures(applied(logged(), [erratum(kind, metric=metric)]))
    for key in ("gpu_power:mean", "energy", "energy_per_token", "tok_per_kw_measured"):
        assert found[key].status is Status(kind.value), key
    assert found["energy"].value == pytest.approx(420_000)
    assert found["total_throughput"].status is (Status(kind.value) if not metric else Status.CURRENT)


def test_energy_alone_is_corrected_by_the_mean_that_it_follows_from() -> None:
    with pytest.raises(DomainError, match="correct gpu_power:mean instead"):
        applied(logged(), [erratum(metric="energy", new="210000", locale="plain")])
    found = figures(applied(logged(), [erratum(ErratumKind.WITHDRAWN, metric="energy")]))
    assert (found["energy"].status, found["energy_per_token"].status) == (Status.WITHDRAWN, Status.WITHDRAWN)
    assert found["gpu_power:mean"].status is Status.CURRENT


def test_power_of_a_log_is_not_averaged_though_an_erratum_lies_over_it() -> None:
    historical = replace(applied(logged(), [erratum(ErratumKind.HISTORICAL)]), setup="six GPUs")
    assert historical.quantity("gpu_power:mean") is not None
    assert mean_record([historical, historical]).quantity("gpu_power:mean") is None
