"""Draws SVGs in a process of its own, one per line of input, so that one that never ends can be ended.

Run as a script. Each input line is a JSON string, the sanitised SVG; each output line is a JSON object with
either `png` (base64) or `error`.
"""

import base64
import json
import resource
import sys

import resvg_py

MEMORY = 2 << 30


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        try:
            png = bytes(resvg_py.svg_to_bytes(svg_string=json.loads(line), skip_system_fonts=True))
            answer = {"png": base64.b64encode(png).decode()}
        except ValueError as error:
            answer = {"error": str(error)[:300]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
