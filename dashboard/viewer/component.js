/* The table in a page of Streamlit, which calls this again with new data. */

import { Viewer } from "./viewer.js";

const viewers = new WeakMap();

function write(place) {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(place)) address.searchParams.set(key, value);
  history.replaceState(history.state, "", address);
}

export default function ({ data: [data], parentElement, setTriggerValue }) {
  if (!viewers.has(parentElement)) viewers.set(parentElement, new Viewer(parentElement, write));
  const viewer = viewers.get(parentElement);
  viewer.fork = data.fork ? (event) => setTriggerValue("fork", event) : undefined;
  viewer.show(data);
  return () => {
    viewers.get(parentElement)?.close();
    viewers.delete(parentElement);
  };
}
