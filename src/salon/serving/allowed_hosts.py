"""Which names a server of ours answers to. A web page that somebody looks at can have a name that leads to
this machine, and its script then asks as if it stood here: by such a name nobody is answered.
"""

import ipaddress
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress


class AllowedHosts:
    """The names of a server at `host`: addresses in digits, this machine's own names, and `more`."""

    def __init__(self, host: str, more: Sequence[str] = ()) -> None:
        named = {host, "localhost", socket.gethostname(), *more}
        self._names = {each.strip().rstrip(".").lower() for each in named if each.strip()}
        self._more = {each.strip().rstrip(".").lower() for each in more if each.strip()}

    def foreign(self, fields: Mapping[str, str]) -> str:
        """Why a request with these headers comes from elsewhere; nothing where it does not.

        Args:
            fields: headers, by their names in small letters.
        """
        host = name_of(fields.get("host", "localhost"))
        if not (host in self._names or _is_address(host)):
            return f"{host[:80] or 'nothing'} is no name of this server: start it with --name {host[:80]}"
        origin = fields.get("origin")
        if origin is not None:
            scheme, separator, place = origin.partition("://")
            same = bool(separator) and scheme in ("http", "https") and place == fields.get("host")
            if not (same or name_of(place) in self._more):
                return "a page of another origin may not ask: start the server with --name and its host"
        elif fields.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "a page of another site may not ask"
        return ""


def name_of(host: str) -> str:
    """The name in a Host header, without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host.partition("%")[0]))
    return False
