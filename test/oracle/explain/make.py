"""Shapley values of games without a formula, by the exact explainer of shap: writes shap.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np

try:
    import shap
except ImportError:
    print("skipped: shap is not installed (pip install shap==0.51.0)")
    sys.exit(77)

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here


def game(draws, players):
    """The value of each coalition. Bit i of an index says whether player i takes part."""
    values = np.round(draws.normal(size=2**players), 6)

    def value_of(rows):
        return values[(rows.astype(int) * 2 ** np.arange(players)).sum(axis=1)]

    explained = shap.explainers.Exact(value_of, np.zeros((1, players)))(np.ones((1, players)))
    return {"players": players, "values": values.tolist(), "shapley": explained.values[0].tolist()}


def main():
    draws = np.random.default_rng(50)
    found = {
        "versions": {"shap": shap.__version__, "numpy": np.__version__},
        "games": [game(draws, players) for players in (1, 2, 3, 5, 7, 8)],
    }
    (folder / "shap.json").write_text(json.dumps(found) + "\n")


main()
