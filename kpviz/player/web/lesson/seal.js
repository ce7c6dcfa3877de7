// Marks of answers, and what only the right words show, as kpviz/lessons/file/seal.py makes them. It is no lock.

/** 32 bits of an ASCII text: FNV-1a, its bits mixed as MurmurHash does. */
function hash(text) {
  let found = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) found = Math.imul(found ^ text.charCodeAt(k), 0x01000193);
  found = Math.imul(found ^ (found >>> 16), 0x85ebca6b);
  found = Math.imul(found ^ (found >>> 13), 0xc2b2ae35);
  return (found ^ (found >>> 16)) >>> 0;
}

const hex = (bits) => bits.toString(16).padStart(8, "0");

export class Seal {
  /** @param {string} salt */
  constructor(salt) {
    this.salt = salt;
  }

  /** What tells these parts from others. @param {(string | number)[]} parts */
  mark(...parts) {
    const key = [this.salt, ...parts].join("|");
    return hex(hash(`1${key}`)) + hex(hash(`2${key}`));
  }

  /**
   * What was hidden by these parts.
   *
   * @param {number[]} units
   * @param {(string | number)[]} parts
   */
  show(units, ...parts) {
    const start = hash([this.salt, ...parts].join("|"));
    return JSON.parse(units.map((unit, k) => String.fromCharCode(unit ^ (hash(`${start}|${k}`) & 0xffff))).join(""));
  }
}
