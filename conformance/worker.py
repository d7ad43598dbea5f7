"""A worker: one process, one set of libraries, cases in, outcomes out. The parent survives whatever happens here.

Orders arrive as JSON lines on one descriptor and outcomes leave on another; standard output is the libraries' own, so
that what they print can be compared. Nothing is answered for a case before it is over,
so a silent death is that of the first unanswered one.
"""

from __future__ import annotations

import json
import os
import sys

from scale_x.conformance import selection
from scale_x.conformance.calls import Calls
from scale_x.conformance.execute import Executor, Printed, timed
from scale_x.conformance.providers import Provider, foreign_libraries, resolve


class Channel:
    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in = os.fdopen(incoming, "r", encoding="utf-8")
        self._out = outgoing

    def send(self, **message: object) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self._out, data) :]

    def orders(self):
        for line in self._in:
            yield json.loads(line)


def provider_of(name: str, cuda: int) -> Provider:
    provider = resolve(name, cuda)
    os.environ.update(provider.environment)
    return provider


def serve(channel: Channel, provider: Provider) -> None:
    printed = Printed()
    calls = Calls(provider)
    executor = Executor(calls, printed)
    for library in ("cublas",):
        executor.handles(library)
    if foreign := foreign_libraries(provider):
        channel.send(fatal=f"libraries from elsewhere than {provider.name}: {', '.join(foreign)}")
        return
    channel.send(ready=True, foreign=[])
    for order in channel.orders():
        cases = selection.cached(order["library"], order["symbol"], provider.cuda, order["level"])
        for index in order["cases"]:
            printed.new()
            outcome, seconds = timed(executor, cases[index])
            channel.send(case=index, **vars(outcome), seconds=seconds)
            if outcome.pattern == "fault":
                os._exit(3)  # after a device fault nothing in this process can be trusted
        if foreign := foreign_libraries(provider):
            channel.send(fatal=f"libraries from elsewhere than {provider.name}: {', '.join(foreign)}")
            return
        channel.send(done=True)


def main() -> int:
    name, cuda, incoming, outgoing = sys.argv[1:5]
    channel = Channel(int(incoming), int(outgoing))
    try:
        serve(channel, provider_of(name, int(cuda)))
    except Exception as e:
        channel.send(fatal=f"{type(e).__name__}: {e}")
        return 1
    os._exit(0)  # the libraries' own destructors are not under test


if __name__ == "__main__":
    sys.exit(main())
