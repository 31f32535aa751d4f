#!/usr/bin/env python3
"""Includes point down: neither folders nor layers include one another in a circle.

    layers_test.py SOURCE_DIR

A layer is a folder of harness/, or analysis/, workloads/ or variants/ as a whole. The page
docs/architecture.md lists them from top to bottom; the test compares that list with the includes. No file of
analysis/ reaches harness/machine/, through whatever headers. First the test plants a tree with every
offence, to see that each is found.
"""
import collections
import pathlib
import re
import sys
import tempfile

TOPS = ("harness", "analysis", "workloads", "variants")
SUFFIXES = (".hpp", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def includes_of(root):
    """(file, included file) of every include in quotation marks."""
    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                file = path.relative_to(root).as_posix()
                for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
                    yield file, match[1]


def folder_of(file):
    return file.rpartition("/")[0]


def layer_of(file):
    """A folder of harness/, or one of the other top folders."""
    parts = file.split("/")
    return "/".join(parts[:2]) if parts[0] == "harness" else parts[0]


def cycles_in(graph):
    """Strongly connected components of more than one node (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted(found)


def offences(root):
    """Sentences about names that are not full paths and about circles of folders or layers."""
    sentences = []
    files = collections.defaultdict(list)
    graphs = {folder_of: collections.defaultdict(dict), layer_of: collections.defaultdict(dict)}
    for file, included in includes_of(root):
        if included.startswith("include/"):  # the C interface stands alone
            continue
        if "/" not in included:
            sentences.append(f'{file} includes "{included}": name it from the root, so that the '
                             "folder shows")
            continue
        files[file].append(included)
        for unit, graph in graphs.items():
            here, there = unit(file), unit(included)
            if here != there:
                graph[here].setdefault(there, f"{file} includes {included}")
                graph[there]
    for graph in graphs.values():
        for cycle in cycles_in(graph):
            around = [graph[a][b] for a in cycle for b in cycle if b in graph[a]]
            sentence = f"{', '.join(cycle)} include one another: {'; '.join(around)}"
            if sentence not in sentences:
                sentences.append(sentence)
    return sentences + machine_reached(files), graphs[layer_of]


def machine_reached(graph):
    """Sentences about files of analysis/ that include a header of harness/machine/, directly or not."""
    sentences = []
    for start in sorted(file for file in graph if file.startswith("analysis/")):
        way = {start: ""}
        stack = [start]
        while stack:
            file = stack.pop()
            if file.startswith("harness/machine/"):
                sentences.append(f"{start} reaches {file} through {way[file]}")
                break
            for included in graph.get(file, ()):
                if included not in way:
                    way[included] = file
                    stack.append(included)
    return sentences


def layers_on(page):
    """Folders of the first code block below the heading "Layers", the top layer first."""
    block = re.search(r"^## Layers$.*?^```\w*\n(.*?)^```$", page, re.M | re.S)
    return [line.partition("  ")[0].removesuffix("/*") for line in block[1].splitlines()] if block else []


def page_offences(layers, graph):
    """Sentences about the architecture page: it lists each layer of the tree, and includes point down."""
    sentences = [f"docs/architecture.md lacks the layer {layer}" for layer in sorted(graph) if layer not in layers]
    sentences += [f"docs/architecture.md lists {layer}, which is no layer" for layer in layers if layer not in graph]
    for here in sorted(graph):
        for there, include in sorted(graph[here].items()):
            if here in layers and there in layers and layers.index(there) < layers.index(here):
                sentences.append(f"{include}, which points up: docs/architecture.md has {there} above {here}")
    return sentences


def plant():
    files = {
        "harness/cli/run/run.hpp": ["harness/cli/common/result_text.hpp"],
        "harness/cli/common/result_text.hpp": ["harness/cli/run/run.hpp"],  # a circle of folders
        "variants/life/life.cu": ["workloads/life/rule.hpp", "harness/base/text.hpp"],
        "workloads/core/workload.hpp": ["harness/base/text.hpp"],
        "workloads/life/rule.hpp": ["workloads/core/workload.hpp", "variants/life/life.cuh"],  # of layers
        "harness/base/text.hpp": ["text.hpp"],  # no full path
        "harness/machine/queue.hpp": ["harness/base/text.hpp"],
        "harness/record/document.hpp": ["harness/machine/queue.hpp"],
        "analysis/time/wave.cpp": ["harness/record/document.hpp"],  # reaches the machine
        "analysis/time/text.cpp": ["harness/base/text.hpp"],
        "tests/any_test.cpp": ["text.hpp"],
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for file, includes in files.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text("#pragma once\n#ifdef X\n#include <map>\n"
                                     + "".join(f'    #  include "{i}"\n' for i in includes)
                                     + "#endif\n")
        found, graph = offences(root)
    expected = [
        'harness/base/text.hpp includes "text.hpp": name it from the root, so that the folder '
        'shows',
        "harness/cli/common, harness/cli/run include one another: harness/cli/common/result_text.hpp "
        "includes harness/cli/run/run.hpp; harness/cli/run/run.hpp includes "
        "harness/cli/common/result_text.hpp",
        "variants/life, workloads/life include one another: variants/life/life.cu includes "
        "workloads/life/rule.hpp; workloads/life/rule.hpp includes variants/life/life.cuh",
        "variants, workloads include one another: variants/life/life.cu includes "
        "workloads/life/rule.hpp; workloads/life/rule.hpp includes variants/life/life.cuh",
        "analysis/time/wave.cpp reaches harness/machine/queue.hpp through harness/record/document.hpp",
    ]
    if found != expected:
        sys.exit("the planted offences are not found as they are:\n" + "\n".join(found))
    layers = layers_on("## Layers\n\n```text\nharness/cli/*  a\nharness/base   b\nvariants       c\nodd  d\n```\n")
    found = page_offences(layers, graph)
    expected = [
        "docs/architecture.md lacks the layer analysis",
        "docs/architecture.md lacks the layer harness/machine",
        "docs/architecture.md lacks the layer harness/record",
        "docs/architecture.md lacks the layer workloads",
        "docs/architecture.md lists odd, which is no layer",
        "variants/life/life.cu includes harness/base/text.hpp, which points up: "
        "docs/architecture.md has harness/base above variants",
    ]
    if [s for s in found if "harness/cli" not in s] != expected:
        sys.exit("the page's planted offences are not found as they are:\n" + "\n".join(found))


def main():
    plant()
    root = pathlib.Path(sys.argv[1])
    found, graph = offences(root)
    found += page_offences(layers_on((root / "docs/architecture.md").read_text(encoding="utf-8")), graph)
    print("\n".join(found) or f"includes point down {len(graph)} layers")
    sys.exit(1 if found else 0)


main()
