"""Makes a small sentence-transformers model with random weights and Dense modules after its pooling.

    python test/oracle/evaluator/dense.py

writes test/fixtures/models/bert-dense as sentence-transformers saves it, with its Transformer module as ONNX. The
embeddings that sentence-transformers computes go to test/oracle/evaluator/dense.json.
"""

import json
import sys
import tempfile
from pathlib import Path

sys.modules["torchvision"] = None

import sentence_transformers
import torch
import transformers
from sentence_transformers import SentenceTransformer, models as modules
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from models import HERE, TEXTS, Wrap, export, fresh, random_init, rows, save_tokenizer, wordpiece


def main():
    folder = fresh("bert-dense")
    tokenizer = wordpiece()
    config = BertConfig(vocab_size=tokenizer.get_vocab_size(), hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, max_position_embeddings=40)
    bert = BertModel(config, add_pooling_layer=False).eval()
    random_init(bert, 11)
    with tempfile.TemporaryDirectory() as place:
        bert.save_pretrained(place)
        fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]", model_max_length=32)
        fast.save_pretrained(place)
        transformer = modules.Transformer(place, max_seq_length=32)
    pooling = modules.Pooling(24, pooling_mode="mean")
    first = modules.Dense(24, 40, activation_function=torch.nn.Tanh())
    second = modules.Dense(40, 16, bias=False, activation_function=torch.nn.Identity())
    for seed, layer in enumerate([first, second]):
        random_init(layer, 20 + seed, 0.4)
    model = SentenceTransformer(modules=[transformer, pooling, first, second, modules.Normalize()], device="cpu").eval()
    model.save(str(folder), create_model_card=False)
    save_tokenizer(tokenizer, folder, "bert-cls")
    inner = model[0].auto_model
    run = lambda m, i, a, k: m(input_ids=i, attention_mask=a, token_type_ids=k).last_hidden_state
    ids = torch.tensor([[2, 10, 11, 3], [2, 12, 13, 3]])
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {n: {0: "batch_size", 1: "sequence_length"} for n in [*names, "last_hidden_state"]}
    export(Wrap((inner, run)), (ids, torch.ones_like(ids), torch.zeros_like(ids)), folder / "onnx" / "model.onnx", names, ["last_hidden_state"], axes)
    for left in ["model.safetensors", "README.md"]:
        (folder / left).unlink(missing_ok=True)
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "sentence_transformers": sentence_transformers.__version__},
        "texts": TEXTS,
        "embeddings": rows(torch.stack([model.encode(text, convert_to_tensor=True) for text in TEXTS])),
    }
    (HERE / "dense.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
