/* The table in a page of Streamlit, which calls this again with new data. */

import { Viewer } from "./viewer.js";

const viewers = new WeakMap();

function write(place) {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(place)) address.searchParams.set(key, value);
  history.replaceState(history.state, "", address);
}

export default function ({ data, parentElement }) {
  if (!viewers.has(parentElement)) viewers.set(parentElement, new Viewer(parentElement, write));
  viewers.get(parentElement).show(data);
  return () => {
    viewers.get(parentElement)?.close();
    viewers.delete(parentElement);
  };
}
