import pytest

from tests.clients import clients


@pytest.fixture(autouse=True)
def clients_are_there() -> None:
    if not clients.installed():
        pytest.skip("the real clients are not installed: run `make test-clients`")
