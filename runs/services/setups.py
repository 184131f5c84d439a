"""Setups declared with their settings."""

from runs import store
from runs.domain.facts import Evidence, Setting, State
from runs.domain.setups import Profile, conflicts
from runs.models import User
from runs.services.answers import Problem, RefusedError
from runs.services.meta import meta_of


def declare_setup(*, name: str, settings: dict[str, object], user: User | None) -> Profile:
    """A setup by its name with its settings, written once; the same again changes nothing.

    Raises RefusedError (``invalid_meta``) for what cannot be taken, (``conflict``) for a profile that says otherwise.
    """
    uploader = user.get_username() if user else ""
    meta = meta_of({"setup": name, "settings": settings}, uploader=uploader)
    profile = dict(meta.settings)
    if not (meta.setup and meta.setup.isprintable() and profile):
        problem = Problem("", "setup", "a printable name, and at least one setting", meta.setup or "no name")
        raise RefusedError("invalid_meta", "The setup cannot be taken.", problem)
    if meta.active_gpus and "active_gpus" not in profile:
        evidence = Evidence("statement", ref=uploader, place="settings.active_gpu_indices")
        profile["active_gpus"] = Setting("active_gpus", State.STATED, len(meta.active_gpus), evidence=(evidence,))
    if not store.add_profile(meta.setup, profile, user=user):
        known = store.profiles([meta.setup])[meta.setup]
        if differing := conflicts(known, profile):
            problems = [Problem("", f"settings.{key}", here, given) for key, here, given in differing]
            raise RefusedError("conflict", f"The setup {meta.setup} is here and says otherwise.", *problems)
        return known
    return profile
