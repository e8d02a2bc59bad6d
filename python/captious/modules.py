"""Loads the user's file and its imports from the same folder, and records the hash of every source that runs."""

import ast
import hashlib
import importlib.util
import os
import sys
from importlib.machinery import FileFinder, PathFinder, SourceFileLoader

from captious.faults import ContractError, is_own


class OwnModules:
    """Finds the modules of one folder and compiles them from source, so that the recorded hashes match what runs."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        #: SHA-256 by path of all sources that ran or may be imported later.
        self.sources = {}
        self._installed = os.path.realpath(sys.prefix)
        self._finders = {}
        self._native = {}
        self._looked = set()
        self._told = {}

    def install(self):
        """Makes Python search the user's folder first, as it does for a script in that folder."""
        sys.path.insert(0, self.folder)
        at = next((i for i, finder in enumerate(sys.meta_path) if finder is PathFinder), len(sys.meta_path))
        sys.meta_path.insert(at, self)
        sys.addaudithook(self._executes)

    def _executes(self, event, args):
        """Records sources that other loaders run, such as runpy, or a module from another folder of the user."""
        path = getattr(args[0], "co_filename", None) if event == "exec" else None
        if not isinstance(path, str) or path in self._looked:
            return
        self._looked.add(path)
        real = os.path.realpath(path)
        if real in self.sources or not os.path.isfile(real) or not is_own(path):
            return
        try:
            with open(real, "rb") as file:
                self.sources[real] = hashlib.sha256(file.read()).hexdigest()
        except OSError:
            pass

    def news(self):
        """The sources and compiled modules that ran since the last call, so that answers stay small."""
        now = {**self.sources, **dict.fromkeys(self.native(), "native")}
        fresh = {path: sha256 for path, sha256 in now.items() if self._told.get(path) != sha256}
        self._told = now
        return fresh

    def find_spec(self, name, path=None, target=None):
        for entry in list(path) if path is not None else [self.folder]:
            if not self._holds(entry):
                continue
            spec = self._finder(entry).find_spec(name)
            # Without __init__.py, a folder is a namespace package. Python's usual search finds it.
            if spec is not None and spec.loader is not None:
                return spec
        return None

    def load(self, path, sha256=None):
        """Imports a file under its module name. Fails if the file's hash is not the one that the user agreed to."""
        with open(path, "rb") as file:
            if sha256 is not None and hashlib.sha256(file.read()).hexdigest() != sha256:
                raise ContractError("fileChanged", os.path.basename(path))
        name = os.path.splitext(os.path.basename(path))[0]
        spec = importlib.util.spec_from_file_location(name, path, loader=Source(name, path, self))
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    def note(self, path, data):
        """Records the hash of a source and of the files that it imports from the folder, even in functions."""
        real = os.path.realpath(path)
        sha256 = hashlib.sha256(data).hexdigest()
        if self.sources.get(real) == sha256:
            return
        self.sources[real] = sha256
        try:
            tree = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError):
            return
        for name in imported(tree, self._package_of(real)):
            found = self._file_of(name)
            if found is not None and found not in self.sources:
                try:
                    with open(found, "rb") as file:
                        self.note(found, file.read())
                except OSError:
                    pass

    def native(self):
        """Paths of the folder's compiled modules, which other loaders have loaded."""
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and name not in self._native:
                real = os.path.realpath(path)
                self._native[name] = real if self._holds(os.path.dirname(real)) and os.path.isfile(real) else None
        return sorted({path for path in self._native.values() if path is not None and path not in self.sources})

    def _finder(self, entry):
        if entry not in self._finders:
            self._finders[entry] = FileFinder(entry, (lambda name, path: Source(name, path, self), [".py"]))
        return self._finders[entry]

    def _holds(self, entry):
        if not isinstance(entry, str) or entry == "":
            return False
        real = os.path.realpath(entry)
        if real != self.folder and not real.startswith(self.folder.rstrip(os.sep) + os.sep):
            return False
        parts = real[len(self.folder) :].split(os.sep)
        installed = real == self._installed or real.startswith(self._installed + os.sep)
        return not installed and "site-packages" not in parts and "dist-packages" not in parts

    def _package_of(self, path):
        inner = os.path.relpath(os.path.dirname(path), self.folder)
        return [] if inner == "." or inner.startswith("..") else inner.split(os.sep)

    def _file_of(self, name):
        base = os.path.join(self.folder, *name.split("."))
        for path in (base + ".py", os.path.join(base, "__init__.py")):
            if os.path.isfile(path) and self._holds(os.path.dirname(path)):
                return os.path.realpath(path)
        return None


class Source(SourceFileLoader):
    """Compiles exactly the hashed bytes, and neither reads nor writes cached bytecode."""

    def __init__(self, name, path, modules):
        super().__init__(name, path)
        self._modules = modules

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        data = self.get_data(path)
        self._modules.note(path, data)
        return self.source_to_code(data, path)


def imported(tree, package):
    """Full names of the modules that a source may import anywhere in its code."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join(base + ([node.module] if node.module else []))
            names += [stem] if stem else []
            names += [(stem + "." if stem else "") + alias.name for alias in node.names if alias.name != "*"]
    parents = {".".join(name.split(".")[:i]) for name in names for i in range(1, name.count(".") + 1)}
    return sorted(set(names) | parents)


def versions():
    """The declared versions of all imported packages, except Python's own."""
    library = os.path.dirname(os.path.realpath(os.__file__))
    own = getattr(sys, "stdlib_module_names", frozenset())
    found = {}
    for name, module in sorted(list(sys.modules.items())):
        if "." in name or name.startswith("_") or name in own or name == "captious":
            continue
        # Not getattr: a module may compute the attribute, with warnings.
        version = vars(module).get("__version__")
        folder = os.path.dirname(os.path.realpath(getattr(module, "__file__", None) or ""))
        if isinstance(version, str) and not (folder == library or os.path.dirname(folder) == library):
            found[name] = version[:100]
    return found
