"""Taking in: the database part against bare inserts of the same rows in the same run; scan and structure beside it.

    python -m bench.enqueue [folder on the disk to measure]

"Bare" is one transaction per group into tables of the same columns and primary keys, WAL and FULL, with nothing else: no
other index, no check, no reference, no trigger.
"""

import re
import sys
import time
from pathlib import Path

import apsw
from commonbook.keeper.safety import has_secret, mask_secrets
from commonbook.keeper.structure import map_structure

from bench.support import ANSWER, OUTPUT, START, WORDS, facts, fresh_store, machine, tell, turns
from commonbook.keeper.contracts import CursorUpdate, Store
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.turns import TurnPlan, plan_turns
from commonbook.ledger import ingress as table
from commonbook.ledger.database import queries
from commonbook.ledger.migrations import shipped_steps

BARE_TABLES = ("sessions", "turns", "batches", "observations", "messages", "bundles", "blocks", "cursors")


def bare_database(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    schema = "\n".join(step.sql for step in shipped_steps())
    schema = re.sub(r"--[^\n]*", "", schema)
    for name in BARE_TABLES:
        body = re.search(rf"CREATE TABLE {name} \((.*?)\n\) STRICT, WITHOUT ROWID;", schema, re.DOTALL)
        assert body is not None
        plain = re.sub(r"CHECK \((?:[^()]|\([^()]*\))*\)|REFERENCES \w+ \(\w+\)|UNIQUE \([^)]*\)|UNIQUE", "", body[1])
        plain = re.sub(r"(,\s*)+(?=$)", "", re.sub(r"(,\s*){2,}", ", ", plain.strip()))
        connection.execute(f"CREATE TABLE {name} ({plain}) STRICT, WITHOUT ROWID").fetchall()
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
    connection.executemany(sql["put_bundle"], plan.bundles)
    connection.executemany(sql["put_block"], plan.blocks)
    values = ("pi", cursor.root, "s", cursor.path, cursor.position, 0, START, START)
    connection.execute(put_cursor, values)
    connection.execute("COMMIT")


def measure(store: Store, bare: apsw.Connection, groups: int, size: int) -> tuple[float, float, float]:
    """Seconds (whole call, its database part, bare inserts) over ``groups`` calls of ``size`` turns each."""
    whole = ours = theirs = 0.0
    cursor = CursorUpdate("/sessions", "/sessions/s.jsonl", "0", 0, START)
    for group in range(groups):
        name = f"s{size}-{group}"
        given = turns(name, 0, size)
        began = time.perf_counter()
        take_turns(store, facts(name), given, cursor)
        whole += time.perf_counter() - began

        name = f"d{size}-{group}"
        plan = plan_turns(store, facts(name), turns(name, 0, size), "transcript")
        began = time.perf_counter()
        write(store, plan, cursor, name)
        ours += time.perf_counter() - began
        began = time.perf_counter()
        bare_write(bare, plan, cursor)
        theirs += time.perf_counter() - began
    return whole, ours, theirs


def write(store: Store, plan: TurnPlan, cursor: CursorUpdate, name: str) -> None:
    from commonbook.keeper import ingress

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
    tell(f"enqueue · {machine()}")
    with fresh_store(folder) as store:
        bare = bare_database(store.home.data / "bare.sqlite")
        for groups, size in ((200, 1), (40, 10), (10, 200)):
            whole, ours, theirs = measure(store, bare, groups, size)
            messages = groups * size * 6
            tell(
                f"{size:4} turns a call, n={groups}: bare {theirs / messages * 1e6:6.1f} µs a message, "
                f"database part {ours / messages * 1e6:6.1f} = {theirs / ours:5.0%} of bare speed (bar 70%), "
                f"whole call {whole / messages * 1e6:6.1f}"
            )
        bare.close()
    for label, work, text in (
        ("mask user words", mask_secrets, WORDS * 20),
        ("scan tool output", has_secret, OUTPUT),
        ("map an answer", map_structure, ANSWER),
    ):
        tell(f"{label}: {per_kib(work, text):.1f} µs per KiB")


if __name__ == "__main__":
    main()
