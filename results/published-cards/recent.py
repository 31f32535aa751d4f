"""Cards of 2017 to 2023."""
from card import Card

BENCHES = "gpu-benches (github.com/te42kyfo/gpu-benches)"
GUIDE = "CUDA C++ Programming Guide, throughput of native arithmetic instructions"
BANKS = "CUDA C++ Programming Guide, shared memory: 32 banks of 32 bits per clock cycle"
ORNL = "Oak Ridge Leadership Computing Facility, Summit User Guide, NVIDIA V100 GPUs"
L40 = ("Non-Uniform L2 Cache Latency Across the Streaming Multiprocessors of an NVIDIA L40 "
       "(arXiv 2606.22588)")
PC2 = "Paderborn Center for Parallel Computing, NVIDIA A100 40GB with NVLINK (deviceQuery)"

LUO = "Luo et al. 2024, Benchmarking and Dissecting the Nvidia Hopper GPU Architecture (arXiv 2402.13499), {}"
LATENCIES_4090 = "github.com/markdewing/AI_kernels, latency/README.md"
CLPEAK_4090 = "github.com/krrishnarraj/clpeak, issue 106, at a power limit of 248 W"
GA102 = "NVIDIA Ampere GA102 GPU Architecture, version 2.0"
MICRO_BENCH = "github.com/arabel1a/gpu-micro-bench, results/{}"
SAME_CHIP = " on an {}, which has the same chip"

KIB = 1024
GIB = 1 << 30
MIB = 1 << 20
PAIR = 16  # bytes: an element of 8 bytes read, and one written


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


def rtx3090():
    memory = MICRO_BENCH.format("memtest/NVIDIA_GeForce_RTX_3090.json")
    card = Card("rtx-3090.json", "NVIDIA GeForce RTX 3090", "8.6", {
        "sm_count": (82, memory),
        "l2_bytes": (6144 * KIB, memory),
        "sm_clock_hz": (1695000000, GA102 + ", appendix A: boost clock"),
    })
    a40 = BENCHES + ", gpu-cache/a40.txt{}" + SAME_CHIP.format("A40")
    # Smaller ones take little longer than the start of a kernel.
    sequential = [(8, 650.16), (16, 728.18), (32, 771.01), (64, 801.17), (128, 818.24)]
    card.curve("read", [(1478 * KIB, 2408.7), (3240 * KIB, 2433.6), (5190 * KIB, 2436.9)] +
               [(size * MIB, rate) for size, rate in sequential],
               a40.format(" (in L2)") + "; beyond L2 " + memory + ", BW_WARM, ca")
    card.curve("copy", [(2 * 4 * 40000000, 838.25)],
               "p2pBandwidthLatencyTest of NVIDIA's CUDA samples in github.com/NVIDIA/nccl, issue 1127: the "
               "first of eight cards, with itself")
    card.lanes("l1_bytes_per_second", 128, 1, GA102 + ": 219 GB/s a multiprocessor at the 1.71 GHz of an RTX 3080")
    card.lanes("l1_requests_per_second", 0.5, 1,
               a40.format(": 9352.2 GB/s in requests of 128 bytes, by 84 multiprocessors at 1.74 GHz,"))
    card.lanes("shared_bytes_per_second", 128, 1, GA102 + ": 128 bytes a clock and multiprocessor")
    card.lanes("fp32_flops_per_second", 128, 2, GA102 + ": 32 in each of 4 partitions")
    card.lanes("fp64_flops_per_second", 2, 2, GA102 + ": two units")
    card.lanes("int32_adds_per_second", 64, 1, GA102 + ": 16 INT32 cores in each of 4 partitions")
    card.lanes("lop3_operations_per_second", 64, 1, GA102 + ": 16 INT32 cores in each of 4 partitions")
    card.nanoseconds("l1_latency_seconds", 23.12, memory + ", LAT_WARM, ca, 2 kB")
    card.nanoseconds("l2_latency_seconds", 142.25, memory + ", LAT_WARM, ca, 4 MB")
    card.nanoseconds("dram_latency_seconds", 269.33, memory + ", LAT_WARM, ca, 128 MB")
    card.nanoseconds("arithmetic_latency_seconds", 2.231,
                     MICRO_BENCH.format("arithm/results.md") + ": IMAD, one chain")
    return card


def rtx4090():
    card = Card("rtx-4090.json", "NVIDIA GeForce RTX 4090", "8.9", {
        "sm_count": (128, CLPEAK_4090 + ": compute units"),
        "l2_bytes": (72 * MIB, LATENCIES_4090),
        "sm_clock_hz": (2520000000, CLPEAK_4090 + ": clock frequency"),
    })
    l2 = round(1708.0 * 2.52, 1)  # bytes a cycle, GHz
    card.curve("read", [(18 * MIB, l2), (512 * MIB, 921.32)],
               LUO.format("Table V: 1708.0 bytes a cycle from L2 (no size is given: here a quarter of it)") +
               "; beyond L2 " + CLPEAK_4090 + ": float16")
    copies = [(2, 3254.371352), (16, 3645.014244), (32, 2318.436161), (64, 819.608442)]
    card.curve("copy", [(2 * size * MIB, round(rate, 1)) for size, rate in copies] + [(2 * GIB, 921.85)],
               "github.com/smallscientist1/cuda_microbenchmark, analysis_RTX4090.md; the largest from "
               "github.com/xytpai/nvbench, README.md: float 4")
    card.lanes("l1_bytes_per_second", 121.2, 1, LUO.format("Table V: loads of 16 bytes"))
    card.lanes("l1_requests_per_second", 0.5, 1,
               BENCHES + ", gpu-cache/l40.txt: 22620 GB/s in requests of 128 bytes, by 142 multiprocessors at "
               "2.49 GHz," + SAME_CHIP.format("L40"))
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.lanes("fp32_flops_per_second", 128, 2, GUIDE + ", 8.9")
    card.lanes("fp64_flops_per_second", 2, 2, GUIDE + ", 8.9")
    card.lanes("int32_adds_per_second", 64, 1, GUIDE + ", 8.9")
    card.lanes("int32_multiply_adds_per_second", 64, 1, GUIDE + ", 8.9")
    card.lanes("lop3_operations_per_second", 64, 1, GUIDE + ", 8.9: bitwise AND, OR, XOR")
    card.cycles("shared_latency_seconds", 30.1, LUO.format("Table IV"))
    card.cycles("l1_latency_seconds", 40, LATENCIES_4090)
    card.cycles("l2_latency_seconds", 296, LATENCIES_4090)
    card.cycles("dram_latency_seconds", 636, LATENCIES_4090)
    return card
