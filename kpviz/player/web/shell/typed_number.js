// Numbers as people type them: a comma may be the decimal sign, or part thousands, as the board writes them.

const POWER = /\s*[×·*]\s*10(\^[-−+]?[0-9]+|⁻?[⁰¹²³⁴-⁹]+)$/; // as on the board, or by hand
const PLAIN = /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i;
const THOUSANDS = /^[-+]?[1-9]\d{0,2}(,\d{3})+(?=\.|e|$)/i;

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
