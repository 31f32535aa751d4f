#!/usr/bin/env python3
"""Writes sm_90.json: what the compiler made of every variant's kernels, from the committed measurements.

    python3 results/code/collect.py

`camber model` reads it where no results file with the machine code of a variant is given. Where several
measurements have a variant, the first of `sources` counts: the newest code. Kernels that several variants
share stand in the table once.
"""
import json
from pathlib import Path

here = Path(__file__).resolve().parent
results = here.parent


def sources():
    for folder in ("h200", "h100", "h200-lava"):
        yield from sorted((results / folder).glob("*.json"))


def main():
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
            for kernel in found:
                facts = {name: kernel[name] for name in ("name", "symbol", "registers", "static_shared_bytes",
                                                         "dynamic_shared_bytes", "local_bytes", "occupancy")
                         if kernel.get(name) is not None}
                facts.pop("symbol", None)
                facts["instructions"] = {name: count for name, count in sorted(kernel["instructions"].items()) if count}
                text = json.dumps(facts, separators=(",", ":"))
                if text not in numbers:
                    numbers[text] = len(kernels)
                    kernels.append(text)
                refers.append(numbers[text])
            variants[key] = refers
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
