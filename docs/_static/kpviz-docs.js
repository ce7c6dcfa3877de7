// Tell the figures which theme the page has, now and whenever a reader switches it.
const page = document.documentElement;
const tell = (frame) => frame.contentWindow?.postMessage({ theme: page.dataset.theme }, "*");
const figures = () => document.querySelectorAll("figure.kpviz-live iframe");

document.addEventListener("load", ({ target }) => target.matches?.("iframe") && tell(target), true);
document.addEventListener("DOMContentLoaded", () => figures().forEach(tell));
new MutationObserver(() => figures().forEach(tell)).observe(page, {
  attributeFilter: ["data-theme"],
});
