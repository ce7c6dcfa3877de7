// What the player's modules ask of a browser, for an engine that has none: widths of text, a clock,
// and UTF-8.

// Python has set the face of each weight, and the advance of each character in em.
const { faces, widths } = globalThis.TYPE;

/** The advance of a text in px; `font` as a canvas has it, "600 12px 'kpviz Sans', …". */
function widthOf(font, text) {
  const [, weight, size, family] = /^(\d+) ([\d.e-]+)px (.*)$/.exec(font);
  const [regular, bold, from] = /code|mono/i.test(family.split(",")[0]) ? faces.code : faces.sans;
  const table = widths[Number(weight) < from ? regular : bold];
  let width = 0;
  for (const sign of text) width += table[sign] ?? table.n;
  return width * Number(size);
}

const measuring = {
  font: "",
  measureText(text) {
    return { width: widthOf(this.font, text) };
  },
};

/** UTF-8 to text. */
class Decoder {
  decode(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return decodeURIComponent(escape(text));
  }
}

Object.assign(globalThis, {
  document: { createElement: () => ({ getContext: () => measuring }) },
  performance: { now: () => 0 },
  TextDecoder: globalThis.TextDecoder ?? Decoder,
});
