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

/** @import { Packet } from "../types.d.ts" */

/**
 * Return one packet, and the bytes that follow it.
 *
 * @param {Uint8Array} bytes
 * @returns {Packet}
 */
export function unpack(bytes) {
  const whole = bytes.slice(); // typed arrays need their own, aligned buffer
  const view = new DataView(whole.buffer);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("These bytes are not a packed run.");
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(8, 8 + length)));
  const start = aligned(8 + length);
  const arrays = {};
  let end = start;
  for (const { name, type, shape, at } of header.arrays) {
    const size = shape.reduce((product, extent) => product * extent, 1);
    arrays[name] = new TYPES[type](whole.buffer, start + at, size);
    arrays[name].shape = shape;
    end = Math.max(end, aligned(start + at + arrays[name].byteLength));
  }
  return { header, arrays, rest: whole.subarray(end) };
}

const aligned = (offset) => (offset + 7) & ~7;
