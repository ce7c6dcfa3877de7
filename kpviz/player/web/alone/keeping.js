// Keeping the folder for times without a network: its pages ask for the service worker, keeper.js.

const RENEWED =
  "This page has a new version. It has taken the place of the one that your browser kept.";

/**
 * Have the browser keep what is loaded of the folder, if it lets a page do that.
 *
 * @param {string} address of keeper.js
 * @param {(words: string) => void} say
 */
export function keepFolder(address, say) {
  try {
    const { serviceWorker } = navigator; // In a sandboxed frame even that is refused.
    serviceWorker.addEventListener("message", ({ data }) => {
      if (data === "renewed") say(RENEWED);
    });
    serviceWorker.register(address, { updateViaCache: "none" }).catch(() => {});
  } catch {
    // Nothing is kept in such a frame, or by http on another host. The page works without.
  }
}
