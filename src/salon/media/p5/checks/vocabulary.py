"""The names that the checks of a sketch look for."""


def words(text: str) -> frozenset[str]:
    """The words of a text that is wrapped."""
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

PAINTING = words("""
    arc circle endShape endStroke flowLine hatchArray line mass massArray Plot polygon Polygon rect spline
""")
"""The brush methods that leave paint."""

NATIVE_SHAPES = words("""
    arc bezier bezierVertex beginShape box circle cone curve curveVertex cylinder ellipse ellipsoid endShape
    image line model plane point quad quadraticVertex rect sphere spline splineVertex square torus triangle
    vertex
""")
"""p5's own shapes."""

PIXELS = words("""
    _axesIcon _grid blend copy createFilterShader createShader debugMode filter imageShader loadFilterShader
    loadShader set shader strokeShader updatePixels
""")
"""p5's functions that leave pixels of any kind, or have the GPU do it."""

INTERNALS = words("bindShader bindTextures setUniform update")
"""What p5's shaders and textures are made to do by p5 alone."""

TEXT_CALLS = words("text createA createButton createDiv createElement createP createSpan")
TEXT_METHODS = words("fillText strokeText")

CANVAS_PAINTING = words("""
    blitFramebuffer clear clearBufferfi clearBufferfv clearBufferiv clearBufferuiv clearRect
    compressedTexImage2D compressedTexSubImage2D copyTexImage2D copyTexSubImage2D copyTexSubImage3D drawArrays
    drawArraysInstanced drawElements drawElementsInstanced drawFocusIfNeeded drawImage drawRangeElements fill
    fillRect fillText putImageData stroke strokeRect strokeText texImage2D texImage3D texSubImage2D
    texSubImage3D transferFromImageBitmap
""")
"""The methods of a canvas's contexts that leave pixels."""

CANVAS_MEANS = words("""
    attachShader bufferData bufferSubData copyBufferSubData drawElement drawElementImage drawMesh
    getExtension linkProgram reset shaderSource texElementImage2D texStorage2D texStorage3D uniform1f
    uniform1fv uniform1i uniform1iv uniform1ui uniform1uiv uniform2f uniform2fv uniform2i uniform2iv
    uniform2ui uniform2uiv uniform3f uniform3fv uniform3i uniform3iv uniform3ui uniform3uiv uniform4f
    uniform4fv uniform4i uniform4iv uniform4ui uniform4uiv uniformMatrix2fv uniformMatrix2x3fv
    uniformMatrix2x4fv uniformMatrix3fv uniformMatrix3x2fv uniformMatrix3x4fv uniformMatrix4fv
    uniformMatrix4x2fv uniformMatrix4x3fv useProgram vertexAttribPointer
""")
"""What says of them which pixels the next call leaves, or finds another that does."""

MARKS = words("draw hatch mass wash")
"""Methods of p5.brush's plots and polygons that the allow-lists tell from one another."""

WATCHED_MARKS = MARKS | {"fill"}
"""And the one that changes what brush's next shapes are filled with."""

EXTERNAL_NAMES = words("""
    eval EventSource fetch Function importScripts indexedDB localStorage RTCPeerConnection sessionStorage
    SharedWorker WebAssembly WebSocket WebTransport Worker XMLHttpRequest
""")
"""Globals that reach out of the page, keep something between sketches, or hide code from the checks."""

EXTERNAL_CALLS = words("""
    createAudio createCapture createImg createVideo httpDo httpGet httpPost loadBlob loadBytes loadFont
    loadImage loadJSON loadModel loadShader loadSound loadStrings loadTable loadXML
""")
"""p5's functions that fetch. Those that save do nothing in a sketch's page."""

INPUT = words("""
    doubleClicked keyCode keyIsDown keyIsPressed keyPressed keyReleased keyTyped mouseButton mouseClicked
    mouseDragged mouseIsPressed mouseMoved mousePressed mouseReleased mouseWheel mouseX mouseY movedX movedY
    pmouseX pmouseY touchEnded touchMoved touchStarted touches
""")
"""What asks for somebody at the mouse or the keyboard."""

EXTERNAL_METHODS = words("sendBeacon") | EXTERNAL_CALLS
"""The same as methods, where an instance's name is not known."""

_NOTHING = "no such call: leave it out"
VERSION_1 = {
    "bleed": "brush.fillBleed(strength, direction)",
    "scale": "brush.scaleBrushes(factor) for the brushes, p5's own scale(factor) for the drawing",
    "rescale": "brush.scaleBrushes(factor)",
    "setHatch": "brush.hatchStyle(brush, color, weight)",
    "segment": "brush.move(angle, length, pressure)",
    "flowShape": "brush.beginShape() … brush.endShape()",
    "push": "p5's own push()",
    "pop": "p5's own pop()",
    "rotate": "p5's own rotate(angle)",
    "translate": "p5's own translate(x, y)",
    "plot": "the method draw(x, y) of a brush.Plot",
    **dict.fromkeys(
        words("""
            colorCache config endFrame erase fillAnimatedMode gravity noErase noGravity preload reBlend reDraw
            remove
        """),
        _NOTHING,
    ),
}
"""p5.brush 1.x's names that 2.x lacks, and what 2.x has in their place."""

P5_1 = {
    "append": "array.push(value)",
    "arrayCopy": "[...array]",
    "beginGeometry": "buildGeometry(draw)",
    "concat": "a.concat(b)",
    "createNumberDict": "new Map()",
    "createStringDict": "new Map()",
    "curve": "spline(x1, y1, … x4, y4)",
    "curvePoint": "splinePoint(a, b, c, d, t)",
    "curveTangent": "splineTangent(a, b, c, d, t)",
    "curveTightness": "splineProperty('tightness', t)",
    "curveVertex": "splineVertex(x, y)",
    "endGeometry": "buildGeometry(draw)",
    "join": "array.join(separator)",
    "match": "text.match(pattern)",
    "matchAll": "text.matchAll(pattern)",
    "quadraticVertex": "bezierOrder(2), and bezierVertex(x, y) for each of the two points",
    "reverse": "array.reverse()",
    "shorten": "array.pop()",
    "sort": "array.sort()",
    "splice": "array.splice(at, 0, ...values)",
    "split": "text.split(separator)",
    "subset": "array.slice(from, to)",
    "trim": "text.trim()",
}
"""p5 1.x's functions that 2.x lacks, and what 2.x has in their place."""
