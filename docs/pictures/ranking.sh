#!/usr/bin/env bash
# Draws the README's picture: the ranking chart of a results file's first data set, the best variant
# of each technique, as camber's report shows it.
#
#   docs/pictures/ranking.sh CAMBER RESULTS > docs/pictures/ranking.svg
#
# CAMBER is the program. It takes a Chromium, which CHROMIUM may name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" report "$2" -o "$folder/page.html" >&2
cat >>"$folder/page.html" <<'SCRIPT'
<script>
addEventListener("load", async () => {
  document.documentElement.style.width = "900px";
  await showRanking(data.groups[0], "techniques");
  const svg = await svgOf(figures.get("ranking-figure"));
  document.body.replaceChildren(element("pre", { id: "svg" }, btoa(unescape(encodeURIComponent(svg)))));
});
</script>
SCRIPT
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --window-size=900,800 \
    --virtual-time-budget=10000 --dump-dom "file://$folder/page.html" 2>/dev/null |
    sed -n 's/.*<pre id="svg">\([^<]*\)<.*/\1/p' | base64 -d
