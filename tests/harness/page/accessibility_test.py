#!/usr/bin/env python3
"""Checks pages of a site with axe-core in a headless Chromium: no violation of WCAG 2.1 A and AA and of its best practices.

usage: accessibility_test.py SITE

Each page is checked in both themes, 1280 px and 390 px wide. No page may be wider than its window, no name wider than its cell.
axe-core comes from the package axe-playwright-python of PyPI, or from the file that AXE_CORE names; without it, only the widths
are checked. Exit code 77: Chromium or axe-core is not available, or there is no site.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from browser import Browser, BrowserFailure, find_chromium

SITE = pathlib.Path(sys.argv[1]).resolve()
# One page of each kind; published.html has the markup of published/TABLE.html, and one workload that of the others.
PAGES = ("index.html", "published/rustico-6.1.html", "history.html", "nvidia-h200/larger_than_life.html")
CHECK = """
(async () => {
  if (typeof ready !== "undefined") await ready;
  for (const one of document.querySelectorAll("details")) one.open = true;
  const root = document.documentElement;
  const beyond = [...document.querySelectorAll("table code")].filter((code) =>
    code.getBoundingClientRect().right > code.parentElement.getBoundingClientRect().right + 1);
  const faults = beyond.slice(0, 1).map((code) => `${code.textContent} and ${beyond.length - 1} others cover the next cell`);
  const wide = root.scrollWidth > root.clientWidth ? root.scrollWidth : 0;
  // axe-core looks at one of a table's rows that differ in their words only.
  for (const table of document.querySelectorAll("tbody")) {
    const seen = new Set();
    for (const row of [...table.rows]) {
      const markup = row.outerHTML.replace(/>[^<]+/g, ">x");
      if (seen.has(markup)) row.remove();
      seen.add(markup);
    }
  }
  // Only violations are reported in detail: selectors of all passed elements would take most of the time.
  const found = typeof axe === "undefined" ? { violations: [], passes: [] } : await axe.run(document, { resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
  for (const one of found.violations)
    faults.push(`${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`);
  return { faults, passes: found.passes.length, wide, dark: matchMedia("(prefers-color-scheme: dark)").matches };
})()
"""


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def axe(folder):
    """The script of axe-core, or "" and the reason for its absence."""
    if os.environ.get("AXE_CORE"):
        return pathlib.Path(os.environ["AXE_CORE"]).read_text(), ""
    done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--retries", "1",
                           "--dest", folder, "axe-playwright-python"], capture_output=True, text=True)
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        return "", "pip cannot download axe-playwright-python: " + (done.stderr.strip().splitlines() or ["no wheel"])[-1]
    with zipfile.ZipFile(wheels[0]) as wheel:
        return wheel.read(next(name for name in wheel.namelist() if name.endswith("axe.min.js"))).decode(), ""


def check(browser, page, axe_core, width, dark):
    browser.open(page, width, dark)
    if axe_core:
        browser.value_of(axe_core + ";0")
    result = browser.value_of(CHECK)
    faults = result["faults"] + ([f"the page is {result['wide']} px wide"] if result["wide"] else [])
    if result["dark"] != dark:
        faults.append(f"the theme is not {'dark' if dark else 'light'}")
    return faults, result["passes"]


def main():
    program = find_chromium()
    if not program:
        skip("there is no Chromium: install the package chromium, or set CHROMIUM")
    if not (SITE / "index.html").exists():
        skip(f"{SITE} has no site: camber was built without the chart library")
    with tempfile.TemporaryDirectory() as name, Browser(program, pathlib.Path(name)) as browser:
        script, absent = axe(pathlib.Path(name))
        faults, passes = [], 0
        for page in PAGES:
            for width, dark in ((1280, False), (390, True)):
                try:
                    found, passed = check(browser, SITE / page, script, width, dark)
                except BrowserFailure as failure:
                    found, passed = [str(failure)], 0
                passes += passed
                faults += [f"{page}, {width} px, {'dark' if dark else 'light'}: {fault}" for fault in found]
        for fault in faults:
            print(fault)
        if absent and not faults:
            skip(f"{absent}; {len(PAGES)} pages fit into their windows")
        version = re.search(r"axe v([\d.]+)", script)
        print(f"axe-core {version.group(1) if version else ''}: {len(PAGES)} pages, {passes} rules passed, {len(faults)} faults")
        return 1 if faults else 0


sys.exit(main())
