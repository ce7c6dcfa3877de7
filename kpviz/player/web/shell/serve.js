// What a page with a server is made of besides what shows it.

import { quietConnectionErrors } from "./connection.js";
import { History } from "../service/history.js";
import { Keep } from "../service/keep.js";
import { Link } from "../service/link.js";
import { Session } from "../service/session.js";
import { addressOf, ServiceSocket } from "../service/socket.js";
import { shared } from "./shared.js";
import { Streamlit } from "./streamlit.js";
import { Way } from "../lesson/way.js";

/** @import { Host } from "../types.d.ts" */

export class Served {
  scheme = window.matchMedia("(prefers-color-scheme: dark)");
  recolour = () => this.host?.recolour?.();

  /**
   * @param {string} page its name
   * @param {Link} [link]
   */
  constructor(page, link = new Link()) {
    shared.keep ??= new Keep();
    this.page = page;
    this.link = link;
    this.socket = new ServiceSocket(addressOf(import.meta.url, location));
    this.session = new Session({ socket: this.socket, history: new History(this.link), keep: shared.keep, page });
    this.streamlit = new Streamlit(this.session, this.link);
    this.stopQuiet = quietConnectionErrors();
  }

  /**
   * @param {Host & { stop(): void }} host
   * @param {HTMLElement | null} [root] where the way back to a lesson is shown
   */
  start(host, root = null) {
    this.host = host;
    this.way = root && new Way(root, this);
    this.session.start(host);
    this.scheme.addEventListener("change", this.recolour);
  }

  /** Streamlit has run, or the page's theme is another one: Streamlit calls for either. */
  take(data, trigger) {
    this.streamlit.take(data, trigger);
    this.recolour();
  }

  stop() {
    this.scheme.removeEventListener("change", this.recolour);
    if (this.host.wanted().shown) this.streamlit.leave(this.host.query);
    this.streamlit.stop();
    this.host.stop();
    this.way?.stop();
    this.stopQuiet();
    this.session.stop();
    this.socket.stop();
  }
}
