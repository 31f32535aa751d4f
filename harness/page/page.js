// Main script of the page: the selection controls and the figures that depend on them.

const data = JSON.parse(document.getElementById("data").textContent);
data.devices = [...new Set(data.groups.map((group) => group.device))];
// Restores the fields that page_data.cpp omits from cases because of their common values.
for (const one of data.groups.flatMap((group) => group.cases)) {
  one.technique ??= one.variant.split("/")[0];
  if (one.generations === undefined) one.generations = 1;
  if (one.verification === undefined) one.verification = "passed";
}

// Vega finds its transforms in a table that its other modules fill.
for (const part of ["vega-transforms", "vega-view-transforms", "vega-encode"])
  Object.assign(load("vega-dataflow").transforms, load(part));

const choice = { group: 0, ranking: "fastest", roofline: null, relative: true, variants: null,
  overview: "workloads", series: 0, techniques: false, timed: false,
  scaling: 0, timeline: 0, zoom: 1, position: 0, names: "", history: 0,
  historyCase: "" };

// The overview of a page with one workload has all its data sets, if they are few.
if (overviewRows("workloads").length < 2 && overviewRows("all").length <= 20) choice.overview = "all";

function option(label, values, selected, change) {
  const select = element("select", { onchange: (event) => change(event.target.value) },
    ...Object.entries(values).map(([value, text]) =>
      element("option", { value, selected: value === selected }, text)));
  return element("label", {}, label, select);
}

function showSampleOptions(group) {
  const timed = group.cases.filter((one) => one.samples?.length);
  choice.variants = new Set(timed.slice(0, 12).map((one) => one.variant));
  if (group.baseline) choice.variants.add(group.baseline);
  const redraw = () => showSamples(group, choice.variants, choice.relative);
  const boxes = timed.map((one) => element("label", {},
    element("input", {
      type: "checkbox", checked: choice.variants.has(one.variant),
      onchange: (event) => {
        if (event.target.checked) choice.variants.add(one.variant);
        else choice.variants.delete(one.variant);
        redraw();
      },
    }), element("span", { class: "mono" }, one.variant)));
  document.getElementById("samples-options").replaceChildren(
    option("Axis", { relative: "difference from each variant's median", time: "time" },
      choice.relative ? "relative" : "time", (value) => {
        choice.relative = value === "relative";
        redraw();
      }),
    ...(timed.length < 2 ? [] : [element("details", {}, element("summary", {}, "Choose variants"),
      element("div", { class: "choices" }, ...boxes))]));
}

function groupNote(group) {
  const file = data.files[group.file];
  const parts = [`${group.device}, from ${file.name}`];
  if (group.copy) parts.push(`copy bandwidth ${number(group.copy / 1e9, 1)} GB/s`);
  parts.push(counted(group.cases.length, "variant"));
  if (!group.newest) parts.push("a later file has the same data set");
  if (!group.timed) parts.push("run on the CPU by the simt backend, whose times are not a GPU's");
  return parts.join("; ") + ".";
}

// Hides sections without content, and their menu entries.
function updateSections() {
  for (const link of document.querySelectorAll("nav a")) {
    const section = document.querySelector(link.getAttribute("href"));
    section.hidden = !section.querySelector("figure, .scroll, dl, .note:not(:empty), li");
    link.parentElement.hidden = section.hidden;
  }
}

async function showGroup(place) {
  choice.group = place;
  const group = data.groups[place];
  document.getElementById("group").value = String(place);
  document.getElementById("group-note").textContent = groupNote(group);
  // Charts adapt to the width of their section, which must be visible for that.
  for (const section of document.querySelectorAll("#data-set section")) section.hidden = false;
  showSampleOptions(group);
  showRooflineOptions(group);
  await Promise.all([
    showRanking(group, choice.ranking), showRoofline(group, choice.roofline), showCounters(group),
    showPredicted(group),
    showSamples(group, choice.variants, choice.relative), showOverRun(group),
  ]);
  updateSections();
}

function fillGroups() {
  const select = document.getElementById("group");
  const workloads = [...new Set(data.groups.map((group) => group.workload))];
  for (const workload of workloads) {
    const options = data.groups.map((group, place) => [group, place])
      .filter(([group]) => group.workload === workload)
      .map(([group, place]) => element("option", { value: place }, [
        group.title, counted(group.cases.length, "variant"),
        data.devices.length > 1 && group.device,
        data.files[group.file].name + (group.newest ? "" : " (a later file has it)"),
      ].filter(Boolean).join(" \u00b7 ")));
    select.append(element("optgroup", { label: workload || "other files" }, ...options));
  }
  select.addEventListener("change", () => showGroup(Number(select.value)));
  const [only, ...others] = data.groups;
  if (!only || others.length) return;
  document.getElementById("data-set-title").textContent = only.title;
  document.getElementById("data-set-rule").hidden = true;
  select.parentElement.hidden = true;
}

// Offers the levels for which some variant has traffic. Only the first one is selected initially,
// because one level is easier to read than all.
function showRooflineOptions(group) {
  const levels = rooflineLevels(group);
  if (choice.roofline !== "all" && !levels.includes(choice.roofline)) choice.roofline = levels[0];
  const all = Object.fromEntries([...levels, "all"].map((level) => [level, level]));
  document.getElementById("roofline-options").replaceChildren(...(levels.length < 2 ? [] : [
    option("Level", { ...all, all: "all levels" }, choice.roofline, (value) => {
      choice.roofline = value;
      showRoofline(group, value);
    })]));
}

function fillOptions() {
  const workloads = overviewRows("workloads").length;
  if (workloads > 1 && overviewRows("all").length > workloads)
    document.getElementById("summary-options").replaceChildren(
      option("Show", overviewViews, choice.overview, (value) => {
        choice.overview = value;
        showOverview(value);
      }));
  if (data.scalings.length > 1)
    document.getElementById("scaling-options").replaceChildren(
      option("Scaling", Object.fromEntries(data.scalings.map((one, place) =>
        [place, scalingName(one)])), "0", (value) => {
        choice.scaling = Number(value);
        showScaling(choice.scaling);
      }));
  document.getElementById("ranking-options").replaceChildren(
    option("Show", rankingViews, choice.ranking, (value) => {
      choice.ranking = value;
      showRanking(data.groups[choice.group], value);
    }));
  const series = sizeSeries();
  const redraw = () => showSizes(series[choice.series], choice.techniques, choice.timed);
  document.getElementById("sizes-options").replaceChildren(...(series.length ? [
    option("Workload", Object.fromEntries(series.map((one, place) => [place, one.title])), "0",
      (value) => {
        choice.series = Number(value);
        redraw();
      }),
    option("Lines", { families: "best of each family", techniques: "best of each technique" },
      "families", (value) => {
        choice.techniques = value === "techniques";
        redraw();
      }),
    option("Show", { bandwidth: "application bandwidth", time: "time of a generation" },
      "bandwidth", (value) => {
        choice.timed = value === "time";
        redraw();
      })] : []));
  return redraw();
}

function fillPublished() {
  const drawn = data.published.filter((figure) => figure.lines.length);
  showMissingFigures();
  if (!drawn.length) return;
  if (drawn.length > 1)
    document.getElementById("published-options").replaceChildren(
      option("Figure", Object.fromEntries(drawn.map((figure, place) =>
        [place, publishedName(figure)])), "0",
      (value) => showPublished(drawn[Number(value)])));
  return showPublished(drawn[0]);
}

function fillRadius() {
  const series = radiusSeries();
  if (!series.length) return;
  if (series.length > 1)
    document.getElementById("radius-options").replaceChildren(
      option("Workload", Object.fromEntries(series.map((one, place) => [place, one.title])), "0",
        (value) => showRadius(series[Number(value)])));
  return showRadius(series[0]);
}

// Machines and commits of a history.
function showHistoryEnvironment() {
  const pairs = data.history.flatMap((machine) => [
    ["machine", machine.name], ["hardware", machine.hardware],
    ["commits", [machine.commits[0], machine.commits.at(-1)].map((commit) =>
      `${shortHash(commit)} (${commit.time.slice(0, 10)})`).join(" to ")]]);
  document.getElementById("environment-tables").append(element("dl", { class: "facts" },
    ...pairs.flatMap(([label, value]) =>
      [element("dt", {}, label), element("dd", {}, value)])));
}

// Adds a button that saves the data to each table that the page had from the start.
function addSaveButtons() {
  for (const box of document.querySelectorAll("main .scroll")) {
    const name = box.querySelector("caption").textContent.replace(/[^A-Za-z0-9.]+/g, "-");
    const lines = () => [...box.querySelectorAll("tr")].map((row) =>
      [...row.cells].map((cell) => csvField(cell.textContent)).join(",") + "\n");
    box.after(element("div", { class: "actions" }, element("button", {
      type: "button", class: "button",
      onclick: () => save(name.slice(0, 80) + ".csv", "text/csv", lines().join("")),
    }, "Save CSV")));
  }
}

function showTally() {
  const { pairs, equal, tolerated, deviates } = data.counters;
  document.getElementById("counters-tally").textContent = pairs === 0 ? ""
    : `All data sets: ${number(equal)} of ${number(pairs)} predicted counters match exactly, ` +
      `${number(tolerated)} are within the model's tolerance, ${number(deviates)} deviate.`;
}

// Lists content that other files would add, with the commands that write them.
function showMissing() {
  const cases = data.groups.flatMap((group) => group.cases);
  const missing = [
    [cases.some((one) => one.counters?.length), "hardware counters (camber run --counters memory,shared)"],
    [cases.some((one) => one.predicted), "predicted times (camber model --measured FILE --json)"],
    [sizeSeries().length, "several board sizes (camber run --size 64x64..4096x4096)"],
    [data.scalings.length, "a scaling series (camber scale)"],
    [data.timelines.length, "a timeline (camber run --trace, then camber report --trace)"],
    [data.history.length, "earlier commits (camber history add, then camber report --history)"],
  ].filter(([present]) => !present).map(([, what]) => what);
  document.getElementById("missing").textContent = missing.length && data.files.length
    ? `Not in these files: ${missing.join("; ")}.` : "";
}

// ---- theme, width, printing

function applyTheme() {
  const name = themeName();
  document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.setAttribute("aria-pressed", String(name === "dark"));
}

function setTheme(name) {
  chosen.theme = name;
  applyTheme();
  return redrawAll();
}

document.getElementById("theme").addEventListener("click",
  () => setTheme(themeName() === "dark" ? "light" : "dark"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  applyTheme();
  redrawAll();
});
for (const [event, state] of [["beforeprint", true], ["afterprint", false]])
  addEventListener(event, () => {
    printing = state;
    applyTheme();
    redrawAll();
  });
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const figure of figures.values())
      if (figure.box.clientWidth !== figure.width) draw(figure);
  }, 150);
});
document.addEventListener("scroll", tip.hide, { passive: true, capture: true });

// ---- start

applyTheme();
addSaveButtons();
showTally();
fillGroups();
if (!data.files.length) showHistoryEnvironment();
showMissing();
showTimelineOptions();
if (!data.groups.length) document.getElementById("data-set").hidden = true;
const ready = Promise.all([showOverview(choice.overview),
  data.groups.length ? showGroup(data.opening) : null, fillOptions(), fillRadius(), fillPublished(),
  showScaling(choice.scaling), showTimeline(choice.timeline), showHistory(0)]).then(updateSections);
