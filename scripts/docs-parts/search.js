// The search over search-index.js, which defines `entries`: title, kind, address, text.
"use strict";
const root = document.currentScript.dataset.root;
const box = document.querySelector(".search");
const input = box.querySelector("input");
const list = document.getElementById("results");
const most = 40;
let isLoading = false;

box.hidden = false;

function load() {
  if (isLoading) return;
  isLoading = true;
  const script = document.createElement("script");
  script.src = root + "search-index.js";
  script.onload = show;
  document.head.append(script);
}

// Larger is better; 0: some word is nowhere.
function score(entry, words) {
  const title = entry[0].toLowerCase();
  const name = title.replace(/\(.*/, "").split(".").pop();
  let sum = 0;
  for (const word of words) {
    if (title === word || name === word) sum += 100;
    else if (name.startsWith(word) || title.startsWith(word)) sum += 60;
    else if (title.includes(word)) sum += 40;
    else if (entry[1].toLowerCase().includes(word)) sum += 8;
    else if (entry[3].toLowerCase().includes(word)) sum += 5;
    else return 0;
  }
  // Of two equal ones, the shorter name is meant.
  return sum - Math.min(title.length, 80) / 100;
}

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word);
  list.replaceChildren();
  list.hidden = words.length === 0 || typeof entries === "undefined";
  if (list.hidden) return;
  const found = entries.map((entry) => [score(entry, words), entry]).filter((each) => each[0] > 0);
  found.sort((one, other) => other[0] - one[0]);
  for (const [, [title, kind, address, text]] of found.slice(0, most)) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = root + address;
    for (const [tag, name, content] of [["b", "", title], ["span", "kind", kind], ["span", "text", text]]) {
      const part = document.createElement(tag);
      part.className = name;
      part.textContent = content;
      link.append(part);
    }
    item.append(link);
    list.append(item);
  }
  if (found.length === 0) {
    const item = document.createElement("li");
    item.className = "none";
    item.textContent = "Nothing is called so.";
    list.append(item);
  } else {
    list.firstChild.className = "chosen";
  }
}

function move(step) {
  const items = [...list.querySelectorAll("li")], at = items.findIndex((item) => item.className === "chosen");
  const next = items[at + step];
  if (!next || at < 0) return;
  items[at].className = "";
  next.className = "chosen";
  next.scrollIntoView({ block: "nearest" });
}

input.addEventListener("focus", load);
input.addEventListener("input", () => { load(); show(); });
input.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    list.querySelector(".chosen a")?.click();
  } else if (event.key === "Escape") {
    list.hidden = true;
  }
});
list.addEventListener("click", (event) => { if (event.target.closest("a")) list.hidden = true; });
document.addEventListener("click", (event) => { if (!box.contains(event.target)) list.hidden = true; });
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  input.value = asked;
  load();
}
