"""Keys by their form: what providers begin them with, so that one is known wherever it stands."""

import re

_NO_LETTER = r"(?<![A-Za-z0-9])"
_NO_WORDS = r"(?=[a-z_-]{0,80}[0-9A-Z]|[a-z]{16})"
"""A digit, a capital or one long word: sk-learn-based-estimators is no key."""
_NO_BASE64 = r"(?<![A-Za-z0-9+/])"
"""Where the form is one of base64, too: pictures on a page are in it."""
_PEM = "[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"

PREFIXED = re.compile(
    r"(?:(?:sk|pk|rk|glpat|nvapi|pplx|xai|xapp|xox[abeoprs]|pypi)-"
    r"|(?:hf|gh[pousr]|github_pat|gsk|r8|npm|[spr]k_(?:live|test)|dckr_[po]at|whsec|lin_api|dop_v1|shp[a-z]{2})_"
    r"|SG\.|ya29\.|AIza|AKIA|ASIA|eyJ|dapi(?=[0-9a-f]))[\w.~+/=-]{3,}"
)
"""A whole value that begins like a key, however short: where its name says that it may be one."""

_ANYWHERE = re.compile(
    rf"{_NO_LETTER}(?:(?:sk|pk|rk)-(?![\w-]{{0,60}}x{{4}}){_NO_WORDS}[A-Za-z0-9_-]{{16,}}"
    rf"|(?:glpat|nvapi|pplx|pypi)-{_NO_WORDS}[\w-]{{16,}}"
    rf"|xox[abeoprs]-{_NO_WORDS}[\w-]{{10,}}|xapp-[0-9]-[\w-]{{10,}}"
    r"|(?:hf|gh[pousr]|gsk|r8|whsec|lin_api)_[A-Za-z0-9]{20,}|github_pat_\w{20,}|npm_[A-Za-z0-9]{30,}"
    r"|[spr]k_(?:live|test)_\w{16,}|dckr_[po]at_[\w-]{16,}|xai-[A-Za-z0-9]{20,}"
    r"|dop_v1_[0-9a-f]{32,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"
    r"|SG\.[\w-]{16,100}\.[\w-]{16,}|ya29\.[\w-]{20,}|eyJ[\w-]{10,400}+\.eyJ[\w-]{10,}\.[\w-]*)"
    rf"|{_NO_BASE64}(?:AIza[0-9A-Za-z_-]{{30,}}|(?:AKIA|ASIA)[0-9A-Z]{{16}}|dapi[0-9a-f]{{32}})"
    rf"|-----BEGIN {_PEM}(?:[\w\s+/=:,.\\]{{0,10000}}-----END {_PEM})?"
    r"|\b(?:Bearer|Basic)\s{1,4}(?=[\w.~+/=-][a-z._~+/=-]{0,80}[0-9A-Z])[A-Za-z0-9._~+/=-]{16,}"
    r"|hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{8,}"
    r"|discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{4,}/[\w-]{8,}"
    r"|webhook\.office\.com/webhookb2/[\w@/-]{8,}|api\.telegram\.org/bot[0-9]{4,}:[\w-]{8,}"
    r"|(?<![A-Za-z0-9])sig=[\w%+/-]{20,}=*"
)
_SIGNS = (
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "glpat-", "nvapi-", "pplx-", "pypi-", "xox", "xapp-", "hf_"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "gsk_", "r8_", "whsec_", "lin_api_", "github_pat_", "npm_"),
    *("dckr_", "xai-", "dop_v1_", "shp", "SG.", "ya29.", "eyJ", "AIza", "AKIA", "ASIA", "dapi", "PRIVATE"),
    *("Bearer", "Basic", "hooks.slack", "/webhooks/", "/webhookb2/", "/bot", "sig="),
)
"""One of them stands in every text with such a key, and is found faster than the form."""
_PASSWORD = re.compile(r"(?<=[a-z0-9]:)//[^/\s@?#:]{0,200}:[^/\s@?#]{1,200}@", re.IGNORECASE)
"""Who asks, in an address, with the password."""


def has_form(text: str) -> bool:
    """Whether something in a text has the form of a key."""
    return any(sign in text for sign in _SIGNS) and bool(_ANYWHERE.search(text))


def without_forms(text: str, put: str) -> str:
    """The text with `put` in place of whatever has the form of a key, and of the passwords in addresses.
    In time linear in the text.
    """
    if any(sign in text for sign in _SIGNS):
        text = _ANYWHERE.sub(put, text)
    return _PASSWORD.sub(f"//{put}@", text) if "//" in text else text
