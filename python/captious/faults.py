"""Reports an exception: Captious's own by its code and values, others by type, message, and frames in the user's own files."""

import os
import sys
import sysconfig
import traceback

from captious.builds import mismatch

#: Limits of a report: the characters of a message, and the frames of a traceback.
MOST_WORDS = 2000
MOST_FRAMES = 8
#: Packages whose name differs from the name of their module, by module.
PACKAGES = {"open_clip": "open_clip_torch", "sentence_transformers": "sentence-transformers", "PIL": "Pillow"}

_HERE = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = tuple(
    os.path.realpath(path)
    for key, path in sysconfig.get_paths().items()
    if key in ("stdlib", "platstdlib", "purelib", "platlib") and path
)


def said(code, *values):
    """A message: its code, for which l10n/messages.en.json has the sentence, and its values."""
    return {"code": "python." + code, "values": [value if isinstance(value, dict) else str(value) for value in values]}


class Said(BaseException):
    """An error of Captious, with the code and the values of its message."""

    remedy = None

    def __init__(self, code, *values):
        super().__init__(code, *values)
        self.said = said(code, *values)


class ContractError(Said, Exception):
    """Raised if the evaluator violates the contract in docs/python.md."""

    remedy = said("readEvaluatorGuide")


class Refused(Said):
    """Raised before a model runs code. Not an Exception, because libraries log exceptions and continue without weights."""

    def __init__(self, code, *values, remedy=None):
        super().__init__(code, *values)
        self.remedy = remedy and said(remedy)


def is_own(path):
    """Whether a file is the user's own: not part of Python, an installed package or Captious."""
    real = os.path.realpath(path)
    if real.startswith(_HERE + os.sep) or not os.path.isabs(path):
        return False
    parts = real.split(os.sep)
    if "site-packages" in parts or "dist-packages" in parts:
        return False
    return not real.startswith(tuple(folder + os.sep for folder in _INSTALLED))


def own_frames(error):
    """The user's frames of a traceback, innermost first. If none is the user's, the last three frames outside Captious."""
    frames = [
        (frame.filename, frame.lineno or 1, frame.name)
        for frame in traceback.extract_tb(error.__traceback__)
        if not os.path.realpath(frame.filename).startswith(_HERE + os.sep)
        and not frame.filename.startswith("<frozen")
    ]
    own = [frame for frame in frames if is_own(frame[0])]
    if isinstance(error, SyntaxError) and error.filename:
        own.append((error.filename, error.lineno or 1, "syntax"))
    return list(reversed(own or frames[-3:]))[:MOST_FRAMES]


def title(error):
    """The last line of the traceback."""
    name = type(error).__name__
    try:
        message = str(error).strip()
    except Exception:
        message = "(its message cannot be read)"
    return (name if message == "" else name + ": " + message)[:MOST_WORDS]


def problem(error):
    """Describes in one line why an item was left out."""
    frames = own_frames(error)
    words = " ".join(title(error).split())[:300]
    return words if not frames else "{} ({}:{})".format(words, os.path.basename(frames[0][0]), frames[0][1])


def failure(error):
    """Describes an exception as a message of the protocol, with the traceback as its last value."""
    frames = own_frames(error)
    cause = error.__cause__
    trace = "".join("\n  {}:{} in {}".format(*frame) for frame in frames[1:]) + ("\n" if frames[1:] else "")
    caused = "" if cause is None or cause is error else said("causedBy", title(cause)[:300])
    told = {
        "kind": "evaluator",
        "message": error.said if isinstance(error, Said) else said("raised", title(error), caused, trace),
    }
    if frames:
        told["at"] = "{}:{}".format(frames[0][0], frames[0][1])
    remedy = getattr(error, "remedy", None)
    through = [os.path.normpath(frame.filename).split(os.sep) for frame in traceback.extract_tb(error.__traceback__)]
    builds = mismatch() if any("torchvision" in parts for parts in through) else None
    if builds is not None:
        remedy = said("installMatchingBuild", *builds)
    elif isinstance(error, ModuleNotFoundError) and error.name:
        top = error.name.split(".")[0]
        remedy = said("installModule", sys.executable, PACKAGES.get(top, top))
    if remedy:
        told["remedy"] = remedy
    return told
