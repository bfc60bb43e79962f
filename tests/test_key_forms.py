"""Keys that are known by their name or by their form: refused where a recipe holds them, hidden where text is
kept, and not seen where there are none.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from salon.errors import RecipeError
from salon.rewards.recipe import load_reward
from salon.secrets import known
from salon.secrets.known import HIDDEN, redact, redact_bytes, redacted, sounds_secret
from salon.secrets.literal_keys import literal_keys
from salon.validation import read_yaml, set_key

ROOT = Path(__file__).parent.parent
LONG = "a1B2c3D4e5F6a7B8c9D0e1F2"
FORMS = {
    "slack": f"xoxb-123456789012-{LONG}",
    "slack app": f"xapp-1-A0123-{LONG}",
    "slack webhook": f"https://hooks.slack.com/services/T0000/B0000/{LONG}",
    "discord": f"https://discord.com/api/webhooks/123456789/{LONG}",
    "telegram": f"https://api.telegram.org/bot123456789:{LONG}",
    "databricks": "dapi" + "0123456789abcdef" * 2,
    "sendgrid": f"SG.{LONG}.{LONG}{LONG}",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{LONG}",
    "docker": f"dckr_pat_{LONG}_-x",
    "npm": f"npm_{LONG}{LONG}",
    "gitlab": f"glpat-{LONG}",
    "google": f"AIzaSy{LONG}_-abc12345",
    "google oauth": f"ya29.{LONG}",
    "stripe": f"sk_live_{LONG}",
    "openai": f"sk-proj-{LONG}",
    "github": f"ghp_{LONG}",
    "hugging face": f"hf_{LONG}",
    "amazon": "AKIAABCDEFGHIJKLMNOP",
    "bearer": f"Authorization: Bearer {LONG}",
    "pem": f"-----BEGIN RSA PRIVATE KEY-----\n{LONG}\n{LONG}==\n-----END RSA PRIVATE KEY-----",
    "pem in json": f"-----BEGIN PRIVATE KEY-----\\n{LONG}\\n-----END PRIVATE KEY-----",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{LONG}",
    "azure": f"https://x.blob.core.windows.net/c?sv=2022-11-02&sig={LONG}%3D",
    "azure alone": f"sig={LONG}%3D",
    "address": f"postgresql://me:{LONG}@db.example/pool",
    "address without a user": f"redis://:{LONG}@db.example:6379/0",
}
"""Made up, all of them."""


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "_known", set())


@pytest.mark.parametrize("around", ["{}", "Use {} for it.", '{{"it": "{}"}}', "see <{}>"])
@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_known_by_its_form(form: str, around: str, tmp_path: Path) -> None:
    text = around.format(FORMS[form])
    assert [place for place, _ in literal_keys({"a": ["x", text]})] == [("a", "1")]
    file = tmp_path / "r.yaml"
    file.write_text(json.dumps({"terms": {}, "note": text}))
    with pytest.raises(RecipeError, match=r"r\.yaml: note: .*\$\{MY_KEY\}") as raised:
        load_reward(file)
    assert LONG not in str(raised.value)
    with pytest.raises(RecipeError, match="MY_KEY"):
        set_key({}, f"note={text}")


@pytest.mark.parametrize("form", FORMS)
def test_it_is_hidden_where_text_is_kept(form: str) -> None:
    for text in (f"the server said {FORMS[form]} and more", FORMS[form]):
        kept = redact(text)
        assert HIDDEN in kept
        assert LONG not in kept
        assert "0123456789abcdef" not in kept
        assert redact(kept) == kept
    assert redact(f"the server said {FORMS[form]} and more").startswith("the server said ")
    assert redact(f"the server said {FORMS[form]} and more").endswith(" and more")
    assert LONG not in str(redacted({"rows": [{FORMS[form]: [FORMS[form]]}]}))


def test_pictures_stay_as_they_are() -> None:
    picture = b"\x89PNG" + FORMS["google"].encode() + bytes(range(256))
    assert redact_bytes(picture) == picture
    page = f"<img src='data:image/png;base64,AAAA/{FORMS['google']}+{FORMS['amazon']}'>"
    assert redact(page) == page


NAMES = [
    *("jwt", "session_token", "sessionToken", "SESSION_KEY", "creds", "credentials", "aws_creds", "sas"),
    *("sas_token", "pass", "db_pass", "smtpPass", "pw", "user_pw", "pwd", "webhook", "webhook_url"),
    *("slackWebhook", "passphrase", "passcode", "private_key", "privateKeyPem", "account_key", "bot_token"),
    *("client_secret", "auth_cookie"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["hunter2", "p@ss!", LONG])
def test_a_key_is_known_by_its_name(name: str, value: str, tmp_path: Path) -> None:
    assert [place for place, _ in literal_keys({"args": {name: value}})] == [("args", name)]
    assert not list(literal_keys({"args": {name: "${MY_KEY}"}}))
    assert not list(literal_keys({"args": {name: True}}))
    assert not list(literal_keys({"args": {f"{name}_file": "/run/it"}}))
    file = tmp_path / "r.yaml"
    file.write_text(json.dumps({"terms": {"a": {"scorer": "length", "args": {name: value}}}}))
    with pytest.raises(RecipeError, match=rf"r\.yaml: terms\.a\.args\.{name}: .*\$\{{MY_KEY\}}") as raised:
        load_reward(file)
    assert value not in str(raised.value)


@pytest.mark.parametrize("name", ["session", "session_id", "sessionId", "PHPSESSID", "dsn"])
def test_a_name_that_may_be_a_word_needs_a_long_value(name: str) -> None:
    assert list(literal_keys({name: LONG}))
    assert not list(literal_keys({name: "evening-2"}))
    assert not list(literal_keys({name: "evening-with-many-flowers"}))


def test_a_source_of_data_with_a_password_is_none_without() -> None:
    assert list(literal_keys({"dsn": "me:word@tcp(db:3306)/pool"}))
    assert not list(literal_keys({"dsn": "sqlite:///ratings.db"}))
    assert not list(literal_keys({"dsn": "postgresql://db.example/pool"}))


PLAIN: list[dict[str, Any]] = [
    {"pass": True}, {"pass": "first"}, {"pass": 2}, {"passes": "a1b2"}, {"compass": "north1"},
    {"bypass": "x1"},
    {"terms": {name: {"scorer": "length"} for name in ("session", "pass", "creds", "token", "jwt")}},
    {"judges": {"secret": {"kind": "openai", "model": "Qwen3-VL-30B-A3B"}}},
    {"criteria": "Basic representational skill, basic characteristics; the bearer of flowers."},
    {"note": "sk-learn-based-estimators, pk-fire-and-more-words, npm_packages_and_their_names"},
    {"note": "pypi-packages-and-their-names, pass: yes, session: evening, the pass=first of two"},
    {"note": "Does it pass? Session 12: webhook, sas and jwt are words here."},
    {"model": "sk-xxxxxxxxxxxxxxxxxxxxxxxx"}, {"image": "repo:latest@sha256:" + "0a" * 32},
    {"note": "write to mailto:me@example.org or http://host:8000/@me"}, {"title": "SG.x and dapifer"},
]  # fmt: skip


@pytest.mark.parametrize("data", PLAIN)
def test_ordinary_words_are_taken(data: dict[str, Any]) -> None:
    assert list(literal_keys(data)) == []
    assert redacted(data) == data


RECIPES = sorted((*(ROOT / "recipes").rglob("*.yaml"), *(ROOT / "examples").rglob("*.yaml")))


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.name)
def test_no_shipped_recipe_is_taken_for_a_key(file: Path) -> None:
    data = read_yaml(file)
    assert list(literal_keys(data)) == []
    assert redacted(data) == data


def test_no_text_of_our_own_is_taken_for_a_key() -> None:
    for file in (*(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.js"), ROOT / "README.md"):
        text = file.read_text()
        assert redact(text) == text, file


def test_variables_that_hold_keys_are_known_by_their_names() -> None:
    for name in (
        "GITHUB_JWT",
        "SLACK_WEBHOOK",
        "DB_PASS",
        "DB_PWD",
        "STORE_SAS",
        "POOL_DSN",
        "KEY_PASSPHRASE",
    ):
        assert sounds_secret(name), name
    for name in ("PWD", "OLDPWD", "XDG_SESSION_ID", "COMPASS", "SALON_PASSES"):
        assert not sounds_secret(name), name
