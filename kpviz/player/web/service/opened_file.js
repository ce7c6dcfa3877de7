// The file that `kpviz app FILE` was given, which the server sends to whoever has its token.

export const OPEN = "open"; // In the address it has the token and the name of that file.

/**
 * Fetch it; null where it is not sent.
 *
 * @param {string} place token and name
 * @returns {Promise<{ name: string, file: File | null }>}
 */
export async function fetchOpenedFile(place) {
  const [token, ...names] = place.split("/");
  const name = names.join("/");
  try {
    const reply = await fetch(
      `./opened-file/${encodeURIComponent(token)}/${encodeURIComponent(name)}`,
    );
    return { name, file: reply.ok ? new File([await reply.blob()], name) : null };
  } catch {
    return { name, file: null }; // No server answers.
  }
}
