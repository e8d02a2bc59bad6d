"""Maps fingerprints of weight files (names and shapes of tensors) to open_clip's architectures.

    python test/oracle/evaluator/architectures.py

writes src/evaluator/checkpoint/architectures.json: the architectures of each fingerprint. Models are built on
the device "meta", without weights. Architectures whose text encoder comes from the hub are not included.
"""

import hashlib
import json
import logging
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "python" / "site"))
import sitecustomize  # noqa: E402, F401, before anything imports torchvision
import open_clip  # noqa: E402
import torch  # noqa: E402

#: Buffers that only some versions save.
BUFFERS = ("attn_mask", "position_ids")


def fingerprint(state):
    """Returns a hash of the tensors' names and shapes. Ignores scalars (scales, biases, counters), because versions differ in them."""
    lines = [
        "{} {}\n".format(name, ",".join(map(str, tensor.shape)))
        for name, tensor in state.items()
        if len(tensor.shape) > 0 and not name.endswith(BUFFERS)
    ]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()[:16]


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    found = {}
    for name in sorted(open_clip.list_models()):
        try:
            # Without the device "meta", open_clip would initialise the weights in memory, which takes
            # gigabytes for the largest models.
            with torch.device("meta"):
                model = open_clip.create_model(name, device="meta", pretrained_hf=False)
        except OSError:
            print(name, "needs a configuration from the hub")
            continue
        found.setdefault(fingerprint(model.state_dict()), []).append(name)
    target = ROOT / "src" / "evaluator" / "checkpoint" / "architectures.json"
    target.write_text(json.dumps({"open_clip": open_clip.__version__, "models": dict(sorted(found.items()))}, indent=2) + "\n")
    print(len(found), "fingerprints")
