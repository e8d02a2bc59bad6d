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
        print(failed, len(metrics) + len(differences), report.paths[0].upper())
    return report.value("lgip.pr")
