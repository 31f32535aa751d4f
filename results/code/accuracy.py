#!/usr/bin/env python3
"""Prints how well predicted times agree with the committed measurements, as a table.

    python3 results/code/accuracy.py ./camber > results/code/accuracy.md
"""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

results = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(results))
from results_files import load  # noqa: E402

# By card: the boards of its campaign, or what replaces them, and the others. Of `extrema`, `extrema_stack` and
# `larger_than_life` the campaigns' own files have older kernels.
of_campaign = """{card}/life {card}/life-uint8 {card}/life-torus {card}/life-8192 {card}/life-uint8-32k {card}/life-counters {card}/life-1000x777
{card}/life-many {card}/life-bits {card}/life-bits-many {card}/blur {card}/blur-counters {card}/blur-many {card}-requests/dog {card}/dog_image
{card}-edges/extrema {card}-edges/extrema_stack {card}/gaussian-r1 {card}/gaussian-r2 {card}/gaussian-r3 {card}/gaussian {card}/gaussian-r7 {card}/gaussian-r10
{card}/gaussian-r15 {card}-edges/larger_than_life-r1 {card}-edges/larger_than_life-r2 {card}-edges/larger_than_life-r3
{card}-edges/larger_than_life-r5 {card}-edges/larger_than_life-r7 {card}-edges/larger_than_life-r10
{card}-edges/larger_than_life-r15 {card}/larger_than_life-bits {card}/larger_than_life-bits-r1 {card}/larger_than_life-bits-r5
{card}/larger_than_life-bits-r15 {card}/surface_water {card}/surface_water-counters {card}/water_flow""".split()
beside = """{card}-requests/life-1000x777 {card}-requests/life-1000x777-graph {card}-requests/life-256-graph {card}-requests/life-2048
{card}-requests/life-2048-graph {card}-requests/blur-2048 {card}-requests/gaussian-r1 {card}-requests/gaussian-r5
{card}-requests/gaussian-r15 {card}/life-2048-cold {card}/life-1000x777-torus-uint8""".split()
uncertain = "h200/magflow-tiled h200/sciara_fv2-tiled h200/magflow h200/sciara_fv2 h200/sph-counters".split()
counters = """h100/life-counters h100/blur-counters h100/dog-counters h100/extrema-counters h100/gaussian-counters-r1
h100/gaussian-counters h100/gaussian-counters-r15 h100-edges/larger_than_life-counters-r1
h100/larger_than_life-bits-counters h100/surface_water-counters h100/water_flow-counters""".split()

figures = (r"(\d+) variants\. Kendall's tau of the predicted and the measured ranking: (-?[0-9.]+).*?(-?[0-9.]+) for pairs whose.*?takes ([0-9.]+) times.*?median ([0-9.]+) %, "
           r"90th percentile (\d+) %; (\d+) % of the variants.*?(\d+) % of the measured.*?(\d+) predictions are uncertain")


def command(camber, name):
    """With the ceilings of the card: those of its campaign lack some."""
    words = [camber, "model", "--measured", str(results / f"{name}.json")]
    card = "h200" if name.startswith("h200") else "h100"
    return words + ["--ceilings", str(results / "cards" / f"{card}.json")]


def run(camber, name):
    """What `camber model` prints, and predicted seconds of a generation by variant."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.json"
        text = subprocess.run(command(camber, name) + ["--json", file], capture_output=True, text=True, check=True).stdout
        models = json.loads(Path(file).read_text())["models"]
    return text, {model["variant"]: model["time"]["predicted_seconds"] / model["generations_per_launch"]
                  for model in models if "time" in model}


def figures_of(text):
    return re.search(figures, " ".join(text.split())).groups()


def row(name, text):
    n, tau, apart, pick, median, ninth, within, inside, uncertain = figures_of(text)
    board = next(case["camber"]["size"] for case in load(results / f"{name}.json")["benchmarks"] if "size" in case["camber"])
    return (f"| {name} | {board['columns']} x {board['rows']} | {n} | {tau} | {apart} | {pick} | {median} % | {ninth} % | {within} % "
            f"| {inside} % | {uncertain} |")


def misses(text):
    """What a board misses of the aims."""
    _, tau, _, pick, median, ninth, *_ = figures_of(text)
    if float(tau) < 0.80:
        yield f"tau {tau}"
    if float(pick) > 1.10:
        yield f"pick {pick}"
    if float(median) > 15:
        yield f"median {median} %"
    if float(ninth) > 35:
        yield f"nine in ten below {ninth} %"


def list_misses(names, texts):
    for name in names:
        if missed := ", ".join(misses(texts[name])):
            print(f"- {name}: {missed}")


def table(names, texts):
    print("| file | board | variants | tau | apart | pick | median error | nine in ten below | within 35 % | in the interval "
          "| uncertain |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        print(row(name, texts[name]))


def workload_of(name):
    return re.match(r"\w+", name.split("/")[1])[0]


def workload_table(predicted):
    """All boards of a workload's campaign together: of pairs of variants on the same board."""
    print("""
| workload | card | boards | variants | tau | median error | nine in ten below | highest pick |
|---|---|---:|---:|---:|---:|---:|---:|""")
    for workload in sorted({workload_of(name) for name in of_campaign}):
        for card in ("h200", "h100"):
            boards = [name.format(card=card) for name in of_campaign if workload_of(name) == workload]
            order = ordered = predicted_order = 0
            errors, picks = [], []
            for name in boards:
                times = measured(name)
                pairs = [(times[variant], time) for variant, time in predicted[name].items() if variant in times]
                errors += [abs(time * 1e9 / ns - 1) for ns, time in pairs]
                picks.append(min(pairs, key=lambda pair: pair[1])[0] / min(ns for ns, _ in pairs))
                for i, (ns, time) in enumerate(pairs):
                    for other_ns, other in pairs[:i]:
                        x, y = (ns > other_ns) - (ns < other_ns), (time > other) - (time < other)
                        order += x * y
                        ordered += x != 0
                        predicted_order += y != 0
            errors.sort()
            print(f"| {workload} | {card} | {len(boards)} | {len(errors)} | {order / math.sqrt(ordered * predicted_order):.2f} "
                  f"| {100 * statistics.median(errors):.1f} % | {100 * errors[math.ceil(0.9 * len(errors)) - 1]:.0f} % | {max(picks):.2f} |")


def measured(name):
    cases = load(results / f"{name}.json")["benchmarks"]
    return {case["camber"]["variant"]: case["real_time"] for case in cases
            if case["camber"].get("backend") == "cuda" and case["camber"].get("status") == "ok"}


def kendall(first, second):
    pairs = [(a, b) for i, a in enumerate(first) for b in list(first)[:i]]
    signs = [(first[a] - first[b]) * (second[a] - second[b]) for a, b in pairs]
    return sum((sign > 0) - (sign < 0) for sign in signs) / len(pairs)


def cards():
    """The measured orders of the two cards against each other."""
    print("""
How far can a prediction come? The measured times of one card, taken as a prediction of the other's order, have these taus:

| workload | variants | tau |
|---|---:|---:|""")
    for workload in "life blur dog dog_image extrema extrema_stack surface_water water_flow".split():
        one, other = (measured(f"{card}/{workload}") for card in ("h200", "h100"))
        both = {variant: one[variant] for variant in one if variant in other}
        print(f"| {workload} | {len(both)} | {kendall(both, other):.2f} |")


def instructions_of(camber, name):
    """By technique: predicted instructions of a launch over counted ones, of each of its variants."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/model.json"
        subprocess.run(command(camber, name) + ["--json", file],
                       capture_output=True, check=True)
        models = json.loads(Path(file).read_text())["models"]
    document = load(results / f"{name}.json")
    gpu = document["context"]["camber"]["gpu"]
    slots = 4 * gpu["sm_count"] * gpu["sm_clock_hz"]
    counted = {case["camber"]["variant"]: case["camber"].get("counters", {}).get("smsp__inst_executed.sum")
               for case in document["benchmarks"]}
    ratios = {}
    for model in models:
        # Not where it is how fast the instructions of a long text come.
        issue = [part["seconds"] for part in model.get("time", {}).get("parts", [])
                 if part["resource"] == "issue" and "slots" in part["basis"]]
        if issue and counted.get(model["variant"]):
            technique = model["variant"].split("/")[1]
            ratios.setdefault(technique, []).append(issue[0] * slots / counted[model["variant"]])
    return ratios


def instruction_table(camber):
    print("""
Instructions of a launch, predicted over counted (`smsp__inst_executed`), and the techniques that have variants farthest off:

| file | variants | within 10 % | farthest |
|---|---:|---:|---|""")
    for name in counters:
        ratios = instructions_of(camber, name)
        every = [ratio for of in ratios.values() for ratio in of]
        off = sorted(((max(of, key=lambda ratio: abs(math.log(ratio))), technique) for technique, of in ratios.items()),
                     key=lambda pair: -abs(math.log(pair[0])))
        farthest = ", ".join(f"`{technique}` {ratio:.2f}" for ratio, technique in off[:3] if abs(ratio - 1) > 0.1)
        print(f"| {name} | {len(every)} | {sum(abs(ratio - 1) <= 0.1 for ratio in every)} | {farthest or 'none'} |", flush=True)


def main():
    camber = sys.argv[1]
    print("""# How good predicted times are

`python3 results/code/accuracy.py ./camber` prints this page. Each line sets the predicted times of a file's variants
beside the measured ones (`camber model --measured FILE --ceilings LIMITS`, with those of results/cards, since those of
the campaigns lack some). *tau* is Kendall's: 1 means that both are in the same order,
0 that the orders have nothing to do with each other. *apart* is the same over the pairs of variants whose times differ by
more than 3 %: less makes no difference, here as for published statements. *pick* is the time of the variant with the shortest prediction
over the best time. No rate, latency or capacity is fitted to variants. But no line is held out cleanly: the form (the exponents of the sum of parts, how loops are counted, what a cache holds, what counts as a chain and whose
chain a block waits for, that intervals reach 0.9 of every rate) was chosen while the errors of these boards were in sight, those of Life, `water_flow` and
`larger_than_life` above all. That a launch ends with its longest warp, and what waits where loads gather, was chosen with the
errors of `sph-counters` in sight, all of whose predictions are uncertain. Distances of reuse and the last filling's
chain were added with the errors of `gaussian` and `larger_than_life` in sight. How often loops go round, and that minima and maxima go to the ALU, was
found with counters (instructions of a warp, cycles of a pipe), not with times.

How far apart warps of a block are in what they share was added with the errors of `extrema` in sight, requests to L2 and the last of a block's requests
with those of `dog`, rows with those of `gaussian` at radius 1, and what a step leaves in L2 with those of `surface_water` on 2048 x 2048 cells. The exponent of the
sum, 3, was chosen with all of them in sight. That busy memory answers later was found in a trial with kernels that are no variants. What it takes part in, and that the time
in which a place for a block is empty takes no part, was chosen with the errors of Life, `blur`, `dog` and `extrema` in sight. That a launch begins once with a block's start and an access, not twice,
was chosen with those of Life on 256 x 256 and 1000 x 777 cells in sight, as graphs.

The last table has the instructions that are predicted over those that counters read. Variants whose instructions take longer to fetch than to issue are left out,
but where only a later kernel of a step is one, its fetching counts in their place (`row_stream` of `surface_water`).

That the first two fillings overlap less, and by how much, was chosen with the errors of most boards in sight, and so was that a warp waits for the last of what it asks for in a row.
That whole lines which neighbours share are read once, and that each row waits for memory where shared rows leave L2, follows from counters of DRAM and from an experiment;
that these were looked at, from the errors of `gaussian` at radius 10 and `extrema_stack`. An H200 takes longer for what L2 gives for the first time
(results/cards). No H100 could be had: predictions for it take as many cycles more, and nobody has measured whether it does.
How much of a text is executed where blocks overhang a board, its branches tell; that the flow through them has the fewest instructions was found with counters,
and that the busiest warp of a block goes through all of the text was chosen with the errors of Life on 256 x 256, 1000 x 777 and 2048 x 2048 cells in sight.

That what a warp issues meanwhile covers more of a wait for far memory, and that spilled registers come back from L1, follows from the machine code; that its waits were looked at, from the errors of `life-bits-many`,
as was that warps which meet once and then wait in a loop go apart. How fast instructions of a long text come, `camber ceilings` measures; that warps gather at as many places of it
as the cache goes into it, and that those that meet stay at one, was chosen with the errors of `life-bits-many` and `extrema_stack` in sight. That blocks at the board's edge
end last was found with counters of `blur-many` (multiprocessors stood still for 4 to 18 % of the time), and that warps that take their work from each other overlap with an exponent of 3.7, with the errors of
`life-bits-many` in sight: queueing theory gives it, but for other kernels the exponents are not drawn from it.

On `dog` most variants take nearly the same time: of its pairs 23 % differ by less than 3 % on the H200, and 42 % on the H100.

The aims are a tau of 0.80 within each workload and card, a pick of 1.10, a median error of 15 %, and nine in ten within 35 %.
""")
    names = [name.format(card=card) for name in of_campaign + beside for card in ("h200", "h100")] + uncertain
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        longest_first = sorted(names, key=lambda name: "bits-many" not in name)
        found = dict(zip(longest_first, pool.map(lambda name: run(camber, name), longest_first)))
    texts = {name: text for name, (text, _) in found.items()}
    print("The workloads of the two campaigns, all boards of each together; tau over pairs of variants on the same board:")
    workload_table({name: predicted for name, (_, predicted) in found.items()})
    campaigns = names[:2 * len(of_campaign)]
    others = names[len(campaigns):-len(uncertain)]
    print("""
A board by itself has fewer variants, and some have hardly any that differ. These miss an aim by themselves:
""")
    list_misses(campaigns, texts)
    print("\nOf the files beside the campaigns these miss an aim:\n")
    list_misses(others, texts)
    print("""
In the stream of 1000 x 777 cells, and on the torus, the fastest launches take as long as the host needs to submit them: the order is the host's.
Of those, two measured runs agree with each other by 0.4 to 0.8. As graphs (`-graph`) launches follow each other without it.

The boards of the campaigns:
""")
    table(campaigns, texts)
    print("\nFiles that were measured beside them, and boards that time the host or an empty cache:\n")
    table(others, texts)
    print("\nLava and particles:\n")
    table(uncertain, texts)
    cards()
    instruction_table(camber)


if __name__ == "__main__":
    main()
