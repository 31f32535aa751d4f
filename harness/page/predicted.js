// Predicted against measured times of one data set, and their ratio by technique, if the files
// include one of camber model.

const predictedColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "technique", label: "technique", mono: true },
  { key: "measured", label: "measured, \u00b5s", significant: 5 },
  { key: "predicted", label: "predicted, \u00b5s", significant: 5 },
  { key: "low", label: "from, \u00b5s", significant: 5 },
  { key: "high", label: "to, \u00b5s", significant: 5 },
  { key: "ratio", label: "predicted / measured", decimals: 3 },
  { key: "binding", label: "binds" },
  { key: "doubt", label: "" },
];

function predictedRows(group) {
  return group.cases.filter((one) => one.rank && one.predicted).map((one) => {
    const [ns, low, high, binding, uncertain] = one.predicted;
    return {
      variant: one.variant, technique: one.technique, family: one.family,
      measured: one.median / 1e3, predicted: ns / 1e3, low: low / 1e3, high: high / 1e3,
      ratio: ns / one.median, binding, doubt: uncertain ? "uncertain" : "",
    };
  });
}

function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

const residualColumns = [
  { key: "technique", label: "technique", mono: true },
  { key: "variants", label: "variants", decimals: 0 },
  { key: "ratio", label: "predicted / measured, median", decimals: 3 },
  { key: "least", label: "least", decimals: 3 },
  { key: "most", label: "most", decimals: 3 },
];

// Rows sorted by distance from 1, farthest first.
function residualRows(rows) {
  const techniques = Map.groupBy ? Map.groupBy(rows, (row) => row.technique)
    : rows.reduce((all, row) => all.set(row.technique, [...(all.get(row.technique) || []), row]),
      new Map());
  return [...techniques].map(([technique, of]) => {
    const ratios = of.map((row) => row.ratio);
    return { technique, variant: technique, family: of[0].family, variants: of.length,
      ratio: middle(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
  }).sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
}

async function showPredicted(group) {
  const rows = predictedRows(group);
  const errors = rows.map((row) => Math.abs(row.ratio - 1));
  const residuals = residualRows(rows);
  const empty = rows.length === 0;
  await showFigure("predicted-figure", {
    name: "predicted", title: `${groupName(group)}: predicted against measured times`,
    note: rows.length ? "One point per variant, with its predicted interval. The line is " +
      `predicted = measured. Median error: ${number(middle(errors) * 100, 1)} %. Hollow points are ` +
      "uncertain." : "",
    columns: predictedColumns, rows, empty, chart: (width) => predictedChart(rows, width),
  });
  await showFigure("residual-figure", {
    name: "residuals", title: `${groupName(group)}: predicted / measured time, by technique`,
    note: "Bars span the smallest to the largest ratio of a technique; the point is the median. " +
      "A ratio of 1 is exact.",
    columns: residualColumns, rows: residuals, empty,
    chart: (width) => residualChart(residuals, width),
  });
}

function predictedChart(rows, width) {
  const colours = theme();
  const keys = legend([
    { label: "equal", colour: colours.text, dash: [5, 4] },
    ...(rows.some((row) => row.doubt)
      ? [{ label: "uncertain", colour: colours.line, shape: "circle", hollow: true }] : []),
    ...familyItems(rows),
  ], width, 76);
  const padding = { left: 76, right: 16, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(520, Math.max(320, Math.round(width * 0.6))), padding);
  const ends = rows.flatMap((row) => [row.measured, row.predicted, row.low, row.high]);
  const domain = [Math.min(...ends) / 1.15, Math.max(...ends) * 1.15];
  const tips = rows.map((row) => `${row.variant}\n${duration(row.predicted * 1e3)} predicted, ` +
    `${duration(row.low * 1e3)} to ${duration(row.high * 1e3)}\n` +
    `${duration(row.measured * 1e3)} measured\n${row.binding} binds` +
    (row.doubt ? "\nuncertain" : ""));
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips }],
    data: [{ name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    ...logarithmic(size, domain, domain,
      { x: "measured, \u00b5s per generation", y: "predicted, \u00b5s" }),
    marks: [
      {
        type: "rule", interactive: false,
        encode: { enter: {
          x: { value: 0 }, x2: { value: size.width }, y: { value: size.height }, y2: { value: 0 },
          stroke: { value: colours.text }, strokeDash: { value: [5, 4] },
          strokeWidth: { value: 1.4 },
        } },
      },
      {
        type: "rule", interactive: false, from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "measured" }, y: { scale: "y", field: "low" },
          y2: { scale: "y", field: "high" }, stroke: familyColour, strokeOpacity: { value: 0.3 },
          strokeWidth: { value: 1.2 },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "measured" }, y: { scale: "y", field: "predicted" },
          size: { value: 55 }, stroke: familyColour, strokeWidth: { value: 1.4 },
          fill: { signal: "datum.doubt ? 'transparent' : families[datum.family]" },
          fillOpacity: { value: 0.55 }, tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}

function residualChart(rows, width) {
  const colours = theme();
  const layout = rowLayout(rows, width, { step: 24, narrowStep: 40 });
  const padding = { left: layout.left, right: 20, top: 8, bottom: 48 };
  const size = frame(width, rows.length * layout.step, padding);
  const domain = [Math.min(0.8, ...rows.map((row) => row.least)) / 1.03,
    Math.max(1.25, ...rows.map((row) => row.most)) * 1.03];
  const values = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 5, 10]
    .filter((value) => value >= domain[0] && value <= domain[1]);
  const place = (shift) => ({ scale: "row", field: "variant", offset: layout.beside ? shift : shift + 16 });
  const tips = Object.fromEntries(rows.map((row) => [row.technique,
    `${row.technique}, ${counted(row.variants, "variant")}\nmedian ${number(row.ratio, 2)}, ` +
    `${number(row.least, 2)} to ${number(row.most, 2)}`]));
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips }],
    scales: [
      { name: "x", type: "log", domain, range: [0, size.width] },
      { name: "row", type: "band", domain: rows.map((row) => row.variant),
        range: [0, size.height] },
    ],
    axes: [{ orient: "bottom", scale: "x", values, grid: true, labelOverlap: "greedy",
      format: "~r", title: "predicted / measured time" }],
    marks: [
      variantNames(layout),
      {
        type: "rule", interactive: false,
        encode: { enter: {
          x: { scale: "x", value: 1 }, y: { value: 0 }, y2: { value: size.height },
          stroke: { value: colours.text }, strokeDash: { value: [5, 4] },
          strokeWidth: { value: 1.4 },
        } },
      },
      {
        type: "rule", interactive: false, from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "least" }, x2: { scale: "x", field: "most" }, y: place(12),
          stroke: familyColour, strokeWidth: { value: 5 }, strokeOpacity: { value: 0.35 },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "ratio" }, y: place(12), size: { value: 60 },
          fill: familyColour, stroke: { value: colours.page }, strokeWidth: { value: 1 },
          tooltip: { signal: "tips[datum.technique]" },
        } },
      },
    ],
  };
}
