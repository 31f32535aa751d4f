// Chart colors of both themes: those of Okabe and Ito (2008), darkened on white and lightened on
// dark for a contrast of at least 3 : 1. The order is that of the technique families; a technique
// has its family's color in every chart.
const themes = {
  light: {
    page: "#ffffff", text: "#1b2430", soft: "#4c5866", grid: "#e3e7eb", line: "#7c8896",
    families: ["#0072b2", "#c75000", "#8a6d00", "#008060", "#a8388a", "#5b4bb8", "#5d6672"],
    verdicts: { equal: "#0072b2", tolerated: "#8a6d00", deviates: "#c7352a" },
  },
  dark: {
    page: "#12171d", text: "#e8edf2", soft: "#aab5c1", grid: "#2a333d", line: "#7f8c9a",
    families: ["#56b4e9", "#ff9248", "#e3c14a", "#35c79b", "#f08fd0", "#a99cf5", "#b4bec9"],
    verdicts: { equal: "#56b4e9", tolerated: "#e3c14a", deviates: "#ff7b6e" },
  },
};

let printing = false;
const chosen = { theme: null };  // null: follow the system

function themeName() {
  if (printing) return "light";
  if (chosen.theme) return chosen.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function theme() {
  return themes[themeName()];
}

// Configuration shared by all charts.
function chartConfig() {
  const colours = theme();
  const font = sansSerif;
  return {
    background: colours.page,
    axis: {
      domainColor: colours.line, tickColor: colours.line, gridColor: colours.grid,
      labelColor: colours.soft, titleColor: colours.text, labelFont: font, titleFont: font,
      labelFontSize: 12, titleFontSize: 12.5, titleFontWeight: 600, titlePadding: 8,
    },
    text: { font, fontSize: 12, fill: colours.text },
    style: { cell: { stroke: null } },
  };
}
const sansSerif =
  'system-ui, -apple-system, "Segoe UI", Roboto, Arial, "Liberation Sans", sans-serif';
const monospace = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';
