"""The functions of the module: audit, compare, check and load."""

from __future__ import annotations

import heapq
import json
import os
import re
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from captious._data import written
from captious._gate import Gate
from captious._live import Checkpoint, named
from captious._report import Report, Single, table
from captious._run import CaptiousError, asked, audited

if TYPE_CHECKING:
    from pandas import DataFrame as Table

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path], Mapping[str, Path]]
#: A report, or the path of its file.
AnyReport = Union[Report, Path]

METHODS = ("embed_images", "embed_texts", "score")
COMPARED = (
    *("metric", "difference", "low", "high", "p", "adjusted", "n", "images", "better", "verdict", "note"),
    *("first", "second", "value_first", "value_second", "probe"),
)
WORST_SHOWN = 5


class CheckFailed(AssertionError):
    """A check that does not hold."""


def audit(
    data: Any,
    probe: Union[str, Sequence[str]],
    evaluator: Any,
    *,
    images: Optional[Paths] = None,
    out: Optional[Path] = None,
    limit: Optional[int] = None,
    seed: Optional[int] = None,
    seeds: Optional[int] = None,
    options: Optional[Mapping[str, Any]] = None,
    map: Optional[Mapping[str, str]] = None,
    references: Optional[Path] = None,
    text_only: bool = False,
    yes: bool = False,
    progress: bool = True,
    more: Sequence[str] = (),
) -> Report:
    """Audits evaluators with probes and returns the reports.

    Args:
        data: The path of a dataset (a file, a folder or a pattern); or a DataFrame of pandas or polars, a
            ``datasets.Dataset``, a dict of columns, or an iterable of dicts (or of batches, like a ``DataLoader``) with
            ``image`` and ``caption`` or ``captions``. An image is a path, a PIL image, the bytes of a file, or an array
            of height × width × 3. Rows are streamed.
        probe: One probe or several, such as ``"lgip"``.
        evaluator: An object with ``embed_images``, ``embed_texts`` or ``score``, which stays in this process; a reference
            as on the command line, such as ``"starter"`` or ``"open_clip:ViT-B-32?pretrained=x.pt"``; a list of these;
            or a dict that names objects.
        images: The folders with the images of the data; a dict ``{beginning of names: folder}`` as in ``--images FROM=DIR``.
            For data in memory, paths are relative to the working folder by default.
        out: The folder for reports, rows, and data that is in memory. Without it, the reports about a dataset file are in
            Captious's home folder; data in memory and the reports about it are deleted with the last Report about them.
        limit: Only the first examples.
        seed: The seed of the perturbations (42 by default).
        seeds: How many draws of the variants to make, with consecutive seeds (lgip and long). By default 5 if fewer than
            1,000 captions are read, otherwise 1.
        options: Options of probes, such as ``{"lgip.asInPaper": True}``.
        map: Which column holds what, such as ``{"image": "photo", "caption": "words"}``.
        references: A file of reference captions, for evaluators that need them.
        text_only: Compare captions with captions only (rococo).
        yes: Consent to requests to endpoints and to the code that evaluator files name, as ``--yes``.
        progress: Show a progress bar if tqdm is installed.
        more: Further words of ``captious audit``, such as ``["--threads", "4"]``.

    Raises:
        CaptiousError: The audit failed. If code of the evaluator raised, its exception is the ``__cause__``.
    """
    held, refs = evaluators_of(evaluator)
    path = os.path.abspath(os.path.expanduser(os.fspath(data))) if isinstance(data, (str, os.PathLike)) else None
    folders = folder_options(images)
    keep: Optional[Kept] = None
    place = None if out is None else os.path.abspath(os.path.expanduser(os.fspath(out)))
    if path is None:
        if place is None:
            keep = Kept()
            place = os.path.join(keep.folder, "reports")
        data_folder = os.path.join(place if keep is None else keep.folder, "data")
        done = written(data, data_folder, images is not None, map or {})
        path, folders = done.path, folders + done.options
    probes = [probe] if isinstance(probe, str) else list(probe)
    words = ["audit", *folders]
    for name, value in (("out", place), ("limit", limit), ("seed", seed), ("seeds", seeds), ("references", references)):
        # With "=", because a value may begin with a dash.
        words += [] if value is None else ["--{}={}".format(name, os.fspath(value) if isinstance(value, os.PathLike) else value)]
    for key, value in (options or {}).items():
        words += ["--set", "{}={}".format(key, json.dumps(value) if isinstance(value, bool) else value)]
    if map:
        words += ["--map", ",".join("{}={}".format(*item) for item in map.items())]
    words += ["--text-only"] * text_only + ["--yes"] * yes
    for one in probes:
        words += ["--probe", one]
    for ref in refs:
        words += ["--evaluator", ref]
    reports = audited([*words, *more, path], held, progress)
    return Report([Single(report) for report in reports], keep)


def compare(a: AnyReport, b: AnyReport, *others: AnyReport, margin: Optional[float] = None) -> Table:
    """Compares reports of the same data with paired tests, metric by metric.

    ``difference`` is second minus first with its 95 % interval, ``p`` the p value of the paired test, and ``adjusted`` the
    one after Holm's correction. Both are empty if there are too few images for a test. With several probes, each probe that
    all reports have is compared. ``margin`` also tests whether the second is at most that much worse (``not_worse``).
    """
    given = [load(report) if not isinstance(report, Report) else report for report in (a, b, *others)]
    shared = [probe for probe in given[0].probes if all(probe in report.probes for report in given)]
    if not shared:
        raise CaptiousError("The reports have no probe in common: {}.".format("; ".join(", ".join(one.probes) for one in given)))
    rows: List[Dict[str, Any]] = []
    for probe in shared:
        paths = [path for report in given for path in report[probe].paths]
        words = [] if margin is None else ["--margin={}".format(margin)]
        result = json.loads(asked(["compare", *paths, "--json", *words]))
        if not result["pairs"]:
            reasons = [result.get("notCompared") or "", *("They differ in {}.".format(one) for one in result["differences"])]
            raise CaptiousError("The reports of {} have no rows to compare. {}".format(probe, " ".join(filter(None, reasons))).rstrip())
        rows += compared(result, margin is not None)
    return table(rows, COMPARED + (() if margin is None else ("not_worse",)))


def check(report: AnyReport, condition: str, *, allow_lost: int = 0) -> None:
    """Raises CheckFailed, an AssertionError, unless the condition holds for each evaluator of the report.

    The condition compares metrics and numbers, as in ``"lgip.pr >= 0.7 && lgip.pr.n >= 200"``. ``lgip.pr.low`` and
    ``lgip.pr.high`` are the ends of an interval. The error says the values, the verdicts and the worst failures. It is also
    raised if more than ``allow_lost`` examples could not be scored, because the metrics then speak only of the others.
    """
    whole = report if isinstance(report, Report) else load(report)
    for evaluator in whole.evaluators:
        singles = [one._only() for one in whole[evaluator]]
        lost = sum(lost_of(single.content["dataset"]) for single in singles)
        if lost > allow_lost:
            raise CheckFailed("{}: {} examples could not be scored. To accept them: allow_lost={}.".format(evaluator, lost, lost))
        gate = Gate(condition, [metric for single in singles for metric in single.metrics()])
        if not gate.holds():
            raise CheckFailed(failed_words(evaluator, condition, gate, singles))


def load(*paths: Path) -> Report:
    """Opens report files, such as those of the command line."""
    return Report([Single(os.path.abspath(os.fspath(path))) for path in paths])


class Kept:
    """A temporary folder that is deleted when nothing refers to it any more, or when Python ends."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="captious-")
        self._finalizer = weakref.finalize(self, shutil.rmtree, self.folder, True)


def evaluators_of(evaluator: Any) -> Tuple[Dict[str, object], List[str]]:
    """The objects by name, and references to all evaluators."""
    if isinstance(evaluator, Mapping):
        wrong = next((name for name in evaluator if not re.fullmatch(r"[\w.@+-]+", str(name))), None)
        if wrong is not None:
            raise CaptiousError("The name {!r} has other characters than letters, digits and ._@+-.".format(wrong))
        held = {str(name): require_methods(one) for name, one in evaluator.items()}
        return held, ["live:" + name for name in held]
    given = list(evaluator) if isinstance(evaluator, (list, tuple)) else [evaluator]
    held = named([require_methods(one) for one in given if not isinstance(one, (str, os.PathLike))])
    names = iter(held)
    return held, [os.fspath(one) if isinstance(one, (str, os.PathLike)) else "live:" + next(names) for one in given]


def require_methods(given: Any) -> Any:
    one = given.held if isinstance(given, Checkpoint) else given
    if isinstance(one, type):
        raise CaptiousError("The evaluator is the class {}. Pass an object, as in {}().".format(one.__name__, one.__name__))
    if not any(callable(getattr(one, method, None)) for method in METHODS):
        raise CaptiousError("{} has none of the methods {}.".format(type(one).__name__, ", ".join(METHODS)))
    return given


def folder_options(images: Optional[Paths]) -> List[str]:
    if images is None:
        return []
    if isinstance(images, Mapping):
        found = ["{}={}".format(name, os.path.abspath(os.fspath(folder))) for name, folder in images.items()]
    else:
        given = [images] if isinstance(images, (str, os.PathLike)) else list(images)
        found = [os.path.abspath(os.path.expanduser(os.fspath(folder))) for folder in given]
    for named in found:
        folder = named.partition("=")[2] if isinstance(images, Mapping) else named
        if not os.path.exists(folder):
            raise CaptiousError("{}: this folder of images does not exist. Correct the argument images.".format(folder))
    return [word for folder in found for word in ("--images", folder)]


def compared(result: Dict[str, Any], with_margin: bool) -> List[Dict[str, Any]]:
    values = {metric["name"]: metric["values"] for metric in result["metrics"]}
    rows = []
    for pair in result["pairs"]:
        first, second = pair["first"], pair["second"]
        own = values.get(pair["metric"], [None] * len(result["names"]))
        tested = pair.get("tooFew") is None
        low, high = (pair.get("ci") or (None, None)) if tested else (None, None)
        few = {"texts": "captions"}.get(pair.get("tooFew"), pair.get("tooFew"))
        notes = [] if tested else ["too few {}".format(few)]
        notes += ["{} at chance level".format(result["names"][i]) for i in pair.get("groundless", [])]
        row = {
            **{key: pair.get(key) for key in ("metric", "difference", "n", "images", "better", "verdict")},
            **{"low": low, "high": high, "p": pair.get("pValue") if tested else None},
            **{"adjusted": pair.get("adjusted") if tested else None, "note": "; ".join(notes) or None},
            **{"first": result["names"][first], "second": result["names"][second], "probe": result["probe"]},
            **{"value_first": (own[first] or {}).get("value"), "value_second": (own[second] or {}).get("value")},
        }
        if with_margin:
            row["not_worse"] = pair.get("nonInferiority", {}).get("shown")
        rows.append(row)
    return rows


def lost_of(dataset: Mapping[str, Any]) -> int:
    whole = sum(entry["count"] for entry in dataset["leftOut"] if entry.get("unscored") is True)
    return int(whole) + int((dataset.get("lost") or {}).get("partly", 0))


def failed_words(evaluator: str, condition: str, gate: Gate, singles: List[Single]) -> str:
    lines = ["{} does not hold for {}:".format(condition, evaluator)]
    for name in dict.fromkeys(gate.used):
        metric = gate.metric(name) or gate.metric(name.rpartition(".")[0])
        if metric is not None:
            ends = "" if metric["low"] is None else ", 95 % interval [{:.4f}, {:.4f}]".format(metric["low"], metric["high"])
            lines.append("  {} = {}{}, n = {}".format(metric["id"], figure(metric["value"]), ends, metric["n"]))
    probes = {name.split(".")[0] for name in gate.used}
    for single in (one for one in singles if one.probe in probes):
        lines += ["  " + claim["text"] for claim in single.content["claims"]]
        lines += ["  worst: " + words for words in worst_of(single.path)]
    return "\n".join(lines)


def figure(value: Optional[float]) -> str:
    return "–" if value is None else "{:.4f}".format(value)


def worst_of(path: str) -> List[str]:
    """The worst failures of a report, in words."""
    results = json.loads(asked(["export", path, "--to", "sarif"]))["runs"][0]["results"]
    worst = heapq.nlargest(WORST_SHOWN, results, key=lambda result: result["properties"]["size"])
    return ["{} (example {})".format(one["message"]["text"].replace("\\", ""), one["properties"]["example"]) for one in worst]
