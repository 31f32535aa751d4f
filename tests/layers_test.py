#!/usr/bin/env python3
"""Includes point down the layers of docs/architecture.md, never up or around.

layers_test.py SOURCE_DIR: first plants a tree with every offence, to see that each is found; then
reads all includes of the project. Fails with a sentence for each offence.
"""
import collections
import pathlib
import re
import sys
import tempfile

FOLDERS = ("harness", "analysis", "workloads", "variants")
SUFFIXES = (".hpp", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
FOLDER = re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)*(/\*)?")


def layers_of(page):
    """Of the first code block below the page's heading "Layers": a list of folders for each line,
    the top layer first."""
    block = re.search(r"^## Layers$.*?^```\w*\n(.*?)^```$", page, re.M | re.S)
    if not block:
        sys.exit('docs/architecture.md has no code block below a heading "## Layers"')
    layers = []
    for line in block[1].splitlines():
        folders = line.partition("  ")[0].split(", ")
        if not all(FOLDER.fullmatch(folder) for folder in folders):
            sys.exit(f"docs/architecture.md: '{line}' is no layer: write its folders, separated by "
                     "', ', then two spaces and what it is")
        layers.append(folders)
    return layers


def depth_of(folder, layers):
    """The number of the folder's layer from the top, or None. A name goes before a pattern."""
    for wanted in (folder, folder.rpartition("/")[0] + "/*"):
        for depth, folders in enumerate(layers):
            if wanted in folders:
                return depth
    return None


def includes_of(root):
    """(file, included file) of every include in quotation marks."""
    for top in FOLDERS:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                file = path.relative_to(root).as_posix()
                for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
                    yield file, match[1]


def folder_of(file):
    return file.rpartition("/")[0]


def cycles_in(graph):
    """The strongly connected components of more than one folder (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(folder):
        number[folder] = low[folder] = len(number)
        stack.append(folder)
        for other in graph[folder]:
            if other not in number:
                visit(other)
            if other in stack:
                low[folder] = min(low[folder], low[other])
        if low[folder] == number[folder]:
            component = stack[stack.index(folder):]
            del stack[stack.index(folder):]
            if len(component) > 1:
                found.append(sorted(component))

    for folder in sorted(graph):
        if folder not in number:
            visit(folder)
    return sorted(found)


def offences(root, layers):
    sentences = []
    homeless = set()
    neighbours = collections.defaultdict(dict)  # in one layer: {folder: {included one: an include}}
    for file, included in includes_of(root):
        here, there = folder_of(file), folder_of(included)
        if not there:
            sentences.append(f"{file} includes \"{included}\": name it from the root, so that the "
                             "folder shows")
            continue
        homeless.update(f for f in (here, there) if depth_of(f, layers) is None)
        if here == there or {here, there} & homeless:
            continue
        above = depth_of(here, layers) - depth_of(there, layers)
        if above == 0:
            neighbours[here].setdefault(there, f"{file} includes {included}")
            neighbours[there]
        elif above > 0:
            sentences.append(f"{file} includes {included}, which points up: {there} stands above "
                             f"{here}")
    for folder in sorted(homeless):
        sentences.append(f"{folder} stands in no layer of docs/architecture.md")
    for cycle in cycles_in(neighbours):
        around = [neighbours[a][b] for a in cycle for b in cycle if b in neighbours[a]]
        sentences.append(f"{', '.join(cycle)} include one another: {'; '.join(around)}")
    return sentences


def plant():
    page = ("# A page\n\n## Layers\n\nThe top first.\n\n```text\n"
            "harness/cli, harness/cli/*      commands, a/b\n"
            "harness/cli/common              what they share\n"
            "variants/*\nworkloads/*, workloads  rules\nharness/base  text\n```\n")
    files = {
        "harness/cli/main.cpp": ["harness/base/text.hpp", "harness/cli/run/run.hpp"],
        "harness/cli/run/run.hpp": ["harness/cli/common/table.hpp"],
        "harness/cli/common/table.hpp": ["harness/cli/run/run.hpp"],  # up
        "variants/life/life/life.cu": ["workloads/life/rule.hpp", "variants/snow/snow.hpp"],
        "variants/snow/snow.hpp": ["variants/life/life/life.cuh"],  # around
        "workloads/life/rule.hpp": ["workloads/core/workload.hpp", "harness/base/text.hpp"],
        "workloads/image/dog/dog.hpp": ["workloads/life/rule.hpp"],  # a neighbour, but not around
        "harness/base/text.hpp": ["text.hpp", "workloads/core/workload.hpp"],  # up
        "analysis/odd/odd.cpp": ["harness/base/text.hpp"],  # in no layer
        "tests/any_test.cpp": ["harness/base/text.hpp"],
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for file, includes in files.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text("#pragma once\n#ifdef X\n#include <map>\n"
                                     + "".join(f'    #  include "{i}"\n' for i in includes)
                                     + "#endif\n")
        found = offences(root, layers_of(page))
    expected = [
        'harness/base/text.hpp includes "text.hpp": name it from the root, so that the folder '
        'shows',
        "harness/base/text.hpp includes workloads/core/workload.hpp, which points up: workloads stands "
        "above harness/base",
        "harness/cli/common/table.hpp includes harness/cli/run/run.hpp, which points up: "
        "harness/cli/run stands above harness/cli/common",
        "analysis/odd stands in no layer of docs/architecture.md",
        "variants/life/life, variants/snow include one another: variants/life/life/life.cu includes "
        "variants/snow/snow.hpp; variants/snow/snow.hpp includes variants/life/life/life.cuh",
    ]
    if found != expected:
        sys.exit("the planted offences are not found as they are:\n" + "\n".join(found))


def main():
    plant()
    root = pathlib.Path(sys.argv[1])
    layers = layers_of((root / "docs/architecture.md").read_text(encoding="utf-8"))
    found = offences(root, layers)
    print("\n".join(found) or f"includes point down {len(layers)} layers")
    sys.exit(1 if found else 0)


main()
