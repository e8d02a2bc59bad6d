"""Audits a model while it is trained, and follows a metric over the steps."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

from captious._api import Path, audit
from captious._live import Checkpoint
from captious._page import framed, trend_page
from captious._report import Report, table
from captious._run import CaptiousError, asked, logger

if TYPE_CHECKING:
    from pandas import DataFrame as Table

    from captious._log import Logger

STEPS = ("step", "value", "low", "high", "change", "change_low", "change_high", "p", "adjusted", "verdict", "in_best")


class Callback:
    """Audits a model every so many steps of its training, into a folder that ``trend`` reads.

    Pass it to the ``Trainer`` of transformers as one of its ``callbacks``, or call ``step(model, step)`` in a loop of your
    own. The model is in evaluation mode during an audit, without gradients, and then as before. A failed audit never
    stops the training: the first failure is logged, and ``failures`` has all of them by step.
    """

    def __new__(cls, *args: Any, **options: Any) -> Callback:
        # With transformers loaded, this is a TrainerCallback. transformers is never imported for it.
        base = getattr(sys.modules.get("transformers.trainer_callback"), "TrainerCallback", None)
        if base is None or issubclass(cls, base):
            return super().__new__(cls)
        made: Callback = object.__new__(type(cls.__name__, (cls, base), {"__module__": cls.__module__}))
        return made

    def __init__(
        self,
        data: Any,
        probe: Union[str, Sequence[str]],
        evaluator: Optional[Callable[[Any], Any]] = None,
        *,
        every: int = 1000,
        out: Path = "checkpoints",
        log: Optional[Logger] = None,
        **options: Any,
    ) -> None:
        """Takes the arguments of ``audit``, with these differences.

        Args:
            data: As for ``audit``, but no iterator, because every audit reads it.
            evaluator: A function that returns the evaluator of a model: an object with ``embed_images``, ``embed_texts`` or
                ``score``. Without it, the model itself has these methods.
            every: The number of steps between two audits.
            out: The folder of the reports.
            log: A logger that gets the metrics of every step, such as ``captious.log_to_wandb(run)``.
        """
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise CaptiousError("every is {!r}. Pass the number of steps between two audits.".format(every))
        if hasattr(data, "__next__"):
            raise CaptiousError("The data is an iterator, which can be read only once. Pass a list, a frame or a path.")
        options = {"progress": False, **options}
        # A wrong argument fails here, not after a thousand steps.
        inspect.signature(audit).bind(data, probe, None, out=out, **options)
        self.every = every
        self.out = os.path.abspath(os.path.expanduser(os.fspath(out)))
        #: Why audits failed, by step.
        self.failures: Dict[int, Exception] = {}
        self._data = os.path.abspath(os.path.expanduser(data)) if isinstance(data, (str, os.PathLike)) else data
        self._probe = probe
        self._evaluator = evaluator
        self._log = log
        self._options = options

    def step(self, model: Any, step: int) -> Optional[Report]:
        """Audits the model if the step is a multiple of ``every``. Returns None if it is not, or if the audit failed."""
        if step % self.every != 0:
            return None
        report: Optional[Report] = None
        try:
            with evaluating(model):
                held = model if self._evaluator is None else self._evaluator(model)
                name = "step_{}".format(step)
                report = audit(self._data, self._probe, {name: Checkpoint(held, step)}, out=self.out, **self._options)
            if self._log is not None:
                self._log.report(report, step)
        except Exception as error:
            if not self.failures:
                what = "audited" if report is None else "logged"
                logger.warning("Step %d could not be %s, and the training continues: %s", step, what, error)
            self.failures[step] = error
        return report

    def trend(self, metric: Optional[str] = None, *, probe: Optional[str] = None) -> Trend:
        """The metric over the steps so far. ``probe`` is needed if there are several."""
        return trend(self.out, metric, probe=probe if probe is not None or not isinstance(self._probe, str) else self._probe)

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **others: Any) -> None:
        """What the Trainer calls. With several processes, only the first one audits."""
        if getattr(state, "is_world_process_zero", True):
            self.step(model, state.global_step)

    def __getattr__(self, name: str) -> Any:
        # If this was made before transformers was imported, it lacks the other events of a TrainerCallback.
        if not name.startswith("on_"):
            raise AttributeError("{!r} object has no attribute {!r}".format(type(self).__name__, name))
        return lambda *args, **others: None


class Trend:
    """A metric over the steps of a training run, with bands that hold for all steps together."""

    def __init__(self, words: List[str]) -> None:
        self._words = words
        self._content: Dict[str, Any] = json.loads(asked([*words, "--json"]))
        self.probe = str(self._content["probe"])
        self.metric = str(self._content["metric"])
        #: The step with the best value; None if all steps are at chance level.
        self.best: Optional[int] = self._content.get("best")

    @property
    def steps(self) -> Table:
        """One row for each step. ``change`` is the paired difference to the step before, with its test."""
        return table([row_of(step) for step in self._content["steps"]], STEPS)

    def to_dict(self) -> Dict[str, Any]:
        return self._content

    def __repr__(self) -> str:
        return asked(self._words).rstrip()

    def _repr_html_(self) -> str:
        return framed(trend_page(asked([*self._words, "--to", "html"])))


def trend(
    reports: Union[Path, Sequence[Path]],
    metric: Optional[str] = None,
    *,
    probe: Optional[str] = None,
    step: Optional[str] = None,
) -> Trend:
    """Follows a metric over the checkpoints of a training run.

    Args:
        reports: The folder of the reports, such as the one of a ``Callback``, or the paths of report files.
        metric: By default, the first metric that is a mean over rows.
        probe: In a folder with reports of several probes, the one to follow.
        step: A regular expression with one group, the step, for the names of the evaluators.
    """
    given = [reports] if isinstance(reports, (str, os.PathLike)) else list(reports)
    words = ["trend", *(os.path.abspath(os.path.expanduser(os.fspath(path))) for path in given)]
    for name, value in (("metric", metric), ("probe", probe), ("step", step)):
        words += [] if value is None else ["--" + name, value]
    return Trend(words)


def row_of(step: Dict[str, Any]) -> Dict[str, Any]:
    low, high = step.get("band") or (None, None)
    change = step.get("change") or {}
    ends = change.get("ci") or (None, None)
    return {
        **{"step": step["step"], "value": step["value"], "low": low, "high": high, "change": change.get("difference")},
        **{"change_low": ends[0], "change_high": ends[1], "p": change.get("pValue"), "adjusted": change.get("adjusted")},
        **{"verdict": change.get("verdict"), "in_best": step.get("inBest")},
    }


@contextlib.contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Sets a module of torch to evaluation, without gradients. Each part then gets the mode that it had."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        yield
        return
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part, training in modes:
            part.training = training
