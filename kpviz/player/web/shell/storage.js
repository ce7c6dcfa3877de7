// What a tab keeps while its page is loaded again. In a frame of another site, or in a sandbox, browsers may refuse all storage.

/** Keep a text, or none: null. Returns whether the browser allows it. */
export function keep(name, text) {
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** The text that was kept, or null. */
export function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
