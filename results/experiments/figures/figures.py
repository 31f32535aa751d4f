#!/usr/bin/env python3
"""Writes the published figures of a report, with measured lines beside what the sources state, as SVG files.

    python3 results/experiments/figures/figures.py ./camber results/experiments/figures results/h200 results/experiments/figures

The arguments are camber, the folder for the pictures, and the results. The report's own charts are drawn in Chromium."""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Runs in the page: draws each figure and leaves the pictures in its text.
SCRIPT = """<script>ready.then(async () => {
  await setTheme("light");
  const all = {};
  for (const figure of data.published.filter((one) => one.lines.length)) {
    await showPublished(figure);
    all[figure.id] = await svgOf(figures.get("published-figure"));
  }
  document.body.replaceChildren(element("pre", { id: "pictures" }, JSON.stringify(all)));
});</script></body>"""


def pictures(page, folder):
    chromium = next((name for name in ("chromium", "chromium-browser", "google-chrome") if shutil.which(name)), None)
    if chromium is None:
        sys.exit("figures.py: Chromium draws the charts: install it")
    before, after = page.rsplit("</body>", 1)
    target = Path(folder) / "page.html"
    target.write_text(before + SCRIPT + after)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=900,1200", "--virtual-time-budget=60000"]
    dom = subprocess.run([chromium, *flags, f"--user-data-dir={folder}/profile", "--dump-dom", target.as_uri()],
                         check=True, capture_output=True, text=True).stdout
    found = re.search(r'<pre id="pictures">(.*?)</pre>', dom, re.DOTALL)
    if not found:
        sys.exit("figures.py: the report has no published figure with measured lines")
    return json.loads(html.unescape(found.group(1)))


def main():
    camber, out, *results = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.html"
        subprocess.run([os.path.abspath(camber), "report", *results, "-o", report], check=True, stdout=subprocess.DEVNULL)
        for name, svg in pictures(Path(report).read_text(), folder).items():
            Path(out, f"{name}.svg").write_text(svg + "\n")
            print(f"{name}.svg")


if __name__ == "__main__":
    main()
