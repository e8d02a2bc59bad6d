"""Messages as frames: a magic number, the length of a JSON header, the header, and the header's blobs."""

import json
import struct
import threading

MAGIC = b"CPT1"
PREFIX = struct.Struct("<4sI")
#: Limits in bytes, larger than any message of Captious.
MOST_HEADER = 256 << 20
MOST_BLOBS = 4 << 30


class Broken(Exception):
    """Raised if the other side does not use the protocol."""


class Frames:
    """Reads and writes messages. Any thread may write."""

    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def read(self):
        """The next message, or None if the other side has closed the pipe."""
        prefix = self._exactly(PREFIX.size)
        if not prefix:
            return None
        magic, length = PREFIX.unpack(prefix)
        if magic != MAGIC or length > MOST_HEADER:
            raise Broken("This is no frame.")
        header = self._exactly(length)
        if header is None:
            return None
        content = json.loads(bytes(header).decode("utf-8"))
        sizes = content["blobs"]
        if sum(sizes) > MOST_BLOBS or any(size < 0 for size in sizes):
            raise Broken("This frame is too large.")
        blobs = []
        for size in sizes:
            blob = self._exactly(size)
            if blob is None:
                return None
            blobs.append(blob)
        return unpacked(content["message"], blobs)

    def write(self, message):
        blobs = []
        content = {"message": packed(message, blobs), "blobs": [len(blob) for blob in blobs]}
        header = json.dumps(content, allow_nan=False).encode("ascii")
        with self._lock:
            self._writer.write(PREFIX.pack(MAGIC, len(header)))
            self._writer.write(header)
            for blob in blobs:
                self._writer.write(blob)
            self._writer.flush()

    def _exactly(self, size):
        """Reads exactly `size` bytes into a writable buffer. Returns None at the end of the input."""
        buffer = bytearray(size)
        view = memoryview(buffer)
        at = 0
        while at < size:
            count = self._reader.readinto(view[at:])
            if not count:
                return None
            at += count
        return buffer


def packed(value, blobs):
    """Replaces all bytes objects in the value by references to `blobs`."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        blobs.append(value)
        return {"$blob": len(blobs) - 1}
    if isinstance(value, dict):
        return {key: packed(item, blobs) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [packed(item, blobs) for item in value]
    return value


def unpacked(value, blobs):
    if isinstance(value, dict):
        if len(value) == 1 and "$blob" in value:
            return blobs[value["$blob"]]
        return {key: unpacked(item, blobs) for key, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item, blobs) for item in value]
    return value
