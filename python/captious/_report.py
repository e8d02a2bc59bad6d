"""Reports as objects: metrics and rows as tables, and what a notebook shows of them."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

from captious._page import page
from captious._run import CaptiousError, asked
from captious._show import opened
from captious._words import sentences

if TYPE_CHECKING:
    from pandas import DataFrame as Table  # where pandas is not installed: a list of dicts
COLUMNS = ("id", "value", "low", "high", "n", "images", "slice", "note", "probe", "evaluator")
#: The most metrics that a terminal shows for each report.
MOST_SHOWN = 20


class Single:
    """One report file: one probe of one evaluator."""

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.content: Dict[str, Any] = sentences(json.load(file))
        if not str(self.content.get("schema", "")).startswith("captious/report@"):
            raise CaptiousError("{} is no report of Captious.".format(path))
        self.probe = str(self.content["probe"])
        self.evaluator = str(self.content["evaluator"]["id"])
        self._page: Optional[str] = None

    def metrics(self) -> List[Dict[str, Any]]:
        found = []
        for metric in self.content["metrics"]:
            low, high = metric.get("ci") or (None, None)
            slices = metric.get("slice")
            row = {**metric, "low": low, "high": high, "probe": self.probe, "evaluator": self.evaluator}
            row["slice"] = None if slices is None else ", ".join("{}={}".format(*item) for item in slices.items())
            found.append({name: row.get(name) for name in COLUMNS})
        return found

    def verdicts(self) -> List[Dict[str, Any]]:
        return [{**claim, "probe": self.probe, "evaluator": self.evaluator} for claim in self.content["claims"]]

    def rows(self) -> Iterator[Dict[str, Any]]:
        with open(os.path.join(os.path.dirname(self.path), self.content["rows"]), encoding="utf-8") as lines:
            for line in lines:
                yield sentences(json.loads(line))

    def page(self) -> str:
        if self._page is None:
            self._page = page(self.path, str(self.content["evaluator"]["name"]))
        return self._page


class Report:
    """What an audit found: one report for each probe and evaluator.

    ``report["lgip"]`` and ``report["lgip", "MyModel"]`` select reports by probe and evaluator. Data that was in memory
    and the reports about it are deleted with the last Report that needs them, unless ``out`` named a folder.
    """

    def __init__(self, singles: Sequence[Single], keep: Optional[object] = None) -> None:
        self._singles = list(singles)
        self._keep = keep

    @property
    def paths(self) -> List[str]:
        """The paths of the report files, which the command line and the editor open, too."""
        return [single.path for single in self._singles]

    @property
    def path(self) -> str:
        """The path of the report file, if there is only one."""
        return self._only().path

    @property
    def probes(self) -> List[str]:
        return list(dict.fromkeys(single.probe for single in self._singles))

    @property
    def evaluators(self) -> List[str]:
        return list(dict.fromkeys(single.evaluator for single in self._singles))

    @property
    def metrics(self) -> Table:
        """All metrics with their 95 % intervals. A DataFrame, or a list of dicts without pandas."""
        return table([metric for single in self._singles for metric in single.metrics()], COLUMNS)

    @property
    def verdicts(self) -> List[Dict[str, Any]]:
        """Dicts with the text of each verdict and the rule that it follows."""
        return [verdict for single in self._singles for verdict in single.verdicts()]

    def value(self, metric: str) -> Optional[float]:
        """The value of a metric over all examples."""
        for one in self._only_evaluator():
            if one["id"] == metric and one["slice"] is None:
                return None if one["value"] is None else float(one["value"])
        raise KeyError(metric)

    def rows(self) -> Table:
        """One row for each audited example, with all of them in memory. Nested values have names such as place.line."""
        rows = list(self.iter_rows())
        try:
            import pandas
        except ImportError:
            return cast("Table", rows)
        return pandas.json_normalize(rows)

    def iter_rows(self) -> Iterator[Dict[str, Any]]:
        """Reads one row after the other from the file."""
        return self._only().rows()

    def show(self) -> Optional[str]:
        """Opens the report in VS Code, which asks first, if the extension Captious is installed there.

        Otherwise, writes the report as a page next to its file, and returns the path of the page.
        """
        path = self._only().path
        if opened(path):
            return None
        page_path = re.sub(r"(\.report)?\.json$", "", path) + ".html"
        asked(["export", path, "--to", "html", "--out", page_path])
        return page_path

    def to_dict(self) -> Dict[str, Any]:
        """The content of the report file; with several, {"reports": [...]}."""
        if len(self._singles) == 1:
            return self._singles[0].content
        return {"reports": [single.content for single in self._singles]}

    def __getitem__(self, key: Union[str, Tuple[str, str]]) -> Report:
        wanted = (key,) if isinstance(key, str) else key
        found = [single for single in self._singles if all(word in (single.probe, single.evaluator) for word in wanted)]
        if not found:
            known = ", ".join("{} {}".format(single.probe, single.evaluator) for single in self._singles)
            raise KeyError("There is no report of {}. There are: {}.".format(" and ".join(wanted), known))
        return Report(found, self._keep)

    def __iter__(self) -> Iterator[Report]:
        return (Report([single], self._keep) for single in self._singles)

    def __len__(self) -> int:
        return len(self._singles)

    def __repr__(self) -> str:
        return "\n\n".join(words_of(single) for single in self._singles)

    def _repr_html_(self) -> str:
        return "".join(single.page() for single in self._singles)

    def _only(self) -> Single:
        if len(self._singles) != 1:
            raise CaptiousError(
                'This holds {} reports. Select one, as in report["{}", "{}"].'.format(
                    len(self._singles), self._singles[0].probe, self._singles[0].evaluator
                )
            )
        return self._singles[0]

    def _only_evaluator(self) -> List[Mapping[str, Any]]:
        if len(self.evaluators) != 1:
            raise CaptiousError(
                'This holds reports of {} evaluators. Select one, as in report["{}"].'.format(
                    len(self.evaluators), self.evaluators[0]
                )
            )
        return [metric for single in self._singles for metric in single.metrics()]


def table(rows: List[Dict[str, Any]], columns: Sequence[str]) -> Table:
    try:
        import pandas
    except ImportError:
        return cast("Table", rows)
    return pandas.DataFrame(rows, columns=list(columns))


def words_of(single: Single) -> str:
    content = single.content
    dataset = content["dataset"]
    lines = ["{} · {} · {}".format(single.probe, content["evaluator"]["name"], os.path.basename(dataset["path"]))]
    lines.append("{} examples audited, {} left out".format(dataset["examples"], dataset["skipped"]))
    lines += ["  " + claim["text"] for claim in content["claims"]]
    whole = [metric for metric in single.metrics() if metric["slice"] is None and metric["value"] is not None]
    for metric in whole[:MOST_SHOWN]:
        ends = "" if metric["low"] is None else " [{:.4f}, {:.4f}]".format(metric["low"], metric["high"])
        lines.append("  {:40} {:8.4f}{}  n={}".format(metric["id"], metric["value"], ends, metric["n"]))
    if len(whole) > MOST_SHOWN:
        lines.append("  and {} more in .metrics".format(len(whole) - MOST_SHOWN))
    return "\n".join(lines + ["report: " + single.path])
