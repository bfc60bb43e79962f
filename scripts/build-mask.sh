#!/bin/sh
# Compile src/salon/media/p5/scripts/mask.c to mask.wasm, with a compiler that pip installs into a temporary environment. The
# binary carries the hash of its source, which a test compares.
set -eu
cd "$(dirname "$0")/../src/salon/media/p5/scripts"
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet ziglang==0.13.0
"$tools/bin/python" -m ziglang cc -target wasm32-freestanding -mcpu=generic+simd128+bulk_memory -O3 -nostdlib \
    -Wl,--no-entry -Wl,--strip-all -o mask.wasm mask.c
"$tools/bin/python" - <<'PYTHON'
import hashlib
from pathlib import Path

digest = hashlib.sha256(Path("mask.c").read_bytes()).digest()
section = bytes([6]) + b"source" + digest
binary = Path("mask.wasm")
binary.write_bytes(binary.read_bytes() + bytes([0, len(section)]) + section)
PYTHON
chmod 644 mask.wasm
ls -l mask.wasm
