// What is zero: a sum whose terms cancel leaves a rounding error, which must not decide a verdict.
// kpviz/engine/rounding.py is the same rule.

export const ROUNDING = 1e-13; // Relative to what was added up: so much may be left of 0.

/**
 * A sum, or 0 where it is but rounding.
 *
 * @param {number} total
 * @param {number} size what its terms add up to without their signs
 */
export const withoutRounding = (total, size) => (Math.abs(total) < ROUNDING * size ? 0 : total);
