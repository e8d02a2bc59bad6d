"""Watches the evaluator's process: reports slow imports, enforces a memory limit, and ends the process with its parent."""

import os
import sys
import threading
import time

#: Imports that are slow enough for a notice.
SLOW = frozenset(
    "cv2 diffusers flax jax lavis librosa numba open_clip onnxruntime pandas peft scipy sentence_transformers sklearn spacy "
    "t2v_metrics tensorflow timm torch torchmetrics torchvision transformers vllm".split()
)


class ImportNotices:
    """A finder that finds no module itself, but sees the name of each module before other finders do."""

    def __init__(self, tell, step):
        self._tell = tell
        self._step = step
        self._told = set()
        self._last = time.monotonic()

    def find_spec(self, name, path=None, target=None):
        if name in SLOW and name not in self._told:
            self._told.add(name)
            # A library may only try an import, so that the package need not be installed.
            if any(other.find_spec(name, path, target) for other in sys.meta_path if other is not self and hasattr(other, "find_spec")):
                self._tell("importing " + name)
        if time.monotonic() - self._last > 0.5:
            self._last = time.monotonic()
            self._step()
        return None


def resident():
    """Bytes of memory that this process uses, or its peak on systems that report only the peak. None if unknown."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    if os.name == "nt":
        return _resident_on_windows()
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _resident_on_windows():
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [("cb", wintypes.DWORD), ("PageFaultCount", wintypes.DWORD)] + [
            (name, ctypes.c_size_t)
            for name in (
                "PeakWorkingSetSize WorkingSetSize QuotaPeakPagedPoolUsage QuotaPagedPoolUsage "
                "QuotaPeakNonPagedPoolUsage QuotaNonPagedPoolUsage PagefileUsage PeakPagefileUsage"
            ).split()
        ]

    counters = Counters()
    counters.cb = ctypes.sizeof(counters)
    kernel = ctypes.WinDLL("kernel32")
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    query = kernel.K32GetProcessMemoryInfo
    query.argtypes = [wintypes.HANDLE, ctypes.POINTER(Counters), wintypes.DWORD]
    found = query(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb)
    return counters.WorkingSetSize if found else None


def guard_memory(most, code):
    """Starts a thread that ends the process with the exit code `code` once its memory exceeds `most` bytes."""

    def watch():
        while True:
            size = resident()
            if size is not None and size > most:
                os._exit(code)
            time.sleep(0.1)

    threading.Thread(target=watch, name="captious-memory", daemon=True).start()


def die_with_parent():
    """Makes Linux end this process with its parent, even while native code blocks the interpreter."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    try:
        import ctypes
        import signal

        ctypes.CDLL(None, use_errno=True).prctl(1, int(signal.SIGKILL), 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(0)
