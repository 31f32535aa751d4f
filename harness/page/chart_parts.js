// Components shared by the charts' specifications.

// Canvas used only to measure text.
const measure = document.createElement("canvas").getContext("2d");
function textWidth(text, font) {
  measure.font = font;
  return measure.measureText(text).width;
}
const labelFont = "12px " + sansSerif;
const variantFont = "12px " + monospace;

// Legend of {label, colour, shape, dash, hollow} items above the plot, in as many lines as the
// width requires. Returns its height and its marks, positioned relative to the chart's top left
// corner.
function legend(items, width, left) {
  const colours = theme();
  const line = 20;
  let x = 0, y = 0;
  const placed = items.map((item) => {
    const glyph = item.dash && item.shape ? 38 : 22;
    const needs = glyph + textWidth(item.label, labelFont) + 18;
    if (x > 0 && x + needs > width) {
      x = 0;
      y += line;
    }
    const at = { ...item, x: x - left, y, glyph };
    x += needs;
    return at;
  });
  const height = items.length ? y + line + 6 : 0;
  const marks = placed.flatMap((item) => [
    ...(item.dash ? [{
      type: "rule", interactive: false,
      encode: { enter: {
        x: { value: item.x }, x2: { value: item.x + 18 }, y: { signal: `${item.y + 8} - top` },
        stroke: { value: item.colour }, strokeWidth: { value: 2 },
        strokeDash: { value: item.dash },
      } },
    }] : []),
    ...(item.shape || !item.dash ? [{
      type: "symbol", interactive: false,
      encode: { enter: {
        x: { value: item.x + (item.dash ? 28 : 8) }, y: { signal: `${item.y + 8} - top` },
        shape: { value: item.shape || "square" }, size: { value: item.shape ? 70 : 110 },
        fill: { value: item.hollow ? colours.page : item.colour },
        stroke: { value: item.colour }, strokeWidth: { value: item.hollow ? 1.8 : 0 },
      } },
    }] : []),
    {
      type: "text", interactive: false,
      encode: { enter: {
        x: { value: item.x + item.glyph }, y: { signal: `${item.y + 8} - top` },
        baseline: { value: "middle" }, text: { value: item.label },
        fill: { value: colours.text },
      } },
    },
  ]);
  return { height, marks };
}

// Legend items for the families of the rows.
function familyItems(rows) {
  const colours = theme();
  return [...new Set(rows.map((row) => row.family))].sort((a, b) => a - b)
    .map((family) => ({ label: data.families[family], colour: colours.families[family] }));
}

// Size of a chart; `padding.top` is the space above the plot that the legend uses.
function frame(width, plotHeight, padding) {
  return {
    width: Math.max(60, width - padding.left - padding.right), height: plotHeight, padding,
    signals: [{ name: "top", value: padding.top }],
  };
}

const familyColour = { signal: "families[datum.family]" };
function familySignal() {
  return { name: "families", value: theme().families };
}

function ticksFor(width) {
  return Math.max(4, Math.min(10, Math.floor(width / 75)));
}

// Tick values of a logarithmic axis: decades, with intermediate values if decades are far apart or
// few.
function decades(low, high, width) {
  const finest = width > 170 * Math.log10(high / low) ? [[1, 2, 5]] : [[1], [1, 2, 5]];
  let values = [];
  for (const digits of [...finest, [1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    values = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      values.push(...digits.map((digit) => digit * 10 ** power));
    values = values.filter((value) => value >= low * 0.999 && value <= high * 1.001);
    if (values.length > 2) break;
  }
  return values;
}

// Layout of rows of variants: names left of the plot if there is enough space, else above each row.
function rowLayout(rows, width, extra) {
  const longest = Math.max(...rows.map((row) => textWidth(row.variant, variantFont)));
  const beside = width >= 700;
  const left = beside ? Math.min(Math.ceil(longest) + 14, Math.floor(width * 0.46)) : 14;
  return { beside, left, width, step: beside ? extra.step : extra.narrowStep };
}

// Marks for the names. Names above the rows may use the full width of the chart.
function variantNames(layout) {
  const colours = theme();
  return {
    type: "text", from: { data: "table" },
    encode: { enter: {
      x: { value: layout.beside ? -10 : -layout.left + 2 },
      y: layout.beside ? { scale: "row", field: "variant", band: 0.5 }
        : { scale: "row", field: "variant", offset: 11 },
      align: { value: layout.beside ? "right" : "left" }, baseline: { value: "middle" },
      text: { field: "variant" }, font: { value: monospace },
      fontSize: { value: layout.beside ? 12 : 11 },
      limit: { value: layout.beside ? layout.left - 12 : layout.width - 4 },
      fill: { value: colours.text }, tooltip: { field: "variant" },
    } },
  };
}

// Scales and axes of a log-log chart. `x` and `y`: [minimum, maximum]. `formatX`: format of the x
// axis.
function logarithmic(size, x, y, titles, formatX = "~r") {
  const axis = (orient, scale, domain, extent, format) => ({ orient, scale,
    values: decades(...domain, extent), grid: true, labelOverlap: "greedy", format,
    title: titles[scale] });
  return {
    scales: [
      { name: "x", type: "log", domain: x, range: [0, size.width] },
      { name: "y", type: "log", domain: y, range: [size.height, 0] },
    ],
    axes: [axis("bottom", "x", x, size.width, formatX), axis("left", "y", y, size.height, "~r")],
  };
}
