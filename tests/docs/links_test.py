#!/usr/bin/env python3
"""Every relative link of every Markdown page leads to a file, and its #anchor to a heading there.
The README stays short.

    links_test.py ROOT
"""
import pathlib
import re
import sys

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.S | re.M)


def text_of(path):
    return CODE.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """GitHub's: headings in lower case, without punctuation, with hyphens for blanks."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"),
                                              flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page):
    for target in re.findall(r"\]\(([^()\s]+)\)", text_of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"{target}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"{target}: that page has no such heading"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [page for page in sorted(root.rglob("*.md"))
             if not {"build", ".git"} & set(page.relative_to(root).parts)]
    faults = [f"{page.relative_to(root)}: {fault}" for page in pages for fault in broken(page)]
    if (size := (root / "README.md").stat().st_size) > 8192:
        faults.append(f"README.md has {size} bytes: move what exceeds 8192 to docs/guide")
    if faults or len(pages) < 20:
        sys.exit("\n".join(faults) or f"only {len(pages)} pages were found")
    print(f"the links of {len(pages)} pages lead somewhere")


main()
