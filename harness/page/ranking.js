// Ranked bars of one data set, and the overview of all data sets.

const mostFastest = 20;
const rankingViews = {
  fastest: `the ${mostFastest} fastest`,
  techniques: "the best of each technique",
  all: "all, fastest first",
  grouped: "all, grouped by technique",
};

function gigabytes(rate) {
  return rate == null ? null : rate / 1e9;
}

// Rows of the ranking's table and chart.
function rankingRows(group, view) {
  const timed = group.cases.filter((one) => one.rank);
  const firstOf = new Map();
  for (const one of timed)
    for (const key of ["family " + one.family, "technique " + one.technique])
      if (!firstOf.has(key)) firstOf.set(key, one.rank);
  let chosen = timed;
  if (view === "fastest") {
    chosen = timed.filter((one) => one.rank <= mostFastest || one.variant === group.baseline);
  } else if (view === "techniques") {
    chosen = timed.filter((one) => firstOf.get("technique " + one.technique) === one.rank);
  } else if (view === "grouped") {
    const order = (one) => [firstOf.get("family " + one.family),
      firstOf.get("technique " + one.technique), one.rank];
    chosen = [...timed].sort((a, b) => {
      const left = order(a), right = order(b);
      return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
    });
  }
  return chosen.map((one) => ({
    rank: one.rank, variant: one.variant, technique: one.technique || "\u2013",
    family: one.family, familyName: data.families[one.family],
    bandwidth: gigabytes(one.bandwidth), cells: gigabytes(one.cells_rate),
    copy: one.copy == null ? null : one.copy * 100,
    steps: one.steps == null ? null : one.steps * 100,
    speedup: one.speedup ?? null, time: one.median / 1e3,
    low: one.low == null ? null : one.low / 1e3, high: one.high == null ? null : one.high / 1e3,
    expected: one.overlap ? one.overlap.expected / 1e3 : null,
    pieces: one.overlap ? one.overlap.pieces / 1e3 : null,
    ofPieces: one.overlap ? 100 * one.median / one.overlap.pieces : null,
    exposed: one.overlap ? one.overlap.exposed / 1e3 : null,
  }));
}

const rankingColumns = [
  { key: "rank", label: "rank", decimals: 0 },
  { key: "variant", label: "variant", mono: true },
  { key: "technique", label: "technique", mono: true },
  { key: "familyName", label: "family" },
  { key: "time", label: "time per generation, \u00b5s", significant: 5 },
  { key: "low", label: "95 % interval from, \u00b5s", significant: 5 },
  { key: "high", label: "to, \u00b5s", significant: 5 },
  { key: "bandwidth", label: "application GB/s", decimals: 1 },
  { key: "cells", label: "Gcell/s", decimals: 2 },
  { key: "copy", label: "of copy, %", decimals: 1 },
  { key: "steps", label: "steps of copy, %", decimals: 1 },
  { key: "speedup", label: "speedup", decimals: 2 },
];

// Columns for passes with transfers whose single operations were also timed alone.
const overlapColumns = [
  { key: "expected", label: "expected, \u00b5s", significant: 5 },
  { key: "pieces", label: "pieces alone, \u00b5s", significant: 5 },
  { key: "ofPieces", label: "of pieces, %", decimals: 1 },
  { key: "exposed", label: "exposed transfers, \u00b5s", significant: 5 },
];

function showRanking(group, view) {
  const rows = rankingRows(group, view);
  const byBandwidth = rows.some((row) => row.bandwidth != null);
  const copy = gigabytes(group.copy);
  const timed = group.cases.filter((one) => one.rank).length;
  const unit = byBandwidth ? "application bandwidth" : "time, shorter is better";
  return showFigure("ranking-figure", {
    name: "ranking", title: `${groupName(group)}: ${unit} of ` +
      rankingViews[view === "fastest" && timed <= mostFastest ? "all" : view],
    note: byBandwidth
      ? "Bytes that a generation must move, per second." + (copy
        ? ` Dashed: copy bandwidth of the same run${group.devices > 1
          ? `, ${group.devices} devices together` : ""} (100 %).` : "") +
        (group.baseline ? ` Baseline of the speedups: ${group.baseline}.` : "")
      : null,
    columns: rows.some((row) => row.expected != null) ? [...rankingColumns, ...overlapColumns]
      : rankingColumns,
    rows,
    empty: timed < 2,  // a single bar is no ranking
    chart: (width) => rankingChart(rows, width, byBandwidth ? copy : null, byBandwidth),
  });
}

function rankingChart(rows, width, copy, byBandwidth) {
  const colours = theme();
  const layout = rowLayout(rows, width, { step: 22, narrowStep: 42 });
  const value = byBandwidth ? "bandwidth" : "time";
  const label = (row) => {
    if (!byBandwidth) return duration(row.time * 1e3);
    const rate = number(row.bandwidth, row.bandwidth < 100 ? 1 : 0) + " GB/s";
    if (row.copy == null) return rate;
    const share = number(row.copy, 1) + " %";
    return layout.beside ? `${rate} \u00b7 ${share}` : share;
  };
  const labels = Object.fromEntries(rows.map((row) => [row.variant, label(row)]));
  const room = 6 + Math.max(...Object.values(labels).map((text) => textWidth(text, labelFont)));
  const keys = legend(familyItems(rows), width, layout.left);
  const padding = { left: layout.left, right: Math.ceil(room) + 12,
    top: keys.height + (copy ? 46 : 10), bottom: 48 };
  const size = frame(width, rows.length * layout.step, padding);
  const most = Math.max(copy || 0, ...rows.map((row) => row[value])) * 1.02;
  const tips = Object.fromEntries(rows.map((row) => [row.variant, [
    `${row.rank}. ${row.variant}`, duration(row.time * 1e3) + " per generation",
    byBandwidth ? `${number(row.bandwidth, 1)} GB/s, ${number(row.cells, 2)} Gcell/s` : null,
    row.copy == null ? null : `${number(row.copy, 1)} % of copy`,
    row.speedup == null ? null : `${number(row.speedup, 2)} times the baseline's speed`,
  ].filter(Boolean).join("\n")]));
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips },
      { name: "labels", value: labels }],
    scales: [
      { name: "x", type: "linear", domain: [0, most], range: [0, size.width] },
      { name: "share", type: "linear", domain: [0, copy ? most / copy : 1],
        range: [0, size.width] },
      { name: "row", type: "band", domain: rows.map((row) => row.variant),
        range: [0, size.height], paddingInner: 0, paddingOuter: 0 },
    ],
    axes: [
      { orient: "bottom", scale: "x", labelOverlap: "greedy", tickCount: ticksFor(size.width), grid: true, format: "~f",
        title: byBandwidth ? "application bandwidth, GB/s" : "time per generation, \u00b5s" },
      ...(copy ? [{ orient: "top", scale: "share", tickCount: ticksFor(size.width),
        encode: { labels: { update: {
          text: { signal: "format(datum.value * 100, '~f') + ' %'" } } } },
        title: "share of copy bandwidth" }] : []),
    ],
    marks: [
      variantNames(layout),
      {
        type: "rect", name: "bars", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", value: 0 }, x2: { scale: "x", field: value },
          y: { scale: "row", field: "variant", offset: layout.beside ? 3 : 20 },
          height: { value: 16 }, fill: familyColour, cornerRadius: { value: 1 },
          tooltip: { signal: "tips[datum.variant]" },
        } },
      },
      {
        type: "text", from: { data: "table" },
        encode: { enter: {
          x: { value: size.width + room + 8 }, align: { value: "right" },
          y: { scale: "row", field: "variant", offset: layout.beside ? 11 : 28 },
          baseline: { value: "middle" }, text: { signal: "labels[datum.variant]" },
          fill: { value: colours.soft },
        } },
      },
      ...(copy ? [copyLine(layout, size, copy)] : []),
      ...keys.marks,
    ],
  };
}

// Line at the copy bandwidth. If names are between the bars, it crosses only the bars, whose
// position in a row is `bars`.
function copyLine(layout, size, value, bars = layout.beside ? null : [18, 38]) {
  const offset = (shift) => ({ scale: "row", field: "variant", offset: shift });
  return {
    type: "rule", interactive: false, ...(bars ? { from: { data: "table" } } : {}),
    encode: { enter: {
      x: { scale: "x", value }, y: bars ? offset(bars[0]) : { value: 0 },
      y2: bars ? offset(bars[1]) : { value: size.height },
      stroke: { value: theme().text }, strokeDash: { value: [5, 4] }, strokeWidth: { value: 1.5 },
    } },
  };
}

// ---- fastest variant of each data set

const overviewColumns = [
  { key: "label", label: "data set" },
  { key: "device", label: "device" },
  { key: "best", label: "fastest variant", mono: true },
  { key: "familyName", label: "family" },
  { key: "time", label: "time per generation, \u00b5s", significant: 5 },
  { key: "bandwidth", label: "application GB/s", decimals: 1 },
  { key: "cells", label: "Gcell/s", decimals: 2 },
  { key: "copy", label: "of copy, %", decimals: 1 },
  { key: "steps", label: "steps of copy, %", decimals: 1 },
  { key: "speedup", label: "speedup", decimals: 2 },
  { key: "baseline", label: "against", mono: true },
  { key: "verified", label: "verified", decimals: 0 },
  { key: "failed", label: "failed", decimals: 0 },
  { key: "skipped", label: "skipped", decimals: 0 },
  { key: "file", label: "file", mono: true },
];

// Title of a data set, with the file name if several files contain the same: the chart's rows need
// unique titles.
function groupName(group) {
  const same = data.groups.filter((other) => other.title === group.title &&
    other.device === group.device);
  return group.title + (same.length > 1
    ? ` \u00b7 ${data.files[group.file].name.replace(/^.*\//, "").replace(/\.json(\.zst)?$/, "")}` : "");
}

const overviewViews = {
  workloads: "one data set of each workload",
  all: "all data sets",
};

function overviewRows(view) {
  // True for the data set with the most variants; several may be equal.
  const largest = (group) => !data.groups.some((other) => other.workload === group.workload &&
    other.device === group.device && other.cases.length > group.cases.length);
  const devices = new Set(data.groups.filter((group) => group.copy).map((group) => group.device));
  const seen = new Set();
  const first = ({ workload, device }) => {
    const key = JSON.stringify([workload, device]);
    return seen.has(key) ? false : seen.add(key);
  };
  return data.groups.filter((group) => group.cases.length &&
    (view === "all" || (largest(group) && first(group)))).map((group) => {
    const best = group.cases.find((one) => one.rank === 1);
    const count = (status) => group.cases.filter((one) => (one.status || "ok") === status).length;
    const several = devices.size > 1 ? ` (${group.device})` : "";
    return {
      variant: groupName(group) + several, label: group.title, device: group.device,
      best: best?.variant ?? "\u2013", family: best?.family ?? 6,
      familyName: best ? data.families[best.family] : "\u2013",
      time: best ? best.median / 1e3 : null,
      bandwidth: gigabytes(best?.bandwidth), cells: gigabytes(best?.cells_rate),
      copy: best?.copy == null ? null : best.copy * 100,
      steps: best?.steps == null ? null : best.steps * 100,
      speedup: best?.speedup ?? null, baseline: group.baseline || "\u2013",
      verified: group.cases.filter((one) => one.verification === "passed").length,
      failed: count("failed"), skipped: count("skipped"), file: data.files[group.file].name,
    };
  });
}

function showOverview(view) {
  const all = overviewRows(view);
  const rows = all.filter((row) => row.copy != null);
  const others = all.length - rows.length;
  return showFigure("summary-figure", {
    name: "overview", title: "Fastest variants, share of copy bandwidth",
    note: "Bytes that a generation must move, over the copy bandwidth of the same run (dashed " +
      "line). Above 100 %: several generations per launch, a board that fits in a cache, or " +
      "fewer writes than a copy has." +
      (others ? ` ${counted(others, "data set")} without a copy bandwidth not shown.` : ""),
    columns: overviewColumns, rows,
    empty: rows.length < 2,  // a single data set is shown by the ranking
    chart: (width) => overviewChart(rows, width),
  });
}

function overviewChart(rows, width) {
  const colours = theme();
  const layout = rowLayout(rows, width, { step: 40, narrowStep: 60 });
  const keys = legend(familyItems(rows), width, layout.left);
  const padding = { left: layout.left, right: 70, top: keys.height + 8, bottom: 48 };
  const size = frame(width, rows.length * layout.step, padding);
  const most = Math.max(100, ...rows.map((row) => row.copy)) * 1.02;
  const at = (offset) => ({ scale: "row", field: "variant", offset });
  const shift = layout.beside ? 0 : 19;
  return {
    ...size,
    signals: [...size.signals, familySignal()],
    scales: [
      { name: "x", type: "linear", domain: [0, most], range: [0, size.width] },
      { name: "row", type: "band", domain: rows.map((row) => row.variant),
        range: [0, size.height] },
    ],
    axes: [{ orient: "bottom", scale: "x", labelOverlap: "greedy", tickCount: ticksFor(size.width), grid: true,
      title: "% of copy bandwidth" }],
    marks: [
      variantNames(layout),
      {
        type: "rect", name: "bars", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", value: 0 }, x2: { scale: "x", field: "copy" },
          y: at(shift + 4), height: { value: 15 }, fill: familyColour,
          cornerRadius: { value: 1 },
          tooltip: { signal: "datum.best + '\\n' + datum.file" },
        } },
      },
      {
        type: "text", from: { data: "table" },
        encode: { enter: {
          x: { value: size.width + 64 }, align: { value: "right" }, y: at(shift + 12),
          baseline: { value: "middle" },
          text: { signal: "format(datum.copy, '.1f') + ' %'" }, fontWeight: { value: 600 },
        } },
      },
      {
        type: "text", from: { data: "table" },
        encode: { enter: {
          x: { value: 0 }, y: at(shift + 28), baseline: { value: "middle" },
          text: { field: "best" }, font: { value: monospace }, fontSize: { value: 11 },
          limit: { value: layout.beside ? size.width : width - layout.left - 2 },
          fill: { value: colours.soft },
        } },
      },
      copyLine(layout, size, 100, [shift + 1, shift + 22]),
      ...keys.marks,
    ],
  };
}
