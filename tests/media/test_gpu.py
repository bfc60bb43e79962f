"""The way to a GPU: chosen, refused where there is none, and never taken unasked."""

import pytest

from salon.errors import RecipeError, SetupError
from salon.media.p5.chromium import SOFTWARE, drawing_flags
from salon.media.p5.gpu import choose_backend, find_gpu, gpu_name
from salon.media.p5.medium import SketchMedium

SKETCH = """function setup() { createCanvas(120, 120, WEBGL); background(250); brush.noStroke();
  brush.fill("#2060c0", 150); brush.circle(0, 0, 40); noLoop(); }"""


def info(renderer: str, webgl: str = "enabled") -> dict[str, object]:
    return {"gpu": {"auxAttributes": {"glRenderer": renderer}, "featureStatus": {"webgl": webgl}}}


@pytest.mark.parametrize(
    ("renderer", "webgl", "name"),
    [
        ("ANGLE (NVIDIA, Vulkan 1.3.277 (NVIDIA H200), NVIDIA-550)", "enabled", True),
        ("ANGLE (Apple, ANGLE Metal Renderer: Apple M3)", "enabled_readback", True),
        ("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)", "enabled", False),
        ("ANGLE (Mesa, llvmpipe (LLVM 15.0.7 256 bits), OpenGL 4.5)", "enabled", False),
        ("ANGLE (NVIDIA, Vulkan 1.3.277 (NVIDIA H200), NVIDIA-550)", "disabled_software", False),
        ("", "enabled", False),
    ],
)
def test_a_gpu_is_known_by_what_chromium_says_of_it(renderer: str, webgl: str, name: bool) -> None:
    assert gpu_name(info(renderer, webgl)) == (renderer if name else "")


def test_nothing_said_is_no_gpu() -> None:
    assert gpu_name({}) == ""


def test_software_is_the_default_and_a_backend_replaces_it() -> None:
    assert drawing_flags("") == SOFTWARE
    assert "--use-angle=vulkan" in drawing_flags("vulkan")
    assert not set(SOFTWARE) & set(drawing_flags("metal"))


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(RecipeError, match="gpu is one of off, auto"):
        choose_backend("cuda")  # pyright: ignore[reportArgumentType]


@pytest.mark.browser
def test_without_a_gpu_it_is_software_or_an_error() -> None:
    if find_gpu("vulkan"):
        pytest.skip("there is a GPU here")
    with pytest.raises(SetupError, match="finds no GPU here"):
        SketchMedium(gpu="vulkan")


@pytest.mark.browser
def test_auto_paints_and_says_on_what() -> None:
    medium = SketchMedium(gpu="auto", workers=1)
    try:
        painted = medium.render([SKETCH], [3])[0]
        assert painted.ok
        assert ("gpu" in medium.versions()) == bool(choose_backend("auto"))
    finally:
        medium.close()
