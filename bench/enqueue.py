"""Taking in: the database part against bare inserts of the same rows in the same run; scan and structure beside it.

    python -m bench.enqueue [folder on the disk to measure]

"Bare" is the same rows by plain inserts into the same schema, one transaction per group, WAL and FULL: no code of ours. Beside
it, tables of the same columns and primary keys and nothing else: no other index, check, reference or trigger.
"""

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from bench.support import ANSWER, OUTPUT, START, WORDS, facts, fresh_store, machine, tell, turns
from commonbook.keeper import ingress
from commonbook.keeper.contracts import CursorUpdate, Store
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.safety import has_secret, mask_secrets
from commonbook.keeper.structure import map_structure
from commonbook.keeper.turns import TurnPlan, plan_turns
from commonbook.ledger import ingress as table
from commonbook.ledger.database import queries
from commonbook.ledger.migrations import shipped_steps

TABLES = ("sessions", "turns", "batches", "observations", "messages", "blocks", "cursors")


def same_tables(path: Path) -> apsw.Connection:
    connection = _opened(path)
    for pragma in ("foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    for step in shipped_steps():
        connection.execute(step.sql).fetchall()
    return connection


def stripped_tables(path: Path) -> apsw.Connection:
    connection = _opened(path)
    schema = re.sub(r"--[^\n]*", "", "\n".join(step.sql for step in shipped_steps()))
    for name in TABLES:
        body = re.search(rf"CREATE TABLE {name} \((.*?)\n\) STRICT, WITHOUT ROWID;", schema, re.DOTALL)
        assert body is not None
        plain = re.sub(r"CHECK \((?:[^()]|\([^()]*\))*\)|REFERENCES \w+ \(\w+\)|UNIQUE \([^)]*\)|UNIQUE", "", body[1])
        plain = re.sub(r"(,\s*)+(?=$)", "", re.sub(r"(,\s*){2,}", ", ", plain.strip()))
        connection.execute(f"CREATE TABLE {name} ({plain}) STRICT, WITHOUT ROWID").fetchall()
    return connection


def _opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


def bare_write(connection: apsw.Connection, plan: TurnPlan, cursor: CursorUpdate) -> None:
    sql = queries("ingress")
    assert plan.session is not None
    put_session = sql["put_session"].split("ON CONFLICT")[0].replace("INSERT", "INSERT OR REPLACE", 1)
    put_cursor = queries("cursors")["put"].split("ON CONFLICT")[0].replace("INSERT", "INSERT OR REPLACE", 1)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(put_session, plan.session)
    connection.executemany(sql["put_turn"], plan.turns)
    connection.executemany(sql["put_batch"], [(batch, plan.session.id, START) for batch in plan.batches])
    connection.executemany(sql["put_observation"], plan.observations)
    connection.executemany(sql["put_message"], plan.messages)
    connection.executemany(sql["put_block"], plan.blocks)
    values = ("pi", cursor.root, "s", cursor.path, cursor.position, 0, START, START)
    connection.execute(put_cursor, values)
    connection.execute("COMMIT")


def measure(folder: Path | None, groups: int, size: int) -> tuple[float, float, float, float]:
    """µs a message over ``groups`` calls of ``size`` turns each: the whole call, its database part, bare inserts, and inserts
    into stripped tables. Each into a database of its own, that grows as the others do."""
    whole = ours = bare = stripped = 0.0
    cursor = CursorUpdate("/sessions", "/sessions/s.jsonl", "0", 0, START)
    with fresh_store(folder) as called, fresh_store(folder) as store:
        same, plain = same_tables(store.home.data / "same.sqlite"), stripped_tables(store.home.data / "plain.sqlite")
        for group in range(groups):
            name = f"s{group}"
            given = turns(name, 0, size)
            whole += timed(lambda name=name, given=given: take_turns(called, facts(name), given, cursor))  # type: ignore[misc]
            plan = plan_turns(store, facts(name), given, "transcript")
            ours += timed(lambda plan=plan, name=name: write(store, plan, cursor, name))  # type: ignore[misc]
            bare += timed(lambda plan=plan: bare_write(same, plan, cursor))  # type: ignore[misc]
            stripped += timed(lambda plan=plan: bare_write(plain, plan, cursor))  # type: ignore[misc]
        same.close()
        plain.close()
    messages = groups * size * 6 / 1e6
    return whole / messages, ours / messages, bare / messages, stripped / messages


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def write(store: Store, plan: TurnPlan, cursor: CursorUpdate, name: str) -> None:
    with store.ledger.write():
        assert plan.session is not None
        table.unprocessed_bytes(store.ledger, plan.session.id)
        ingress._write(store, facts(name), plan, cursor)


def per_kib(work: object, text: str, times: int = 300) -> float:
    """µs per KiB of ``work(text)``."""
    assert callable(work)
    began = time.perf_counter()
    for _ in range(times):
        work(text)
    return (time.perf_counter() - began) / times * 1e6 / (len(text.encode()) / 1024)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    tell(f"enqueue · {machine()} · µs a message")
    for groups, size in ((200, 1), (40, 10), (10, 200)):
        whole, ours, bare, stripped = measure(folder, groups, size)
        tell(
            f"{size:4} turns a call, n={groups}: database part {ours:.1f}, bare {bare:.1f} = {bare / ours:.0%} of its speed "
            f"(bar 70%); stripped tables {stripped:.1f} = {stripped / ours:.0%}; whole call {whole:.1f}"
        )
    for label, work, text in (
        ("mask user words", mask_secrets, WORDS * 20),
        ("scan tool output (when granted)", has_secret, OUTPUT),
        ("map an answer (when granted)", map_structure, ANSWER),
    ):
        tell(f"{label}: {per_kib(work, text):.1f} µs per KiB")


if __name__ == "__main__":
    main()
