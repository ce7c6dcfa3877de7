// A file dropped on the board: Python says what it is.

const LARGEST = 6_000_000; // bytes

/** Listen for files dropped on the stage; return a function that stops. */
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
  root.addEventListener("dragenter", over, options);
  root.addEventListener("dragover", over, options);
  root.addEventListener("dragleave", left, options);
  root.addEventListener("drop", (event) => {
    left();
    if (!carriesFiles(event)) return;
    event.preventDefault();
    open(stage, event.dataTransfer.files[0]);
  }, options);
  return () => controller.abort();
}

async function open(stage, file) {
  if (!file) return;
  if (file.size > LARGEST) {
    stage.controls.status("This file is too large to be dropped: open it under Data, My own file.");
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let from = 0; from < bytes.length; from += 32768) text += String.fromCharCode(...bytes.subarray(from, from + 32768));
  stage.controls.status(`Opening ${file.name} …`);
  stage.messages.add("open", stage.t, { name: file.name, data: btoa(text) });
}
