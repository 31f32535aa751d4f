"""Cards of 2008 to 2010, on which published tables were measured."""
from card import Card

GUIDE_42 = "CUDA C Programming Guide 4.2"
MIXBENCH = "mixbench (github.com/ekondis/mixbench), results/GTX480.txt"
MEMBENCH = ("gpumembench (github.com/ekondis/gpumembench), README.md: {}, on a card at 1.55 GHz "
            "(Konstantinidis and Cotronis, PDP 2016)")
CLPEAK = "clpeak (github.com/krrishnarraj/clpeak), results/NVIDIA_CUDA/GeForce_GTX_480.log"


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
