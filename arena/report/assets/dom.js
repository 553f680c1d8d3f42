// Elements made by code. Text goes in as text nodes, so nothing a bot wrote is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
const bdi = (text) => el("bdi", {}, text);
const idOf = (text) => el("bdi", { class: "id" }, text);
const button = (label, text, onclick, more) => el("button", { type: "button", "aria-label": label, title: label, onclick, ...more }, text);

const ICONS = {
  start: "M1 2h2v12H1zM9 2v12L3 8zM15 2v12L9 8z", back: "M13 2v12L6 8zM3 2h1.6v12H3z", play: "M4 2v12l9-6z",
  pause: "M3 2h3.5v12H3zM9.5 2H13v12H9.5z", on: "M3 2v12l7-6zM11.4 2H13v12h-1.6z", end: "M13 2h2v12h-2zM7 2v12l6-6zM1 2v12l6-6z",
};
const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

function table(caption, heads, rows) {
  const head = heads.map((title) => el("th", { scope: "col", class: title.num ? "num" : null }, title.text ?? title));
  const body = rows.map((cells) => el("tr", {}, cells.map((cell, i) =>
    el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: heads[i].num ? "num" : null }, cell))));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
}

const points = (half) => (half % 2 ? `${half > 1 ? (half - 1) / 2 : ""}½` : `${half / 2}`);
const fragment = () => new URLSearchParams(location.hash.slice(1));
