// What shows the answers of the run service on Fisher's page.

import { Notices } from "../shell/notices.js";
import { AWAY } from "../shell/status.js";

/** @import { FisherStage } from "./stage.js" */
/** @import { Host, Notice } from "../types.d.ts" */

/** @implements {Host} */
export class FisherHost {
  /** @param {FisherStage} stage */
  constructor(stage) {
    this.stage = stage;
    this.notices = new Notices(stage.root);
  }

  get query() {
    return this.stage.query;
  }

  wanted() {
    const { header } = this.stage;
    return { asked: null, have: header ? [header.id] : [], shown: header !== null };
  }

  /** @param {Uint8Array} bytes */
  take(bytes) {
    this.stage.update(bytes);
  }

  settle() {}

  /** @param {Notice} notice */
  notice(notice) {
    this.notices.show(notice);
  }

  working() {} // it never takes long

  /** @param {boolean} away */
  away(away) {
    this.stage.controls.stand(away ? AWAY : null);
  }

  /** @param {Error} error */
  fail(error) {
    this.stage.fail(error);
  }

  locked() {
    return false;
  }

  stop() {
    this.stage.stop();
  }
}
