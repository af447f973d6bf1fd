// Moving about in the drawing: drag, wheel, buttons, keys; and choosing and opening nodes.

function setUpCanvas(app) {
  const root = byId("tree");
  app.layer = svg("g", {});
  root.replaceChildren(patterns(app.tree.response.labels.length), app.layer);
  new ResizeObserver(() => {
    if (!root.getBoundingClientRect().width) return;
    measure(app, root);
    if (!app.placed && app.opened) open(app);
    else if (!app.placed) home(app);
    redraw(app);
  }).observe(root);
  root.addEventListener("click", (event) => clicked(app, event));
  root.addEventListener("dblclick", (event) => { const box = event.target.closest("[data-node]"); if (box && !event.target.closest("[data-knob]")) toggle(app, Number(box.dataset.node)); });
  root.addEventListener("keydown", (event) => pressed(app, event));
  root.addEventListener("wheel", (event) => wheel(app, event), { passive: false });
  setUpDrag(app, root);
  byId("fit").addEventListener("click", () => { fit(app); });
  byId("closer").addEventListener("click", () => zoom(app, 1.3));
  byId("farther").addEventListener("click", () => zoom(app, 1 / 1.3));
  byId("unfold").addEventListener("click", () => { app.open.fill(1); rearrange(app); fit(app); announce(`${plural(app.nodes.length, "box", "boxes")} open.`); });
  byId("fold").addEventListener("click", () => { home(app); showDetails(app); });
}

function measure(app, root) {
  const { width, height } = root.getBoundingClientRect();
  Object.assign(app.view, { width, height });
}

// Puts the layer where the view is; draws anew only when the view left what was drawn.
function redraw(app, always = true) {
  const { x, y, k, width, height } = app.view, area = app.drawnArea;
  app.layer.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${k.toFixed(4)})`);
  const inside = area && -x / k > area.left && (width - x) / k < area.right && -y / k > area.top && (height - y) / k < area.bottom;
  if (always || !inside) draw(app);
}

// A window does not open below the first scale; where not all boxes fit, it opens at the second, or as its width allows.
const COMFORTABLE = 0.62, SCROLLED = 0.85;
const fittingWidth = ({ view, extent }) => (view.width - 40) / (extent.width + 20);
// The scale at which all open boxes are in the window.
const fittingScale = (app) => Math.min(fittingWidth(app), (app.view.height - 40) / app.extent.height, 1);

// As many boxes as can be read when all of them are in the window; the children of the root even if they go beyond it.
function home(app) {
  for (let most = 60; most > 2; most *= 0.75) {
    app.open = openMost(app.tree, app.cut, most);
    arrange(app);
    if (fittingScale(app) > COMFORTABLE) break;
  }
  app.opened = true;
  keepShown(app);
  open(app);
  drawOverview(app);
}

// All open boxes if they can be read, else those about the root.
function open(app) {
  fit(app, fittingScale(app) < COMFORTABLE ? Math.min(Math.max(fittingWidth(app), COMFORTABLE), SCROLLED) : undefined);
}

function fit(app, k = fittingScale(app)) {
  const { view, extent } = app, high = extent.height * k;
  app.placed = true;
  const y = high > view.height ? view.height / 2 - (topOf(app, 0) + BOX.height / 2) * k : (view.height - high) / 2;
  Object.assign(view, { k, x: Math.max((view.width - extent.width * k) / 2, 20), y });
  redraw(app);
}

function zoom(app, by, at = null) {
  const { view } = app, k = Math.min(Math.max(view.k * by, 0.005), 3), from = at || [view.width / 2, view.height / 2];
  view.x = from[0] - ((from[0] - view.x) * k) / view.k;
  view.y = from[1] - ((from[1] - view.y) * k) / view.k;
  view.k = k;
  redraw(app);
}

function wheel(app, event) {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    const frame = byId("tree").getBoundingClientRect();
    zoom(app, Math.exp(-event.deltaY / 300), [event.clientX - frame.left, event.clientY - frame.top]);
    return;
  }
  const lines = event.deltaMode === 1 ? 18 : 1;
  app.view.x -= (event.shiftKey ? event.deltaY : event.deltaX) * lines;
  app.view.y -= (event.shiftKey ? 0 : event.deltaY) * lines;
  redraw(app, false);
}

function setUpDrag(app, root) {
  const fingers = new Map();
  const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  root.addEventListener("pointerdown", (event) => { if (event.button === 0) { fingers.set(event.pointerId, [event.clientX, event.clientY]); app.moved = 0; } });
  addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? gap() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    app.moved += Math.abs(event.clientX - last[0]) + Math.abs(event.clientY - last[1]);
    if (fingers.size === 2) return zoom(app, gap() / Math.max(before, 1));
    app.view.x += event.clientX - last[0];
    app.view.y += event.clientY - last[1];
    redraw(app, false);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => fingers.delete(event.pointerId));
}

function clicked(app, event) {
  if (app.moved > 6) return;
  const onKnob = event.target.closest("[data-knob]"), box = event.target.closest("[data-node]");
  if (onKnob) return toggle(app, Number(onKnob.dataset.knob));
  const t = box ? Number(box.dataset.node) : nodeAt(app, event);
  if (t >= 0) choose(app, t, { focus: true, move: false });
}

// The box under the pointer where boxes are only shapes.
function nodeAt(app, event) {
  const frame = byId("tree").getBoundingClientRect();
  const x = (event.clientX - frame.left - app.view.x) / app.view.k, y = (event.clientY - frame.top - app.view.y) / app.view.k;
  const found = app.nodes.find((t) => x >= leftOf(app, t) && x <= leftOf(app, t) + BOX.width && y >= topOf(app, t) && y <= topOf(app, t) + BOX.height);
  return found === undefined ? -1 : found;
}

function pressed(app, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { tree, selected: t } = app, order = readingOrder(app), at = order.indexOf(t), closed = !hasOpen(app, t);
  const go = (node) => choose(app, node, { focus: true });
  const keys = {
    ArrowDown: () => at + 1 < order.length && go(order[at + 1]),
    ArrowUp: () => at > 0 && go(order[at - 1]),
    ArrowRight: () => !isLeaf(tree, t, app.cut) && (closed ? toggle(app, t) : go(tree.first[t])),
    ArrowLeft: () => (closed ? t && go(tree.parent[t]) : toggle(app, t)),
    Home: () => go(0),
    End: () => go(order[order.length - 1]),
    Enter: () => toggle(app, t),
    " ": () => toggle(app, t),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

// Opens or closes a node; the box stays where it is on the screen.
function toggle(app, t) {
  if (isLeaf(app.tree, t, app.cut)) return choose(app, t, { focus: true });
  const before = topOf(app, t);
  app.open[t] = app.open[t] ? 0 : 1;
  app.selected = t;
  rearrange(app, false);
  app.view.y += (before - topOf(app, t)) * app.view.k;
  redraw(app);
  showDetails(app);
  focusBox(app);
  return announce(app.open[t] ? `Opened: ${plural(app.tree.kids[t], "branch", "branches")}.` : "Closed.");
}

// Closed ancestors hide a chosen node: choose the nearest one that is shown.
function keepShown(app) {
  const shown = new Set(visibleNodes(app.tree, app.open, app.cut));
  while (!shown.has(app.selected)) app.selected = app.tree.parent[app.selected];
}

function rearrange(app, show = true) {
  arrange(app);
  if (show) redraw(app);
  drawOverview(app);
}

// Chooses a node: opens the path to it, shows its details, brings it into view.
function choose(app, t, { focus = false, move = true } = {}) {
  const hidden = pathTo(app.tree, t).slice(0, -1).filter((up) => !app.open[up]);
  for (const up of hidden) app.open[up] = 1;
  app.selected = t;
  if (hidden.length) rearrange(app, false);
  if (move) bringIntoView(app, t);
  if (hidden.length || !app.drawn.has(t)) redraw(app);
  mark(app);
  drawOverview(app);
  showDetails(app);
  if (focus) focusBox(app);
}

const focusBox = (app) => { const box = app.drawn.get(app.selected); if (box) box.focus({ preventScroll: true }); };

function bringIntoView(app, t) {
  const { view } = app, k = view.k < READABLE ? 0.85 : view.k;
  const left = leftOf(app, t) * k + view.x, top = topOf(app, t) * k + view.y;
  const fits = k === view.k && left > 8 && top > 8 && left + BOX.width * k < view.width - 30 && top + BOX.height * k < view.height - 8;
  if (fits) return;
  const x = Math.min(view.width / 2, view.width - BOX.width * k - 60) - leftOf(app, t) * k, y = view.height / 2 - (topOf(app, t) + BOX.height / 2) * k;
  Object.assign(view, { x, y, k });
  redraw(app);
}
