"""Finds out, without importing them, whether torch and torchvision are builds for each other."""

import os
import re
import sys
from importlib import metadata
from importlib.machinery import PathFinder

#: Where PyTorch publishes its builds, by their local version.
INDEX = "https://download.pytorch.org/whl/"


def version(name):
    """The version of a package with its local part, such as 0.28.0+cu130, which metadata may lack. None if absent."""
    try:
        known = metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
    written = _written(name)
    return written if written is not None and written.split("+")[0] == known else known


def _written(name):
    try:
        spec = PathFinder.find_spec(name)
        with open(os.path.join(os.path.dirname(spec.origin), "version.py"), encoding="utf-8") as file:
            found = re.search(r"""^__version__\s*(?::[^=]+)?=\s*['"]([^'"]+)['"]""", file.read(65536), re.M)
    except (AttributeError, ImportError, OSError, TypeError, ValueError):
        return None
    return found and found.group(1)


def mismatch():
    """Torch's and torchvision's versions and a command that mends them, if one cannot work with the other. Else None."""
    torch, vision = version("torch"), version("torchvision")
    if torch is None or vision is None:
        return None
    (number, _, build), (own, _, other) = torch.partition("+"), vision.partition("+")
    wanted = _torch_of("torchvision")
    if wanted not in (None, number):
        return torch, vision, '"{}" -m pip install --upgrade torch torchvision'.format(sys.executable)
    if build and other and build != other:
        command = '"{}" -m pip install --force-reinstall --no-deps torchvision=={} --index-url {}{}'
        return torch, vision, command.format(sys.executable, own, INDEX, build)
    return None


def _torch_of(name):
    """The version of torch that a package needs, if it needs exactly one."""
    for one in metadata.requires(name) or []:
        found = re.match(r"torch\s*\(?==\s*([\w.]+)\)?\s*$", one)
        if found:
            return found.group(1)
    return None
