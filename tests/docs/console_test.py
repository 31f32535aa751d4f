#!/usr/bin/env python3
"""Runs the commands of a page's ```console blocks and looks for the lines that it says they print.

    console_test.py ROOT CAMBER PAGE...

A block is "$ ./camber ..." and what follows is printed, line by line and in order; "..." stands for
any number of lines. A line may be cut short with " ..." at its end.
"""
import pathlib
import re
import shlex
import subprocess
import sys

root, camber, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
commands = 0
for page in pages:
    for block in re.findall(r"```console\n(.*?)```", pathlib.Path(root, page).read_text(), re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            text = part.replace("\\\n", " ")
            command, *expected = text.splitlines()
            arguments = shlex.split(command)
            assert arguments[0] == "./camber", command
            ran = subprocess.run([camber, *arguments[1:]], cwd=root, capture_output=True, text=True)
            commands += 1
            printed = iter(ran.stdout.splitlines())
            gap = False
            for line in expected:
                if line == "...":
                    gap = True
                    continue
                wanted = line.removesuffix(" ...")
                for candidate in printed:
                    same = candidate.startswith(wanted) if wanted != line else candidate == wanted
                    if same:
                        break
                    if not gap:
                        sys.exit(f"{page}: {command}\nprints   {candidate}\nand not  {line}\n{ran.stderr}")
                else:
                    sys.exit(f"{page}: {command}\nnever prints  {line}\n{ran.stderr}")
                gap = False
assert commands, "no commands"
print(f"{commands} commands print what the pages say")
