// What Streamlit makes a stop of Tab, so that keys scroll it, has no name of its own.

const MAIN = "kpviz: all of the page";

export const nameMain = () => document.querySelector(".stMain")?.setAttribute("aria-label", MAIN);
