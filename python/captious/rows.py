"""Converts an evaluator's results (tensors, arrays or lists) to the bytes of plain numbers."""

import sys
from array import array

from captious.faults import ContractError, said


def matrix(value, count, method):
    """Returns (dimension, float32 bytes of all rows, data type) for one row per item."""
    _require_real(value, method)
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        kind = str(value.dtype).replace("torch.", "")
        dimension = _shape(tuple(value.shape), count, method)
        value = value.float().contiguous()
        try:
            return dimension, value.numpy().tobytes(), kind
        except (RuntimeError, ImportError):
            return dimension, _floats(value.reshape(-1).tolist()), kind
    value = _as_array(value)
    if hasattr(value, "astype") and hasattr(value, "shape"):
        dimension = _shape(tuple(value.shape), count, method)
        return dimension, value.astype("<f4").tobytes(), str(value.dtype)
    rows = _listed(value, method, "rowsExpected")
    if len(rows) != count:
        raise ContractError("rowCountWrong", method, len(rows), count)
    parts = [_row(row, method) for row in rows]
    sizes = {len(part) // 4 for part, _ in parts}
    if len(sizes) > 1:
        raise ContractError("rowLengthsDiffer", method, sorted(sizes))
    return (sizes.pop() if sizes else 0), b"".join(part for part, _ in parts), (parts[0][1] if parts else "float")


def numbers(value, count, method):
    """Returns (float64 bytes, data type) for one score per pair."""
    kind = str(getattr(value, "dtype", "float")).replace("torch.", "")
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    shape = getattr(value, "shape", None)
    if shape is not None:
        shape = tuple(shape)
        if shape == () and count == 1:
            value = [value]
        elif shape not in ((count,), (count, 1)):
            hint = said("returnDiagonal") if len(shape) == 2 and shape[0] == shape[1] == count else ""
            raise ContractError("scoreShapeWrong", method, list(shape), count, hint)
        elif hasattr(value, "reshape"):
            value = value.reshape(-1)
        if hasattr(value, "tolist"):
            value = value.tolist()
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and count == 1:
        value = [value]
    found = [_number(item, method) for item in _listed(value, method, "numbersExpected")]
    if len(found) != count:
        raise ContractError("scoreCountWrong", method, len(found), count)
    return _doubles(found), kind


def flags(value, count, method):
    """Returns one byte for each item: 1 for true, 0 for false."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    found = [bool(item) for item in _listed(value, method, "flagsExpected")]
    if len(found) != count:
        raise ContractError("flagCountWrong", method, len(found), count)
    return bytes(found)


def _listed(value, method, expected):
    if value is None or isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        raise ContractError(expected, method, type(value).__name__, _hint(value))
    try:
        return list(value)
    except TypeError:
        raise ContractError("noList", method, type(value).__name__) from None


def _hint(value):
    for key in ("pooler_output", "image_embeds", "text_embeds", "logits"):
        if getattr(value, key, None) is not None:
            return said("returnPart", key)
    return ""


def _require_real(value, method):
    """NumPy and PyTorch would drop the imaginary part."""
    if "complex" in str(getattr(value, "dtype", "")):
        raise ContractError("noNumber", method, str(value.dtype))


def _shape(shape, count, method):
    if len(shape) != 2 or shape[0] != count:
        raise ContractError("rowShapeWrong", method, list(shape), count)
    return shape[1]


def _as_array(value):
    """Converts arrays that lack NumPy's methods, such as TensorFlow's, to NumPy's arrays."""
    if hasattr(value, "astype") or isinstance(value, (list, tuple)) or not hasattr(value, "__array__"):
        return value
    import numpy

    return numpy.asarray(value)


def _row(row, method):
    _require_real(row, method)
    if hasattr(row, "detach"):
        row = row.detach().cpu()
        kind = str(row.dtype).replace("torch.", "")
        return _floats(row.float().reshape(-1).tolist()), kind
    row = _as_array(row)
    if hasattr(row, "astype"):
        if len(row.shape) != 1:
            raise ContractError("rowNotFlat", method, list(row.shape))
        return row.astype("<f4").tobytes(), str(row.dtype)
    return _floats([_number(item, method) for item in _listed(row, method, "rowNumbersExpected")]), "float"


def _number(item, method):
    try:
        return float(item)
    except (TypeError, ValueError, OverflowError):
        raise ContractError("noNumber", method, type(item).__name__) from None


def _floats(values):
    try:
        packed = array("f", values)
    except OverflowError:
        packed = array("f", [value if abs(value) < 3.4e38 else float("inf") for value in values])
    return _little(packed)


def _doubles(values):
    return _little(array("d", values))


def _little(packed):
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
