"""The hosts on this machine, by the headers of their session files alone."""

from commonbook.capture import session_root, survey
from commonbook.channels.gateway.views import HostStatus
from commonbook.hosts.catalogue import all_hosts
from commonbook.hosts.spec import HostSpec
from commonbook.keeper.contracts import Store
from commonbook.keeper.cursors import last_capture
from commonbook.settings.model import Settings


def find_hosts(settings: Settings, store: Store | None) -> tuple[HostStatus, ...]:
    """Every known host, found or not. ``store``: the memory where there is one, to tell when each was last read."""
    return tuple(_status(settings, spec, store) for spec in all_hosts())


def _status(settings: Settings, spec: HostSpec, store: Store | None) -> HostStatus:
    found = survey(spec, session_root(settings, spec))
    last = None if store is None else last_capture(store, spec.id)
    return HostStatus(spec.id, spec.name, found.found, found.root, found.sessions, found.bytes, last)
