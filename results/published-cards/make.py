#!/usr/bin/env python3
"""Writes the limits of cards that were never at hand, from what others have published.

    make.py            writes a file per card, as `camber ceilings --json` has it, and README.md
    make.py --check    exit code 1 where one of them is not what this script writes

Every figure stands below with its source. What no source states is left out: `camber model` then says
what stands in for it.
"""
import json
import pathlib
import sys

BENCHES = "gpu-benches (github.com/te42kyfo/gpu-benches)"
GUIDE = "CUDA C++ Programming Guide, throughput of native arithmetic instructions"
BANKS = "CUDA C++ Programming Guide, shared memory: 32 banks of 32 bits per clock cycle"
ORNL = "Oak Ridge Leadership Computing Facility, Summit User Guide, NVIDIA V100 GPUs"
L40 = ("Non-Uniform L2 Cache Latency Across the Streaming Multiprocessors of an NVIDIA L40 "
       "(arXiv 2606.22588)")
PC2 = "Paderborn Center for Parallel Computing, NVIDIA A100 40GB with NVLINK (deviceQuery)"

GUIDE_42 = "CUDA C Programming Guide 4.2"
MIXBENCH = "mixbench (github.com/ekondis/mixbench), results/GTX480.txt"
MEMBENCH = ("gpumembench (github.com/ekondis/gpumembench), README.md: {}, on a card at 1.55 GHz "
            "(Konstantinidis and Cotronis, PDP 2016)")
CLPEAK = "clpeak (github.com/krrishnarraj/clpeak), results/NVIDIA_CUDA/GeForce_GTX_480.log"

KIB = 1024
GIB = 1 << 30
PAIR = 16  # bytes: an element of 8 bytes read, and one written


class Card:
    """Collects figures, each with its source."""

    def __init__(self, file, name, capability, facts):
        self.file, self.name, self.capability = file, name, capability
        self.facts = {key: value for key, (value, _) in facts.items()}
        self.sources = [(key, f"{value:,}", source) for key, (value, source) in facts.items()]
        self.ceilings = {}

    def curve(self, name, points, source):
        self.ceilings[name] = [{"working_set_bytes": size, "bytes_per_second": gigabytes * 1e9}
                               for size, gigabytes in points]
        text = ", ".join(f"{gigabytes} GB/s at {size / (1 << 20):.4g} MiB" for size, gigabytes in points)
        self.sources.append((name, text, source))

    def rate(self, name, per_second, text, source):
        self.ceilings[name] = per_second
        self.sources.append((name, text, source))

    def lanes(self, name, per_cycle, flops, source):
        """Of every multiprocessor, in a cycle of its clock."""
        self.rate(name, per_cycle * flops * self.facts["sm_count"] * self.facts["sm_clock_hz"],
                  f"{per_cycle} a cycle and multiprocessor", source)

    def cycles(self, name, count, source):
        self.rate(name, count / self.facts["sm_clock_hz"], f"{count} cycles", source)

    def words(self, name, per_cycle, source):
        """Of 4 bytes, as lanes."""
        self.rate(name, 4 * per_cycle * self.facts["sm_count"] * self.facts["sm_clock_hz"],
                  f"{per_cycle} words of 4 bytes a cycle and multiprocessor", source)

    def pins(self, gigabytes, source):
        self.rate("pin_bytes_per_second", gigabytes * 1e9, f"{gigabytes} GB/s", source)

    def document(self):
        gpu = {"name": f"{self.name}, published figures", "index": 0,
               "compute_capability": self.capability, "sm_count": self.facts["sm_count"],
               "l2_bytes": self.facts.get("l2_bytes"), "memory_bytes": None, "memory_clock_hz": None,
               "sm_clock_hz": self.facts["sm_clock_hz"], "ecc": None}
        return {
            "context": {
                "date": "", "host_name": "", "executable": "make.py", "num_cpus": 0,
                "mhz_per_cpu": 0, "caches": [], "load_avg": [], "library_build_type": "",
                "camber": {"schema_version": 1, "version": "0.1.0", "command": ["make.py"],
                           "gpu": gpu, "driver": None, "runtime": None, "compiler": "", "flags": "",
                           "build_type": "", "host": "", "git": None, "date": "",
                           "ceilings": {}}},
            "ceilings": self.ceilings}


def v100():
    card = Card("v100-pcie.json", "NVIDIA V100-PCIE-16GB", "7.0", {
        "sm_count": (80, ORNL),
        "l2_bytes": (6144 * KIB, ORNL + ": 6 MB"),
        "sm_clock_hz": (1380000000, BENCHES + ", cuda-latency/v100.txt: the clock while measured"),
    })
    stream = BENCHES + ", gpu-stream/v100.txt, 1024 threads a block: "
    card.curve("read", [(3456 * KIB, 2436.8), (GIB, 866)],
               BENCHES + ", gpu-cache/v100.txt (in L2), and gpu-stream/v100.txt: read")
    card.curve("write", [(GIB, 895)], stream + "init")
    card.curve("copy", [(2 * GIB, 802)], stream + "scale")
    card.curve("triad", [(3 * GIB, 814)], stream + "triad")
    card.rate("l1_bytes_per_second", 13873.4e9, "13873.4 GB/s",
              BENCHES + ", gpu-cache/v100.txt, 64 kB")
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.lanes("fp32_flops_per_second", 64, 2, GUIDE + ", 7.x")
    card.lanes("fp64_flops_per_second", 32, 2, GUIDE + ", 7.x")
    card.lanes("int32_adds_per_second", 64, 1, GUIDE + ", 7.x")
    card.lanes("int32_multiply_adds_per_second", 64, 1, GUIDE + ", 7.x")
    card.lanes("lop3_operations_per_second", 64, 1, GUIDE + ", 7.x: bitwise AND, OR, XOR")
    latency = BENCHES + ", cuda-latency/v100.txt, "
    card.cycles("l1_latency_seconds", 30.1, latency + "64 kB")
    card.cycles("l2_latency_seconds", 215.0, latency + "3 MB")
    card.cycles("dram_latency_seconds", 436.3, latency + "340 MB")
    return card


def a100():
    card = Card("a100-80gb.json", "NVIDIA A100 80 GB", "8.0", {
        "sm_count": (108, PC2),
        "l2_bytes": (41943040, PC2),
        "sm_clock_hz": (1410000000, BENCHES + ", cuda-latency/a100_80.txt: the clock while measured"),
    })
    stream = BENCHES + ", cuda-stream/a100_80.txt, 1024 threads a block: "
    in_l2 = [(2048, 5481.9), (8192, 5436.5), (16896, 5447.7), (25600, 5376.2), (30720, 3999.5),
             (36864, 3004.0), (44032, 2188.0), (52736, 1945.5), (69632, 1885.6), (100352, 1866.9),
             (281600, 1829.4), (1064448, 1727.5)]
    card.curve("read", [(size * KIB, rate) for size, rate in in_l2],
               BENCHES + ", gpu-l2-cache/a100_80.txt")
    card.curve("write", [(GIB, 1880)], stream + "init")
    # Kernels of a graph, from the size on at which their launches no longer count.
    copies = [(894165, 2835), (1313820, 3086), (1532439, 3104), (1787436, 2919), (2084864, 2516),
              (2431785, 2193), (2626327, 1613), (4501058, 1624), (10494834, 1694), (61620009, 1742)]
    kernels = BENCHES + ", gpu-small-kernels/a100_80"
    card.curve("copy", [(PAIR * count, rate) for count, rate in copies],
               kernels + "_graph.txt, the best block")
    card.rate("launch_seconds", 2.6e-6, "2.6 us", kernels + ".txt, 4096 elements")
    card.rate("graph_node_seconds", 1.34e-6, "1.34 us", kernels + "_graph.txt, 4096 elements")
    card.curve("triad", [(3 * GIB, 1759)], stream + "triad")
    card.rate("l1_bytes_per_second", 19119.9e9, "19119.9 GB/s",
              BENCHES + ", cuda-cache/a100_80.txt, 128 kB")
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.lanes("fp32_flops_per_second", 64, 2, PC2 + ": 6912 FP32 ALUs")
    card.lanes("fp64_flops_per_second", 32, 2, GUIDE + ", 8.0")
    card.lanes("int32_adds_per_second", 64, 1, GUIDE + ", 8.0")
    card.lanes("lop3_operations_per_second", 64, 1, PC2 + ": 6912 INT32 ALUs")
    latency = BENCHES + ", cuda-latency/a100_80.txt, "
    card.cycles("l1_latency_seconds", 36.2, latency + "64 kB")
    card.cycles("l2_latency_seconds", 211.0, latency + "4 MB")
    card.cycles("dram_latency_seconds", 571.8, latency + "340 MB")
    return card


def l40():
    card = Card("l40.json", "NVIDIA L40", "8.9", {
        "sm_count": (142, BENCHES + ", gpu-stream/l40.txt: 109056 threads of 142 blocks"),
        "l2_bytes": (96 << 20, L40 + ": 96 MiB"),
        "sm_clock_hz": (2490000000, BENCHES + ", gpu-latency/l40.txt: the clock while measured"),
    })
    stream = BENCHES + ", gpu-stream/l40.txt, the best block: "
    in_l2 = [(2048, 5292.6), (8192, 5331.9), (30720, 5229.8), (91648, 5242.8), (100352, 4293.9),
             (110080, 1075.4), (120832, 879.8), (145408, 845.8), (1064448, 806.0)]
    card.curve("read", [(size * KIB, rate) for size, rate in in_l2],
               BENCHES + ", gpu-l2-cache/l40.txt")
    card.curve("write", [(GIB, 846)], stream + "init")
    copies = [(1042953, 3909), (1787436, 4365), (2626327, 4604), (3858933, 4346), (4861142, 4273),
              (5250033, 3932), (5670035, 3512), (6123637, 2506), (6613527, 1622), (8331138, 1274),
              (9717439, 841), (10494834, 760), (61620009, 768)]
    kernels = BENCHES + ", gpu-small-kernels/l40"
    card.curve("copy", [(PAIR * count, rate) for count, rate in copies],
               kernels + "_graph.txt, the best block")
    card.rate("launch_seconds", 1.64e-6, "1.64 us", kernels + ".txt, 4096 elements")
    card.rate("graph_node_seconds", 0.94e-6, "0.94 us", kernels + "_graph.txt, 4096 elements")
    card.curve("triad", [(3 * GIB, 803)], stream + "triad")
    card.rate("l1_bytes_per_second", 22620e9, "22620 GB/s", BENCHES + ", gpu-cache/l40.txt, 48 kB")
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.lanes("fp32_flops_per_second", 128, 2, GUIDE + ", 8.9")
    card.lanes("fp64_flops_per_second", 2, 2, GUIDE + ", 8.9")
    card.lanes("int32_adds_per_second", 64, 1, GUIDE + ", 8.9")
    card.lanes("int32_multiply_adds_per_second", 64, 1, GUIDE + ", 8.9")
    card.lanes("lop3_operations_per_second", 64, 1, GUIDE + ", 8.9: bitwise AND, OR, XOR")
    latency = BENCHES + ", gpu-latency/l40.txt, "
    card.cycles("l1_latency_seconds", 36.3, latency + "64 kB")
    card.cycles("l2_latency_seconds", 276.5, latency + "4 MB")
    card.cycles("dram_latency_seconds", 631.0, latency + "289 MB")
    return card


def first_generation(card):
    """Of compute capability 1.x: 16 banks, each of a word in two cycles."""
    card.words("shared_bytes_per_second", 8, GUIDE_42 + ", section F.3.3")
    return card


def gtx285():
    asked = "deviceQuery of a GeForce GTX 285 (gist.github.com/xman/962368, 2011)"
    review = "HotHardware, NVIDIA GeForce GTX 285 Unveiled, 2009"
    card = Card("gtx-285.json", "NVIDIA GeForce GTX 285", "1.3", {
        "sm_count": (30, asked),
        "sm_clock_hz": (1476000000, review + ": shader clock"),
    })
    card.pins(158.976, asked + " and " + review + ": 1242 MHz, twice a cycle, 512 bits")
    return first_generation(card)


def gtx280():
    bilotta = "Bilotta et al. 2011, Table 1"
    card = Card("gtx-280.json", "NVIDIA GeForce GTX 280", "1.3", {
        "sm_count": (30, bilotta + ": 240 cores, of which a multiprocessor has 8"),
        "sm_clock_hz": (1300000000, bilotta),
    })
    card.pins(141.696, "NVIDIA, The Art of performance optimization, SIGGRAPH Asia 2009: 1107 MHz, "
              "twice a cycle, 512 bits")
    return first_generation(card)


def geforce770m():
    balasalle = "Balasalle 2011, chapter 6"
    card = Card("geforce-770m.json", "NVIDIA GeForce 770M", "1.1", {
        "sm_count": (4, balasalle),
        "sm_clock_hz": (1250000000, balasalle),
    })
    card.pins(35.6, balasalle)
    return first_generation(card)


def gtx480():
    asked = "deviceQuery of a GeForce GTX 480 (gist.github.com/voidw0rd/2932161, 2012)"
    card = Card("gtx-480.json", "NVIDIA GeForce GTX 480", "2.0", {
        "sm_count": (15, asked),
        "l2_bytes": (786432, asked),
        "sm_clock_hz": (1401000000, asked),
    })
    card.pins(177.408, asked + ": 1848 MHz as doubled there, twice a cycle, 384 bits")
    card.curve("copy", [(256 << 20, 144.04)],
               MIXBENCH + ": loads and stores in turn, without arithmetic, of 8 bytes")
    card.words("l2_bytes_per_second", 2.907, MEMBENCH.format("cachebench, 645,120 bytes"))
    card.words("l1_bytes_per_second", 14.840, MEMBENCH.format("cachebench, 92,160 bytes"))
    card.words("shared_bytes_per_second", 15.94, MEMBENCH.format("shmembench, 32 bit"))
    card.rate("fp32_flops_per_second", 1285.14e9, "1285.14 GFLOPS", MIXBENCH)
    card.rate("fp64_flops_per_second", 167.60e9, "167.60 GFLOPS", MIXBENCH)
    card.rate("int32_multiply_adds_per_second", 670.45e9 / 2,
              "670.45 G operations/s, two in a multiply-add", MIXBENCH)
    card.rate("launch_seconds", 7.56e-6, "7.56 us", CLPEAK + ", on a card at 1.55 GHz")
    return card


README = """# Cards that were never at hand

Limits of cards, from what others have published. Each file has the form of `camber ceilings --json`, so that `camber model
--ceilings` predicts times for the card. No time of camber on these cards was measured.

    camber model --size 16384x16384 --ceilings results/published-cards/v100-pcie.json

[make.py](make.py) writes the files and this page; a test holds them against it. A latency counts cycles of the clock given.

Machine code for 9.0 stands in for that of all these cards, and every time is marked as uncertain.

## Cards of 2017 to 2023

What no source states is left out: on the V100, the A100 and the L40 the latencies of shared memory and arithmetic, the start of blocks,
and how fast L2 takes writes; on the V100 also what a launch and a node of a graph take, and how fast L2 takes copies; on the A100 the
rate of integer multiply-adds. `camber model` names what stands in for them. So the times hold for boards far beyond L2, and those inside
it are too long.

Bandwidths are those of other kernels than camber's. On an H200 the same program copies 3.2 TB/s (its gpu-stream/h200.txt) where camber's
kernels copy 4.2 (results/h200/ceilings.json). So the memory of a card may be faster than its file says.

## Cards of the published tables

The GTX 285, the GTX 280, the GeForce 770M and the GTX 480 have [a model of their own](../../docs/metrics.md#cards-of-2008-to-2010). `camber
reproduce TABLE --predict` sets its times beside the printed ones.

What no source states: how much of the pins' bandwidth a kernel reaches on a card of 1.x (the share of a GTX 480 stands in), what a launch
takes there (as on a GTX 480), and the latencies, for which the ranges of the CUDA C Programming Guide stand. The thesis
calls its second card "GeForce 770M" and gives no compute capability; its printed occupancies are those of 1.0 or 1.1. Rates per cycle of
the GTX 480's memories were measured on a card with a faster clock, and are taken to keep pace with it.

## Not here

RTX 3090 and RTX 4090: no source gave all the curves that a time needs. Of the 3090 there are reads over the working set, and latencies, but
no copies, writes or L1 (github.com/arabel1a/gpu-micro-bench, results/memtest); of the 4090 latencies (github.com/markdewing/AI_kernels,
latency/data/4090.dat) and one bandwidth of DRAM (github.com/xytpai/nvbench). The L40 has the chip of the 4090, AD102, with other clocks and memory.

The other cards of published tables, GTX 580, GTX 680, GTX 980, GTX 295, 9800 GT, 9500 GT, Quadro FX 4800 and NVS 140M, were not looked up.
"""


def files():
    written = {}
    page = README
    for card in (v100(), a100(), l40(), gtx285(), gtx280(), geforce770m(), gtx480()):
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
