"""Files of the program: reading, checking and writing them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camber.columns import value_at
from camber.errors import BadInput, Unavailable
from camber.process import call, found_file

PathLike = str | os.PathLike[str]
_SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Document:
    """A file of the program, parsed. ``data`` has the form of the schemas in results/schema."""

    name: str  # as given to read()
    path: Path
    data: dict[str, Any]

    @property
    def is_model(self) -> bool:
        """True for a file of ``camber model``, which has predictions and no measurements."""
        return "models" in self.data

    @property
    def device(self) -> str | None:
        """GPU of the run, or its processor; of a model file the GPU of the ceilings."""
        run = value_at(self.data, "context.camber")
        return value_at(run, "gpu.name") or (None if self.is_model else value_at(run, "cpu.model"))


def documents_of(path: PathLike) -> list[Document]:
    """Documents of a file, or of all results and model files in a folder."""
    found = found_file(path)
    if not found.is_dir():
        return [parsed(found, os.fspath(path))]
    documents = []
    for file in sorted([*found.glob("*.json"), *found.glob("*.json.zst")]):
        data = _json(file, str(file))
        if isinstance(data, dict) and (data.get("benchmarks") or data.get("models")):
            documents.append(_checked(data, file, os.path.join(os.fspath(path), file.name)))
    if not documents:
        raise BadInput(f'"{path}" has no results file: give a folder that camber campaign wrote')
    return documents


def parsed(path: Path, name: str) -> Document:
    """Reads a file; ``name`` replaces its path in messages and tables."""
    return _checked(_json(path, name), path, name)


def _text(path: Path) -> str:
    """The text of a file, decompressed by the program: Python has Zstandard only from 3.14 on."""
    if path.suffix == ".zst":
        finished = call(["cat", os.fspath(path)], progress=False)
        finished.check()
        return finished.output
    return path.read_text(encoding="utf-8")


def _json(path: Path, name: str) -> Any:
    try:
        text = _text(path)
    except UnicodeDecodeError:
        raise BadInput(
            f'"{name}" is no text: give a file that camber run or camber model wrote'
        ) from None
    except OSError as error:
        kind = BadInput if isinstance(error, FileNotFoundError) else Unavailable
        raise kind(
            f'cannot read "{name}": {error.strerror}; give a file that camber run or camber model wrote'
        ) from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            f'"{name}" is no JSON: {error}; measure again, or give another file'
        ) from None


def _checked(data: Any, path: Path, name: str) -> Document:
    def reject(why: str) -> BadInput:
        return BadInput(f'"{name}" {why}: give a file that camber run or camber model wrote')

    if not isinstance(data, dict):
        raise reject("is no results file")
    kind = "models" if "models" in data else "benchmarks"
    if kind not in data and "scaling" not in data:
        raise reject("has neither cases nor models")
    entries = data.get(kind, [])
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise reject(f"has {kind} that are no list of objects")
    version = value_at(data, "context.camber.schema_version")
    if version is not None and version != _SCHEMA_VERSION:
        raise BadInput(
            f'"{name}" has schema version {version}, and this camber reads version {_SCHEMA_VERSION}: '
            "read it with the camber that wrote it"
        )
    return Document(name, path, data)


def write_document(data: Mapping[str, Any], path: Path) -> None:
    """Replaces the file as a whole."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, prefix=path.name, delete=False
        ) as file:
            json.dump(data, file, allow_nan=False)
        os.replace(file.name, path)
    except OSError as error:
        raise Unavailable(f'cannot write "{path}": {error.strerror}; give another path') from None


class DocumentFolder:
    """Temporary folder with documents as files, which keep their names if those differ."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._folder = ""

    def __enter__(self) -> list[str]:
        self._folder = tempfile.mkdtemp(prefix="camber-")
        names: list[str] = []
        for number, document in enumerate(self._documents):
            name = Path(document.name).name or "results.json"
            if name in names:
                name = f"{number}-{name}"
            names.append(name)
            write_document(document.data, Path(self._folder, name))
        return [os.path.join(self._folder, name) for name in names]

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
