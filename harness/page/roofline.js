// The roofline of one data set: cell updates per second over cell updates per byte that crosses a
// level of the memory system (Williams, Waterman and Patterson 2009, with the cell update as the
// unit of work, since most rules have no floating-point operations to count).

const levelShapes = ["circle", "square", "triangle-up"];
const levelDashes = [[1, 0], [7, 3], [2, 3]];

const rooflineColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "level", label: "level" },
  { key: "source", label: "bytes from" },
  { key: "bytes", label: "bytes per cell", significant: 4 },
  { key: "intensity", label: "cells per byte", significant: 4 },
  { key: "cells", label: "Gcell/s", decimals: 2 },
  { key: "traffic", label: "GB/s across the level", decimals: 1 },
  { key: "share", label: "of its ceiling, %", decimals: 1 },
];

function rooflineRows(group, only) {
  const rows = [];
  for (const one of group.cases) {
    if (!one.rank || one.cells_rate == null) continue;
    one.traffic.forEach((traffic, level) => {
      if (!traffic || (only !== "all" && data.levels[level] !== only)) return;
      const [bytes, source] = traffic;
      const rate = bytes * one.cells_rate;
      const ceiling = group.ceilings[level];
      rows.push({
        variant: one.variant, family: one.family, level: data.levels[level], place: level,
        source, bytes, intensity: 1 / bytes, cells: one.cells_rate / 1e9, traffic: rate / 1e9,
        share: ceiling ? rate / ceiling * 100 : null,
      });
    });
  }
  return rows;
}

function showRoofline(group, only) {
  const rows = rooflineRows(group, only);
  return showFigure("roofline-figure", {
    name: "roofline", title: `${group.title}: cell updates over the bytes they move`,
    note: "A point is a variant at one level of the memory system; the slanted lines are the " +
      "bandwidths that this run measured of the device. Filled: bytes from hardware counters; " +
      "hollow: from the model (what must cross DRAM at least, what each block brings through " +
      "L2, wavefronts of 128 bytes of shared memory). Counters read one launch, perhaps with " +
      "other contents of the caches than the timed ones.",
    columns: rooflineColumns, rows,
    empty: rows.length ? null : "This data set has neither counters nor predictions: measure it " +
      "with camber run --counters memory,shared.",
    chart: (width) => rooflineChart(group, rows, width),
  });
}

function rooflineChart(group, rows, width) {
  const colours = theme();
  const ceilings = data.levels.map((name, level) => ({ name, level, rate: group.ceilings[level] }))
    .filter((one) => one.rate && rows.some((row) => row.place === one.level));
  const hollow = rows.some((row) => row.source === "model");
  const keys = legend([
    ...ceilings.map((one) => ({
      label: `${one.name}, ${number(one.rate / 1e9)} GB/s`, colour: colours.text,
      dash: levelDashes[one.level], shape: levelShapes[one.level],
    })),
    // A level whose ceiling is unknown has points only.
    ...[0, 1, 2].filter((level) => rows.some((row) => row.place === level) &&
      !ceilings.some((one) => one.level === level)).map((level) => ({
      label: data.levels[level], colour: colours.text, shape: levelShapes[level],
    })),
    ...(hollow ? [{ label: "by the model", colour: colours.line, shape: "circle", hollow: true }]
      : []),
    ...familyItems(rows),
  ], width, 62);
  const padding = { left: 62, right: 16, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(460, Math.max(320, Math.round(width * 0.5))), padding);
  const range = (values, room) => [Math.min(...values) / room, Math.max(...values) * room];
  const x = range(rows.map((row) => row.intensity), 1.4);
  const y = range(rows.map((row) => row.cells), 1.5);
  const tips = rows.map((row) => `${row.variant}\n${row.level}, by ` +
    `${row.source === "model" ? "the model" : "counters"}: ${significant(row.bytes)} bytes per ` +
    `cell\n${number(row.cells, 2)} Gcell/s, ${number(row.traffic)} GB/s` +
    (row.share == null ? "" : `, ${number(row.share, 1)} % of the ceiling`));
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips },
      { name: "shapes", value: levelShapes }, { name: "dashes", value: levelDashes }],
    data: [{ name: "ceilings", values: ceilings.flatMap((one) => [
      { level: one.level, x: x[0], y: x[0] * one.rate / 1e9 },
      { level: one.level, x: x[1], y: x[1] * one.rate / 1e9 }]) },
    { name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    scales: [
      { name: "x", type: "log", domain: x, range: [0, size.width] },
      { name: "y", type: "log", domain: y, range: [size.height, 0] },
    ],
    axes: [
      { orient: "bottom", scale: "x", values: decades(...x, size.width), grid: true,
        format: "~g", title: "cell updates per byte" },
      { orient: "left", scale: "y", values: decades(...y, 500), grid: true, format: "~g",
        title: "Gcell/s" },
    ],
    marks: [
      {
        type: "group", clip: true,
        encode: { enter: { width: { value: size.width }, height: { value: size.height } } },
        marks: [{
          type: "group", from: { facet: { data: "ceilings", name: "ceiling", groupby: "level" } },
          marks: [{
            type: "line", interactive: false, from: { data: "ceiling" },
            encode: { enter: {
              x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
              stroke: { value: colours.text }, strokeWidth: { value: 1.6 },
              strokeDash: { signal: "dashes[datum.level]" },
            } },
          }],
        }],
      },
      {
        type: "symbol", name: "points", from: { data: "numbered" },
        encode: { enter: {
          x: { scale: "x", field: "intensity" }, y: { scale: "y", field: "cells" },
          shape: { signal: "shapes[datum.place]" }, size: { value: 55 }, stroke: familyColour,
          strokeWidth: { value: 1.4 },
          fill: { signal: "datum.source === 'model' ? 'transparent' : families[datum.family]" },
          fillOpacity: { value: 0.55 }, tooltip: { signal: "tips[datum.row - 1]" },
        } },
      },
      ...keys.marks,
    ],
  };
}
