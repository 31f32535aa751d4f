// Cases over commits: an overview of all changes, and for one case its deterministic quantities and
// its times. Each machine has series of its own.

const historyKinds = {
  worse: { label: "quantity worse", shape: "triangle-up", colour: (t) => t.verdicts.deviates },
  better: { label: "quantity better", shape: "triangle-down", colour: (t) => t.families[3] },
  changed: { label: "quantity changed", shape: "diamond", colour: (t) => t.families[6] },
  slower: { label: "slower", shape: "triangle-up", hollow: true,
    colour: (t) => t.verdicts.deviates },
  faster: { label: "faster", shape: "triangle-down", hollow: true, colour: (t) => t.families[3] },
  failed: { label: "failed", shape: "cross", colour: (t) => t.families[4] },
};
const mostHistoryCases = 25, mostHistoryPanels = 6;

const historyChangeColumns = [
  { key: "variant", label: "case", mono: true },
  { key: "commit", label: "commit", mono: true },
  { key: "date", label: "date" },
  { key: "subject", label: "subject" },
  { key: "kind", label: "change" },
  { key: "detail", label: "details" },
];
const historyQuantityColumns = [
  { key: "quantity", label: "quantity" },
  { key: "commit", label: "commit", mono: true },
  { key: "date", label: "date" },
  { key: "value", label: "value", decimals: 0 },
];
const historyTimeColumns = [
  { key: "commit", label: "commit", mono: true },
  { key: "date", label: "date" },
  { key: "time", label: "time of a generation, \u00b5s", significant: 6 },
  { key: "low", label: "from, \u00b5s", significant: 6 },
  { key: "high", label: "to, \u00b5s", significant: 6 },
  { key: "processes", label: "processes", decimals: 0 },
];

function shortHash(commit) {
  return commit.hash.slice(0, 7) + (commit.dirty ? "*" : "");
}

// Position, name and date of a commit, for a row of a table.
function commitFields(machine, position) {
  const commit = machine.commits[position];
  return { position, commit: shortHash(commit), date: commit.time.slice(0, 10),
    subject: commit.subject };
}

function relativeChange(before, after) {
  if (!before) return `from 0 to ${number(after)}`;
  const share = (after - before) / before * 100;
  return (share > 0 ? "+" : "") + number(share, 2) + " %";
}

// One row per case, commit and kind of change.
function historyChangeRows(machine) {
  const rows = new Map();
  const add = (one, commit, kind, detail) => {
    const key = [one.name, commit, kind].join("\n");
    const row = rows.get(key);
    if (row) row.details.push(detail);
    else
      rows.set(key, { variant: one.name, kind, details: [detail],
        ...commitFields(machine, commit) });
  };
  for (const one of machine.cases) {
    for (const change of one.changes)
      add(one, change.commit, change.effect,
        `${change.quantity} ${relativeChange(change.before, change.after)}`);
    for (const point of one.change_points)
      add(one, point.commit, point.ratio > 1 ? "slower" : "faster",
        `time ${relativeChange(point.before_ns, point.after_ns)}`);
    for (const failure of one.failures) add(one, failure.commit, "failed", failure.reason);
  }
  // Marks of one case and commit are drawn beside each other.
  const places = new Map();
  const placeOf = (key) => {
    places.set(key, (places.get(key) ?? -1) + 1);
    return places.get(key);
  };
  return [...rows.values()].map((row) => ({ ...row,
    place: placeOf([row.variant, row.position].join("\n")),
    detail: row.details.slice(0, 4).join("; ") +
      (row.details.length > 4 ? `; ${row.details.length - 4} more` : "") }));
}

// Cases with changes, the most recently changed first.
function changedCases(rows) {
  const latest = new Map();
  for (const row of rows)
    latest.set(row.variant, Math.max(latest.get(row.variant) ?? 0, row.position));
  return [...latest].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function valuesOf(series, commits) {
  return series.values || Array.from({ length: commits }, () => series.value);
}

// Quantities to draw: those that change, or otherwise the main costs.
function shownQuantities(one) {
  const isJudged = (series) => one.changes.some((change) => change.effect !== "changed" &&
    change.quantity === series.quantity && change.family === series.family);
  const changing = one.quantities.filter((series) => series.values &&
    new Set(series.values.filter((value) => value != null)).size > 1)
    .sort((a, b) => isJudged(b) - isJudged(a));
  const others = one.quantities.filter((series) => series.values || series.value > 0);
  return (changing.length ? changing : others).slice(0, mostHistoryPanels);
}

function historyQuantityRows(machine, one) {
  return shownQuantities(one).flatMap((series) => valuesOf(series, machine.commits.length)
    .map((value, position) => ({ quantity: series.quantity, value,
      kind: one.changes.find((change) => change.commit === position &&
        change.quantity === series.quantity && change.family === series.family)?.effect || "",
      ...commitFields(machine, position) }))
    .filter((row) => row.value != null));
}

function historyTimeRows(machine, one) {
  return one.times.map((point) => ({ ...commitFields(machine, point.commit),
    time: point.ns / 1e3, low: point.low_ns / 1e3, high: point.high_ns / 1e3,
    processes: point.processes }));
}

// Levels between two change points, in microseconds.
function historyLevels(machine, one) {
  const bounds = [0, ...one.change_points.map((point) => point.commit), machine.commits.length];
  const level = (k) => {
    if (k > 0) return one.change_points[k - 1].after_ns;
    return one.change_points.length ? one.change_points[0].before_ns : null;
  };
  return bounds.slice(1).map((end, k) => ({ from: bounds[k], to: end - 1, level: level(k) / 1e3 }))
    .filter((one) => one.level);
}

async function showHistory(place, name) {
  const machine = data.history[place];
  if (!machine) return;
  const rows = historyChangeRows(machine);
  const changed = changedCases(rows);
  const one = machine.cases.find((each) => each.name === name) ||
    machine.cases.find((each) => each.name === changed[0]) || machine.cases[0];
  choice.history = place;
  choice.historyCase = one.name;
  showHistoryOptions(machine, changed);
  document.getElementById("history-note").textContent = [
    `${machine.name}${machine.hardware === machine.name ? "" : ` (${machine.hardware})`}: ` +
      `${counted(machine.cases.length, "case")} over ${counted(machine.commits.length, "commit")}.`,
    data.history.length > 1 &&
      `Each of the ${data.history.length} machines has series of its own, which are never mixed.`,
    ...machine.environment.map((sentence) => `Changed at ${sentence}.`),
  ].filter(Boolean).join(" ");
  const shown = changed.slice(0, mostHistoryCases);
  const drawn = rows.filter((row) => shown.includes(row.variant));
  const quantities = historyQuantityRows(machine, one);
  const times = historyTimeRows(machine, one);
  await Promise.all([
    showFigure("history-changes", {
      name: "history-changes", title: "Changes of all cases",
      note: "Every difference of a deterministic quantity; change points of times by E-divisive " +
        "(Matteson and James 2014)." + (changed.length > shown.length
        ? ` The ${shown.length} most recently changed of ${changed.length} cases.` : ""),
      columns: historyChangeColumns, rows: drawn,
      empty: drawn.length === 0 && "No case has a change over these commits.",
      chart: (width) => historyChangesChart(machine, shown, drawn, width),
    }),
    showFigure("history-quantities", {
      name: "history-quantities", title: `Deterministic quantities of ${one.name}`,
      note: one.changes.length ? "The quantities that change."
        : "No quantity changes; the main ones are shown.",
      columns: historyQuantityColumns, rows: quantities, empty: quantities.length === 0,
      chart: (width) => historyQuantitiesChart(machine, quantities, width),
    }),
    showFigure("history-times", {
      name: "history-times", title: `Times of ${one.name}`,
      note: "Bars: range of the processes' medians, or quartiles if there is one process. Lines: " +
        "medians between change points.",
      columns: historyTimeColumns, rows: times, empty: times.length === 0,
      chart: (width) => historyTimesChart(machine, one, times, width),
    }),
  ]);
}

function showHistoryOptions(machine, changed) {
  const others = machine.cases.map((one) => one.name).filter((name) => !changed.includes(name));
  const cases = element("select", { onchange: (event) =>
    showHistory(choice.history, event.target.value) },
  ...[["with changes", changed], ["without a change", others]].filter(([, names]) => names.length)
    .map(([label, names]) => element("optgroup", { label }, ...names.map((name) =>
      element("option", { value: name, selected: name === choice.historyCase }, name)))));
  document.getElementById("history-options").replaceChildren(...[
    data.history.length > 1 ? option("Machine", Object.fromEntries(data.history.map((one, k) =>
      [k, one.name])), String(choice.history), (value) => showHistory(Number(value))) : null,
    element("label", {}, "Case", cases)].filter(Boolean));
}

// Scale and axis of the commits, by position. Labels are hashes, as many as fit.
function commitScale(machine, width) {
  return { name: "x", type: "point", padding: 0.5, range: [0, width],
    domain: machine.commits.map((_, position) => position) };
}
function commitAxis(machine, width, more = {}) {
  const most = Math.max(2, Math.floor(width / 66));
  const step = Math.ceil(machine.commits.length / most);
  return { orient: "bottom", scale: "x", title: "commit", labelOverlap: false,
    values: machine.commits.map((_, position) => position)
      .filter((position) => position % step === 0),
    encode: { labels: { update: { text: { signal: "hashes[datum.value]" } } } }, ...more };
}
function hashSignal(machine) {
  return { name: "hashes", value: machine.commits.map(shortHash) };
}
const commitTip = "datum.commit + ', ' + datum.date + (datum.subject ? '\\n' + datum.subject : '')";

function kindSignals() {
  const entries = Object.entries(historyKinds);
  return [
    { name: "hollow", value: Object.fromEntries(entries.map(([kind, one]) =>
      [kind, Boolean(one.hollow)])) },
    { name: "shapes", value: Object.fromEntries(entries.map(([kind, one]) => [kind, one.shape])) },
    { name: "kinds", value: Object.fromEntries(entries.map(([kind, one]) =>
      [kind, one.colour(theme())])) }];
}

function kindItems(rows) {
  return Object.entries(historyKinds).filter(([kind]) => rows.some((row) => row.kind === kind))
    .map(([, one]) => ({ label: one.label, shape: one.shape, hollow: one.hollow,
      colour: one.colour(theme()) }));
}

function historyChangesChart(machine, names, rows, width) {
  const layout = rowLayout(names.map((variant) => ({ variant })), width,
    { step: 24, narrowStep: 38 });
  if (!layout.beside) layout.left = 30;  // half of the first commit's label
  const keys = legend(kindItems(rows), width, layout.left);
  const padding = { left: layout.left, right: 18, top: keys.height + 8, bottom: 50 };
  const size = frame(width, names.length * layout.step, padding);
  const offset = layout.beside ? 0 : 9;
  const labels = variantNames(layout);
  labels.from = { data: "names" };
  return {
    ...size,
    signals: [...size.signals, hashSignal(machine), ...kindSignals()],
    data: [{ name: "names", values: names.map((variant) => ({ variant })) }],
    scales: [commitScale(machine, size.width),
      { name: "row", type: "band", domain: names, range: [0, size.height] }],
    axes: [commitAxis(machine, size.width, { grid: true })],
    marks: [
      labels,
      {
        type: "rule", interactive: false, from: { data: "names" },
        encode: { enter: {
          x: { value: 0 }, x2: { value: size.width },
          y: { scale: "row", field: "variant", band: 1 },
          stroke: { value: theme().grid },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "position", offset: { signal: "9 * datum.place" } },
          y: { scale: "row", field: "variant", band: 0.5, offset },
          shape: { signal: "shapes[datum.kind]" }, size: { value: 60 },
          fill: { signal: `hollow[datum.kind] ? '${theme().page}' : kinds[datum.kind]` },
          stroke: { signal: "kinds[datum.kind]" }, strokeWidth: { value: 1.8 },
          tooltip: { signal: `${commitTip} + '\\n' + datum.kind + ': ' + datum.detail` },
        } },
      },
      ...keys.marks,
    ],
  };
}

const historyLeft = 84;  // space for "1.234 567 M" and the axis title

// A panel per quantity, one below the other, with a common axis of commits.
function historyQuantitiesChart(machine, rows, width) {
  const colours = theme();
  const keys = legend(kindItems(rows), width, historyLeft);
  const names = [...new Set(rows.map((row) => row.quantity))];
  const plot = 62, gap = 36;
  const padding = { left: historyLeft, right: 18, top: keys.height + 26, bottom: 50 };
  const size = frame(width, names.length * (plot + gap) - gap, padding);
  const panel = (name, k) => {
    const own = rows.filter((row) => row.quantity === name);
    const [low, high] = [Math.min(...own.map((row) => row.value)),
      Math.max(...own.map((row) => row.value))];
    const space = (high - low || Math.abs(high) || 1) * 0.15;
    const ticks = low === high ? [low] : [low, high];
    return {
      type: "group",
      encode: { enter: { y: { value: k * (plot + gap) }, width: { value: size.width },
        height: { value: plot } } },
      scales: [{ name: `y${k}`, type: "linear", zero: false, domain: [low - space, high + space],
        range: [plot, 0] }],
      axes: [{ orient: "left", scale: `y${k}`, values: ticks, format: ",d", grid: true }],
      marks: [
        {
          type: "text", interactive: false,
          encode: { enter: {
            x: { value: 0 }, y: { value: -9 }, text: { value: name }, fill: { value: colours.text },
            fontWeight: { value: 600 }, limit: { value: size.width },
          } },
        },
        {
          type: "line", interactive: false, from: { data: `rows${k}` },
          encode: { enter: {
            x: { scale: "x", field: "position" }, y: { scale: `y${k}`, field: "value" },
            interpolate: { value: "step-after" }, stroke: { value: colours.families[0] },
            strokeWidth: { value: 1.6 },
          } },
        },
        {
          type: "symbol", from: { data: `rows${k}` },
          encode: { enter: {
            x: { scale: "x", field: "position" }, y: { scale: `y${k}`, field: "value" },
            shape: { signal: "shapes[datum.kind] || 'circle'" },
            size: { signal: "datum.kind ? 75 : 26" },
            fill: { signal: `kinds[datum.kind] || '${colours.families[0]}'` },
            tooltip: { signal: `${commitTip} + '\\n' + datum.quantity + ': ' + format(datum.value, ',d')` },
          } },
        },
      ],
    };
  };
  return {
    ...size,
    signals: [...size.signals, hashSignal(machine), ...kindSignals()],
    data: names.map((name, k) => ({ name: `rows${k}`,
      values: rows.filter((row) => row.quantity === name) })),
    scales: [commitScale(machine, size.width)],
    axes: [commitAxis(machine, size.width)],
    marks: [...names.map(panel), ...keys.marks],
  };
}

function historyTimesChart(machine, one, rows, width) {
  const colours = theme();
  const keys = legend([
    { label: "typical time", shape: "circle", colour: colours.families[0] },
    ...(one.change_points.length
      ? [{ label: "median between change points", dash: [1, 0], colour: colours.families[1] },
        { label: "change point", dash: [5, 4], colour: colours.text }] : [])], width, historyLeft);
  const padding = { left: historyLeft, right: 18, top: keys.height + 10, bottom: 50 };
  const size = frame(width, Math.min(320, Math.max(220, Math.round(width * 0.3))), padding);
  const low = Math.min(...rows.map((row) => row.low)), high = Math.max(...rows.map((row) => row.high));
  const space = (high - low || high) * 0.08;
  const levels = historyLevels(machine, one);
  const points = one.change_points.map((point) => ({ position: point.commit }));
  const half = "(range('x')[1] - range('x')[0]) / (2 * length(domain('x')))";
  return {
    ...size,
    signals: [...size.signals, hashSignal(machine)],
    data: [{ name: "levels", values: levels }, { name: "changes", values: points }],
    scales: [commitScale(machine, size.width),
      { name: "y", type: "linear", zero: false, nice: true,
        domain: [Math.max(0, low - space), high + space], range: [size.height, 0] }],
    axes: [commitAxis(machine, size.width),
      { orient: "left", scale: "y", tickCount: 6, grid: true, title: "time of a generation, \u00b5s" }],
    marks: [
      {
        type: "rule", interactive: false, from: { data: "changes" },
        encode: { enter: {
          x: { scale: "x", field: "position", offset: { signal: `-${half}` } },
          y: { value: 0 }, y2: { value: size.height }, stroke: { value: colours.text },
          strokeDash: { value: [5, 4] },
        } },
      },
      {
        type: "rule", interactive: false, from: { data: "levels" },
        encode: { enter: {
          x: { scale: "x", field: "from", offset: { signal: `-${half}` } },
          x2: { scale: "x", field: "to", offset: { signal: half } },
          y: { scale: "y", field: "level" }, stroke: { value: colours.families[1] },
          strokeWidth: { value: 2 },
        } },
      },
      {
        type: "rule", interactive: false, from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "position" }, y: { scale: "y", field: "low" },
          y2: { scale: "y", field: "high" }, stroke: { value: colours.families[0] },
          strokeWidth: { value: 1.6 },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "position" }, y: { scale: "y", field: "time" },
          size: { value: 50 }, fill: { value: colours.families[0] },
          tooltip: { signal: `${commitTip} + '\\n' + format(datum.time, '.5~g') + ' \u00b5s'` },
        } },
      },
      ...keys.marks,
    ],
  };
}
