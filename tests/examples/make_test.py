#!/usr/bin/env python3
"""The files of examples/ are those that its script makes. Those of kernels and compiled code are made by hand.

    make_test.py ROOT
"""
import pathlib
import subprocess
import sys
import tempfile
import zlib


def content(path):
    """The file's bytes; of a PNG its pixels, because libraries compress differently."""
    data = path.read_bytes()
    if path.suffix != ".png":
        return data
    at = data.index(b"IDAT")
    length = int.from_bytes(data[at - 4:at], "big")
    pixels = zlib.decompress(data[at + 4:at + 4 + length])
    return data[:at - 4] + pixels


BY_HAND = ("arrays", "compiled", "kernels", "libraries", "techniques")

root = pathlib.Path(sys.argv[1], "examples")
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, root / "make.py", folder], check=True)
    made = {path.relative_to(folder) for path in pathlib.Path(folder).rglob("*") if path.is_file()}
    kept = {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
    kept = {path for path in kept if path.parts[0] not in BY_HAND}
    wrong = sorted(map(str, made ^ (kept - {pathlib.Path("make.py")})))
    wrong += [str(name) for name in sorted(made & kept)
              if content(pathlib.Path(folder, name)) != content(root / name)]
    if wrong:
        sys.exit("not as examples/make.py makes them: " + ", ".join(wrong))
