"""How near does a judge come to the ideal throughput of a server with latency? `python benchmarks/judging.py`

A server of 200 ms on loopback, in a process of its own, answers any number of questions at once. The judge
may ask 64 at a time. 1,000 different comparisons of the pool's pictures take 16 rounds of 0.2 s, 3.2 s, at
best. Pictures are encoded before the clock starts; a second run is answered from disk.
"""

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import tempfile
import time
from multiprocessing.connection import Connection

GOOD = {
    "choices": [{"message": {"content": '{"winner": "A", "reason": "softer"}'}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 900, "completion_tokens": 12},
}


class Connected(asyncio.Protocol):
    """One connection: questions in turn, each answered the latency after its last byte."""

    def __init__(self, latency_s: float) -> None:
        body = json.dumps(GOOD).encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        self.reply, self.latency_s = head + body, latency_s
        self.head, self.left = b"", 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if not self.left:
            self.head += data
            head, end, rest = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
            self.head, self.left, data = b"", int(fields[b"content-length"]), rest
        self.left -= len(data)
        if not self.left:
            asyncio.get_running_loop().call_later(self.latency_s, self.transport.write, self.reply)


def serve(ready: Connection, latency_s: float) -> None:
    """The server's process."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connected(latency_s), "127.0.0.1", 0, backlog=256)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def main() -> None:
    """Measure, and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--comparisons", type=int, default=1000)
    asked.add_argument("--concurrency", type=int, default=64)
    asked.add_argument("--latency", type=float, default=0.2)
    asked.add_argument("--repeats", type=int, default=3)
    args = asked.parse_args()
    os.environ["SALON_CACHE"] = tempfile.mkdtemp()

    from salon.judges.vlm.chat_judge import OpenAIJudge
    from salon.pool import Pool
    from salon.types import Prompt

    pictures = [item.reference.picture for item in Pool.load("flowers").items[:40]]
    pairs = [(a, b) for a in pictures for b in pictures if a.key != b.key][: args.comparisons]
    size = sum(len(picture.png) for picture in pictures) / len(pictures)
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(there, args.latency), daemon=True
    )
    process.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    ideal = math.ceil(len(pairs) / args.concurrency) * args.latency
    print(f"{len(pairs)} comparisons of pictures of {size / 1000:.0f} kB, ideal {ideal:.3f} s")
    for number in range(args.repeats):
        judge = OpenAIJudge(
            "eye", url, concurrency=args.concurrency, revision=str(number), attempts=1, deadline_s=30
        )
        judge.compare(Prompt("warm", "warm up"), [(a, pictures[0]) for a in pictures[1:]])
        began, cpu = time.perf_counter(), time.process_time()
        found = judge.compare(Prompt("p", "draw a flower"), pairs)
        seconds, used = time.perf_counter() - began, time.process_time() - cpu
        answered = sum(each.__class__.__name__ == "Verdict" for each in found)
        share = ideal / seconds
        print(
            f"{seconds:.3f} s: {share:.1%} of the ideal, {answered} answered, {used:.2f} s of processor time"
        )
        again = OpenAIJudge("eye", url, concurrency=args.concurrency, revision=str(number))
        began = time.perf_counter()
        again.compare(Prompt("p", "draw a flower"), pairs)
        print(f"{time.perf_counter() - began:.3f} s from disk, {again.server.spent.calls:.0f} calls")
    process.terminate()


if __name__ == "__main__":
    main()
