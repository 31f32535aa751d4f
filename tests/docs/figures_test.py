#!/usr/bin/env python3
"""Finds figures in README.md, the guide and pages of results that no cited measurement has.

usage: figures_test.py ROOT PAGE...

A figure is a number with a unit (us, GB/s, %, x, ...) in the text of a page, or a number of three or more digits in a table.
It must follow, rounded as it is printed, from a number of

- a results file that the same section links to or names, or that a command of the page reads, or a file in such a folder: output (.txt), generated tables
  (tables.md, questions.md), and times, rates, shares and counters of results (.json, .json.zst);
- a console block of the page, which a command produced, or a block of Python with its output
- a page of the guide that the same section links to, whose figures are checked, too
- a page of results/code that the same section links to, which a script printed
- a test that a comment of the same section names, which computes the figure: <!-- tested: tests/FILE -->.

Other figures are declared in a comment in the same section, which readers do not see:

    <!-- figures: 27.1 = 1 - 139.2 / 191.0; 3.2 = 612.7 / 191.0 -->    follows from figures of the files: the right side
                                                      has numbers of them, and constants after a ~: 100 * 3.1 / ~7
    <!-- cited: 410, 728 -->                          printed by a source that the same paragraph, table or section names with a
                                                      link to docs/sources.md, an address, or (Author year)
    <!-- given: 11 MB, 20 s -->                       of no results file: a default, a size, a rule, a rough duration
"""
import ast
import bisect
import operator
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "results"))
import results_files  # noqa: E402

NUMBER = r"\d{1,3}(?:[ ,\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
SKIPPED = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->|\]\([^()\s]*\)|https?://\S+|^#+ [^\n]*$", re.S | re.M)
BOARD = re.compile(r"\b95 % interval|\d[\d ,]*\s*(?:x|by|×)\s*\d[\d ,]*|\b(?:19|20)\d\d\b|\b(?:GTX|RTX|compute capability|version|Debian|Ubuntu|CUDA) \d[\d.]*")
CITES = re.compile(r"sources\.md|https?://|\b[A-Z][\w-]+(?: (?:and|et al\.?) ?[A-Z]?[\w-]*)* (?:19|20)\d\d|\]\(")


def value_of(text):
    return float(re.sub(r"[ ,\u202f]", "", text))


# Dimension and factor of each unit; columns of tables state rates in Gcell/s and kip/s, and bandwidths in GB/s.
DIMENSIONS = {"ns": ("time", 1e-9), "us": ("time", 1e-6), "µs": ("time", 1e-6), "ms": ("time", 1e-3), "s": ("time", 1.0),
              "min": ("time", 60.0), "%": ("share", 1e-2), "x": ("ratio", 1.0), "times": ("ratio", 1.0),
              "GB/s": ("bandwidth", 1.0), "TB/s": ("bandwidth", 1e3), "Mcell/s": ("rate", 1e-3), "Gcell/s": ("rate", 1.0),
              "Tcell/s": ("rate", 1e3), "kip/s": ("interactions", 1.0), "million kip/s": ("interactions", 1e6),
              "KB": ("bytes", 1e3), "MB": ("bytes", 1e6), "GB": ("bytes", 1e9)}
UNIT = "|".join(sorted(map(re.escape, DIMENSIONS), key=len, reverse=True))
FIGURE = re.compile(rf"(?<![\w./+-])({NUMBER})(?: ?({UNIT})(?![\w/]))?(?![\w/]|\.\d)")
# Numbers without a unit have the unit of their column, which is not parsed: they are taken as any of these.
PLAIN = {"time": (1e-9, 1e-6, 1e-3, 1.0), "share": (1e-2, 1.0), "ratio": (1.0,), "bandwidth": (1.0,), "rate": (1.0,),
         "interactions": (1.0,), "bytes": (1.0, 1e3, 1e6, 1e9), "": (1.0,)}


class Numbers:
    """Numbers of files by dimension, to be found again under their rounding."""

    def __init__(self):
        self.values = {dimension: set() for dimension in PLAIN}
        self.sorted = None

    def add(self, dimension, value):
        self.values[dimension].add(float(value))

    def add_all(self, other):
        for dimension, values in other.values.items():
            self.values[dimension] |= values

    def add_text(self, text):
        for match in re.finditer(rf"({NUMBER})(?: ?({UNIT})(?![\w/]))?", text):
            number, unit = match.groups()
            dimension, factor = DIMENSIONS.get(unit, ("", 1.0))
            self.add(dimension, value_of(number) * factor)
            if not unit:  # "1 024" may be two columns
                for part in re.findall(r"\d+(?:\.\d+)?", number):
                    self.add("", part)

    def add_leaves(self, value):
        if isinstance(value, (dict, list)):
            for one in value.values() if isinstance(value, dict) else value:
                self.add_leaves(one)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self.add("", value)

    def add_document(self, document):
        if "benchmarks" not in document and "models" not in document:
            self.add_leaves(document)
        for case in document.get("benchmarks", []):
            own = case.get("camber", {})
            generations = own.get("generations_per_sample") or 1
            statistics, derived = own.get("statistics", {}), own.get("derived", {})
            for key in ("median_ns", "min_ns"):
                if isinstance(statistics.get(key), (int, float)):
                    self.add("time", statistics[key] / generations * 1e-9)
            for kernel in own.get("kernel_times", {}).get("kernels", []):
                self.add("time", kernel["median_ns"] * 1e-9)
            self.add("time", (own.get("group", {}).get("barrier_wait_ns") or 0) * 1e-9)
            for key, dimension, factor in (("cells_per_second", "rate", 1e-9), ("share_of_copy", "share", 1),
                                           ("step_share_of_copy", "share", 1), ("speedup_vs_baseline", "ratio", 1),
                                           ("application_bandwidth_bytes_per_second", "bandwidth", 1e-9)):
                if isinstance(derived.get(key), (int, float)):
                    self.add(dimension, derived[key] * factor)
        for name, value in document.get("context", {}).get("camber", {}).get("ceilings", {}).items():
            if name.endswith("bytes_per_second") and isinstance(value, (int, float)):
                self.add("bandwidth", value * 1e-9)
        for one in document.get("scaling", []):
            for point in one.get("points", []):
                for key, dimension, factor in (("median_ns", "time", 1e-9), ("speedup", "ratio", 1), ("efficiency", "share", 1),
                                               ("scaled_speedup", "ratio", 1), ("weak_efficiency", "share", 1)):
                    if isinstance(point.get(key), (int, float)):
                        self.add(dimension, point[key] * factor)

    def have(self, text, unit):
        """True if a number of the unit's dimension is `text`, rounded to its digits."""
        if self.sorted is None:
            self.sorted = {dimension: sorted(values) for dimension, values in self.values.items()}
        dimension, factor = DIMENSIONS.get(unit, ("", 1.0))
        half = half_of(text)
        ranges = [(dimension, factor)] + [("", factor / scale) for scale in PLAIN[dimension]]
        if not unit:  # in a table whose column states the unit
            ranges += [*DIMENSIONS.values(), ("share", 1.0)]
        for place, scale in ranges:
            low, high = (value_of(text) - half) * scale, (value_of(text) + half) * scale
            values = self.sorted[place]
            found = bisect.bisect_left(values, low)
            if found < len(values) and values[found] <= high:
                return True
        return False


def half_of(text):
    """Half a unit of the last printed digit."""
    return 0.5 * 10.0 ** -len(re.sub(r"[ ,\u202f]", "", text).partition(".")[2]) * 1.002


def files_of(target):
    """Files with measurements that a link leads to."""
    if target.is_dir():
        return [path for path in sorted(target.iterdir()) if path.is_file()]
    if target.name == "README.md" and ROOT / "results" in target.parent.parents:
        return files_of(target.parent)
    stem = re.sub(r"\.(txt|json|json\.zst)$", "", target.name)
    return [path for path in (target, *(target.with_name(stem + end) for end in (".txt", ".json", ".json.zst")))
            if path.exists()]


cache = {}


def add_file(numbers, path):
    if path not in cache:
        own = Numbers()
        if path.suffix in (".txt", ".cpp") or path.name in ("tables.md", "questions.md") or path.match("results/code/*.md"):
            own.add_text(path.read_text(errors="replace"))
        elif re.search(r"\.json(\.zst)?$", path.name):
            document = results_files.load(path.with_name(path.name.removesuffix(".zst")))
            if isinstance(document, dict):
                own.add_document(document)
        cache[path] = own
    numbers.add_all(cache[path])


def add_sources(numbers, page, section):
    """Adds the files that a section links to, and the tests that it names."""
    for test in re.findall(r"<!-- tested: (tests/[\w./-]+) -->", section):
        add_file(numbers, ROOT / test)
    for target in set(re.findall(r"\]\(([^()\s#]+)", section)) | set(re.findall(r"(?<![\w/.-])results/[\w./-]+", section)):
        file = (page.parent / target).resolve()
        if not file.exists() and target.startswith("results/"):
            file = ROOT / target
        if not file.exists():  # a compressed file, named without its suffix
            file = file.with_name(file.name + ".zst")
        if file.exists() and (ROOT / "results") in file.parents:
            for one in files_of(file):
                add_file(numbers, one)
        elif file.suffix == ".md" and file.parent == ROOT / "docs/guide" and file != page:
            for match in figures_in(file.read_text()):
                numbers.add_text(match.group(0))


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def computed(expression, numbers):
    """Value of a declared expression, whose numbers the files have unless a ~ marks a constant."""
    constants = {value_of(number) for number in re.findall(rf"~({NUMBER})", expression)} | {1.0, 100.0}
    for number in re.findall(rf"(?<!~)(?<![\d.])({NUMBER})", expression):
        if value_of(number) not in constants and not any(numbers.have(number, unit) for unit in (None, *DIMENSIONS)):
            raise ValueError(f"{number} is in no cited file")

    def visit(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](visit(node.left), visit(node.right))
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        raise ValueError("only numbers, + - * / and parentheses are understood")
    return visit(ast.parse(expression.replace("~", "").strip(), mode="eval").body)


class Declared:
    """Figures that the comments of a section declare."""

    def __init__(self, section, numbers):
        self.figures, self.faults = set(), []
        for kind, body in re.findall(r"<!-- (figures|cited|given): (.*?) -->", section, re.S):
            parts = [part.strip() for part in re.split(r";" if kind == "figures" else r"[;,](?!\d{3}\b)", body) if part.strip()]
            if kind == "cited" and not CITES.search(section):
                self.faults.append(f"the section of 'cited: {body}' names no source")
            for part in parts:
                figure, _, expression = part.partition("=")
                number = re.match(NUMBER, figure.strip())
                if not number:
                    self.faults.append(f"'{part}' begins with no number")
                    continue
                if not any(value_of(number.group(0)) == value_of(one.group(1)) for one in figures_in(section)):
                    self.faults.append(f"'{part}' declares a figure that the section lacks")
                self.figures.add(value_of(number.group(0)))
                if kind != "figures":
                    continue
                try:
                    self.check(number.group(0), computed(expression, numbers), part)
                except (ValueError, SyntaxError, ZeroDivisionError) as error:
                    self.faults.append(f"'{part}': {error}")

    def check(self, printed, value, part):
        if not any(abs(value_of(printed) - scale * value) <= half_of(printed) for scale in (1, 100)):
            self.faults.append(f"'{part}': the expression gives {value:.6g}")


def blanked(text, pattern):
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def figures_in(section):
    """Figures of the visible text."""
    text = blanked(blanked(section, SKIPPED), BOARD)
    for match in FIGURE.finditer(text):
        number, unit = match.groups()
        start = text.rfind("\n", 0, match.start()) + 1
        in_table = text[start:].startswith("|")
        digits = len(re.sub(r"\D", "", number).lstrip("0"))
        if unit or (in_table and digits >= 3):
            yield match


def faults_of(name, text):
    """Faults of a page, and its number of figures."""
    page, faults, count = ROOT / name, [], 0
    blocks = Numbers()
    for block in re.findall(r"^```(?:console|python|pycon)$.*?^```$", text, re.S | re.M):
        blocks.add_text(block)
        add_sources(blocks, page, block)
    headings = re.finditer(r"^#+ ", blanked(text, re.compile(r"^```.*?^```", re.S | re.M)), re.M)
    starts = [0, *(match.start() for match in headings), len(text)]
    for start, end in zip(starts, starts[1:]):
        section = text[start:end]
        numbers = Numbers()
        numbers.add_all(blocks)
        add_sources(numbers, page, section)
        declared = Declared(section, numbers)
        faults += [f"{name}: {fault}" for fault in declared.faults]
        for match in figures_in(section):
            count += 1
            if value_of(match.group(1)) in declared.figures or numbers.have(*match.groups()):
                continue
            line = text.count("\n", 0, start + match.start()) + 1
            faults.append(f"{name}:{line}: no cited file has {match.group(0).strip()}")
    return faults, count


def unnoticed():
    """Figures and declarations of README.md that could be altered without a fault."""
    text = (ROOT / "README.md").read_text()
    for right, wrong in (("191.58 us", "197.58 us"), ("46916", "46961"), ("2083", "2803"), ("cited: 23500", "cited: 2350")):
        if right not in text:
            yield f"README.md has no {right} to try the test with"
        elif not faults_of("README.md", text.replace(right, wrong))[0]:
            yield f"README.md: {wrong} in place of {right} is not noticed"


def main():
    faults, count = list(unnoticed()), 0
    for name in sys.argv[2:]:
        found, figures = faults_of(name, (ROOT / name).read_text())
        faults += found
        count += figures
    for fault in faults:
        print(fault)
    print(f"{count} figures in {len(sys.argv) - 2} pages, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
