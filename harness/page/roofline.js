// The roofline of one data set: cell updates per second over cell updates per byte that crosses a
// level of the memory system (Williams, Waterman and Patterson 2009, with the cell update as the
// unit of work, since most rules have no floating-point operations to count).

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
    name: "roofline", title: `${groupName(group)}: cell updates over the bytes they move`,
    note: "A point is a variant at one level of the memory system. Filled: bytes from hardware " +
      "counters. Hollow: from the model, what must cross the level at least. " + roofText(group),
    columns: rooflineColumns, rows,
    empty: rows.length ? null : group.timed && only !== "all" ? `No variant has bytes of ${only}.`
      : "Nothing tells how many bytes the variants of this data set move in which time.",
    chart: (width) => rooflineChart(group, rows, width),
  });
}

// The fastest variant stands in where no limit is known that does not depend on bytes.
function flatRoof(group, rows) {
  return group.flat_roof ?? { name: "fastest variant",
    rate: Math.max(...rows.map((row) => row.cells)) * 1e9 };
}

// The levels whose bandwidth the run measured, with the intensity of the ridge, where the level's
// roof meets the flat one.
function roofsOf(group, rows) {
  const top = flatRoof(group, rows).rate / 1e9;
  return data.levels.map((name, level) => ({ name, level, rate: group.ceilings[level] / 1e9 }))
    .filter((one) => one.rate).map((one) => ({ ...one, top, ridge: top / one.rate }));
}

function roofText(group) {
  const flat = group.flat_roof;
  const slanted = group.ceilings.some(Boolean)
    ? "The slanted lines are the bandwidths that this run measured of the device" +
      (group.devices > 1 ? `, times ${group.devices}, as so many compute at once. ` : ". ")
    : "This run measured no bandwidth of the device, and so there is no slanted roof. ";
  if (!flat)
    return slanted + "The flat line is the fastest variant: no limit of its instructions is known.";
  if (flat.name === "launches")
    return slanted + "The flat line is what empty launches of as many cells reach. Diamonds are " +
      "the ridges.";
  return slanted + `The flat line is where ${flat.name} would limit the variant that asks least ` +
    "of them" + (flat.estimate
      ? ", if each thread executed its kernel's text once: an estimate." : ", as counted.") +
    " Diamonds are the ridges.";
}

function rooflineChart(group, rows, width) {
  const colours = theme();
  const flat = flatRoof(group, rows);
  const roofs = roofsOf(group, rows);
  const hollow = rows.some((row) => row.source === "model");
  const keys = legend([
    ...roofs.map((one) => ({
      label: `${one.name}, ${number(one.rate)} GB/s`, colour: colours.text,
      dash: levelDashes[one.level], shape: levelShapes[one.level],
    })),
    // A level whose ceiling is unknown has points only.
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
  const y = [Math.min(...rates) / 1.5, Math.max(...rates, flat.rate / 1e9) * 1.5];
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
      ...keys.marks,
    ],
  };
}
