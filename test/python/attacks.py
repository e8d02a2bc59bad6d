"""Loads attacking weight files with every adapter, in one guarded process: attacks.py FILES MARKER allow|refuse. Prints what ran."""

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from captious.adapters import open_clip, sentence_transformers, torchmetrics, transformers, vqascore  # noqa: E402
from captious.faults import Refused  # noqa: E402
from captious.guard import guard  # noqa: E402

FILES, MARKER = Path(sys.argv[1]), Path(sys.argv[2])
PATHS = sorted(path for path in FILES.iterdir() if path.is_file() and path != MARKER)
MODEL = FILES / "model"
MODEL.mkdir(exist_ok=True)
auto = {"AutoConfig": "modeling.Attack", "AutoModel": "modeling.Attack"}
config = {"model_type": "clip", "architectures": ["CLIPModel"], "projection_dim": 8, "auto_map": auto}
(MODEL / "config.json").write_text(json.dumps(config))
(MODEL / "modeling.py").write_text("open({!r}, 'w')\n".format(str(MARKER)))
(MODEL / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": "modeling.Attack"}]))


def hashes():
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in PATHS]


guard({"model": str(MODEL)}, hashes() if sys.argv[3] == "allow" else [])
said = {"held": [], "ran": [], "loaded": []}


def attempt(name, act):
    try:
        act()
        said["loaded"].append(name)
    except (Exception, Refused):
        said["held"].append(name)
    if MARKER.exists():
        said["ran"].append(name)
        MARKER.unlink()


for path in PATHS:
    attempt("open_clip " + path.name, lambda: open_clip.Evaluator("ViT-S-32-alt", pretrained=str(path)))
    shutil.copy(path, MODEL / "pytorch_model.bin")
    attempt("transformers " + path.name, lambda: transformers.Evaluator(str(MODEL)))
    attempt("trusting transformers " + path.name, lambda: transformers.Evaluator(str(MODEL), trust_remote_code=True))
    attempt("torchmetrics " + path.name, lambda: torchmetrics.Evaluator("CLIPScore", model_name_or_path=str(MODEL)))
attempt("sentence-transformers", lambda: sentence_transformers.Evaluator(str(MODEL)))
attempt("trusting sentence-transformers", lambda: sentence_transformers.Evaluator(str(MODEL), trust_remote_code=True))
attempt("vqascore", lambda: vqascore.Evaluator(str(MODEL)))
print("said " + json.dumps(said))
os._exit(0)
