"""A small LLaVA for llama.cpp with seeded random weights: python write_gguf.py FOLDER

Writes model.gguf and mmproj.gguf. The model answers "Yes", "No", or a grade such as {"score": 7}, and then stops.
"""

import os
import sys

import gguf
import numpy

WIDTH, INNER, HEADS, LAYERS, CONTEXT = 64, 128, 8, 3, 8192
SIDE, PATCH = 64, 16
ANSWERS = ["Yes", "No", " Yes", " No"]
GRADES = ['{"score": %d}' % grade for grade in range(11)]
# Two dimensions of the residual stream act as biases for rows of the output layer: the first is 1 at each token, the
# second is positive only at an answer.
ALWAYS, ANSWERED = 0, 1


def byte_letters():
    """The letters in which byte-level BPE writes bytes."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


def vocabulary():
    letters = byte_letters()
    types = gguf.TokenType
    tokens = [("<unk>", types.UNKNOWN), ("<s>", types.CONTROL), ("</s>", types.CONTROL)]
    tokens += [(letters[byte], types.NORMAL) for byte in range(256)]
    space = letters[ord(" ")]
    merged = ["Ye", "Yes", "No", space + "Yes", space + "No"]
    tokens += [(text, types.NORMAL) for text in merged]
    tokens += [(text, types.USER_DEFINED) for text in GRADES]
    merges = ["Y e", "Ye s", "N o", f"{space} Yes", f"{space} No"]
    return tokens, merges, [text.replace(" ", space) for text in ANSWERS]


def write(file, arch, fill, tensors):
    out = gguf.GGUFWriter(file, arch)
    fill(out)
    for name, values in tensors.items():
        out.add_tensor(name, numpy.ascontiguousarray(values, dtype=numpy.float32))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def language_model(random):
    tokens, merges, answers = vocabulary()
    place = {text: i for i, (text, _) in enumerate(tokens)}

    # The weights are larger than in trained models, so that an answer depends on each word and on the image.
    def weights(rows, columns=WIDTH, gain=1.5):
        return random.normal(0, gain / columns**0.5, (rows, columns))

    def into_stream(columns):
        values = weights(WIDTH, columns, 3)
        values[[ALWAYS, ANSWERED]] = 0
        return values

    embedded = random.normal(0, 1, (len(tokens), WIDTH))
    embedded[:, ALWAYS], embedded[:, ANSWERED] = 1, 0
    output = weights(len(tokens))
    output[:, [ALWAYS, ANSWERED]] = 0
    for text in [*answers, *GRADES]:
        embedded[place[text], ANSWERED] = 30
        output[place[text], ALWAYS] = 30
    output[place["</s>"], ANSWERED] = 30
    tensors = {"token_embd.weight": embedded, "output.weight": output, "output_norm.weight": numpy.ones(WIDTH)}
    for layer in range(LAYERS):
        tensors |= {
            f"blk.{layer}.attn_norm.weight": numpy.ones(WIDTH),
            **{f"blk.{layer}.attn_{name}.weight": weights(WIDTH, gain=3) for name in "qkv"},
            f"blk.{layer}.attn_output.weight": into_stream(WIDTH),
            f"blk.{layer}.ffn_norm.weight": numpy.ones(WIDTH),
            f"blk.{layer}.ffn_gate.weight": weights(INNER),
            f"blk.{layer}.ffn_up.weight": weights(INNER),
            f"blk.{layer}.ffn_down.weight": into_stream(INNER),
        }

    def fill(out):
        out.add_vocab_size(len(tokens))
        out.add_context_length(CONTEXT)
        out.add_embedding_length(WIDTH)
        out.add_block_count(LAYERS)
        out.add_feed_forward_length(INNER)
        out.add_head_count(HEADS)
        out.add_head_count_kv(HEADS)
        out.add_rope_dimension_count(WIDTH // HEADS)
        out.add_layer_norm_rms_eps(1e-5)
        out.add_tokenizer_model("gpt2")
        out.add_tokenizer_pre("gpt-2")
        out.add_token_list([text for text, _ in tokens])
        out.add_token_types([kind for _, kind in tokens])
        out.add_token_merges(merges)
        out.add_bos_token_id(place["<s>"])
        out.add_eos_token_id(place["</s>"])
        out.add_unk_token_id(place["<unk>"])
        out.add_add_bos_token(True)

    return fill, tensors


def vision_model(random):
    def linear(name, rows, columns=WIDTH):
        return {
            f"{name}.weight": random.normal(0, 1 / columns**0.5, (rows, columns)),
            f"{name}.bias": random.normal(0, 0.1, rows),
        }

    def norm(name):
        return {f"{name}.weight": numpy.ones(WIDTH), f"{name}.bias": numpy.zeros(WIDTH)}

    tensors = {
        "v.class_embd": random.normal(0, 1, WIDTH),
        "v.patch_embd.weight": random.normal(0, 3 / (3 * PATCH * PATCH) ** 0.5, (WIDTH, 3, PATCH, PATCH)),
        "v.position_embd.weight": random.normal(0, 0.2, ((SIDE // PATCH) ** 2 + 1, WIDTH)),
        **norm("v.pre_ln"),
        **norm("v.post_ln"),
        **linear("mm.0", WIDTH),
        **linear("mm.2", WIDTH),
    }
    tensors["mm.2.weight"][[ALWAYS, ANSWERED]] = 0
    tensors["mm.2.bias"][[ALWAYS, ANSWERED]] = [1, 0]
    for layer in range(LAYERS):
        block = f"v.blk.{layer}"
        tensors |= {**norm(f"{block}.ln1"), **norm(f"{block}.ln2")}
        for name in ("q", "k", "v", "out"):
            tensors |= linear(f"{block}.attn_{name}", WIDTH)
        tensors |= {**linear(f"{block}.ffn_up", INNER), **linear(f"{block}.ffn_down", WIDTH, INNER)}

    def fill(out):
        vision = gguf.Keys.ClipVision
        out.add_bool(gguf.Keys.Clip.HAS_VISION_ENCODER, True)
        out.add_string(gguf.Keys.Clip.PROJECTOR_TYPE, "mlp")
        out.add_bool(vision.USE_GELU, True)
        out.add_uint32(vision.IMAGE_SIZE, SIDE)
        out.add_uint32(vision.PATCH_SIZE, PATCH)
        out.add_uint32(vision.EMBEDDING_LENGTH, WIDTH)
        out.add_uint32(vision.FEED_FORWARD_LENGTH, INNER)
        out.add_uint32(vision.PROJECTION_DIM, WIDTH)
        out.add_uint32(vision.BLOCK_COUNT, LAYERS)
        out.add_uint32(vision.Attention.HEAD_COUNT, HEADS)
        out.add_float32(vision.Attention.LAYERNORM_EPS, 1e-5)
        out.add_array(vision.IMAGE_MEAN, [0.48, 0.46, 0.41])
        out.add_array(vision.IMAGE_STD, [0.27, 0.26, 0.28])

    return fill, tensors


if __name__ == "__main__":
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "model.gguf"), "llama", *language_model(numpy.random.default_rng(5)))
    write(os.path.join(folder, "mmproj.gguf"), "clip", *vision_model(numpy.random.default_rng(6)))
