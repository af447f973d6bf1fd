// Draws the tree: boxes with words while they can be read, one shape a colour when there are too many of them.

// Boxes on the screen: their steps, the most lines of a condition, and where condition, prediction and bar are.
const BOX = { width: 212, height: 58, stepX: 272, stepY: 68, conditions: 1, at: [19, 37, 45] };
// More boxes than this in view are drawn as plain shapes.
const MOST_BOXES = 1200;
// Below this scale words cannot be read.
const READABLE = 0.28;

// Where everything is, after nodes were opened or closed.
function arrange(app) {
  app.nodes = visibleNodes(app.tree, app.open, app.cut);
  app.isShown = new Uint8Array(app.tree.n);
  for (const t of app.nodes) app.isShown[t] = 1;
  app.y = tidy(app.tree, app.nodes);
  app.number = numbering(app.tree, app.cut);
  app.below = countBelow(app);
  let width = 0, height = 0;
  for (const t of app.nodes) {
    width = Math.max(width, app.tree.depth[t] * app.box.stepX + app.box.width);
    height = Math.max(height, app.y[t] * app.box.stepY + app.box.height);
  }
  app.extent = { width, height };
}

// Nodes below each node of the tree in view.
function countBelow({ tree, number }) {
  const below = new Int32Array(tree.n);
  for (let t = tree.n - 1; t > 0; t--) if (number[t] >= 0) below[tree.parent[t]] += below[t] + 1;
  return below;
}

const leftOf = (app, t) => app.tree.depth[t] * app.box.stepX;
const topOf = (app, t) => app.y[t] * app.box.stepY;
const hasOpen = (app, t) => app.open[t] === 1 && !isLeaf(app.tree, t, app.cut);

// Visible nodes from top to bottom as they are read: each before what hangs below it.
function readingOrder(app) {
  const order = [], waiting = [0];
  while (waiting.length) {
    const t = waiting.pop();
    order.push(t);
    if (hasOpen(app, t)) for (let c = app.tree.kids[t] - 1; c >= 0; c--) waiting.push(app.tree.first[t] + c);
  }
  return order;
}

// Draws what is in view and a margin around it.
function draw(app) {
  const { x, y, k, width, height } = app.view;
  const area = { left: (-x - width) / k, right: (-x + 2 * width) / k, top: (-y - height) / k, bottom: (-y + 2 * height) / k };
  const inArea = app.nodes.filter((t) => {
    const left = leftOf(app, t), top = topOf(app, t);
    return left < area.right && left + app.box.width > area.left && top < area.bottom && top + app.box.height > area.top;
  });
  const far = inArea.length > MOST_BOXES || (k < READABLE && inArea.length > 300);
  const full = far ? keptInFarView(app) : withKept(app, inArea);
  app.drawn = new Map();
  app.drawnArea = area;
  app.edges = new Map();
  const edges = svg("g", { class: "edges", "aria-hidden": "true" }), group = svg("g", { role: "tree", "aria-label": `${plural(app.nodes.length, "box", "boxes")} of ${plain(app.tree.response.name)}` });
  if (far) edges.append(...farShapes(app));
  const shown = new Set(full);
  for (const t of full.concat(far ? [] : lonelyChildren(app, shown))) {
    const edge = t && !far ? drawEdge(app, t) : null;
    if (edge) { edges.append(edge); app.edges.set(t, edge); }
  }
  for (const t of full) { const box = drawBox(app, t); group.append(box); app.drawn.set(t, box); }
  const focused = app.layer.contains(document.activeElement);
  app.layer.replaceChildren(edges, group);
  mark(app);
  if (focused) focusBox(app);
}

// The focused node and the root are always real elements, so that the keyboard has somewhere to be.
const keptInFarView = (app) => [...new Set([0, app.selected])].filter((t) => app.isShown[t]).sort((a, b) => a - b);

function withKept(app, nodes) {
  const all = new Set(nodes);
  for (const t of keptInFarView(app)) all.add(t);
  const rank = new Map(readingOrder(app).map((t, i) => [t, i]));
  return [...all].sort((a, b) => rank.get(a) - rank.get(b));
}

// Children out of view whose line starts in it.
function lonelyChildren(app, shown) {
  const found = [];
  for (const t of shown) if (hasOpen(app, t)) for (let c = 0; c < app.tree.kids[t]; c++) if (!shown.has(app.tree.first[t] + c)) found.push(app.tree.first[t] + c);
  return found;
}

function edgePath(app, t) {
  const up = app.tree.parent[t], x = leftOf(app, up) + app.box.width, to = leftOf(app, t), middle = (x + to) / 2 + 8;
  const y = topOf(app, up) + app.box.height / 2, end = topOf(app, t) + app.box.height / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${to} ${end}`;
}

// As wide as the share of rows.
const drawEdge = (app, t) => svg("path", { d: edgePath(app, t), class: app.tree.rows[t] ? "edge" : "edge empty", "stroke-width": Math.max(14 * app.tree.rowWeight[t] / (app.tree.rowWeight[0] || 1), 1).toFixed(2) });

function drawBox(app, t) {
  const { tree } = app, leaf = isLeaf(tree, t, app.cut), up = tree.parent[t];
  // On paper, a box at the edge of a figure names the figure that goes on there, which has its rows.
  const further = onPaper && !leaf && !app.open[t] ? `▸ node ${app.number[t]}` : "", rows = further || (tree.marks.has(t) ? "† " : "") + rowsBrief(tree, t);
  const { width, height, at } = app.box, conditions = conditionLines(app, t), end = width - (leaf || onPaper ? 10 : 20);
  const box = svg("g", {
    id: `box${t}`, role: "treeitem", tabindex: t === app.selected ? 0 : -1, "data-node": t, class: `node${leaf ? " leaf" : ""}${tree.edited.has(t) ? " edited" : ""}`,
    transform: `translate(${leftOf(app, t)} ${topOf(app, t)})`, "aria-level": tree.depth[t] + 1,
    "aria-posinset": up < 0 ? 1 : t - tree.first[up] + 1, "aria-setsize": up < 0 ? 1 : tree.kids[up],
    "aria-expanded": leaf ? null : String(hasOpen(app, t)),
  },
  // The name of the box for those who listen, and what shows when the pointer rests.
  svg("title", {}, boxLabel(app, t, leaf)),
  svg("rect", { class: "box", width, height, rx: 7 }),
  svg("g", { "aria-hidden": "true" },
    conditions.map((line, i) => svg("text", { class: "condition", x: 10, y: at[0] - 15 * (conditions.length - 1 - i) }, line)),
    svg("text", { class: "predicted", x: 10, y: at[1] }, predictionIn(tree, t, end - 18 - textWidth(rows, "predicted"))),
    svg("text", { class: "rows", x: end, y: at[1], "text-anchor": "end" }, rows),
    svg("g", { transform: `translate(10 ${at[2]})` }, meter(app, factsOf(tree, t), width - 20))));
  if (!leaf) box.append(knob(app, t));
  return box;
}

// Where a condition is too long, missing values are left out before anything else.
const isCut = (lines) => lines.some((line) => line.includes("…"));
function conditionLines(app, t) {
  const words = branchWords(app.tree, t), fitted = (text) => inLines(text, app.box.width - 20, "condition", app.box.conditions), lines = fitted(words);
  return isCut(lines) ? fitted(words.replace(/ or missing$/, " …")) : lines;
}

// A prediction in at most this width: without its interval, and with a shorter label, but never without its figure.
function predictionIn(tree, t, width) {
  if (branchesByHand(tree, t)) return shorten(`† ${tree.edited.get(t).words}`, width, "predicted");
  const words = predictionWords(tree, t), { labels } = tree.response;
  if (!labels.length || textWidth(words, "predicted") <= width) return shorten(words, width, "predicted");
  const label = levelWords(labels[tree.value[t]]), rest = words.slice(label.length, words.length - sureWords(tree, t).length);
  return shorten(label, width - textWidth(rest, "predicted"), "predicted") + rest;
}

const boxLabel = (app, t, leaf) => `${branchWords(app.tree, t, 12)}; predicts ${predictionWords(app.tree, t)}; ${rowsWords(app.tree, t)}${byHand(app.tree, t)}${leaf ? "; leaf" : `; ${plural(app.below[t], "node")} below`}`;

// What opens and closes a node: how many nodes hang below a closed one. Longer ones grow away from the box.
function knob(app, t) {
  const open = hasOpen(app, t), words = open ? "−" : `+${amount(app.below[t])}`, width = Math.max(18, textWidth(words, "knob") + 10);
  return svg("g", { class: "knob", "aria-hidden": "true", "data-knob": t, transform: `translate(${app.box.width} ${app.box.height / 2})` },
    svg("rect", { x: -9, y: -9, width, height: 18, rx: 9 }), svg("text", { x: width / 2 - 9, y: 4, "text-anchor": "middle" }, words));
}

// All boxes as few shapes: one for the lines, one for each colour.
function farShapes(app) {
  const lines = [], colours = new Map();
  for (const t of app.nodes) {
    if (t) lines.push(edgePath(app, t));
    const { colour: fillColour, strength } = shade(app, t), key = `${fillColour} ${strength}`;
    if (!colours.has(key)) colours.set(key, { fill: fillColour, "fill-opacity": strength, d: [] });
    colours.get(key).d.push(`M${leftOf(app, t)} ${topOf(app, t)}h${app.box.width}v${app.box.height}h${-app.box.width}z`);
  }
  return [svg("path", { class: "edge", d: lines.join(""), "stroke-width": 2 }), ...[...colours.values()].map((shape) => svg("path", { ...shape, d: shape.d.join("") }))];
}

// Which boxes are chosen, on the path, found or dimmed.
function mark(app) {
  const path = new Set(pathTo(app.tree, app.selected));
  for (const [t, box] of app.drawn) {
    box.classList.toggle("selected", t === app.selected);
    box.classList.toggle("onpath", path.has(t));
    box.classList.toggle("live", app.live.has(t));
    box.classList.toggle("dim", app.found !== null && !app.found.has(t));
    box.classList.toggle("found", app.found !== null && app.found.has(t));
    box.setAttribute("aria-selected", String(t === app.selected));
    box.setAttribute("tabindex", t === app.selected ? 0 : -1);
  }
  for (const [t, edge] of app.edges) {
    edge.classList.toggle("onpath", path.has(t));
    edge.classList.toggle("live", app.live.has(t));
  }
}

// Fonts of the texts in boxes, as in the style; widths are measured, since names may be of any script.
const FONTS = { condition: "600 12.5px", predicted: "12.5px", knob: "11px" };
let ruler = null;

function textWidth(text, kind) {
  ruler = ruler || document.createElement("canvas").getContext("2d");
  ruler.font = `${FONTS[kind]} ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}

// The text, or its beginning and end with "…" between them, as long as that fits; characters are not cut in half.
function shortened(text, fits) {
  if (fits(text)) return text;
  const signs = [...text], kept = (n) => signs.slice(0, (n + 1) >> 1).join("") + "…" + signs.slice(signs.length - (n >> 1)).join("");
  let low = 0, high = signs.length;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (fits(kept(half))) low = half;
    else high = half - 1;
  }
  return kept(low);
}

const shorten = (text, width, kind) => shortened(text, (words) => textWidth(words, kind) <= width);

// The text in at most so many lines, broken at blanks (not behind a sign of comparison) and between wide characters.
function inLines(text, width, kind, most) {
  const lines = (words) => words.split(/(?<=[^≤<>=]\s|[\u2e80-\uffef])/).reduce((all, piece) => {
    const longer = all[all.length - 1] + piece;
    return all.length < most && textWidth(longer.trimEnd(), kind) > width ? [...all, piece] : [...all.slice(0, -1), longer];
  }, [""]).filter(Boolean);
  return lines(shortened(text, (words) => lines(words).every((line) => textWidth(line.trimEnd(), kind) <= width)));
}
