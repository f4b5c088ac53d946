/** `<cpl-try>`: an example of the documentation that can be edited and run where it stands. */

import { make } from "../../../cpl/study/views/static/elements.js";
import { CplEditor } from "./parts/editor.js";
import { Python, Refused, Stopped } from "./parts/python.js";

/** All examples of a page share one Python, which starts when the first of them is opened. */
/** @type {Python | undefined} */
let python;
/** @type {Set<(state: string, words: string) => void>} */
const listeners = new Set();

function shared() {
  python ??= new Python((state, words) => {
    for (const listener of listeners) listener(state, words);
  });
  return python;
}

class Try extends HTMLElement {
  connectedCallback() {
    const listing = this.querySelector("pre");
    if (!listing || location.protocol === "file:" || this.querySelector(".try-open")) return;
    const open = make("button", { type: "button", class: "try-open", onclick: () => this.#open(listing, open) }, [
      "Edit and run",
    ]);
    this.append(open);
  }

  /**
   * @param {HTMLElement} listing
   * @param {HTMLElement} open
   */
  #open(listing, open) {
    const text = (listing.textContent ?? "").replace(/\n$/, "");
    const state = make("span", { role: "status" });
    const call = make("input", { spellcheck: "false", autocomplete: "off" });
    const stop = make("button", { type: "button", onclick: () => python?.stop() }, ["Stop"]);
    const output = make("pre", { tabindex: "0", "aria-live": "polite" });
    const form = make("form", { class: "try-bar" }, [
      make("label", {}, ["Call ", call]),
      make("button", { type: "submit" }, ["Run"]),
      stop,
      state,
    ]);
    const place = make("div", { class: "try-editor" });
    this.replaceChildren(place, form, output);
    listeners.add((now, words) => {
      state.textContent = words;
      stop.toggleAttribute("disabled", now !== "busy");
    });
    const editor = new CplEditor({
      parent: place,
      text,
      label: "Program in CPL",
      python: shared(),
      program: () => ({ name: "", reading: "set" }),
      run: () => form.requestSubmit(),
    });
    editor.check();
    editor.view.focus();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      output.className = "";
      output.textContent = "…";
      try {
        const asked = { name: "", reading: "set", text: editor.text, call: call.value };
        const { written, values, fault } = await shared().ask("run", asked);
        output.textContent = [written, ...values, fault].filter(Boolean).join("\n") || "It ran, and wrote nothing.";
      } catch (error) {
        if (!(error instanceof Refused || error instanceof Stopped)) throw error;
        output.className = "fault";
        output.textContent = error.message === "stopped" ? "Stopped." : error.message;
      }
    });
    open.remove();
  }
}

customElements.define("cpl-try", Try);
