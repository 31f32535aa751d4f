#!/usr/bin/env python3
"""Writes sm_90.json: what the compiler made of every variant's kernels, from the committed measurements.

    python3 results/code/collect.py [KERNELS]

`camber model` reads it where no results file with the machine code of a variant is given. Where several
measurements have a variant, the first of `sources` counts: the newest code. Kernels that several variants
share stand in the table once.

Measurements of older versions do not tell which instructions branches may skip. Where the machine code is still the
same, KERNELS tells: the cache in which camber keeps what it has disassembled (~/.cache/camber/kernels-...-sm_90), or
else sm_90.json as it stands.
"""
import json
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
results = here.parent


def sources():
    for folder in ("h200", "h100", "h200-lava", "h200-records", "h200-streams", "h100-streams", "h100-neighbourhoods"):
        yield from sorted((results / folder).glob("*.json"))


def counts_of(instructions):
    return {name: count for name, count in instructions.items() if count and name != "skippable"}


def known_kernels(path):
    """By symbol: the skippable instructions, and those of each class."""
    head, *lines = Path(path).read_text().splitlines()
    assert head == "camber kernel instructions 2", f"{path} is another file"
    return {line.split()[0]: [int(word) for word in line.split()[1:]] for line in lines}


def main():
    by_symbol = known_kernels(sys.argv[1]) if len(sys.argv) > 1 else {}
    before = json.loads((here / "sm_90.json").read_text())
    kernels = []  # each once
    numbers = {}
    variants = {}
    for path in sources():
        document = json.loads(path.read_text())
        run = document.get("context", {}).get("camber", {})
        if (run.get("gpu") or {}).get("compute_capability") != "9.0":
            continue
        for case in document.get("benchmarks", []):
            about = case.get("camber", {})
            found = about.get("kernels") or ([about["kernel"]] if "kernel" in about else [])
            if not found or any("instructions" not in kernel or "occupancy" not in kernel for kernel in found):
                continue
            key = f"{about['variant']} {about['cell']} {about.get('boundary', 'dead')}"
            if key in variants:
                continue
            refers = []
            of_before = [before["kernels"][number]["instructions"] for number in before["variants"].get(key, [])]
            for place, kernel in enumerate(found):
                instructions = kernel["instructions"]
                counts = counts_of(instructions)
                skippable, *classes = by_symbol.get(kernel.get("symbol"), [None])
                if "skippable" in instructions:
                    skippable = instructions["skippable"]
                elif skippable is None or sorted(count for count in classes if count) != sorted(
                        count for name, count in counts.items() if name != "total"):
                    same = [one for one in of_before[place:place + 1] if counts_of(one) == counts]
                    skippable = same[0].get("skippable") if same else None
                facts = {name: kernel[name] for name in ("name", "symbol", "registers", "static_shared_bytes",
                                                         "dynamic_shared_bytes", "local_bytes", "occupancy")
                         if kernel.get(name) is not None}
                facts.pop("symbol", None)
                if skippable is not None:
                    counts["skippable"] = skippable
                facts["instructions"] = dict(sorted(counts.items()))
                text = json.dumps(facts, separators=(",", ":"))
                if text not in numbers:
                    numbers[text] = len(kernels)
                    kernels.append(text)
                refers.append(numbers[text])
            variants[key] = refers
    # What no file has any more is kept as it was.
    for key, old in before["variants"].items():
        if key in variants:
            continue
        variants[key] = []
        for number in old:
            text = json.dumps(before["kernels"][number], separators=(",", ":"))
            variants[key].append(numbers.setdefault(text, len(kernels)))
            if numbers[text] == len(kernels):
                kernels.append(text)
    lines = ['{', '"arch": "9.0",', '"compiler": "nvcc 13.0.88",', '"kernels": [']
    lines.append(",\n".join(kernels))
    lines += ['],', '"variants": {']
    lines.append(",\n".join(f'{json.dumps(key)}: {json.dumps(refers, separators=(",", ":"))}'
                            for key, refers in sorted(variants.items())))
    lines += ['}', '}', '']
    (here / "sm_90.json").write_text("\n".join(lines))
    print(f"{len(kernels)} kernels of {len(variants)} variants")


if __name__ == "__main__":
    main()
