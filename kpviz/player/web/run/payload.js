// The bytes that Python sent: kpviz/player/payload.py is the other side of this contract.

const TYPES = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

const MAGIC = 0x3156504b; // "KPV1", little endian
const ALIGN = 8; // In bytes.
export const HEAD = 8; // In bytes: the mark, and the length of the header.

/** @import { Packet } from "./types.d.ts" */

/** @type {WeakMap<Uint8Array, Packet["header"]>} */
const headers = new WeakMap(); // Several ask for the header of one answer.

/**
 * Return one packet, and the bytes that follow it. Arrays and bytes share the memory of the packet,
 * unless it is not aligned.
 *
 * @param {Uint8Array} bytes
 * @returns {Packet}
 */
export function unpack(bytes) {
  const whole = bytes.byteOffset % ALIGN ? bytes.slice() : bytes;
  const header = headerOf(whole);
  const start = aligned(HEAD + lengthOf(whole));
  const arrays = {};
  let end = start;
  const read = (type, at, size) => {
    const sent = new TYPES[type](whole.buffer, whole.byteOffset + start + at, size);
    end = Math.max(end, aligned(start + at + sent.byteLength));
    return sent;
  };
  for (const { name, type, shape, at, scale, apart } of header.arrays) {
    const size = shape.reduce((product, extent) => product * extent, 1);
    const sent = read(type, at, size);
    arrays[name] = scale === undefined ? sent : scaled(sent, scale);
    if (apart) {
      arrays[name] = joined(
        sent,
        read("uint32", apart[0], apart[2]),
        read("float64", apart[1], apart[2]),
      );
    }
    arrays[name].shape = shape;
  }
  return { header, arrays, rest: whole.subarray(end) };
}

export function headerOf(bytes) {
  const known = headers.get(bytes);
  if (known) return known;
  const end = HEAD + lengthOf(bytes);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD, end)));
  headers.set(bytes, header);
  return header;
}

export function lengthOf({ buffer, byteOffset, byteLength }) {
  const view = new DataView(buffer, byteOffset, byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("These bytes are not a packed run.");
  return view.getUint32(4, true);
}

/**
 * Of numbers that are sent by their logarithms. A loop: `Float64Array.from` would call a function
 * for each value, and take ten times as long.
 */
export function exponentials(sent) {
  const values = new Float64Array(sent.length);
  for (let k = 0; k < sent.length; k++) values[k] = Math.exp(sent[k]);
  return values;
}

function scaled(sent, scale) {
  const values = new Float32Array(sent.length);
  for (let k = 0; k < sent.length; k++) values[k] = sent[k] * scale;
  return values;
}

/** Numbers in double precision, of which some were sent by themselves. */
function joined(sent, places, values) {
  const whole = new Float64Array(sent);
  for (let k = 0; k < places.length; k++) whole[places[k]] = values[k];
  return whole;
}

export const aligned = (offset) => (offset + ALIGN - 1) & -ALIGN;
