// Scaling of variants measured by `camber scale`: speedup with the fit of Amdahl's law, and the
// serial fraction (Karp and Flatt 1990).

const unitNames = { sm: "SMs", thread: "threads", gpu: "GPUs", rank: "ranks" };
function unitsOf(scaling) {
  return unitNames[scaling.unit] || scaling.unit;
}

// Label of p, which may count units of several SMs.
function labelOfP(scaling) {
  return scaling.unit_size > 1 ? `p, units of ${scaling.unit_size} ${unitsOf(scaling)}`
    : `p, ${unitsOf(scaling)}`;
}

function scalingColumns(scaling) {
  return [
    { key: "p", label: labelOfP(scaling), significant: 3 },
    { key: "n", label: "samples", decimals: 0 },
    { key: "time", label: "median time, \u00b5s", significant: 5 },
    { key: "sigma", label: "standard error, \u00b5s", significant: 3 },
    { key: "speedup", label: "speedup S", significant: 4 },
    { key: "efficiency", label: "efficiency E", significant: 3 },
    { key: "karp", label: "serial fraction e", significant: 3 },
    { key: "karpSigma", label: "its standard error", significant: 2 },
    { key: "fitted", label: "S of the fit", significant: 4 },
    { key: "copy", label: "of copy, %", decimals: 1 },
  ];
}

// Fitted laws as functions of p: Amdahl's T(p)/T(1) = a + b / p, the same with overhead, a + b / p
// + c (p - 1), and Gustafson's S = p - s (p - 1).
function scalingLaws(scaling) {
  const laws = [];
  const { amdahl, three_term: overhead } = scaling.fits || {};
  if (amdahl?.a != null)
    laws.push({ name: "Amdahl", at: (p) => 1 / (amdahl.a + amdahl.b / p) });
  if (overhead?.c != null)
    laws.push({ name: "with overhead",
      at: (p) => 1 / (overhead.a + overhead.b / p + overhead.c * (p - 1)) });
  const share = scaling.gustafson?.serial_share;
  if (share != null) laws.push({ name: "Gustafson", at: (p) => p - share * (p - 1) });
  return laws;
}

function scalingRows(scaling) {
  const law = scalingLaws(scaling)[0];
  return scaling.points.map((point) => ({
    p: point.p, n: point.n, time: point.median_ns == null ? null : point.median_ns / 1e3,
    sigma: point.sigma_ns == null ? null : point.sigma_ns / 1e3,
    speedup: point.speedup ?? point.scaled_speedup ?? null,
    efficiency: point.efficiency ?? point.weak_efficiency ?? null,
    karp: point.karp_flatt ?? null,
    karpSigma: point.karp_flatt == null ? null : point.karp_flatt_sigma ?? null,
    fitted: point.amdahl_speedup ?? law?.at(point.p) ?? null,
    copy: point.share_of_copy == null ? null : point.share_of_copy * 100,
  })).sort((a, b) => a.p - b.p);
}

function scalingName(scaling) {
  return `${scaling.variant}, ${scaling.mode} scaling over ${unitsOf(scaling)}`;
}

async function showScaling(place) {
  const box = document.getElementById("scaling-figures");
  const scaling = data.scalings[place];
  if (!scaling) {
    box.replaceChildren();
    return;
  }
  box.replaceChildren(...[
    element("h3", {}, scalingName(scaling)),
    scaling.reading ? element("p", {}, scaling.reading) : null,
    element("p", { class: "note" }, [
      `${scaling.machine || data.files[scaling.file].device}, from ` +
        `${data.files[scaling.file].name}.`,
      scaling.verdict && `Verdict: ${scaling.verdict.replaceAll("_", " ")}.`, fitText(scaling),
      ...(scaling.notes || [])].filter(Boolean).join(" ")),
    element("div", { id: "scaling-speedup" }), element("div", { id: "scaling-fraction" })].filter(Boolean));
  const rows = scalingRows(scaling);
  const columns = scalingColumns(scaling);
  const speedups = rows.filter((row) => row.speedup != null);
  const fractions = rows.filter((row) => row.karp != null);
  await Promise.all([
    showFigure("scaling-speedup", {
      name: `speedup-${place + 1}`,
      title: scaling.mode === "weak" ? "Scaled speedup S(p)" : "Speedup S(p)",
      note: "Dashed: ideal, S = p. Solid: fitted laws.",
      columns, rows: speedups, empty: speedups.length === 0,
      chart: (width) => speedupChart(speedups, scaling, width),
    }),
    showFigure("scaling-fraction", {
      name: `serial-fraction-${place + 1}`, title: "Serial fraction e(p) after Karp and Flatt",
      note: "Bars: one standard error. A constant e means a serial part; a rising e means " +
        "overhead that grows with p.",
      columns, rows: fractions,
      empty: fractions.length === 0,
      chart: (width) => fractionChart(fractions, scaling, width),
    }),
  ]);
}

function fitText(scaling) {
  const amdahl = scaling.fits?.amdahl;
  if (amdahl?.a == null) return "";
  const residual = amdahl.max_abs_residual == null ? ""
    : `, largest residual ${significant(amdahl.max_abs_residual, 3)}`;
  return `Amdahl's fit T(p) / T(1) = a + b / p: a = ${significant(amdahl.a, 3)}, b = ` +
    `${significant(amdahl.b, 3)}${residual}.`;
}

const scalingLeft = 80;  // space for "0.00010" and the axis title

function scalingFrame(width, keys) {
  const padding = { left: scalingLeft, right: 18, top: keys.height + 10, bottom: 50 };
  return frame(width, Math.min(340, Math.max(260, Math.round(width * 0.36))), padding);
}

function speedupChart(rows, scaling, width) {
  const colours = theme();
  const most = Math.max(...rows.map((row) => row.p)) * 1.04;
  const curves = scalingLaws(scaling).map((law, place) => ({
    ...law, colour: colours.families[1 + place], dash: place ? [7, 3] : [1, 0],
    points: Array.from({ length: 101 }, (_, k) => 1 + (most - 1) * k / 100)
      .map((p) => ({ p, speedup: law.at(p) })),
  }));
  const keys = legend([
    { label: "measured", colour: colours.families[0], shape: "circle" },
    ...curves.map((law) => ({ label: law.name + ", fitted", colour: law.colour, dash: law.dash })),
    { label: "ideal", colour: colours.text, dash: [5, 4] }], width, scalingLeft);
  const size = scalingFrame(width, keys);
  const line = (name, stroke, dash) => ({
    type: "line", interactive: false, from: { data: name },
    encode: { enter: {
      x: { scale: "x", field: "p" }, y: { scale: "y", field: "speedup" }, stroke: { value: stroke },
      strokeWidth: { value: 1.8 }, strokeDash: { value: dash },
    } },
  });
  return {
    ...size,
    data: [{ name: "ideal", values: [{ p: 0, speedup: 0 }, { p: most, speedup: most }] },
      ...curves.map((law) => ({ name: law.name, values: law.points }))],
    scales: [
      { name: "x", type: "linear", domain: [0, most], range: [0, size.width] },
      { name: "y", type: "linear", range: [size.height, 0],
        domain: [0, Math.max(most, ...rows.map((row) => row.speedup))] },
    ],
    axes: [
      { orient: "bottom", scale: "x", tickCount: ticksFor(size.width), grid: true,
        tickMinStep: 1, title: labelOfP(scaling) },
      { orient: "left", scale: "y", tickCount: 6, grid: true, title: "speedup S" },
    ],
    marks: [
      line("ideal", colours.text, [5, 4]),
      ...curves.map((law) => line(law.name, law.colour, law.dash)),
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "p" }, y: { scale: "y", field: "speedup" },
          size: { value: 60 }, fill: { value: colours.families[0] },
          tooltip: { signal: "'p = ' + datum.p + ': S = ' + format(datum.speedup, '.4~g')" },
        } },
      },
      ...keys.marks,
    ],
  };
}

function fractionChart(rows, scaling, width) {
  const colours = theme();
  const size = scalingFrame(width, { height: 0 });
  const low = rows.map((row) => row.karp - (row.karpSigma || 0));
  const high = rows.map((row) => row.karp + (row.karpSigma || 0));
  const most = Math.max(...rows.map((row) => row.p)) * 1.04;
  return {
    ...size,
    scales: [
      { name: "x", type: "linear", domain: [0, most], range: [0, size.width] },
      { name: "y", type: "linear", domain: [Math.min(0, ...low), Math.max(0, ...high) * 1.08 || 1],
        range: [size.height, 0], nice: true },
    ],
    axes: [
      { orient: "bottom", scale: "x", tickCount: ticksFor(size.width), grid: true,
        tickMinStep: 1, title: labelOfP(scaling) },
      { orient: "left", scale: "y", tickCount: 6, grid: true, title: "serial fraction e" },
    ],
    marks: [
      {
        type: "rule", from: { data: "table" }, interactive: false,
        encode: { enter: {
          x: { scale: "x", field: "p" },
          y: { scale: "y", signal: "datum.karp - (datum.karpSigma || 0)" },
          y2: { scale: "y", signal: "datum.karp + (datum.karpSigma || 0)" },
          stroke: { value: colours.families[0] }, strokeWidth: { value: 1.6 },
        } },
      },
      {
        type: "symbol", name: "points", from: { data: "table" },
        encode: { enter: {
          x: { scale: "x", field: "p" }, y: { scale: "y", field: "karp" }, size: { value: 60 },
          fill: { value: colours.families[0] },
          tooltip: { signal: "'p = ' + datum.p + ': e = ' + format(datum.karp, '.3~g')" },
        } },
      },
    ],
  };
}
