"""Audits evaluators of image captions: ``audit``, ``compare`` and ``check``; ``Callback`` during a training. The engine is Captious's command line.

The module also holds what runs evaluators in Python for the command line: a worker, and adapters for common libraries.
Importing it needs only Python's own library.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from captious._api import CheckFailed, audit, check, compare, load
    from captious._log import Logger, log_to_mlflow, log_to_wandb
    from captious._report import Report
    from captious._run import CaptiousError
    from captious._sweep import Callback, Trend, trend

__version__ = "0.2.0"
__all__ = [
    "Callback",
    "CaptiousError",
    "CheckFailed",
    "Logger",
    "Report",
    "Trend",
    "audit",
    "check",
    "compare",
    "load",
    "log_to_mlflow",
    "log_to_wandb",
    "trend",
]

# Imported when used, because workers import this package, too.
_HOMES = {
    **{"Report": "captious._report", "CaptiousError": "captious._run"},
    **dict.fromkeys(("Callback", "Trend", "trend"), "captious._sweep"),
    **dict.fromkeys(("Logger", "log_to_mlflow", "log_to_wandb"), "captious._log"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError("module 'captious' has no attribute {!r}".format(name))
    import importlib

    return getattr(importlib.import_module(_HOMES.get(name, "captious._api")), name)


def __dir__() -> "list[str]":
    return sorted([*globals(), *__all__])
