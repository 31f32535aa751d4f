// Runs inside a report: selects every option in turn and returns errors in the drawing.
// `checkedThemes`, `everyDataSet`: see page_test.py.
async (checkedThemes, everyDataSet) => {
  const faults = [];
  const counts = { figures: 0, marks: 0, cells: 0, groups: data.groups.length, saved: 0, roofs: 0 };
  const fault = (where, what) => {
    if (faults.length < 40) faults.push(where + ": " + what);
  };

  const shown = (node) => node.checkVisibility({ visibilityProperty: true });

  function checkText(where, svg) {
    const box = svg.getBoundingClientRect();
    // Axis labels that would overlap others have no opacity.
    const texts = [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent.trim() && text.getAttribute("opacity") !== "0")
      .map((text) => ({ text: text.textContent, rect: text.getBoundingClientRect() }));
    for (const { text } of texts)
      if (/^\d(\.\d+)?e[+-]\d/.test(text)) fault(where, `"${text}" has an exponent`);
    for (const { text, rect } of texts)
      if (rect.left < box.left - 1.5 || rect.right > box.right + 1.5 ||
          rect.top < box.top - 1.5 || rect.bottom > box.bottom + 1.5)
        fault(where, `"${text}" is cut off`);
    // Labels of a chart may touch but not overlap.
    for (let i = 0; i < texts.length; ++i)
      for (let j = i + 1; j < texts.length; ++j) {
        const a = texts[i].rect, b = texts[j].rect;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 4) fault(where, `"${texts[i].text}" covers "${texts[j].text}"`);
      }
  }

  // The table shows the chart's data, cell by cell.
  function checkTable(where, figure) {
    const drawn = figure.view.data("table");
    const rows = [...figure.place.querySelectorAll("details.data tbody tr")];
    if (rows.length !== drawn.length)
      fault(where, `${rows.length} rows in the table, ${drawn.length} in the chart`);
    rows.forEach((row, place) => figure.options.columns.forEach((column, k) => {
      ++counts.cells;
      const expected = cellText(column, drawn[place]);
      if (row.cells[k]?.textContent !== expected)
        fault(where, `row ${place}: "${row.cells[k]?.textContent}" for "${expected}"`);
    }));
    const lines = csv(figure.options.columns, drawn).trimEnd().split("\n");
    if (lines.length !== drawn.length + 1) fault(where, "the CSV has another number of lines");
  }

  async function checkFigures(where, saveToo) {
    for (const [id, figure] of figures) {
      const here = `${where} ${id}`;
      ++counts.figures;
      const svg = figure.box.querySelector("svg");
      if (!svg) {
        fault(here, "nothing is drawn");
        continue;
      }
      const marks = svg.querySelectorAll(
        ".role-mark.mark-rect path, .role-mark.mark-symbol path, .role-mark.mark-line path").length;
      counts.marks += marks;
      const rows = figure.view.data("table").length;
      if (marks < rows) fault(here, `${marks} marks for ${rows} rows`);
      if (/NaN|undefined|null|Infinity/.test(svg.outerHTML)) fault(here, "NaN or null in the SVG");
      checkText(here, svg);
      checkTable(here, figure);
      if (saveToo) await checkSave(here, figure);
    }
  }

  async function checkSave(where, figure) {
    const saved = new Promise((resolve) => {
      const original = save;
      window.save = (name, type, text) => {
        window.save = original;
        resolve({ name, type, text });
      };
    });
    [...figure.place.querySelectorAll("button")].find((one) => one.textContent === "Save SVG")
      .click();
    const { name, text } = await saved;
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    if (parsed.querySelector("parsererror") || !parsed.querySelector("svg path"))
      fault(where, `${name} is no SVG`);
    ++counts.saved;
  }

  function luminance(colour) {
    const parts = colour.match(/[0-9a-f]{2}/gi).map((hex) => parseInt(hex, 16) / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }
  function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  }
  // WCAG 2 contrast: 4.5 for text, 3 for graphics.
  function checkColours(where) {
    const style = getComputedStyle(document.documentElement);
    const token = (name) => style.getPropertyValue("--" + name).trim();
    for (const ground of ["page", "raised"])
      for (const ink of ["text", "soft", "accent"])
        if (contrast(token(ink), token(ground)) < 4.5) fault(where, `${ink} on ${ground} is faint`);
    if (contrast(token("strong-line"), token("page")) < 3) fault(where, "borders are faint");
    const colours = theme();
    if (colours.page !== token("page")) fault(where, "charts have another ground than the page");
    for (const colour of [...colours.families, ...Object.values(colours.verdicts), colours.line])
      if (contrast(colour, colours.page) < 3) fault(where, `${colour} is faint`);
    if (contrast(colours.soft, colours.page) < 4.5) fault(where, "axis labels are faint");
  }

  function checkPage(where) {
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      fault(where, `the page is ${root.scrollWidth} wide in ${root.clientWidth}`);
    for (const box of document.querySelectorAll(".scroll"))
      if (box.tabIndex !== 0) fault(where, "a scrolling table cannot be reached by the keyboard");
    // The menu contains exactly the sections that show something.
    for (const link of document.querySelectorAll("nav a")) {
      const section = document.querySelector(link.getAttribute("href"));
      const full = Boolean(section.querySelector("svg, table, dl, .note:not(:empty), li"));
      if (shown(section) !== full) fault(where, `${section.id} is ${full ? "hidden" : "empty"}`);
      if (shown(link) !== full) fault(where, `the menu is wrong about ${section.id}`);
    }
    if (!document.querySelector("#environment-tables :is(td, dd)")) fault(where, "no environment");
    // Text extends as far to the right as charts.
    const wide = document.querySelector("main").clientWidth;
    for (const text of [...document.querySelectorAll("main p, #findings")].filter(shown))
      if (text.clientWidth < 0.9 * (wide - 48) && !text.closest("details"))
        fault(where, `"${text.textContent.slice(0, 30)}" is ${text.clientWidth} wide in ${wide}`);
    for (const [id, figure] of figures)
      if (["summary-figure", "ranking-figure"].includes(id) && figure.view.data("table").length < 2)
        fault(where, `${id} compares one thing`);
  }

  // The markup of the whole page, with what was drawn last.
  function checkMarkup() {
    for (const node of document.querySelectorAll("[onclick]")) fault("markup", node.outerHTML);
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
    if (new Set(ids).size !== ids.length) fault("markup", "an id occurs twice");
  }

  // Initial state of the page.
  function checkOpening() {
    const most = Math.max(...data.groups.map((group) => group.cases.length));
    const opened = data.groups[choice.group];
    if (!opened) return;
    counts.variants = opened.cases.length;
    if (opened.cases.length !== most) fault("opening", `${opened.title} has not the most variants`);
    const select = document.getElementById("group");
    if (select.value !== String(choice.group)) fault("opening", "the chooser names another data set");
    const title = document.querySelector("#ranking-figure h4")?.textContent;
    if (opened.cases.filter((one) => one.rank).length > 1 && !title?.includes(opened.title))
      fault("opening", `it shows ${title}`);

    const said = [...document.querySelectorAll("#summary li")].filter(shown)
      .map((item) => item.textContent.replaceAll("\u00a0", " "));
    counts.findings = said.length;
    if (said.length > 5 || said.join() !== data.findings.join())
      fault("opening", `it says ${said.length} things`);
    const rest = document.querySelector("#summary-words");
    rest.querySelector("summary").focus();
    if (document.activeElement !== rest.querySelector("summary"))
      fault("opening", "the other sentences cannot be reached by the keyboard");
    rest.querySelector("summary").click();
    if ([...rest.querySelectorAll("li")].filter(shown).length !== data.summary.length)
      fault("opening", "the other sentences do not appear");
    rest.open = false;
  }

  // Data sets of one workload are grouped under its name, larger boards first.
  function checkGroups() {
    const groups = [...document.querySelectorAll("#group optgroup")];
    const names = groups.map((group) => group.label);
    counts.workloads = names.length;
    if (names.join() !== [...new Set(names)].join()) fault("chooser", "a workload stands there twice");
    for (const group of groups) {
      const sets = [...group.children].map((option) => data.groups[Number(option.value)]);
      if (sets.some((one) => (one.workload || "other files") !== group.label))
        fault("chooser", `another workload under ${group.label}`);
      const areas = sets.map((one) => one.columns * one.rows);
      if (areas.some((area, place) => place > 0 && area > areas[place - 1]))
        fault("chooser", `${group.label} is not in the order of its boards`);
      for (const [place, option] of [...group.children].entries())
        if (!option.textContent.includes(counted(sets[place].cases.length, "variant")))
          fault("chooser", `"${option.textContent}" lacks the number of variants`);
    }
    const options = document.querySelectorAll("#group option").length;
    if (options !== data.groups.length) fault("chooser", `${options} data sets`);
  }

  // Every measured bandwidth is drawn as a line within the plot that ends at a marked ridge point.
  // `only`: the level shown, or "all".
  function checkRoofline(where, group, only) {
    const figure = figures.get("roofline-figure");
    if (!figure) {
      if (group.timed && group.cases.some((one) => one.bandwidth)) fault(where, "no roofline");
      return;
    }
    const ceilings = group.ceilings.map((ceiling, level) =>
      only === "all" || data.levels[level] === only ? ceiling : null);
    if (!figure.view.data("labels").length) fault(where, "no point of the roofline is labeled");
    const [x, y] = ["x", "y"].map((name) => figure.view.scale(name).domain());
    const inside = (point) => point.x >= x[0] && point.x <= x[1] && point.y >= y[0] && point.y <= y[1];
    for (const point of figure.view.data("table"))
      if (!inside({ x: point.intensity, y: point.cells })) fault(where, `${point.variant} is outside`);
    const ridges = figure.view.data("ridges");
    if (!ridges.every(inside)) fault(where, "a ridge is outside");
    const lines = figure.view.data("roofs");
    const measured = ceilings.filter(Boolean).length;
    if (ridges.length !== measured) fault(where, `${ridges.length} ridges of ${measured} roofs`);
    ceilings.forEach((ceiling, level) => {
      const ends = lines.filter((one) => one.level === level);
      if (ceiling && !(ends.length === 2 && inside(ends[1]) && ends[0].x < ends[1].x &&
          ends[1].y > y[0] && Math.abs(ends[1].y / ends[1].x * 1e9 / ceiling - 1) < 1e-6))
        fault(where, `the roof of ${data.levels[level]} is not drawn`);
    });
    const flat = lines.filter((one) => one.level === data.levels.length);
    if (flat.length !== 2 || !flat.every(inside)) fault(where, "no flat roof");
    counts.roofs += lines.length / 2;
  }

  // The timeline has a lane for every queue and host with spans, and shows all spans.
  function checkTimeline(where, timeline) {
    const figure = figures.get("timeline-figure");
    const here = `${where} timeline ${timeline.name}`;
    checkText(here, figure.box.querySelector("svg"));
    checkTable(here, figure);
    const used = new Set(timeline.spans.map(([, lane]) => lane));
    const lanes = figure.view.data("lanes").length;
    if (lanes !== used.size) fault(here, `${lanes} lanes of ${used.size}`);
    const drawn = figure.box.querySelectorAll(".mark-rect.role-mark path").length;
    if (drawn < timeline.spans.length) fault(here, `${drawn} of ${timeline.spans.length} spans`);
    if (document.querySelectorAll("#timeline-places tbody tr").length !== timeline.places.length)
      fault(here, "a place is missing");
  }

  // A case over commits: every change is drawn, quantities come first, levels lie within the plot.
  function checkHistory(where, one) {
    for (const id of ["history-changes", "history-quantities", "history-times"]) {
      const figure = figures.get(id);
      if (!figure) continue;
      const svg = figure.box.querySelector("svg");
      checkText(`${where} ${id}`, svg);
      checkTable(`${where} ${id}`, figure);
      const symbols = svg.querySelectorAll(".role-mark.mark-symbol path").length;
      if (symbols < figure.view.data("table").length) fault(where, `${id} lacks points`);
      if (/NaN|undefined|null|Infinity/.test(svg.outerHTML)) fault(where, "NaN or null in the SVG");
    }
    if (figures.has("history-times") !== one.times.length > 0) fault(where, "times are not drawn");
    const levels = figures.get("history-times")?.view.data("levels") ?? [];
    if (one.change_points.length && levels.length !== one.change_points.length + 1)
      fault(where, `${levels.length} levels for ${one.change_points.length} change points`);
    const drawn = new Set((figures.get("history-quantities")?.view.data("table") ?? [])
      .filter((row) => row.kind).map((row) => row.quantity + row.position));
    const changes = new Set(one.changes.map((change) => change.quantity + change.commit));
    if (changes.size <= 6 && drawn.size !== changes.size)
      fault(where, `${drawn.size} of ${changes.size} changes are marked`);
    if (document.querySelector("#history-options select:last-of-type") === null)
      fault(where, "no case can be chosen");
  }

  // Zooms into part of the timeline and filters by name.
  async function checkTimelineOptions() {
    if (!data.timelines.length) return;
    const timeline = data.timelines.at(-1);
    await showTimeline(data.timelines.length - 1);
    const spans = () => figures.get("timeline-figure")?.view.data("table").length ?? 0;
    choice.zoom = 10;
    choice.position = 0.5;
    await drawTimeline();
    const { from, to } = viewOf(timeline);
    if (Math.abs((to - from) * 10 / lengthOf(timeline) - 1) > 1e-9) fault("timeline", "no tenth");
    if (figures.get("timeline-figure")?.view.scale("x").domain().join() !== [from, to].join())
      fault("timeline", "another part is drawn than is chosen");
    if (spans() >= timeline.spans.length) fault("timeline", "a tenth holds everything");
    if (spans()) checkText("a part of the timeline", figures.get("timeline-figure").box.querySelector("svg"));
    choice.zoom = 1;
    const kept = data.span_names[timeline.spans.at(-1)[2]];
    for (const [words, all] of [[kept, 1], ["-" + kept, 0]]) {
      choice.names = words;
      await drawTimeline();
      const rows = figures.get("timeline-figure")?.view.data("table") ?? [];
      if (!rows.every((row) => (row.name === kept) === (all === 1)))
        fault("timeline", `the filter ${words} lets others pass`);
    }
    choice.names = "no such name";
    await drawTimeline();
    if (!document.querySelector("#timeline-figure .note")) fault("timeline", "it is empty");
    choice.names = "";
    await drawTimeline();
  }

  try {
    await ready;
    checkOpening();
    checkGroups();
    checkMarkup();
    for (const name of checkedThemes) {
      await setTheme(name);
      checkColours(name);
      const drawn = new Set();
      for (let place = 0; place < data.groups.length; ++place) {
        // The themes differ in colors only: the dark one draws one data set per workload. What fits into a
        // narrow window depends on names: it draws data sets with the same variants once.
        const { workload, cases } = data.groups[place];
        const look = name === "dark" ? workload : everyDataSet ? place
          : [workload, ...cases.map((one) => one.variant).sort()].join();
        if (drawn.has(look)) continue;
        drawn.add(look);
        await showGroup(place);
        await checkFigures(`${name} ${data.groups[place].title}`, place === 0);
        checkPage(`${name} ${data.groups[place].title}`);
        if (name === "dark") continue;
        checkRoofline(data.groups[place].title, data.groups[place], choice.roofline);
        await showRoofline(data.groups[place], "all");
        checkRoofline(`all levels of ${data.groups[place].title}`, data.groups[place], "all");
        if (figures.has("roofline-figure"))
          checkText("all levels", figures.get("roofline-figure").box.querySelector("svg"));
        for (const view of Object.keys(rankingViews)) {
          if (view === choice.ranking) continue;  // is checked already
          await showRanking(data.groups[place], view);
          const figure = figures.get("ranking-figure");
          if (figure) {
            checkText(view, figure.box.querySelector("svg"));
            checkTable(view, figure);
          }
        }
      }
    }
    const series = sizeSeries();
    for (const one of series) {
      for (const timed of [true, false]) {
        await showSizes(one, true, timed);
        await checkFigures("sizes " + one.title, false);
      }
    }
    counts.series = series.length;
    // Published figures: each has its lines, with a picture and a table.
    counts.published = 0;
    for (const one of data.published.filter((figure) => figure.lines.length)) {
      await showPublished(one);
      const figure = figures.get("published-figure");
      const svg = figure.box.querySelector("svg");
      checkText(one.id, svg);
      checkTable(one.id, figure);
      if (/NaN|undefined|null|Infinity/.test(svg.outerHTML)) fault(one.id, "NaN or null in the SVG");
      const symbols = svg.querySelectorAll(".role-mark.mark-symbol path").length;
      if (symbols < one.lines.reduce((sum, line) => sum + line.points.length, 0))
        fault(one.id, "points are missing");
      ++counts.published;
    }
    const radius = figures.get("radius-figure")?.view.data("table") ?? [];
    counts.radii = new Set(radius.map((row) => row.radius)).size;
    counts.radius_techniques = new Set(radius.map((row) => row.technique)).size;
    if (document.getElementById("radius").hidden !== (radius.length === 0))
      fault("radius", "the section is there without a chart, or the chart without its section");
    for (let place = 0; place < data.scalings.length; ++place) {
      await showScaling(place);
      for (const id of ["scaling-speedup", "scaling-fraction"])
        if (figures.has(id)) {
          checkText(id, figures.get(id).box.querySelector("svg"));
          checkTable(id, figures.get(id));
        }
    }
    if (data.groups.length) await showGroup(data.opening);
    else checkPage("without data sets");
    counts.predicted = data.groups.flatMap((one) => one.cases).filter((one) => one.predicted).length;
    const times = figures.get("predicted-figure")?.view.data("table") ?? [];
    if (document.getElementById("predicted").hidden !== (times.length === 0))
      fault("predicted", "the section is there without times, or times without the section");
    for (const row of times)
      if (Math.abs(row.predicted / row.measured - row.ratio) > 1e-9 || row.low > row.predicted ||
          row.high < row.predicted) fault("predicted", `${row.variant} is inconsistent`);
    counts.timelines = data.timelines.length;
    for (const name of checkedThemes) {
      await setTheme(name);
      for (let place = 0; place < data.timelines.length; ++place) {
        await showTimeline(place);
        checkTimeline(name, data.timelines[place]);
      }
    }
    await checkTimelineOptions();
    counts.histories = data.history.length;
    for (const name of data.history.length ? checkedThemes : []) {
      await setTheme(name);
      for (let place = 0; place < data.history.length; ++place)
        for (const one of data.history[place].cases.slice(0, 8)) {
          await showHistory(place, one.name);
          checkHistory(`${name} ${data.history[place].name} ${one.name}`, one);
          checkPage(`history ${one.name}`);
        }
    }
    checkMarkup();
    await showOverview("all");
    if (figures.has("summary-figure"))
      checkText("overview", figures.get("summary-figure").box.querySelector("svg"));
    // The theme button works and shows its state.
    const before = document.documentElement.dataset.theme;
    document.getElementById("theme").click();
    if (document.documentElement.dataset.theme === before) fault("page", "the theme stays");
  } catch (error) {
    fault("script", error.stack);
  }
  return { faults, counts, width: innerWidth };
}
