"""A second implementation of the invariance metrics, from the rows of a report alone.

  python recompute.py ROWS.jsonl RANGE [REPORT.json]

prints every metric or, with a report, the differences from it. RANGE is the width of the evaluator's range of scores: 2 for
a cosine, w for w · max(cosine, 0), 1 for SigLIP. makeFigures.py writes the metrics of the rows in this folder to a file.
"""

import json
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, stats
import statsmodels.api as sm

sys.path.insert(0, str(Path(__file__).parents[1]))
from keep_flips import reversals, wilson_clustered

LEAST = 1e-6
GAPS = {"0.3": 0.003, "0.5": 0.005, "0.7": 0.007, "1.0": 0.01}
BINS = ["0-10", "10-20", "20-35", "35-50", "50-70", "70-90", "90-100"]
WORDS = json.loads((Path(__file__).parents[3] / "src/perturb/words/fit.json").read_text())
FREQUENCY = dict(zip(WORDS["words"].split(" "), map(int, WORDS["counts"].split(" "))))
CATEGORIES = "person animal vehicle furniture kitchen sports electronics indoor outdoor".split()
RESAMPLES = 10_000
# With fewer images, there are no intervals and no tests.
FEWEST = 5
# Marks a failed fit. statsmodels fails on some samples with few images, where Captious finds the optimum.
NOT_FITTED = object()
# The quantile level of an interval end differs by up to this much (four standard deviations) between two runs of 10,000 resamples.
SLACK = 0.016


def median(values):
    """The same as numpy.median, which takes ten times as long for few values."""
    values = np.sort(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def bca_band(rows, clusters, statistic, rng):
    """Bounds for each end of a BCa interval over clusters, with room for the noise of resampling."""
    members = defaultdict(list)
    for row, cluster in enumerate(clusters):
        members[cluster].append(row)
    groups = [np.array(group) for group in members.values()]
    if len(groups) < FEWEST:
        return None
    estimate = statistic(np.arange(rows))
    draws = rng.integers(0, len(groups), size=(RESAMPLES, len(groups)))
    replicates = np.sort([statistic(np.concatenate([groups[g] for g in draw])) for draw in draws])
    spread = replicates[-1] - replicates[0]
    slip = 1e-13 * max(abs(replicates[0]), abs(replicates[-1]))
    if spread <= slip:
        return None
    jackknife = np.array(
        [statistic(np.concatenate([group for j, group in enumerate(groups) if j != i])) for i in range(len(groups))]
    )
    away = jackknife.mean() - jackknife
    if np.abs(away).max() <= 1e-15 * abs(estimate):
        return None
    acceleration = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    share = ((replicates < estimate - slip).sum() + (np.abs(replicates - estimate) <= slip).sum() / 2) / RESAMPLES
    if share in (0, 1):
        return None
    bias = stats.norm.ppf(share)
    ends = []
    for z in (stats.norm.ppf(0.025), stats.norm.ppf(0.975)):
        level = stats.norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
        low, high = np.quantile(replicates, [max(0, level - SLACK), min(1, level + SLACK)])
        ends.append([float(low), float(high)])
    return ends


class Cell:
    def __init__(self):
        self.before, self.after, self.photo, self.reference, self.category = [], [], [], [], []
        self.text, self.seam, self.background = [], [], []

    def add(self, before, after, photo, reference, category, text=None, seam=None, background=None):
        if abs(before) < LEAST:
            return
        for column, value in zip(
            (self.before, self.after, self.photo, self.reference, self.category, self.text, self.seam, self.background),
            (before, after, photo, reference, category, text, seam, background),
        ):
            column.append(value)

    def kept(self, mask):
        out = Cell()
        for name in vars(self):
            setattr(out, name, [value for value, keep in zip(getattr(self, name), mask) if keep])
        return out

    @property
    def units(self):
        return units(self.photo, self.text)

    @property
    def changes(self):
        before, after = np.array(self.before), np.array(self.after)
        return 100 * (after - before) / np.abs(before)


def units(photos, texts):
    """What observations are: images and, for changed words whose captions several images share, captions."""
    table = pd.DataFrame({"photo": list(photos), "text": list(texts)})
    if len(table) == 0 or table.text.isna().any() or table.groupby("text").photo.nunique().max() < 2:
        return [list(photos)]
    return [list(photos), list(texts)]


def larger_of(tests):
    """The larger p value of tests with their signs."""
    if any(p is None for p, _ in tests):
        return None
    signs = {sign for _, sign in tests if sign != 0}
    return 1 if len(signs) > 1 else max(p for p, _ in tests)


def figures(rows, width, intervals=True, keep=(30,)):
    rng = np.random.default_rng(1)
    out = {}

    def put(name, value, n, slice_=None, band=None):
        key = json.dumps([name, slice_], sort_keys=True)
        assert key not in out, key
        out[key] = {"value": float(value) if value is not None and value is not NOT_FITTED else None, "n": int(n)}
        if value is NOT_FITTED:
            out[key]["notFitted"] = True
        if band is not None:
            out[key]["ci"] = band

    def band(values, clusterings, statistic):
        if not intervals or len(values) == 0:
            return None
        return widest([bca_band(len(values), clusters, statistic, rng) for clusters in clusterings])

    def medians(prefix, cell, slice_=None):
        delta = np.array(cell.after) - np.array(cell.before)
        for name, values in {
            "median": cell.changes,
            "absMedian": np.abs(cell.changes),
            "delta": delta,
            "absDelta": np.abs(delta),
        }.items():
            value = np.median(values) if len(values) else None
            ends = band(values, cell.units, lambda drawn, v=values: median(v[drawn]))
            put(f"{prefix}.{name}", value, len(values), slice_, ends)

    def everything(prefix, cell):
        medians(prefix, cell)
        before, after = np.array(cell.before), np.array(cell.after)
        n = len(before)
        put(f"{prefix}.cliff", np.sign(after[:, None] - before[None, :]).mean() if n else None, n)
        put(f"{prefix}.p", larger_of([test(*means_by(before, after, unit)) for unit in cell.units]), n)
        put(f"{prefix}.beta1", *beta1(cell, n))
        risks(prefix, cell)

    def risks(prefix, cell, slice_=None):
        n = len(cell.before)
        shifts = (np.array(cell.after) - np.array(cell.before)) / width
        for name, gap in GAPS.items():
            larger = (shifts[None, :] - shifts[:, None]) > gap

            def risk(drawn, larger=larger):
                weights = np.bincount(drawn, minlength=n).astype(float)
                others = weights.sum() ** 2 - (weights**2).sum()
                return 0 if others == 0 else weights @ larger @ weights / others * (1 - 1 / n)

            put(f"{prefix}.rrf@{name}", larger.mean() if n else None, n, slice_, band(shifts, cell.units, risk))

    cells, axes, contrast, moved, layout, scored = defaultdict(Cell), defaultdict(Cell), Cell(), [], Cell(), []
    by_frequency = defaultdict(Cell)
    score_by = {"coverage": defaultdict(list), "category": defaultdict(list)}
    templated = any(row["source"] == "template" for row in rows)
    originals, decisions, swaps = [], [], Cell()
    for row in (row for row in rows if row["score"] is not None):
        main = (row["source"] == "template" and row["objects"] == "single") if templated else row["source"] == "dataset"
        photo = row.get("image", row["example"])
        thing = row.get("object")
        category = thing["category"] if thing else "not known"
        if main:
            originals.append((row["score"], photo, row["text"]))
            decisions += [
                (v["against"], v["score"], photo, v["axis"], row["text"])
                for v in row["variants"]
                if v["family"] not in ("neutral", "blur") and not (v["family"] == "gender" and v.get("natural") == "swapped")
            ]
            swap_neutral(swaps, row, photo, category)
        if main and thing and row["source"] == "template":
            score_by["coverage"][thing["bin"]].append((row["score"], photo, row["text"]))
            score_by["category"][category].append((row["score"], photo, row["text"]))
            scored.append((row["score"], thing["coverage"], thing["bin"], category, photo, row["text"]))
        for variant in row["variants"]:
            axis, family, name = variant["axis"], variant["family"], variant["variant"]
            reference = (photo, variant.get("againstText", row["text"]))
            text = row["text"] if axis == "societal" else None
            shift = (variant["against"], variant["score"], photo, reference, category, text)

            def each(slice_, shift=shift, key=(axis, family), name=name):
                cells[(*key, "", json.dumps(slice_, sort_keys=True))].add(*shift)
                if name:
                    cells[(*key, name, json.dumps(slice_, sort_keys=True))].add(*shift)

            if "natural" in variant:
                each({"captions": "natural", "rewrite": variant["natural"]})
                continue
            if not main:
                each({"captions": "dataset"} if row["source"] == "dataset" else {"objects": row["objects"]})
                continue
            each(None)
            if family != "neutral":
                axes[axis].add(*shift)
                if axis == "spatial" and family != "blur":
                    layout.add(*shift)
            if "seams" in variant:
                moved.append(variant["seams"])
            mask = thing.get("mask") if thing else None
            if mask and variant.get("transform", {}).get("op") == "move":
                move = variant["transform"]
                share = np.hypot(move["dx"], move["dy"]) / np.hypot(mask["width"], mask["height"])
                names = ["under 5 %", "5–15 %", "15–25 %", "25 % or more"]
                distance = names[int(np.searchsorted([0.05, 0.15, 0.25], share, side="right"))]
                cells[(axis, family, "", json.dumps({"distance": distance}))].add(*shift)
            if thing and family in ("vflip", "hflip"):
                each({"object": "person" if category == "person" else "non-person"})
            if axis != "societal" or family == "neutral" or not thing:
                continue
            found = FREQUENCY.get(name.lower(), 0)
            by_frequency["under 4" if found < 4 else "4 to 39" if found < 40 else "40 or more"].add(*shift)
            each({"object": "person" if category == "person" else "non-person"})
            each({"against": "no word"}, (row["score"], variant["score"], photo, row["text"], category, text))
            cells[(axis, family, "", json.dumps({"category": category}))].add(*shift)
        if main:
            at = {v["variant"]: v for v in row["variants"] if v["family"] == "reposition"}
            if "tl" in at and "br" in at:
                worst = [
                    max((at[a].get("seams") or {}).get(key) or 0 for a in ("tl", "br")) for key in ("seam", "background")
                ]
                contrast.add(at["tl"]["score"], at["br"]["score"], photo, (photo, row["text"], "tl"), category, None, *worst)

    for (axis, family, name, slice_), cell in cells.items():
        prefix = ".".join(part for part in ("invariance", axis, family, name) if part)
        if slice_ == "null":
            everything(prefix, cell)
        else:
            medians(prefix, cell, json.loads(slice_))
    for axis, cell in axes.items():
        everything(f"invariance.{axis}", cell)
    if contrast.before:
        prefix = "invariance.spatial.reposition"
        everything(f"{prefix}.br-tl", contrast)
        for share in (5, 10):
            over = {
                key: np.array(getattr(contrast, key)) > np.quantile(getattr(contrast, key), 1 - share / 100)
                for key in ("seam", "background")
            }
            over["either"] = over["seam"] | over["background"]
            for key, drop in over.items():
                medians(f"{prefix}.br-tl", contrast.kept(~drop), {"without": f"the top {share} % by {key}"})
        for name, key in (("backgroundChange", "background"), ("seamRatio", "seam")):
            values = [seams[key] for seams in moved if seams[key] is not None]
            put(f"{prefix}.{name}", np.median(values) if values else None, len(values))
    words = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["source"] == "template" and row["objects"] == "single":
            for variant in row["variants"]:
                if "valence" in variant:
                    words[variant["family"], variant["variant"]]["word"].append(variant["valence"]["word"])
                    words[variant["family"], variant["variant"]]["phrase"].append(variant["valence"]["phrase"])
    table = []
    for (family, name), places in words.items():
        changes = cells[("societal", family, name, "null")].changes
        if len(changes):
            table.append((family, places["word"][0], np.mean(places["phrase"]), np.median(changes)))
    for wanted in [None, *sorted({family for family, *_ in table})]:
        own = [line for line in table if wanted in (None, line[0])]
        for column, what in ((1, "word"), (2, "phrase")):
            x, y = [line[column] for line in own], [line[3] for line in own]
            rho = stats.spearmanr(x, y).statistic if len(own) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0 else None
            put(f"invariance.societal.valence.{what}", rho, len(own), {"family": wanted} if wanted is not None else None)
    families = defaultdict(dict)
    for (axis, family, name, slice_), cell in cells.items():
        if slice_ == "null" and name:
            families[f"invariance.{axis}.{family}"][name] = cell
    for name, groups in families.items():
        contrasts(put, band, name, groups)
        if name.startswith("invariance.societal.") and not name.endswith(".neutral"):
            for kind in ("person", "non-person"):
                key = json.dumps({"object": kind})
                own = {word: cells[(*name.split(".")[1:], word, key)] for word in groups if (*name.split(".")[1:], word, key) in cells}
                if own:
                    contrasts(put, band, name, own, {"object": kind})
    each_neutral(put, rows, templated)
    if templated:
        for what, order in (("coverage", BINS), ("category", CATEGORIES)):
            groups = score_by[what]
            for name in order:
                pairs = groups.get(name, [])
                values = np.array([score for score, *_ in pairs])
                keys = units([photo for _, photo, _ in pairs], [text for *_, text in pairs])
                ends = band(values, keys, lambda drawn, v=values: median(v[drawn]))
                value = np.median(values) if len(values) else None
                put(f"invariance.object.{what}.{name}.median", value, len(values), None, ends)
            ordered = {name: groups[name] for name in order if groups.get(name)}
            between(put, f"invariance.object.{what}.p", what, ordered)
    # A separate generator, so that the intervals above stay the same.
    rng = np.random.default_rng(2)
    if layout.before:
        everything("invariance.spatial.withoutBlur", layout)
    if templated:
        composition(put, band, scored)
    for frequency, cell in by_frequency.items():
        medians("invariance.societal", cell, {"frequency": frequency})
    rng = np.random.default_rng(3)
    axes_of = sorted({axis for *_, axis, _ in decisions})
    for percent in keep:
        for axis in [None, *axes_of]:
            own = [one for one in decisions if axis in (None, one[3])]
            filtered(put, rng if intervals else None, percent, originals, own, {"axis": axis} if axis else None)
    rng = np.random.default_rng(5)
    if swaps.before:
        risks("invariance.societal.neutral", swaps, {"against": "another neutral word"})
    return out


def swap_neutral(swaps, row, photo, category):
    """Adds each neutral word that a word of the row replaces, replaced by each other neutral word."""
    societal = [v for v in row["variants"] if v["axis"] == "societal"]
    neutral = {v["text"]: v["score"] for v in societal if v["family"] == "neutral" and "natural" not in v}
    replaced = {v["againstText"] for v in societal if v["family"] != "neutral" and "againstText" in v}
    for text in sorted(neutral.keys() & replaced):
        for other in sorted(neutral.keys() - {text}):
            swaps.add(neutral[text], neutral[other], photo, (photo, text), category, row["text"])


def filtered(put, rng, percent, originals, decisions, slice_):
    """The share of changes of which a filter keeps only one side. It keeps the top `percent` % of the originals."""

    reversed_ = reversals([one[0] for one in originals], [d[:2] for d in decisions], percent)
    value = np.mean(reversed_) if reversed_ else None
    ends = None
    if rng is not None and value is not None and len({d[2] for d in decisions}) >= FEWEST:
        photos, texts = [d[2] for d in decisions], [d[4] for d in decisions]
        if all(d[3] == "spatial" for d in decisions):
            texts = [None] * len(texts)
        bands = []
        for unit, own in enumerate(units(photos, texts)):
            exact = wilson_clustered(reversed_, list(own)) if unit == 0 or len(set(own)) >= FEWEST else None
            bands.append(None if exact is None else [[end - 1e-9, end + 1e-9] for end in exact])
        ends = widest(bands)
    put(f"invariance.keepFlips@{percent}", value, len(decisions), slice_, ends)


def composition(put, band, scored):
    score = np.array([one[0] for one in scored])
    cell = np.array([f"{one[3]} {one[2]}" for one in scored])
    keys = units([one[4] for one in scored], [one[5] for one in scored])
    for name in CATEGORIES:
        for size in BINS:
            count = int((cell == f"{name} {size}").sum())
            if count:
                slice_ = {"category": name, "coverage": size}
                put("invariance.object.balance", count / len(scored), count, slice_)
    if not scored:
        put("invariance.object.mean", None, 0)
        put("invariance.object.balanced", None, 0)
    else:
        def balanced(drawn):
            return np.mean([score[drawn][cell[drawn] == one].mean() for one in np.unique(cell[drawn])])

        def plain(drawn):
            return score[drawn].mean()

        for name, statistic in (("mean", plain), ("balanced", balanced)):
            value = statistic(np.arange(len(score)))
            put(f"invariance.object.{name}", value, len(score), None, band(score, keys, statistic))
    table = pd.DataFrame(scored, columns=["score", "coverage", "bin", "category", "photo", "text"])
    means = table.groupby("text", sort=False).agg({"score": "mean", "coverage": "mean", "category": "first"})
    for name in ("category", "coverage"):
        tests = [effect(table, name)]
        if len(keys) > 1:
            tests.append(effect(means, name) if name == "category" else within(table))
            if len(means) < FEWEST:
                tests[1] = None
        put(f"invariance.object.{name}.adjusted.p", larger_of([(p, 0) for p in tests]), len(scored))


def effect(table, tested):
    """The F-test of the category or of the coverage, each with the other as covariate."""
    present = [name for name in CATEGORIES if (table.category == name).any()]
    kinds = np.array([[float(one == name) for name in present[1:]] for one in table.category]).reshape(len(table), -1)
    size = spline(table.coverage.to_numpy())
    rest, extra = (size, kinds) if tested == "category" else (kinds, size)
    return nested(table.score, np.column_stack([np.ones((len(table), 1)), rest]), extra)


def within(table):
    """The F-test of the coverage with a dummy variable for each caption."""
    captions = pd.get_dummies(table.text).to_numpy(dtype=float)
    return nested(table.score, captions, spline(table.coverage.to_numpy()))


def nested(score, rest, extra):
    whole = np.column_stack([rest, extra])
    fits = np.isfinite(whole).all() and np.linalg.matrix_rank(whole) == whole.shape[1]
    if not extra.shape[1] or len(whole) <= whole.shape[1] or not fits:
        return None
    return sm.OLS(score.to_numpy(), whole).fit().compare_f_test(sm.OLS(score.to_numpy(), rest).fit())[1]


def spline(x):
    if len(x) == 0:
        return np.zeros((0, 3))
    t = np.quantile(x, [0.05, 0.35, 0.65, 0.95])

    def cube(v):
        return np.maximum(0, v) ** 3

    with np.errstate(all="ignore"):
        bent = [
            (cube(x - k) - cube(x - t[2]) * (t[3] - k) / (t[3] - t[2]) + cube(x - t[3]) * (t[2] - k) / (t[3] - t[2]))
            / (t[3] - t[0]) ** 2
            for k in t[:2]
        ]
    return np.column_stack([x, *bent])


def widest(bands):
    if any(band is None for band in bands):
        return None
    low, high = (np.array([band[i] for band in bands]) for i in (0, 1))
    return [low.min(axis=0).tolist(), high.max(axis=0).tolist()]


def means_by(before, after, unit):
    table = pd.DataFrame({"before": before, "after": after, "unit": unit}).groupby("unit", sort=False).mean()
    return table["before"].to_numpy(), table["after"].to_numpy()


def test(before, after):
    difference = after - before
    return p_of_pairs(before, after, difference), np.sign(difference.mean()) if len(difference) else 0


def p_of_pairs(before, after, difference):
    if len(before) < FEWEST:
        return None

    def normal(sample):
        if len(sample) < 3 or np.ptp(sample) == 0:
            return False
        return stats.shapiro(sample).pvalue >= 0.05

    if normal(before) and normal(after):
        if len(difference) < 2 or np.ptp(difference) == 0:
            return None
        return stats.ttest_rel(after, before).pvalue
    if not difference.any():
        return None
    return stats.wilcoxon(after, before).pvalue


def beta1(cell, n):
    """The effect of the change in a mixed model with intercepts for images and, if separable, for categories."""
    table, seen = [], set()
    for before, after, photo, reference, category, text in zip(
        cell.before, cell.after, cell.photo, cell.reference, cell.category, cell.text
    ):
        if reference not in seen:
            seen.add(reference)
            table.append((before, 0.0, photo, category, text))
        table.append((after, 1.0, photo, category, text))
    data = pd.DataFrame(table, columns=["score", "changed", "photo", "category", "text"])
    data["all"] = 1
    crossed = data.category.nunique() > 1 and not one_to_one(data.photo, data.category)
    parts = {"photo": "0 + C(photo)"}
    if crossed:
        parts["category"] = "0 + C(category)"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = sm.MixedLM.from_formula("score ~ changed", groups="all", vc_formula=parts, data=data)
            fits = [model.fit(reml=True, method=method) for method in ("lbfgs", "powell")]
        except (np.linalg.LinAlgError, ValueError, ZeroDivisionError):
            return NOT_FITTED, n
    fit = max(fits, key=lambda fit: fit.llf)
    ratio = dict(zip(model.exog_vc.names, fit.vcomp))["photo"] / fit.scale
    ends = widest([robust(data, fit.fe_params.to_numpy(), ratio, unit) for unit in units(data.photo, data.text)])
    return fit.params["changed"], n, None, ends


def robust(data, coefficients, ratio, unit):
    """The interval with clustered standard errors, from dense matrices, with room for another optimum."""
    clusters = len(set(unit))
    if clusters < FEWEST:
        return None
    x = np.column_stack([np.ones(len(data)), data.changed])
    residual = data.score - x @ coefficients
    residual = (residual - residual.groupby(data.category).transform("mean")).to_numpy()
    same = data.photo.to_numpy()[:, None] == data.photo.to_numpy()[None, :]
    covariance = np.eye(len(data)) + ratio * same
    weight = np.linalg.inv(covariance)
    inverse = np.linalg.inv(x.T @ weight @ x)
    along = (inverse @ x.T @ weight)[1]
    member = np.array([[own == one for own in unit] for one in dict.fromkeys(unit)], dtype=float)
    scores = member @ (along * residual)
    # What the model says of these sums: in the errors (without covariances of clusters), and in the residuals.
    parts = member * along
    full = np.diag(np.diag(parts @ covariance @ parts.T))
    left = full - parts @ x @ inverse @ x.T @ parts.T
    # As a jackknife does, for clusters of equal size G / (G - 1).
    root = np.diag(np.diag(full) / np.diag(left) * np.sqrt((clusters - 1) / clusters))
    error = np.sqrt((root @ scores) @ (root @ scores))
    left = root @ left @ root
    degrees = np.trace(left) ** 2 / np.trace(left @ left)
    skewness = stats.skew(scores, bias=False)
    corrects = degrees + 1 < 36 * skewness**2
    slack = 1e-3 * error + 1e-4 * abs(coefficients[1])
    ends = [coefficients[1] - side * reach(side, degrees, skewness if corrects else 0) * error for side in (1, -1)]
    return [[float(end - slack), float(end + slack)] for end in ends]


def reach(side, degrees, skewness):
    """How many standard errors an end is from the estimate: where the larger tail of Student's and Hall's is 2.5 %."""
    root = np.sqrt(degrees + 1)

    def excess(t):
        s = side * t / root
        hall = root * (s + skewness * s**2 / 3 + skewness**2 * s**3 / 27 + skewness / (6 * root**2))
        return max(stats.t.sf(t, degrees), stats.t.sf(side * hall, degrees)) - 0.025

    return optimize.brentq(excess, 0, 1e3, xtol=1e-12)


def one_to_one(a, b):
    together = pd.concat([a, b], axis=1).drop_duplicates()
    return len(together) == a.nunique() == b.nunique()


def holm(raw):
    order = np.argsort(raw, kind="stable")
    adjusted, highest = np.empty(len(raw)), 0.0
    for place, at in enumerate(order):
        highest = max(highest, min(1.0, raw[at] * (len(raw) - place)))
        adjusted[at] = highest
    return adjusted


def between(put, name, what, groups):
    """Tests of groups of different images, on the means of images and of captions in each group."""
    table = pd.DataFrame(
        [(key, *pair) for key, pairs in groups.items() for pair in pairs], columns=["group", "score", "photo", "text"]
    )
    names = list(groups)
    if len(names) < 2 or table.photo.nunique() < FEWEST or table.groupby("photo").score.mean().nunique() < 2:
        put(name, None, len(table))
        return

    def test(own, of):
        found = []
        for column, keys in zip(("photo", "text"), units(own.photo, own.text)):
            means = own.groupby(["group", column]).score.mean()
            few = column == "text" and len(set(keys)) < FEWEST
            found.append((None, 0) if few else of([means[key].to_numpy() for key in names if key in set(own.group)]))
        return larger_of(found)

    def ranks(pair):
        result = stats.mannwhitneyu(*pair)
        return result.pvalue, np.sign(2 * result.statistic - len(pair[0]) * len(pair[1]))

    put(name, test(table, lambda means: (stats.kruskal(*means).pvalue, 0)), len(table))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    raw = [test(table[table.group.isin(pair)], ranks) for pair in pairs]
    adjusted = iter(holm([p for p in raw if p is not None]))
    for (a, b), p in zip(pairs, raw):
        count = len(groups[a]) + len(groups[b])
        put(name, None if p is None else next(adjusted), count, {what: a, "against": b})


def contrasts(put, band, prefix, groups, kind=None):
    """Variants of a family on the same images: changes from the same score, averaged by image. A kind of object only gets sizes."""
    frames = []
    for name, cell in groups.items():
        delta = np.array(cell.after) - np.array(cell.before)
        frames.append(
            pd.DataFrame(
                {
                    "name": name,
                    "photo": cell.photo,
                    "text": cell.text,
                    "reference": [str(one) for one in cell.reference],
                    "delta": delta,
                    "change": cell.changes,
                }
            )
        )
    table = pd.concat(frames)
    n = len(table)
    table = table.drop_duplicates(["name", "reference"], keep="last")
    names = [name for name in groups if (table.name == name).any()]
    pairs, linked = [], {name: {name} for name in names}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            both = table[table.name == a].merge(table[table.name == b], on=["photo", "text", "reference"])
            if both.empty:
                continue
            for name in linked[a] | linked[b]:
                linked[name] = linked[a] | linked[b]
            own = both.assign(delta=both.delta_x - both.delta_y, change=both.change_x - both.change_y)
            names_of_units = ["photo", "text"][: len(units(own.photo, own.text))]
            means = [own.groupby(unit, sort=False)[["delta", "change"]].mean() for unit in names_of_units]
            pairs.append((a, b, len(both), means, larger_of([signed_rank(one.delta) for one in means])))
    tested = [pair for pair in pairs if pair[4] is not None]
    adjusted = iter(holm([pair[4] for pair in tested]))
    found = []
    for part in {frozenset(names) for names in linked.values() if len(names) > 1}:
        own, tests = table[table.name.isin(part)], []
        for unit in ["photo", "text"][: len(units(own.photo, own.text))]:
            wide = own.pivot_table(index=unit, columns="name", values="delta", aggfunc="mean")
            wide = wide[wide.notna().sum(axis=1) > 1]
            tests.append((skillings_mack(wide.to_numpy()) if len(wide) >= FEWEST else None, 0))
        found.append(larger_of(tests))
    found = [p for p in found if p is not None]
    if kind is None:
        put(f"{prefix}.between", min(1, min(found) * len(found)) if found else None, n)
    for a, b, rows, means, raw in pairs:
        slice_ = {"variant": a, "against": b} | (kind or {})
        if kind is None:
            put(f"{prefix}.between", None if raw is None else next(adjusted), rows, slice_)
        for name, column in (("contrast", "change"), ("contrastDelta", "delta")):
            values = [one[column].to_numpy() for one in means]
            ends = widest(
                [band(v, [list(range(len(v)))], lambda drawn, v=v: median(v[drawn])) for v in values]
            )
            put(f"{prefix}.{name}", np.median(values[0]), rows, slice_, ends)
    if kind is None and prefix.startswith("invariance.societal.") and not prefix.endswith(".neutral"):
        sizes = [abs(np.median(means[0].change)) for *_, means, _ in pairs]
        put(f"{prefix}.gap", max(sizes) if sizes else None, n)


def signed_rank(means):
    means = np.asarray(means)
    usable = len(means) >= FEWEST and means.any()
    return stats.wilcoxon(means).pvalue if usable else None, np.sign(np.median(means))


def each_neutral(put, rows, templated):
    """Each adjective against every neutral word that half of its images have: the largest p, or 1 if the signs differ."""
    changes, count = defaultdict(dict), defaultdict(int)
    for row in rows:
        main = row["source"] == "template" and row["objects"] == "single" if templated else row["source"] == "dataset"
        if row["score"] is None or abs(row["score"]) < 1e-6 or not main or not row.get("object"):
            continue
        photo = row.get("image", row["example"])
        controls = {v["text"] for v in row["variants"] if v["family"] == "neutral"}
        for v in row["variants"]:
            if v["axis"] != "societal" or "natural" in v:
                continue
            if v["family"] != "neutral" and v["againstText"] not in controls:
                continue
            key = v["family"], v["variant"]
            changes[key][photo, row["text"]] = v["score"] - row["score"]
            count[key] += 1

    for key, own in changes.items():
        if key[0] == "neutral":
            continue
        found = []
        for other, theirs in changes.items():
            shared = sorted(own.keys() & theirs.keys()) if other[0] == "neutral" else []
            both = pd.DataFrame([(*place, own[place] - theirs[place]) for place in shared], columns=["photo", "text", "delta"])
            if both.photo.nunique() < max(FEWEST, len({photo for photo, _ in own}) / 2):
                continue
            keys = units(both.photo, both.text)
            if min(len(set(key)) for key in keys) < FEWEST:
                continue
            tests = [signed_rank(both.delta.groupby(np.array(key, dtype=object)).mean()) for key in keys]
            p = larger_of(tests)
            found.append((tests[0][1], 1 if p is None else p))
        same = len({side for side, _ in found}) == 1 and found[0][0] != 0
        value = None if not found else max(p for _, p in found) if same else 1
        put(f"invariance.societal.{key[0]}.{key[1]}.p", value, count[key], {"against": "each neutral word"})


def skillings_mack(values):
    """Skillings and Mack (1981), with the permutation variance of tied ranks, and a pseudo-inverse."""
    k = values.shape[1]
    total, covariance = np.zeros(k), np.zeros((k, k))
    for block in values:
        there = np.flatnonzero(~np.isnan(block))
        ranks = stats.rankdata(block[there])
        spread = ranks.var(ddof=1)
        if spread == 0:
            continue
        total[there] += np.sqrt(len(there) / spread) * (ranks - ranks.mean())
        covariance[np.ix_(there, there)] += len(there) * np.eye(len(there)) - 1
    if np.linalg.matrix_rank(covariance) < k - 1:
        return None
    return stats.chi2.sf(total @ np.linalg.pinv(covariance) @ total, k - 1)


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def differences(found, report):
    theirs = {json.dumps([m["id"], m.get("slice")], sort_keys=True): m for m in report["metrics"]}
    for key in sorted(set(found) | set(theirs)):
        if key not in found or key not in theirs:
            # A pair of groups may be in either order.
            name, slice_ = json.loads(key)
            if slice_ and "against" in slice_ and slice_["against"] not in ("no word", "each neutral word"):
                what = next(k for k in slice_ if k not in ("against", "object"))
                turned = json.dumps([name, slice_ | {what: slice_["against"], "against": slice_[what]}], sort_keys=True)
                if (turned in found) != (key in found) or (turned in theirs) != (key in theirs):
                    continue
            yield f"{key}: only {'here' if key in found else 'in the report'}"
            continue
        mine, other = found[key], theirs[key]
        if mine["n"] != other["n"]:
            yield f"{key}: n {mine['n']} here, {other['n']} in the report"
        if "notFitted" in mine:
            continue
        if (mine["value"] is not None) != (other["value"] is not None):
            yield f"{key}: {mine['value']} here, {other['value']} in the report ({other.get('note')})"
        elif mine["value"] is not None:
            tolerance = 1e-4 if key.startswith('["invariance') and ".beta1" in key else 1e-9
            if abs(mine["value"] - other["value"]) > tolerance * max(1, abs(mine["value"])):
                yield f"{key}: {mine['value']} here, {other['value']} in the report"
        if "ci" in other and "ci" in mine:
            for end, (low, high) in zip(other["ci"], mine["ci"]):
                if not low - 1e-9 <= end <= high + 1e-9:
                    yield f"{key}: an end at {end}, expected from {low} to {high}"


if __name__ == "__main__":
    made = figures(read(sys.argv[1]), float(sys.argv[2]), intervals="--no-intervals" not in sys.argv)
    if len(sys.argv) > 3 and sys.argv[3].endswith(".json"):
        with open(sys.argv[3], encoding="utf-8") as file:
            found = list(differences(made, json.load(file)))
        print("\n".join(found) or f"{len(made)} figures agree.")
    else:
        print(json.dumps(made, indent=1))
