"""Cards of 2025, of which fewer figures are published."""
from card import Card
from recent import BANKS, GIB, MIB

AO = "github.com/pytorch/ao, pull request 4002: {}"
CHIPS = ("Chips and Cheese, Nvidia's B200: Keeping the CUDA Juggernaut Rolling, as besthub.dev/articles quotes it: {}")
NCCL = "github.com/NVIDIA/nccl, issue 1637: deviceQuery"
SHARE = ", times the share of the pins' bandwidth that a copy reaches on {}"


def b200():
    card = Card("b200.json", "NVIDIA B200", "10.0", {
        "sm_count": (148, AO.format("device properties")),
        "l2_bytes": (253 * MIB // 2, AO.format("device properties: 126.50 MB")),
        "sm_clock_hz": (1990000000, CHIPS.format("39 cycles take 19.6 ns")),
    })
    h200 = 4236 / 4800
    card.curve("copy", [(8 * GIB, round(7672 * h200))],
               AO.format("7.672 TB/s at the pins") + SHARE.format("an H200 (results/experiments/records: 4236 of 4800 GB/s)"))
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.nanoseconds("l1_latency_seconds", 19.6, CHIPS.format("L1"))
    card.nanoseconds("l2_latency_seconds", 150, CHIPS.format("L2 of the own die"))
    return card


def rtx5090():
    card = Card("rtx-5090.json", "NVIDIA GeForce RTX 5090", "12.0", {
        "sm_count": (170, NCCL),
        "l2_bytes": (100663296, NCCL),
        "sm_clock_hz": (2550000000, NCCL),
    })
    rtx4090 = 921.85 / 1008
    card.curve("copy", [(8 * GIB, round(1792 * rtx4090))],
               NCCL + ": 512 bits at 14001 MHz, 1792 GB/s at the pins" +
               SHARE.format("an RTX 4090 (921.85 of 1008 GB/s)"))
    card.lanes("shared_bytes_per_second", 128, 1, BANKS)
    card.lanes("fp32_flops_per_second", 128, 2, NCCL + ": 128 CUDA cores a multiprocessor")
    return card
