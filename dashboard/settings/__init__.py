"""Every setting, a module for each matter. What differs between installations comes from the environment (README)."""

import django_stubs_ext

from dashboard.settings.api import *  # noqa: F403
from dashboard.settings.apps import *  # noqa: F403
from dashboard.settings.data import *  # noqa: F403
from dashboard.settings.files import *  # noqa: F403
from dashboard.settings.jobs import *  # noqa: F403
from dashboard.settings.logging import *  # noqa: F403
from dashboard.settings.mail import *  # noqa: F403
from dashboard.settings.people import *  # noqa: F403
from dashboard.settings.protection import *  # noqa: F403
from dashboard.settings.root import *  # noqa: F403

django_stubs_ext.monkeypatch()
