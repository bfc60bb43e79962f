"""Which processor draws the sketches' WebGL: this machine's GPU, or Chromium's software renderer.

Software is the default, since it gives the same bytes on every machine. A GPU is many times as fast, and its
pixels are its driver's: its name is part of the medium's versions, and so of every cache key.
"""

import sys
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args

from salon.errors import RecipeError, SetupError

from .chromium import Browser, BrowserLost, OverDeadline, user_of_browser

Gpu = Literal["off", "auto", "vulkan", "gl", "gl-egl", "metal", "d3d11"]
"""Off, this platform's usual way, or the way that ANGLE, Chromium's WebGL, is to take to the GPU."""

NATIVE = {"darwin": "metal", "win32": "d3d11"}
SOFTWARE = ("swiftshader", "llvmpipe", "softpipe", "lavapipe", "basic render", "software")
ASKED_S = 60.0


def choose_backend(gpu: Gpu) -> str:
    """ANGLE's backend for `gpu`; "" is software.

    Args:
        gpu: "off" is software, "auto" is the GPU where there is one, a backend's name is that or an error.

    Raises:
        RecipeError: `gpu` is none of these.
        SetupError: a backend was named, and Chromium does not draw on a GPU with it.
    """
    if gpu not in get_args(Gpu):
        raise RecipeError(f"medium p5.brush: gpu is one of {', '.join(get_args(Gpu))}, and not {gpu!r}")
    if gpu == "off":
        return ""
    backend = NATIVE.get(sys.platform, "vulkan") if gpu == "auto" else gpu
    if find_gpu(backend):
        return backend
    if gpu == "auto":
        return ""
    raise SetupError(
        f"medium p5.brush: with gpu: {gpu}, Chromium finds no GPU here and would draw in software.{_hint()} "
        "Try gpu: auto, which takes one where there is one, or leave gpu out"
    )


def _hint() -> str:
    if user_of_browser() is None:
        return ""
    return " (It runs as nobody, who may not open every GPU: try as a user of the groups video and render.)"


@cache
def find_gpu(backend: str) -> str:
    """The GPU, with its driver, that Chromium draws on through ANGLE's `backend`; "" if it would draw in
    software. Takes a second, once a process.

    Raises:
        SetupError: there is no Chromium.
    """
    browser = Browser(backend)
    try:
        info = browser.call("SystemInfo.getInfo", deadline=time.monotonic() + ASKED_S)
    except (BrowserLost, OverDeadline):
        return ""
    finally:
        browser.close()
    return gpu_name(info)


def gpu_name(info: Mapping[str, Any]) -> str:
    """The GPU's name out of what Chromium's SystemInfo.getInfo says; "" for software.

    Example:
        glRenderer "ANGLE (NVIDIA, Vulkan 1.3 (NVIDIA H200), NVIDIA-550)" is its own name, and
        "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)" gives "".
    """
    gpu = info.get("gpu", {})
    name = str(gpu.get("auxAttributes", {}).get("glRenderer", ""))
    state = str(gpu.get("featureStatus", {}).get("webgl", ""))
    software = any(word in name.lower() for word in SOFTWARE)
    return "" if software or not state.startswith("enabled") else name
