// What shows the answers of the run service on Fisher's page.

import { Dock } from "../dock/dock.js";
import { Notices } from "../shell/notices.js";
import { TermBox } from "../shell/terms.js";

/** @import { Streamlit } from "../shell/serve.js" */
/** @import { FisherStage } from "./stage.js" */
/** @import { AnswerHeader, FisherEnvelope, Host, Notice } from "../types.d.ts" */

const AWAY = "No answer from kpviz’s server: F turns all the same, other data wait.";
const WAYS = [
  { name: "", label: "Perceptron", own: true },
  { name: "lab", label: "Kernel lab", part: "lab", own: true },
];

/** @implements {Host} */
export class FisherHost {
  /**
   * @param {FisherStage} stage
   * @param {Streamlit} streamlit
   */
  constructor(stage, streamlit) {
    this.stage = stage;
    this.notices = stage.notices = new Notices(stage.root, () => stage.resize());
    this.terms = new TermBox(stage.root, "");
    this.dock = stage.dock = new Dock(
      stage.root,
      {
        session: stage.session,
        dialog: () => {}, // these data have neither dialogs
        open: () => {}, // nor files
        go: (page) => streamlit.go(page),
        arrange: () => stage.resize(),
      },
      WAYS,
      "Fisher’s discriminant",
    );
  }

  recolour() {
    this.stage.recolour();
  }

  get query() {
    return this.stage.query;
  }

  wanted() {
    const { header } = this.stage;
    return { asked: null, have: header ? [header.id] : [], shown: header !== null };
  }

  /** The answer to the same question comes as fast. */
  has() {
    return false;
  }

  /**
   * @param {AnswerHeader & FisherEnvelope} header
   * @param {Uint8Array} rest
   */
  take(header, rest) {
    this.dock.take(header.dock, header.link);
    this.stage.update(header, rest);
  }

  settle() {
    this.dock.settle();
  }

  /** @param {Notice} notice */
  notice(notice) {
    this.notices.show(notice);
  }

  working() {} // it never takes long

  /** @param {boolean} away */
  away(away) {
    this.notices.stand(away ? AWAY : null);
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
