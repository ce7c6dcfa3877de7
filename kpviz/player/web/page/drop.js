// A file dropped on the board: Python says what it is.

const LESSON = /\.kpviz\.md$/i;
const LARGEST = 18_000_000; // In bytes: a question may have 25 MB, and base64 adds a third.

/** @import { Stage } from "./stage.js" */

/** Listen for files dropped on the stage; return a function that stops. @param {Stage} stage */
export function listenToDrops(stage) {
  const { root } = stage;
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const over = (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  };
  const left = () => root.classList.remove("dropping");
  // Beside the board the browser would open the file in place of the page, and all would be lost.
  const besideStage = (event) => {
    if (!carriesFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  const dropped = (event) => {
    left();
    if (!carriesFiles(event)) return;
    event.preventDefault();
    openFiles(stage, [...event.dataTransfer.files]);
  };
  for (const name of ["dragenter", "dragover"]) root.addEventListener(name, over, options);
  root.addEventListener("dragleave", left, options);
  root.addEventListener("drop", dropped, options);
  for (const name of ["dragover", "drop"]) window.addEventListener(name, besideStage, options);
  return () => controller.abort();
}

/**
 * Open a file that was dropped or chosen.
 *
 * @param {Stage} stage
 * @param {File[]} files
 */
export async function openFiles(stage, files) {
  const say = (words) => stage.say(words);
  if (files.length > 1) {
    say("Drop one file at a time, please.");
    return;
  }
  const [file] = files;
  if (!file) return;
  if (file.size > LARGEST) {
    say("This file is too large: at most 18 MB can be opened.");
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    say("This cannot be read: drop a file, not a folder.");
    return;
  }
  let text = "";
  for (let from = 0; from < bytes.length; from += 32768) {
    text += String.fromCharCode(...bytes.subarray(from, from + 32768));
  }
  say(`Opening ${file.name} …`);
  if (!LESSON.test(file.name)) stage.session.command("open", { name: file.name, data: btoa(text) });
  else stage.player.modes.tell("read", { text: new TextDecoder().decode(bytes) });
}
