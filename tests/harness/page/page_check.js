// Runs inside a report: goes through everything that can be chosen and reports what is wrong with
// what is drawn, to the window around it.
(async () => {
  const faults = [];
  const counts = { figures: 0, marks: 0, cells: 0, groups: data.groups.length, saved: 0 };
  const fault = (where, what) => {
    if (faults.length < 40) faults.push(where + ": " + what);
  };

  function checkText(where, svg) {
    const box = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim())
      .map((text) => ({ text: text.textContent, rect: text.getBoundingClientRect() }));
    for (const { text, rect } of texts)
      if (rect.left < box.left - 1.5 || rect.right > box.right + 1.5 ||
          rect.top < box.top - 1.5 || rect.bottom > box.bottom + 1.5)
        fault(where, `"${text}" is cut off`);
    // Labels of a chart may touch, but not cover each other.
    for (let i = 0; i < texts.length; ++i)
      for (let j = i + 1; j < texts.length; ++j) {
        const a = texts[i].rect, b = texts[j].rect;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 4) fault(where, `"${texts[i].text}" covers "${texts[j].text}"`);
      }
  }

  // The table shows the data that the chart was drawn from, cell by cell.
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
  // WCAG 2: 4.5 for text, 3 for what charts are made of.
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
    for (const node of document.querySelectorAll("[onclick]")) fault(where, node.outerHTML);
    for (const id of ["ranking", "roofline", "counters", "samples", "sizes", "summary"])
      if (!document.querySelector(`#${id}-figure svg, #${id}-figure .note`))
        fault(where, `${id} is empty`);
    if (!document.querySelector("#environment-tables td")) fault(where, "no environment");
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
    if (new Set(ids).size !== ids.length) fault(where, "an id occurs twice");
  }

  try {
    await ready;
    for (const name of ["light", "dark"]) {
      await setTheme(name);
      checkColours(name);
      for (let place = 0; place < data.groups.length; ++place) {
        await showGroup(place);
        await checkFigures(`${name} ${data.groups[place].title}`, place === 0);
        checkPage(`${name} ${data.groups[place].title}`);
        if (name === "dark") continue;
        for (const view of Object.keys(rankingViews)) {
          await showRanking(data.groups[place], view);
          const figure = figures.get("ranking-figure");
          if (figure) {
            checkText(view, figure.box.querySelector("svg"));
            checkTable(view, figure);
          }
        }
        await showRanking(data.groups[place], "fastest");
      }
    }
    const series = sizeSeries();
    for (const one of series) {
      await showSizes(one, true);
      await checkFigures("sizes " + one.title, false);
    }
    counts.series = series.length;
    // The theme's button works and says so.
    const before = document.documentElement.dataset.theme;
    document.getElementById("theme").click();
    if (document.documentElement.dataset.theme === before) fault("page", "the theme stays");
  } catch (error) {
    fault("script", error.stack);
  }
  parent.postMessage(JSON.stringify({ faults, counts, width: innerWidth,
    text: document.body.innerText.length, titles: data.groups.map((group) => group.title) }), "*");
})();
