"""A second implementation of LGIP: every lgip.* metric of a report, from its rows, with NumPy and SciPy.

    python recompute.py REPORT                  compares a report with its rows; exits with 1 if a metric differs
    python recompute.py --rows ROWS --out FILE  writes the metrics of a rows file; with --as-in-paper, simple and
                                                advanced paraphrases follow the paper's markers

Values must agree within 1e-9, counts and ties exactly, and this script must know every metric of the report.
Intervals use other random numbers (BCa over images), so their ends agree up to a share of the width.
"""

import argparse
import json
import math
import os
import re
import sys
from collections import defaultdict

import numpy as np
import scipy
from scipy import special, stats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from keep_flips import reversals, threshold, wilson_clustered

TYPES = ("object", "color", "number")
PRIOR = {"color": 1 / 3, "number": 2 / 3, "object": 1.0}
MARKERS = re.compile("a photo of|an image of|a picture of|in this image|in the picture|this image shows", re.IGNORECASE)
BANDS = ((8, "1–8 words"), (11, "9–11 words"), (15, "12–15 words"), (math.inf, "16 words or more"))


def read_rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


class Figure:
    """Values, each with its image. `weights` are for a metric that is a ratio of two sums."""

    def __init__(self, rate=False):
        self.values, self.weights, self.pictures = [], [], []
        self.ties = 0
        self.rate = rate

    def add(self, value, picture, weight=1.0):
        self.values.append(value)
        self.weights.append(weight)
        self.pictures.append(picture)

    def value(self):
        total = math.fsum(self.weights)
        if not self.values or total <= 0:
            return None
        return math.fsum(v * w for v, w in zip(self.values, self.weights)) / total

    def sums(self):
        names, index = np.unique(np.asarray(self.pictures), return_inverse=True)
        top = np.bincount(index, np.asarray(self.values) * np.asarray(self.weights), len(names))
        return top, np.bincount(index, self.weights, len(names))


class Filter:
    """Keeps the top `percent` % of the run's captions. A change is reversed if only one of its two scores is kept."""

    rate = True

    def __init__(self, percent, originals, changes):
        self.values = changes
        scores, pairs = [score for score, _ in originals], [(before, after) for before, after, _ in changes]
        limit = threshold(scores, percent) if originals else None
        self.ties = sum(limit in pair for pair in pairs)
        self.reversed = reversals(scores, pairs, percent)

    def value(self):
        return mean(self.reversed) if self.values else None

    def ends(self):
        return wilson_clustered(self.reversed, [image for *_, image in self.values])


def interval(statistic, units, rng, resamples=10_000, level=0.95):
    """The BCa interval (Efron 1987). `statistic` receives how often each unit was drawn, one row per resample."""
    if units < 2:
        return None
    draws = rng.multinomial(units, np.full(units, 1 / units), size=resamples)
    with np.errstate(all="ignore"):
        replicates = statistic(draws)
        estimate = statistic(np.ones((1, units)))[0]
        jackknife = statistic(1 - np.eye(units))
    if not np.all(np.isfinite(replicates)) or not np.all(np.isfinite(jackknife)) or np.ptp(replicates) < 1e-13:
        return None
    share = np.mean(replicates < estimate - 1e-13) + np.mean(np.abs(replicates - estimate) <= 1e-13) / 2
    away = jackknife.mean() - jackknife
    if share in (0, 1) or not np.any(np.abs(away) > 1e-15):
        return None
    bias = special.ndtri(share)
    acceleration = np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)
    z = special.ndtri([(1 - level) / 2, (1 + level) / 2])
    at = special.ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))
    return [float(end) for end in np.quantile(replicates, at)]


def mean(values):
    return math.fsum(values) / len(values)


def band(words):
    return next(name for most, name in BANDS if words <= most)


def strengths(flips, alpha):
    """The strength of each flip, and whether distances count. If a flip has no distance, only the priors count."""
    prior = np.array([PRIOR[kind] for kind, *_ in flips])
    if any(distance is None for *_, distance in flips) or len(flips) == 0:
        return prior, False
    distance = np.array([d for *_, d in flips])
    low, high = np.quantile(distance, [0.05, 0.95])
    scaled = np.clip((distance - low) / (high - low), 0, 1) if high > low else np.zeros(len(distance))
    return alpha * prior + (1 - alpha) * scaled, True


def is_simple(paraphrase, as_in_paper):
    """With the literal rules the paper's markers decide, otherwise the rule that made the paraphrase."""
    return bool(MARKERS.search(paraphrase["text"])) if as_in_paper else paraphrase["kind"] == "template"


# The order of the numbers in each language.
NUMBERS = (
    "one two three four five".split(),
    "zwei drei vier fünf".split(),
    "dos tres cuatro cinco".split(),
    "deux trois quatre cinq".split(),
)


def words_of(text):
    return re.findall(r"\w+", text.lower())


def direction_of(caption, flip):
    before = words_of(caption[slice(*flip["was"])])
    after = words_of(flip["text"][slice(*flip["span"])])
    for numbers in NUMBERS:
        old = [numbers.index(word) for word in before if word in numbers]
        new = [numbers.index(word) for word in after if word in numbers]
        if old and new and old[0] != new[0]:
            return "larger" if new[0] > old[0] else "smaller"
    return None


def recompute(rows, alpha=0.5, as_in_paper=False, keep=(30,)):
    """Every metric by (id, slice). A slice is a sorted tuple of pairs."""
    figures = {}

    def figure(name, slices=(), rate=False):
        return figures.setdefault((name, tuple(sorted(slices))), Figure(rate))

    def gaps(name, values, picture, slices=()):
        if not values:
            return
        pattern = name if "{}" in name else name + "{}"
        figure(pattern.format("sens"), slices).add(mean(values), picture)
        caught = figure(pattern.format("pr"), slices, rate=True)
        caught.add(mean([float(gap > 0) for gap in values]), picture)
        caught.ties += sum(gap == 0 for gap in values)

    known, originals, changes = [], [], []
    for row in (row for row in rows if row["score"] is not None):
        score, picture, variants = row["score"], row.get("image") or row["example"], row["variants"]
        paraphrases = [v for v in variants if v["family"] == "paraphrase"]
        flips = [v for v in variants if v["family"] == "flip"]
        # Computed from the scores, not from the row's own deltas, because this script checks those.
        error = {id(v): abs(v["score"] - score) for v in paraphrases}
        originals.append((score, picture))
        changes += [(score, v["score"], picture) for v in paraphrases]
        for v in variants:
            assert math.isclose(v["delta"], v["score"] - score, abs_tol=1e-15), v
            if "gap" in v:
                assert v["gap"] == score - v["score"], v
        kinds = {
            "lgip.inv": paraphrases,
            "lgip.inv.simple": [v for v in paraphrases if is_simple(v, as_in_paper)],
            "lgip.inv.advanced": [v for v in paraphrases if not is_simple(v, as_in_paper)],
        }
        for name, chosen in kinds.items():
            if chosen:
                figure(name).add(mean([error[id(v)] for v in chosen]), picture)
        for v in paraphrases:
            figure("lgip.inv.pooled").add(error[id(v)], picture)
        if paraphrases:
            figure("lgip.inv", [("caption length", band(row["words"]))]).add(
                mean([error[id(v)] for v in paraphrases]), picture
            )
        for rule in {v["rule"] for v in paraphrases}:
            own = [error[id(v)] for v in paraphrases if v["rule"] == rule]
            figure("lgip.inv", [("rule", rule)]).add(mean(own), picture)

        own = [score - v["score"] for v in flips]
        gaps("lgip.{}", own, picture)
        if own and paraphrases:
            figure("lgip.margin").add(mean(own) - mean(list(error.values())), picture)
        gaps("lgip.{}", own, picture, [("caption length", band(row["words"]))])
        for gap in own:
            gaps("lgip.{}.pooled", [gap], picture)
        for v in flips:
            word = next(iter(words_of(row["text"][slice(*v["was"])])), "")
            for name in ["lgip.pr"] + (["lgip.pr." + v["kind"]] if v["kind"] in TYPES else []):
                caught = figure(name, [("unit", "replaced word")], rate=True)
                caught.add(float(score > v["score"]), word)
                caught.ties += score == v["score"]
            figure("lgip.sens", [("unit", "replaced word")]).add(score - v["score"], word)
            for name in ["lgip.margin"] + (["lgip.margin." + v["kind"]] if v["kind"] in TYPES else []):
                if paraphrases:
                    figure(name, [("unit", "replaced word")]).add(score - v["score"] - mean(list(error.values())), word)
        for kind in {v["kind"] for v in flips}:
            chosen = [score - v["score"] for v in flips if v["kind"] == kind]
            gaps("lgip.{}", chosen, picture, [("flip", kind)])
            if kind == "number":
                for direction in ("larger", "smaller"):
                    own = [score - v["score"] for v in flips if v["kind"] == kind and direction_of(row["text"], v) == direction]
                    gaps("lgip.{}", own, picture, [("flip", kind), ("direction", direction)])
            if kind in TYPES:
                gaps("lgip.{}." + kind, chosen, picture)
                if paraphrases:
                    figure("lgip.margin." + kind).add(mean(chosen) - mean(list(error.values())), picture)
        pair = len(known)
        known.append([(v["kind"], score - v["score"], picture, pair, v.get("distance")) for v in flips if v["kind"] in PRIOR])

        combined = [v for v in variants if v["family"] == "combined"]
        gaps("lgip.{}.combined", [score - v["score"] for v in combined], picture)
        against = [variants[v["of"]]["score"] - v["score"] for v in combined if "of" in v]
        gaps("lgip.{}.combined.vsParaphrase", against, picture)
        for kind in {v["kind"] for v in combined}:
            chosen = [score - v["score"] for v in combined if v["kind"] == kind]
            gaps("lgip.{}.combined", chosen, picture, [("flip", kind)])
        beyond = [v for v in variants if v["family"] == "beyond"]
        for kind in {v["kind"] for v in beyond}:
            gaps("lgip.beyond.{}." + kind, [score - v["score"] for v in beyond if v["kind"] == kind], picture)

        present = {"paraphrase": paraphrases, "advanced": kinds["lgip.inv.advanced"], "flip": flips}
        present |= {kind: [v for v in flips if v["kind"] == kind] for kind in TYPES}
        for what, chosen in present.items():
            figure("lgip.coverage." + what).add(float(bool(chosen)), picture)

    for percent in keep:
        figures[f"lgip.keepFlips@{percent}", ()] = Filter(percent, originals, changes)
    by_strength(figures, figure, gaps, [flip for flips in known for flip in flips], alpha)
    return figures


def by_strength(figures, figure, gaps, flips, alpha):
    strength, _ = strengths([(f[0], f[4]) for f in flips], alpha)
    weighted = figure("lgip.sens.weighted"), figure("lgip.pr.weighted", rate=True)
    for (_, gap, picture, *_), s in zip(flips, strength):
        weighted[0].add(gap, picture, s)
        weighted[1].add(float(gap > 0), picture, s)
        weighted[1].ties += gap == 0
    if not flips:
        return
    cuts = np.quantile(strength, [1 / 3, 2 / 3])
    bins = defaultdict(list)
    for (_, gap, picture, pair, _), s in zip(flips, strength):
        name = "weak" if s <= cuts[0] else "medium" if s <= cuts[1] else "strong"
        bins[name, pair, picture].append(gap)
    for (name, _, picture), values in bins.items():
        gaps("lgip.{}." + name, values, picture)


def increase(figures, rng=None):
    """(advanced − simple) / simple. Includes an interval if a generator is given."""
    before, after = figures.get(("lgip.inv.simple", ())), figures.get(("lgip.inv.advanced", ()))
    if before is None or after is None or not before.value():
        return None, None
    value = (after.value() - before.value()) / before.value()
    if not rng:
        return value, None
    pictures = sorted(set(before.pictures) | set(after.pictures))
    at = {name: i for i, name in enumerate(pictures)}
    sums = np.zeros((4, len(pictures)))
    for part, own in ((0, before), (2, after)):
        for v, picture in zip(own.values, own.pictures):
            sums[part, at[picture]] += v
            sums[part + 1, at[picture]] += 1
    def statistic(draws):
        b, nb, a, na = (draws @ line for line in sums)
        return (a / na - b / nb) / (b / nb)
    return value, interval(statistic, len(pictures), rng)


def check(path, tolerance):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    rows = read_rows(os.path.join(os.path.dirname(path), report["rows"]))
    options = report["options"]
    keep = [int(part.strip().rstrip("%")) for part in options.get("keep", "30").split(",")]
    figures = recompute(rows, options.get("alpha", 0.5), options.get("asInPaper", False), keep)
    rng = np.random.default_rng(7)
    wrong, worst, seen, compared = [], 0.0, set(), 0
    for metric in report["metrics"]:
        name, slices = metric["id"], tuple(sorted((metric.get("slice") or {}).items()))
        label = name + "".join(f" [{k}: {v}]" for k, v in slices)
        seen.add((name, slices))
        if name == "refused":  # counts answers, which rows do not have
            continue
        if name.endswith(".relative"):
            own = figures.get((name[: -len(".relative")], slices), Figure()).value()
            if own is not None and not math.isclose(own / report["spread"]["value"], metric["value"], abs_tol=1e-9):
                wrong.append(f"{label}: {metric['value']} in the report, {own / report['spread']['value']} here")
            continue
        if name == "lgip.inv.advancedIncrease":
            value, ends = increase(figures, rng)
            n, ties = None, None
        else:
            own = figures.get((name, slices), Figure())
            value, n, ties = own.value(), len(own.values), own.ties if own.rate else None
            ends = None
            if isinstance(own, Filter):
                ends = own.ends() if metric.get("ci") else None
            elif value is not None and metric.get("ci"):
                top, bottom = own.sums()
                by_word = ("unit", "replaced word") in slices
                if name.startswith("lgip.margin") or (by_word and not name.startswith("lgip.pr")):
                    ends = clustered(top, bottom)
                else:
                    ends = interval(lambda draws: (draws @ top) / (draws @ bottom), len(top), rng)
        if (value is not None) != (metric["value"] is not None):
            wrong.append(f"{label}: {metric['value']} in the report, {value} here")
            continue
        if value is not None:
            compared += 1
            worst = max(worst, abs(value - metric["value"]))
            if abs(value - metric["value"]) > 1e-9:
                wrong.append(f"{label}: {metric['value']} in the report, {value} here")
        if n is not None and n != metric["n"]:
            wrong.append(f"{label}: n {metric['n']} in the report, {n} here")
        if ties is not None and value is not None and ties != metric.get("ties"):
            wrong.append(f"{label}: {metric.get('ties')} ties in the report, {ties} here")
        if ends is not None and metric.get("ci"):
            width = ends[1] - ends[0]
            off = max(abs(a - b) for a, b in zip(ends, metric["ci"])) / width
            # With few images, resamples have few distinct values, so an interval end may jump to the next
            # value.
            if off > (tolerance if metric["n"] >= 30 else 0.35):
                wrong.append(f"{label}: interval {metric['ci']} in the report, {ends} here")
    for name, slices in figures.keys() - seen:
        wrong.append(f"{name} {dict(slices)}: not in the report")
    print(f"{compared} figures of {len(rows)} rows compared; the largest difference is {worst:.3g}")
    for line in wrong:
        print("WRONG", line)
    return 1 if wrong else 0


def as_json(figures):
    out = [
        {"id": name, "slice": dict(slices), "value": f.value(), "n": len(f.values), **({"ties": f.ties} if f.rate else {})}
        for (name, slices), f in sorted(figures.items())
        if f.values
    ]
    value, _ = increase(figures)
    out.append({"id": "lgip.inv.advancedIncrease", "slice": {}, "value": value, "n": len(figures["lgip.inv.advanced", ()].values)})
    return out


def clustered(top, bottom):
    """The interval of a clustered t-test (CR2), without a correction for skewness."""
    n, value = bottom.sum(), top.sum() / bottom.sum()
    error = np.sqrt((((top - value * bottom) ** 2) / (1 - bottom / n)).sum()) / n
    reach = stats.t.ppf(0.975, len(top) - 1) * error
    return value - reach, value + reach


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", nargs="?")
    parser.add_argument("--rows")
    parser.add_argument("--out")
    parser.add_argument("--as-in-paper", action="store_true")
    parser.add_argument("--interval-tolerance", type=float, default=0.15, help="share of the width (0.15)")
    args = parser.parse_args()
    if args.rows:
        versions = {"python": re.split(r"\s", sys.version)[0], "numpy": np.__version__, "scipy": scipy.__version__}
        figures = as_json(recompute(read_rows(args.rows), as_in_paper=args.as_in_paper))
        with open(args.out, "w", encoding="utf-8") as file:
            json.dump({"versions": versions, "figures": figures}, file, indent=1, ensure_ascii=False)
            file.write("\n")
        return 0
    return check(args.report, args.interval_tolerance)


if __name__ == "__main__":
    sys.exit(main())
