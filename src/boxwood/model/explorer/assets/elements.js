// Elements of the page. Texts of the user's are only ever set as text, never read as markup.

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Okabe and Ito's colours, in an order in which few classes differ most; from the ninth class on they come with a pattern.
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8A8A8A"];
const colour = (k) => COLOURS[k % COLOURS.length];
// Files for print would be a hundred times as large with patterns.
let onPaper = false;
const paint = (k) => (k < COLOURS.length || onPaper ? colour(k) : `url(#pattern${Math.min(k, 3 * COLOURS.length - 1)})`);

// Stripes for classes 8 to 15, dots for 16 and more.
function patterns(classes) {
  const made = [];
  for (let k = COLOURS.length; k < Math.min(classes, 3 * COLOURS.length); k++) {
    const mark = k < 2 * COLOURS.length ? svg("path", { d: "M-1 5 5-1M0 9 9 0", stroke: "#fff", "stroke-width": 2 }) : svg("circle", { cx: 4, cy: 4, r: 1.6, fill: "#fff" });
    made.push(svg("pattern", { id: `pattern${k}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" }, svg("rect", { width: 8, height: 8, fill: colour(k) }), mark));
  }
  return svg("defs", {}, made);
}

const swatch = (k) => svg("svg", { class: "swatch", width: 12, height: 12, "aria-hidden": "true" }, svg("rect", { width: 12, height: 12, rx: 2, fill: paint(k) }));

// The colour of a node where it has no room for words: its class by how sure it is, or its value from pale to deep.
function shade(app, t) {
  if (app.tree.moments) return { colour: colour(app.tree.value[t]), strength: Math.round(8 * confidence(app.tree, t)) / 8 };
  const [low, high] = app.range, part = high > low ? (app.tree.value[t] - low) / (high - low) : 0.5;
  return { colour: COLOURS[0], strength: 0.15 + 0.85 * Math.round(8 * Math.min(Math.max(part, 0), 1)) / 8 };
}

// From the least to the greatest of what nodes predict, spreads included.
function rangeOf(tree) {
  if (tree.moments) return [0, 1];
  let low = Infinity, high = -Infinity;
  for (let t = 0; t < tree.n; t++) {
    const spread = tree.spread ? tree.spread[t] || 0 : 0;
    low = Math.min(low, tree.value[t] - spread);
    high = Math.max(high, tree.value[t] + spread);
  }
  return tree.response.kind === "rate" ? [0, high] : [low, high];
}

// A bar of shares of classes, or a mean with its spread on the range of the tree, `width` wide and 6 high.
function meter(app, facts, width) {
  const { tree, range: [low, high] } = app;
  if (tree.moments) {
    let x = 0;
    const parts = facts.shares.map((share, k) => {
      const part = share > 0 ? svg("rect", { x, width: Math.max(share * width, 0.5), height: 6, fill: paint(k) }) : null;
      x += share * width;
      return part;
    });
    return svg("g", { class: "meter" }, parts);
  }
  const to = (value) => (high > low ? ((Math.min(Math.max(value, low), high) - low) / (high - low)) * width : width / 2);
  return svg("g", { class: "meter" },
    svg("rect", { class: "axis", y: 2.5, width, height: 1 }),
    facts.spread ? svg("rect", { x: to(facts.value - facts.spread), width: Math.max(to(facts.value + facts.spread) - to(facts.value - facts.spread), 1), y: 1, height: 4, rx: 2, fill: COLOURS[4] }) : null,
    svg("circle", { cx: to(facts.value), cy: 3, r: 3.5, fill: COLOURS[0] }));
}

const factsOf = (tree, t) => (tree.moments ? { shares: probability(tree, t) } : { value: tree.value[t], spread: tree.spread ? tree.spread[t] : 0 });

const meterIn = (app, facts, width) => svg("svg", { width, height: 6, viewBox: `0 0 ${width} 6`, "aria-hidden": "true", class: "meterbox" }, meter(app, facts, width));

const table = (heads, rows, caption) => el("table", {},
  caption ? el("caption", {}, caption) : null,
  el("thead", {}, el("tr", {}, heads.map((head, i) => el("th", { scope: "col", class: i ? "number" : null }, head)))),
  el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell, i) => el(i ? "td" : "th", { scope: i ? null : "row", class: i ? "number" : null }, cell))))));

// Announces to screen readers what just happened.
const announce = (words) => { byId("announced").textContent = words; };

async function copyText(text, what) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages in a frame may not use the clipboard; an older method still works there.
    const area = el("textarea", { readonly: true, class: "hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  announce(done ? `${what} copied.` : `${what} could not be copied; select it and copy it by hand.`);
  return done;
}

// Gives the user a file.
function saveFile(name, type, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
