#!/usr/bin/env python3
"""An installed camber gates a project that is not camber's: `camber init`, find_package(camber), and
every shell step of action.yml.

    foreign_test.py ROOT PREFIX

PREFIX is the folder of an installation. The project in tests/foreign/project is copied to a temporary
folder, and no step reads ROOT after that. `gh`, the program that comments on GitHub, is replaced by a
script that records what it is given. Needs cmake; without PyYAML the action is skipped with a message.
"""
import functools
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile

ROOT, PREFIX = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
CAMBER = PREFIX / "bin/camber"
COSTLIER = ("x[i] + y[i]", "x[i] + y[i] + 0 * x[i + 1 < n ? i + 1 : i]")
WRONG = ("a * x[i]", "a + x[i]")
RACE = ("__syncthreads();", "")
failures = 0


def check(name, holds, details=""):
    global failures
    print(("PASS" if holds else "FAIL") + f": {name}", flush=True)
    if not holds:
        failures += 1
        print("".join(f"  | {line}\n" for line in str(details).splitlines()[-40:]), end="", flush=True)


def run(*command, folder, code=0, name="", says="", **variables):
    """Runs a command, checks its exit code and a text in its output, and returns the output."""
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, env=environment(**variables),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if name:
        plain = " ".join(done.stdout.split())
        check(name, done.returncode == code and says in plain,
              f"exit code {done.returncode} and not {code}, or no '{says}' in\n{done.stdout}")
    return done.stdout


def environment(**variables):
    inherited = {name: value for name, value in os.environ.items()
                 if not name.startswith(("GITHUB_", "RUNNER_", "CAMBER_"))}
    return {**inherited, "CUDA_VISIBLE_DEVICES": "", "XDG_CACHE_HOME": str(work / "cache"),
            "CMAKE_PREFIX_PATH": str(PREFIX), **variables}


def edit(file, change):
    text = file.read_text()
    assert change[0] in text, (file, change)
    file.write_text(text.replace(*change))


def undo(file, change):
    edit(file, change[::-1]) if change[1] else file.write_text(original[file])


def tests_of(project, code=0, name="", says=""):
    return run("ctest", "--test-dir", "build", "--output-on-failure", folder=project, code=code,
               name=name, says=says)


def failed_tests(output):
    return sorted(set(re.findall(r"\d+ - (\S+) \(Failed\)", output)))


# ---- camber init and CMake

def init(project):
    run(CAMBER, "init", folder=project, name="init writes gates for the kernels that it can launch",
        says="2 gated, 1 to finish")
    for file in ("camber/kernels/saxpy.cu", "camber/kernels/smooth.cu", "camber/unfinished/advance.cu",
                 "camber/reference/smooth_reference.cu", "camber/baseline.json", "camber/README.md",
                 ".github/workflows/camber.yml", ".github/actions/camber/action.yml"):
        check(f"init writes {file}", (project / file).is_file())
    check("the copied action is that of the installation",
          (project / ".github/actions/camber/action.yml").read_bytes()
          == (PREFIX / "share/camber/action.yml").read_bytes())
    before = sorted((path, path.read_bytes()) for path in project.rglob("*") if path.is_file())
    run(CAMBER, "init", folder=project, code=2, name="init refuses to overwrite",
        says="exists already: nothing was written; give --force")
    check("a refused init changes nothing",
          before == sorted((path, path.read_bytes()) for path in project.rglob("*") if path.is_file()))
    run(CAMBER, "init", "--force", folder=project, name="init --force writes the same again",
        says="2 gated, 1 to finish")
    check("the files of init do not depend on the machine or the time",
          before == sorted((path, path.read_bytes()) for path in project.rglob("*") if path.is_file()))
    # The commands of the README that init wrote.
    blocks = re.findall(r"```sh\n(.*?)```", (project / "camber/README.md").read_text(), re.S)
    run("bash", "-ec", "\n".join(blocks), folder=project, name="the commands in camber/README.md work",
        says="no regression", PATH=f"{PREFIX}/bin:{os.environ['PATH']}")


def cmake(project):
    with open(project / "CMakeLists.txt", "a") as file:
        file.write("add_subdirectory(camber)\n")
    run("cmake", "-S", ".", "-B", "build", folder=project, name="find_package(camber) finds the installation")
    output = tests_of(project, name="the new gates pass", says="100% tests passed")
    for test in ("gate", "check.saxpy", "verify.saxpy", "check.smooth", "verify.smooth"):
        check(f"there is a test camber.kernels.{test}", f"camber.kernels.{test} " in output, output)
    saxpy, smooth = project / "src/saxpy.cu", project / "src/smooth.cu"

    edit(saxpy, COSTLIER)
    output = tests_of(project, code=8, name="a costlier kernel fails the gate", says="REGRESSION")
    check("only the gate fails then", failed_tests(output) == ["camber.kernels.gate"], output)
    run("cmake", "--build", "build", "--target", "kernels-baseline", folder=project,
        name="a target renews the baseline", says="baseline: ")
    tests_of(project, name="the renewed baseline passes", says="100% tests passed")
    undo(saxpy, COSTLIER)
    run("cmake", "--build", "build", "--target", "kernels-baseline", folder=project)

    edit(saxpy, WRONG)
    output = tests_of(project, code=8, name="a wrong kernel fails", says="cells differ from the reference")
    check("only its verification fails then", failed_tests(output) == ["camber.kernels.verify.saxpy"], output)
    undo(saxpy, WRONG)

    edit(smooth, RACE)
    output = tests_of(project, code=8, name="a race fails", says="race in shared memory")
    check("the check of its kernel fails then", "camber.kernels.check.smooth" in failed_tests(output), output)
    undo(smooth, RACE)


def cmake_errors():
    """Wrong arguments end the configuration with a sentence."""
    kernels = "KERNELS kernels BASELINE b.json"
    for name, call, says in (
            ("no baseline", "NAME a KERNELS kernels", "BASELINE is missing"),
            ("nothing to gate", "NAME a BASELINE b.json", "needs either KERNELS or BINARIES"),
            ("a missing kernel", "NAME a KERNELS none.cu BASELINE b.json", "none.cu', which does not exist"),
            ("an empty folder", "NAME a KERNELS empty BASELINE b.json", "which contains no .cu file"),
            ("a missing reference", f"NAME a {kernels} REFERENCE none.cu", "which does not exist"),
            ("two problems", f"NAME a {kernels} REFERENCE r.cu WORKLOAD blur", "has both WORKLOAD and REFERENCE"),
            ("an unknown argument", f"NAME a {kernels} QUICK", "unknown argument 'QUICK'"),
            ("an option of kernels", "NAME a BINARIES x BASELINE b.json WORKLOAD blur", "WORKLOAD is for KERNELS")):
        run("cmake", "-S", ".", "-B", "build", folder=cmake_project(call), code=1,
            name=f"CMake names {name}", says=says)
    run("cmake", "-S", ".", "-B", "build", folder=cmake_project(f"NAME a {kernels}"),
        name="CMake says how to write the first baseline", says="build the target a-baseline and commit b.json")
    run("cmake", "-S", ".", "-B", "build", folder=cmake_project(f"NAME a {kernels}", version="7.0"), code=1,
        name="another version is refused", says="compatible with requested version \"7.0\"")


def cmake_project(call, version=""):
    folder = pathlib.Path(tempfile.mkdtemp(dir=work))
    (folder / "empty").mkdir()
    (folder / "kernels").mkdir()
    (folder / "kernels/x.cu").write_text("// camber: workload blur\n")
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES NONE)\nenable_testing()\n"
        f"find_package(camber {version} REQUIRED)\ncamber_add_kernel_gate({call})\n")
    return folder


def binaries():
    """Compiled code is gated if the program has `camber inspect`, and refused with a sentence if not."""
    call = "NAME compiled BINARIES app.fatbin BASELINE app.json"
    project = cmake_project(call)
    compiled = PREFIX / "share/camber/examples/compiled"
    if "\n  inspect " not in subprocess.run([CAMBER, "--help"], capture_output=True, text=True).stdout:
        run("cmake", "-S", ".", "-B", "build", folder=project, code=1,
            name="CMake names a program without inspect", says="needs the command `camber inspect`")
        run(CAMBER, "init", "--binary", "app.fatbin", folder=project, code=5,
            name="init names a program without inspect", says="needs the command `camber inspect`")
        return
    shutil.copy(compiled / "before.fatbin", project / "app.fatbin")
    run("cmake", "-S", ".", "-B", "build", folder=project)
    run("cmake", "--build", "build", "--target", "compiled-baseline", folder=project,
        name="the baseline of compiled code is written")
    tests_of(project, name="unchanged compiled code passes", says="100% tests passed")
    shutil.copy(compiled / "after.fatbin", project / "app.fatbin")
    tests_of(project, code=8, name="changed compiled code fails", says="camber.compiled.gate.app.fatbin")
    shutil.copy(compiled / "before.fatbin", project / "app.fatbin")
    run(CAMBER, "init", "--binary", "app.fatbin", folder=project, name="init gates compiled code",
        says="written: camber/")
    check("init inspects it", (project / "camber/binaries/app.fatbin.json").is_file())
    inputs = {"binaries": "app.fatbin", "baseline": "camber/binaries", "title": "compiled"}
    action(project, inputs, "the action passes unchanged compiled code", 0, "compiled")
    shutil.copy(compiled / "after.fatbin", project / "app.fatbin")
    action(project, inputs, "the action fails changed compiled code", 1, "compiled")


# ---- the action

GH = """#!/usr/bin/env bash
# Records the calls; $GH_COMMENT is the identifier of the comment that exists, or empty.
printf '%s\\n' "$*" >>"$GH_LOG"
for word in "$@"; do
    case $word in
    body=@*) cp "${word#body=@}" "$GH_LOG.body" ;;
    --jq) [ "$GH_FAILS" != yes ] || exit 1; [ -z "$GH_COMMENT" ] || echo "$GH_COMMENT" ;;
    esac
done
"""


# Stands for the package manager, which needs root and would change the machine.
APT_GET = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$GH_LOG"
"""


def value_of(expression, context):
    """Value of what stands in ${{ }}: names, == and && of texts are all that action.yml uses."""
    for part in expression.split("&&"):
        sides = [side.strip() for side in part.split("==")]
        values = [side[1:-1] if side.startswith("'") else context[side] for side in sides]
        result = values[0] if len(values) == 1 else values[0] == values[1]
        if not result:
            return result
    return result


def expanded(text, context):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(value_of(match[1], context)), text)


def action(project, inputs, name, code, says, comment="", event="pull_request", gh_fails="no", path=True):
    """Runs the shell steps of the project's copy of action.yml as GitHub's runner does."""
    import yaml
    definition = yaml.safe_load((project / ".github/actions/camber/action.yml").read_text())
    runner = pathlib.Path(tempfile.mkdtemp(dir=work))
    programs = runner / "programs"
    programs.mkdir()
    for program, script in (("gh", GH), ("apt-get", APT_GET), ("sudo", '#!/bin/sh\nexec "$@"\n')):
        (programs / program).write_text(script)
        (programs / program).chmod(0o755)
    unknown = set(inputs) - set(definition["inputs"])
    check(f"{name}: the action has these inputs", not unknown, unknown)
    context = {"github.token": "no token", "github.event_name": event, "github.event.pull_request.number": "7"}
    for key, declared in definition["inputs"].items():
        context[f"inputs.{key}"] = inputs.get(key, expanded(str(declared["default"]), context))
    files = {key: runner / key for key in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    search = [str(programs)] + ([str(PREFIX / "bin")] if path else []) + [
        folder for folder in os.environ["PATH"].split(":") if not (pathlib.Path(folder) / "camber").exists()]
    output, status = "", 0
    for step in definition["runs"]["steps"]:
        if status != 0 or "if" in step and not value_of(step["if"].strip("${} "), context):
            continue
        for file in files.values():
            file.touch()
        added = files["GITHUB_PATH"].read_text().split()
        script = runner / "step.sh"
        script.write_text(step["run"])
        variables = {key: expanded(value, context) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=project, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(**variables, **{key: str(file) for key, file in files.items()},
                            PATH=":".join(added[::-1] + search), RUNNER_TEMP=str(runner),
                            GITHUB_REPOSITORY="someone/waves", GH_LOG=str(runner / "gh.log"),
                            GH_COMMENT=comment, GH_FAILS=gh_fails))
        output, status = output + done.stdout, done.returncode
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            key, _, value = line.partition("=")
            context[f"steps.{step['id']}.outputs.{key}" if "id" in step else key] = value
        files["GITHUB_OUTPUT"].write_text("")
    summary = files["GITHUB_STEP_SUMMARY"].read_text() if files["GITHUB_STEP_SUMMARY"].exists() else ""
    check(name, status == code and says in output + summary,
          f"exit code {status} and not {code}, or no '{says}' in\n{output}\nsummary:\n{summary}")
    log = runner / "gh.log"
    body = runner / "gh.log.body"
    return summary, log.read_text() if log.exists() else "", body.read_text() if body.exists() else ""


def actions(project):
    inputs = {"kernels": "camber/kernels", "title": "CUDA kernels"}
    summary, calls, body = action(project, inputs, "the action passes unchanged kernels", 0, "no regression")
    check("the comment is the summary", body == summary and body.startswith("<!-- CUDA kernels -->"), body)
    check("the comment has a Markdown table",
          re.search(r"^\| `camber/kernels/saxpy.cu` \| correct \| clean \|$", body, re.M), body)
    check("a new comment is posted", "--method POST repos/someone/waves/issues/7/comments" in calls, calls)
    quick = {**inputs, "check": "false"}  # compares only
    summary, calls, body = action(project, quick, "a second run", 0, "no regression", comment="42")
    check("the input check leaves out verification and races", "every cell" not in body, body)
    check("an existing comment is changed", "--method PATCH repos/someone/waves/issues/comments/42" in calls, calls)
    action(project, quick, "without permission to comment the action still passes", 0,
           "::warning::the comments of the pull request cannot be read", gh_fails="yes")
    _, calls, _ = action(project, quick, "a push passes", 0, "no regression", event="push")
    check("a push has no comment", not calls, calls)

    saxpy, smooth = project / "src/saxpy.cu", project / "src/smooth.cu"
    edit(saxpy, COSTLIER)
    _, _, body = action(project, inputs, "a costlier kernel fails the action", 1,
                        "::error::a kernel is costlier than its baseline")
    check("the comment names the kernel", "saxpy.cu/saxpy" in body and "sectors 2048 -> " in body, body)
    action(project, {**quick, "allow": "all"}, "the input allow permits it", 0, "no regression")
    undo(saxpy, COSTLIER)
    edit(smooth, RACE)
    _, _, body = action(project, inputs, "a race fails the action", 4, "race in shared memory")
    check("the table marks the race", re.search(r"smooth.cu` \| .* \| \*\*FAILED\*\*", body), body)
    undo(smooth, RACE)

    action(project, {}, "nothing to gate", 2, "::error::give either the input kernels or the input binaries")
    action(project, {**inputs, "baseline": "none.json"}, "a missing baseline", 2, "none.json")
    action(project, inputs, "no camber", 2, "::error::camber is not installed", path=False)
    action(project, {**inputs, "package": "none.deb"}, "a missing package", 2, "none.deb does not exist")
    (project / "camber.rpm").touch()
    action(project, {**inputs, "package": "camber.rpm"}, "a package of another kind", 2, "is no .deb, .tar.gz or .whl")
    packages(project, quick)


def packages(project, inputs):
    """Every kind of package, from a path and from an address."""
    folder = work / "packages"
    folder.mkdir()
    archive = folder / "camber.tar.gz"
    subprocess.run(["tar", "-I", "gzip -1", "-cf", archive, "-C", PREFIX.parent, "--exclude=doc", PREFIX.name], check=True)
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/camber.tar.gz?token=1"
        action(project, {**inputs, "package": address}, "the action downloads and installs an archive", 0,
               "no regression", path=False)
        server.shutdown()
    (folder / "camber.deb").touch()
    _, calls, _ = action(project, {**inputs, "package": str(folder / "camber.deb")},
                         "the action installs a Debian package", 0, "no regression")
    check("apt-get installs the file", f"{folder}/camber.deb" in calls, calls)
    if subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True).returncode != 0:
        print("SKIP: this Python makes no virtual environments: the action installs no wheel")
        return
    wheel = folder / "camber-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as files:
        script = zipfile.ZipInfo("camber-0.1.0.data/scripts/camber")
        script.external_attr = 0o100755 << 16
        files.writestr(script, f'#!/bin/sh\nexec "{CAMBER}" "$@"\n')
        files.writestr("camber-0.1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: camber\nVersion: 0.1.0\n")
        files.writestr("camber-0.1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        files.writestr("camber-0.1.0.dist-info/RECORD", "")
    action(project, {**inputs, "package": str(wheel)}, "the action installs a wheel", 0, "no regression",
           path=False)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def workflow(project):
    import yaml
    steps = yaml.safe_load((project / ".github/workflows/camber.yml").read_text())["jobs"]["camber"]["steps"]
    declared = yaml.safe_load((project / ".github/actions/camber/action.yml").read_text())["inputs"]
    used = [step for step in steps if step["uses"] == "./.github/actions/camber"]
    check("the workflow uses the action with inputs that it has",
          len(used) == 1 and set(used[0]["with"]) <= set(declared), steps)
    inputs = {key: value for key, value in used[0]["with"].items() if not value.startswith("${{")}
    action(project, inputs, "the workflow's step passes", 0, "no regression")


with tempfile.TemporaryDirectory(prefix="camber-foreign-") as temporary:
    work = pathlib.Path(temporary).resolve()
    project = work / "waves"
    shutil.copytree(ROOT / "tests/foreign/project", project)
    original = {path: path.read_text() for path in (project / "src").glob("*.cu")}
    run(CAMBER, "init", "nowhere", folder=work, code=2, name="init names a missing folder",
        says="the folder 'nowhere' does not exist")
    init(project)
    cmake(project)
    cmake_errors()
    try:
        import yaml  # noqa: F401
    except ImportError:
        print("SKIP: PyYAML is not installed: action.yml is not run")
    else:
        actions(project)
        workflow(project)
        binaries()
    empty = work / "empty"
    empty.mkdir()
    run(CAMBER, "init", empty, folder=work, name="a project without kernels gets an example",
        says="camber/kernels/blur.cu is an example")
    run(CAMBER, "compare", "camber/baseline.json", "--candidate", "camber/kernels", folder=empty,
        name="the example passes", says="no regression")
print(f"{failures} failures")
sys.exit(failures > 0)
