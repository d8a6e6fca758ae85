/* The host's password. */

import { make } from "./dom.js";
import { bar, post, words } from "./basics.js";

const form = document.querySelector(".login");
const field = make("input");
const problem = make("p", "problem");
const label = make("label", "", words.password, field);
const enter = make("button", "main", words.login);
field.type = "password";
field.autocomplete = "current-password";
problem.role = "alert";
form.append(label, enter, problem);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/login", { password: field.value });
  if (answer.ok) location.assign("/");
  else problem.textContent = answer.error;
});
bar();
field.focus();
