// Roofline of one data set: cell updates per second over cell updates per byte of traffic at a
// memory level (Williams, Waterman and Patterson 2009, with the cell update as the unit of work,
// since most rules have no floating-point operations).

// Levels for which some variant of the group has traffic.
function rooflineLevels(group) {
  return data.levels.filter((_, level) =>
    group.cases.some((one) => one.rank && one.cells_rate != null && one.traffic[level]));
}

const levelShapes = ["circle", "square", "triangle-down", "triangle-up"];
const levelDashes = [[1, 0], [7, 3], [2, 3], [9, 3, 2, 3]];
const flatDash = [12, 4];

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
        variant: one.variant, technique: one.technique || "", family: one.family, level: data.levels[level], place: level,
        source, bytes, intensity: 1 / bytes, cells: one.cells_rate / 1e9, traffic: rate / 1e9,
        share: ceiling ? rate / ceiling * 100 : null,
      });
    });
  }
  return rows;
}

function showRoofline(group, only) {
  const rows = rooflineRows(group, only);
  const sources = new Set(rows.map((row) => row.source));
  return showFigure("roofline-figure", {
    name: "roofline", title: `${groupName(group)}: cell updates over bytes` +
      (only === "all" ? "" : ` of ${only}`),
    note: "One point per variant" + (only === "all" ? " and memory level. " : ". ") +
      (sources.has("counters") ? "Filled: bytes from hardware counters. " : "") +
      (sources.has("model") ? "Hollow: bytes predicted by the model, the minimum for the level. " : "") +
      "Labels name the fastest variant's technique at each intensity, and the bytes per cell. " +
      roofText(group, only),
    columns: rooflineColumns, rows, empty: rows.length === 0,
    chart: (width) => rooflineChart(group, rows, width, only),
  });
}

// Bandwidth-independent limit; the rate of the fastest variant if it is unknown.
function flatRoof(group, rows) {
  return group.flat_roof ?? { name: "fastest variant",
    rate: Math.max(...rows.map((row) => row.cells)) * 1e9 };
}

// Levels with a measured bandwidth, and the intensity of the ridge point at which the level's roof
// meets the flat roof.
function roofsOf(group, rows, only) {
  const top = flatRoof(group, rows).rate / 1e9;
  return data.levels.map((name, level) => ({ name, level, rate: group.ceilings[level] / 1e9 }))
    .filter((one) => one.rate && (only === "all" || one.name === only))
    .map((one) => ({ ...one, top, ridge: top / one.rate }));
}

function roofText(group, only) {
  const flat = group.flat_roof;
  const ceilings = data.levels.filter((name, level) => group.ceilings[level] &&
    (only === "all" || name === only));
  const slanted = ceilings.length
    ? `Slanted: measured bandwidth of ${ceilings.join(", ")}` +
      (group.devices > 1 ? ` times ${group.devices} devices. ` : ". ")
    : "No slanted roof: the run measured no bandwidth. ";
  if (!flat) return slanted + "Flat: the fastest variant; its instruction limit is unknown.";
  if (flat.name === "launches") return slanted + "Flat: rate of empty launches of as many cells.";
  return slanted + `Flat: ceiling of ${flat.name} for the variant with the fewest instructions` +
    (flat.estimate ? ", estimated as one execution of the machine code per thread." : ", counted.");
}

// Points of similar intensity form a column. The label above contains the technique of the column's
// fastest variant; the label below contains the bytes per cell if they are equal for the column.
// Labels that would cover a point or another label are omitted.
function columnLabels(rows, size, x, y, only) {
  const at = (value, [low, high], extent) =>
    Math.log(value / low) / Math.log(high / low) * extent;
  const columns = new Map();
  for (const row of rows) {
    const key = `${row.place} ${Math.round(Math.log(row.intensity) / 0.06)}`;
    columns.set(key, [...(columns.get(key) || []), row]);
  }
  const sorted = [...columns.values()].map((column) => column.sort((a, b) => b.cells - a.cells))
    .sort((a, b) => b[0].cells - a[0].cells);
  const place = (row) => [at(row.intensity, x, size.width),
    size.height - at(row.cells, y, size.height)];
  const taken = rows.map((row) => {
    const [centre, middle] = place(row);
    return [centre - 4, middle - 4, centre + 4, middle + 4];
  });
  const labels = [];
  const put = (row, text, below) => {
    const half = textWidth(text, labelFont) / 2 + 3;
    const [point, height] = place(row);
    const centre = Math.min(size.width - half, Math.max(half, point));
    const middle = height + (below ? 15 : -15);
    const box = [centre - half, middle - 8, centre + half, middle + 8];
    if (box[1] < 0 || box[3] > size.height) return;
    if (taken.some((one) => box[0] < one[2] && one[0] < box[2] && box[1] < one[3] && one[1] < box[3]))
      return;
    taken.push(box);
    labels.push({ x: centre, y: middle, text });
  };
  const level = (row) => only === "all" ? row.level + ", " : "";
  for (const column of sorted) {
    put(column[0], column[0].technique, false);
    const bytes = column.map((row) => row.bytes);
    if (Math.max(...bytes) < 1.01 * Math.min(...bytes))
      put(column.at(-1), `${level(column[0])}${significant(column[0].bytes, 2)} B/cell`, true);
  }
  return labels;
}

function rooflineChart(group, rows, width, only) {
  const colours = theme();
  const flat = flatRoof(group, rows);
  const roofs = roofsOf(group, rows, only);
  const hollow = rows.some((row) => row.source === "model");
  const keys = legend([
    ...roofs.map((one) => ({
      label: `${one.name}, ${number(one.rate)} GB/s`, colour: colours.text,
      dash: levelDashes[one.level], shape: levelShapes[one.level],
    })),
    // Levels without a known ceiling have only points.
    ...data.levels.map((name, level) => ({
      label: name, level, colour: colours.text, shape: levelShapes[level],
    })).filter(({ level }) => rows.some((row) => row.place === level) &&
      !roofs.some((one) => one.level === level)),
    {
      label: `${flat.name}, ${significant(flat.rate / 1e9, 3)} Gcell/s` +
        (flat.estimate ? " (estimate)" : ""), colour: colours.text, dash: flatDash,
    },
    ...(roofs.length ? [{ label: "ridge", colour: colours.text, shape: "diamond" }] : []),
    ...(hollow ? [{ label: "by the model", colour: colours.line, shape: "circle", hollow: true }]
      : []),
    ...familyItems(rows),
  ], width, 76);
  const padding = { left: 96, right: 16, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(460, Math.max(320, Math.round(width * 0.5))), padding);
  const intensities = rows.map((row) => row.intensity);
  const rates = rows.map((row) => row.cells);
  const x = [Math.min(...intensities.map((one) => one / 1.4), ...roofs.map((one) => one.ridge / 3)),
    Math.max(...intensities, ...roofs.map((one) => one.ridge)) * 1.4];
  const y = [Math.min(...rates) / 2, Math.max(...rates, flat.rate / 1e9) * 1.5];
  const lines = [
    ...roofs.flatMap((one) => [x[0], one.ridge]
      .map((intensity) => ({ level: one.level, x: intensity, y: intensity * one.rate }))),
    ...[roofs.length ? Math.min(...roofs.map((one) => one.ridge)) : x[0], x[1]]
      .map((intensity) => ({ level: data.levels.length, x: intensity, y: flat.rate / 1e9 })),
  ];
  const ridges = roofs.map((one) => ({ x: one.ridge, y: one.top,
    tip: `Ridge of ${one.name}: ${significant(one.ridge, 3)} cells per byte` }));
  const tips = rows.map((row) => `${row.variant}\n${row.level}, by ` +
    `${row.source === "model" ? "the model" : "counters"}: ${significant(row.bytes)} bytes per ` +
    `cell\n${number(row.cells, 2)} Gcell/s, ${number(row.traffic)} GB/s` +
    (row.share == null ? "" : `, ${number(row.share, 1)} % of the ceiling`));
  return {
    ...size,
    signals: [...size.signals, familySignal(), { name: "tips", value: tips },
      { name: "shapes", value: levelShapes }, { name: "dashes", value: [...levelDashes, flatDash] }],
    data: [{ name: "roofs", values: lines }, { name: "ridges", values: ridges },
    { name: "labels", values: columnLabels(rows, size, x, y, only) },
    { name: "numbered", source: "table",
      transform: [{ type: "window", ops: ["row_number"], as: ["row"] }] }],
    ...logarithmic(size, x, y, { x: "cell updates per byte", y: "Gcell/s" }),
    marks: [
      {
        type: "group", clip: true,
        encode: { enter: { width: { value: size.width }, height: { value: size.height } } },
        marks: [{
          type: "group", from: { facet: { data: "roofs", name: "roof", groupby: "level" } },
          marks: [{
            type: "line", interactive: false, from: { data: "roof" },
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
      {
        type: "symbol", from: { data: "ridges" },
        encode: { enter: {
          x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, shape: { value: "diamond" },
          size: { value: 90 }, fill: { value: colours.text }, stroke: { value: colours.page },
          tooltip: { field: "tip" },
        } },
      },
      {
        type: "text", interactive: false, from: { data: "labels" },
        encode: { enter: {
          x: { field: "x" }, y: { field: "y" }, text: { field: "text" },
          align: { value: "center" }, baseline: { value: "middle" },
        } },
      },
      ...keys.marks,
    ],
  };
}
