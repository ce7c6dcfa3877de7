import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "tests/browser/axe/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "arrow-body-style": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-coercion": ["error", { allow: ["!!"] }],
      "no-restricted-syntax": [
        "error",
        { selector: "Literal[value=/^#[0-9a-fA-F]{3,8}$/]", message: "Colours are written in kpviz/tokens.py only." },
      ],
      "no-unused-vars": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["tests/player/*.js"],
    languageOptions: { globals: { load: "readonly", kpviz: "readonly", probe: "readonly" } },
  },
];
