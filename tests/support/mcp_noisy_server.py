"""An MCP server process over a scripted gateway in which a library prints to stdout; started by the wire tests."""

import os
import sys

from commonbook.channels.mcp_server.wire import take_stdout

if __name__ == "__main__":
    descriptor = take_stdout()
    print("a library greets its users")
    os.write(1, b"and another one writes to the descriptor\n")
    from commonbook.channels.gateway.operations import FindContext, ReadMemory
    from commonbook.channels.gateway.views import ContextView, MemoryView
    from commonbook.channels.mcp_server.profile import Profile
    from commonbook.channels.mcp_server.server import serve
    from tests.support.scripted_gateway import ScriptedGateway

    def read(_: ReadMemory) -> MemoryView:
        print("noise in the middle of a call", flush=True)
        return MemoryView("data", ("global",), (), True, "nothing yet")

    gateway = ScriptedGateway({ReadMemory: read, FindContext: lambda _: ContextView(None, "", "unknown")})
    serve(gateway, Profile("noisy", whole=True), descriptor)
    sys.exit(0)
