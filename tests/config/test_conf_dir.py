from pathlib import Path

import pytest

import gauge
from gauge.config.conf_dir import conf_dir


def test_the_checkout_has_it_beside_the_package() -> None:
    assert (conf_dir() / "config.yaml").is_file()
    assert conf_dir() == Path(gauge.__file__).resolve().parent.parent / "conf"


def test_a_packaged_one_wins_and_links_are_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("real/gauge/conf", "real/conf"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr(gauge, "__file__", str(tmp_path / "link" / "gauge" / "__init__.py"))
    assert conf_dir() == tmp_path / "real" / "gauge" / "conf"
