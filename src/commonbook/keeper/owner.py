"""Who holds a lease: so that the batch of a killed process is taken up at once instead of after the lease runs out."""

import os
import socket
from pathlib import Path


def this_owner(name: str) -> str:
    """``name``, then process id, its start and the machine (with its process namespace)."""
    return f"{name}|{os.getpid()}|{_started(os.getpid())}|{_machine()}"


def is_gone(owner: str | None) -> bool:
    """Whether the process is certainly dead. When in doubt (another machine, another container, a form that we do not
    know, no process table) it is not: then the lease decides."""
    parts = (owner or "").rsplit("|", 3)
    if len(parts) != 4 or parts[3] != _machine() or not parts[1].isdigit():
        return False
    started = _started(int(parts[1]))
    return started != "unknown" and started != parts[2]


def _started(pid: int) -> str:
    """The start of a process in clock ticks since boot, which tells a reused process id apart; empty when it is
    dead."""
    if not Path("/proc/self/stat").exists():
        return "unknown"
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def _machine() -> str:
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
    return f"{boot}/{namespace}"
