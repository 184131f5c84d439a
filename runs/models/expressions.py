"""Expressions of the ORM that are ours."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func
from django.db.models.sql.compiler import SQLCompiler


class Unindexed(Func):
    """A column that SQLite's planner finds no index for, so that it walks the index of the sort key instead.

    Without statistics, which long-lived connections do not get to see, it takes any equality for a narrow one and sorts
    thousands of rows for a page of fifty. PostgreSQL keeps its statistics itself and gets the column as it is.
    """

    template = "%(expressions)s"
    arity = 1

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> tuple[str, Any]:
        return self.as_sql(compiler, connection, template="+%(expressions)s", **context)
