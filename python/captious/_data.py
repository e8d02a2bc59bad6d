"""Writes data that is in memory to files that the engine reads: one JSON Lines file, and images by their content."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import re
import tempfile
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional

from captious._run import CaptiousError

#: How columns with captions are usually named. The engine decides which column holds what.
CAPTIONS = re.compile(r"caption|sentence|text|candidate|description|comment|title|prompt|positive|chosen", re.I)
#: The types of missing values in pandas.
MISSING = ("NAType", "NaTType")
#: The beginnings of image files, with the ending of their names.
MAGIC = ((b"\xff\xd8\xff", "jpg"), (b"\x89PNG", "png"), (b"GIF8", "gif"), (b"II*\0", "tif"), (b"MM\0*", "tif"))


class Written:
    """The files of one data set: the rows, and options of the engine for their images."""

    def __init__(self, path: str, options: List[str]) -> None:
        self.path = path
        self.options = options


def written(data: Any, folder: str, image_folders: bool, mapped: Mapping[str, str]) -> Written:
    """Streams rows to a file in the folder. `image_folders`: whether image names are relative to the caller's folders."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise CaptiousError("{}: the folder cannot be created. Choose another out. {}".format(folder, error.strerror)) from error
    images = Images(os.path.join(folder, "images"), None if image_folders else os.getcwd())
    digest = hashlib.sha256()
    handle, part = tempfile.mkstemp(suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            count = 0
            texts = 0
            captions: List[Any] = []
            for row in rows_of(data):
                if count == 0:
                    require_columns(list(row), mapped)
                    captions = [name for name in row if name in mapped.values() or CAPTIONS.search(str(name))]
                texts += any(may_be_text(row.get(name)) for name in captions)
                line = json.dumps({str(key): plain(value, images) for key, value in row.items()}, allow_nan=False)
                encoded = line.encode("ascii") + b"\n"
                digest.update(encoded)
                file.write(encoded)
                count += 1
        if count == 0:
            raise CaptiousError("The data has no rows.")
        if texts == 0:
            raise CaptiousError("No row has a text in the column {}.".format(" or ".join(map(str, captions))))
        # The same data has the same name, so that a second run finds what the first one left.
        path = os.path.join(folder, "captions-{}.jsonl".format(digest.hexdigest()[:12]))
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)
    return Written(path, images.options())


def rows_of(data: Any) -> Iterator[Mapping[str, Any]]:
    """Rows of a frame of pandas or polars, a Dataset of Hugging Face, a dict of columns, or an iterable of dicts."""
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):
        data = data.collect()
    if isinstance(data, Mapping):
        return columns_as_rows(data)
    if hasattr(data, "itertuples") and hasattr(data, "columns"):
        names = [str(name) for name in data.columns]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise CaptiousError("The data has two columns {!r}. Rename or remove one.".format(twice))
        return (dict(zip(names, values)) for values in data.itertuples(index=False, name=None))
    if hasattr(data, "iter_rows"):
        named: Iterator[Mapping[str, Any]] = data.iter_rows(named=True)
        return named
    if hasattr(data, "cast_column") and hasattr(data, "features"):
        data = with_stored_images(data)
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise wrong_type(data)
    return unbatched(data)


def may_be_text(value: Any) -> bool:
    """False for missing values, numbers and empty lists. The engine checks the others."""
    if value is None or isinstance(value, (bool, int, float)) or type(value).__name__ in MISSING:
        return False
    return not isinstance(value, (list, tuple)) or len(value) > 0


def columns_as_rows(columns: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    names = [str(name) for name in columns]
    ends = object()
    for values in itertools.zip_longest(*columns.values(), fillvalue=ends):
        if any(value is ends for value in values):
            raise CaptiousError("The columns {} have different lengths.".format(", ".join(names)))
        yield dict(zip(names, values))


def unbatched(data: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """The rows of dicts, and of batches as a DataLoader makes them: dicts whose image is a list."""
    for item in data:
        if not isinstance(item, Mapping):
            raise wrong_type(item)
        if isinstance(item.get("image"), (list, tuple)):
            yield from columns_as_rows(item)
        else:
            yield item


def wrong_type(data: Any) -> CaptiousError:
    return CaptiousError(
        "The data is a {}. Pass the path of a dataset file, a DataFrame, a Dataset, or dicts with image and caption.".format(
            type(data).__name__
        )
    )


def with_stored_images(data: Any) -> Any:
    """Keeps the images of a Dataset as their files store them, so that they are not decoded and encoded again."""
    for name, feature in (data.features or {}).items():
        if type(feature).__name__ == "Image" and getattr(feature, "decode", False):
            data = data.cast_column(name, type(feature)(decode=False))
    return data


def require_columns(names: List[str], mapped: Mapping[str, str]) -> None:
    missing = next((name for name in mapped.values() if name not in names and "*" not in name), None)
    if missing is not None:
        raise CaptiousError("The data has no column {!r}. It has: {}.".format(missing, ", ".join(names)))
    has_image = "image" in mapped or any(re.search("image|img|photo|picture|file|path|url", name, re.I) for name in names)
    has_caption = any(key != "image" for key in mapped) or any(CAPTIONS.search(name) for name in names)
    if not (has_image and has_caption):
        raise CaptiousError(
            "The data needs a column image and a column caption (or captions). It has: {}. Name others with map, as in "
            'map={{"image": "photo", "caption": "words"}}.'.format(", ".join(names))
        )


def plain(value: Any, images: Images) -> Any:
    """A value as JSON. Images become the names of files."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return None if value != value or value in (float("inf"), float("-inf")) else value
    if isinstance(value, str):
        images.see(value)
        return value
    if isinstance(value, os.PathLike):
        return plain(os.fspath(value), images)
    if isinstance(value, Mapping):
        stored = value.get("bytes")
        if isinstance(stored, bytes):
            return images.bytes(stored)
        if set(value) == {"bytes", "path"} and isinstance(value["path"], str):
            return plain(value["path"], images)
        return {str(key): plain(item, images) for key, item in value.items()}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return images.bytes(bytes(value))
    if hasattr(value, "tobytes") and hasattr(value, "mode") and hasattr(value, "save"):
        return images.pil(value)
    if getattr(value, "ndim", 0) == 3 and str(getattr(value, "dtype", "")) == "uint8":
        return images.array(value)
    if getattr(value, "ndim", 0) >= 2:
        raise CaptiousError(
            "A value is a {} of the type {}. Captious needs the image itself: a path, a PIL image, bytes, or an array of "
            "height × width × 3 and uint8.".format(type(value).__name__, getattr(value, "dtype", "?"))
        )
    if type(value).__name__ in MISSING:
        return None
    if hasattr(value, "tolist"):
        return plain(value.tolist(), images)
    if isinstance(value, Iterable):
        return [plain(item, images) for item in value]
    return str(value)


class Images:
    def __init__(self, folder: str, base: Optional[str]) -> None:
        self._folder = folder
        self._base = base
        #: The folders of image files that rows name, and those that are known to exist or not.
        self._folders: Dict[str, bool] = {}

    def see(self, name: str) -> None:
        """Notes the folder of an image file. Without folders of the caller, names are paths from the working folder."""
        if self._base is None or len(name) > 1024 or not re.search(r"\.(jpe?g|png|webp|gif|tiff?|avif)$", name, re.I):
            return
        head = os.path.dirname(name)
        if head not in self._folders:
            self._folders[head] = os.path.isdir(os.path.join(self._base, head))

    def options(self) -> List[str]:
        """Says that names which begin with a folder are in that folder."""
        roots: Dict[str, str] = {}
        for head, exists in self._folders.items():
            if exists and self._base is not None:
                roots[head] = os.path.join(self._base, head)
        return [
            word for head, root in sorted(roots.items()) for word in ("--images", "{}={}".format(head, root) if head else root)
        ]

    def bytes(self, data: bytes) -> str:
        ending = next((end for magic, end in MAGIC if data.startswith(magic)), None)
        if ending is None:
            ending = "webp" if data[8:12] == b"WEBP" else "avif" if data[4:8] == b"ftyp" else None
        if ending is None:
            raise CaptiousError("An image has {} bytes that are no JPEG, PNG, WebP, GIF, TIFF or AVIF file.".format(len(data)))
        return self._keep(hashlib.sha256(data).hexdigest(), ending, lambda: data)

    def pil(self, image: Any) -> str:
        if image.mode not in ("RGB", "RGBA", "L", "LA"):
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        name = hashlib.sha256("{} {}".format(image.mode, image.size).encode() + image.tobytes()).hexdigest()

        def encoded() -> bytes:
            file = io.BytesIO()
            image.save(file, "PNG", compress_level=1)
            return file.getvalue()

        return self._keep(name, "png", encoded)

    def array(self, value: Any) -> str:
        from PIL import Image

        return self.pil(Image.fromarray(value if hasattr(value, "__array_interface__") else value.numpy()))

    def _keep(self, name: str, ending: str, data: Any) -> str:
        file = "{}.{}".format(name[:32], ending)
        path = os.path.join(self._folder, file)
        if not os.path.exists(path):
            os.makedirs(self._folder, exist_ok=True)
            handle, part = tempfile.mkstemp(suffix=".part", dir=self._folder)
            with os.fdopen(handle, "wb") as out:
                out.write(data())
            os.replace(part, path)
        return "images/" + file
