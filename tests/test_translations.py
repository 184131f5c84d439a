"""Dutch is complete: every text has its translation, and every page of a Dutch reader is Dutch."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from runs.domain.redaction import Redactions
from runs.models import FactMessage, Share, User
from runs.services.saved import Draft, save_comparison
from runs.services.shares import MadeShare, ShareDraft, ShareSpec, make_share, revoke_share
from tests import factories, test_audit_walk
from tests.dutch import english_in, fields, texts
from tools import messages

# Words that are data and no texts: values as their source wrote them, and scopes.
DATA = frozenset({"none", "unlimited", "read", "share"})


def test_no_text_lacks_its_translation() -> None:
    kept = messages.read()
    ids = {message.id for message in kept if message.id}
    said = set(messages.found())
    assert said - ids == set(), "run `python -m tools.messages` and translate"
    assert ids - said == set(), "run `python -m tools.messages`"
    assert messages.missing(kept) == []


def test_placeholders_are_those_of_the_original() -> None:
    for message in messages.read():
        for original, text in zip(_all(message.id), _all(message.string), strict=True):
            assert fields(original) == fields(text), original


@pytest.fixture
def dutch(client: Client, db: None) -> Client:
    user = User.objects.create_user("jan", role="admin", language="nl", is_superuser=True, is_staff=True)
    client.force_login(user)
    return client


@pytest.fixture
def paths(db: None) -> list[str]:
    from django.core.management import call_command

    from runs.selectors import list_runs
    from runs.selectors.documents import list_sources

    call_command("load_demo", verbosity=0)
    ids = [item.id for item in list_runs().items][:4]
    saved = save_comparison(draft=Draft("Vier", {"runs": ",".join(ids)}), user=None)
    spec = ShareSpec(tuple(ids), redactions=Redactions(nodes=True, files=True))
    made = make_share(draft=ShareDraft("Vier", spec, language="nl", comparison=saved.slug), user=factories.user())
    share = f"/s/{made.token}/"
    words = "runs upload compare saved shares inbox tokens audit sources source-new scenarios scenario-new setups names"
    more = "jobs targets target-new plans plan-new evaluations evaluation-new"
    plain = [reverse(name) for name in f"{words} {more}".split()]
    source = list_sources()[0].source.key
    plain += [reverse(name, args=[source]) for name in ("source", "source-edit", "source-paste", "source-run")]
    compared = f"/compare/?runs={','.join(ids)}"
    return [
        *plain,
        compared,
        f"{compared}&figure=per_gpu_total&of=1",
        *(f"/runs/{one}/" for one in ids),
        f"/runs/{ids[0]}/history/",
        f"{compared}&price=x&pue=0&utilisation=2",
        f"/comparisons/{saved.slug}/",
        f"/shares/new/?of={saved.slug}",
        f"/shares/{made.item.id}/",
        share,
        f"{share}fact/",
        f"{share}x/",
        "/nothing/",
    ]


def test_no_page_shows_an_english_text_to_a_dutch_reader(dutch: Client, paths: list[str]) -> None:
    assert english_of(dutch, paths) == {}


world = test_audit_walk.world


def test_no_page_about_one_thing_is_english(dutch: Client, world: test_audit_walk.World) -> None:
    from runs.selectors.setups import list_setups

    here, made = f"/sources/{test_audit_walk.HERE}", world.made
    assert world.page.post(f"/runs/{world.bare}/purge/", {"reason": "Verkeerd bestand."}).status_code == 302
    pages = [
        *(f"/{kind}s/{made[kind]}/" for kind in ("job", "plan", "target", "evaluation")),
        f"/plans/{made['plan']}/?target={made['target']}",
        f"/setups/setup/?{urlencode({'name': list_setups()[0].name})}",
        f"{here}/errata/",
        f"{here}/questions/power_cap_w/",
        f"/inbox/{FactMessage.objects.get().pk}/",
        "/audit/",
    ]
    assert {path: dutch.get(path).status_code for path in pages} == dict.fromkeys(pages, 200)
    assert english_of(dutch, [*pages, f"/runs/{world.bare}/"]) == {}


def test_no_page_before_a_login_is_english(world: test_audit_walk.World) -> None:
    locked, expired, revoked = (shared(world.run, **more) for more in ({"passphrase": "a long one"}, {}, {}))
    Share.objects.filter(pk=expired.item.id).update(expires=timezone.now())
    revoke_share(share_id=revoked.item.id)
    anybody = Client(headers={"accept-language": "nl"})
    pages = ["/login/", *(f"/s/{made.token}/" for made in (locked, expired, revoked))]
    assert english_of(anybody, pages) == {}
    assert "Wachtzin" in anybody.get(pages[1]).content.decode()


def shared(run: str, passphrase: str = "") -> MadeShare:
    draft = ShareDraft("x", ShareSpec((run,)), language="nl", passphrase=passphrase)
    return make_share(draft=draft, user=factories.user())


def english_of(client: Client, paths: list[str]) -> dict[str, list[str]]:
    """The English texts of each page that has any."""
    english = {text for text in untranslated() if len(text) > 3} - DATA
    found = {}
    for path in paths:
        page = client.get(path).content.decode()
        assert '<html lang="nl">' in page, path
        found[path] = sorted({*set(texts(page)) & english, *english_in(page)})
    return {path: words for path, words in found.items() if words}


def untranslated() -> set[str]:
    """English texts that have another form in Dutch: none of them may be seen by a Dutch reader."""
    dutch_texts = {str(text) for message in messages.read() for text in _all(message.string)}
    originals = {original for message in messages.read() for original in _all(message.id)}
    return {text for text in originals - dutch_texts if text and "%(" not in text and "{" not in text}


def _all(value: object) -> Iterator[str]:
    yield from value if isinstance(value, tuple | list) else (str(value or ""),)
