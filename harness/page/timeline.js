// Timelines recorded by `camber run --trace`: one lane for each queue of each device and for the
// host, spans in the color of their kind, and a dot at each host call that issued an operation.

// Colors in the order of data.span_kinds.
function kindColours() {
  const { families, verdicts, line, soft, text } = theme();
  return [families[0], families[1], families[2], families[4], families[3], families[5],
    verdicts.deviates, text, families[6], soft, line, text];
}

const spanColumns = [
  { key: "lane", label: "lane" },
  { key: "kind", label: "kind" },
  { key: "name", label: "name", mono: true },
  { key: "start", label: "start, \u00b5s", decimals: 3 },
  { key: "duration", label: "duration, \u00b5s", decimals: 3 },
  { key: "issued", label: "call of the host, \u00b5s", decimals: 3 },
  { key: "bytes", label: "bytes", decimals: 0 },
];
const placeColumns = [
  { key: "place", label: "place" },
  { key: "kernels", label: "kernels", decimals: 0 },
  { key: "busy", label: "busy, %", decimals: 1 },
  { key: "kernel", label: "kernels, \u00b5s", decimals: 1 },
  { key: "copy", label: "copies, \u00b5s", decimals: 1 },
  { key: "exposed", label: "exposed, \u00b5s", decimals: 1 },
  { key: "barrier", label: "barriers, \u00b5s", decimals: 1 },
  { key: "wait", label: "host waits, \u00b5s", decimals: 1 },
  { key: "gaps", label: "gaps", decimals: 0 },
  { key: "gap", label: "gaps, \u00b5s", decimals: 1 },
  { key: "longest", label: "longest gap, \u00b5s", decimals: 1 },
  { key: "delay", label: "call to start, \u00b5s", decimals: 1 },
];

// Filter: a name must contain one of the words, and none of those that follow a minus sign.
function passes(name, words) {
  const wanted = words.filter((word) => !word.startsWith("-"));
  const hidden = words.filter((word) => word.length > 1 && word.startsWith("-"));
  return !hidden.some((word) => name.includes(word.slice(1))) &&
    (!wanted.length || wanted.some((word) => name.includes(word)));
}

function spanRows(timeline, view, words) {
  const calls = new Map();
  for (const [, lane, , start, , , correlation] of timeline.spans)
    if (correlation && timeline.lanes[lane].host && !calls.has(correlation))
      calls.set(correlation, start);
  const several = timeline.places.length > 1;
  return timeline.spans.map(([kind, lane, name, start, duration, bytes, correlation]) => {
    const { place, name: laneName, host } = timeline.lanes[lane];
    return {
      lane: several ? `${timeline.places[place].place}, ${laneName}` : laneName, host,
      kind: data.span_kinds[kind], kindNumber: kind, name: data.span_names[name], start: start / 1e3,
      duration: duration / 1e3, end: (start + duration) / 1e3,
      issued: host || !calls.has(correlation) ? null : calls.get(correlation) / 1e3,
      bytes: bytes || null,
    };
  }).filter((row) => row.end >= view.from && row.start <= view.to &&
    passes(row.name.toLowerCase(), words));
}

function lengthOf(timeline) {
  return Math.max(1, ...timeline.spans.map(([, , , start, duration]) => start + duration)) / 1e3;
}

// Visible range of the timeline, in us.
function viewOf(timeline) {
  const length = lengthOf(timeline);
  const width = length / choice.zoom;
  const from = (length - width) * choice.position;
  return { from, to: from + width };
}

function clockText(timeline) {
  if (timeline.residual == null) return "The clocks of host and places were not compared.";
  return timeline.residual === 0 ? "All times are of one clock."
    : `The clocks of host and places agree within ${duration(timeline.residual)}.`;
}

async function showTimeline(place) {
  choice.timeline = place;
  const timeline = data.timelines[place];
  const box = document.getElementById("timeline-places");
  if (!timeline) {
    box.replaceChildren();
    return;
  }
  const us = (ns) => ns == null ? null : ns / 1e3;
  const rows = timeline.places.map((one) => ({
    place: one.place, kernels: one.kernels, busy: 100 * one.busy, kernel: us(one.kernel),
    copy: us(one.copy), exposed: us(one.exposed), barrier: us(one.barrier), wait: us(one.wait),
    gaps: one.gaps, gap: us(one.gap), longest: us(one.longest), delay: us(one.delay),
  }));
  box.replaceChildren(...tableWithCsv("timeline-places", placeColumns, rows,
    "What the timeline says of each place"));
  await drawTimeline();
}

function drawTimeline() {
  const timeline = data.timelines[choice.timeline];
  const view = viewOf(timeline);
  const words = choice.names.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = spanRows(timeline, view, words);
  const imbalance = timeline.imbalance == null || timeline.places.length < 2 ? ""
    : ` The busiest place computes ${number(timeline.imbalance, 3)} times the mean.`;
  return showFigure("timeline-figure", {
    name: `timeline-${choice.timeline + 1}`, title: timeline.name,
    note: "Dots mark the host call that issued the work of a lane. " + clockText(timeline) + imbalance,
    columns: spanColumns, rows, empty: rows.length ? null : "No span matches.",
    chart: (width) => timelineChart(rows, timeline, view, width),
  });
}

function showTimelineOptions() {
  if (!data.timelines.length) return;
  const zooms = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  document.getElementById("timeline-options").replaceChildren(...[
    data.timelines.length < 2 ? null : option("Timeline",
      Object.fromEntries(data.timelines.map((one, place) => [place, one.name])), "0",
      (value) => showTimeline(Number(value))),
    option("Horizontal scale", Object.fromEntries(zooms.map((zoom) => [zoom, zoom + "\u00d7"])),
      "1", (value) => {
        choice.zoom = Number(value);
        drawTimeline();
      }),
    element("label", {}, "Position", element("input", {
      type: "range", min: 0, max: 1, step: 0.001, value: 0, oninput: (event) => {
        choice.position = Number(event.target.value);
        drawTimeline();
      } })),
    element("label", {}, "Names with", element("input", {
      type: "search", placeholder: "halo -cuda", oninput: (event) => {
        choice.names = event.target.value;
        drawTimeline();
      } })),
  ].filter(Boolean));
}

const laneHeight = 34;

function timelineChart(rows, timeline, view, width) {
  const colours = kindColours();
  const lanes = [...new Set(spanRows(timeline, { from: 0, to: Infinity }, [])
    .sort((a, b) => b.host - a.host).map((row) => row.lane))];
  const order = timeline.lanes.map((lane) => timeline.places.length > 1
    ? `${timeline.places[lane.place].place}, ${lane.name}` : lane.name);
  const places = timeline.lanes.map((lane) => lane.place);
  lanes.sort((a, b) => places[order.indexOf(a)] - places[order.indexOf(b)] ||
    timeline.lanes[order.indexOf(b)].host - timeline.lanes[order.indexOf(a)].host);
  const left = Math.min(Math.floor(width * 0.34),
    14 + Math.ceil(Math.max(...lanes.map((lane) => textWidth(lane, labelFont)))));
  const kinds = [...new Set(rows.map((row) => row.kindNumber))].sort((a, b) => a - b);
  const keys = legend(kinds.map((kind) => ({ label: data.span_kinds[kind], colour: colours[kind] })),
    width, left);
  const padding = { left, right: 20, top: keys.height + 6, bottom: 48 };
  const size = frame(width, lanes.length * laneHeight, padding);
  // Ranges are drawn above the calls that they contain.
  const top = (row) => row.kind === "range" ? 3 : row.host ? 12 : 7;
  const height = (row) => row.kind === "range" ? 7 : row.host ? 18 : 22;
  const clipped = (value) => Math.min(view.to, Math.max(view.from, value));
  const spans = rows.map((row) => ({
    lane: row.lane, name: row.name, from: clipped(row.start), to: clipped(row.end), top: top(row),
    height: height(row), colour: colours[row.kindNumber],
    tip: [row.name, `${row.kind}, ${duration(row.duration * 1e3)}`,
      `from ${duration(row.start * 1e3)} on`,
      row.issued == null ? null
        : `${duration((row.start - row.issued) * 1e3)} after the host's call`,
      row.bytes == null ? null : `${grouped(String(row.bytes))} bytes`].filter(Boolean).join("\n"),
  }));
  // Spans that are long enough show their names.
  const named = spans.filter((span) => span.height > 10 &&
    (span.to - span.from) / (view.to - view.from) * size.width > textWidth(span.name, labelFont) + 6);
  const dots = rows.filter((row) => row.issued != null && row.issued >= view.from &&
    row.issued <= view.to).map((row) => ({ lane: row.lane, x: row.issued }));
  const lane = (offset) => ({ scale: "lane", field: "lane", offset });
  return {
    ...size,
    data: [{ name: "spans", values: spans }, { name: "dots", values: dots }, { name: "named", values: named },
      { name: "lanes", values: lanes.map((name) => ({ lane: name })) }],
    scales: [
      { name: "x", type: "linear", domain: [view.from, view.to], range: [0, size.width],
        zero: false },
      { name: "lane", type: "band", domain: lanes, range: [0, size.height] },
    ],
    axes: [{ orient: "bottom", scale: "x", tickCount: ticksFor(size.width), grid: true,
      labelOverlap: "greedy", labelFlush: 25, labelBound: true, title: "time, \u00b5s" }],
    marks: [
      {
        type: "rule", from: { data: "lanes" }, interactive: false,
        encode: { enter: {
          x: { value: 0 }, x2: { value: size.width }, y: lane(0),
          stroke: { value: theme().grid },
        } },
      },
      {
        type: "text", from: { data: "lanes" },
        encode: { enter: {
          x: { value: -8 }, y: { scale: "lane", field: "lane", band: 0.5 },
          align: { value: "right" }, baseline: { value: "middle" }, text: { field: "lane" },
          limit: { value: left - 12 }, tooltip: { field: "lane" },
        } },
      },
      {
        type: "rect", name: "pieces", from: { data: "spans" },
        encode: { enter: {
          x: { scale: "x", field: "from" },
          width: { signal: "max(1, scale('x', datum.to) - scale('x', datum.from))" },
          y: lane({ field: "top" }), height: { field: "height" }, fill: { field: "colour" },
          stroke: { value: theme().page }, strokeWidth: { value: 0.4 },
          tooltip: { field: "tip" },
        } },
      },
      {
        type: "text", from: { data: "named" }, interactive: false,
        encode: { enter: {
          x: { signal: "(scale('x', datum.from) + scale('x', datum.to)) / 2" },
          y: lane({ signal: "datum.top + datum.height / 2" }), align: { value: "center" },
          baseline: { value: "middle" }, text: { field: "name" }, fontSize: { value: 11 },
          fill: { value: theme().page },
        } },
      },
      {
        type: "symbol", name: "calls", from: { data: "dots" }, interactive: false,
        encode: { enter: {
          x: { scale: "x", field: "x" }, y: lane(4), size: { value: 10 },
          fill: { value: theme().text },
        } },
      },
      ...keys.marks,
    ],
  };
}
