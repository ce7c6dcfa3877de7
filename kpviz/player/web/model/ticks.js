// Round values of a range, for its axis.

const NICE = [1, 2, 5, 10];

/** The least of 1, 2, 5, 10, 20, … that is not below a value. */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return NICE.map((digit) => digit * power).find((nice) => nice >= value * (1 - 1e-9));
}

/** Round values of a range, the roundest first. */
export function ticks({ log, values }) {
  const [low, high] = [values[0], values.at(-1)];
  if (low === high) return [low];
  if (!log) {
    const step = roundedUp((high - low) / 5);
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
  }
  const powers = Array.from({ length: 12 }, (_, k) => 10 ** (k - 7));
  return [1, 2, 5].flatMap((digit) => powers.map((power) => digit * power)).filter((v) => v >= low && v <= high);
}
