"""Sends metrics to experiment trackers: W&B, MLflow, or a function."""

from __future__ import annotations

import importlib
import json
import os
import re
import time
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple

from captious._api import Path
from captious._report import Report
from captious._run import CaptiousError

#: Characters that MLflow does not accept in names of metrics.
NOT_IN_NAMES = re.compile(r"[^\w\-. /]", re.ASCII)


class Logger:
    """Gives metrics to ``write(numbers, step)``: one dict for each report, and its step or None.

    The names are ``captious/<metric>`` for reports with a step, so that the steps are one series, and
    ``captious/<evaluator>/<metric>`` for others. ``.low`` and ``.high`` are the ends of the 95 % interval.
    """

    def __init__(self, write: Callable[[Dict[str, float], Optional[int]], None]) -> None:
        self._write = write
        #: The number of bytes that were read of each followed file.
        self._read: Dict[str, int] = {}

    def report(self, report: Report, step: Optional[int] = None) -> None:
        """Sends the metrics of a report over all its examples."""
        for one in report:
            name = one.to_dict()["evaluator"]["name"]
            self._send(named(metric, name, step) for metric in one._only().metrics())

    def follow(self, path: Path, *, until: Optional[Callable[[], bool]] = None, poll: float = 1.0) -> None:
        """Sends the lines of a file of ``--log`` while they are written, until ``until()`` is true.

        Without ``until``, it sends what the file holds now. A second call continues behind the first one.
        """
        while True:
            # What was written before the end is read after it.
            is_over = until is None or until()
            self._catch_up(os.path.abspath(os.fspath(path)))
            if is_over:
                return
            time.sleep(poll)

    def _catch_up(self, path: str) -> None:
        if not os.path.exists(path):
            return
        with open(path, "rb") as file:
            start = self._read.get(path, 0)
            # A shorter file is a new one.
            file.seek(start if os.path.getsize(path) >= start else 0)
            whole, end, rest = file.read().rpartition(b"\n")
            self._read[path] = file.tell() - len(rest)
        lines: List[Dict[str, Any]] = [json.loads(line) for line in whole.splitlines() if line.strip()] if end else []
        self._send(named(line, line["evaluator"], line.get("step")) for line in lines)

    def _send(self, found: Iterable[Tuple[Optional[int], Dict[str, float]]]) -> None:
        """Sends metrics of the same step, and those without a step, together."""
        together: Dict[Optional[int], Dict[str, float]] = {}
        for step, numbers in found:
            together.setdefault(step, {}).update(numbers)
        for step, numbers in together.items():
            if numbers:
                self._write(numbers, step)


def named(metric: Mapping[str, Any], evaluator: str, step: Optional[int]) -> Tuple[Optional[int], Dict[str, float]]:
    """The numbers of a metric by name. None for slices and for metrics without a value."""
    if metric.get("slice") is not None or metric["value"] is None:
        return step, {}
    name = "captious/{}".format(metric["id"] if step is not None else "{}/{}".format(evaluator, metric["id"]))
    ends = {end: metric.get(end) for end in ("low", "high")}
    return step, {name: metric["value"], **{"{}.{}".format(name, end): value for end, value in ends.items() if value is not None}}


def log_to_wandb(run: Any = None) -> Logger:
    """A logger for a run of W&B, by default the active one. Charts have the checkpoint's step as their axis."""
    if run is None:
        run = package("wandb").run
    if run is None:
        raise CaptiousError("There is no run of W&B. Pass one, as in log_to_wandb(wandb.init()).")
    # A step of W&B itself only increases, and the training loop uses it, too.
    run.define_metric("captious/*", step_metric="captious/step")

    def write(numbers: Dict[str, float], step: Optional[int]) -> None:
        run.log(numbers if step is None else {**numbers, "captious/step": step})

    return Logger(write)


def log_to_mlflow(run_id: Optional[str] = None) -> Logger:
    """A logger for a run of MLflow, by default the active one."""
    mlflow = package("mlflow")
    more = {} if run_id is None else {"run_id": run_id}

    def write(numbers: Dict[str, float], step: Optional[int]) -> None:
        mlflow.log_metrics({NOT_IN_NAMES.sub("_", name): value for name, value in numbers.items()}, step=step or 0, **more)

    return Logger(write)


def package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise CaptiousError("The package {0} is not installed. Run: pip install {0}".format(name)) from None
