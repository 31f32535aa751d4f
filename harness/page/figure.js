// A figure: a chart with its caption, its data as a table, and buttons to save both. Every chart
// draws the rows of its table.

const figures = new Map();  // by the id of the containing element

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// ---- numbers

const thinSpace = "\u202f";

function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, thinSpace);
}

// Formats a number with `decimals` digits; thousands are separated if there are five or more
// digits.
function number(value, decimals = 0) {
  if (value == null || !isFinite(value)) return "\u2013";
  const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
  const shown = (whole.length > 4 ? grouped(whole) : whole) + (part ? "." + part : "");
  const zero = !/[1-9]/.test(shown);
  return (value < 0 && !zero ? "\u2212" : "") + shown;
}

// Formats a number with that many significant digits, without an exponent.
function significant(value, digits = 4) {
  if (value == null || !isFinite(value)) return "\u2013";
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return number(value, Math.max(0, digits - 1 - magnitude));
}

// Formats a time in ns with a suitable unit.
function duration(ns) {
  if (ns == null) return "\u2013";
  for (const [limit, scale, unit] of [[1e3, 1, "ns"], [1e6, 1e3, "\u00b5s"], [1e9, 1e6, "ms"]])
    if (Math.abs(ns) < limit) return significant(ns / scale, 4) + " " + unit;
  return significant(ns / 1e9, 4) + " s";
}

function counted(count, thing) {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

// Prevents a line break between a number and its percent sign.
function unbroken(text) {
  return text.replaceAll(" %", "\u00a0%");
}

// ---- tables: columns are {key, label, decimals} for numbers, {key, label, mono} for text

function cellText(column, row) {
  const value = row[column.key];
  if (column.significant) return significant(value, column.significant);
  if (column.decimals != null) return number(value, column.decimals);
  return value == null ? "" : String(value);
}

function isNumber(column) {
  return column.decimals != null || column.significant != null;
}

function table(columns, rows, caption) {
  const head = element("tr", {}, ...columns.map((column) =>
    element("th", { scope: "col", class: isNumber(column) ? "number" : "" }, column.label)));
  const body = rows.map((row) => element("tr", {}, ...columns.map((column, place) =>
    element(place === 0 ? "th" : "td", {
      scope: place === 0 ? "row" : null,
      class: [isNumber(column) && "number", column.mono && "mono"]
        .filter(Boolean).join(" "),
    }, cellText(column, row)))));
  const node = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  // Scrollable boxes must be accessible by keyboard.
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    node);
}

function csvField(value) {
  const text = value == null ? "" : String(value);
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function csv(columns, rows) {
  return [columns.map((column) => csvField(column.label)),
    ...rows.map((row) => columns.map((column) => csvField(row[column.key])))]
    .map((cells) => cells.join(",")).join("\n") + "\n";
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function tableWithCsv(name, columns, rows, caption) {
  return [
    table(columns, rows, caption),
    element("div", { class: "actions" }, element("button", {
      type: "button", class: "button",
      onclick: () => save(name + ".csv", "text/csv", csv(columns, rows)),
    }, "Save CSV")),
  ];
}

// ---- charts

const tip = {
  show(event, text) {
    const box = document.getElementById("tip");
    box.textContent = text;
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const x = Math.min(event.clientX + 14, innerWidth - width - 8);
    const below = event.clientY + 16;
    box.style.left = Math.max(8, x) + "px";
    box.style.top = (below + height > innerHeight ? event.clientY - height - 10 : below) + "px";
  },
  hide() {
    document.getElementById("tip").hidden = true;
  },
};

// Tag of a heading below that of the section that contains `node`.
function headingBelow(node) {
  const heading = node.closest("section").querySelector("h2, h3");
  return "h" + (Number(heading.tagName[1]) + 1);
}

// Replaces the content of the element `id` by a figure.
//   {name, title, note, columns, rows, chart(width) -> Vega specification,
//    empty: true for no figure, or a sentence that replaces it}
// The rows are the specification's data set "table".
async function showFigure(id, options) {
  const place = document.getElementById(id);
  const detailsOpen = place.querySelector("details.data")?.open;
  figures.get(id)?.view?.finalize();
  if (options.empty) {
    figures.delete(id);
    place.replaceChildren(
      ...(options.empty === true ? [] : [element("p", { class: "note" }, options.empty)]));
    return;
  }
  const { name, title, note, columns, rows } = options;
  const box = element("div", { class: "chart" });
  const figure = { options, box, place, view: null };
  place.replaceChildren(element("figure", {},
    element("figcaption", {}, title ? element(headingBelow(place), {}, title) : null,
      note ? element("p", {}, unbroken(note)) : null),
    box,
    element("div", { class: "actions" },
      element("button", { type: "button", class: "button", onclick: () => saveSvg(figure) },
        "Save SVG"),
      element("button", {
        type: "button", class: "button",
        onclick: () => save(name + ".csv", "text/csv", csv(columns, rows)),
      }, "Save CSV")),
    element("details", { class: "data", open: detailsOpen },
      element("summary", {}, `Data table (${counted(rows.length, "row")})`),
      table(columns, rows, "Data of the chart: " + (title || name)))));
  figures.set(id, figure);
  await draw(figure);
}

// All charts are equally wide. A measurement lays the page out, so charts that are drawn together share one.
let chartWidth = 0;
function measuredWidth(figure) {
  if (!chartWidth) {
    chartWidth = figure.box.clientWidth || figure.place.clientWidth;
    setTimeout(() => { chartWidth = 0; });
  }
  return chartWidth;
}

async function draw(figure) {
  const { options, box } = figure;
  figure.view?.finalize();
  const width = Math.max(280, Math.floor(measuredWidth(figure)));
  figure.width = width;
  const spec = options.chart(width);
  spec.autosize = { type: "none" };
  // The chart is one picture with a description; its table has the values.
  for (const part of [...(spec.marks || []), ...(spec.axes || [])]) part.aria = false;
  spec.description = [options.title, options.note].filter(Boolean).join(". ");
  spec.data = [{ name: "table", values: options.rows.map((row) => ({ ...row })) },
    ...(spec.data || [])];
  const { parse } = load("vega-parser");
  const { View } = load("vega-view");
  box.replaceChildren();
  figure.view = new View(parse(spec, chartConfig()), {
    renderer: "svg", container: box, hover: true, logLevel: 1,
  });
  figure.view.tooltip((handler, event, item, value) => {
    if (value) tip.show(event, value);
    else tip.hide();
  });
  await figure.view.runAsync();
}

async function svgOf(figure) {
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + await figure.view.toSVG();
}

async function saveSvg(figure) {
  save(figure.options.name + ".svg", "image/svg+xml", await svgOf(figure));
}

function redrawAll() {
  return Promise.all([...figures.values()].map(draw));
}
