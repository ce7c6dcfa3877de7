// The place that the code on a lecturer's stage names behind the address of a folder of pages, as
// #lesson-07.2.120: a lesson by its first letters, a scene and a step. kpviz/service/join.py
// writes it, and the list of lessons (kpviz/export/page/progress.js) leads on to the lesson.

/** Take scene and step out of the address, so that a reload goes where one has gone since. */
export function takeClassPlace() {
  const { hash, pathname, search } = location;
  const place = /^#[^.]+\.(\d+)(?:\.(\d+))?$/.exec(hash);
  if (!place) return null;
  history.replaceState(history.state, "", pathname + search);
  const [, scene, step = null] = place;
  return { scene: Number(scene) - 1, step: step === null ? null : Number(step) };
}
