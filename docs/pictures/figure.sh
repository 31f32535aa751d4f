#!/usr/bin/env bash
# Draws a figure of camber's report, for pages of the documentation:
#
#   docs/pictures/figure.sh ranking CAMBER RESULTS > docs/pictures/ranking.svg
#   docs/pictures/figure.sh radius CAMBER RESULTS... > docs/guide/pictures/radius.svg
#
# `ranking` has the best variant of each technique of the first data set, `radius` the best of each
# technique over the radius of the neighbourhood. CAMBER is the program. It takes a Chromium, which
# CHROMIUM may name.
set -euo pipefail
case $1 in
    ranking) show='showRanking(data.groups[0], "techniques")' ;;
    radius) show='showRadius(radiusSeries()[0])' ;;
    *) echo "figure.sh: $1 is no figure: ranking and radius are" >&2 && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" report "${@:3}" -o "$folder/page.html" >&2
cat >>"$folder/page.html" <<SCRIPT
<script>
addEventListener("load", async () => {
  document.documentElement.style.width = "900px";
  await $show;
  const svg = await svgOf(figures.get("$1-figure"));
  document.body.replaceChildren(element("pre", { id: "svg" }, btoa(unescape(encodeURIComponent(svg)))));
});
</script>
SCRIPT
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --window-size=900,800 \
    --virtual-time-budget=10000 --dump-dom "file://$folder/page.html" 2>/dev/null |
    sed -n 's/.*<pre id="svg">\([^<]*\)<.*/\1/p' | base64 -d
