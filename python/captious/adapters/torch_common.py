"""Functions that the adapters share."""

import hashlib
import os


def device_of(device):
    import torch

    if device is not None:
        return torch.device(device)
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def dtype_of(dtype):
    """Returns torch's data type with this name, or None for the type of the stored weights."""
    import torch

    if not dtype:
        return None
    found = getattr(torch, str(dtype), None)
    if not isinstance(found, torch.dtype):
        raise ValueError("dtype is {!r}; expected float32, float16 or bfloat16.".format(dtype))
    return found


def fingerprint(model):
    """SHA-256 of all weights, for models without a known weight file."""
    import torch

    found = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        tensor = tensor.detach().cpu().contiguous()
        found.update("{} {} {}\n".format(name, tensor.dtype, list(tensor.shape)).encode())
        if tensor.numel() > 0:
            found.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


def rows(output):
    """Returns the tensor of projected features, which newer versions of transformers wrap in an object."""
    for key in ("pooler_output", "image_embeds", "text_embeds"):
        if getattr(output, key, None) is not None:
            return getattr(output, key)
    return output


def is_folder(path):
    return os.path.isdir(path)


def config_files(folder):
    """The files of a model's folder, without documentation, files of Git, locks, and weights for other frameworks."""
    return [
        os.path.join(root, name)
        for root, folders, names in os.walk(folder)
        for name in names
        if not name.lower().endswith((".md", ".png", ".jpg", ".gitattributes", ".lock")) and ".git" not in root.split(os.sep)
        and not name.endswith((".onnx", ".onnx_data", ".msgpack", ".h5", ".ot"))
    ]
