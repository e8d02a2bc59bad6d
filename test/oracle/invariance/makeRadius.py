"""score ~ a constant for each image + restricted cubic spline of the distance from the centre, by statsmodels."""
import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import statsmodels.api as sm

from splines import knots, spline

HERE = Path(__file__).parent
rng = np.random.default_rng(11)

places = []
for image in range(40):
    count = int(rng.integers(2, 6))
    radius = np.round(rng.uniform(0.02, 0.85, count), 6)
    score = np.round(0.3 + rng.normal(0, 0.05) - 0.1 * radius**2 + rng.normal(0, 0.01, count), 6)
    places.append({"radius": radius.tolist(), "score": score.tolist(), "image": image})

x = np.concatenate([place["radius"] for place in places])
y = np.concatenate([place["score"] for place in places])
image = np.concatenate([[place["image"]] * len(place["radius"]) for place in places])
t = knots(x)


constants = (image[:, None] == np.arange(len(places))[None, :]).astype(float)
full = sm.OLS(y, np.column_stack([constants, spline(x, t)])).fit()
f, p, df = full.compare_f_test(sm.OLS(y, constants).fit())
first = np.ceil(t[0] * 10) / 10
grid = [round(v, 1) for v in np.arange(first + 0.1, t[3], 0.1)]
slopes = full.params[-3:]
result = {
    "places": places,
    "f": float(f),
    "p": float(p),
    "df": [int(df), int(full.df_resid)],
    "first": float(first),
    "effects": {f"{v:.1f}": float((spline([v], t) - spline([first], t))[0] @ slopes) for v in grid},
    "versions": {name: version(name) for name in ("numpy", "statsmodels")},
}
out = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else HERE
(out / "radius.json").write_text(json.dumps(result, indent=1) + "\n")
