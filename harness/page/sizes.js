// Application bandwidth and time per generation over the board size, if the files contain several
// sizes.

const sizeColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "technique", label: "technique", mono: true },
  { key: "board", label: "board" },
  { key: "bytes", label: "MB that a generation must move", significant: 4 },
  { key: "bandwidth", label: "application GB/s", decimals: 1 },
  { key: "cells", label: "Gcell/s", decimals: 2 },
  { key: "time", label: "time of a generation, \u00b5s", significant: 5 },
  { key: "floor", label: "floor, \u00b5s", significant: 4 },
  { key: "knee", label: "knee, cells", significant: 3 },
  { key: "kneeLow", label: "knee, lower end", significant: 3 },
  { key: "kneeHigh", label: "knee, upper end", significant: 3 },
  { key: "intercept", label: "intercept, \u00b5s", significant: 3 },
  { key: "file", label: "file", mono: true },
];

// Series of data sets that differ only in the board size: {title, groups}, the newest files last.
function sizeSeries() {
  const series = new Map();
  for (const group of data.groups) {
    if (!group.cases.some((one) => one.bandwidth)) continue;
    const key = JSON.stringify([group.device, group.workload, group.cell, group.rule,
      group.boundary, group.backend]);
    if (!series.has(key)) {
      const conditions = [group.workload, group.cell, group.boundary === "torus" && "torus",
        group.backend !== "cuda" && group.backend].filter(Boolean).join(", ");
      series.set(key, { title: `${conditions} (${group.device})`, groups: [] });
    }
    series.get(key).groups.push(group);
  }
  for (const one of series.values())
    one.groups.sort((a, b) => data.files[a.file].date < data.files[b.file].date ? -1 : 1);
  return [...series.values()].filter((one) =>
    new Set(one.groups.map((group) => `${group.columns} ${group.rows}`)).size > 1);
}

// Saturation fit of a variant in a group; undefined if the fit found no knee.
function saturationOf(group, variant) {
  return data.saturations.find((one) => one.variant === variant &&
    ["device", "workload", "cell", "boundary", "rule", "backend"].every(
      (key) => (one[key] || "") === (group[key] || "")));
}

function saturationColumns(fit) {
  return fit ? { fit, floor: fit.floor / 1e3, knee: fit.knee, kneeLow: fit.low,
    kneeHigh: fit.high, intercept: fit.intercept / 1e3 } : {};
}

function sizeRows(series, all) {
  const points = series.groups.flatMap((group) => group.cases.filter((one) => one.bandwidth)
    .map((one) => ({
      ...saturationColumns(saturationOf(group, one.variant)), time: one.median / 1e3,
      variant: one.variant, technique: one.technique, family: one.family,
      area: group.columns * group.rows, board: `${group.columns} \u00d7 ${group.rows}`,
      bytes: one.bandwidth / one.cells_rate * group.columns * group.rows / 1e6,
      bandwidth: one.bandwidth / 1e9, cells: one.cells_rate / 1e9,
      file: data.files[group.file].name,
    })));
  // Later files overwrite earlier measurements of the same variant and size.
  const lines = new Map();
  for (const point of points) {
    if (!lines.has(point.variant)) lines.set(point.variant, new Map());
    lines.get(point.variant).set(point.board, point);
  }
  const several = [...lines.values()].map((line) => [...line.values()]).filter((line) => line.length > 1)
    .map((line) => line.sort((a, b) => a.area - b.area));
  // Largest board first, then fastest first.
  several.sort((a, b) => b.at(-1).area - a.at(-1).area || b.at(-1).bandwidth - a.at(-1).bandwidth);
  const seen = new Set();
  return several.filter(([point]) => {
    const key = all ? point.technique : point.family;
    return seen.has(key) ? false : seen.add(key);
  }).flat();
}

function showSizes(series, all, timed) {
  const rows = series ? sizeRows(series, all) : [];
  const known = series && !timed && series.groups.find((group) =>
    data.files[group.file].copy_curve.length);
  // Copy bandwidth of all devices together, each with its share of the working set.
  const curve = known ? data.files[known.file].copy_curve.map(([bytes, rate]) =>
    [bytes * known.devices, rate * known.devices]) : [];
  const quantity = timed ? "time of a generation" : "application bandwidth";
  const extra = timed
    ? rows.some((row) => row.fit) ? " Dashed: a floor up to the knee (diamond), then a line. " +
      "Below the knee the board does not fill the device." : ""
    : curve.length ? " Dashed: copy bandwidth of the device over the working set (bytes read and " +
      "written)." : "";
  return showFigure("sizes-figure", {
    name: timed ? "times-over-size" : "sizes", title: series && `${series.title}: ${quantity} over size`,
    note: `The fastest variant of each ${all ? "technique" : "technique family"} on its largest board.` +
      extra,
    columns: sizeColumns, rows,
    empty: rows.length === 0,
    chart: (width) => timed ? timesChart(rows, width) : sizesChart(rows, curve, width),
  });
}

function sizesChart(rows, curve, width) {
  const colours = theme();
  const x = [Math.min(...rows.map((row) => row.bytes)) / 1.6,
    Math.max(...rows.map((row) => row.bytes)) * 1.6];
  const copies = curve.map(([bytes, rate]) => ({ x: bytes / 1e6, y: rate / 1e9 }))
    .filter((point) => point.x >= x[0] && point.x <= x[1]);
  const keys = legend([...familyItems(rows), ...(copies.length
    ? [{ label: "copy bandwidth", colour: colours.text, dash: [5, 4] }] : [])], width, 70);
  const padding = { left: 70, right: 18, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(420, Math.max(300, Math.round(width * 0.42))), padding);
  const most = Math.max(...rows.map((row) => row.bandwidth), ...copies.map((point) => point.y));
  const tips = rows.map((row) => `${row.variant}\n${row.board}: ${number(row.bandwidth)} GB/s`);
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips }],
    data: [{ name: "copies", values: copies },
      { name: "numbered", source: "table",
        transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    scales: [
      { name: "x", type: "log", domain: x, range: [0, size.width] },
      { name: "y", type: "linear", domain: [0, most * 1.05], range: [size.height, 0], nice: true },
    ],
    axes: [
      { orient: "bottom", scale: "x", values: decades(...x, size.width), grid: true,
        labelOverlap: "greedy", format: "~r", title: "MB that a generation must move" },
      { orient: "left", scale: "y", tickCount: 6, grid: true, format: "~f",
        title: "application bandwidth, GB/s" },
    ],
    marks: [
      {
        type: "line", interactive: false, from: { data: "copies" },
        encode: { enter: {
          x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
          stroke: { value: colours.text }, strokeDash: { value: [5, 4] },
          strokeWidth: { value: 1.5 },
        } },
      },
      {
        type: "group", from: { facet: { data: "numbered", name: "line", groupby: "variant" } },
        marks: [{
          type: "line", interactive: false, from: { data: "line" },
          encode: { enter: {
            x: { scale: "x", field: "bytes" }, y: { scale: "y", field: "bandwidth" },
            stroke: familyColour, strokeWidth: { value: 2 },
          } },
        }],
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "bytes" }, y: { scale: "y", field: "bandwidth" },
          size: { value: 60 }, fill: familyColour, stroke: { value: colours.page },
          tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}

// Fitted line of a variant as a polyline, since the axes are logarithmic.
function saturationLine(fit, least) {
  const points = [[Math.min(least, fit.knee), fit.floor]];
  for (let cells = fit.knee; cells < fit.largest; cells *= 1.15)
    points.push([cells, fit.floor + fit.slope * (cells - fit.knee)]);
  points.push([fit.largest, fit.floor + fit.slope * (fit.largest - fit.knee)]);
  return points.map(([x, y]) => ({ x, y: y / 1e3, of: fit.variant }));
}

function timesChart(rows, width) {
  const colours = theme();
  const areas = rows.map((row) => row.area);
  const x = [Math.min(...areas) / 1.6, Math.max(...areas) * 1.6];
  const fits = [...new Set(rows.map((row) => row.fit).filter(Boolean))];
  const lines = fits.flatMap((fit) => saturationLine(fit, Math.min(...areas)));
  const knees = fits.map((fit) => ({ x: fit.knee, y: fit.floor / 1e3, variant: fit.variant,
    family: rows.find((row) => row.fit === fit).family,
    tip: `${fit.variant}\nknee at ${number(fit.knee)} cells (${number(fit.low)} to ` +
      `${number(fit.high)}), floor ${number(fit.floor / 1e3)} \u00b5s` }));
  const times = [...rows.map((row) => row.time), ...lines.map((point) => point.y)];
  const y = [Math.min(...times) / 1.3, Math.max(...times) * 1.3];
  const keys = legend([...familyItems(rows), ...(fits.length
    ? [{ label: "floor and line", colour: colours.text, dash: [5, 4] }] : [])], width, 70);
  const padding = { left: 96, right: 18, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(420, Math.max(300, Math.round(width * 0.42))), padding);
  const tips = rows.map((row) => `${row.variant}\n${row.board}: ${number(row.time)} \u00b5s`);
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips }],
    data: [{ name: "fits", values: lines }, { name: "knees", values: knees },
      { name: "numbered", source: "table",
        transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    ...logarithmic(size, x, y, { x: "cells", y: "time of a generation, \u00b5s" }, "~s"),
    marks: [
      {
        type: "group", from: { facet: { data: "fits", name: "fit", groupby: "of" } },
        marks: [{
          type: "line", interactive: false, from: { data: "fit" },
          encode: { enter: {
            x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
            stroke: { value: colours.text }, strokeDash: { value: [5, 4] },
            strokeWidth: { value: 1.5 },
          } },
        }],
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "area" }, y: { scale: "y", field: "time" },
          size: { value: 60 }, fill: familyColour, stroke: { value: colours.page },
          tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      {
        type: "symbol", from: { data: "knees" },
        encode: { enter: {
          x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
          shape: { value: "diamond" }, size: { value: 140 }, fill: { value: colours.page },
          stroke: familyColour, strokeWidth: { value: 2 }, tooltip: { field: "tip" },
        } },
      },
      ...keys.marks,
    ],
  };
}
