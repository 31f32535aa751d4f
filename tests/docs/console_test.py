#!/usr/bin/env python3
"""Runs the commands of pages and compares what they print with what the pages show.

    console_test.py ROOT CAMBER PAGE...            exit code 1 where a page shows something else
    console_test.py ROOT CAMBER PAGE... --update   writes into the pages what the commands print
    console_test.py ROOT CAMBER PAGE... --outside  runs an installed program outside of the clone: only
                                                   commands that read its files, each file once by
                                                   each command and option, and those that make
                                                   files for them

A page has its commands in ```console blocks: "$ COMMAND", and below it what that prints on standard
output. The commands of a page run in the page's order in one fresh folder. There, ./camber is the
program, and examples/, results/ and workloads/ are those of the repository. No GPU is visible.

    ...                    stands for any number of lines
    a line ...             only its beginning is compared
    $ echo $?              shows the exit code of the command before; without it that must be 0
    # needs a GPU          after a command: it is not run; that it is well formed is tried, see below
    # needs a GPU: FILE    the same, and what the page shows is what FILE of the repository holds:
                           the output of a run of that command
    # needs ...            after a command: it is not run; the same of other things that it needs
    # needs an installation  the same, unless CAMBER is an installed program, which CMake then finds
    # takes a minute       after a command: it is not run
    # times vary           after a command: numbers are not compared, nor is the order of lines

Of a command that needs a GPU or MPI everything else must be right: its options, the names of variants
and tables, its files. So `camber run` names its cases on the executor, and where a GPU is asked for,
the GPU is all that it lacks.

Line numbers of headers are not compared. A PNG that a command writes, and that the page shows under
the same name, has the same size; an SVG has the same text.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)
LINKED = ("examples", "results", "workloads")
# Commands whose results depend on where the program finds the repository's files.
READS_FILES = re.compile(r"\b(results|examples|workloads)/|--ceilings|course (start|grade) ")
WRITTEN = re.compile(r"(?:> |--(?:json|out|save|baseline|to|svg) |-o |course start \d+ )([\w./-]+)")
EARLIER = re.compile(r"the previous \S+ was renamed to ")
SKIPPED = ("# needs ", "# takes a minute")
MACHINE = re.compile(r"# needs (a GPU|two GPUs|MPI)")
INSTALLATION = "# needs an installation"
KEPT = re.compile(r"# needs a GPU: (\S+)")
CAMBER = re.compile(r"(?:^|\s)\S*camber ([a-z].*)")
ETNA = ("etna2001", "etna2006")  # folders that a reader has, for commands that are not run
SOURCE_LINE = re.compile(r"(?<=\.hpp)(:\d+)+")
NUMBER = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?( (ns|us|ms|s|min)\b)?|0x[0-9a-f]+")


class Differs(Exception):
    pass


def masked(line):
    return " ".join(NUMBER.sub("#", line).replace("-#", "#").split())


def same(shown, line, vary):
    shown, line = (SOURCE_LINE.sub("", text) for text in (shown, line))
    if shown.endswith(" ..."):
        shown = shown[:-4]
        return masked(line).startswith(masked(shown)) if vary else line.startswith(shown)
    return masked(shown) == masked(line) if vary else shown == line


def check(shown, printed, vary):
    """Throws Differs at the first line that is shown and not printed."""
    if vary:
        for line in shown:
            if line != "..." and not any(same(line, candidate, True) for candidate in printed):
                raise Differs(f"never prints  {line}")
        return
    lines, gap = iter(printed), False
    for line in shown:
        if line == "...":
            gap = True
            continue
        for candidate in lines:
            if same(line, candidate, False):
                break
            if not gap:
                raise Differs(f"prints        {candidate}\nand not       {line}")
        else:
            raise Differs(f"never prints  {line}")
        gap = False
    rest = next(lines, None)
    if shown and not gap and rest is not None:
        raise Differs(f"also prints   {rest}")


def likeness(shown, line):
    if same(shown, line, False):
        return 3
    if same(shown, line, True):
        return 2
    if shown and masked(line).startswith(masked(shown)):
        return 1
    a, b = (collections.Counter(re.findall(r"\w+|[^\w\s]", masked(text))) for text in (shown, line))
    common = (a & b).total()
    return max(common / max((a | b).total(), 1), 0.6 * common / max(a.total(), 1))


def renewed(shown, printed):
    """The printed lines that are most like those shown, in order, with "..." for what is between."""
    if "..." not in shown:
        return printed if shown else []
    wanted = [line for line in shown if line != "..."]
    best = [[0.0] * (len(printed) + 1) for _ in range(len(wanted) + 1)]
    taken = {}
    for i in reversed(range(len(wanted))):
        for j in reversed(range(len(printed))):
            score = likeness(wanted[i], printed[j])
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if score >= 0.4 and score + best[i + 1][j + 1] >= best[i][j]:
                best[i][j] = score + best[i + 1][j + 1]
                taken[i, j] = True
    lines, next_line, i, j = [], 0, 0, 0
    while i < len(wanted) and j < len(printed):
        if (i, j) not in taken:
            i, j = (i + 1, j) if best[i][j] == best[i + 1][j] else (i, j + 1)
            continue
        line = printed[j]
        if wanted[i].endswith(" ...") and line != wanted[i][:-4]:
            line = line[:len(wanted[i]) - 4].rstrip() + " ..."
        lines += (["..."] if j > next_line else []) + [line]
        wanted[i] = None
        i, j = i + 1, j + 1
        next_line = j
    for line in wanted:
        if line:
            print(f"no longer printed: {line}")
    return lines + (["..."] if next_line < len(printed) else [])


def parts_of(block):
    """Pairs of a command as it stands in the page and the lines shown below it."""
    parts = []
    for line in block.splitlines():
        if line.startswith("$ "):
            parts.append((line, []))
        elif parts and parts[-1][0].endswith("\\") and not parts[-1][1]:
            parts[-1] = (parts[-1][0] + "\n" + line, [])
        elif parts:
            parts[-1][1].append(line)
        else:
            raise Differs(f'a block begins with "{line}" and not with a command')
    return parts


def content(picture):
    """Size of a PNG; text of an SVG without line numbers of headers."""
    if picture.suffix == ".png":
        return picture.read_bytes()[16:24]
    return SOURCE_LINE.sub("", picture.read_text(encoding="utf-8"))


def own_part(command):
    """The call of camber in a command that other programs surround, without a comment."""
    line = re.split(r"\s+#\s|\s\|\s", command[2:].replace("\\\n", " "))[0]
    return "./camber " + CAMBER.search(line)[1]


def reading_of(command):
    """How a command gets its files: the command and its first words, and each option with a file."""
    words = own_part(command).split()[1:]
    named = [f"{words[i - 1]} {word}" if words[i - 1].startswith("--") else word
             for i, word in enumerate(words)
             if i and (READS_FILES.search(word) or words[i - 1] in ("--workload", "--ceilings"))]
    first = [word for i, word in enumerate(words)
             if not word.startswith("-") and not (i and words[i - 1].startswith("-"))]
    return " ".join(first), tuple(sorted(named))


def needed_outside(commands, known):
    """Indices of the commands to run outside of a clone: those that read the repository's files in a way
    that is not in `known`, other programs, and what makes files for these."""
    wanted = set()
    for i, command in enumerate(commands):
        if "./camber" not in command:
            if not any(f"{name}/" in command for name in LINKED):
                wanted.add(i)
        elif READS_FILES.search(command) and reading_of(command) not in known:
            known.add(reading_of(command))
            wanted.add(i)
    required = set()
    for i in reversed(range(len(commands))):
        made = WRITTEN.findall(commands[i])
        if i in wanted or any(word == name or word.startswith(name + "/")
                              for name in made for word in required):
            wanted.add(i)
            required.update(re.findall(r"[\w./-]+", commands[i]))
    return wanted


class Page:
    def __init__(self, root, camber, name, update, outside=False):
        self.root, self.camber, self.path, self.update = root, camber, root / name, update
        self.outside = outside
        self.prefix = camber.parent.parent
        self.installed = (self.prefix / "share/cmake/camber").is_dir()
        self.text = self.path.read_text(encoding="utf-8")
        self.ran = 0
        self.tried = 0
        self.unmade = set()  # files that commands which are not run would have written
        self.next = 0        # index of the page's next command

    def plan(self, known):
        """Chooses the commands to run outside of a clone."""
        commands = [command for block in BLOCK.findall(self.text) for command, _ in parts_of(block)]
        chosen = needed_outside(
            ["" if any(marker in command for marker in SKIPPED) else command
             for command in commands], known)
        self.wanted = {i for i in chosen if commands[i] != "$ echo $?"}

    def run(self):
        outside = BLOCK.sub("", self.text)
        for line in re.findall(r"^(?: {4}|\$ )\./camber .*", outside, re.M):
            raise Differs(f"a command stands in no console block:\n{line}")
        with tempfile.TemporaryDirectory(prefix="camber-page-") as folder:
            self.folder = pathlib.Path(folder)
            (self.folder / "camber").symlink_to(self.camber)
            for name in () if self.outside else LINKED:
                (self.folder / name).symlink_to(self.root / name)
            text = BLOCK.sub(lambda match: f"```console\n{self.block(match[1])}```", self.text)
            if not self.outside:
                self.pictures()
        if self.update and text != self.text:
            self.path.write_text(text, encoding="utf-8")

    def block(self, text):
        lines, left_out = [], False
        parts = parts_of(text)
        for index, (command, shown) in enumerate(parts):
            follower = parts[index + 1][0] if index + 1 < len(parts) else ""
            skipped = any(marker in command for marker in SKIPPED) and not (
                self.installed and INSTALLATION in command)
            self.next += 1
            if self.outside:
                if command != "$ echo $?":
                    left_out = self.next - 1 not in self.wanted
                skipped = skipped or left_out
            elif MACHINE.search(command):
                self.try_form(command)
            kept = not self.outside and KEPT.search(command)
            if kept:
                self.complaint = f"in {kept[1]}"
                printed = (self.root / kept[1]).read_text(encoding="utf-8").splitlines()
            else:
                printed = None if skipped else self.printed(command, follower)
            if printed is not None:
                if self.outside:  # commands that were left out wrote no earlier file
                    shown, printed = ([line for line in lines if not EARLIER.match(line)]
                                      for lines in (shown, printed))
                try:
                    check(shown, printed, "# times vary" in command)
                except Differs as difference:
                    if not self.update:
                        raise Differs(f"{command}\n{difference}\n{self.complaint}") from None
                    shown = renewed(shown, printed)
            lines += [command, *shown]
        return "\n".join(lines) + "\n"

    def printed(self, command, follower):
        self.ran += 1
        if command == "$ echo $?":
            self.complaint = ""
            return [str(self.status)]
        ran = self.shell(command[2:])
        self.status, self.complaint = ran.returncode, ran.stderr
        if self.status and follower != "$ echo $?":
            raise Differs(f"{command}\nends with {self.status}\n{ran.stderr}")
        text = ran.stdout
        if self.outside:  # files are named by where they are
            text = text.replace(f"{self.camber.parent.parent / 'share/camber'}/", "")
        return [line.rstrip() for line in text.splitlines()]

    def shell(self, line):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        environment["CUDA_VISIBLE_DEVICES"] = ""
        if self.installed:
            environment["CMAKE_PREFIX_PATH"] = str(self.prefix)
        if "--ranks" in line:
            environment["ASAN_OPTIONS"] = "detect_leaks=0"  # MPI's own, in a build with sanitizers
        return subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=self.folder, env=environment,
                              capture_output=True, stdin=subprocess.DEVNULL, text=True)

    def try_form(self, command):
        """Throws Differs where more than a GPU, or MPI, is missing."""
        self.tried += 1
        for name in ETNA:
            (self.folder / name).mkdir(exist_ok=True)
        line = own_part(command)
        tries = [line]
        if line.startswith("./camber run"):
            line = line.replace(" --backend simt", "")
            tries = [f"{line} --backend simt --benchmark_list_tests=true", f"{line} --backend cuda"]
        elif line.startswith("./camber try") and "--backend" not in line:
            tries = [f"{line} --backend cuda"]
        elif "--over ranks" in line:  # whatever starts them is not found
            tries = [f"PATH= {line}"]
        for attempt in tries:
            ran = self.shell(attempt)
            missing = re.search(r'"([^"]+)": No such file', ran.stderr)
            lacks_machine = re.search(r"\b(GPUs?|CUDA|MPI)\b", ran.stderr)
            if ran.returncode == 0 or (missing and missing[1] in self.unmade) or (
                    lacks_machine and (ran.returncode == 5 or "needs a GPU" in ran.stderr)):
                continue
            raise Differs(f"{command}\nis not well formed: {attempt}\nends with {ran.returncode}"
                          f"\n{ran.stderr}")
        self.unmade.update(re.findall(r"--(?:out|json|save) (\S+)", line))

    def pictures(self):
        for name in re.findall(r"\]\(([^()\s]+\.(?:png|svg))\)", self.text):
            made, kept = self.folder / pathlib.Path(name).name, self.path.parent / name
            if not made.exists():
                continue
            if kept.exists() and content(made) == content(kept):
                continue
            if not self.update:
                raise Differs(f"{name} differs from the picture that the page's commands make")
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(made.read_bytes())


def refused(shown, printed, vary=False):
    try:
        check(shown, printed, vary)
    except Differs:
        return True
    return False


def check_itself():
    """The marks mean what the head of this script says."""
    printed = ["rank  time", "1  a  2.5 us", "2  b  30 us", "end"]
    assert not refused(printed, printed) and not refused(["...", "end"], printed)
    assert not refused(["rank ...", "...", "2  b  30 us", "..."], printed)
    assert refused(["1  a  2.5 us", "..."], printed)  # something stands before it
    assert refused(["rank  time", "end"], printed) and refused(["rank  time"], printed)
    assert refused(["...", "2  b  31 us", "..."], printed)
    assert not refused(["...", "9  b  31 ms", "8  a  1 us"], printed, vary=True)
    assert refused(["...", "9  c  31 ms"], printed, vary=True)
    assert renewed(["rank  size  time", "...", "2  b  31 us", "..."], printed) == \
        ["rank  time", "...", "2  b  30 us", "..."]
    assert renewed(["?"], printed) == printed and renewed([], printed) == []


    commands = ["$ ./camber try --new blur > a.cu", "$ ./camber run --save b.rle", "$ sed 1d a.cu > c.cu",
                "$ ./camber model --candidate c.cu --candidate examples/d.cu",
                "$ ./camber model --candidate examples/d.cu --json e.json",
                "$ ./camber run --workload life --input examples/f.rle"]
    known = set()
    assert needed_outside(commands, known) == {0, 2, 3, 5} and needed_outside(commands[4:], known) == set()
    assert own_part("$ mpirun -n 4 camber run --ranks    # needs MPI") == "./camber run --ranks"
    assert own_part('$ ncu -i "camber@a/" ./build/camber run --quick # needs a GPU') == \
        "./camber run --quick"
    assert own_part("$ ./camber run \\\n  --quick | head # needs a GPU").split() == \
        ["./camber", "run", "--quick"]


def main():
    check_itself()
    words = [word for word in sys.argv[1:] if word not in ("--update", "--outside")]
    if "--update" in sys.argv and "--outside" in sys.argv:
        sys.exit("--update needs the commands that --outside leaves out: give one of them")
    root, camber = (pathlib.Path(word).resolve() for word in words[:2])
    pages = [Page(root, camber, name, "--update" in sys.argv, "--outside" in sys.argv)
             for name in words[2:]]
    known = set()
    for page in pages if "--outside" in sys.argv else ():
        page.plan(known)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for page, future in [(page, pool.submit(page.run)) for page in pages]:
            try:
                future.result()
            except Differs as difference:
                failed = True
                print(f"{page.path.relative_to(root)}: {difference}\n")
    if failed:
        sys.exit("renew the pages with: tests/docs/console_test.py . ./camber README.md "
                 "docs/guide/*.md --update")
    print(f"{sum(page.ran for page in pages)} commands print what the pages show, and "
          f"{sum(page.tried for page in pages)} that need a GPU or MPI are well formed")


main()
