// The list of lessons: a file of one's own, which is opened where it is dropped.

(() => {
  const list = document.querySelector(".kpviz-lessons");
  const status = list.querySelector(".own");

  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const over = (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.querySelector(".kpviz-lessons")?.classList.toggle("over", event.type === "dragover");
  };
  const dropped = async (event) => {
    if (!carriesFiles(event) || !list.isConnected) return;
    over(event);
    const [file, other] = event.dataTransfer.files;
    if (!file || other) status.textContent = "Drop one file, please.";
    else if (!/\.kpviz\.md$/i.test(file.name)) {
      status.textContent = `${file.name} is no lesson: its name ends in .kpviz.md.`;
    } else {
      try {
        sessionStorage.setItem("kpviz-lesson-text", await file.text());
        location.assign("./?lesson=~");
      } catch {
        status.textContent = "This browser keeps nothing here: drop the file on the board.";
      }
    }
  };
  window.kpvizDrops?.abort();
  window.kpvizDrops = new AbortController();
  const options = { signal: window.kpvizDrops.signal };
  for (const name of ["dragover", "dragleave"]) window.addEventListener(name, over, options);
  window.addEventListener("drop", dropped, options);
})();
