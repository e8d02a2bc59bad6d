"""Opens reports in VS Code, by a link that the extension Captious answers."""

from __future__ import annotations

import glob
import os
import subprocess
import sys
from typing import List, Optional
from urllib.parse import quote

from captious._node import program

LINK = "vscode://captious.captious/open?report="
#: Where VS Code keeps extensions, on this computer and as the server of a remote one.
FOLDERS = ("~/.vscode/extensions", "~/.vscode-server/extensions", "~/.vscode-remote/extensions")
SECONDS = 20


def opened(path: str) -> bool:
    """Whether VS Code was given the report."""
    if not has_extension():
        return False
    link = link_to(path)
    try:
        if sys.platform == "win32":
            os.startfile(link)
            return True
        words = opener()
        return words is not None and subprocess.run([*words, link], capture_output=True, timeout=SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def link_to(path: str) -> str:
    return LINK + quote(os.path.abspath(path), safe="")


def has_extension() -> bool:
    folders = [os.environ.get("VSCODE_EXTENSIONS") or "", *(os.path.expanduser(folder) for folder in FOLDERS)]
    return any(glob.glob(os.path.join(glob.escape(folder), "captious.captious-*")) for folder in folders if folder)


def opener() -> Optional[List[str]]:
    """The command that opens a link in VS Code. None if there is none."""
    code = program("code")
    if code is not None and os.environ.get("VSCODE_IPC_HOOK_CLI"):
        # In a terminal of a remote window: only the computer with the window can open links.
        return [code, "--openExternal"]
    if sys.platform == "darwin":
        return ["/usr/bin/open"]
    return None if code is None else [code, "--open-url", "--"]
