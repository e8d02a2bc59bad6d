"""Evaluators for common libraries, each imported only when it is used."""
