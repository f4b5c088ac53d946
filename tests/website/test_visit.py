"""What visits the published site tells a site that works from one that does not."""

from typing import Any

import pytest
import visit as visiting_script

from .conftest import Site


def build(site: Site) -> str:
    return visiting_script.build_of((site.folder / "service.js").read_text(encoding="utf-8"))


def test_a_site_that_works_passes(chromium: Any, site: Site) -> None:
    visiting_script.wait_for(site.url, build(site), patience=0)
    visiting_script.check_version(site.url)
    visiting_script.use(chromium, site.url)


def test_another_build_does_not_pass(site: Site) -> None:
    with pytest.raises(visiting_script.Trouble, match=f"has {build(site)}, and not the build 0123"):
        visiting_script.wait_for(site.url, "0123", patience=0)


def test_no_site_does_not_pass(site: Site) -> None:
    with pytest.raises(visiting_script.Trouble, match="has nothing that can be read"):
        visiting_script.wait_for(f"{site.url}elsewhere/", build(site), patience=0)


def test_another_version_does_not_pass(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visiting_script.cpl, "__version__", "0.0.1")
    with pytest.raises(visiting_script.Trouble, match=r"and not 0\.0\.1"):
        visiting_script.check_version(site.url)


def test_a_site_whose_games_are_missing_does_not_pass(chromium: Any, site: Site) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    context = chromium.new_context(service_workers="block")
    context.route("**/native/**", lambda route: route.abort())
    context.route("**/python/**", lambda route: route.abort())
    with pytest.raises(sync_api.TimeoutError), pytest.MonkeyPatch.context() as patch:
        patch.setattr(visiting_script, "_LOADED", 5)
        visiting_script.use(context, site.url)
    context.close()
