// The tree on paper: on one page if it can be read there, else in parts, each with the path to its root.

// What A4 and Letter have inside their margins, upright and lying, in pixels.
const PAGES = { tall: { width: 700, height: 950 }, wide: { width: 950, height: 700 } };
// The scale of figures: words are 12.5 pixels high, so 5 points at the least.
const SCALE = { most: 0.8, usual: 0.68, least: 0.534 };
// Trees of more leaves are drawn in parts. A part takes at most two thirds of a page, so that none is left two thirds empty.
const WHOLE = { leaves: 30 }, PART = { ends: 22, levels: 5, share: 2 / 3, count: 60 };
// Boxes on paper: the least and most width, the space between them, and their size with so many lines of a condition.
const PRINTED = { width: 170, widest: 320, gap: 26, conditions: [1, 2, 3] };
const printedBox = (n) => ({ height: 28 + 15 * n, stepY: 33 + 15 * n, conditions: n, at: [15 * n, 15 + 15 * n, 19 + 15 * n] });

function setUpPaper(app) {
  const paper = byId("paper");
  addEventListener("beforeprint", () => {
    onPaper = true;
    const { figures, page, rest } = figuresOf(app);
    paper.className = page;
    paper.replaceChildren(...figures.map((figure) => drawFigure(app, figure)));
    if (rest > 0) paper.append(el("p", {}, `${plural(rest, "part")} more can be seen in the explorer.`));
    onPaper = false;
  });
  addEventListener("afterprint", () => paper.replaceChildren());
}

// The parts of the tree in view, in the order of their numbers, how many more there are, and the kind of page: "" and
// "joined" go on after the report.
function figuresOf(app) {
  const { tree, cut } = app, all = new Uint8Array(tree.n).fill(1), low = PAGES.tall.height / 3;
  if (leavesAt(tree.pruning, cut) <= WHOLE.leaves) {
    const after = laidOut(app, 0, all, PAGES.tall, PART.share);
    if (after.scale >= SCALE.usual) return { figures: [after], page: after.high < low ? "joined" : "" };
    const pages = Object.keys(PAGES).map((page) => ({ page, figure: laidOut(app, 0, all, PAGES[page], 1) }));
    const [best] = pages.filter(({ page, figure }) => figure.scale >= SCALE.least && figure.high <= PAGES[page].height).sort((a, b) => b.figure.scale - a.figure.scale);
    if (best) return { figures: [best.figure], page: best.page };
  }
  const cuts = partsBelow(tree, cut, PART), figures = [];
  for (const waiting = [0]; waiting.length && figures.length < PART.count; ) {
    const root = waiting.shift(), open = cuts.map((is, t) => (t === root || !is ? 1 : 0));
    figures.push(laidOut(app, root, open, PAGES.tall, PART.share));
    waiting.push(...figures[figures.length - 1].nodes.filter((t) => !open[t]));
  }
  const last = figures[figures.length - 1];
  last.joined = last.high < low;
  return { figures, page: "tall", rest: 1 + cuts.reduce((sum, is) => sum + is, 0) - figures.length };
}

// The nodes of a figure and their places, and the size at which they fill a share of a page: conditions take more lines
// where they need them, as long as all words can be read.
function laidOut(app, root, open, page, share) {
  const { tree, cut } = app, nodes = visibleNodes(tree, open, cut, root), y = tidy(tree, nodes), heading = headingOf(app, root);
  const columns = 1 + Math.max(...nodes.map((t) => tree.depth[t])) - tree.depth[root], rows = 1 + Math.max(...nodes.map((t) => y[t]));
  const above = (root ? 20 : 68) + 20 * Math.ceil((1.15 * textWidth(heading.textContent, "predicted")) / page.width), gaps = (columns - 1) * PRINTED.gap;
  const sizes = PRINTED.conditions.map((n) => {
    const box = printedBox(n), fits = (part) => (part * page.height - above) / (rows * box.stepY);
    const scale = Math.min(SCALE.most, page.width / (columns * PRINTED.width + gaps), Math.max(fits(share), SCALE.least));
    const width = Math.min(PRINTED.widest, (page.width / scale - gaps) / columns);
    // A tree that has a page for itself spreads over half of it.
    const stepY = share < 1 ? box.stepY : Math.min(Math.max((box.stepY * fits(0.5)) / scale, box.stepY), 2 * box.stepY);
    return { scale, high: above + rows * stepY * scale, strips: Math.ceil((rows * stepY * scale) / (page.height - above)), box: { ...box, width, stepX: width + PRINTED.gap, stepY } };
  });
  const legible = sizes.filter(({ scale, high }) => scale >= Math.min(sizes[0].scale, SCALE.least) && high <= Math.max(sizes[0].high, page.height));
  const isWhole = ({ box }) => nodes.every((t) => !isCut(conditionLines({ ...app, open, box }, t)));
  return { root, open, nodes, y, heading, ...(legible.find(isWhole) || legible[legible.length - 1]) };
}

// The heading is a part of the figure, so that no page ends with it.
function headingOf(app, root) {
  if (root) return el("figcaption", {}, el("b", {}, `Node ${app.number[root]}`), `: ${ruleWords(app.tree, root).join(" and ")}`);
  return el("div", {}, el("h2", {}, `Tree for ${plain(app.tree.response.name)}`), el("ul", { class: "legend" }, legendItems(app)));
}

// A node of more branches than a page has room for is drawn in strips.
function drawFigure(app, { root, open, nodes, y, heading, scale, strips, box, joined }) {
  const here = { ...app, open, y, box }, left = leftOf(here, root), end = (place) => Math.max(...nodes.map((t) => place(here, t)));
  const wide = end(leftOf) - left + box.width + 2, high = Math.ceil((end(topOf) / box.stepY + 1) / strips) * box.stepY;
  const strip = (from) => svg("svg", { class: "drawn", viewBox: `${left - 1} ${from - 1} ${wide} ${high}`, width: (wide * scale).toFixed(1), height: (high * scale).toFixed(1), role: "img" },
    nodes.filter((t) => t !== root).map((t) => drawEdge(here, t)), nodes.filter((t) => topOf(here, t) < from + high && topOf(here, t) + box.height > from).map((t) => onPage(here, t)));
  return el("figure", { class: joined && "joined" }, heading, Array.from({ length: strips }, (_, i) => strip(i * high)));
}

// A box without what only a screen needs.
function onPage(app, t) {
  const box = drawBox(app, t);
  for (const name of ["id", "tabindex"]) box.removeAttribute(name);
  box.querySelector(".knob")?.remove();
  return box;
}
