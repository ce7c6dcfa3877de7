// An icon for each panel that one chooses: its marks, in a square of 24, as a path of lines.

/** @type {Record<string, string>} */
export const PANEL_ICONS = {
  alpha: "M3 14h6v6H3zM12 14h6v6h-6zM3 5h6v6H3z",
  own: "M2 8h6v8H2zM9 8h6v8H9zM16 8h6v8h-6z",
  margins: "M2 20h20M5 20v-5M9 20v-9M13 20V4M17 20v-8M21 20v-3",
  code: "M3 5h11M7 10h13M7 15h9M3 20h8",
  bound: "M3 4h18M3 21h5v-4h5v-5h4V9h4",
  readings: "M2 20h20M3 16q6-10 18-12M3 12q8 4 18-1",
  primal: "M5 21L19 3M12 12l8 6M15 18h5v-5",
  validity: "M2 14h20M5 14V4M10 14V8M15 14v-3M20 14v6",
  derivation: "M12 3v5l-6 5v8M12 8l6 5v8",
  gram: "M3 3h18v18H3zM3 9h18M3 15h18M9 3v18M15 3v18",
  lift: "M12 3l8 4v10l-8 4-8-4V7l8 4 8-4M12 11v10",
  remembered: "M12 2v20M12 6h8M12 12H4M12 18h5",
  sequence: "M2 12h20M5 8v8M11 8v8M17 8v8M14 5v3M20 5v3",
  norm: "M3 3v18h18M5 18Q9 8 21 5",
  proof: "M3 21L21 4M3 15Q8 7 21 7",
  curve: "M3 3v18h18M6 6q4 12 8 11t7-8",
  similar: "M12 11v2M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20",
  lines: "M8 22L16 2M3 18l2-5M6.5 9l2-5M15.5 20l2-5M19 11l2-5",
  unhatched: "M3 3h18v18H3zM9 15l6-6",
  normed: "M2 20h13M4 20v-5M8 20V7M12 20v-9M18 3v18M22 3v18",
};
