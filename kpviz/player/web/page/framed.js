// A page in a frame tells the page around it how high it is: `{ type: "kpviz:height", height }`, in
// CSS pixels, at first and whenever that changes.

/** Tell it from now on. */
export default function start() {
  if (window.parent === window) return;
  let told = 0;
  const tell = () => {
    const height = document.documentElement.scrollHeight;
    if (height !== told) window.parent.postMessage({ type: "kpviz:height", height }, "*");
    told = height;
  };
  new ResizeObserver(tell).observe(document.body);
  tell();
}
