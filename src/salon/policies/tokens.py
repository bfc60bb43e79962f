"""The sketcher's tokenizer: byte-level BPE whose pieces are what a sketch decides.

A number, a colour and a word of prose are a piece each; the code between two numbers is one piece, so that a
line of boilerplate costs a token or less and a study of 50 lines about 120. Any text round-trips: what the
pieces do not know falls back to bytes.
"""

from collections.abc import Iterable
from typing import Any

PIECES = (
    r"\n//"
    r"|(?: ?[a-z]+)(?=(?: [a-z]+)*\n)"
    r'|"#[0-9a-f]{6}"(?:, )?'
    r"|\d+(?:\.\d+)?(?:, -?)?"
    r'|[^\d"\n]*\n[^\d"]*'
    r'|[^\d"]+'
    r'|"'
)
PAD, END = "<pad>", "<end>"


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """A transformers PreTrainedTokenizerFast of at most `vocabulary` tokens, trained on `texts`."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )
