"""Reads results files, which may be compressed: NAME.json or NAME.json.zst."""
import ctypes
import json
import pathlib


def load(path):
    """The document of a file, or of the compressed file of its name."""
    path = pathlib.Path(path)
    return json.loads(path.read_bytes() if path.exists() else decompressed(path.with_name(path.name + ".zst").read_bytes()))


def names(folder, pattern="*.json"):
    """Names of the results files of a folder, without the suffix of compressed ones."""
    return {path.name.removesuffix(".zst") for suffix in ("", ".zst") for path in folder.glob(pattern + suffix)}


def decompressed(data):
    """The text of a Zstandard frame, by the library that camber links (Python has one from 3.14 on)."""
    zstd = ctypes.CDLL("libzstd.so.1")
    for function in (zstd.ZSTD_getFrameContentSize, zstd.ZSTD_decompress):
        function.restype = ctypes.c_size_t
    size = zstd.ZSTD_getFrameContentSize(data, ctypes.c_size_t(len(data)))
    if size > 1 << 32:
        raise ValueError("no Zstandard frame that states its size")
    text = ctypes.create_string_buffer(size)
    if zstd.ZSTD_decompress(text, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data))) != size:
        raise ValueError("damaged Zstandard data")
    return text.raw
