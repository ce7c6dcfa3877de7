// Numbers as people type them: a comma may be the decimal sign, or part thousands, as the board
// writes them. A number may be worked out, too, as in exp(-0.5) or √2/2, by the grammar of
// kpviz/lessons/file/arithmetic.py.

const LONGEST = 100; // In characters.
const CONSTANTS = { e: Math.E, pi: Math.PI, π: Math.PI };
/* eslint-disable no-restricted-properties -- what somebody types is worked out, and no kernel */
const FUNCTIONS = {
  abs: Math.abs,
  cos: Math.cos,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tanh: Math.tanh,
};
/* eslint-enable no-restricted-properties */
const TOKEN =
  /\s*(?:((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)|([a-z_][a-z_0-9]*|π)|(\*\*|[-+*/^()√]))/y;
const LOST_POWER = /^-?[0-9.,]+\s*\*\s*10[0-9]*$/; // 8×107: a power of ten whose exponent was lost
const HALF_TYPED = /[0-9.]e(?![-+0-9^*a-z_])/; // 1e, where a power was to follow
const WITH_COMMAS = /[0-9.,]*,[0-9.,]*/g;
const THOUSANDS = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const DECIMAL = /^\d*,\d*$/;
const PARTS =
  "¼1/4 ½1/2 ¾3/4 ⅐1/7 ⅑1/9 ⅒1/10 ⅓1/3 ⅔2/3 ⅕1/5 ⅖2/5 ⅗3/5 ⅘4/5 ⅙1/6 ⅚5/6 ⅛1/8 ⅜3/8 ⅝5/8 ⅞7/8";

/** A text with the signs of programs in place of those of print. @param {string} text */
const plainOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^[=≈]?\s*\+?/, "")
    .replace(/[−–]/g, "-")
    .replace(/[×·⋅]/g, "*")
    .replace(/[÷∕⁄]/g, "/")
    .replace(
      /([⁻⁺]?)([⁰¹²³⁴-⁹]+)/g,
      (_, sign, digits) => `^(${sign === "⁻" ? "-" : ""}${lowered(digits)})`,
    )
    .replace(/([0-9]*) *([¼-¾⅐-⅞])/g, (_, whole, part) => `(${whole || 0}+${ratioOf(part)})`);

const lowered = (digits) => digits.replace(/./g, (digit) => String("⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)));

/** What a character that is a fraction stands for. @param {string} sign */
const ratioOf = (sign) =>
  PARTS.split(" ")
    .find((part) => part[0] === sign)
    .slice(1);

/**
 * The numbers that a text can mean: none, one, or two, where nobody knows what its comma is.
 *
 * @param {string} text
 */
export function readings(text) {
  if (text.length > LONGEST) return [];
  const plain = plainOf(text);
  if (LOST_POWER.test(plain) || HALF_TYPED.test(plain)) return [];
  const withCommas = plain.match(WITH_COMMAS) ?? [];
  const values = [
    ...(withCommas.every((part) => THOUSANDS.test(part))
      ? [valueOf(plain.replaceAll(",", ""))]
      : []),
    ...(withCommas.every((part) => DECIMAL.test(part))
      ? [valueOf(plain.replaceAll(",", "."))]
      : []),
  ];
  return [...new Set(values)].filter((value) => value !== null);
}

/** The value of an expression, null where it has none. @param {string} text */
function valueOf(text) {
  const percent = text.endsWith("%");
  const tokens = tokensOf(percent ? text.slice(0, -1) : text);
  if (!tokens) return null;
  const value = new Arithmetic(tokens).value();
  if (!Number.isFinite(value)) return null;
  return percent ? value / 100 : value;
}

/** @typedef {{ kind: "number" | "name" | "sign", text: string }} Token */

/**
 * The numbers, names and signs of a text; null where something else is in it.
 *
 * @param {string} text
 */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    const [, number, name, sign] = match;
    if (number) tokens.push({ kind: "number", text: number });
    else if (name) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign === "**" ? "^" : sign });
  }
  return tokens;
}

// Works an expression out. What has no value, or cannot be read, becomes NaN, and so does all that
// is made of it.
class Arithmetic {
  at = 0;

  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
  }

  value() {
    const value = this.#sum();
    return this.at === this.tokens.length ? value : NaN;
  }

  /** Take a sign, if it comes next; returns whether it does. @param {string} sign */
  #takes(sign) {
    const token = this.tokens[this.at];
    const comes = token?.kind === "sign" && token.text === sign;
    if (comes) this.at += 1;
    return comes;
  }

  #sum() {
    let value = this.#product();
    for (;;) {
      if (this.#takes("+")) value += this.#product();
      else if (this.#takes("-")) value -= this.#product();
      else return value;
    }
  }

  #product() {
    let value = this.#signed();
    for (;;) {
      if (this.#takes("*")) value *= this.#signed();
      else if (this.#takes("/")) value = quotientOf(value, this.#signed());
      else if (this.#isNext()) value *= this.#factor();
      else return value;
    }
  }

  /**
   * A factor without a sign before it; after a quotient, as in 1/2π, nobody knows what was meant.
   */
  #factor() {
    const isAfterQuotient = this.tokens[this.at - 2]?.text === "/";
    const value = this.#signed();
    return isAfterQuotient ? NaN : value;
  }

  /** Whether a factor follows without a sign, as in 2π. */
  #isNext() {
    const token = this.tokens[this.at];
    return token?.kind === "name" || token?.text === "(" || token?.text === "√";
  }

  #signed() {
    if (this.#takes("-")) return -this.#signed();
    if (this.#takes("√")) return Math.sqrt(this.#signed());
    return this.#power();
  }

  #power() {
    const base = this.#atom();
    return this.#takes("^") ? base ** this.#signed() : base;
  }

  #atom() {
    const { kind = "sign", text = "" } = this.tokens[this.at] ?? {};
    if (kind === "sign") return this.#takes("(") ? this.#bracketed() : NaN;
    this.at += 1;
    if (kind === "number") return Number(text);
    if (this.#takes("(")) {
      const argument = this.#bracketed();
      return Object.hasOwn(FUNCTIONS, text) ? FUNCTIONS[text](argument) : NaN;
    }
    return Object.hasOwn(CONSTANTS, text) ? CONSTANTS[text] : NaN;
  }

  #bracketed() {
    const value = this.#sum();
    return this.#takes(")") ? value : NaN;
  }
}

/** A quotient; by 0 there is none. @param {number} above @param {number} below */
const quotientOf = (above, below) => (below === 0 ? NaN : above / below);

/**
 * Why a text is not the number that is asked for.
 *
 * @param {number[]} values its readings
 * @param {string} example of what one may write
 */
export function whyNot(text, values, example = "number, such as 0.25") {
  if (values.length < 2) return `Write a ${example}.`;
  const [parted, decimal] = values.map((value) => String(value).replace("-", "−"));
  return `${text.trim()} can mean ${parted} or ${decimal}: write it without a comma.`;
}
