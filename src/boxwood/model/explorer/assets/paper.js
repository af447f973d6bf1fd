// The tree on paper: one figure if it can be read, else several, each with the path to its root.

// Width and height of a figure in pixels; the scale of figures, and the least at which words can be read (5 points).
const PAPER = { width: 700, height: 880, usual: 0.68, least: 0.53, most: 60 };

function setUpPaper(app) {
  addEventListener("beforeprint", () => byId("paper").replaceChildren(...printed(app)));
  addEventListener("afterprint", () => byId("paper").replaceChildren());
}

function printed(app) {
  onPaper = true;
  const all = figuresOf(app.tree, app.cut), rest = all.length - PAPER.most;
  const parts = all.slice(0, PAPER.most).map((figure) => drawFigure(app, figure));
  if (rest > 0) parts.push(el("p", {}, `${plural(rest, "part")} more can be seen in the explorer.`));
  onPaper = false;
  return parts;
}

// The parts of the tree of row `cut` that are drawn one by one: { root, open, nodes }, in the order of their numbers.
function figuresOf(tree, cut) {
  const whole = figureFrom(tree, cut, 0, PAPER.least), figures = [];
  if (!continued(tree, cut, whole).length) return [whole];
  for (const waiting = [0]; waiting.length; ) {
    const figure = figureFrom(tree, cut, waiting.shift(), PAPER.usual);
    figures.push(figure);
    waiting.push(...continued(tree, cut, figure));
  }
  return figures;
}

// What fits on a page below a node, level by level; the children of the node in any case.
function figureFrom(tree, cut, root, scale) {
  const open = new Uint8Array(tree.n), deepest = Math.floor((PAPER.width / scale - BOX.width) / BOX.stepX);
  let room = Math.floor(PAPER.height / scale / BOX.stepY) - 1;
  for (const waiting = [root]; waiting.length; ) {
    const t = waiting.shift(), more = tree.kids[t] - 1;
    if (isLeaf(tree, t, cut) || (t !== root && (more > room || tree.depth[t] - tree.depth[root] >= deepest))) continue;
    open[t] = 1;
    room -= more;
    for (let c = 0; c < tree.kids[t]; c++) waiting.push(tree.first[t] + c);
  }
  return { root, open, nodes: visibleNodes(tree, open, cut, root) };
}

// Nodes at the edge of a figure that have one of their own.
const continued = (tree, cut, { open, nodes }) => nodes.filter((t) => !open[t] && !isLeaf(tree, t, cut));

function drawFigure(app, { root, open, nodes }) {
  const { tree, number } = app, here = { ...app, open, y: tidy(tree, nodes) }, left = leftOf(here, root);
  const right = Math.max(...nodes.map((t) => leftOf(here, t))) + BOX.width + 70 - left, high = Math.max(...nodes.map((t) => topOf(here, t))) + BOX.height;
  const boxes = nodes.map((t) => onPage(here, t)), edges = nodes.filter((t) => t !== root).map((t) => drawEdge(here, t));
  const scale = Math.min(PAPER.width / right, PAPER.height / high, PAPER.usual + 0.12), path = ruleWords(tree, root).join(" and ");
  // The heading is a part of the first figure, so that no page ends with it.
  const title = [el("h2", {}, `Tree for ${plain(tree.response.name)}`), el("ul", { class: "legend" }, legendItems(app))];
  return el("figure", {},
    root ? el("figcaption", {}, el("b", {}, `Node ${number[root]}`), `: ${path}`) : title,
    svg("svg", { class: "drawn", viewBox: `${left - 1} -1 ${right + 2} ${high + 2}`, width: (right * scale).toFixed(1), height: (high * scale).toFixed(1), role: "img" }, edges, boxes));
}

// A box without what only a screen needs; at the edge of a figure, the number of the figure that goes on.
function onPage(app, t) {
  const box = drawBox(app, t), goesOn = !isLeaf(app.tree, t, app.cut) && !app.open[t];
  for (const name of ["id", "tabindex"]) box.removeAttribute(name);
  box.querySelector(".knob")?.remove();
  if (goesOn) box.append(svg("text", { class: "further", x: BOX.width + 8, y: BOX.height / 2 + 4 }, `▸ node ${app.number[t]}`));
  return box;
}
