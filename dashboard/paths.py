"""Parts of addresses."""

from django.urls import register_converter
from django.urls.converters import IntConverter


class RowId(IntConverter):
    """The number of a row. No database holds one of more than 18 digits: in a look-up over a relation it overflows."""

    regex = "[0-9]{1,18}"


register_converter(RowId, "row")
