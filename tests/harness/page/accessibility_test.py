#!/usr/bin/env python3
"""Checks pages of a site with axe-core in a headless Chromium: no violation of WCAG 2.1 A and AA and of its best practices.

usage: accessibility_test.py CAMBER SOURCE_FOLDER

Each page is checked in both themes, 1280 px and 390 px wide, and must not be wider than its window. axe-core comes from the
package axe-playwright-python of PyPI, or from the file that AXE_CORE names; without it, only the width is checked. Exit code
77: Chromium or axe-core is not available, or camber was built without the chart library.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

CAMBER, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
# One page of each kind; published.html has the markup of published/TABLE.html, and one workload that of the others.
PAGES = ("index.html", "published/rustico-6.1.html", "history.html", "nvidia-h200/larger_than_life.html")
CHECK = """
(async () => {
  try {
    if (typeof ready !== "undefined") await ready;
    for (const one of document.querySelectorAll("details")) one.open = true;
    // Only violations are reported in detail: selectors of all passed elements would take most of the time.
    const found = typeof axe === "undefined" ? { violations: [], passes: [] } : await axe.run(document, { resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
    const root = document.documentElement;
    parent.postMessage(JSON.stringify({
      faults: found.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`),
      passes: found.passes.length, dark: matchMedia("(prefers-color-scheme: dark)").matches,
      wide: root.scrollWidth > root.clientWidth ? root.scrollWidth : 0 }), "*");
  } catch (error) {
    parent.postMessage(JSON.stringify({ faults: [String(error)], passes: 0, wide: 0 }), "*");
  }
})();
"""


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def chromium():
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if name and shutil.which(name):
            return shutil.which(name)
    return skip("there is no Chromium: install the package chromium, or set CHROMIUM")


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


def check(browser, site, page, width, dark):
    checked = page.with_suffix(".axe.html")
    text = page.read_text()
    end = text.rindex("</body>")
    checked.write_text(text[:end] + f'<script src="{os.path.relpath(site / "axe.js", page.parent)}"></script><script>{CHECK}</script>' + text[end:])
    frame = page.with_suffix(".frame.html")
    frame.write_text("<!doctype html><body style='margin:0'><pre id=result></pre><script>"
                     "onmessage = (event) => { result.textContent = event.data; };</script>"
                     f"<iframe src='{checked.name}' style='border:0;width:{width}px;height:900px'></iframe>")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1500,1000", "--virtual-time-budget=600000", "--timeout=300000",
               *(["--blink-settings=preferredColorScheme=0"] if dark else []),
               f"--user-data-dir={site.parent}/browser", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    checked.unlink()
    frame.unlink()
    found = re.search(r'<pre id="result">(.+?)</pre>', done.stdout, re.S)
    if not found:
        return [f"the browser did not finish:\n{done.stderr[-1000:]}"], 0
    result = json.loads(html.unescape(found.group(1)))
    faults = result["faults"] + ([f"the page is {result['wide']} px wide"] if result["wide"] else [])
    if result.get("dark") != dark:
        faults.append(f"the theme is not {'dark' if dark else 'light'}")
    return faults, result["passes"]


def main():
    browser = chromium()
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name).resolve()
        (base / "wheel").mkdir()
        script, absent = axe(base / "wheel")
        site = base / "site"
        made = subprocess.run([CAMBER, "report", SOURCE / "results", "--site", site], capture_output=True, text=True)
        if "libjs-vega" in made.stderr:
            skip(made.stderr.strip())
        if made.returncode != 0:
            sys.exit(made.stderr)
        (site / "axe.js").write_text(script)
        faults, passes = [], 0
        for page in PAGES:
            for width, dark in ((1280, False), (390, True)):
                found, passed = check(browser, site, site / page, width, dark)
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
