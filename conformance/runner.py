"""The parent of the workers: hands out work, watches the clock, restarts behind crashes, collects results."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass

CRASH, HANG = "crash", "hang"
CHUNK = 64  # cases per order: small enough to balance two workers, large enough to be cheap
MOST_RESTARTS = 500
START_SECONDS = 120.0  # loading libraries, making a context


@dataclass
class Result:
    id: str
    library: str
    family: str
    symbol: str
    result: str  # passed, failed, error, crash, hang, skipped, xfail, xpass, differs
    message: str = ""
    ratio: float = 0.0
    status: str = ""
    xerbla: str = ""
    pattern: str = ""
    seconds: float = 0.0

    def as_json(self) -> dict:
        return asdict(self)


@dataclass
class Order:
    library: str
    family: str
    symbol: str
    cases: list[tuple[int, str]]  # index, id


class RunError(Exception):
    """The run cannot go on: no worker starts, or a library comes from the wrong place."""


class Worker:
    def __init__(self, provider: str, cuda: int, level: str) -> None:
        self.provider, self.cuda, self.level = provider, cuda, level
        self.order: Order | None = None
        self.position = 0
        self._start()

    def _start(self) -> None:
        order_read, self.order_write = os.pipe()
        self.result_read, result_write = os.pipe()
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p or os.getcwd() for p in sys.path if p is not None))
        environment.setdefault("OPENBLAS_NUM_THREADS", "1")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scale_x.conformance.worker", self.provider, str(self.cuda), str(order_read),
             str(result_write)],
            pass_fds=(order_read, result_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        os.close(order_read)
        os.close(result_write)
        self.ready = False
        self.buffer = b""
        self.heard = time.monotonic()

    def give(self, order: Order) -> None:
        self.order, self.position = order, 0
        self.heard = time.monotonic()
        line = json.dumps({"library": order.library, "symbol": order.symbol, "level": self.level,
                           "cases": [i for i, _ in order.cases]})  # fmt: skip
        os.write(self.order_write, line.encode() + b"\n")

    def messages(self) -> list[dict] | None:
        """What arrived; None when the worker is gone."""
        data = os.read(self.result_read, 1 << 16)
        if not data:
            return None
        self.heard = time.monotonic()
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> int:
        """Ends the process; its exit status, negative for a signal."""
        if self.process.poll() is None:
            self.process.kill()
        code = self.process.wait()
        os.close(self.order_write)
        os.close(self.result_read)
        return code


class Runner:
    """``on_result`` hears of every case as it ends."""

    def __init__(self, provider: str, cuda: int, level: str, workers: int, watchdog: float,
                 on_result: Callable[[Result], None]) -> None:  # fmt: skip
        self.provider, self.cuda, self.level = provider, cuda, level
        self.watchdog, self.on_result = watchdog, on_result
        self.queue: deque[Order] = deque()
        self.workers = workers
        self.restarts = 0
        self.asked_again: set[str] = set()

    def run(self, orders: list[Order]) -> None:
        for o in orders:
            for at in range(0, len(o.cases), CHUNK):
                self.queue.append(Order(o.library, o.family, o.symbol, o.cases[at : at + CHUNK]))
        selector = selectors.DefaultSelector()
        active = [Worker(self.provider, self.cuda, self.level) for _ in range(min(self.workers, len(self.queue)))]
        for w in active:
            selector.register(w.result_read, selectors.EVENT_READ, w)
        try:
            while active:
                for key, _ in selector.select(timeout=0.25):
                    self._hear(key.data, selector, active)
                self._watch(selector, active)
        finally:
            for w in active:
                w.close()
            selector.close()

    def _hear(self, worker: Worker, selector: selectors.BaseSelector, active: list[Worker]) -> None:
        messages = worker.messages()
        if messages is None:
            self._died(worker, selector, active)
            return
        for m in messages:
            if "fatal" in m:
                raise RunError(m["fatal"])
            if m.get("ready"):
                worker.ready = True
                self._next(worker, selector, active)
            elif m.get("done"):
                worker.order = None
                self._next(worker, selector, active)
            else:
                self._result(worker, m)

    def _result(self, worker: Worker, m: dict) -> None:
        order = worker.order
        assert order is not None and order.cases[worker.position][0] == m["case"]
        worker.position += 1
        self.on_result(Result(
            order.cases[worker.position - 1][1], order.library, order.family, order.symbol, m["result"], m["message"],
            m["ratio"], m["status"], m["xerbla"], m["pattern"], m["seconds"]))  # fmt: skip

    def _next(self, worker: Worker, selector: selectors.BaseSelector, active: list[Worker]) -> None:
        if self.queue:
            worker.give(self.queue.popleft())
            return
        selector.unregister(worker.result_read)
        active.remove(worker)
        worker.close()

    def _watch(self, selector: selectors.BaseSelector, active: list[Worker]) -> None:
        now = time.monotonic()
        for w in list(active):
            limit = self.watchdog if w.ready else START_SECONDS
            if now - w.heard > limit:
                self._died(w, selector, active, hang=True)

    def _once_more(self, case_id: str) -> bool:
        """NVIDIA's libraries load code at first use, for longer than the watchdog's patience on a busy machine."""
        if self.provider in ("host", "rocm") or case_id in self.asked_again:
            return False
        self.asked_again.add(case_id)
        return True

    def _died(self, worker: Worker, selector: selectors.BaseSelector, active: list[Worker], hang: bool = False) -> None:
        """Attributes a death to the case that was running and starts again behind it."""
        selector.unregister(worker.result_read)
        active.remove(worker)
        if hang:
            worker.process.kill()
        code = worker.close()
        if not worker.ready or worker.order is None:
            what = f"no answer in {START_SECONDS:g} s" if hang else f"exit status {code}"
            raise RunError(f"a worker for {self.provider} did not start: {what}")
        order, at = worker.order, worker.position
        rest = order.cases[at:]
        if rest and not (code == 3 and not hang):  # 3: the worker left after reporting a device fault
            text = f"no answer in {self.watchdog:g} s" if hang else _signal(code)
            if not (hang and self._once_more(rest[0][1])):
                self.on_result(Result(rest[0][1], order.library, order.family, order.symbol, HANG if hang else CRASH,
                                      text, float("inf")))  # fmt: skip
                rest = rest[1:]
        if rest:
            self.queue.appendleft(Order(order.library, order.family, order.symbol, rest))
        if self.queue:
            self.restarts += 1
            if self.restarts > MOST_RESTARTS:
                raise RunError(f"{self.restarts} workers died: {self.provider} cannot be judged")
            fresh = Worker(self.provider, self.cuda, self.level)
            active.append(fresh)
            selector.register(fresh.result_read, selectors.EVENT_READ, fresh)


def _signal(code: int) -> str:
    if code < 0:
        return f"the process died of {signal.Signals(-code).name}"
    return f"the process left with exit status {code}"
