"""Item response models by marginal maximum likelihood, by girth: writes expected.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

try:
    from girth import onepl_mml, twopl_mml
except ImportError:
    print("skipped: girth is not installed (pip install girth==0.8.0)")
    sys.exit(77)

folder = Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else Path(__file__).parent

# girth integrates over this range with Gauss–Legendre nodes.
options = {"quadrature_n": 81, "quadrature_bounds": (-6, 6), "max_iteration": 2000}


def main():
    draws = np.random.default_rng(3)
    cases = []
    for model, people, items in [("common", 400, 12), ("own", 600, 15)]:
        slopes = np.full(items, 1.4) if model == "common" else draws.uniform(0.7, 2.2, items)
        difficulties = draws.normal(0, 1, items)
        abilities = draws.normal(0, 1, people)
        chance = 1 / (1 + np.exp(-slopes[:, None] * (abilities[None, :] - difficulties[:, None])))
        answers = (draws.uniform(size=chance.shape) < chance).astype(int)
        found = (onepl_mml if model == "common" else twopl_mml)(answers, options=options)
        cases.append(
            {
                "model": model,
                # One text of an item: the answer of each evaluator.
                "answers": ["".join(map(str, row)) for row in answers],
                "planted": {"discrimination": slopes.tolist(), "difficulty": difficulties.tolist()},
                "discrimination": np.broadcast_to(found["Discrimination"], items).tolist(),
                "difficulty": found["Difficulty"].tolist(),
            }
        )
    out = {
        "tolerance": 1e-6,
        "versions": {"girth": version("girth"), "numpy": np.__version__},
        "cases": cases,
    }
    (folder / "expected.json").write_text(json.dumps(out) + "\n")


main()
