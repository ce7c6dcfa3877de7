// Predict mode: a question before each verdict, and a running score.

export class Predict {
  on = false;
  right = 0;
  asked = 0;
  /** @type {string | null} */
  answer = null; // what is said of the guess, until the next step

  toggle() {
    Object.assign(this, { on: !this.on, right: 0, asked: 0, answer: null });
  }

  /** Take the answer to "will it be a mistake?"; return whether it was right. */
  take(guess, mistake) {
    this.asked += 1;
    const good = guess === mistake;
    if (good) this.right += 1;
    this.answer = good ? "Right." : "Not this time.";
    return good;
  }

  get score() {
    return this.on ? `predicted ${this.right} of ${this.asked}` : "";
  }
}
