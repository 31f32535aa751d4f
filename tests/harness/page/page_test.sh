#!/usr/bin/env bash
# usage: page_test.sh CAMBER SOURCE_FOLDER
# Tests HTML reports in a real browser. Exit code 77: Chromium or Python is not installed, or camber
# was built without the chart library.
set -euo pipefail
camber=$1 source=$2
skip() {
    echo "skipped: $*"
    exit 77
}
command -v python3 >/dev/null || skip "there is no python3"
browser=''
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [[ -n $name ]] && command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1; then
        browser=$(command -v "$name")
        break
    fi
done
[[ -n $browser ]] || skip "there is no Chromium: install the package chromium, or set CHROMIUM"
if ! message=$("$camber" report "$source/results/measurement/life-16384.json" -o "${TMPDIR:-/tmp}/camber-report-$$.html" 2>&1); then
    [[ $message == *libjs-vega* ]] && skip "$message"
    echo "$message"
    exit 1
fi
rm -f "${TMPDIR:-/tmp}/camber-report-$$.html"
exec python3 "$(dirname "${BASH_SOURCE[0]}")/page_test.py" "$camber" "$browser" "$source"
