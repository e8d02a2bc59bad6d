"""Writes the results of recompute.py on rows.jsonl to figures.json, or into --check DIR."""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
import statsmodels

from recompute import figures, read

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
(folder / "figures.json").write_text(
    json.dumps(
        {
            "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
            "tolerance": 1e-6,
            "figures": figures(read(here / "rows.jsonl"), 2),
        }
    )
    + "\n"
)
