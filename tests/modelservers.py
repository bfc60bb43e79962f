"""Model servers that are not ours, as processes on loopback: transformers' own, and llama.cpp's."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

TRANSFORMERS = "from transformers.cli.transformers import main; main()"
LLAMA = """
import sys, threading
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], int(sys.argv[2]), ["127.0.0.1"]
if sys.argv[3:]:
    params.mmproj.path = sys.argv[3]
params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 4096, 1, 1
server = xllamacpp.Server(params)
threading.Event().wait()
"""


@contextmanager
def transformers_serve(log: Path) -> Generator[str]:
    """`transformers serve`, which loads whatever folder a request names as its model; yields its address."""
    port = _free_port()
    arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with _running([sys.executable, "-c", TRANSFORMERS, *arguments], port, log):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def llama_server(log: Path, model: Path, *eye: Path) -> Generator[str]:
    """llama.cpp's server with a GGUF file, and that of its eye where it has one; yields its address."""
    port = _free_port()
    with _running([sys.executable, "-c", LLAMA, str(model), str(port), *map(str, eye)], port, log):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def _running(command: Sequence[str], port: int, log: Path) -> Generator[None]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        try:
            _wait(process, f"http://127.0.0.1:{port}/health", log)
            yield
        finally:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", url: str, log: Path, seconds: float = 180.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"the server does not answer: {log.read_text('utf-8', 'replace')[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
