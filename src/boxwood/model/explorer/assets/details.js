// Everything about the chosen node: its rule, its rows, its split, where missing values go, and what else was tried.

function showDetails(app) {
  const { tree, selected: t } = app, leaf = isLeaf(tree, t, app.cut), section = byId("view-node");
  const parts = [
    el("p", { class: "kind" }, `Node ${app.number[t]} · ${leaf ? "leaf" : t ? "inner node" : "root"} · depth ${tree.depth[t]}`),
    el("h2", {}, predictionHeading(tree, t)),
    tree.marks.has(t) && el("p", { class: "kind" }, tree.marks.get(t)),
    tree.edited.has(t) && el("p", { class: "kind" }, byHand(tree, t).slice(2)),
    meterIn(app, factsOf(tree, t), 340),
    el("p", { class: "faint" }, `${rowsWords(tree, t)}, ${percent(tree.rowWeight[0] > 0 ? tree.rowWeight[t] / tree.rowWeight[0] : 0)} of all · ${measureName(tree)} ${amount(tree.impurity[t])}`),
    responsesBlock(app, t),
    ruleBlock(app, t),
    countsBlock(app, t),
    ...(leaf ? [el("p", { class: "faint" }, tree.kids[t] && !tree.edited.has(t) ? "Pruned here; the full tree continues below." : "")] : splitBlocks(app, t)),
  ];
  section.replaceChildren(...parts.filter(Boolean));
  showEditing(app);
}

// What the node predicts of each of several responses.
const responsesBlock = ({ trees }, t) => trees.length > 1 && el("div", { class: "block", id: "responses" },
  el("h3", {}, "Responses"), table(["response", "predicted"], trees.map((tree) => [plain(tree.response.name), predictionWords(tree, t)])));

const predictionHeading = (tree, t) => `${plain(tree.response.name)} = ${predictionWords(tree, t)}`;
const measureName = (tree) => ({ gini: "Gini impurity", entropy: "entropy", error: "error", variance: "variance", poisson: "deviance" })[tree.model.measure] || "impurity";

function ruleBlock(app, t) {
  const words = ruleWords(app.tree, t), surrogates = mergedRule(app.tree, t).some(({ missing }) => missing === "surrogates");
  const copy = (text, what) => async (event) => { const button = event.currentTarget, label = button.textContent; if (await copyText(text, what)) { button.textContent = "Copied"; setTimeout(() => { button.textContent = label; }, 1200); } };
  return el("div", { class: "block" },
    el("h3", {}, "Rule"),
    words.length ? el("ul", { class: "rule" }, words.map((condition) => el("li", {}, condition))) : el("p", {}, "All rows."),
    surrogates ? el("p", { class: "faint" }, "Rows with a missing value go where surrogate splits send them.") : null,
    el("div", { class: "buttons" },
      el("button", { id: "copy-rule", onclick: copy(ruleLine(app.tree, t), "Rule") }, "Copy rule"),
      el("button", { id: "copy-sql", onclick: copy(ruleSql(app.tree, t), "SQL condition") }, "Copy SQL"),
      el("button", { id: "try-node", onclick: () => tryNode(app, t) }, "Try in What if")));
}

// Counts by class, or mean and spread; beside them those of the rows given.
function countsBlock(app, t) {
  const { tree } = app, given = tree.given, heads = [tree.moments ? "class" : "measure", "training"];
  if (given) heads.push("given rows");
  if (!tree.moments) {
    const rows = [["rows", amount(tree.rows[t]), given && amount(given.weight[t])]];
    if (tree.response.kind === "mean") rows.push([tree.response.words[0], amount(tree.value[t], 6), given && amount(given.mean && given.mean[t], 6)], [tree.response.words[1], amount(tree.spread[t], 5), given && amount(given.spread && given.spread[t], 5)]);
    else rows.push(["rate", amount(tree.value[t], 6), given && amount(given.rate && given.rate[t], 6)], ["events", amount(tree.events[t]), given && ""], ["exposure", amount(tree.exposure[t]), given && ""]);
    return el("div", { class: "block" }, el("h3", {}, "Rows"), table(heads, rows.map((cells) => cells.slice(0, heads.length))));
  }
  const p = probability(tree, t), own = given && given.moments && given.moments.slice(t * p.length, (t + 1) * p.length), sum = own ? total(own) : 0;
  const cells = (weight, share) => [amount(weight), el("span", { class: "share" }, Number.isFinite(share) ? percent(share) : "–")];
  const { altered } = tree.response, counts = tree.counts[t];
  if (altered) heads.splice(1, 0, "probability");
  const rows = tree.response.labels.map((label, k) => [
    el("span", {}, swatch(k), " ", levelWords(label)), ...(altered ? [percent(p[k])] : []), el("span", {}, cells(counts[k], altered ? counts[k] / tree.rowWeight[t] : p[k])),
    ...(given ? [own ? el("span", {}, cells(own[k], own[k] / sum)) : ""] : []),
  ]);
  if (given) rows.push(["all", ...(altered ? [""] : []), amount(tree.rowWeight[t]), amount(given.weight[t])]);
  return el("div", { class: "block" }, el("h3", {}, "Classes"), table(heads, rows));
}

function splitBlocks(app, t) {
  const { tree } = app, at = tree.inner[t], split = tree.splits[t], name = plain(tree.features[split.feature].name);
  const gained = tree.score[at] === null ? "" : `${measureName(tree)} falls by ${amount(tree.score[at])}`;
  const tested = (tree.tests?.[at] || []).map((words) => ` · ${words.replace(/^p/, "adjusted p")}`).join("");
  const branches = Array.from({ length: tree.kids[t] }, (_, c) => tree.first[t] + c);
  return [
    el("div", { class: "block" },
      el("h3", {}, `Split by ${name}`),
      el("p", { class: "faint" }, `${gained}${tested}${tree.heuristic.has(t) ? " · levels grouped by a heuristic" : ""}`),
      el("ul", { class: "branches" }, branches.map((child) => el("li", {},
        el("button", { class: "link", onclick: () => choose(app, child, {}) }, branchWords(tree, child)),
        el("span", { class: "faint" }, ` ${predictionWords(tree, child)} · ${amount(tree.rows[child])}`))))),
    missingBlock(app, t, at, name),
    app.trees.length > 1 ? null : rivalsBlock(tree, t),
  ];
}

// Where a row without a value goes, and how many of the rows given have none.
function missingBlock(app, t, at, name) {
  const { tree } = app, given = tree.given, goes = tree.missing[at], surrogates = tree.surrogates[t];
  if (tree.model.refuses_missing) return el("div", { class: "block" }, el("h3", {}, "Missing values"), el("p", {}, "The model refuses rows with a missing value."));
  const end = goes >= 0 ? `to “${branchWords(tree, tree.first[t] + goes)}”` : goes === SHARED ? "down every branch, by its share of the rows" : "nowhere: the row stays here";
  const here = given ? given.missing[at] : 0;
  return el("div", { class: "block" },
    el("h3", {}, "Missing values"),
    given ? el("p", {}, `${name} is missing in ${plural(here, "row")} of the ${amount(given.weight[t])} given that come here${given.weight[t] > 0 ? ` (${percent(here / given.weight[t])})` : ""}.`) : null,
    el("p", {}, surrogates.length ? `Surrogates are tried in this order; if all are missing too, it goes ${end}.` : `Such a row goes ${end}.`),
    surrogates.length ? table(["surrogate, first branch", "agrees", "adjusted"], surrogates.map(({ split, agreement, adjusted }) => [surrogateWords(tree, split), amount(agreement, 3), amount(adjusted, 3)])) : null);
}

// By which values a surrogate sends rows to the first branch.
function surrogateWords(tree, split) {
  const first = valuesOf(split, 0, tree.features[split.feature]);
  return isEmpty(first) ? `not ${splitWords(tree, split, 1)}` : splitWords(tree, split, 0);
}

// What else could have been tested: as growth saw it, or by the rows given where the model keeps nothing.
function rivalsBlock(tree, t) {
  const { own } = tree;
  if (!tree.rivals[t].length) return own || tree.rivals.some((kept) => kept.length) ? null : el("p", { class: "faint block" }, "No competing splits are kept: give rows with the response, or fit with max_competitors.");
  const rows = tree.rivals[t].map(([words, score]) => [words, amount(score)]);
  const name = plain(tree.features[tree.splits[t].feature].name), score = own ? own[tree.inner[t]] : tree.score[tree.inner[t]];
  const taken = !own ? `The chosen split scored ${amount(score)}.` : score === null ? `No split by ${name} is allowed for these rows.` : `The best split by ${name} scores ${amount(score)}.`;
  return el("div", { class: "block" }, el("h3", {}, own ? "Competing splits, for the rows given" : "Competing splits"), table(["first branch", "score"], rows), el("p", { class: "faint" }, taken));
}
