"""Addresses that nobody types: answered, on PostgreSQL too."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/runs/?model=%00", "/runs/?runs=a%00b", "/compare/?runs=%00", "/runs/%00/"])
def test_a_nul_in_an_address_is_a_bad_request(reader: Client, address: str) -> None:
    answer = reader.get(address)
    assert answer.status_code == 400
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_what_is_no_number_filters_nothing_and_does_not_say_so(reader: Client) -> None:
    page = reader.get("/runs/?isl=1.5&concurrency=%C2%B2")
    assert page.status_code == 200 and page.context["state"].filters == {}


def test_pages_are_not_cached(reader: Client) -> None:
    assert reader.get("/runs/")["Cache-Control"] == "private, no-store"
