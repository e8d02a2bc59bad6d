"""Runs one evaluator: finds the user's object and its methods, and does the work in batches."""

import importlib
import inspect
import os
import random
import sys

from captious import rows
from captious.faults import ContractError, Refused, failure, problem, said
from captious.guard import guard
from captious.modules import OwnModules, versions

IMAGES = ("pil", "array", "path", "raw")
#: The keys that info() may return.
KEYS = ("name", "scale", "range", "prefix", "weights", "fingerprint", "device", "dtype", "batch", "rerank", "notes")


class Fatal(Exception):
    """Raised if the whole evaluator is wrong, not a single item."""

    def __init__(self, told):
        super().__init__(told)
        self.told = told


class Pixels:
    """An image that needs no package: `data` has width * height * 3 bytes (RGB, row by row)."""

    __slots__ = ("name", "width", "height", "data")

    def __init__(self, name, width, height, data):
        self.name, self.width, self.height, self.data = name, width, height, data


class Evaluator:
    def __init__(self, held, name, modules, tell):
        self._object = held
        self._tell = tell
        self.modules = modules
        #: Methods that have succeeded at least once. If a later batch of such a method fails, its items are wrong, not
        # the evaluator.
        self._proved = set()
        #: For each method whose batch did not fit into memory, the batch size since then.
        self._most = {}
        self.halved = {}
        self.dtype = None
        self.images = getattr(self._object, "images", None) or self._usual_images()
        if self.images not in IMAGES:
            raise ContractError("imagesUnknown", repr(self.images), ", ".join(IMAGES))
        if not any(self._can(name) for name in ("embed_images", "embed_texts", "score")):
            raise ContractError("methodsMissing", name)

    def describe(self):
        info = self._info()
        facts = torch_facts(self._object)
        self.modules.news()
        return {
            "can": {
                name: self._can(name) for name in ("embed_images", "embed_texts", "score", "truncated")
            },
            "references": self._can("score") and takes_references(self._object.score),
            "images": self.images,
            "info": info,
            "device": str(info.get("device") or facts.get("device") or "cpu"),
            "gpu": facts.get("gpu"),
            "dtype": info.get("dtype") or facts.get("dtype"),
            "notes": facts.get("notes", []),
            "python": sys.version.split()[0],
            "versions": versions(),
            "sources": self.modules.sources,
            "native": self.modules.native(),
        }

    def close(self):
        if self._can("close"):
            self._object.close()

    def embed_texts(self, texts):
        return self._rows("embed_texts", len(texts), lambda lo, hi: self._object.embed_texts(texts[lo:hi]))

    def embed_images(self, images):
        return self._rows("embed_images", len(images), lambda lo, hi: self._object.embed_images(self._opened(images[lo:hi])))

    def truncated(self, texts):
        return {"cut": rows.flags(self._call(lambda: self._object.truncated(texts)), len(texts), "truncated")}

    def score(self, images, positions, texts, references=None):
        def call(lo, hi):
            wanted = sorted(set(positions[lo:hi]))
            opened = dict(zip(wanted, self._opened([images[i] for i in wanted])))
            args = [[opened[i] for i in positions[lo:hi]], texts[lo:hi]]
            if references is not None:
                args.append(references[lo:hi])
            return rows.numbers(self._object.score(*args), hi - lo, "score")

        parts = self._batch("score", len(texts), call)
        scores = b"".join(part[0] if part else b"\0" * 8 for part, _ in parts)
        self.dtype = next((part[1] for part, _ in parts if part is not None), self.dtype)
        return {"scores": scores, "problems": [words for _, words in parts], **self._told()}

    def _rows(self, method, count, act):
        parts = self._batch(method, count, lambda lo, hi: rows.matrix(act(lo, hi), hi - lo, method))
        good = [part for part, _ in parts if part is not None]
        dimension = good[0][0] if good else 0
        if any(part[0] != dimension for part in good):
            raise ContractError("rowLengthsDiffer", method, sorted({part[0] for part in good}))
        self.dtype = good[0][2] if good else self.dtype
        values = b"".join(part[1] if part else b"\0" * (4 * dimension) for part, _ in parts)
        return {"dimension": dimension, "values": values, "problems": [words for _, words in parts], **self._told()}

    def _told(self):
        return {"dtype": self.dtype, "halved": self.halved, "sources": self.modules.news()}

    def _batch(self, method, count, call):
        """Returns the result of each item, or why the item has none."""
        done = []
        while len(done) < count:
            lo = len(done)
            done += self._some(method, lo, min(count, lo + self._most.get(method, count)), call)
        return done

    def _some(self, method, lo, hi, call):
        try:
            part = self._call(lambda: call(lo, hi))
            self._proved.add(method)
            return split(part, hi - lo)
        except (ContractError, Refused, KeyboardInterrupt):
            raise
        except BaseException as error:
            if is_out_of_memory(error) and hi - lo > 1:
                return self._halves(method, lo, hi, call)
            if hi - lo == 1 and method in self._proved:
                self._left_out(error)
                return [(None, problem(error))]
            return self._singles(method, lo, hi, call, error)

    def _halves(self, method, lo, hi, call):
        free_memory()
        half = (hi - lo + 1) // 2
        self._most[method] = half
        self.halved[method] = half
        self._tell("out of memory: {} items at a time now".format(half))
        return self._some(method, lo, lo + half, call) + self._some(method, lo + half, hi, call)

    def _singles(self, method, lo, hi, call, error):
        """Tries each item alone, so that a bad item does not make the others fail. If the method has never succeeded
        and the first three items fail (or all, if there are fewer), the evaluator is wrong."""
        found = []
        for at in range(lo, hi):
            try:
                found += split(self._call(lambda: call(at, at + 1)), 1)
                self._proved.add(method)
            except (ContractError, Refused, KeyboardInterrupt):
                raise
            except BaseException as own:
                self._left_out(own)
                found.append((None, problem(own)))
                if method not in self._proved and (at - lo == 2 or at == hi - 1):
                    raise Fatal(failure(error)) from error
        return found

    def _left_out(self, error):
        """Called with an exception for a single item before it is reported."""

    @staticmethod
    def _call(act):
        try:
            return act()
        except SystemExit as error:
            raise RuntimeError("sys.exit({!r})".format(error.code)) from error

    def _can(self, name):
        return callable(getattr(self._object, name, None))

    def _info(self):
        info = self._object.info() if self._can("info") else {}
        if not isinstance(info, dict):
            raise ContractError("infoNoDict", type(info).__name__)
        strange = [str(key) for key in info if key not in KEYS]
        if strange:
            raise ContractError("infoKeyUnknown", strange[0], ", ".join(KEYS))
        return plain(info)

    def _usual_images(self):
        if not (self._can("embed_images") or self._can("score")):
            return "raw"
        try:
            import PIL.Image  # noqa: F401
        except ImportError:
            raise ContractError("pillowMissing") from None
        return "pil"

    def _opened(self, images):
        return [self._open(image) for image in images]

    def _open(self, image):
        if self.images == "path":
            return image["path"]
        name, width, height, data = image["name"], image["width"], image["height"], image["data"]
        if self.images == "raw":
            return Pixels(name, width, height, bytes(data))
        if self.images == "array":
            import numpy

            return numpy.frombuffer(bytearray(data), dtype=numpy.uint8).reshape(height, width, 3)
        from PIL import Image

        opened = Image.frombytes("RGB", (width, height), bytes(data))
        opened.filename = name
        return opened


def opened(ask, tell):
    """Makes the evaluator of a request in this process, which serves nothing else."""
    folder = ask["folder"]
    os.chdir(folder)
    modules = OwnModules(folder)
    if not ask.get("adapter"):
        modules.install()
    random.seed(0)
    return Evaluator(make(ask, modules, tell), ask.get("object") or ask.get("adapter"), modules, tell)


def make(ask, modules, tell):
    args = ask["args"]
    adapter = ask.get("adapter")
    if adapter is not None:
        # Python must not write bytecode into the folder of Captious.
        writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        module = importlib.import_module("captious.adapters." + adapter.replace("-", "_"))
        sys.dont_write_bytecode = writes
        guard(args, ask.get("scripts") or [])
        seed_all()
        tell("loading " + adapter)
        return module.Evaluator(**args)
    module = modules.load(ask["file"], ask.get("sha256"))
    name = ask["object"]
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            others = [key for key, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
            raise ContractError(
                "objectMissing", name, os.path.basename(ask["file"]), said("objectsFound", ", ".join(others)) if others else ""
            )
        found = getattr(found, part)
    seed_all()
    tell("constructing " + name)
    if inspect.isclass(found) or inspect.isroutine(found):
        return found(**args)
    if args:
        raise ContractError("objectTakesNoArguments", name)
    return found


def split(part, count):
    """Splits the result of one call into one result per item."""
    if len(part) == 2:
        return [((part[0][8 * i : 8 * i + 8], part[1]), None) for i in range(count)]
    dimension, values, kind = part
    size = 4 * dimension
    return [((dimension, values[size * i : size * i + size], kind), None) for i in range(count)]


def plain(value):
    """Converts to JSON types: numbers of NumPy become Python's, paths and devices become texts."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        try:
            return plain(value.item())
        except (TypeError, ValueError, RuntimeError):
            pass
    return os.fspath(value) if hasattr(value, "__fspath__") else str(value).replace("torch.", "")


def takes_references(score):
    try:
        parameters = list(inspect.signature(score).parameters.values())
    except (TypeError, ValueError):
        return False
    return any(parameter.name == "references" for parameter in parameters)


def seed_all():
    """Makes an evaluator's random draws the same in each run."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None:
        numpy.random.seed(0)
    if torch is not None:
        torch.manual_seed(0)


def is_out_of_memory(error):
    # PyTorch has an exception of its own for GPUs only. Its CPU allocator and older versions tell it in their text.
    name = type(error).__name__
    words = str(error)
    return isinstance(error, MemoryError) or name == "OutOfMemoryError" or (
        isinstance(error, RuntimeError) and ("out of memory" in words or "can't allocate memory" in words)
    )


def free_memory():
    import gc

    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def torch_facts(thing):
    """Device and data type of the torch modules in an object, with a note if a module is in training mode."""
    torch = sys.modules.get("torch")
    if not torch:
        return {}
    held = [thing] + (list(vars(thing).values()) if hasattr(thing, "__dict__") else [])
    models = [one for one in held if isinstance(one, torch.nn.Module)]
    parameters = [parameter for model in models for parameter in [next(model.parameters(), None)] if parameter is not None]
    if not parameters:
        return {}
    device, dtype = parameters[0].device, str(parameters[0].dtype).replace("torch.", "")
    facts = {"device": str(device), "dtype": dtype, "notes": []}
    if device.type == "cuda":
        facts["gpu"] = torch.cuda.get_device_name(device)
    if any(model.training for model in models):
        facts["notes"].append(
            "The model is in training mode: dropout and batch norm change its scores from call to call. Call model.eval()."
        )
    return facts
