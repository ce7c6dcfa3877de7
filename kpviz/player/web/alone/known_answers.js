// What the page holds packed: the answers to questions that only lead to a link.

import { STAGE_SHAPES } from "../board/projector_layout.js";
import { BY_NAME } from "../board/panel_table.js";
import { ON_REQUEST } from "../board/shown_panels.js";
import { HEAD, aligned, headerOf, lengthOf } from "../run/payload.js";
import { unzipped } from "../service/compressed.js";

/** @import { DockField } from "../page/dock/types.d.ts" */
/** @import { Command, Question } from "../service/types.d.ts" */
/**
 * The answer about a link, as it was written and as Python writes it, with the extras that it has.
 * @typedef {{ link: string, canonical: string, extras: string[], zipped: string }} ZippedAnswer
 */

// These say where a link opens, and not what it shows. What is written otherwise only Python can
// read, which says what is wrong with it.
const panel = `(${Object.keys(BY_NAME).join("|")})`;
const shape = `(${Object.keys(STAGE_SHAPES).join("|")})`;
const OF_VIEW = new RegExp(`^(t=\\d{0,9}|show=(none|${panel}([.,]${panel})*)|stage=${shape})$`);
const ONLY_PREFIX = "only:"; // It stands before the names of settings.
const WITH_SETTINGS = ["data", "kernel", "learner"];

export class KnownAnswers {
  /** @type {Map<string, ZippedAnswer>} */
  byLink = new Map();

  /** @param {ZippedAnswer[]} answers those that come before the player */
  constructor(answers) {
    this.#add(answers);
    this.others = this.#addRest();
  }

  /** The others follow the player, so that the first picture does not wait for them. */
  async #addRest() {
    if (document.readyState === "loading") {
      await new Promise((loaded) => document.addEventListener("DOMContentLoaded", loaded));
    }
    const elements = [...document.querySelectorAll("script.answer")];
    this.#add(elements.map(({ textContent }) => JSON.parse(textContent)));
  }

  /** @param {ZippedAnswer[]} answers */
  #add(answers) {
    for (const answer of answers) {
      this.byLink.set(answer.link, answer);
      this.byLink.set(answer.canonical, answer);
    }
  }

  /** @param {string} link */
  async #find(link) {
    const plain = link.split("&").filter((part) => !OF_VIEW.test(part));
    const links = [link, plain.join("&")];
    const find = () => links.map((name) => this.byLink.get(name)).find(Boolean);
    if (!find()) await this.others;
    return find();
  }

  /**
   * The answer to a question that only leads to a link; null if only Python knows it.
   *
   * @param {Question} question
   * @param {number} n
   */
  async answer({ commands, drafts, asked, dock, link: from, shown: isShown }, n) {
    const last = commands.filter(changes).at(-1);
    if ((last && last.name !== "replace") || Object.keys(drafts).length) return null;
    const link = last ? /** @type {{ link: string }} */ (last.value).link : from;
    const known = await this.#find(link);
    if (!known) return null;
    const ofView = this.byLink.has(link) ? "" : link; // Else the answer says where it opens.
    const { t, show, stage } = Object.fromEntries(new URLSearchParams(ofView));
    const panels = show === "none" ? [] : (show?.split(/[.,]/) ?? null);
    const extras = asked ?? (panels ?? []).filter((name) => ON_REQUEST.includes(name));
    if (extras.some((name) => !known.extras.includes(name))) return null;
    const bytes = await unzipped(known.zipped);
    const header = headerOf(bytes);
    const { groups } = header.dock;
    for (const name of dock) groups[name] ??= fieldsOf(groups, name);
    const { origin, data } = header;
    const view = {
      ...header.view,
      t: Number(t) || header.view.t,
      show: panels ?? header.view.show,
      stage: stage ?? header.view.stage,
    };
    const steps = commands.map(() => ({ link: header.link, origin, data }));
    const notices = isShown ? [] : header.notices;
    return packet({ ...header, n, view, steps, notices }, runBytesOf(bytes));
  }
}

/** Whether it is more than a new name in the address. @param {Command} command */
const changes = ({ name, value }) => name !== "set" || Object.keys(value).length > 0;

/**
 * The fields of some settings, as kpviz/service/dock takes them from the groups of all.
 *
 * @param {Record<string, DockField[]>} groups
 * @param {string} name such as "only:sigma,kernel"
 */
function fieldsOf(groups, name) {
  const names = name.slice(ONLY_PREFIX.length).split(",");
  /** @type {(field: DockField) => DockField[]} */
  const within = (field) => [field, ...("fields" in field ? field.fields : []).flatMap(within)];
  const fields = WITH_SETTINGS.flatMap((group) => groups[group].flatMap(within));
  return fields.filter((field) => "name" in field && names.includes(field.name));
}

/** What is behind the header of an answer. @param {Uint8Array<ArrayBuffer>} bytes */
const runBytesOf = (bytes) => bytes.subarray(aligned(HEAD + lengthOf(bytes)));

/** Bytes as kpviz/player/payload.py packs them. @param {object} header */
export function packet(header, runBytes = new Uint8Array()) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = aligned(HEAD + text.length);
  const bytes = new Uint8Array(start + runBytes.length);
  bytes.set(new TextEncoder().encode("KPV1"));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(text, HEAD);
  bytes.set(runBytes, start);
  return bytes;
}
