// Numbers as people type them: a comma may be the decimal sign, or part thousands, as the board writes them; a fraction
// may be one, too, as kpviz/lessons/file/kinds/question.py reads it.

const POWER = /\s*[×·*]\s*10(\^[-−+]?[0-9]+|⁻?[⁰¹²³⁴-⁹]+)$/; // as on the board, or by hand
const PLAIN = /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i;
const THOUSANDS = /^[-+]?[1-9]\d{0,2}(,\d{3})+(?=\.|e|$)/i;

const FRACTION = /^([^/]+?) *\/ *([^/]+)$/;
const MIXED = /^([-+]?) *([0-9]*) *([¼-¾⅐-⅞])$/;
const PARTS = "¼1/4 ½1/2 ¾3/4 ⅐1/7 ⅑1/9 ⅒1/10 ⅓1/3 ⅔2/3 ⅕1/5 ⅖2/5 ⅗3/5 ⅘4/5 ⅙1/6 ⅚5/6 ⅛1/8 ⅜3/8 ⅝5/8 ⅞7/8";

/** The value of a character that is a fraction. @param {string} sign */
const partOf = (sign) => {
  const [above, below] = PARTS.split(" ")
    .find((part) => part[0] === sign)
    .slice(1)
    .split("/");
  return Number(above) / Number(below);
};

const lowered = (power) =>
  power
    .replace("^", "")
    .replace(/[⁻−]/, "-")
    .replace(/[⁰¹²³⁴-⁹]/g, (digit) => String("⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)));

/** The numbers that a text can mean: none, one, or two, where nobody knows what its comma is. @param {string} text */
export function readings(text) {
  const plain = text
    .trim()
    .replace("−", "-")
    .replace(POWER, (_, power) => `e${lowered(power)}`);
  const mixed = MIXED.exec(plain);
  if (mixed) return [(mixed[1] === "-" ? -1 : 1) * (Number(mixed[2]) + partOf(mixed[3]))];
  const fraction = FRACTION.exec(plain);
  if (fraction) {
    const [above, below] = fraction.slice(1).map(readings);
    return above.flatMap((one) => below.filter(Boolean).map((other) => one / other));
  }
  const parted = THOUSANDS.test(plain) ? plain.replaceAll(",", "") : null;
  const decimal = plain.includes(".") ? null : plain.replace(",", ".");
  const found = plain.includes(",") ? [parted, decimal] : [plain];
  return found.filter((each) => each !== null && PLAIN.test(each)).map(Number);
}

/**
 * Why a text is not the number that is asked for.
 *
 * @param {number[]} found its readings
 * @param {string} example of what one may write
 */
export function whyNot(text, found, example = "number, such as 0.25") {
  if (found.length < 2) return `Write a ${example}.`;
  const [parted, decimal] = found.map((value) => String(value).replace("-", "−"));
  return `${text.trim()} can mean ${parted} or ${decimal}: write it without a comma.`;
}
