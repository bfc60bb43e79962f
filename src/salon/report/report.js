"use strict";
// Everything a model wrote reaches the page through textContent, never as markup.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const shown = read("gallery-data");
const pairs = read("pairs-data");
const rooms = document.getElementById("rooms");
const plate = document.getElementById("plate");
const body = document.getElementById("plate-body");
const number = (value, digits = 2) => {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
};
const signed = (value) => (value > 0 ? "+" : "") + number(value);
const brief = (value) => number(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);

function make(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null));
  return element;
}

// ---- code, lightly coloured

const TOKENS = /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<!--[\s\S]*?(?:-->|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?)|\b(\d+(?:\.\d+)?)\b|\b(function|const|let|var|for|of|in|if|else|return|while|new|async|await|true|false|null)\b|\b(brush\.\w+)/g;

function code(source) {
  const block = make("pre", "code");
  block.tabIndex = 0;
  block.setAttribute("role", "region");
  block.setAttribute("aria-label", "Code");
  let end = 0;
  for (const match of source.matchAll(TOKENS)) {
    block.append(source.slice(end, match.index));
    const kind = ["c", "s", "n", "k", "b"][match.slice(1).findIndex((part) => part !== undefined)];
    block.append(make("span", kind, match[0]));
    end = match.index + match[0].length;
  }
  block.append(source.slice(end));
  return block;
}

// ---- frames and cards

function frame(uri, failure, label) {
  if (uri) {
    const image = make("img");
    image.src = uri;
    image.alt = label;
    return make("span", "frame", image);
  }
  return make("span", "frame", make("span", "empty", "no picture", make("code", "", (failure || "").replaceAll("_", " "))));
}

function parts(sample) {
  const line = make("span", "parts");
  sample.terms.forEach((term, index) => {
    if (term[2] > 0) {
      const part = make("i", `fill-${index % 6}`);
      part.style.width = `${Math.min(100, 100 * term[2])}%`;
      line.append(part);
    }
  });
  return line;
}

function advantage(sample) {
  if (sample.advantage === null) return make("span", "", sample.total === null ? "no reward" : "");
  return make("span", sample.advantage > 0 ? "up" : sample.advantage < 0 ? "down" : "", signed(sample.advantage));
}

function card(sample, prompt, order) {
  const button = make("button", "card");
  button.type = "button";
  button.setAttribute("aria-label", `Reward ${number(sample.total)}${sample.failure ? `, ${sample.failure[0]}` : ""}: look closely`);
  const picture = frame(shown.pictures[sample.picture], sample.failure && sample.failure[0], "");
  button.append(picture, make("span", "sum", make("b", "", number(sample.total)), advantage(sample)), parts(sample));
  button.addEventListener("click", () => openSample(order, order.findIndex((entry) => entry.sample === sample)));
  return button;
}

function room(group, best, order) {
  const samples = best ? [...group.samples].sort((a, b) => (b.total ?? -Infinity) - (a.total ?? -Infinity)) : group.samples;
  const totals = samples.map((sample) => sample.total).filter((total) => total !== null);
  const mean = totals.length ? `mean reward ${number(totals.reduce((sum, total) => sum + total, 0) / totals.length)}` : "no rewards";
  samples.forEach((sample) => order.push({ sample, prompt: group.prompt }));
  const cards = make("div", "cards", ...samples.map((sample) => card(sample, group.prompt, order)));
  return make("div", "room", make("h3", "", group.prompt, make("span", "", mean)), cards);
}

// ---- one answer, closely

function termsTable(sample) {
  const cells = (name, values) => make("tr", "", ...values.map((value) => make(name, "", value)));
  const head = make("thead", "", cells("th", ["term", "raw", "normalised", "weighted", "status", "reason"]));
  const rows = sample.terms.map((term, index) => {
    const name = make("span", "", make("i", `key fill-${index % 6}`), shown.terms[index]);
    return cells("td", [name, number(term[0], 3), number(term[1], 3), number(term[2], 3), (term[3] || "–").replaceAll("_", " "), term[4] || ""]);
  });
  const sum = cells("td", ["total", "", "", number(sample.total, 3), sample.advantage === null ? "" : `advantage ${signed(sample.advantage)}`, ""]);
  return make("div", "terms-table", make("table", "", head, make("tbody", "", ...rows, sum)));
}

function failureNote(failure) {
  if (!failure) return null;
  const fault = failure[2] ? ` (the ${failure[2]}’s fault)` : "";
  return make("p", "failure", make("code", "", failure[0]), `${fault} ${failure[1]}`);
}

function control(text, label, act) {
  const button = make("button", "", text);
  button.type = "button";
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
}

function openPlate(title, content, step) {
  const turn = step ? [control("←", "Previous", () => step(-1)), control("→", "Next", () => step(1))] : [];
  const controls = make("span", "", ...turn, control("Close", "Close", () => plate.close()));
  body.replaceChildren(make("div", "close", make("span", "", title), controls), content);
  plate.onkeydown = (event) => {
    if (!step || event.target.closest(".code")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  };
  if (!plate.open) plate.showModal();
  plate.scrollTop = 0;
}

function openSample(order, index) {
  const { sample, prompt } = order[index];
  const facts = [`seed ${sample.seed}`, `${sample.tokens} tokens${sample.truncated ? ", cut off" : ""}`];
  if (sample.seconds) facts.push(`rendered in ${sample.seconds.toFixed(1)} s`);
  const left = make("div", "", frame(shown.pictures[sample.picture], sample.failure && sample.failure[0], prompt));
  left.append(make("p", "meta", facts.join(" · ")));
  const failed = failureNote(sample.failure);
  if (failed) left.append(failed);
  const right = make("div", "", make("h4", "", prompt), code(sample.source));
  if (!sample.extracted) right.append(make("p", "meta", "No sketch was found in this reply; it is shown as it came."));
  const title = `Answer ${index + 1} of ${order.length} · reward ${number(sample.total)}`;
  openPlate(title, make("div", "closely", left, right, termsTable(sample)), (by) => openSample(order, (index + by + order.length) % order.length));
}

function openPair(index) {
  const pair = pairs[index];
  const images = [...document.querySelectorAll(`[data-pair="${index}"] .frame`)].map((element) => element.querySelector("img"));
  const sides = pair.sides.map(([source, failure], side) => {
    const column = make("div", "", make("h4", "", side ? "After" : "Before"), frame(images[side] && images[side].src, failure, side ? "after" : "before"));
    if (failure) column.append(failureNote([failure.split(": ", 1)[0], failure.split(": ").slice(1).join(": "), ""]));
    column.append(code(source || ""));
    return column;
  });
  const odds = pair.p === null ? "not judged" : `after wins with ${number(pair.p)}`;
  const reason = pair.reason ? ` · ${pair.reason}` : "";
  openPlate(`${pair.prompt} · seed ${pair.seed} · ${odds}${reason}`, make("div", "closely two", ...sides), (by) => openPair((index + by + pairs.length) % pairs.length));
}

// ---- choosing a step

const slider = document.getElementById("step");
const best = document.getElementById("best");

function show(index) {
  const entry = shown.steps[index];
  const samples = entry.groups.flatMap((group) => group.samples);
  const rendered = samples.filter((sample) => sample.picture && !sample.failure).length;
  const order = [];
  rooms.replaceChildren(...entry.groups.map((group) => room(group, best.checked, order)));
  slider.value = index;
  document.getElementById("where").textContent = `Step ${entry.step} · ${rendered} of ${samples.length} render`;
  slider.setAttribute("aria-valuetext", `step ${entry.step}`);
  document.getElementById("earlier").disabled = index === 0;
  document.getElementById("later").disabled = index === shown.steps.length - 1;
}

function nearest(step) {
  const far = (index) => Math.abs(shown.steps[index].step - step);
  return shown.steps.reduce((found, _, index) => (far(index) < far(found) ? index : found), 0);
}

function visit(step) {
  if (!slider || !shown.steps.length) return;
  show(nearest(step));
  document.getElementById("gallery").scrollIntoView();
}

if (slider && shown.steps.length) {
  slider.max = shown.steps.length - 1;
  slider.addEventListener("input", () => show(Number(slider.value)));
  best.addEventListener("change", () => show(Number(slider.value)));
  document.getElementById("earlier").addEventListener("click", () => show(Number(slider.value) - 1));
  document.getElementById("later").addEventListener("click", () => show(Number(slider.value) + 1));
  show(shown.steps.length - 1);
}
for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => visit(Number(button.dataset.step)));
for (const button of document.querySelectorAll("[data-pair]")) button.addEventListener("click", () => openPair(Number(button.dataset.pair)));
plate.addEventListener("click", (event) => event.target === plate && plate.close());

// ---- reading a curve

for (const chart of document.querySelectorAll("[data-points]")) {
  const points = JSON.parse(chart.dataset.points);
  const [first, last, left, right] = JSON.parse(chart.dataset.span);
  const readout = chart.closest("figure").querySelector(".readout");
  const cursor = chart.querySelector(".cursor");
  const resting = readout.textContent;
  const under = (event) => {
    const box = chart.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    const step = first + ((x - left) / (right - left)) * (last - first);
    return points.reduce((found, point) => (Math.abs(point[0] - step) < Math.abs(found[0] - step) ? point : found), points[0]);
  };
  chart.addEventListener("pointermove", (event) => {
    const [step, value] = under(event);
    const x = left + ((step - first) / Math.max(last - first, 1)) * (right - left);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    chart.classList.add("reading");
    readout.textContent = `step ${step}: ${brief(value)}`;
  });
  chart.addEventListener("pointerleave", () => {
    chart.classList.remove("reading");
    readout.textContent = resting;
  });
  chart.addEventListener("click", (event) => visit(under(event)[0]));
}
