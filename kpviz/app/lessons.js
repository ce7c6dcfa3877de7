// The list of lessons: a file of one's own, which is chosen by the button below it, or dropped on
// the page.

(() => {
  const list = document.querySelector(".kpviz-lessons");
  const status = list.querySelector(".own [role=status]");
  const field = list.querySelector(".own input");

  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const markWhileDragging = (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.querySelector(".kpviz-lessons")?.classList.toggle("over", event.type === "dragover");
  };
  const drop = (event) => {
    if (!carriesFiles(event) || !list.isConnected) return;
    markWhileDragging(event);
    open(event.dataTransfer.files);
  };
  const open = async (files) => {
    const [file] = files;
    if (files.length !== 1) status.textContent = "One file, please.";
    else if (!/\.kpviz\.md$/i.test(file.name)) {
      status.textContent = `${file.name} is no lesson: its name ends in .kpviz.md.`;
    } else {
      try {
        // The player reads it as `lessonText` (service/texts.js); in its address “~” names it.
        sessionStorage.setItem("kpviz-lesson-text", await file.text());
        location.assign("./?lesson=~");
      } catch {
        status.textContent = "This browser keeps nothing here: drop the file on the board.";
      }
    }
  };
  const button = list.querySelector(".own button");
  button.addEventListener("click", () => field.click());
  button.disabled = false; // The page has it disabled until this script listens.
  field.addEventListener("change", () => {
    open(field.files);
    field.value = ""; // So the same file can be chosen again, once it is mended.
  });
  // Streamlit runs this script again with each new list: the listeners of the list before must go.
  window.kpvizDrops?.abort();
  window.kpvizDrops = new AbortController();
  const options = { signal: window.kpvizDrops.signal };
  for (const name of ["dragover", "dragleave"]) {
    window.addEventListener(name, markWhileDragging, options);
  }
  window.addEventListener("drop", drop, options);
})();
