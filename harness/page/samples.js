// Samples of selected variants of one data set: each sample as a dot, the quartiles as a box.

const sampleColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "n", label: "samples", decimals: 0 },
  { key: "shown", label: "shown", decimals: 0 },
  { key: "min", label: "minimum, \u00b5s", significant: 5 },
  { key: "first", label: "first quartile, \u00b5s", significant: 5 },
  { key: "median", label: "median, \u00b5s", significant: 5 },
  { key: "third", label: "third quartile, \u00b5s", significant: 5 },
  { key: "max", label: "maximum, \u00b5s", significant: 5 },
];

// Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996).
function quantile(ascending, p) {
  const place = (ascending.length - 1) * p;
  const below = Math.floor(place);
  const above = Math.min(below + 1, ascending.length - 1);
  return ascending[below] + (place - below) * (ascending[above] - ascending[below]);
}

function sampleRows(group, variants) {
  return group.cases.filter((one) => one.samples?.length && variants.has(one.variant))
    .map((one) => ({
      variant: one.variant, family: one.family, n: one.n, shown: one.samples.length,
      min: one.samples[0] / 1e3, first: quantile(one.samples, 0.25) / 1e3,
      median: quantile(one.samples, 0.5) / 1e3, third: quantile(one.samples, 0.75) / 1e3,
      max: one.samples.at(-1) / 1e3, samples: one.samples.map((sample) => sample / 1e3),
    }));
}

function showSamples(group, variants, relative) {
  const rows = sampleRows(group, variants);
  return showFigure("samples-figure", {
    name: "samples", title: `${groupName(group)}: samples of ${counted(rows.length, "variant")}`,
    note: "Dots: samples. Box: quartiles and median. Line: minimum to maximum. At most " +
      `${data.most_samples} samples per variant are drawn, evenly spaced in rank; all statistics ` +
      "use all samples.",
    columns: sampleColumns, rows,
    empty: rows.length ? null : !group.cases.some((one) => one.samples) || "Choose at least one variant.",
    chart: (width) => samplesChart(rows, width, relative),
  });
}

function samplesChart(rows, width, relative) {
  const colours = theme();
  const layout = rowLayout(rows, width, { step: 30, narrowStep: 48 });
  const keys = legend(familyItems(rows), width, layout.left);
  const padding = { left: layout.left, right: 20, top: keys.height + 6, bottom: 48 };
  const size = frame(width, rows.length * layout.step, padding);
  const at = (row, value) => relative ? (value / row.median - 1) * 100 : value;
  const boxes = rows.map((row) => ({
    variant: row.variant, family: row.family, min: at(row, row.min), first: at(row, row.first),
    median: at(row, row.median), third: at(row, row.third), max: at(row, row.max),
  }));
  const dots = rows.flatMap((row) => row.samples.map((sample, place) => ({
    variant: row.variant, family: row.family, x: at(row, sample), offset: spread(place) * 16,
  })));
  const low = Math.min(...boxes.map((box) => box.min));
  const high = Math.max(...boxes.map((box) => box.max));
  // A single sample needs a nonempty axis range.
  const room = high > low ? (high - low) * 0.03 : Math.abs(high) * 0.1 || 1;
  // If a few samples are far outliers, the axis is logarithmic on both sides of 0, so that boxes
  // remain visible.
  const width50 = quantile(boxes.map((box) => box.third - box.first).sort((a, b) => a - b), 0.5);
  const bent = relative && high - low > Math.max(1, 30 * width50) && width50 > 0;
  const powers = Array.from({ length: 9 }, (_, k) => 10 ** (k - 4)).filter((one) => one >= width50);
  const ticks = bent ? { values: [...powers.map((one) => -one), 0, ...powers], labelOverlap: true }
    : { tickCount: ticksFor(size.width) };
  const middle = layout.beside ? layout.step / 2 : 32;
  const y = (offset) => ({ scale: "row", field: "variant", offset: middle + offset });
  return {
    ...size,
    signals: [...size.signals, familySignal()],
    data: [{ name: "quartiles", values: boxes }, { name: "singles", values: dots }],
    scales: [
      { name: "x", type: bent ? "symlog" : "linear", ...(bent ? { constant: width50 } : {}),
        domain: [low - room, high + room], range: [0, size.width] },
      { name: "row", type: "band", domain: rows.map((row) => row.variant),
        range: [0, size.height] },
    ],
    axes: [{ orient: "bottom", scale: "x", ...ticks, grid: true, format: bent ? "~r" : undefined,
      title: relative ? bent ? "% from the variant's median, logarithmic"
        : "difference from the variant's median, %"
        : "time per generation, \u00b5s" }],
    marks: [
      variantNames(layout),
      {
        type: "rule", from: { data: "quartiles" }, interactive: false,
        encode: { enter: {
          x: { scale: "x", field: "min" }, x2: { scale: "x", field: "max" }, y: y(0),
          stroke: { value: colours.line },
        } },
      },
      {
        type: "symbol", name: "dots", from: { data: "singles" }, interactive: false,
        encode: { enter: {
          x: { scale: "x", field: "x" },
          y: { scale: "row", field: "variant", offset: { signal: `${middle} + datum.offset` } },
          size: { value: 14 }, fill: familyColour, fillOpacity: { value: 0.55 },
        } },
      },
      {
        type: "rect", name: "boxes", from: { data: "quartiles" },
        encode: { enter: {
          x: { scale: "x", field: "first" }, x2: { scale: "x", field: "third" }, y: y(-9),
          height: { value: 18 }, fill: { value: "transparent" }, stroke: familyColour,
          strokeWidth: { value: 1.5 }, tooltip: { field: "variant" },
        } },
      },
      {
        type: "rule", from: { data: "quartiles" }, interactive: false,
        encode: { enter: {
          x: { scale: "x", field: "median" }, y: y(-9), y2: y(9),
          stroke: { value: colours.text }, strokeWidth: { value: 2 },
        } },
      },
      ...keys.marks,
    ],
  };
}
