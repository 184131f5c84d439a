"""The application's settings, with one more view to measure against."""

from dashboard.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.bare"
