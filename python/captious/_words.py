"""The English sentences of messages. Reports have each message as a code with values."""

import functools
import json
import os
import re
from typing import Any, Dict

from captious._node import command

# {0} is the place of a value, and {0|row|rows} the noun that fits the number {0}.
PLACE = re.compile(r"\{(\d+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


def sentences(value: Any) -> Any:
    """A copy of JSON data with a sentence in place of each message."""
    if isinstance(value, dict):
        if list(value) == ["code", "values"]:
            return _sentence(value)
        return {key: sentences(own) for key, own in value.items()}
    return [sentences(own) for own in value] if isinstance(value, list) else value


def _sentence(message: Dict[str, Any]) -> str:
    values = [str(sentences(own)) for own in message["values"]]
    if message["code"] == "row":
        return values[0].join(values[1:])
    text = _catalogue().get(message["code"])
    if text is None:
        return ": ".join([message["code"], *values])
    return PLACE.sub(lambda place: _filled(place, values), text)


def _filled(place: "re.Match[str]", values: "list[str]") -> str:
    i, one, other = int(place[1]), place[2], place[3]
    if i >= len(values):
        return place[0]
    return values[i] if one is None else one if values[i] == "1" else other


@functools.lru_cache(maxsize=None)
def _catalogue() -> Dict[str, str]:
    with open(os.path.join(os.path.dirname(command()[1]), "messages.en.json"), encoding="utf-8") as file:
        found: Dict[str, str] = json.load(file)
    return found
