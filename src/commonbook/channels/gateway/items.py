"""What waits, item by item, and the person's word about it."""

from collections.abc import Sequence
from typing import assert_never

from commonbook.channels.gateway.operations import ListQueue, QueueChange, ShowItem
from commonbook.channels.gateway.views import ItemView, QueueItem, QueueView
from commonbook.keeper.contracts import Store
from commonbook.keeper.items import QueueEntry, cancel, discard, list_items, retry, show_item

_ACTIONS = {"retry": retry, "cancel": cancel, "discard": discard}


def answer(store: Store, operation: ListQueue | ShowItem | QueueChange) -> QueueView | ItemView:
    match operation:
        case ListQueue(limit=limit, state=state):
            return _view(*list_items(store, limit, state))
        case ShowItem(id=id):
            entry, words, possible = show_item(store, id)
            return ItemView(QueueItem(**vars(entry)), words, possible)
        case QueueChange(action=action, ids=ids):
            touched = _ACTIONS[action](store, ids)
            return _view(touched, len(touched))
        case _:
            assert_never(operation)


def _view(entries: Sequence[QueueEntry], total: int) -> QueueView:
    return QueueView(tuple(QueueItem(**vars(entry)) for entry in entries), total)
