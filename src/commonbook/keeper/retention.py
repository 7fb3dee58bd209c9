"""What is removed by age. Words that wait or were put aside are never touched; what was remembered is not affected at all."""

from commonbook.keeper import history
from commonbook.keeper.contracts import Store
from commonbook.keeper.lock import repository_lock
from commonbook.ledger import commit as table

DAY = 86_400_000
REQUEST_DAYS = 30
"""How long a replay of a request gets its first answer."""


def prune(store: Store) -> int:
    """Clear the words of deliveries that were processed ``retention.days`` ago, with their structure and the conversation of
    turns that then have no words left; drop former texts after ``history.days`` and old requests. Gives how many deliveries
    lost their words; ``why`` reads them from the host's own transcript from then on. Safe to interrupt and to repeat."""
    now, cleared = store.clock.now(), 0
    while ids := table.prunable(store.ledger, now - store.settings.retention.days * DAY):
        store.mark("retention.texts")
        with store.ledger.write() as ledger:
            cleared += table.clear_texts(ledger, ids)
            table.clear_context(ledger, ids, "pruned", only_silent=True)
    store.mark("retention.requests")
    with store.ledger.write() as ledger:
        table.prune_requests(ledger, now - REQUEST_DAYS * DAY)
    with repository_lock(store.home):  # else a commit that writes there just now would meet a busy file
        prune_history(store)
    return cleared


def prune_history(store: Store) -> None:
    """Drop former texts after ``history.days``, for a caller that holds the repository lock."""
    store.mark("retention.history")
    history.prune(store.home, store.clock.now() - store.settings.history.days * DAY)
