// The list of lessons: what this browser knows of each. Of the app's page and of a course's index.

(() => {
  for (const place of document.querySelectorAll("[data-lesson]")) {
    const { lesson, tasks } = place.dataset;
    let done = 0;
    try {
      const kept = Number(localStorage.getItem(`kpviz-done-${lesson}`));
      // Else something else wrote it.
      if (Number.isSafeInteger(kept)) done = Math.min(kept, Number(tasks));
    } catch {
      // The browser keeps nothing here.
      document.querySelector(".unkept")?.removeAttribute("hidden");
    }
    if (done > 0) place.textContent = done < Number(tasks) ? ` · ${done} done` : " · ✓ all done";
    place.classList.toggle("all", done > 0 && done === Number(tasks));
  }
})();
