#!/usr/bin/env python3
"""Writes the limits of cards that were never at hand, from what others have published.

    make.py            writes a file per card, as `camber ceilings --json` has it, and README.md
    make.py --check    exit code 1 where one of them is not what this script writes

Every figure stands with its source in blackwell.py, recent.py and early.py. What no source states is left out: `camber model` then says
what stands in for it.
"""
import json
import pathlib
import sys

# The folder holds what is committed, and nothing else.
sys.dont_write_bytecode = True
from blackwell import b200, rtx5090  # noqa: E402
from early import geforce770m, gtx280, gtx285, gtx480  # noqa: E402
from recent import a100, l40, rtx3090, rtx4090, v100  # noqa: E402

README = """# Cards that were never at hand

Limits of cards, from what others have published. Each file has the form of `camber ceilings --json`, so that `camber model
--ceilings` predicts times for the card. No time of camber on these cards was measured.

    camber model --size 16384x16384 --ceilings v100-pcie

[make.py](make.py) writes the files and this page from [blackwell.py](blackwell.py), [recent.py](recent.py) and [early.py](early.py); a test
holds them against it. A latency counts cycles of the clock given, or nanoseconds.

Machine code for 9.0 stands in for that of all these cards, and every time is marked as uncertain.

## Cards of 2017 to 2023

What no source states is left out: on all of them the start of blocks and the barrier; on the V100, the A100 and the L40 the latencies of
shared memory and arithmetic, on the RTX 3090 the former, on the RTX 4090 the latter; what a launch and a node of a graph take, but on the A100
and the L40; the rate of integer multiply-adds on the A100 and the RTX 3090. `camber model` names what stands in for them.

How fast L2 takes writes is known of none, and how fast it takes copies neither of the V100 and the RTX 3090: the rate beyond L2 stands in. So times
hold for boards far beyond L2, and those inside it are too long. On the RTX 4090 copies stand in for writes, inside L2 too.

Of the RTX 3090 and the RTX 4090 no source tells how fast writes alone or triads are. Copies stand in for writes, and what lies between
reads and copies for triads: beyond L2 those two differ by 2.4 % and 0.1 %. Where both were measured, copies were slower than writes: on the
L40 by 9 %, on an A40 by 4 % (gpu-benches, gpu-stream/a40.txt, 768 threads a block).

Some figures of these two are another card's with the same chip. Of the RTX 3090, L2's reads and the requests that L1 takes are those of an
A40 (GA102); of the RTX 4090, these requests are those of the L40 (AD102). The reads of the RTX 3090 beyond L2 include the starts of kernels, so that
the smaller of them are too slow. Between 18 and 512 MiB nothing is known of the RTX 4090's reads. The tables of Luo et al. were read as
others quote them (Table V in github.com/acornjelly2205/Instruction_Roofline_Analysis, README.md).

Bandwidths are those of other kernels than camber's. On an H200 the same program copies 3.2 TB/s (its gpu-stream/h200.txt) where camber's
kernels copy 4.2 (results/h200/ceilings.json). So the memory of a card may be faster than its file says.

## Blackwell

Few measurements of the B200 and the RTX 5090 are published. Their copy bandwidth is that of the pins times the share that a copy reaches on a
card of the previous generation. No source states what L1 delivers or how many integer instructions start in a cycle, so `camber model` prints
the time that memory takes at least (column min. us) and no other time. It holds for boards far beyond L2:

    camber model --size 32768x32768 --ceilings b200
    camber model --size 32768x32768 --ceilings rtx-5090

[Boards of the campaign](campaign-boards.md) has these times beside measured ones of an H200.

## Cards of the published tables

The GTX 285, the GTX 280, the GeForce 770M and the GTX 480 have [a model of their own](../../docs/time-model.md#cards-of-2008-to-2010). `camber
reproduce TABLE --predict` sets its times beside the printed ones.

What no source states: how much of the pins' bandwidth a kernel reaches on a card of 1.x (the share of a GTX 480 stands in), what a launch
takes there (as on a GTX 480), and the latencies, for which the ranges of the CUDA C Programming Guide stand. The thesis
calls its second card "GeForce 770M" and gives no compute capability; its printed occupancies are those of 1.0 or 1.1. Rates per cycle of
the GTX 480's memories were measured on a card with a faster clock, and are taken to keep pace with it.

## Not here

The other cards of published tables, GTX 580, GTX 680, GTX 980, GTX 295, 9800 GT, 9500 GT, Quadro FX 4800 and NVS 140M, were not looked up.
"""


def files():
    written = {}
    page = README
    for card in (v100(), a100(), rtx3090(), l40(), rtx4090(), b200(), rtx5090(), gtx285(), gtx280(), geforce770m(), gtx480()):
        written[card.file] = json.dumps(card.document(), indent=2) + "\n"
        page += f"\n## {card.name} (compute capability {card.capability})\n\n"
        page += "| figure | value | source |\n|---|---|---|\n"
        page += "".join(f"| {name} | {value} | {source} |\n" for name, value, source in card.sources)
    written["README.md"] = page
    return written


def main():
    folder = pathlib.Path(__file__).parent
    stale = []
    for name, text in files().items():
        path = folder / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        sys.exit(f"{', '.join(stale)} differ from what make.py writes: run it")


if __name__ == "__main__":
    main()
