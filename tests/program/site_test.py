#!/usr/bin/env python3
"""Checks the site that `camber report --site` writes of one results file or of all committed ones, without a browser.

usage: site_test.py CAMBER SOURCE_FOLDER           one results file and bad input
       site_test.py CAMBER SOURCE_FOLDER SITE      SITE, the site of all results, which --write wrote
       site_test.py CAMBER SOURCE_FOLDER SITE --write

Exit code 77: camber was built without the chart library. Faults: a site of 20 MB or more, a first page that is large or has scripts, a
link that leads nowhere, a page to which no link leads, an address outside of the folder, a table without caption, headings or rows, a heading level that is skipped, a figure that differs from its
results file, colors of too little contrast, a second call that writes something, and bad input that is not one sentence.
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

CAMBER, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
VOID = {"meta", "link", "br", "img", "input", "hr"}
faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


class Page(html.parser.HTMLParser):
    """Links, ids, headings and tables of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.levels, self.tables, self.open = [], [], [], [], []
        self.attributes, self.script_bytes, self.cell, self.summary = {}, 0, None, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src"):
            if name in attributes:
                self.links.append(attributes[name])
        if re.fullmatch(r"h\d", tag):
            self.levels.append(int(tag[1]))
        if tag in ("html", "main", "nav", "meta", "title"):
            self.attributes.setdefault(tag, []).append(attributes)
        if tag == "img" and not attributes.get("alt"):
            fault("page", f"{attributes} has no alternative text")
        if tag == "table":
            self.tables.append({"caption": "", "scopes": [], "rows": []})
        elif self.tables and tag == "tr":
            self.tables[-1]["rows"].append([])
        elif self.tables and tag in ("th", "td"):
            self.tables[-1]["rows"][-1].append("")
            self.cell = self.tables[-1]["rows"][-1]
            if tag == "th":
                self.tables[-1]["scopes"].append(attributes.get("scope"))

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            fault("page", f"</{tag}> closes another element")
        if tag in ("th", "td"):
            self.cell = None

    def handle_data(self, text):
        if "script" in self.open:
            self.script_bytes += len(text)
        elif self.open and self.open[-1] == "caption":
            self.tables[-1]["caption"] += text
        elif self.cell is not None:
            self.cell[-1] += text


def report(*arguments):
    return subprocess.run([CAMBER, "report", *map(str, arguments)], capture_output=True, text=True)


def check_page(folder, path, pages):
    page, name = pages[path], path.relative_to(folder)
    if (page.attributes.get("html") or [{}])[0].get("lang") != "en" or len(page.attributes.get("main", [])) != 1:
        fault(name, "the page lacks its language or its main element")
    if not any(meta.get("name") == "viewport" for meta in page.attributes.get("meta", [])):
        fault(name, "the page has no viewport, so that phones shrink it")
    if page.links.count("#main") != 1:
        fault(name, "there is no link that skips to the content")
    if len(set(page.ids)) != len(page.ids):
        fault(name, "an id occurs twice")
    if page.levels[:1] != [1] or page.levels.count(1) != 1 or any(b > a + 1 for a, b in zip(page.levels, page.levels[1:])):
        fault(name, f"the headings have the levels {page.levels}")
    for table in page.tables:
        if not table["caption"] or "col" not in table["scopes"] or "row" not in table["scopes"] or None in table["scopes"]:
            fault(name, f"table '{table['caption']}' lacks a caption or scopes")
        if len(table["rows"]) < 2 or len({sum(1 for _ in row) for row in table["rows"] if len(row) > 3}) > 1:
            fault(name, f"table '{table['caption']}' has no rows, or rows of several lengths")
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc or link.startswith("/"):
            fault(name, f"{link} leads outside of the site")
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file() or folder not in target.parents:
            fault(name, f"{link} leads nowhere")
        elif parts.fragment and parts.fragment not in pages[target].ids:
            fault(name, f"{link} leads to no part of its page")


def check_pages(folder):
    """Checks every page of a site, and that links lead from the first page to all others; returns the pages."""
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    index = folder / "index.html"
    if index.stat().st_size > 200e3 or pages[index].script_bytes or not pages[index].tables:
        fault("index.html", "it is large, has scripts, or has no tables")
    for path in pages:
        check_page(folder, path, pages)
    reached, further = set(), [index]
    while further:
        path = further.pop()
        if path in pages and path not in reached:
            reached.add(path)
            further += [(path.parent / urllib.parse.unquote(urllib.parse.urlsplit(link).path)).resolve() for link in pages[path].links]
    for path in pages.keys() - reached:
        fault(path.relative_to(folder), "no link leads to the page")
    return pages


def shown_time(ns):
    """Time in each unit that analysis/report/text_tables.cpp may show, before rounding."""
    return {"ns": ns, "us": ns / 1e3, "ms": ns / 1e6, "s": ns / 1e9}


def same(text, value):
    number = re.match(r"-?\d+(?:\.\d+)?", text)
    if not number:
        return False
    digits = len(number.group(0).partition(".")[2])
    return abs(float(number.group(0)) - value) <= 0.5000001 * 10.0 ** -digits


def check_figures(page, file, device):
    """Every case of a results file has its time, rate and share in a table of the page."""
    document = json.loads(subprocess.run([CAMBER, "cat", SOURCE / "results" / file], check=True, capture_output=True).stdout)
    name = pathlib.Path(file).name
    tables = [table for table in page.tables if table["caption"].startswith("All cases of")
              and re.search(rf"{device}, from \S*{re.escape(name)}(?:\.zst)?(?![\w.-])", table["caption"])]
    if not tables:
        return fault(file, "no table has its cases")
    rows, headings = {}, None
    for table in tables:
        for row in table["rows"][1:]:
            rows.setdefault(row[1], []).append(dict(zip(table["rows"][0], row)))
    checked = 0
    for case in document["benchmarks"]:
        own = case["camber"]
        if own["status"] != "ok" or not own.get("samples_ns"):
            continue
        variant = own["variant"].partition("/")[2]
        ns = own["statistics"]["median_ns"] / own["generations_per_sample"]
        derived = own["derived"]
        for row in rows.get(variant, []):
            unit = row["time/gen"].rpartition(" ")[2]
            if same(row["time/gen"], shown_time(ns).get(unit, -1)) and \
                    same(row["Gcell/s"], derived["cells_per_second"] / 1e9) and \
                    ("share_of_copy" not in derived or same(row["of copy, %"], derived["share_of_copy"] * 100)):
                checked += 1
                break
        else:
            fault(file, f"{variant} has {ns:.6g} ns per generation, and the page {rows.get(variant)}")
    return checked


def contrast(first, second):
    def luminance(color):
        parts = [int(color[k:k + 2], 16) / 255 for k in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def check_colors(style):
    blocks = re.findall(r":root[^{]*\{([^}]*--page[^}]*)\}", style)
    if len(blocks) != 3:  # light, chosen dark, dark by the system
        fault("camber.css", f"{len(blocks)} sets of colors")
    for block in blocks:
        colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for ink in ("text", "soft", "accent"):
            for ground in ("page", "raised"):
                if contrast(colors[ink], colors[ground]) < 4.5:
                    fault("camber.css", f"{ink} on {ground} is faint")
    if ":focus-visible" not in style or "prefers-color-scheme: dark" not in style:
        fault("camber.css", "no focus ring, or no dark theme")


def check_error(arguments, code, part):
    done = report(*arguments)
    if done.returncode != code or part not in done.stderr or len(done.stderr.splitlines()) != 1 or done.stdout:
        fault(" ".join(map(str, arguments)), f"exit code {done.returncode}, {done.stderr!r}")


def check_input(folder, results):
    """Bad input, and calls that follow each other."""
    check_error(["--site", folder / "none"], 2, "name results files")
    check_error([results, "--site", results], 2, "give --site an empty or new folder")
    check_error([results, "--site", results / "life.json"], 2, "is a file")
    check_error([results, "--site", "/dev/null/site"], 5, "/dev/null/site")
    check_error([results, "--site", folder / "x", "-o", "x.html"], 2, "leave out --out")
    check_error([results, "--site", folder / "x", "--format", "csv"], 2, "leave out --format")
    damaged = folder / "damaged"
    damaged.mkdir()
    (damaged / "cut.json").write_text((results / "life.json").read_text()[:3000])
    shutil.copy(results / "life.json", damaged / "whole.json")
    site = folder / "small"
    done = report(damaged, "--site", site)
    if done.returncode != 0 or "cut.json" not in done.stderr or "cut.json" not in (site / "index.html").read_text():
        fault("damaged file", f"exit code {done.returncode}, {done.stderr!r}")
    check_pages(site)
    again = report(damaged, "--site", site)
    if ", 0 written)" not in again.stdout:
        fault("second call", again.stdout)
    # Another results file: pages of the first one disappear, files of other people stay.
    (site / "notes.txt").write_text("mine")
    pages = set(site.rglob("*.html"))
    done = report(SOURCE / "results/h200/dog.json", "--site", site)
    if done.returncode != 0 or not pages - set(site.rglob("*.html")) or not (site / "notes.txt").exists():
        fault("another site in the folder", done.stderr or "the old pages are still there")
    (site / "camber-site.json").write_text("{")
    check_error([damaged, "--site", site], 2, "is damaged")


def main():
    with tempfile.TemporaryDirectory() as name:
        probe = report(SOURCE / "results/measurement/life-16384.json", "-o", pathlib.Path(name) / "probe.html")
    if "libjs-vega" in probe.stderr:
        print("skipped: " + probe.stderr)
        return 77
    if len(sys.argv) == 3:
        with tempfile.TemporaryDirectory() as name:
            base = pathlib.Path(name).resolve()
            results = base / "results"
            results.mkdir()
            shutil.copy(SOURCE / "results/measurement/life-16384.json", results / "life.json")
            check_input(base, results)
        return finish()
    folder = pathlib.Path(sys.argv[3]).resolve()
    if "--write" in sys.argv:
        shutil.rmtree(folder, ignore_errors=True)
        done = report(SOURCE / "results", "--site", folder)
        if done.returncode != 0:
            fault("site of all results", done.stderr)
        return finish()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size >= 20e6:
        fault("site of all results", f"it has {size} bytes")
    pages = check_pages(folder)
    for part in ("sizes", "radius", "scaling"):
        if not any(link.endswith("#" + part) for link in pages[folder / "index.html"].links):
            fault("index.html", f"no link leads to #{part} of a page")
    checked = sum(check_figures(pages[folder / device / f"{file.split('.')[0].split('-')[0]}.html"], f"{group}/{file}", name) or 0
                  for device, group, file, name in (
                      ("nvidia-h200", "h200", "life.json", "NVIDIA H200"),
                      ("nvidia-h200", "h200", "surface_water.json", "NVIDIA H200"),
                      ("nvidia-h200", "h200", "larger_than_life-r5.json", "NVIDIA H200"),
                      ("nvidia-h100-80gb-hbm3", "h100", "magflow.json", "NVIDIA H100 80GB HBM3")))
    check_colors((folder / "camber.css").read_text())
    tables = sum(len(page.tables) for page in pages.values())
    print(f"{len(pages)} pages, {tables} tables, {size / 1e6:.1f} MB; {checked} cases as in their files")
    if checked < 200:
        fault("site of all results", f"only {checked} cases were compared with their files")
    return finish()


def finish():
    for one in faults[:60]:
        print(one)
    return 1 if faults else 0


sys.exit(main())
