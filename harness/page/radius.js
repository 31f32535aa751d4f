// Cells per second over the neighborhood radius, if the files contain several radii: shows the best
// technique at each radius.

const radiusColumns = [
  { key: "technique", label: "technique", mono: true },
  { key: "radius", label: "radius", decimals: 0 },
  { key: "variant", label: "variant, the fastest of the technique", mono: true },
  { key: "cells", label: "Gcell/s", significant: 4 },
  { key: "copy", label: "of copy, %", decimals: 1 },
  { key: "limited", label: "limited by" },
  { key: "file", label: "file", mono: true },
];

// Techniques of one family share its color and differ in dash patterns.
const radiusDashes = [[1, 0], [7, 3], [2, 3], [9, 3, 2, 3], [4, 6]];

// Series of data sets that differ only in the rule: {title, groups}, the newest files last.
function radiusSeries() {
  const series = new Map();
  for (const group of data.groups) {
    if (!group.radius || !group.cases.some((one) => one.cells_rate)) continue;
    const key = JSON.stringify([group.device, group.workload, group.columns, group.rows, group.cell,
      group.boundary, group.backend]);
    if (!series.has(key)) {
      const conditions = [`${group.workload}, ${group.columns} \u00d7 ${group.rows}`, group.cell,
        group.boundary === "torus" && "torus"].filter(Boolean).join(", ");
      series.set(key, { title: `${conditions} (${group.device})`, groups: [] });
    }
    series.get(key).groups.push(group);
  }
  for (const one of series.values())
    one.groups.sort((a, b) => data.files[a.file].date < data.files[b.file].date ? -1 : 1);
  return [...series.values()].filter((one) =>
    new Set(one.groups.map((group) => group.radius)).size > 1);
}

// Fastest variant for each technique and radius, from the newest file, sorted by family and
// technique.
function radiusRows(series) {
  const best = new Map();
  for (const group of series.groups) {
    const ofGroup = new Map();
    for (const one of group.cases) {
      if (!one.cells_rate) continue;
      const cells = one.cells_rate / 1e9;
      if (!(ofGroup.get(one.technique)?.cells >= cells))
        ofGroup.set(one.technique, {
          technique: one.technique, family: one.family, radius: group.radius, cells,
          variant: one.variant, copy: one.copy == null ? null : one.copy * 100,
          limited: one.limit_name || "", file: data.files[group.file].name,
        });
    }
    for (const [technique, row] of ofGroup) best.set(`${technique} ${group.radius}`, row);
  }
  return [...best.values()].sort((a, b) => a.family - b.family ||
    (a.technique < b.technique ? -1 : a.technique > b.technique ? 1 : a.radius - b.radius));
}

function showRadius(series) {
  const rows = radiusRows(series);
  return showFigure("radius-figure", {
    name: "radius", title: `${series.title}: cells per second over the radius`,
    note: "The fastest variant of each technique at each radius.",
    columns: radiusColumns, rows, chart: (width) => radiusChart(rows, width),
  });
}

function radiusChart(rows, width) {
  const colours = theme();
  const styles = new Map();
  const ofFamily = new Map();
  for (const row of rows) {
    if (styles.has(row.technique)) continue;
    const place = ofFamily.get(row.family) || 0;
    ofFamily.set(row.family, place + 1);
    styles.set(row.technique, { label: row.technique, colour: colours.families[row.family],
      dash: radiusDashes[place % radiusDashes.length] });
  }
  const keys = legend([...styles.values()], width, 70);
  const padding = { left: 70, right: 18, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(420, Math.max(300, Math.round(width * 0.42))), padding);
  const radii = [...new Set(rows.map((row) => row.radius))].sort((a, b) => a - b);
  const rates = rows.map((row) => row.cells);
  const y = [Math.min(...rates) / 1.3, Math.max(...rates) * 1.3];
  const tips = rows.map((row) => `${row.variant}\nradius ${row.radius}: ${number(row.cells)} Gcell/s`);
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips },
      { name: "dashes", value: Object.fromEntries([...styles].map(([name, style]) =>
        [name, style.dash])) }],
    data: [{ name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    scales: [
      { name: "x", type: "linear", domain: [radii[0] - 0.5, radii.at(-1) + 0.5],
        range: [0, size.width] },
      { name: "y", type: "log", domain: y, range: [size.height, 0] },
    ],
    axes: [
      { orient: "bottom", scale: "x", values: radii, grid: true, labelOverlap: "greedy",
        format: "d", title: "radius of the neighbourhood, cells" },
      { orient: "left", scale: "y", values: decades(...y, size.height), grid: true,
        labelOverlap: "greedy", format: "~r", title: "Gcell/s" },
    ],
    marks: [
      {
        type: "group", from: { facet: { data: "numbered", name: "line", groupby: "technique" } },
        marks: [{
          type: "line", interactive: false, from: { data: "line" },
          encode: { enter: {
            x: { scale: "x", field: "radius" }, y: { scale: "y", field: "cells" },
            stroke: familyColour, strokeWidth: { value: 2 },
            strokeDash: { signal: "dashes[datum.technique]" },
          } },
        }],
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "radius" }, y: { scale: "y", field: "cells" },
          size: { value: 60 }, fill: familyColour, stroke: { value: colours.page },
          tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}
