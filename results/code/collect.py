#!/usr/bin/env python3
"""Writes sm_90.json: what the compiler made of every variant's kernels, from the committed measurements.

    python3 results/code/collect.py [KERNELS]

`camber model` reads it where no results file with the machine code of a variant is given. Where several
measurements have a variant, the first of `sources` counts: the newest code. Kernels that several variants
share stand in the table once.

Measurements of older versions do not tell which instructions branches may skip, how long a warp waits, nor what stands
in loops and between branches. Where the machine code is still the same, KERNELS tells: what read_listing.cpp makes of a build, or the cache in
which camber keeps what it has disassembled (~/.cache/camber/kernels-...-sm_90), or else sm_90.json as it stands. It is the same where all classes have
as many instructions (see text_of()), under the kernel's symbol or, where that has changed, under any.
"""
import json
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
results = here.parent
sys.path.insert(0, str(results))
from results_files import load, names  # noqa: E402

SCHEDULE = "cycles memory_waits memory_covered brief_waits brief_covered".split()
OLDER = ["long_covered"]  # older files have this figure of the schedule, too
CLASSES = """global_loads global_stores shared_loads shared_stores local_loads local_stores texture atomics fp32 fp64
integer integer_multiply logic shifts conversions control barriers constant_loads moves predicates uniform other""".split()


def sources():
    for folder in ("experiments/h200-requests", "experiments/sciara_fv2", "h200", "h100", "experiments/lava"):
        # Of a board that blocks overhang last: others have another form of a kernel.
        yield from (results / folder / name for name in sorted(names(results / folder), key=lambda name: ("1000x777" in name, name)))


def counts_of(instructions):
    return {name: count for name, count in instructions.items() if count and name in CLASSES}


def text_of(counts):
    """What tells a text, whatever version of camber counted it: older ones took loads of constants for moves, and the
    smaller or larger of two numbers for arithmetic."""
    joined = {"constant_loads": "moves", "fp32": "predicates"}
    sums = {}
    for name, count in counts.items():
        if name in SCHEDULE + OLDER or not count:
            continue
        sums[joined.get(name, name)] = sums.get(joined.get(name, name), 0) + count
    return tuple(sorted(sums.items()))


def beside_of(instructions):
    return {name: count for name, count in instructions.items() if name in ["skippable"] + SCHEDULE}


def newest(known, own):
    """Of regions or basic blocks of one text, `known` where both have the same instructions, since `own` may be older."""
    return known if [text_of(one["instructions"]) for one in known] == [text_of(one["instructions"]) for one in own] \
        else own


def known_kernels(path):
    """By symbol: the skippable instructions with the schedule, those of each class, the regions and the basic blocks."""
    table = json.loads(Path(path).read_text())
    assert table["compiler"] == "camber kernel instructions 11", f"{path} is another file"
    return {kernel["name"]: (beside_of(kernel["instructions"]), counts_of(kernel["instructions"]), kernel.get("regions", []),
                             kernel.get("basic_blocks", [])) for kernel in table["kernels"]}


class Kernels:
    """The table's, each once."""

    def __init__(self, path):
        by_symbol = known_kernels(path) if path else {}
        self.by_symbol = by_symbol
        self.by_text = {text_of(known[1]): known for known in by_symbol.values()}
        self.lines = []
        self.numbers = {}

    def number(self, facts):
        text = json.dumps(facts, separators=(",", ":"))
        if text not in self.numbers:
            self.numbers[text] = len(self.lines)
            self.lines.append(text)
        return self.numbers[text]

    def facts(self, kernel, before):
        """Of a kernel of a results file, with what else is known of its text. `before`: those of the old table that
        stood in its place."""
        instructions = kernel["instructions"]
        counts = counts_of(instructions)
        known = self.by_symbol.get(kernel.get("symbol"))
        if not known or text_of(known[1]) != text_of(counts):
            known = self.by_text.get(text_of(counts))
        if not known:
            known = next(((beside_of(old["instructions"]), counts, old.get("regions", []), old.get("basic_blocks", []))
                          for old in before if text_of(counts_of(old["instructions"])) == text_of(counts)),
                         ({}, counts, [], []))
        counts = dict(known[1])
        counts["total"] = instructions["total"]
        counts |= beside_of(instructions) | known[0]
        facts = {name: kernel[name] for name in ("name", "registers", "static_shared_bytes", "dynamic_shared_bytes",
                                                 "local_bytes", "occupancy") if kernel.get(name) is not None}
        facts["instructions"] = dict(sorted(counts.items()))
        own = kernel.get("regions", [])
        # Of older versions loops without accesses are no regions.
        if regions := (own if "cycles" in instructions and len(own) >= len(known[2]) else None) or known[2] or own:
            facts["regions"] = newest(known[2], regions)
        if blocks := kernel.get("basic_blocks") or known[3]:
            facts["basic_blocks"] = newest(known[3], blocks)
        return facts


def main():
    kernels = Kernels(sys.argv[1] if len(sys.argv) > 1 else None)
    before = json.loads((here / "sm_90.json").read_text())
    variants = {}
    for path in sources():
        document = load(path)
        run = document.get("context", {}).get("camber", {})
        if (run.get("gpu") or {}).get("compute_capability") != "9.0":
            continue
        for case in document.get("benchmarks", []):
            about = case.get("camber", {})
            found = about.get("kernels") or ([about["kernel"]] if "kernel" in about else [])
            if not found or any("instructions" not in kernel or "occupancy" not in kernel for kernel in found):
                continue
            key = f"{about['variant']} {about['cell']} {about.get('boundary', 'dead')}"
            of_before = [before["kernels"][number] for number in before["variants"].get(key, [])]
            facts = [kernels.facts(kernel, of_before[place:place + 1]) for place, kernel in enumerate(found)]
            if key not in variants:
                variants[key] = [kernels.number(one) for one in facts]
                continue
            # Of another version, or compiled for another radius: the file's own code counts, and this tells its loops
            # and its schedule.
            for one in facts:
                if one.get("regions") or one.get("basic_blocks") or "cycles" in one["instructions"]:
                    kernels.number(one)
    # What no file has any more is kept as it was.
    for key, old in before["variants"].items():
        if key in variants:
            continue
        variants[key] = [kernels.number(before["kernels"][number]) for number in old]
    lines = ['{', '"arch": "9.0",', '"compiler": "nvcc 13.0.88",', '"kernels": [']
    lines.append(",\n".join(kernels.lines))
    lines += ['],', '"variants": {']
    lines.append(",\n".join(f'{json.dumps(key)}: {json.dumps(refers, separators=(",", ":"))}'
                            for key, refers in sorted(variants.items())))
    lines += ['}', '}', '']
    (here / "sm_90.json").write_text("\n".join(lines))
    print(f"{len(kernels.lines)} kernels of {len(variants)} variants")


if __name__ == "__main__":
    main()
