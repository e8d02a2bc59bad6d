"""Conditions on metrics, as --fail-on of the command line reads them: comparisons with &&, || and !."""

from __future__ import annotations

import operator
import re
from typing import Any, Callable, Dict, List, Mapping, Optional

from captious._run import CaptiousError

TOKEN = re.compile(r"\s*(\|\||&&|<=|>=|==|!=|[<>!()]|[A-Za-z][\w.@+-]*|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)")
COMPARISONS: Dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Gate:
    """A condition over the metrics of one evaluator. `used` lists the metrics that it names."""

    def __init__(self, text: str, metrics: List[Mapping[str, Any]]) -> None:
        self._text = text
        self._metrics = [metric for metric in metrics if metric["slice"] is None]
        self.used: List[str] = []
        self._tokens: List[str] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if found is None:
                raise self._wrong("{!r} is not a metric, number or operator".format(text[at:].strip()))
            self._tokens.append(found[1])
            at = found.end()

    def holds(self) -> bool:
        value = self._either()
        if self._tokens:
            raise self._wrong("it should end before {!r}".format(self._tokens[0]))
        return value

    def _either(self) -> bool:
        values = [self._both()]
        while self._take("||"):
            values.append(self._both())
        return any(values)

    def _both(self) -> bool:
        values = [self._single()]
        while self._take("&&"):
            values.append(self._single())
        return all(values)

    def _single(self) -> bool:
        if self._take("!"):
            return not self._single()
        if self._take("("):
            value = self._either()
            if not self._take(")"):
                raise self._wrong('a ")" is missing')
            return value
        known = len(self.used)
        left = self._operand()
        sign = self._tokens.pop(0) if self._tokens else ""
        if sign not in COMPARISONS:
            raise self._wrong("one of < <= > >= == != is missing")
        right = self._operand()
        named = self.used[known:]
        if not named or (len(named) == 2 and named[0] == named[1]):
            raise self._wrong("a comparison needs a metric, and not the same one on both sides")
        return COMPARISONS[sign](left, right)

    def _operand(self) -> float:
        token = self._tokens.pop(0) if self._tokens else ""
        if re.match(r"[A-Za-z]", token):
            self.used.append(token)
            return self._value(token)
        try:
            return float(token)
        except ValueError:
            raise self._wrong("a metric or a number is missing") from None

    def _value(self, name: str) -> float:
        metric = self.metric(name)
        if metric is not None:
            if metric["value"] is None:
                raise CaptiousError("{} has no value. {}".format(name, metric["note"] or "").strip())
            return float(metric["value"])
        whole, _, end = name.rpartition(".")
        metric = self.metric(whole) if end in ("low", "high", "n") else None
        if metric is None:
            known = ", ".join(str(one["id"]) for one in self._metrics)
            raise CaptiousError("The report has no metric {!r}. It has: {}.".format(name, known))
        if metric[end] is None:
            raise CaptiousError("{} has no interval. {}".format(whole, metric["note"] or "").strip())
        return float(metric[end])

    def metric(self, name: str) -> Optional[Mapping[str, Any]]:
        return next((metric for metric in self._metrics if metric["id"] == name), None)

    def _take(self, token: str) -> bool:
        if not self._tokens or self._tokens[0] != token:
            return False
        self._tokens.pop(0)
        return True

    def _wrong(self, why: str) -> CaptiousError:
        return CaptiousError("The condition {!r} is invalid: {}.".format(self._text, why))
