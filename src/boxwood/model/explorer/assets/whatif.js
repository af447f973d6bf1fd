// What if: a form with one line per feature; the tree's prediction changes with every change, and the path lights up.

function setUpWhatIf(app) {
  const { tree } = app, used = usedFeatures(tree);
  app.row = tree.features.map((_, j) => (used.has(j) ? usualValue(tree, j) : null));
  app.lines = new Map([...used].map((j) => [j, featureLine(app, j)]));
  byId("view-whatif").replaceChildren(
    el("div", { id: "answer", class: "answer" }),
    el("form", { id: "row", autocomplete: "off", onsubmit: (event) => event.preventDefault() }, [...app.lines.values()].map(({ line }) => line)),
    el("p", { id: "left-out", class: "faint" }),
    el("h3", {}, "The path of this row"), el("ol", { id: "steps", class: "steps" }));
  answer(app);
}

// Features that the tree of row `cut` tests, with the rows that come to them, and those of its surrogates.
function testedBy(tree, cut) {
  const tested = new Map(), surrogates = new Set(), number = numbering(tree, cut);
  for (let t = 0; t < tree.n; t++) {
    if (number[t] < 0 || isLeaf(tree, t, cut)) continue;
    const j = tree.splits[t].feature;
    tested.set(j, (tested.get(j) || 0) + tree.rows[t]);
    for (const { split } of tree.surrogates[t]) surrogates.add(split.feature);
  }
  return { tested, surrogates };
}

// Lines of features that the tree in view does not test are hidden; those of surrogates while no value is missing.
function showTested(app) {
  const { tested, surrogates } = testedBy(app.tree, app.cut), some = [...tested.keys()].some((j) => app.row[j] === null);
  let left = app.tree.features.length;
  for (const [j, { line }] of app.lines) {
    line.hidden = !(tested.has(j) || (some && surrogates.has(j)));
    left -= !line.hidden;
  }
  byId("left-out").textContent = !tested.size ? "The tree is one leaf." : left ? `${plural(left, "feature")} not used in this tree.` : "";
}

// Features tested anywhere in the tree, most rows first, then those of surrogates.
function usedFeatures(tree) {
  const { tested, surrogates } = testedBy(tree, -1);
  return new Set([...[...tested].sort((a, b) => b[1] - a[1]).map(([j]) => j), ...surrogates]);
}

// All cuts of a numeric feature in the tree, rising.
function cutsOf(tree, j) {
  const cuts = [];
  for (let t = 0; t < tree.n; t++) {
    if (!tree.kids[t]) continue;
    for (const split of [tree.splits[t], ...tree.surrogates[t].map(({ split }) => split)]) if (split.feature === j && split.breaks) cuts.push(...split.breaks);
  }
  return cuts.sort(compare).filter((cut, i) => !i || compare(cut, cuts[i - 1]) !== 0);
}

const plainNumber = (value) => (Array.isArray(value) ? value[0] + value[1] : value);

// Ends and ticks of a slider: quantiles of the rows given, else the cuts of the tree and a margin around them.
function scaleOf(tree, j) {
  const ticks = (tree.features[j].ticks || []).map(Number), cuts = cutsOf(tree, j).map(plainNumber).filter(Number.isFinite);
  if (ticks.length && ticks[0] < ticks[ticks.length - 1]) return { low: ticks[0], high: ticks[ticks.length - 1], ticks, middle: ticks[Math.floor(ticks.length / 2)] };
  if (!cuts.length) return { low: 0, high: 1, ticks: [], middle: 0 };
  const first = cuts[0], last = cuts[cuts.length - 1], time = tree.features[j].time, pad = Math.max((last - first) * 0.25, time ? 2.592e15 / time.size : Math.abs(first) * 0.1, 1);
  return { low: niceStep(first - pad, pad), high: niceStep(last + pad, pad), ticks: cuts.filter((_, i) => i % Math.ceil(cuts.length / 12) === 0), middle: niceStep(cuts[Math.floor(cuts.length / 2)] - pad / 2, pad) };
}

// Rounded to about a hundredth of a span.
function niceStep(value, span) {
  const unit = 10 ** Math.floor(Math.log10(span / 20 || 1)), digits = Math.max(0, -Math.floor(Math.log10(unit)));
  return Number((Math.round(value / unit) * unit).toFixed(Math.min(digits, 20)));
}

function usualValue(tree, j) {
  const about = tree.features[j];
  if (about.kind === "numeric") { const { middle } = scaleOf(tree, j); return about.whole ? Math.round(middle) : middle; }
  const counts = about.counts || [0], most = counts.indexOf(Math.max(...counts));
  return about.held ? about.held[most] : most;
}

function featureLine(app, j) {
  const about = app.tree.features[j], name = plain(about.name), id = `feature${j}`;
  const missing = el("input", { type: "checkbox", id: `${id}-missing`, "data-missing": j, disabled: app.tree.model.refuses_missing });
  const controls = about.kind === "numeric" ? numberControls(app, j, id) : levelControls(app, j, id);
  const keep = () => { app.row[j] = missing.checked ? null : controls.read(); controls.disable(missing.checked); answer(app); };
  missing.addEventListener("change", keep);
  for (const part of controls.parts) part.addEventListener("input", () => { if (!missing.checked) keep(); });
  const line = el("fieldset", { class: "feature" }, el("legend", {}, name), el("div", { class: "controls" }, controls.parts, el("label", { class: "missing" }, missing, " missing")), controls.after || null);
  return { line, set: (value) => { missing.checked = value === null; controls.disable(value === null); if (value !== null) controls.set(value); app.row[j] = value; } };
}

function numberControls(app, j, id, { value = app.row[j], name = plain(app.tree.features[j].name), scale = scaleOf(app.tree, j) } = {}) {
  const about = app.tree.features[j], width = scale.high - scale.low;
  const step = about.whole ? 1 : 10 ** Math.floor(Math.log10(width / 200 || 1));
  const low = about.whole ? Math.floor(scale.low) : scale.low;
  const slider = el("input", { type: "range", id, min: low, max: scale.high, step, "aria-label": name });
  const typed = el("input", { type: "text", inputmode: about.time ? "text" : "decimal", id: `${id}-typed`, "data-typed": j, "aria-label": `${name}, exact value` });
  const show = (from) => {
    typed.classList.toggle("wrong", false);
    typed.removeAttribute("aria-invalid");
    if (from !== slider) slider.value = Math.min(Math.max(plainNumber(value), low), scale.high);
    if (from !== typed) typed.value = about.time || Array.isArray(value) ? valueWords(about, value) : String(value);
    slider.setAttribute("aria-valuetext", typed.value);
  };
  slider.addEventListener("input", () => { value = Number(Number(slider.value).toPrecision(12)); show(slider); });
  typed.addEventListener("input", () => {
    const found = readValue(about, typed.value);
    if (found === null) { typed.classList.add("wrong"); typed.setAttribute("aria-invalid", "true"); return; }
    value = found;
    show(typed);
  });
  show(null);
  return { parts: [slider, typed], after: tickMarks(scale, low), read: () => value, set: (next) => { value = next; show(null); }, disable: (off) => { slider.disabled = off; typed.disabled = off; } };
}

// Small marks under a slider where the quantiles are.
function tickMarks({ high, ticks }, low) {
  const at = (value) => 8 + (184 * (value - low)) / (high - low || 1);
  return svg("svg", { class: "ticks", viewBox: "0 0 200 5", preserveAspectRatio: "none", "aria-hidden": "true" }, ticks.map((value) => svg("path", { d: `M${at(value)} 0v5` })));
}

function levelControls(app, j, id) {
  const about = app.tree.features[j], options = about.levels.map((level, i) => el("option", { value: i }, levelWords(level)));
  if (about.held || app.tree.model.unseen !== "error") options.push(el("option", { value: -2 }, about.held ? "(another level)" : "(a level never seen)"));
  const choice = el("select", { id, "aria-label": plain(about.name) }, options);
  choice.value = String(app.row[j]);
  return { parts: [choice], read: () => Number(choice.value), set: (next) => { choice.value = String(next); }, disable: (off) => { choice.disabled = off; } };
}

// The prediction of the tree in view for the row in the form, and its path.
function answer(app) {
  const { tree } = app, found = predict(tree, app.row, app.cut), { response } = tree;
  app.live = new Set(found.steps.map(({ node }) => node));
  showTested(app);
  const heading = response.kind === "classes" ? levelWords(response.labels[found.value]) : `${response.kind === "rate" ? "rate " : ""}${amount(found.value, 6)}`;
  byId("answer").replaceChildren(
    el("h2", { class: "kind" }, plain(response.name)),
    el("p", { class: "big", id: "prediction", role: "status" }, heading),
    found.probability ? probabilityBars(app, found.probability) : meterIn(app, { value: found.value, spread: found.ends.length === 1 && tree.spread ? tree.spread[found.ends[0].node] : 0 }, 340));
  byId("steps").replaceChildren(...found.steps.map((step) => el("li", {}, stepWords(app, step))));
  if (app.layer) { mark(app); drawOverview(app); }
}

// At most eight classes, the likeliest first where there are more.
function probabilityBars(app, p) {
  const { labels } = app.tree.response, order = p.map((_, k) => k), most = order.length > 8 ? order.sort((a, b) => p[b] - p[a] || a - b).slice(0, 8) : order;
  return el("table", { class: "bars" }, el("tbody", {}, most.map((k) => el("tr", {},
    el("th", { scope: "row" }, swatch(k), " ", levelWords(labels[k])),
    el("td", {}, svg("svg", { width: 150, height: 12, "aria-hidden": "true" }, svg("rect", { class: "axis", width: 150, height: 12, rx: 3 }), svg("rect", { width: (150 * p[k]).toFixed(1), height: 12, rx: 3, fill: paint(k) }))),
    el("td", { class: "number" }, percent(p[k]))))));
}

function stepWords(app, { node, share, by, branch, state, surrogate }) {
  const { tree } = app, part = share < 1 ? `${percent(share)} of the row: ` : "", link = el("button", { class: "link", onclick: () => choose(app, node, {}) }, `node ${app.number[node]}`);
  if (by === "leaf") return el("span", {}, part, link, ` (leaf): predicts ${predictionWords(tree, node)}${byHand(tree, node)}`);
  const name = plain(tree.features[tree.splits[node].feature].name), why = state ? `${name} is ${state === "missing" ? "missing" : "a level not seen here"}; ` : "";
  const how = { value: "", majority: "most rows: ", default: "", surrogate: surrogate === undefined ? "" : `surrogate ${surrogate + 1}: `, shares: "goes down every branch by its share", stays: "the row stays here" }[by];
  return el("span", {}, part, link, `: ${why}${how}${branch >= 0 ? branchWords(tree, tree.first[node] + branch) : ""}`);
}

// Fills the form with a row that comes to a node by its values.
function tryNode(app, node) {
  for (const { feature, values } of mergedRule(app.tree, node)) {
    const line = app.lines.get(feature);
    line.set(isEmpty(values) ? null : insideOf(values, app.row[feature], app.tree.features[feature]));
  }
  answer(app);
  showTab("tab-whatif");
  announce("The form holds a row that comes to this node.");
}

// The value itself if the condition holds for it, else one near the middle of what is allowed.
function insideOf({ levels, intervals }, value, about) {
  if (levels) return levels.has(value) ? value : [...levels][0];
  const holds = ([above, upto], x) => (above === null || compare(x, above) > 0) && (upto === null || compare(x, upto) <= 0);
  if (value !== null && intervals.some((interval) => holds(interval, value))) return value;
  const [above, upto] = intervals[0];
  if (above === null || upto === null) {
    const end = above === null ? upto : above;
    if (above === null || !Number.isFinite(plainNumber(end))) return end;
    const next = Array.isArray(end) ? [end[0], end[1] + 1] : end + Math.max(1, Math.abs(end) * 1e-6);
    return about.whole && !Array.isArray(next) ? Math.floor(next) : next;
  }
  const middle = niceStep((plainNumber(above) + plainNumber(upto)) / 2, plainNumber(upto) - plainNumber(above));
  return [about.whole ? Math.floor(middle) : middle, middle].find((x) => holds(intervals[0], x)) ?? upto;
}
