import js from "@eslint/js";
import globals from "globals";
import plain, { unread } from "./scripts/plain_code.js";

const WEB = "kpviz/player/web";
// From which rooms of the player a room imports besides itself.
const ROOMS = {
  run: [],
  paint: [],
  board: ["modes", "paint", "run"],
  panels: ["board", "paint", "run"],
  paper: ["board", "paint", "panels", "run"],
  point: ["board", "modes", "paint", "page", "panels", "run"],
  modes: ["board", "page", "paint", "panels", "run", "service"],
  service: ["board", "run"],
  page: ["board", "modes", "paint", "panels", "point", "run", "service"],
  alone: ["board", "modes", "page", "run", "service"],
};
// A path that leads up, unless it stays in the room (as from page/dock to page) or goes to a room
// that it may know.
const elsewhere = (known) =>
  `^(?:\\.\\./)+(?!\\.\\./|[\\w.]+$|(?:${known.join("|") || "-"})/)|^[^.]`;
const rooms = Object.entries(ROOMS).map(([room, known]) => ({
  files: [`${WEB}/${room}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: elsewhere(known),
            message: "Not from this room.",
          },
        ],
      },
    ],
  },
}));

// What only one file may use, since browsers refuse it, or since the page sends nothing anywhere
// else.
const NETWORK = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts"];
const STORAGE = ["sessionStorage", "localStorage", "indexedDB"];
const PAGE = [
  "document",
  "window",
  "navigator",
  "location",
  "getComputedStyle",
  "requestAnimationFrame",
];
const HTML = ["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property }));
const ADDRESS = ["replaceState", "pushState"].map((property) => ({ property }));
const KERNELS = ["exp", "expm1", "tanh"].map((property) => ({ object: "Math", property }));
const POWERS = ["pow", "cosh", "sinh", "hypot", "log", "log1p", "log2", "log10"].map(
  (property) => ({
    object: "Math",
    property,
  }),
);
const OTHERS = [
  { object: "document", property: "write" },
  { object: "document", property: "cookie" },
  { object: "navigator", property: "sendBeacon" },
];
const may = (files, { globals: names, properties }) => ({
  files: files.map((file) => `${WEB}/${file}`),
  rules: {
    ...(names && { "no-restricted-globals": ["error", ...names] }),
    ...(properties && { "no-restricted-properties": ["error", ...OTHERS, ...properties] }),
  },
});

const LOADING = ["fetch", "XMLHttpRequest"];
const COLOURS = {
  selector: "Literal[value=/^#[0-9a-fA-F]{3,8}$/]",
  message: "Colours are written in kpviz/tokens.py only.",
};

// A sentence, a template, an expression and the path of an icon are one string, which prettier
// does not break: apart they would be found by nobody who looks for what is on the screen.
const LENGTH = {
  code: 100,
  ignoreUrls: true,
  ignoreStrings: true,
  ignoreTemplateLiterals: true,
  ignoreRegExpLiterals: true,
};

export default [
  { ignores: [".venv/", "build/", "tests/browser/axe/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { plain },
    rules: {
      "arrow-body-style": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-coercion": ["error", { allow: ["!!"] }],
      "no-restricted-syntax": [
        "error",
        COLOURS,
        { selector: "ImportExpression", message: "Nothing is loaded later." },
        {
          selector: "AssignmentExpression[left.object.name='location']",
          message: "service/link.js writes the address.",
        },
      ],
      "max-len": ["error", LENGTH],
      "no-eval": "error",
      "no-new-func": "error",
      "no-sequences": "error",
      "no-unused-vars": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "one-var": ["error", { initialized: "never" }],
      "plain/comments": "error",
      "plain/names": "error",
      "plain/parallel": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: [`${WEB}/**`], rules: { "plain/types": "error" } },
  { files: ["**/*.d.ts"], languageOptions: { parser: unread } },
  {
    // The panels that are on are the `shown` of the board's state, and of the layouts that read it.
    files: [
      `${WEB}/board/{player,shown_panels,state,desk_layout,narrow_layout,projector_layout}.js`,
    ],
    rules: { "plain/names": ["error", { except: ["shown"] }] },
  },
  {
    // What lies beside the board is a member of a mode.
    files: [`${WEB}/modes/lesson.js`],
    rules: { "plain/names": ["error", { except: ["beside"] }] },
  },
  ...rooms,
  may(["**"], { globals: [...NETWORK, ...STORAGE], properties: [...HTML, ...ADDRESS, ...KERNELS] }),
  may(["{run,board,panels}/**"], { globals: [...NETWORK, ...STORAGE, ...PAGE] }),
  // The texts of the panels must be measured somewhere.
  may(["paint/measure.js"], { globals: [...NETWORK, ...STORAGE] }),
  may(["service/socket.js"], {
    globals: [...NETWORK.filter((name) => name !== "WebSocket"), ...STORAGE],
  }),
  may(["service/opened_file.js"], {
    globals: [...NETWORK.filter((name) => name !== "fetch"), ...STORAGE],
  }),
  may(["service/keep.js", "service/texts.js"], { globals: NETWORK }),
  // What comes with Python, in its worker, and the folder's own files.
  may(["alone/{worker_*,keeper}.js"], {
    globals: [...NETWORK.filter((name) => !LOADING.includes(name)), ...STORAGE],
  }),
  {
    files: [`${WEB}/alone/worker_*.js`],
    languageOptions: { globals: globals.worker },
    rules: { "no-restricted-syntax": ["error", COLOURS] },
  },
  may(["service/{link,class_place}.js"], { properties: [...HTML, ...KERNELS] }),
  // It makes elements of its own markup only.
  may(["page/tools.js"], { properties: [...ADDRESS, ...KERNELS] }),
  may(["run/{field,trace,run}.js"], {
    properties: [...HTML, ...ADDRESS, ...KERNELS, ...POWERS],
  }),
  // Timing; what is sent by its logarithm.
  may(["{board/motion,run/payload}.js"], { properties: [...HTML, ...ADDRESS] }),
  {
    files: ["tests/player/*.js"],
    languageOptions: { globals: { load: "readonly", kpviz: "readonly", probe: "readonly" } },
  },
];
