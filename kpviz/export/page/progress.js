// The list of lessons: what this browser knows of each. Of the app's page and of a course's index.

(() => {
  for (const place of document.querySelectorAll("[data-lesson]")) {
    const { lesson, tasks } = place.dataset;
    let done = 0;
    try {
      const doneCount = Number(localStorage.getItem(`kpviz-done-${lesson}`));
      // Anything else was not written by a lesson.
      if (Number.isSafeInteger(doneCount)) done = Math.min(doneCount, Number(tasks));
    } catch {
      // The browser keeps nothing here.
      document.querySelector(".unkept")?.removeAttribute("hidden");
    }
    if (done > 0) place.textContent = done < Number(tasks) ? ` · ${done} done` : " · ✓ all done";
    place.classList.toggle("all", done > 0 && done === Number(tasks));
  }
})();
