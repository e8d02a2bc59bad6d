"""Logistic regression with an L2 penalty on differences of counts, by scikit-learn: writes expected.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np

try:
    import sklearn
    from sklearn.linear_model import LogisticRegression
except ImportError:
    print("skipped: scikit-learn is not installed (pip install scikit-learn==1.9.1)")
    sys.exit(77)

folder = Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else Path(__file__).parent


def case(rows, width, penalty, weights):
    # A difference and its negative, with half the weight each, give the loss of the difference alone.
    x = np.vstack([rows, -rows])
    y = np.repeat([1, 0], len(rows))
    model = LogisticRegression(C=1 / penalty, fit_intercept=False, solver="newton-cholesky", tol=1e-13, max_iter=1000)
    model.fit(x, y, sample_weight=np.tile(weights, 2) / 2)
    return {
        "rows": rows.tolist(),
        "width": width,
        "penalty": penalty,
        "weights": weights.tolist(),
        "coefficients": model.coef_[0].tolist(),
    }


def main():
    draws = np.random.default_rng(7)
    cases = []
    for n, width, penalty in [(40, 5, 1.0), (60, 12, 0.1), (30, 40, 2.0)]:
        rows = draws.poisson(0.4, (n, width)) - draws.poisson(0.4, (n, width)) + (draws.uniform(size=(n, width)) < 0.1)
        weights = draws.choice([0.0, 0.5, 1.0], n)
        cases.append(case(rows.astype(float), width, penalty, weights))
    found = {
        "tolerance": 1e-6,
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "cases": cases,
    }
    (folder / "expected.json").write_text(json.dumps(found) + "\n")


main()
