"""Keeps weight files and model folders from running code while Captious's adapters and conversions load them."""

import hashlib
import io
import os
import pickle
import re
import site
import sys
import sysconfig
import zipfile

from captious.faults import Refused

#: Before this version, torch.load could run code even with weights_only=True.
SAFE_TORCH = (2, 6)
#: Options of the libraries that let a model run code.
UNSAFE = ("weights_only", "trust_remote_code")
#: Paths of the TorchScript archives that the user allowed and an adapter has loaded.
loaded_scripts = set()


class ScriptFound(Refused):
    """Raised for a TorchScript archive that the user has not allowed yet."""

    def __init__(self, path, sha256):
        super().__init__("archiveHasCode", path)
        self.path = path
        self.sha256 = sha256


def guard(args, scripts):
    """Protects this process. `scripts` are the hashes of the TorchScript archives that the user allowed."""
    unsafe = next((key for key in UNSAFE if key in args), None)
    if unsafe is not None:
        raise Refused("optionRunsCode", unsafe, remedy=OWN)
    # Overrides weights_only=False of every library. torch rejects the combination with the second variable.
    os.environ["TORCH_FORCE_WEIGHTS_ONLY_LOAD"] = "1"
    os.environ.pop("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", None)
    # transformers asks on standard input whether it may run a model's code.
    sys.stdin = open(os.devnull)
    sys.addaudithook(refusing(folders_of(args)))
    try:
        import torch
    except ImportError:
        return
    loader = Loader(torch, scripts)
    torch.load, torch.jit.load = loader.load, loader.load_script
    # The module that defines torch.jit.load, so that its own name for the function leads nowhere else.
    inner = getattr(torch.jit, "_serialization", None)
    if inner is not None:
        inner.load = loader.load_script


OWN, TENSORS = "writeOwnEvaluator", "saveTensorsOnly"


class Loader:
    def __init__(self, torch, scripts):
        self._load, self._load_script = torch.load, torch.jit.load
        self._version = str(torch.__version__)
        self._scripts = frozenset(scripts)

    def load(self, f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **rest):
        """torch.load, always with weights_only=True. torch itself decides whether a file is an archive with code."""
        found = re.match(r"(\d+)\.(\d+)", self._version)
        if found and tuple(map(int, found.groups())) < SAFE_TORCH:
            raise Refused("torchRunsCode", self._version, remedy="updateTorch")
        more = {} if mmap is None else {"mmap": mmap}
        try:
            return self._load(f, map_location=map_location, weights_only=True, **more)
        except (RuntimeError, pickle.UnpicklingError) as error:
            if has_script(f):
                return self.load_script(f, map_location)
            # PyTorch tells an archive with code and a rejected pickle from other errors only in its text.
            if isinstance(error, RuntimeError) and "weights_only" not in str(error):
                raise
            name = re.search(r"GLOBAL (\S+)", str(error))
            raise Refused("weightsHaveMore", path_of(f), " ({})".format(name[1]) if name else "", remedy=TENSORS) from error

    def load_script(self, f, map_location=None, **_):
        """torch.jit.load of exactly the bytes that the user allowed. It reads no pickled Python objects."""
        data = contents(f)
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._scripts:
            raise ScriptFound(path_of(f), sha256)
        loaded_scripts.add(path_of(f))
        return self._load_script(io.BytesIO(data), map_location=map_location)


def path_of(f):
    name = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", "a file")
    return os.path.abspath(name) if isinstance(name, (str, os.PathLike)) else str(name)


def contents(f):
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return file.read()
    f.seek(0)
    return f.read()


def has_script(f):
    """Whether a failed file may be a TorchScript archive. The answer never decides whether a pickle is loaded."""
    try:
        if not isinstance(f, (str, os.PathLike)):
            f.seek(0)
        with zipfile.ZipFile(f) as archive:
            return any(name.split("/", 1)[-1] == "constants.pkl" for name in archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def folders_of(args):
    """The folders whose code must not run: those that the arguments name, and the caches of downloaded models."""
    named = [value for value in args.values() if isinstance(value, str) and os.path.isdir(value)]
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    caches = [os.environ.get(key) for key in ("HF_HOME", "HF_HUB_CACHE", "HF_MODULES_CACHE", "TORCH_HOME")]
    caches += [os.path.join(cache, "huggingface"), os.path.join(cache, "torch")]
    return sorted({os.path.realpath(os.path.expanduser(path)) for path in named + caches if path})


def under(folders):
    return tuple(os.path.realpath(folder).rstrip(os.sep) + os.sep for folder in folders if folder)


def refusing(folders):
    """An audit hook, which sees code before it runs. It rejects objects of pickles, and code of the folders."""
    theirs = under(folders)
    # An environment may be in a folder of a model, for example in the current folder.
    installed = under([sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")] + [site.getusersitepackages()])

    def is_theirs(path):
        real = os.path.realpath(path) if isinstance(path, str) else ""
        return real.startswith(theirs) and not real.startswith(installed)

    def hook(event, args):
        if event == "pickle.find_class":
            raise Refused("pickleRunsCode", "{}.{}".format(*args[:2]), remedy=TENSORS)
        path = (
            getattr(args[0], "co_filename", None)
            if event == "exec"
            else args[0] if event == "ctypes.dlopen" else args[1] if event == "import" else None
        )
        # Compiled code may name any file as its source, so it is refused before it is read.
        if event == "open" and isinstance(args[0], str) and args[0].endswith(".pyc"):
            path = args[0]
        if path is not None and is_theirs(path):
            raise Refused("modelRunsCode", path, remedy=OWN)

    return hook
