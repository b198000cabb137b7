import { make } from "./dom.js";
import { word } from "./i18n.js";

const size = (bytes) => (bytes > 1048576 ? `${(bytes / 1048576).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`);

/** Message, attachments and the two drop zones. `submit({message, files})` is called when the user sends. */
export class Composer {
  constructor(submit, stop) {
    this.files = [];
    this.submit = submit;
    this.busy = false;
    this.form = document.getElementById("composer");
    this.message = document.getElementById("message");
    this.chips = document.getElementById("chips");
    this.sendButton = document.getElementById("send");
    this.stopButton = document.getElementById("stop");
    this.startButton = document.getElementById("start-review");
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.send(); });
    this.stopButton.addEventListener("click", stop);
    this.startButton.addEventListener("click", () => this.send(word("review_request")));
    this.message.addEventListener("input", () => this.grow());
    // Enter of an input method confirms a word; it must not send a half-typed message.
    this.message.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) { event.preventDefault(); this.send(); }
    });
    const picker = document.getElementById("files");
    picker.addEventListener("change", () => { this.add([...picker.files]); picker.value = ""; });
    this.zones = ["zone-plan", "zone-report"].map((id) => this.zone(document.getElementById(id)));
    this.dropTarget(document.querySelector("main"), (files) => this.add(files));
  }

  dropTarget(node, take) {
    node.addEventListener("dragover", (event) => { event.preventDefault(); event.stopPropagation(); node.classList.add("over"); });
    node.addEventListener("dragleave", () => node.classList.remove("over"));
    node.addEventListener("drop", (event) => { event.preventDefault(); event.stopPropagation(); node.classList.remove("over"); take([...event.dataTransfer.files]); });
  }

  zone(node) {
    const zone = { node, file: null, label: node.querySelector("em") };
    const input = node.querySelector("input");
    const take = (files) => {
      if (!files.length) return;
      if (zone.file) this.remove(zone.file);
      zone.file = files[0];
      this.add(files);
    };
    input.addEventListener("change", () => { take([...input.files]); input.value = ""; });
    this.dropTarget(node, take);
    return zone;
  }

  add(files) {
    this.files.push(...files);
    this.draw();
  }

  remove(file) {
    this.files = this.files.filter((other) => other !== file);
    this.draw();
  }

  clear() {
    this.files = [];
    this.draw();
  }

  draw() {
    for (const zone of this.zones) {
      if (zone.file && !this.files.includes(zone.file)) zone.file = null;
      zone.node.classList.toggle("filled", Boolean(zone.file));
      zone.label.replaceChildren(zone.file ? `${zone.file.name} (${size(zone.file.size)})` : "");
    }
    this.chips.replaceChildren(...this.files.map((file) => make("li", {}, `${file.name} (${size(file.size)})`,
      make("button", { type: "button", "aria-label": word("remove_file", { name: file.name }), onclick: () => this.remove(file) }, "×"))));
    this.startButton.disabled = this.busy || !this.files.length;
  }

  grow() {
    this.message.style.height = "auto";
    this.message.style.height = `${this.message.scrollHeight + 2}px`;
  }

  setBusy(busy) {
    this.busy = busy;
    this.sendButton.hidden = busy;
    this.stopButton.hidden = !busy;
    this.draw();
  }

  async send(fallback = "") {
    const message = this.message.value.trim() || fallback;
    if (this.busy || (!message && !this.files.length)) { this.message.focus(); return; }
    const files = this.files;
    const typed = this.message.value;
    this.message.value = "";
    this.grow();
    this.clear();
    const accepted = await this.submit({ message, files });
    if (!accepted) { this.message.value = typed; this.files = files; this.draw(); this.grow(); } // nothing typed or chosen is lost
  }
}
