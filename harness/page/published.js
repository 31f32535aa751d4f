// Published figures: measured lines, and dashed the levels and places that the source states. Its
// curves are printed without values.

const publishedColumns = [
  { key: "line", label: "line" },
  { key: "shown", label: "x" },
  { key: "y", label: "y", significant: 4 },
  { key: "device", label: "device" },
  { key: "basis", label: "from" },
];
const statedDashes = [[7, 4], [2, 3], [12, 4, 2, 4]];

function publishedName(figure) {
  return `${figure.source}, ${figure.place}: ${figure.title}`;
}

// Devices are named only if the lines have several.
function publishedRows(figure) {
  const several = new Set(figure.lines.map((line) => line.device)).size > 1;
  return figure.lines.flatMap((line) => line.points.map(([x, y]) => ({
    line: line.name + (several && line.device ? `, ${line.device}` : ""), x, y,
    shown: typeof x === "number" ? significant(x, 6) : x, device: line.device || "any",
    basis: line.basis,
  })));
}

function showPublished(figure) {
  const rows = publishedRows(figure);
  const basis = [...new Set(figure.lines.map((line) => line.basis))].join("; ");
  const stated = figure.stated.map((one) => `${one.name}: ${one.note}`).join("; ");
  return showFigure("published-figure", {
    name: figure.id, title: publishedName(figure),
    note: `The source says: ${figure.says.join(" ")} ` +
      (stated ? `Dashed, as stated: ${stated}. ` : "") + `Measured: ${basis}.`,
    columns: publishedColumns, rows, empty: rows.length === 0,
    chart: (width) => publishedChart(figure, rows, width),
  });
}

// Figures, or parts of them, that no file has, each with what measures it.
function showMissingFigures() {
  const missing = data.published.filter((figure) => figure.measure);
  document.getElementById("published-missing").replaceChildren(...(missing.length ? [
    element("p", { class: "note" }, "Not in these files:"),
    element("ul", { class: "sentences" }, ...missing.map((figure) =>
      element("li", {}, `${publishedName(figure)}. ${figure.measure}`)))] : []));
}

function publishedChart(figure, rows, width) {
  const colours = theme();
  const palette = (place) => colours.families[place % colours.families.length];
  const names = [...new Set(rows.map((row) => row.line))];
  const stated = figure.stated.map((one, place) =>
    ({ ...one, dash: statedDashes[place % statedDashes.length] }));
  const keys = legend([
    ...names.map((label, place) => ({ label, colour: palette(place) })),
    ...stated.map((one) => ({ label: one.name, colour: colours.soft, dash: one.dash }))],
  width, 76);
  const padding = { left: 76, right: 36, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(380, Math.max(280, Math.round(width * 0.4))), padding);
  const named = typeof rows[0].x === "string";
  const numbers = (key) => [...rows, ...stated].map((one) => one[key])
    .filter((value) => typeof value === "number");
  const xs = named ? [...new Set(rows.map((row) => row.x))] : numbers("x");
  const lowest = Math.min(...numbers("y")), low = Math.min(0, lowest), high = Math.max(...numbers("y"));
  const room = (high - low) * 0.05 || 1;
  const x = named ? { name: "x", type: "point", domain: xs, range: [0, size.width], padding: 0.5 }
    : figure.logarithmic_x
      ? { name: "x", type: "log", domain: [Math.min(...xs) / 1.3, Math.max(...xs) * 1.3],
        range: [0, size.width] }
      : { name: "x", type: "linear", domain: [0, Math.max(...xs) * 1.02], range: [0, size.width] };
  const rule = (one) => ({
    type: "rule", interactive: false,
    encode: { enter: {
      ...(one.y == null ? { x: { scale: "x", value: one.x }, y: { value: 0 }, y2: { value: size.height } }
        : { x: { value: 0 }, x2: { value: size.width }, y: { scale: "y", value: one.y } }),
      stroke: { value: colours.soft }, strokeWidth: { value: 1.6 }, strokeDash: { value: one.dash },
    } },
  });
  return {
    ...size,
    signals: [...size.signals, { name: "palette", value: Object.fromEntries(names.map((name, place) => [name, palette(place)])) },
      { name: "tips", value: rows.map((row) => `${row.line}\n${row.shown}: ${number(row.y, 2)}`) }],
    data: [{ name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    scales: [x, figure.logarithmic_y
      ? { name: "y", type: "log", domain: [lowest / 1.3, high * 1.3], range: [size.height, 0] }
      : { name: "y", type: "linear", domain: [low < 0 ? low - room : 0, high + room],
        range: [size.height, 0], nice: true }],
    axes: [
      { orient: "bottom", scale: "x", grid: !named, labelOverlap: "greedy", title: figure.x,
        ...(named ? {} : figure.logarithmic_x
          ? { values: [...new Set(xs)], format: "~r" }
          : { tickCount: ticksFor(size.width) }) },
      { orient: "left", scale: "y", grid: true, title: figure.y,
        ...(figure.logarithmic_y ? { values: decades(lowest / 1.3, high * 1.3, size.height),
          format: "~r", labelOverlap: "greedy" } : { tickCount: 6 }) },
    ],
    marks: [
      ...stated.map(rule),
      ...(figure.joined === false ? [] : [{
        type: "group", from: { facet: { data: "numbered", name: "line", groupby: "line" } },
        marks: [{
          type: "line", interactive: false, from: { data: "line" },
          encode: { enter: {
            x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
            stroke: { signal: "palette[datum.line]" }, strokeWidth: { value: 2 },
          } },
        }],
      }]),
      {
        type: "symbol", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, size: { value: 50 },
          fill: { signal: "palette[datum.line]" },
          stroke: { value: colours.page }, tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}
