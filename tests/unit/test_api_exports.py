import inspect
import typing

from commonbook import api
from commonbook.channels.gateway import operations, views
from commonbook.errors import CommonbookError


def test_the_export_list_is_true_and_sorted() -> None:
    assert len(set(api.__all__)) == len(api.__all__)
    public = {name for name in vars(api) if not name.startswith("_")}
    assert public == set(api.__all__)


def test_every_operation_and_answer_is_exported() -> None:
    data = {
        name
        for module in (operations, views)
        for name, item in vars(module).items()
        if inspect.isclass(item) and item.__module__ == module.__name__ and not name.startswith("_")
    }
    assert data <= set(api.__all__)


def test_the_whole_error_tree_is_exported() -> None:
    tree: list[type[CommonbookError]] = [CommonbookError, *CommonbookError.__subclasses__()]
    assert {error.__name__ for error in tree} <= set(api.__all__)


def test_every_type_that_an_agent_meets_is_exported() -> None:
    from commonbook.keeper import contracts

    ports: tuple[type, ...] = (contracts.MemoryAgent, contracts.ReadGrant, contracts.RunControl)
    for port in ports:
        for _, method in inspect.getmembers(port, inspect.isfunction):
            for annotation in typing.get_type_hints(method).values():
                for name in _names(annotation):
                    assert name in api.__all__, name


def _names(annotation: object) -> list[str]:
    import re

    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.findall(r"keeper\.contracts\.(\w+)", text)
