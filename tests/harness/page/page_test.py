"""Draws HTML reports in a headless Chromium and checks what comes out.

usage: page_test.py CAMBER SOURCE_FOLDER

Exit code 77: Chromium is not installed, or camber was built without the chart library.

Faults: anything on the browser's console, a chart without marks, a table that differs from its
chart, labels cut off or on top of each other, roofs or ridges outside of the plot, a roofline
without labels, a chart that compares one thing, a section or menu entry without content, text
narrower than the charts, a page wider than its window, more than five findings or another data set
than the largest at first, faint colors, an SVG that cannot be saved, any address outside of the
page.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from browser import Browser, BrowserFailure, find_chromium

CAMBER, SOURCE = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
CHECK = pathlib.Path(__file__).with_name("page_check.js").read_text()
HOSTILE = 'a</script><b>"&\u2028<!--'


def amdahl_scaling():
    """A scaling that follows T = 10 + 90 / p us exactly: a serial part of a tenth."""
    points = []
    for p in (1, 2, 4, 8):
        time = 10e3 + 90e3 / p
        speedup = 100e3 / time
        points.append({
            "p": p, "units": p, "n": 20, "median_ns": time, "sigma_ns": 20.0, "speedup": speedup,
            "efficiency": speedup / p, "amdahl_speedup": speedup, "share_of_copy": 0.1 * p,
            "karp_flatt": None if p == 1 else (1 / speedup - 1 / p) / (1 - 1 / p),
            "karp_flatt_sigma": None if p == 1 else 0.004})
    fit = {"a": 0.1, "b": 0.9, "standard_errors": [0.0, 0.0], "residuals": [0.0] * 4,
           "max_abs_residual": 0.0}
    return {"workload": "life", "variant": "life/halo/16x16/align128", "backend": "cuda",
            "machine": "GPU", "unit": "sm", "unit_size": 1, "mode": "strong",
            "size": {"columns": 64, "rows": 64}, "points": points, "fits": {"amdahl": fit},
            "observed_d_max": 8, "bandwidth_saturated": False, "verdict": "serial_part", "reading": "A tenth of the work is serial."}


def gustafson_scaling():
    """A weak scaling that follows S = p - 0.1 (p - 1) exactly; it has no serial fraction e."""
    points = [{"p": p, "units": p, "n": 20, "median_ns": 100e3 * p / (p - 0.1 * (p - 1)),
               "sigma_ns": None, "scaled_speedup": p - 0.1 * (p - 1),
               "weak_efficiency": (p - 0.1 * (p - 1)) / p} for p in (1, 2, 4)]
    return {"workload": "life", "variant": "life/halo/16x16/align128", "backend": "cuda",
            "machine": "GPU", "unit": "gpu", "unit_size": 1, "mode": "weak", "size": {"columns": 64, "rows": 64},
            "points": points, "gustafson": {"serial_share": 0.1, "standard_error": None, "max_abs_residual": 0.0},
            "verdict": "weak", "reading": "A tenth.", "notes": ["A note."]}


def two_gpus(folder):
    """The trace of two GPUs that exchange rows under their kernels: four steps of two queues each."""
    lanes = [{"thread": 1 + 3 * place + k, "process": 1 + place, "name": name, "host": name == "host"}
             for place in (0, 1) for k, name in enumerate(("host", "edges", "middle"))]
    timeline = {"name": "life/gpus/" + HOSTILE, "clock_residual_ns": 850.0, "lanes": lanes,
                "places": [{"process": 1, "name": "cuda:0"}, {"process": 2, "name": "cuda:1"}]}
    events, correlation = [], 0
    for step in range(4):
        for place in (0, 1):
            base = 300.0 * step + 7 * place
            for tid, kind, name, start, length, size in (
                    (0, "range", "step", 0, 280, 0), (0, "issue", "cudaLaunchKernel", 2, 4, 0),
                    (1, "kernel", "edges", 12, 20, 0), (0, "issue", "cudaLaunchKernel", 8, 4, 0),
                    (2, "kernel", "middle", 16, 230 + 20 * place, 0),
                    (0, "issue", "cudaMemcpyPeerAsync", 20, 3, 0),
                    (1, "peer copy", "copy from device 0 to 1", 34, 60, 131072),
                    (1, "barrier", "flags", 94, 150, 0), (0, "wait", "cudaStreamSynchronize", 30, 245, 0)):
                given = kind in ("issue", "kernel", "peer copy")
                correlation += kind == "issue"
                events.append({"ph": "X", "pid": 1 + place, "tid": 1 + 3 * place + tid, "cat": kind,
                               "name": name, "ts": base + start, "dur": length,
                               "args": {**({"bytes": size} if size else {}),
                                        **({"correlation": correlation} if given else {})}})
    path = folder / "two gpus <&>.json"
    path.write_text(json.dumps({"otherData": {"writer": "camber", "timelines": [timeline]},
                                "traceEvents": events}))
    return path


def document_of(path):
    """A results file, which may be compressed."""
    return json.loads(subprocess.run([CAMBER, "cat", path], check=True, capture_output=True).stdout)


def mixed_files(folder):
    """Two GPUs, two sizes, a skipped and a failed case, Google Benchmark, a scaling, odd names."""
    first = pathlib.Path(SOURCE, "results/measurement/life-2048-counters-again.json.zst")
    other = document_of(first)
    other["context"]["camber"]["gpu"]["name"] = "Other GPU " + HOSTILE
    del other["context"]["camber"]["ceilings"]["l2_bytes_per_second"]
    other["benchmarks"] = other["benchmarks"][:7]
    for status, case in zip(("skipped", "failed"), other["benchmarks"]):
        case["camber"].update(status=status, reason=HOSTILE)
    other["benchmarks"][3]["camber"]["variant"] = "life/" + HOSTILE
    other["scaling"] = [amdahl_scaling(), gustafson_scaling()]
    google = {"context": {"date": "2026-01-01T00:00:00+00:00", "host_name": "host"},
              "benchmarks": [{"name": name, "run_name": name, "run_type": "iteration",
                              "real_time": time, "time_unit": "us"}
                             for name in ("BM_one/8", "BM_two/8") for time in (1.5, 1.75, 1.6)]}
    paths = [str(first), str(pathlib.Path(SOURCE, "results/h200/life-256-graph.json"))]
    for name, document in (("other <&>.json", other), ("google.json", google)):
        paths.append(str(folder / name))
        pathlib.Path(paths[-1]).write_text(json.dumps(document))
    run = [CAMBER, "run", "--backend", "simt", "--size", "64x48", "--variant", "halo/16x16/*",
           "--generations", "2", "--out", str(folder / "simt.json"),
           "--trace", str(folder / "simt-trace.json")]
    subprocess.run(run, check=True, capture_output=True, cwd=folder)
    lava = [CAMBER, "run", "--workload", "sciara_fv3", "--backend", "cpu", "--quick", "--size",
            "64x48", "--density", "0", "--generations", "80", "--intervals", "4", "--out",
            str(folder / "lava.json")]
    subprocess.run(lava, check=True, capture_output=True, cwd=folder)
    return paths + [str(folder / "simt.json"), str(folder / "lava.json"),
                    "--trace", str(folder / "simt-trace.json"), "--trace", str(two_gpus(folder))]


def history(folder):
    """Two machines over twelve commits: times with a step, counters with two, a failed case."""
    source = pathlib.Path(SOURCE, "results/measurement/aa-small.json").read_text()
    for k in range(12):
        for machine in ("NVIDIA H200", "Other GPU " + HOSTILE)[:1 if k < 4 else 2]:
            document = json.loads(source)
            run = document["context"]["camber"]
            run["git"] = {"commit": f"{16 + 11 * k:02x}" * 20, "dirty": False}
            run["date"] = f"2026-11-{k + 1:02}T12:00:00+0000"
            run["gpu"]["name"] = machine
            document["benchmarks"] = document["benchmarks"][:9]
            for place, case in enumerate(document["benchmarks"]):
                factor = (1.2 if k >= 6 and place % 2 else 1) * (1 + 0.001 * ((7 * k + place) % 5))
                case["camber"]["samples_ns"] = [factor * ns for ns in case["camber"]["samples_ns"]]
                case["camber"]["counters"] = {
                    f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum":
                        10**7 + (k >= 5 + step) * (1 if place == 1 else 0)
                    for step, op in enumerate(("ld", "st"))}
            if k == 9:
                document["benchmarks"][3]["camber"].update(status="failed", reason=HOSTILE)
            path = folder / "commit.json"
            path.write_text(json.dumps(document))
            subprocess.run([CAMBER, "history", "add", str(path), "--to", str(folder / "history")],
                           check=True, capture_output=True)
    return ["--history", str(folder / "history")]


def one_case(folder):
    """A single case without counters."""
    document = document_of(f"{SOURCE}/results/h200/life.json")
    document["benchmarks"] = document["benchmarks"][:1]
    path = folder / "one.json"
    path.write_text(json.dumps(document))
    return [str(path)]


def radii(folder):
    """Three rules of Larger than Life, made of the cases of Life: a file for each radius."""
    source = document_of(f"{SOURCE}/results/measurement/life-2048-counters-again.json")
    rules = {1: "R1,C0,M1,S3..4,B3..3,NM", 5: "", 15: "R15,C0,M1,S270..461,B270..357,NM"}
    paths = []
    for radius, rule in rules.items():
        document = json.loads(json.dumps(source))
        document["benchmarks"] = document["benchmarks"][:20]
        for case in document["benchmarks"]:
            camber = case["camber"]
            camber["workload"] = "larger_than_life"
            camber["variant"] = camber["variant"].replace("life/", "larger_than_life/", 1)
            if rule:
                camber["rule"] = rule
            if camber["technique"] != "halo":
                camber["derived"]["cells_per_second"] /= radius
        paths.append(folder / f"r{radius}.json")
        paths[-1].write_text(json.dumps(document))
    return [str(path) for path in paths]


def self_contained(text):
    """Addresses that the page's own markup and style would load: none."""
    outside = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    return re.findall(r"""(?:src|href)=["'](?!#|data:)[^"']*|url\([^)]*|@import""", outside)


def check(browser, name, files, folder, widths, expected):
    page = folder / (name + ".html")
    made = subprocess.run([CAMBER, "report", *files, "-o", str(page)], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"{name}: camber report ends with {made.returncode}:\n{made.stderr}")
    text = page.read_text()
    faults = [f"loads {address}" for address in self_contained(text)]
    if len(text) > 7e6:  # 240 data sets of a whole campaign
        faults.append(f"the page has {len(text)} bytes")
    for width in widths:
        # The themes differ in colors only: the dark one is drawn at one width.
        widest = width == widths[0]
        themes = ["light", "dark"] if widest else ["light"]
        browser.open(page, width)
        try:
            found = browser.value_of(f"({CHECK})({json.dumps(themes)}, {json.dumps(widest)})")
        except BrowserFailure as failure:
            sys.exit(f"{page.name} at {width} px: {failure}")
        faults += [f"at {width} px: {fault}" for fault in found["faults"] + browser.console]
        if found["width"] != width:
            faults.append(f"the window is {found['width']} px wide, not {width}")
        counts = found["counts"]
        for key, least in expected.items():
            if key in ("figures", "marks"):  # of both themes
                least = least * len(themes) // 2
            if counts[key] < least:
                faults.append(f"at {width} px: {counts[key]} {key}, expected {least}")
        print(f"{name} at {width} px: {counts}")
    return [f"{name}: {fault}" for fault in faults]


def main():
    program = find_chromium()
    if not program:
        print("skipped: there is no Chromium: install the package chromium, or set CHROMIUM")
        return 77
    with tempfile.TemporaryDirectory() as name, Browser(program, pathlib.Path(name)) as browser:
        folder = pathlib.Path(name)
        life = f"{SOURCE}/results/h200/life.json"
        probe = subprocess.run([CAMBER, "report", life, "-o", str(folder / "probe.html")], capture_output=True, text=True)
        if "libjs-vega" in probe.stderr:
            print("skipped: " + probe.stderr)
            return 77
        # The initial page is checked in every case. For every data set: at least the overview,
        # ranking, roofline and samples, in two themes. Predicted times add two figures.
        models = folder / "models.json"
        subprocess.run([CAMBER, "model", "--measured", life, "--variant", "halo/*",
                        "--variant", "shared_tile/*", "--json", str(models)], check=True, capture_output=True)
        over_commits = history(folder)
        faults = []
        for page, files, widths, expected in (
                ("predicted", [life, str(models)], (1280, 360), {"groups": 1, "figures": 10, "predicted": 8}),
                ("history", over_commits, (1280, 360), {"histories": 2}),
                ("one case", one_case(folder), (1280, 390), {"groups": 1, "figures": 4}),
                ("scaling", [f"{SOURCE}/results/h200/scaling-sms.json", *over_commits], (1280, 390), {}),
                ("mixed", mixed_files(folder), (1280, 390, 360),
                 {"groups": 5, "figures": 60, "marks": 1000, "saved": 5, "series": 1, "timelines": 2}),
                ("radii", radii(folder), (1280, 360), {"groups": 3, "radii": 3, "radius_techniques": 5}),
                ("h200", [f"{SOURCE}/results/h200", f"{SOURCE}/results/measurement"], (1280, 390),
                 {"groups": 200, "figures": 64, "marks": 5000, "saved": 5, "findings": 5,
                  "variants": 151, "workloads": 10, "roofs": 200})):
            faults += check(browser, page, files, folder, widths, expected)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
