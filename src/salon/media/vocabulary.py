"""The names that the checks of a sketch look for."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WATERCOLOUR = (
    "scaleBrushes",
    "noStroke",
    "fill",
    "noFill",
    "fillBleed",
    "fillTexture",
    "beginShape",
    "vertex",
    "endShape",
    "circle",
)
"""The brush methods that a watercolour needs (the allow-list of HuggingEnvs' reproduction)."""

PAINTING = _words("""
    arc circle endShape endStroke flowLine hatchArray line mass massArray Plot polygon Polygon rect spline
""")
"""The brush methods that leave paint."""

NATIVE_SHAPES = _words("""
    arc bezier bezierVertex beginShape box circle cone curve curveVertex cylinder ellipse ellipsoid endShape
    image line model plane point quad quadraticVertex rect sphere spline splineVertex square torus triangle
    vertex
""")
"""p5's own shapes."""

TEXT_CALLS = _words("text createA createButton createDiv createElement createP createSpan")
TEXT_METHODS = _words("fillText strokeText")

EXTERNAL_NAMES = _words("""
    eval EventSource fetch Function importScripts indexedDB localStorage RTCPeerConnection sessionStorage
    SharedWorker WebSocket WebTransport Worker XMLHttpRequest
""")
"""Globals that reach out of the page, keep something between sketches, or hide code from the checks."""

EXTERNAL_CALLS = _words("""
    createAudio createCapture createImg createVideo httpDo httpGet httpPost loadBlob loadBytes loadFont
    loadImage loadJSON loadModel loadShader loadSound loadStrings loadTable loadXML save saveCanvas saveFrames
    saveGif saveJSON saveStrings saveTable
""")
"""p5's functions that fetch or save."""

EXTERNAL_METHODS = _words("sendBeacon") | EXTERNAL_CALLS - {"save"}
"""The same as methods, where an instance's name is not known."""

_NOTHING = "no such call: leave it out"
VERSION_1 = {
    "bleed": "brush.fillBleed(strength, direction)",
    "scale": "brush.scaleBrushes(factor)",
    "rescale": "brush.scaleBrushes(factor)",
    "setHatch": "brush.hatchStyle(brush, color, weight)",
    "segment": "brush.move(angle, length, pressure)",
    "flowShape": "brush.beginShape() … brush.endShape()",
    **dict.fromkeys(
        _words("colorCache config endFrame fillAnimatedMode gravity preload reBlend reDraw remove"), _NOTHING
    ),
}
"""p5.brush 1.x's names that 2.x lacks, and what 2.x has in their place."""
