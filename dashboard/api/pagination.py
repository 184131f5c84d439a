from rest_framework import pagination


class CursorPagination(pagination.CursorPagination):
    """Pages by key, so that the thousandth page costs what the first does. Views state their own ordering."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    ordering = "-id"
