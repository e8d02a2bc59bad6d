"""What a typed program does with the module. Type checkers read this file; nothing runs it."""

from typing import Optional

import pandas

import captious
from captious import Report


def use(model: object, frame: pandas.DataFrame) -> Optional[float]:
    report: Report = captious.audit(frame, probe=["lgip", "visla"], evaluator=model, options={"lgip.asInPaper": True})
    metrics: pandas.DataFrame = report["lgip"].metrics
    differences: pandas.DataFrame = captious.compare(report, captious.load("other.report.json"), margin=0.1)
    try:
        captious.check(report, "lgip.pr >= 0.7", allow_lost=1)
    except captious.CheckFailed as failed:
        print(failed, len(metrics) + len(differences), report.paths[0].upper(), report.show())
    return report.value("lgip.pr")


def train(model: object, frame: pandas.DataFrame, log: captious.Logger) -> pandas.DataFrame:
    callback = captious.Callback(frame, "lgip", lambda trained: model, every=100, log=log, images="images")
    report: Optional[Report] = callback.step(model, 100)
    for step, error in callback.failures.items():
        print(step + 1, error.args, report)
    trend: captious.Trend = callback.trend("lgip.pr")
    captious.log_to_mlflow().follow("metrics.jsonl", until=lambda: True)
    return captious.trend(["a.report.json", "b.report.json"], step="s(\\d+)").steps if trend.best is None else trend.steps
