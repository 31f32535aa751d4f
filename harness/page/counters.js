// Predicted against measured counters of one data set, drawn as the relative deviation of the
// counter from the prediction, which is zero for nearly all counters.

const verdictNames = {
  equal: "exact match", tolerated: "within the model's tolerance",
  deviates: "deviates",
};
const verdictShapes = { equal: "circle", tolerated: "square", deviates: "diamond" };

const counterColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "quantity", label: "quantity" },
  { key: "predicted", label: "predicted", decimals: 0 },
  { key: "measured", label: "measured", decimals: 0 },
  { key: "deviation", label: "deviation, %", decimals: 2 },
  { key: "verdictName", label: "verdict" },
  { key: "share", label: "kernel's share of the time, %", decimals: 1 },
  { key: "dram", label: "kernel's DRAM bytes", decimals: 0 },
];

// Counters of a variant's launch, followed by those of each kernel of a multi-kernel launch.
function countedParts(one) {
  const kernels = (one.kernels || []).map((kernel) => ({
    variant: `${one.variant}: ${kernel.name}`, counters: kernel.counters,
    share: kernel.share === undefined ? null : kernel.share * 100, dram: kernel.dram ?? null,
  }));
  return [{ variant: one.variant, counters: one.counters || [], share: null, dram: null },
    ...kernels];
}

function counterRows(group) {
  const rows = group.cases.flatMap(countedParts).flatMap((one) => one.counters.map(
    ([quantity, predicted, measured = predicted, leftOpen]) => {
      const verdict = leftOpen === undefined ? "equal" : leftOpen ? "tolerated" : "deviates";
      return {
        variant: one.variant, share: one.share, dram: one.dram,
        quantity: data.quantities[quantity].replaceAll("_", " "), predicted, measured,
        // The relative deviation from a prediction of 0 is undefined.
        deviation: predicted === measured ? 0
          : predicted === 0 ? null : (measured / predicted - 1) * 100,
        verdict, verdictName: verdictNames[verdict],
      };
    }));
  const order = { deviates: 0, tolerated: 1, equal: 2 };
  return rows.sort((a, b) => order[a.verdict] - order[b.verdict] ||
    Math.abs(b.deviation ?? Infinity) - Math.abs(a.deviation ?? Infinity) || 0);
}

function showCounters(group) {
  const rows = counterRows(group);
  const deviating = rows.filter((row) => row.verdict === "deviates");
  const named = [...new Set(deviating.map((row) => row.variant))];
  const finding = !deviating.length ? "No counter deviates."
    : `${counted(deviating.length, "counter")} ${deviating.length === 1 ? "deviates" : "deviate"}: ` +
      named.slice(0, 6).join(", ") +
      (named.length > 6 ? ` and ${named.length - 6} more variants.` : ".");
  return showFigure("counters-figure", {
    name: "counters", title: `${groupName(group)}: measured counters against predictions`,
    note: "Global-memory requests and sectors must match exactly. Shared-memory wavefronts may be " +
      "up to 10 % higher (cycles lost to other accesses); load wavefronts may also be lower (words " +
      "that the compiler keeps in registers). If a launch has several kernels, each kernel has a " +
      "row. " + finding,
    columns: counterColumns, rows,
    empty: rows.length === 0,
    chart: (width) => countersChart(rows, width),
  });
}

// Vertical offsets for points that would overlap. The sequence is fixed, so that pages are
// reproducible.
function spread(place) {
  return (place * 0.618034 % 1) - 0.5;
}

function countersChart(rows, width) {
  const colours = theme();
  const quantities = [...new Set(rows.map((row) => row.quantity))].sort();
  const beside = width >= 700;
  const step = beside ? 52 : 66;
  const left = beside
    ? Math.ceil(Math.max(...quantities.map((one) => textWidth(one, labelFont)))) + 18 : 6;
  const keys = legend(Object.entries(verdictNames)
    .filter(([verdict]) => rows.some((row) => row.verdict === verdict))
    .map(([verdict, label]) => ({
      label: `${label} (${rows.filter((row) => row.verdict === verdict).length})`,
      colour: colours.verdicts[verdict], shape: verdictShapes[verdict],
    })), width, left);
  const padding = { left, right: 20, top: keys.height + 6, bottom: 48 };
  const size = frame(width, quantities.length * step, padding);
  const deviations = rows.map((row) => row.deviation ?? 0);
  const domain = [Math.min(-2, ...deviations) * 1.06, Math.max(12, ...deviations) * 1.06];
  const offsets = rows.map((row, place) => spread(place) * 24);
  const tips = rows.map((row) => `${row.variant}\n${row.quantity}: ${number(row.predicted)} ` +
    `predicted, ${number(row.measured)} measured`);
  const middle = beside ? step / 2 : step / 2 + 9;
  return {
    ...size,
    signals: [...size.signals, { name: "offsets", value: offsets }, { name: "tips", value: tips },
      { name: "verdicts", value: colours.verdicts }, { name: "shapes", value: verdictShapes }],
    data: [{ name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] },
    { name: "quantities", values: quantities.map((quantity) => ({ quantity })) }],
    scales: [
      { name: "x", type: "linear", domain, range: [0, size.width] },
      { name: "row", type: "band", domain: quantities, range: [0, size.height] },
    ],
    axes: [{ orient: "bottom", scale: "x", tickCount: ticksFor(size.width), grid: true,
      title: "measured minus predicted, %" }],
    marks: [
      {
        type: "rule", interactive: false,
        encode: { enter: {
          x: { scale: "x", value: 0 }, y: { value: 0 }, y2: { value: size.height },
          stroke: { value: colours.line }, strokeWidth: { value: 1.5 },
        } },
      },
      {
        type: "text", interactive: false, from: { data: "quantities" },
        encode: { enter: {
          x: { value: beside ? -10 : 0 }, align: { value: beside ? "right" : "left" },
          y: { scale: "row", field: "quantity", offset: beside ? middle : 9 },
          baseline: { value: "middle" }, text: { field: "quantity" },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", signal: "isValid(datum.deviation) ? datum.deviation : " +
            String(domain[1]) },
          y: { scale: "row", field: "quantity",
            offset: { signal: `${middle} + offsets[datum.row - 1]` } },
          shape: { signal: "shapes[datum.verdict]" }, size: { value: 34 },
          fill: { signal: "verdicts[datum.verdict]" }, fillOpacity: { value: 0.5 },
          stroke: { signal: "verdicts[datum.verdict]" }, strokeWidth: { value: 0.8 },
          tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}
