"""Vision-language models of 180,000 parameters, made on the spot: what SmolVLM is, in miniature.

They are saved as published ones are (weights, tokenizer, chat template, processor), so that a server that
knows nothing of salon can load them.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from salon.judges.vlm import prompts

SIDE, PATCH = 32, 8
MARKS = ["<|im_start|>", "<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>"]
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ALWAYS_A = '{"winner": "A", "reason": "softer"}'
REQUESTS = ("draw a rose", "a plain red picture", "draw a peach hibiscus", "two tulips in rain")

Pictures = Sequence[Image.Image]
Example = tuple[list[dict[str, Any]], Pictures, str]


class Eye:
    """A model, with the processor that turns conversations into what it reads."""

    def __init__(self, seed: int = 0) -> None:
        import torch
        from transformers import Idefics3Config, Idefics3ForConditionalGeneration

        torch.manual_seed(seed)
        self.processor = _processor()
        tokenizer = self.processor.tokenizer
        end, image = (tokenizer.convert_tokens_to_ids(mark) for mark in ("<end_of_utterance>", "<image>"))
        heads = {"num_hidden_layers": 2, "num_attention_heads": 4}
        words: dict[str, Any] = {"vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 128}
        words |= {"bos_token_id": end, "eos_token_id": end, "pad_token_id": end}
        sight = {"hidden_size": 32, "intermediate_size": 64, "image_size": SIDE, "patch_size": PATCH}
        config = Idefics3Config(
            text_config={"model_type": "llama", "max_position_embeddings": 4096, **words, **heads},
            vision_config={**sight, **heads},
            image_token_id=image,
            scale_factor=2,
        )
        self.model: Any = Idefics3ForConditionalGeneration(config)
        self.model.generation_config.eos_token_id = end
        self.model.generation_config.pad_token_id = end

    def taught(self, examples: Iterator[Example], steps: int, batch: int = 4) -> "Eye":
        """The same model after so many steps on answers to conversations."""
        import torch

        optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-3)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps)
        self.model.train()
        for _ in range(steps):
            optimizer.zero_grad()
            for _ in range(batch):
                (self._loss(*next(examples)) / batch).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        self.model.eval()
        return self

    def save(self, folder: Path) -> Path:
        """As a published model is saved."""
        self.model.save_pretrained(folder)
        self.processor.save_pretrained(folder)
        return folder

    def _loss(self, messages: list[dict[str, Any]], pictures: Pictures, answer: str) -> Any:
        import torch

        asked = self.processor.apply_chat_template(messages, add_generation_prompt=True)
        inputs = self.processor(text=asked, images=[list(pictures)], return_tensors="pt")
        said = self.processor.tokenizer(answer + "<end_of_utterance>", return_tensors="pt").input_ids
        ids = torch.cat([inputs["input_ids"], said], 1)
        labels = ids.clone()
        labels[:, : inputs["input_ids"].shape[1]] = -100
        more = {key: inputs[key] for key in ("pixel_values", "pixel_attention_mask") if key in inputs}
        return self.model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=labels, **more).loss


def comparisons(answer: Callable[[Image.Image, Image.Image], str], seed: int = 0) -> Iterator[Example]:
    """Comparisons as the judge asks for them, of plain pictures, with what `answer` says of the two."""
    draws = random.Random(seed)
    while True:
        pictures = [Image.new("RGB", (SIDE, SIDE), _colour(draws, red)) for red in _shuffled(draws)]
        # llama.cpp has an empty line before each picture, transformers has none.
        line = draws.choice(["", "\n\n"])
        asked = [
            {"type": "text", "text": f"The request was: {draws.choice(REQUESTS)}\n\nPicture A:{line}"},
            {"type": "image"},
            {"type": "text", "text": f"Picture B:{line}"},
            {"type": "image"},
            {"type": "text", "text": "Which is better? Answer with the JSON object."},
        ]
        criteria = draws.choice(["", "The better picture is the one that is plain red. Nothing else counts."])
        told = [{"type": "text", "text": prompts.comparing(criteria, "verdict")}]
        messages = [{"role": "system", "content": told}, {"role": "user", "content": asked}]
        yield messages, pictures, answer(*pictures)


def redder(a: Image.Image, b: Image.Image) -> str:
    """The verdict of somebody who likes red."""
    warmth = [pixel[0] - pixel[2] for pixel in (a.getpixel((0, 0)), b.getpixel((0, 0)))]  # type: ignore[index]
    return f'{{"winner": "{"A" if warmth[0] > warmth[1] else "B"}", "reason": "redder"}}'


def _shuffled(draws: random.Random) -> list[bool]:
    return draws.choice([[True, False], [False, True]])


def _colour(draws: random.Random, red: bool) -> tuple[int, int, int]:
    strong, weak = draws.randint(180, 255), draws.randint(0, 60)
    return (strong, draws.randint(0, 60), weak) if red else (weak, draws.randint(0, 60), strong)


def _processor() -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import Idefics3Processor, PreTrainedTokenizerFast
    from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=MARKS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    read = [prompts.comparing("", "verdict"), prompts.answering("verdict", False), *REQUESTS, ALWAYS_A]
    words.train_from_iterator([text for text in read for _ in range(3)], trainer)
    # llama.cpp looks it up to put it before a picture.
    words.add_tokens([AddedToken("\n\n", normalized=False)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<end_of_utterance>", pad_token="<end_of_utterance>"
    )
    size = {"longest_edge": SIDE}
    images = Idefics3ImageProcessorPil(size=size, max_image_size=size, do_image_splitting=False)
    return Idefics3Processor(images, tokenizer, image_seq_len=4, chat_template=TEMPLATE)
