#!/usr/bin/env python3
"""Makes the files of this folder: a picture, a terrain and an eruption, all from the formulas below.

    examples/make.py [FOLDER]      write them there; this folder if none is given

No measured data are in them. Numbers are rounded, so every machine makes the same files.
"""
import functools
import math
import pathlib
import struct
import sys
import zlib


@functools.cache
def random(seed, x, y):
    """A number from 0 to 1 for each point of an integer lattice."""
    h = (x * 0x9E3779B1 ^ y * 0x85EBCA6B ^ seed * 0xC2B2AE35) & 0xFFFFFFFF
    for factor in (0x7FEB352D, 0x846CA68B):
        h = (h ^ h >> 16) * factor & 0xFFFFFFFF
    return (h ^ h >> 16) / 0xFFFFFFFF


def noise(seed, x, y):
    """Value noise: random numbers on the lattice, smoothly between. From -1 to 1."""
    column, row = math.floor(x), math.floor(y)
    s, t = (f * f * (3 - 2 * f) for f in (x - column, y - row))
    top, bottom = (random(seed, column, r) * (1 - s) + random(seed, column + 1, r) * s
                   for r in (row, row + 1))
    return 2 * (top * (1 - t) + bottom * t) - 1


def fractal(seed, x, y, octaves):
    """A sum of octaves of noise, each twice as fine and half as high as the one before."""
    return sum(noise(seed + o, x * 2**o, y * 2**o) / 2**o for o in range(octaves))


def bell(x, width):
    return math.exp(-(x / width)**2 / 2)


def brightness(x, y):
    """A mountain lake in the evening, x and y from 0 to 1, y downwards. From 0, black, to 1."""
    shore = 0.66
    in_lake = y > shore
    if in_lake:  # the mirror image, shaken by waves and darker
        depth = y - shore
        x += 0.012 * math.sin(70 * depth**0.6 + 3 * noise(40, 9 * x, 60 * depth)) * (0.3 + depth)
        y = shore - 1.25 * depth
    sun = math.hypot(x - 0.68, (y - 0.2) * 1.05)
    light = 0.55 + 0.45 * y + 0.5 * bell(sun, 0.16) + 0.06 * fractal(3, 4 * x, 14 * y, 4)
    if sun < 0.045:
        light = 1.2
    for layer, (skyline, height, shade) in enumerate(((0.40, 0.16, 0.52), (0.52, 0.13, 0.36),
                                                      (0.62, 0.07, 0.19))):
        ridge = skyline - height * fractal(10 * layer + 11, 2.3 * x * (layer + 1) + layer, 0.5, 6)
        if y > ridge:
            below = y - ridge
            light = shade + 0.10 * fractal(layer + 50, 26 * x, 26 * y + 9 * x, 4) + 0.25 * below
            if layer == 0 and below < 0.05 + 0.03 * noise(70, 20 * x, 3):
                light += 0.28  # snow
    if in_lake:
        light = 0.78 * light + 0.03 * noise(80, 25 * x, 260 * y)
    return light


def picture(side):
    rows = []
    for row in range(side):
        pixels = (brightness((column + 0.5) / side, (row + 0.5) / side) * 235 +
                  9 * (random(90, column, row) - 0.5) for column in range(side))
        rows.append(bytes(min(255, max(0, round(p))) for p in pixels))
    return rows


def png(rows):
    """A grey-scale PNG with 8 bits per pixel. Each row holds differences from the row above."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    above, data = bytes(len(rows[0])), b""
    for row in rows:
        data += b"\x02" + bytes((a - b) & 255 for a, b in zip(row, above))
        above = row
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data, 9)) +
            chunk(b"IEND", b""))


def ascii_grid(columns, rows, side, west, south, altitude):
    """An ESRI ASCII grid. `altitude` takes the distance to the west and to the north edge, in metres."""
    lines = [f"ncols {columns}", f"nrows {rows}", f"xllcorner {west}", f"yllcorner {south}",
             f"cellsize {side}", "NODATA_value -9999"]
    for row in range(rows):
        lines.append(" ".join(f"{altitude((column + 0.5) * side, (row + 0.5) * side):.1f}"
                              for column in range(columns)))
    return "\n".join(lines) + "\n"


def valley(x, y):
    """A river valley that falls to the south, with two side valleys."""
    river = 640 + 130 * math.sin(y / 210) + 40 * math.sin(y / 83)
    across = abs(x - river)
    height = 620 - 0.11 * y + 330 * (1 - math.exp(-(across / 330)**1.4))
    for start, slope, width in ((330, 0.45, 50), (560, -0.5, 60)):
        height -= 70 * bell(y - start - slope * (x - 640), width) * (1 - math.exp(-across / 150))
    return height + 9 * fractal(5, x / 90, y / 90, 5)


def volcano(x, y):
    """A cone whose crater lies in the north-west, with old cones and a valley to the south-east."""
    east, south = x - 560, y - 430
    distance = math.hypot(east, south)
    down, across = (east + south) / math.sqrt(2), (east - south) / math.sqrt(2)
    height = 1250 + 1000 * math.exp(-distance / 900) - 60 * bell(distance, 70)
    if down > 0:
        bed = 120 * math.sin(down / 330) + 50 * math.sin(down / 140)
        height -= 75 * bell(across - bed, 130) * (1 - math.exp(-(down / 350)**2))
    for cone_x, cone_y, size in ((1230, 560, 90), (700, 1090, 80), (1500, 1030, 70)):
        away = math.hypot(x - cone_x, y - cone_y)
        height += 0.8 * size * bell(away, size) - 0.5 * size * bell(away, size / 3)
    height += max(0, y - 1150)**2 / 800  # hills in the south
    return height + 9 * fractal(9, x / 120, y / 120, 5)


# Rows and columns of cells of 10 m, below the crater: two fissures.
VENTS = ((1, 57, 70), (1, 58, 71), (2, 73, 84))
# m^3/s, for six hours each.
RATES = {1: (6, 5, 4, 3, 2, 1.5, 1, 0.5), 2: (3, 2.5, 2, 1.5, 1, 0.5, 0, 0)}

# The parameters of SCIARA-fv2 for Etna, as the public implementations have them.
CONFIGURATION = """maximum_steps_(0_for_loop) 0
stopping_threshold_(height) 0
refreshing_step 0
thickness_visual_threshold 0
Pclock 120
PTsol 1143
PTvent 1360
Pr(Tsol) 0.5
Pr(Tvent) 0.95
Phc(Tsol) 40
Phc(Tvent) 1.5
Pcool 2.8
Prho 2600
Pepsilon 0.9
Psigma 5.68E-08
Pcv 1150
algorithm MIN
"""


def rates():
    vents = (f"[VENT_ID]\n{vent}\n\n[EMISSION_RATE]\n" + "\n".join(map(str, values)) + "\n"
             for vent, values in RATES.items())
    return "[TIME]\n21600\n\n" + "\n".join(vents) + "\n[END]\n"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    eruption = folder / "eruption"
    eruption.mkdir(parents=True, exist_ok=True)
    (folder / "lake.png").write_bytes(png(picture(256)))
    (folder / "valley.asc").write_text(ascii_grid(128, 96, 10, 499000, 4174000, valley))
    name = "eruption_000000000000"
    (eruption / f"{name}.cfg").write_text(CONFIGURATION)
    (eruption / f"{name}_EmissionRate.txt").write_text(rates())
    (eruption / f"{name}_Vents.txt").write_text("".join("%d %d %d\n" % vent for vent in VENTS))
    (eruption / f"{name}_Morphology.asc").write_text(
        ascii_grid(190, 150, 10, 500000, 4175000, volcano))


main()
