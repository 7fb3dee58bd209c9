from typing import get_args

from commonbook.channels.gateway.operations import AnyOperation, Operation


def test_the_closed_set_names_every_operation() -> None:
    assert set(get_args(AnyOperation)) == set(Operation.__subclasses__())


def test_every_operation_is_handled() -> None:
    """Read off the code: the one match of the gateway names each operation (mypy holds each topic to its own)."""
    import ast
    import inspect

    from commonbook.channels.gateway import local

    tree = ast.parse(inspect.getsource(local))
    named = {
        node.cls.id for node in ast.walk(tree) if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name)
    }
    assert named == {operation.__name__ for operation in Operation.__subclasses__()}
