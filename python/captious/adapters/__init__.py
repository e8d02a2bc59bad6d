"""Evaluators for common libraries. Each is imported only when it is named."""
