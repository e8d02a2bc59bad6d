"""Token ids of difficult texts, by Hugging Face's own tokenizers.

    python test/oracle/evaluator/tokens.py

first writes test/fixtures/models/charsmap, a tokenizer with the character map that SentencePiece compiles into XLM-R
and similar models. Then reads the tokenizers of test/fixtures/models, except odd-*, and of .cache/models, if they were
downloaded, and writes test/oracle/evaluator/tokens.json.
"""

import json
import tempfile
from pathlib import Path

import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = Path(__file__).parent
ROOT = HERE.parent.parent.parent

TEXTS = [
    "",
    "   ",
    "\n\t\r\n",
    "a",
    "A man RIDING a Bike.",
    "  leading and trailing  ",
    "caf\u00e9 na\u00efve fa\u00e7ade \u00c5ngstr\u00f6m",
    "e\u0301 cafe\u0301 A\u030a",
    "emoji \U0001f600\U0001f469\u200d\U0001f469\u200d\U0001f467\U0001f3f3\ufe0f\u200d\U0001f308 end",
    "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7 flags \U0001f3fb",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",
    "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 \u4e2d\u6587",
    "\ud55c\uad6d\uc5b4 \u0e44\u0e17\u0e22 \u0939\u093f\u0928\u094d\u0926\u0940",
    "\U00020000\U00020001 rare ideographs \uf900 \U0002f800 \U0002a6de",
    "\u200b\u200e zero\u200bwidth\ufeff \u00ad soft hy\u00adphen",
    "\u00a0no-break\u3000ideographic\u2028line\u2029paragraph\u0085next\u000bvt\u000cff",
    "a\u0000b\u0001c\u007fd\ufffd\ue000",
    "x" * 150,
    "word " * 700,
    "don't can't I'm we'll they've it's",
    "3.14 1,000 $5 #tag @user http://a.b/c?d=e&f=g",
    "\ufb01 ligature \u00bd \u00b2 \u2167 \ufdfd",
    "\u0130stanbul ISTANBUL \u0131 \u00df \u1e9e \u03a3\u03c2\u03c3 \u01c5 \u0149",
    "\U0001d4ef\U0001d4ea\U0001d4f7 \U0001d54b\U0001d556 \uff26\uff35\uff2c\uff2c \uff8a\uff9d\uff76\uff78",
    "\u201csmart\u201d \u2018quotes\u2019 \u2014 dash \u2026 ellipsis \u00bfQu\u00e9? \u00a1S\u00ed!",
    "[CLS] [SEP] [MASK] [PAD] [UNK] a[SEP]b",
    "<|startoftext|> <|endoftext|> <s> </s> <unk> <pad>",
    "_under_score_ a-b-c \\ back / slash | pipe `~!@#$%^&*()",
    "\u0300\u0301 \u203c\ufe0f \u2122\ufe0f \u00b4 \u00a8 \u00af",
    "\u0663\u0664 \u096b\u096c \u00b9\u00b2\u00b3 \u2460",
    "\u061c\u2066bidi\u2069 \u180e \U000e0001tag",
    "\U00010400\U00010428 \u1fb3 \u1fbc \ua670",
    "y'all're 'tis 's 'S O'Neil",
    "a  b   c    d",
]


def charsmap():
    """Writes a tokenizer with XLM-R's special tokens and a vocabulary trained on TEXTS."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        lines = [text.strip() for text in TEXTS if text.strip() and len(text) < 300]
        corpus.write_text("\n".join(lines * 3))
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus),
            model_prefix=f"{folder}/pieces",
            vocab_size=260,
            hard_vocab_limit=False,
            normalization_rule_name="nmt_nfkc",
            character_coverage=1.0,
            minloglevel=2,
        )
        model = sentencepiece_model_pb2.ModelProto()
        model.ParseFromString(Path(f"{folder}/pieces.model").read_bytes())
    t = Tokenizer(models.Unigram([(p.piece, p.score) for p in model.pieces], unk_id=0))
    t.normalizer = normalizers.Sequence(
        [normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")]
    )
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    path = ROOT / "test/fixtures/models/charsmap"
    path.mkdir(parents=True, exist_ok=True)
    t.save(str(path / "tokenizer.json"), pretty=False)


def main():
    charsmap()
    found = sorted((ROOT / "test/fixtures/models").glob("[!o]*/tokenizer.json"))
    fetched = sorted((ROOT / ".cache/models").glob("*/tokenizer.json"))
    oracle = {"versions": {"tokenizers": tokenizers.__version__, "sentencepiece": sentencepiece.__version__}, "texts": TEXTS, "ids": {}}
    for path in [*found, *fetched]:
        t = Tokenizer.from_file(str(path))
        t.no_truncation()
        t.no_padding()
        oracle["ids"][path.parent.name] = [t.encode(text).ids for text in TEXTS]
    (HERE / "tokens.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
