// The prune slider: the trees that weakest-link pruning makes, with their losses; a choice changes the tree in view.

const CHART = { width: 344, height: 190, left: 46, right: 10, top: 12, bottom: 34 };

function setUpPruning(app) {
  const { pruning } = app.tree, steps = pruning.alphas.length, grown = pruning.grown !== pruning.leaves[0];
  app.firstCut = grown ? -1 : 0;
  const slider = el("input", { type: "range", id: "prune", min: 0, max: steps - 1 - app.firstCut, step: 1, "aria-label": "Size of the tree" });
  slider.addEventListener("input", () => cutAt(app, steps - 1 - Number(slider.value)));
  const to = (row, words, id) => el("button", { id, onclick: () => cutAt(app, row) }, words), buttons = [to(Math.max(pruning.selected, app.firstCut), "Selected", "to-force")];
  for (const curve of [pruning.held_out, pruning.given]) {
    const name = curve && { folds: "held-out", validation: "validation", given: "given-rows" }[curve.by];
    if (curve) buttons.push(to(curve.least, `Lowest ${name} loss`, `least-${curve.by}`), to(curve.one_se, `1-SE rule, ${name} loss`, `one-se-${curve.by}`));
  }
  byId("view-pruning").replaceChildren(
    el("p", { class: "kind" }, "Weakest-link pruning"), el("h2", { id: "size" }), el("p", { id: "prices", class: "faint" }),
    el("div", { class: "slider" }, el("span", { class: "faint" }, "small"), slider, el("span", { class: "faint" }, "large")),
    el("p", { id: "held", class: "faint" }), el("div", { id: "chart" }), chartKey(pruning), el("div", { class: "buttons" }, buttons), el("div", { id: "confusions" }));
  showPruning(app);
}

// Takes another tree of the family into view.
function cutAt(app, row) {
  if (row === app.cut) return;
  app.cut = row;
  home(app);
  refresh(app);
}

// Shows anew all that depends on the tree in view.
function refresh(app) {
  runSearch(app);
  showDetails(app);
  answer(app);
  showPruning(app);
  showLeaves(app);
  showTitle(app);
}

const lossWords = (curve, row) => (curve && row >= 0 ? `${amount(Number(curve.loss[row]))} ± ${amount(Number(curve.se[row]), 2)}` : "–");
const leavesAt = (pruning, row) => (row < 0 ? pruning.grown : pruning.leaves[row]);

function showPruning(app) {
  const { tree, cut } = app, { pruning } = tree, row = Math.max(cut, 0);
  const parts = [`α = ${amount(pruning.alphas[row])}`, `${pruning.loss} in training ${amount(pruning.training[row])}`];
  if (pruning.held_out) parts.push(`${pruning.held_out.by === "validation" ? "validation" : "held out"} ${lossWords(pruning.held_out, cut)}`);
  if (pruning.given) parts.push(`given rows ${lossWords(pruning.given, cut)}`);
  byId("size").textContent = plural(leavesAt(pruning, cut), "leaf", "leaves") + (cut === Math.max(pruning.selected, app.firstCut) ? ", selected" : "");
  byId("prices").textContent = cut < 0 ? "The tree as it was grown." : parts.join(" · ");
  // The pruning sequence is of the tree without the edits.
  byId("view-pruning").inert = app.edits.length > 0;
  byId("held").textContent = app.edits.length ? "Undo all edits to move along the sequence: it is computed anew when the log is replayed." : "";
  byId("prune").value = pruning.alphas.length - 1 - cut;
  byId("prune").setAttribute("aria-valuetext", byId("size").textContent);
  byId("chart").replaceChildren(pruning.alphas.length > 1 ? chart(app) : el("p", {}, "There is nothing to prune: the tree has one size."));
  byId("confusions").replaceChildren(...(tree.moments && tree.response.labels.length <= 12 ? confusions(app) : []));
}

// Leaves to the right on a scale of logarithms, losses up.
function scales(pruning) {
  const curves = [pruning.held_out, pruning.given].filter(Boolean), values = pruning.training.map(Number);
  for (const curve of curves) curve.loss.forEach((loss, i) => values.push(Number(loss) + Number(curve.se[i]), Number(loss) - Number(curve.se[i])));
  const finite = values.filter(Number.isFinite), high = Math.max(...finite, 1e-12), low = Math.min(0, ...finite), most = Math.log(Math.max(...pruning.leaves, 2));
  return {
    high, low,
    x: (leaves) => CHART.left + ((CHART.width - CHART.left - CHART.right) * Math.log(leaves)) / most,
    y: (loss) => CHART.top + (CHART.height - CHART.top - CHART.bottom) * (1 - (Math.min(Number(loss), high) - low) / (high - low)),
  };
}

function chart(app) {
  const { pruning } = app.tree, { x, y, low, high } = scales(pruning), bottom = CHART.height - CHART.bottom;
  const line = (losses, name) => svg("path", { class: `curve ${name}`, d: losses.map((loss, i) => `${i ? "L" : "M"}${x(pruning.leaves[i]).toFixed(1)} ${y(loss).toFixed(1)}`).join("") });
  const parts = [svg("path", { class: "axes", d: `M${CHART.left} ${CHART.top}V${bottom}H${CHART.width - CHART.right}` })];
  for (const value of [low, (low + high) / 2, high]) parts.push(svg("text", { class: "tick", x: CHART.left - 5, y: y(value) + 4, "text-anchor": "end" }, amount(value, 2)));
  for (const leaves of tickLeaves(Math.max(...pruning.leaves))) parts.push(svg("text", { class: "tick", x: x(leaves), y: bottom + 14, "text-anchor": "middle" }, amount(leaves)));
  parts.push(svg("text", { class: "tick", x: (CHART.left + CHART.width) / 2, y: CHART.height - 4, "text-anchor": "middle" }, "leaves"));
  for (const [curve, name] of [[pruning.held_out, "held"], [pruning.given, "given"]]) {
    if (!curve) continue;
    const edge = (sign) => curve.loss.map((loss, i) => `${x(pruning.leaves[i]).toFixed(1)} ${y(Number(loss) + sign * Number(curve.se[i])).toFixed(1)}`);
    parts.push(svg("path", { class: `band ${name}`, d: `M${edge(1).join("L")}L${edge(-1).reverse().join("L")}Z` }), line(curve.loss, name));
    const one = [x(pruning.leaves[curve.one_se]), y(curve.loss[curve.one_se])];
    parts.push(svg("circle", { class: `mark ${name}`, cx: x(pruning.leaves[curve.least]), cy: y(curve.loss[curve.least]), r: 4 }));
    parts.push(svg("path", { class: `mark ${name}`, "data-mark": "one-se", d: `M${one[0] - 5} ${one[1]}l5 -5 5 5 -5 5z` }));
  }
  parts.push(line(pruning.training, "training"), svg("path", { class: "now", d: `M${x(leavesAt(pruning, Math.max(app.cut, 0)))} ${CHART.top}V${bottom}` }));
  const picture = svg("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": `${pruning.loss} by number of leaves` }, parts);
  picture.addEventListener("click", (event) => { const frame = picture.getBoundingClientRect(); cutAt(app, nearestRow(pruning, x, ((event.clientX - frame.left) * CHART.width) / frame.width)); });
  return picture;
}

function nearestRow({ leaves }, x, at) {
  let best = 0;
  leaves.forEach((count, i) => { if (Math.abs(x(count) - at) < Math.abs(x(leaves[best]) - at)) best = i; });
  return best;
}

// 1, 2, 5, 10, 20 ...: about five of them.
function tickLeaves(most) {
  const all = [];
  for (let unit = 1; unit <= most; unit *= 10) all.push(unit, 2 * unit, 5 * unit);
  const fitting = all.filter((leaves) => leaves <= most), step = Math.ceil(fitting.length / 6);
  return fitting.filter((_, i) => i % step === 0);
}

function chartKey(pruning) {
  const key = (name, words) => el("li", {}, svg("svg", { width: 22, height: 8, "aria-hidden": "true" }, svg("path", { class: `curve ${name}`, d: "M0 4H22" })), ` ${words}`);
  const held = pruning.held_out && (pruning.held_out.by === "validation" ? "validation rows" : "held out (folds)");
  return el("ul", { class: "key" }, key("training", "training"), held ? key("held", held) : null, pruning.given ? key("given", "given rows") : null,
    pruning.held_out || pruning.given ? el("li", { class: "faint" }, "● minimum, ◆ minimum + 1 standard error") : null);
}

function confusions(app) {
  const { tree, cut } = app, { given } = tree, k = tree.response.labels.length, found = [["in training", tree.counts]];
  if (given && given.moments) found.push(["in the rows given", tree.kids.map((_, t) => given.moments.slice(t * k, (t + 1) * k))]);
  return found.map(([where, moments]) => {
    const counts = confusion(tree, moments, cut), right = total(counts.map((row, i) => row[i])), all = total(counts.map(total));
    const rows = counts.map((row, i) => [levelWords(tree.response.labels[i]), ...row.map((value, j) => el("span", { class: i === j ? "right" : null }, amount(value)))]);
    return el("div", { class: "block" }, el("h3", {}, `Confusion ${where}`), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Confusion ${where}` }, table(["actual \\ predicted", ...tree.response.labels.map(levelWords)], rows)),
      el("p", { class: "faint" }, all > 0 ? `accuracy ${percent(right / all)}` : "no rows"));
  });
}
