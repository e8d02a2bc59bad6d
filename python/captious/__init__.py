"""The part of Captious that runs in your Python: a worker that serves one evaluator, and adapters for common libraries."""

__version__ = "0.1.0"
