// Run from the start by intervals: the time per generation, and the share of launched cells that
// contain lava.

const intervalColumns = [
  { key: "variant", label: "variant", mono: true },
  { key: "first", label: "after generation", decimals: 0 },
  { key: "generation", label: "to generation", decimals: 0 },
  { key: "time", label: "time of a generation, \u00b5s", significant: 5 },
];
const activityColumns = [
  { key: "variant", label: "launched" },
  { key: "generation", label: "generation", decimals: 0 },
  { key: "share", label: "cells with lava, % of those launched", significant: 4 },
];

// Rows of the variant with the shortest total time in each family.
function intervalRows(group) {
  const best = new Map();
  for (const one of group.cases.filter((each) => each.intervals)) {
    const whole = one.intervals.reduce((sum, [first, last, ns]) => sum + (last - first) * ns, 0);
    if (!best.has(one.family) || whole < best.get(one.family).whole)
      best.set(one.family, { one, whole });
  }
  return [...best.values()].flatMap(({ one }) => one.intervals.map(([first, generation, ns]) =>
    ({ variant: one.variant, family: one.family, first, generation, time: ns / 1e3 })));
}

const launchedSets = ["the board", "1 box", "2 boxes", "3 boxes", "4 boxes", "a list"];
function activityRows(group) {
  return (group.activity || []).flatMap(([generation, ...shares]) => shares.map((share, place) =>
    ({ variant: launchedSets[place], family: place, generation, share: 100 * share })));
}

async function showOverRun(group) {
  const times = intervalRows(group), shares = activityRows(group);
  await Promise.all([
    showFigure("over-run-figure", {
      name: "over-run", title: `${group.title}: time of a generation over a run`,
      note: "The fastest variant of each technique family, by total time.",
      columns: intervalColumns, rows: times, empty: times.length === 0,
      chart: (width) => overRunChart(times, familyItems(times), "time",
        "time of a generation, \u00b5s", width),
    }),
    showFigure("activity-figure", {
      name: "activity", title: `${group.title}: share of launched cells that contain lava`,
      note: "Boxes and the list include a halo around the lava.",
      columns: activityColumns, rows: shares, empty: shares.length === 0,
      chart: (width) => overRunChart(shares, launchedSets.map((label, place) =>
        ({ label, colour: theme().families[place] })), "share", "cells with lava, %", width),
    }),
  ]);
}

function overRunChart(rows, items, value, title, width) {
  const keys = legend(items, width, 70);
  // On the right is half of a label such as "5,500,000".
  const padding = { left: 70, right: 36, top: keys.height + 8, bottom: 50 };
  const size = frame(width, Math.min(340, Math.max(260, Math.round(width * 0.36))), padding);
  const most = Math.max(...rows.map((row) => row[value]));
  return {
    ...size,
    signals: [...size.signals, familySignal()],
    scales: [
      { name: "x", type: "linear", range: [0, size.width],
        domain: [0, Math.max(...rows.map((row) => row.generation))] },
      { name: "y", type: "linear", domain: [0, most * 1.05 || 1], range: [size.height, 0], nice: true },
    ],
    axes: [
      { orient: "bottom", scale: "x", tickCount: ticksFor(size.width), grid: true,
        labelOverlap: "greedy", title: "generation" },
      { orient: "left", scale: "y", tickCount: 6, grid: true, title },
    ],
    marks: [
      {
        type: "group", from: { facet: { data: "table", name: "line", groupby: "variant" } },
        marks: [{
          type: "line", interactive: false, from: { data: "line" },
          encode: { enter: {
            x: { scale: "x", field: "generation" }, y: { scale: "y", field: value },
            stroke: familyColour, strokeWidth: { value: 2 },
          } },
        }],
      },
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "generation" }, y: { scale: "y", field: value },
          size: { value: 50 }, fill: familyColour, stroke: { value: theme().page },
          tooltip: { signal: `datum.variant + '\\n' + format(datum.${value}, '.4~g')` },
        } },
      },
      ...keys.marks,
    ],
  };
}
