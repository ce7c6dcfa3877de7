// The texts that stand in files of JavaScript, as JSON: of each its file, whether it may be words
// that one reads, and the text itself, in which {} stands for a value. What is joined is one text,
// and a choice within it makes several. Where code names something, as a class or an event, there
// are no words.

import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";
import { parse } from "../node_modules/acorn/dist/acorn.mjs";

const MOST = 24; // So many texts one template makes at most.
const COMPARING = ["===", "!==", "in", "<", ">"];
// `keysOnStage` has words, of the help of keys, which is in English in any lesson.
const NAMING = new Set(
  (
    "className class style role id type kind name pattern autocomplete inputMode key viewBox lang " +
    "d href rel target aria-keyshortcuts aria-labelledby aria-describedby aria-live ariaLive " +
    "ariaHidden aria-hidden download pointerShape belongsTo value dash cursor tagName keysOnStage"
  ).split(" "),
);
// What these calls are given is read by code.
const ASKING = new Set(
  (
    "add remove toggle contains addEventListener removeEventListener querySelector closest " +
    "matches querySelectorAll getAttribute removeAttribute hasAttribute has get getElementById " +
    "recall keep includes startsWith endsWith replace replaceAll split join match indexOf test " +
    "exec createElement setProperty getPropertyValue ask all tell least Set Map Event " +
    "CustomEvent URLSearchParams command Error request import open Intl NumberFormat"
  ).split(" "),
);

/** What is given a name in the file, by that: text may be in it. */
let values = new Map();

const joined = (parts) =>
  parts.reduce((texts, some) =>
    texts.flatMap((text) => some.map((more) => text + more)).slice(0, MOST),
  );

/** The texts that a node can be, null where it is none. */
function textsOf(node, depth = 0) {
  const inner = (other) => (depth < 5 ? textsOf(other, depth + 1) : null);
  const { type } = node;
  if (type === "Literal") return typeof node.value === "string" ? [node.value] : null;
  if (type === "TemplateLiteral") {
    const parts = node.quasis.flatMap(({ value: { cooked } }, k) => {
      const expression = node.expressions[k];
      return expression ? [[cooked], inner(expression) ?? ["{}"]] : [[cooked]];
    });
    return joined(parts);
  }
  if (type === "ConditionalExpression") {
    const both = [inner(node.consequent), inner(node.alternate)];
    return both.some(Boolean) ? both.flatMap((texts) => texts ?? ["{}"]) : null;
  }
  if (type === "BinaryExpression" && node.operator === "+") {
    const both = [inner(node.left), inner(node.right)];
    return both.some(Boolean) ? joined(both.map((texts) => texts ?? ["{}"])) : null;
  }
  if (type === "CallExpression" && node.callee.name === "counted") {
    const [, noun, more] = node.arguments.map((argument) => inner(argument)?.[0]);
    return noun ? [`1 ${noun}`, `{} ${more ?? `${noun}s`}`] : null;
  }
  if (type === "Identifier" && depth > 0 && values.has(node.name)) {
    const [first, ...others] = values.get(node.name);
    return others.length ? null : inner(first); // Nobody can tell here which of several it is.
  }
  return null;
}

const nameOf = (node) =>
  node?.name ?? (node?.type === "Literal" ? node.value : (node?.property?.name ?? ""));

/** Whether a child of a node is for code alone. */
function isName(node, child) {
  const { type } = node;
  if (node.source === child) return true;
  if (type === "Property" || type === "PropertyDefinition") {
    return node.key === child || NAMING.has(nameOf(node.key));
  }
  if (type === "MemberExpression") return node.property === child;
  if (type === "BinaryExpression") return COMPARING.includes(node.operator);
  if (type === "SwitchCase") return node.test === child;
  if (type === "AssignmentExpression") return NAMING.has(nameOf(node.left));
  if (type !== "CallExpression" && type !== "NewExpression") return false;
  if (!node.arguments.includes(child)) return false;
  const name = nameOf(node.callee);
  if (name === "make" || name === "makeSvg") return node.arguments[0] === child;
  if (name === "setAttribute") {
    return node.arguments[0] === child || NAMING.has(nameOf(node.arguments[0]));
  }
  return ASKING.has(name);
}

const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === "string");

function walk(node, mayBeWords, take) {
  const texts = textsOf(node);
  for (const text of texts ?? []) take(text, mayBeWords);
  for (const child of childrenOf(node)) {
    const isPart = texts !== null && (textsOf(child) !== null || child.type === "TemplateElement");
    const isTested = node.type === "ConditionalExpression" && node.test === child;
    if (!isPart || isTested) walk(child, mayBeWords && !isName(node, child), take);
  }
}

function name(node) {
  if (node.type === "VariableDeclarator" && node.init && node.id.type === "Identifier") {
    values.set(node.id.name, [...(values.get(node.id.name) ?? []), node.init]);
  }
  childrenOf(node).forEach(name);
}

const texts = [];
for (const file of argv.slice(2)) {
  const program = parse(readFileSync(file, "utf8"), {
    ecmaVersion: "latest",
    sourceType: "module",
  });
  values = new Map();
  name(program);
  walk(program, true, (text, mayBeWords) => texts.push([file, mayBeWords, text]));
}
stdout.write(JSON.stringify(texts));
