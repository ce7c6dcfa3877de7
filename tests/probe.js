// What tests see of a stage. A name that is not there throws: undefined would be taken for false.

(() => {
  const ASKED = ["then", "toJSON"]; // What waits for a value, or writes it, asks for these.
  // These have only the fields that they need, or that were asked for.
  const LOOSE = ["marks", "still", "moving", "extras"];
  const proxies = new WeakMap();
  const raws = new WeakMap();
  const raw = (value) => raws.get(value) ?? value;
  // Objects and arrays of the player's own; not what belongs to the browser or the language, which
  // do not throw.
  const isOwn = (value) =>
    /^\[object (Object|Array)\]$/.test(Object.prototype.toString.call(value));

  /**
   * An object that throws where a name is missing; what it does not have is looked for in `parts`.
   */
  function wrap(value, parts = () => []) {
    if (!isOwn(value) || raws.has(value) || Object.isFrozen(value)) return value;
    if (!proxies.has(value)) {
      const proxy = new Proxy(value, handler(value, parts));
      proxies.set(value, proxy);
      raws.set(proxy, value);
    }
    return proxies.get(value);
  }

  const handler = (target, parts) => {
    const owner = (name) => [target, ...parts()].find((part) => part && name in part);
    return {
      has: (_, name) => Boolean(owner(name)),
      get(_, name) {
        const part = owner(name);
        if (!part) {
          if (typeof name === "symbol" || ASKED.includes(name) || Array.isArray(target)) {
            return undefined;
          }
          throw new ReferenceError(
            `There is no ${name} in ${target.constructor?.name}: ${Object.keys(target)}`,
          );
        }
        const value = part[name];
        if (LOOSE.includes(name)) return value;
        if (typeof value !== "function" || Array.isArray(part)) return wrap(value);
        // Private fields are those of the object itself, and what the player does not have is
        // nothing to it.
        return new Proxy(value, {
          apply: (_, self, values) => wrap(value.apply(part, values.map(raw))),
        });
      },
      set(_, name, value) {
        const part = owner(name) ?? target;
        part[name] = raw(value);
        return true;
      },
    };
  };
  return wrap;
})();
