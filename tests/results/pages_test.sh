#!/usr/bin/env bash
# The committed pages of a campaign (README.md, tables.md, questions.md) equal those that the program
# writes from its files. README.md also links report.html, which is not committed.
set -euo pipefail
camber=$1
campaign=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$campaign" "$folder/campaign"
"$camber" campaign --out "$folder/campaign" --pages >/dev/null
sed -i '/^- \[report.html\]/d' "$folder/campaign/README.md"
for page in README tables questions; do
    diff "$campaign/$page.md" "$folder/campaign/$page.md" ||
        { echo "$campaign/$page.md is old: camber campaign --out $campaign --pages"; exit 1; }
done
