// What was answered lately, so that undo, redo and what was chosen before need no server.

/** @import { AnswerHeader, Command, Question, Step } from "../types.d.ts" */

const MOST = 20; // answers
const MOST_STEPS = 200;
const LONGEST = 10_000; // characters of a change

export class Answers {
  /** @type {Map<string, { header: AnswerHeader, asked: string[], dock: string[] }>} */
  #answers = new Map();
  /** @type {Map<string, Step>} */
  #steps = new Map(); // to which changes led

  /**
   * Keep the answer to a question, without what was said and done at that time alone.
   *
   * @param {Question} question
   * @param {AnswerHeader} header
   */
  put(question, header) {
    if (Object.keys(header.drafts).length) return; // it says what is wrong with what is typed at that time
    const { commands, asked, dock } = question;
    const once = header.notices.length > 0 || header.edit || Object.keys(header.store).length > 0;
    if (commands.length === 1 && !once) put(this.#steps, changeKey(question, commands[0]), header.steps[0], MOST_STEPS);
    const kept = { header: { ...header, steps: [], notices: [], store: {}, edit: false }, asked: asked ?? [], dock };
    put(this.#answers, stepKey(header), kept, MOST);
  }

  /** What was answered for a state, and with what. @param {Step} state */
  of(state) {
    return this.#answers.get(stepKey(state)) ?? null;
  }

  /** To which state a change leads, null if that is not known. @type {(from: Step | null, change: Command) => Step | null} */
  after(from, change) {
    const key = from && changeKey(from, change);
    return (key && this.#steps.get(key)) ?? null;
  }
}

/** @type {(map: Map<string, unknown>, key: string, value: unknown, most: number) => void} */
function put(map, key, value, most) {
  if (!key) return;
  map.delete(key); // the newest are the last
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}

/** @param {Step} state */
const stepKey = ({ link, origin, data }) => JSON.stringify([link, origin, data]);

/** What a change and the state before it have in common with no others; "" for one that is too long to keep. @type {(from: Step, change: Command) => string} */
function changeKey(from, { name, value }) {
  const key = JSON.stringify([name === "replace" ? "" : stepKey(from), name, value]); // another link leads away from anywhere
  return key.length < LONGEST ? key : "";
}
