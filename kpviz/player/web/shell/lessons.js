// Streamlit calls this when it shows the list of lessons, which is a page of words alone.

import { nameMain } from "./landmark.js";

export default function mount() {
  nameMain();
}
