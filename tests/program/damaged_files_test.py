#!/usr/bin/env python3
"""usage: damaged_files_test.py CAMBER SOURCE_FOLDER

Damaged files and hostile surroundings, as a person meets them: the program ends with the documented
exit code and one sentence that names the file, and leaves nothing behind."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

camber, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
environment["CUDA_VISIBLE_DEVICES"] = ""
failures = 0
LONGEST = 2100  # bytes of a sentence with its "camber: "


def verdict(name, why):
    global failures
    print(f"{'FAIL' if why else 'PASS'}: {name}{': ' + why if why else ''}", flush=True)
    failures += bool(why)


class Outcome:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*arguments, limits=None, **variables):
    done = subprocess.run([camber, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, env={**environment, **variables}, preexec_fn=limits)
    return Outcome(done.returncode, done.stdout, done.stderr)


def complaint(outcome, code, *parts):
    """Why the outcome is not one clean sentence with these parts; "" if it is."""
    if outcome.code != code:
        return f"ends with {outcome.code} and not {code}: {outcome.err[:300]!r}"
    text = outcome.err.decode("utf-8", "replace")
    if "\ufffd" in text or re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text):
        return f"control bytes or invalid UTF-8 in {text[:300]!r}"
    if text.count("\n") != 1:
        return f"{text.count(chr(10))} lines: {text[:300]!r}"
    if len(outcome.err) > LONGEST:
        return f"{len(outcome.err)} bytes"
    missing = [part for part in parts if part not in text]
    return f"lacks {missing}: {text[:400]!r}" if missing else ""


def refuses(name, code, parts, *arguments, **options):
    verdict(name, complaint(run(*arguments, **options), code, *parts))


def processor_seconds():
    """Processor time of the programs so far: on a busy machine, they wait for each other."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write(name, document):
    pathlib.Path(name).write_text(document if isinstance(document, str) else json.dumps(document))
    return name


# ---- model counts
def counts():
    baseline = json.loads((source / "results/baseline/model.json").read_text())
    baseline["models"] = baseline["models"][:2]
    write("good.json", baseline)
    verdict("equal models", "" if run("compare", "good.json", "good.json").code == 0 else "differ")
    results = json.loads((source / "tests/results/valid_document.json").read_text())
    del results["context"]["camber"]["incomplete"]
    write("run.json", results)
    record = results["benchmarks"][0]["camber"]["model"]
    entry = baseline["models"][0]
    for value in ([], {}, "x", None, True, -5, 1.5):
        for where, place, document in ((entry, "/models/0/global_load_requests", baseline),
                                       (record, "/benchmarks/0/camber/model/global_load_requests",
                                        results)):
            before = where["global_load_requests"]
            where["global_load_requests"] = value
            write("bad.json", document)
            where["global_load_requests"] = before
            good = "good.json" if document is baseline else "run.json"
            refuses(f"count {value!r} at {place}", 2, ["bad.json", place], "compare", good,
                    "bad.json", "--only", "model")
    for key in ("global_load_requests", "launches", "bytes_moved", "block_distinct_bytes"):
        lacking = json.loads(json.dumps(baseline))
        del lacking["models"][0][key]
        write("bad.json", lacking)
        refuses(f"a model without {key}", 2, ["bad.json", "/models/0", key], "compare", "good.json",
                "bad.json", "--only", "model")
    write("bad.json", {**baseline, "models": [{**entry, "global_laod_requests": "x"}]})
    refuses("an unknown quantity", 2, ["bad.json", "/models/0/global_laod_requests"], "compare",
            "good.json", "bad.json", "--only", "model")


# ---- JSON behind a NUL byte, and strings without end
def texts():
    for name, file, command in (("results", "results/h200/table-topa-figure-4-float32-2048x2048-cpu.json",
                                 ["report", "nul.json", "--format", "csv"]),
                                ("scale", "results/h100/scaling-threads.json",
                                 ["scale", "--from", "nul.json"]),
                                ("ceilings", "results/h200/ceilings.json",
                                 ["model", "--workload", "life", "--variant", "halo/16x16/align128",
                                  "--size", "64x64", "--ceilings", "nul.json"])):
        text = run("cat", source / file).out
        pathlib.Path("nul.json").write_bytes(text)
        sound = run(*command)
        if sound.code != 0:
            verdict(f"a sound {name} file", f"ends with {sound.code}: {sound.err[:300]!r}")
        pathlib.Path("nul.json").write_bytes(text + b"\0garbage{")
        refuses(f"a NUL byte behind a {name} file", 2, ["nul.json", f"byte {len(text) + 1}", "NUL"],
                *command)
    shutil.copy(source / "results/h200/campaign.json", "campaign.json")
    size = os.path.getsize("campaign.json")
    with open("campaign.json", "ab") as file:
        file.write(b"\0garbage{")
    refuses("a NUL byte behind a campaign's file", 2, ["campaign.json", f"byte {size + 1}", "NUL"],
            "report", "campaign.json", "--format", "csv")
    write("long.json", '{"context": {}, "benchmarks": [{"name": "' + "a" * 100_000_000 + '"}]}')
    start = processor_seconds()
    refuses("a string of 100 MB", 2, ["long.json", "100000000 bytes"], "compare", "long.json",
            "long.json")
    seconds = processor_seconds() - start
    verdict("a string of 100 MB is refused soon", f"{seconds:.1f} s" if seconds > 5 else "")


# ---- saved states
def states():
    common = ["--backend", "cpu", "--quick", "--generations", "2", "--out", "run.json"]
    for workload, options, saved, state, lines in (
            ("sph", ["--param", "dp=0.08"], "p.csv", "p.csv.state",
             ["account dp", "account iterations", "account list_radius", "generations", "checksum",
              "parameter alpha", "field density"]),
            ("water_flow", ["--size", "37x29"], "w.asc", "w.asc.state",
             ["account added", "account drained", "field terrain", "workload", "cell"]),
            ("surface_water", ["--size", "37x29"], "s.asc", "s.asc.state",
             ["account rained", "parameter manning", "field depth"]),
            ("sciara_fv3", ["--size", "37x29"], "lava3", "lava3/camber.state",
             ["account initial", "account emitted", "account clamped", "field thickness"]),
            ("sciara_fv2", ["--size", "37x29"], "lava2", "lava2/camber.state",
             ["account initial", "account emitted", "account lost"]),
            ("magflow", ["--size", "37x29"], "lavam", "lavam/camber.state",
             ["account initial", "account emitted", "parameter t_sol"])):
        first = run("run", "--workload", workload, *options, *common, "--save", saved)
        if first.code != 0:
            verdict(f"a state of {workload}", f"ends with {first.code}: {first.err[:300]!r}")
            continue
        good = pathlib.Path(state).read_bytes()
        resumed = ["run", "--workload", workload, *common, "--input", saved]
        sound = run(*resumed)
        verdict(f"the sound state of {workload}",
                "" if sound.code == 0 else f"ends with {sound.code}: {sound.err[:300]!r}")
        head, separator, cells = good.partition(b"\ncells\n")
        for line in lines:
            kept = [one for one in head.split(b"\n")
                    if not one.startswith(line.encode() + b" ")]
            pathlib.Path(state).write_bytes(b"\n".join(kept) + separator + cells)
            # Another workload's state is none of this one's, and an input without a state starts anew.
            if line == "workload":
                refuses(f"{workload} without '{line}'", 2, [state, "'workload'"], *resumed)
                continue
            # Without a field its cells belong to another one.
            parts = [state] if line.startswith("field") else [state, f"'{line}"]
            refuses(f"{workload} without '{line}'", 2, parts, *resumed)
        for old, new, part in ((b"field ", b"field x", "'field"),
                               (b"generations 2", b"generations x", "line"),
                               (b"generations 2", b"generations 2\ngenerations 3", "second time"),
                               (b"generations 2", b"generations " + b"9" * 300_000, "line")):
            pathlib.Path(state).write_bytes(head.replace(old, new, 1) + separator + cells)
            refuses(f"{workload} with {new[:24].decode()!r}", 2, [state, part], *resumed)
        pathlib.Path(state).write_bytes(good)


# ---- what is printed of files and of command lines
def terminals():
    hostile = "\x1b[31mred\r\n\x07\u202e\x9b"
    results = json.loads((source / "tests/results/valid_document.json").read_text())
    results["benchmarks"][0]["camber"]["backend"] = hostile + "q" * 400_000
    write("hostile.json", results)
    refuses("a hostile backend of 400 kB", 2, ["hostile.json", "/benchmarks/0/camber/backend",
                                              "\\x1b[31mred"],
            "compare", "hostile.json", "hostile.json")
    refuses("a hostile file name", 2, ["\\x1b[31mred\\r\\n"], "compare", "x" + hostile, "y")
    for what, arguments in (("variant", ["run", "--variant", "q" * 100_000]),
                            ("workload", ["run", "--workload", hostile + "q" * 100_000]),
                            ("size", ["run", "--size", hostile + "9" * 100_000]),
                            ("option", ["run", "--" + "q" * 100_000]),
                            ("rule", ["run", "--rule", hostile + "B" * 100_000])):
        refuses(f"a hostile {what} of 100 kB", 2, [], *arguments)
    refuses("invalid UTF-8", 2, ["\\xff"], "run", "--workload", os.fsdecode(b"a\xff\xfe"))
    # A table for a person.
    results = json.loads((source / "tests/results/valid_document.json").read_text())
    for one in results["benchmarks"]:
        one["name"] = one["run_name"] = hostile + one["name"]
    write("names.json", results)
    shown = run("compare", "names.json", "names.json", COLUMNS="100")
    bad = re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", shown.out + shown.err)
    verdict("names from a file in a table", f"{bad.group()!r} is printed" if bad else "")


def eruptions():
    for part, text, named in (("_Vents.txt", "7 3 3\n", ["_Vents.txt", "_EmissionRate.txt"]),
                              ("_EmissionRate.txt", "[TIME]\n-5\n", ["_EmissionRate.txt:2"])):
        shutil.copytree(source / "examples/eruption", "eruption")
        write(f"eruption/eruption_000000000000{part}", text)
        refuses(f"an eruption with a damaged {part}", 2, named, "run", "--workload", "sciara_fv2",
                "--backend", "cpu", "--input", "eruption")
        shutil.rmtree("eruption")


# ---- signals and limits
def left_behind():
    return [name for name in os.listdir(".") if name.startswith(".")]


def signals():
    long_run = [camber, "run", "--backend", "simt", "--size", "200x200", "--generations", "40"]
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        program = subprocess.Popen(long_run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env=environment)
        while not left_behind() and program.poll() is None:
            time.sleep(0.01)
        time.sleep(0.3)
        program.send_signal(number)
        program.communicate()
        why = "" if program.returncode == -number else f"ends with {program.returncode}"
        if left_behind():
            why += f" leaves {left_behind()}"
        verdict(f"a run that {number.name} ends", why)
    # Nobody reads what it prints.
    for columns in ({}, {"COLUMNS": "80"}):
        program = subprocess.Popen([camber, "run", "--backend", "simt", "--size", "32x32", "--save",
                                    "board.rle", "--variant", "halo/16x16/align128"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**environment, **columns})
        program.stdout.close()
        err = program.stderr.read()
        program.wait()
        why = "" if program.returncode == -signal.SIGPIPE else f"ends with {program.returncode}"
        if err:
            why += f" says {err[:200]!r}"
        if left_behind():
            why += f" leaves {left_behind()}"
        verdict(f"a run whose output nobody reads, {columns or 'unfolded'}", why)


def limits():
    small = ["run", "--backend", "simt", "--size", "32x32", "--variant", "halo/16x16/align128"]

    def lowered(what, value):
        return lambda: resource.setrlimit(what, (value, value))
    for files in (5, 8, 16):
        refuses(f"{files} open files", 5, ["ulimit -n"], *small,
                limits=lowered(resource.RLIMIT_NOFILE, files))
    for kib in (64, 128):
        refuses(f"a stack of {kib} KiB", 5, ["ulimit -s"], *small,
                limits=lowered(resource.RLIMIT_STACK, kib << 10))
    for name, what, value in (("40 open files", resource.RLIMIT_NOFILE, 40),
                              ("a stack of 512 KiB", resource.RLIMIT_STACK, 512 << 10)):
        outcome = run(*small, limits=lowered(what, value))
        verdict(f"{name} suffice", "" if outcome.code == 0 else f"ends with {outcome.code}: {outcome.err[:200]!r}")


def ranks():
    launcher = shutil.which("mpirun")
    if not launcher or b"ranks not usable" in run("list", "backends").out:
        print("SKIP: ranks: there is no MPI")
        return
    words = [launcher, "--oversubscribe", "--allow-run-as-root", "-n", "1", str(camber), "run",
             "--ranks", "--rank-timeout", "1", "--backend", "simt", "--size", "32x32", ":", "-n", "1",
             "sleep", "60"]
    start = time.monotonic()
    done = subprocess.run(words, capture_output=True, env=environment, timeout=120)
    seconds = time.monotonic() - start
    why = "" if done.returncode == 5 else f"ends with {done.returncode}"
    if b"--rank-timeout" not in done.stderr:
        why += f" says {done.stderr[:400]!r}"
    if seconds > 30:
        why += f" takes {seconds:.0f} s"
    verdict("a rank that never joins", why)


with tempfile.TemporaryDirectory() as folder:
    environment["TMPDIR"] = str(pathlib.Path(folder) / "tmp")
    environment["HOME"] = folder
    os.mkdir(environment["TMPDIR"])
    chosen = sys.argv[3:] or ["counts", "texts", "states", "terminals", "eruptions", "signals",
                              "limits", "ranks"]
    for name in chosen:
        work = pathlib.Path(folder) / name
        work.mkdir()
        os.chdir(work)
        globals()[name]()
    if os.listdir(environment["TMPDIR"]):
        verdict("temporary files", f"left are {os.listdir(environment['TMPDIR'])}")
    os.chdir("/")
sys.exit(1 if failures else 0)
