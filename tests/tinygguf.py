"""The models of tinyeye.py as llama.cpp reads them: a GGUF file of the words, and one of the eye."""

import json
from pathlib import Path
from typing import Any

NAMES = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
EYE_NAMES = {
    "layer_norm1": "ln1",
    "layer_norm2": "ln2",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.out_proj": "attn_out",
    "mlp.fc1": "ffn_up",
    "mlp.fc2": "ffn_down",
}


def save_gguf(eye: Any, folder: Path) -> tuple[Path, Path]:
    """Write both files of a tinyeye.Eye; their paths, words first."""
    folder.mkdir(parents=True, exist_ok=True)
    words, sight = folder / "words.gguf", folder / "eye.gguf"
    _save_words(eye, words)
    _save_eye(eye, sight)
    return words, sight


def _save_words(eye: Any, path: Path) -> None:
    import gguf

    config, tokenizer = eye.model.config.text_config, eye.processor.tokenizer
    out = gguf.GGUFWriter(str(path), "llama")
    out.add_context_length(config.max_position_embeddings)
    out.add_embedding_length(config.hidden_size)
    out.add_block_count(config.num_hidden_layers)
    out.add_feed_forward_length(config.intermediate_size)
    out.add_head_count(config.num_attention_heads)
    out.add_head_count_kv(config.num_key_value_heads)
    out.add_layer_norm_rms_eps(config.rms_norm_eps)
    out.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    out.add_rope_freq_base(config.rope_parameters["rope_theta"])
    out.add_vocab_size(config.vocab_size)
    known = json.loads(tokenizer.backend_tokenizer.to_str())
    kinds = {
        each["id"]: gguf.TokenType.CONTROL if each["special"] else gguf.TokenType.USER_DEFINED
        for each in known["added_tokens"]
    }
    tokens = tokenizer.convert_ids_to_tokens(range(config.vocab_size))
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("gpt-2")
    out.add_token_list(tokens)
    out.add_token_types([kinds.get(n, gguf.TokenType.NORMAL) for n in range(len(tokens))])
    out.add_token_merges([" ".join(pair) for pair in known["model"]["merges"]])
    out.add_eos_token_id(config.eos_token_id)
    out.add_add_bos_token(False)
    out.add_chat_template(eye.processor.chat_template)
    state = {key: value.detach().float().numpy() for key, value in eye.model.state_dict().items()}
    out.add_tensor("output.weight", state["lm_head.weight"])
    out.add_tensor("token_embd.weight", state["model.text_model.embed_tokens.weight"])
    out.add_tensor("output_norm.weight", state["model.text_model.norm.weight"])
    for layer in range(config.num_hidden_layers):
        for theirs, ours in NAMES.items():
            weight = state[f"model.text_model.layers.{layer}.{theirs}.weight"]
            if ours in ("attn_q", "attn_k"):
                weight = _interleaved(weight, config.num_attention_heads)
            out.add_tensor(f"blk.{layer}.{ours}.weight", weight)
    _write(out)


def _save_eye(eye: Any, path: Path) -> None:
    import gguf

    config = eye.model.config.vision_config
    out = gguf.GGUFWriter(str(path), "clip")
    out.add_bool("clip.has_vision_encoder", True)
    out.add_string("clip.projector_type", "idefics3")
    out.add_bool("clip.use_gelu", True)
    sizes = {
        "image_size": config.image_size,
        "preproc_image_size": config.image_size,
        "patch_size": config.patch_size,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "block_count": config.num_hidden_layers,
        "projection_dim": eye.model.config.text_config.hidden_size,
        "attention.head_count": config.num_attention_heads,
        "projector.scale_factor": eye.model.config.scale_factor,
    }
    for key, size in sizes.items():
        out.add_uint32(f"clip.vision.{key}", size)
    out.add_float32("clip.vision.attention.layer_norm_epsilon", config.layer_norm_eps)
    out.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
    out.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])
    state = {key: value.detach().float().numpy() for key, value in eye.model.state_dict().items()}
    out.add_tensor("mm.model.fc.weight", state["model.connector.modality_projection.proj.weight"])
    names = {"embeddings.patch_embedding": "v.patch_embd", "post_layernorm": "v.post_ln"}
    for layer in range(config.num_hidden_layers):
        names |= {f"encoder.layers.{layer}.{a}": f"v.blk.{layer}.{b}" for a, b in EYE_NAMES.items()}
    for theirs, ours in names.items():
        for part in ("weight", "bias"):
            out.add_tensor(f"{ours}.{part}", state[f"model.vision_model.{theirs}.{part}"])
    out.add_tensor("v.position_embd.weight", state["model.vision_model.embeddings.position_embedding.weight"])
    _write(out)


def _interleaved(weight: Any, heads: int) -> Any:
    """Rows as llama.cpp rotates them: pairs side by side, where transformers has two halves."""
    halves = weight.reshape(heads, 2, weight.shape[0] // heads // 2, weight.shape[1])
    return halves.swapaxes(1, 2).reshape(weight.shape).copy()


def _write(out: Any) -> None:
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
