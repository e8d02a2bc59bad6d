"""A small LLaVA with seeded random weights."""

import tokenizers
import torch
import transformers

SMALL = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}


def tokenizer_of(texts):
    """Byte-level BPE as in language models: no token ends a text, and a word's token includes the space before it."""
    words = tokenizers.Tokenizer(tokenizers.models.BPE())
    words.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = tokenizers.decoders.ByteLevel()
    words.train_from_iterator(
        [*texts, *["Yes Yes No No. Yes\nNo\nUSER: ASSISTANT:"] * 9],
        tokenizers.trainers.BpeTrainer(
            vocab_size=600, special_tokens=["</s>", "<image>"], initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()
        ),
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="</s>", pad_token="</s>", additional_special_tokens=["<image>"], model_max_length=4096
    )


CHAT = """{% for message in messages %}{{ 'ASSISTANT' if message.role == 'assistant' else 'USER' }}: {% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}{{ '<image>' if part.type == 'image' else part.text }}
{% endfor %}{% endif %} {% endfor %}{% if add_generation_prompt %}ASSISTANT:{% endif %}"""


def save(folder, texts, answers=()):
    """Saves a model. With `answers`, the model chats, and each of its answers is one of these texts."""
    torch.manual_seed(3)
    tokenizer = tokenizer_of(texts)
    tokenizer.add_tokens(list(answers))
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**SMALL, image_size=64, patch_size=16),
        # With small weights, different captions and images would change the output only by rounding errors,
        # and grades would be equal.
        text_config=transformers.LlamaConfig(
            **SMALL, vocab_size=len(tokenizer), max_position_embeddings=4096, initializer_range=0.2 if answers else 0.02
        ),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
    )
    images = transformers.CLIPImageProcessor(size={"shortest_edge": 64}, crop_size={"height": 64, "width": 64})
    processor = transformers.LlavaProcessor(
        images,
        tokenizer,
        patch_size=16,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token="<image>",
    )
    model = transformers.LlavaForConditionalGeneration(config)
    # Larger weights than usual, so that answers depend on the caption and the image.
    with torch.no_grad():
        model.lm_head.weight.mul_(8)
    if answers:
        processor.chat_template = CHAT
        ids = tokenizer.convert_tokens_to_ids(list(answers))
        # Each answer is one token, which ends the text. The model cannot write any other token.
        model.generation_config.eos_token_id = ids
        model.generation_config.suppress_tokens = sorted(set(range(len(tokenizer))) - set(ids))
    model.save_pretrained(folder)
    processor.save_pretrained(folder)

