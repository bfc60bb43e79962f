"""p5.brush as it is served to a sketch: the library of the pinned version, its watercolour fills computed
several times as fast and to nearly the same pictures.

Each change to its text must match exactly once, or the renderer refuses to start:

- the mask that fills are painted into is ours (page/mask.js over page/mask.c) and not a 2D canvas;
- the steepness of the mask's edges is worked out with the mask and comes in its red channel: the shader
  sampled nine neighbours a pixel for it, and took derivatives of them where they are undefined;
- fills have a shader of their own: software WebGL runs both sides of a branch, at every pixel;
- a pigment's reflectance at 38 wavelengths is computed once a fill, in the vertex shader, not at every pixel;
- squares are products: software WebGL computes pow by a logarithm, 230 times a pixel.

See docs/decisions/009-fills-off-the-canvas.md.
"""

import base64
import re
from collections.abc import Iterable
from pathlib import Path

from salon.errors import SetupError

PAGE = Path(__file__).with_name("scripts")
WAVELENGTHS = 38

CANVAS = "t.mask=st(o,s)"
UPLOAD = (
    "Kr&&Kr.width===c&&Kr.height===l||(Kr=st(c,l));const h=Kr.drawingContext;return h.clearRect(0,0,c,l),"
    "h.drawImage(e,a.minX,a.minY,c,l,0,0,c,l),i(o),s.bindTexture(s.TEXTURE_2D,o.colorTexture),"
    "s.texSubImage2D(s.TEXTURE_2D,0,a.minX,a.minY,s.RGBA,s.UNSIGNED_BYTE,Kr),o"
)
STEEPNESS = (
    "vec2 texelSize=1.0/vec2(textureSize(u_mask,0));float scaledAlpha=maskColor.a*15.0;float blurEdge=0.0;"
    "for(int i=-2;i<=2;i+=2){for(int j=-2;j<=2;j+=2){"
    "vec2 neighborUV=maskUV+vec2(float(i),float(j))*texelSize;"
    "float neighborAlpha=texture(u_mask,neighborUV).a*15.0;blurEdge+=smoothstep(EDGE_MIN,EDGE_MAX,"
    "length(vec2(dFdx(neighborAlpha),dFdy(neighborAlpha))));}}blurEdge/=9.0;"
)
FILL_BRANCH = "if(!u_isBrush){" + STEEPNESS + "mixIntensity=clamp(maskColor.a+blurEdge*0.1,0.0,1.0);}"
BRUSH_BRANCH = re.compile(r"if\(u_isBrush&&\(maskColor\.a>DARKEN_THRESHOLD\)\)\{.*?\}")
MIX = "spectral_mix(bgColor,pigment.rgb,mixIntensity)"
VERTEX_HEAD = "out vec2 p;void main(){"
FUNCTIONS = re.compile(r"const int SPECTRAL_SIZE=.*?(?=float KM\()", re.DOTALL)
BEFORE_MAIN = "const float GAMMA=2.4,"
SQUARES = (
    ("pow(1.0-R,2.0)/(2.0*R)", "(1.0-R)*(1.0-R)/(2.0*R)"),
    ("sqrt(pow(KS,2.0)+2.0*KS)", "sqrt(KS*KS+2.0*KS)"),
    ("pow(factor1,2.)*pow(tintingStrength1,2.)", "factor1*factor1*tintingStrength1*tintingStrength1"),
    ("pow(factor2,2.)*pow(tintingStrength2,2.)", "factor2*factor2*tintingStrength2*tintingStrength2"),
)
SHADERS = re.compile(
    r'(#version 300 es\\n#define GLSLIFY 1\\nout vec2 p;[^"]*)","([^"]*uniform bool u_isBrush;[^"]*)"'
)
PROGRAM = "t.shaderProgram??=t.createShader(e,r)"
CHOICE = "const n=q.shaderProgram"


def as_served(brush: str) -> str:
    """The text of p5.brush 2.2.2, changed, behind the scripts that it now uses.

    Raises:
        SetupError: it is not the text that these changes were made for.
    """
    found = SHADERS.search(brush)
    if found is None:
        raise _other_text()
    vertex, fragment = found[1], _changed(found[2], SQUARES)
    served = _changed(
        brush,
        (
            (CANVAS, "t.mask=new BrushMask(o,s)"),
            (UPLOAD, "return i(o),s.bindTexture(s.TEXTURE_2D,o.colorTexture),e.upload(s,a),o"),
            (PROGRAM, f"{PROGRAM},t.fillProgram??=t.createShader(FILL_VERTEX,FILL_FRAGMENT)"),
            (CHOICE, "const n=e?q.shaderProgram:q.fillProgram"),
            (found[2], _changed(fragment, ((FILL_BRANCH, ""),))),
        ),
    )
    binary = base64.b64encode((PAGE / "mask.wasm").read_bytes()).decode()
    constants = {
        "MASK_WASM": f'"{binary}"',
        "FILL_VERTEX": f'"{_fill_vertex(vertex, fragment)}"',
        "FILL_FRAGMENT": f'"{_fill_fragment(fragment)}"',
    }
    written = "".join(f"const {name} = {value};\n" for name, value in constants.items())
    return written + (PAGE / "mask.js").read_text(encoding="utf-8") + served


def _changed(text: str, changes: Iterable[tuple[str, str]]) -> str:
    for old, new in changes:
        if text.count(old) != 1:
            raise _other_text()
        text = text.replace(old, new)
    return text


def _other_text() -> SetupError:
    return SetupError("p5.brush is not the text of the pinned version: run `salon setup`")


def _fill_fragment(fragment: str) -> str:
    """The fragment shader for fills alone: the pigment's light and K/S come from the vertex shader."""
    branch = BRUSH_BRANCH.search(fragment)
    if branch is None:
        raise _other_text()
    mixed = "".join(f"R[{i}]=KM(KS(R[{i}])*a+{_pigment(i)}*b);" for i in range(WAVELENGTHS))
    mix = (
        "flat in vec4 v_pigment[10];flat in float v_light;vec3 fill_mix(vec3 paper,float part){"
        "float R[SPECTRAL_SIZE];spectral_linear_to_reflectance(spectral_srgb_to_linear(paper),R);"
        "float a=(1.0-part)*(1.0-part)*spectral_reflectance_to_xyz(R)[1],b=part*part*v_light,whole=1.0/(a+b);"
        f"a*=whole;b*=whole;{mixed}return spectral_xyz_to_srgb(spectral_reflectance_to_xyz(R));}}"
    )
    intensity = "mixIntensity=clamp(maskColor.a+maskColor.r*0.1,0.0,1.0);"
    return _changed(
        fragment,
        (
            (branch[0], ""),
            (FILL_BRANCH, intensity),
            (MIX, "fill_mix(bgColor,mixIntensity)"),
            (BEFORE_MAIN, mix + BEFORE_MAIN),
        ),
    )


def _fill_vertex(vertex: str, fragment: str) -> str:
    """The vertex shader, which also works out the pigment with the fragment shader's own functions."""
    functions = FUNCTIONS.search(fragment)
    if functions is None:
        raise _other_text()
    computed = "".join(f"{_pigment(i)}=KS(R[{i}]);" for i in range(WAVELENGTHS))
    head = (
        "precision highp float;uniform vec3 u_color;out vec2 p;flat out vec4 v_pigment[10];"
        f"flat out float v_light;{functions[0]}void main(){{float R[SPECTRAL_SIZE];"
        "spectral_linear_to_reflectance(spectral_srgb_to_linear(u_color),R);"
        f"v_light=spectral_reflectance_to_xyz(R)[1];{computed}"
    )
    return _changed(vertex, ((VERTEX_HEAD, head),))


def _pigment(i: int) -> str:
    return f"v_pigment[{i // 4}].{'xyzw'[i % 4]}"
