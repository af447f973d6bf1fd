// Puts the page together: one state, and what changes it.

function start() {
  const trees = documentsOf(JSON.parse(byId("document").textContent)).map(unpack), [tree] = trees, { pruning } = tree;
  const cut = pruning.selected < 0 && pruning.grown === pruning.leaves[0] ? 0 : pruning.selected;
  const app = {
    trees, tree, cut, box: BOX, open: openMost(tree, cut, 60), selected: 0, live: new Set(), found: null, drawn: new Map(), edges: new Map(),
    view: { x: 0, y: 0, k: 1, width: 800, height: 500 }, filters: { support: 0, confidence: 0, predicted: -1 },
    order: { column: "number", falling: false }, range: rangeOf(tree), moved: 0, edits: [], undone: [],
  };
  if (tree.response.edits === false || trees.length > 1) byId("tab-edit").remove();
  arrange(app);
  setUpResponses(app);
  setUpTabs();
  setUpPages();
  setUpFinder(app);
  setUpWhatIf(app);
  setUpCanvas(app);
  setUpPaper(app);
  setUpOverview(app);
  setUpPruning(app);
  setUpEditing(app);
  showTitle(app);
  showClasses(app);
  showDetails(app);
  showLeaves(app);
  byId("csv").addEventListener("click", () => saveLeaves(app));
}

// Of several responses one is shown.
function setUpResponses(app) {
  const choice = byId("response");
  if (app.trees.length < 2) return;
  byId("response-label").hidden = false;
  choice.append(...app.trees.map(({ response }, r) => el("option", { value: r }, plain(response.name))));
  choice.addEventListener("change", () => showResponse(app, Number(choice.value)));
  showReport(0);
}

// Takes another response into view: the tree in view, the chosen node and the row in the form stay.
function showResponse(app, r) {
  app.tree = app.trees[r];
  app.range = rangeOf(app.tree);
  app.filters.predicted = -1;
  showReport(r);
  showClasses(app);
  byId("tree").replaceChildren(patterns(app.tree.response.labels.length), app.layer);
  rearrange(app);
  refresh(app);
  announce(`Response ${plain(app.tree.response.name)}.`);
}

const showReport = (r) => document.querySelectorAll(".of-response").forEach((report, i) => { report.hidden = i !== r; });

function showTitle(app) {
  const { tree, cut } = app, { model, given } = tree, { nodes, leaves } = sizeInView(tree, cut);
  byId("title").textContent = `Tree for ${plain(tree.response.name)}`;
  const facts = [model.algorithm, plural(nodes, "node"), plural(leaves, "leaf", "leaves"), plural(tree.rows[0], "training row")];
  if (given) facts.push(plural(given.n, "given row"));
  if (app.edits.length) facts.push(plural(app.edits.length, "edit"));
  byId("subtitle").textContent = [...facts.filter(Boolean), ...model.notes].join(" · ");
}

// The classes of the response, in the legend and as a filter.
function showClasses(app) {
  const { labels } = app.tree.response;
  byId("legend").replaceChildren(...legendItems(app));
  if (labels.length) byId("class").replaceChildren(el("option", { value: -1 }, "any class"), ...labels.map((label, k) => el("option", { value: k }, levelWords(label))));
}

function legendItems({ tree: { response: { labels } } }) {
  const most = labels.slice(0, 24), items = most.map((label, k) => el("li", {}, swatch(k), ` ${levelWords(label)}`));
  if (labels.length > most.length) items.push(el("li", { class: "faint" }, `and ${labels.length - most.length} more`));
  return items;
}

// Tabs: click, or arrow keys within a list of them.
function setUpTabs() {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.addEventListener("click", () => {
      showTab(tab.id);
      // On a phone the tabs stay at the lower edge of the window, and their panel comes up.
      if (tab.closest("aside") && innerWidth < 861) byId(tab.getAttribute("aria-controls")).scrollIntoView();
    });
    tab.addEventListener("keydown", (event) => {
      const all = [...tab.parentNode.children], at = all.indexOf(tab);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = all[(to + all.length) % all.length];
      showTab(next.id);
      next.focus();
    });
  }
}

function showTab(id) {
  for (const tab of byId(id).parentNode.children) {
    const on = tab.id === id;
    tab.setAttribute("aria-selected", String(on));
    tab.setAttribute("tabindex", on ? 0 : -1);
    byId(tab.getAttribute("aria-controls")).hidden = !on;
  }
  // The path of the row in the form shows only beside the form.
  document.body.classList.toggle("trying", !byId("view-whatif").hidden);
  document.body.classList.toggle("reporting", byId("explorer").hidden);
  dispatchEvent(new Event("tabs"));
}

// The report comes first; #explorer in the address opens the explorer.
function setUpPages() {
  const pages = document.querySelector(".pages");
  pages.hidden = pages.dataset.open === "explorer";
  showTab(pages.hidden || location.hash === "#explorer" ? "tab-explorer" : "tab-report");
}

function setUpFinder(app) {
  const field = byId("search"), predicted = byId("class"), { labels } = app.tree.response;
  if (!labels.length) { byId("class-label").hidden = true; byId("confidence-label").hidden = true; }
  let waiting = 0;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => runSearch(app), app.tree.n > 3000 ? 150 : 0); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { runSearch(app); nextFound(app, event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { field.value = ""; runSearch(app); }
  });
  for (const id of ["support", "confidence", "class"]) byId(id).addEventListener("input", () => {
    const share = (name) => Math.min(Math.max(Number(byId(name).value) || 0, 0), 100) / 100;
    app.filters = { support: share("support"), confidence: labels.length ? share("confidence") : 0, predicted: labels.length ? Number(predicted.value) : -1 };
    runSearch(app);
    showLeaves(app);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || byId("explorer").hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]):not([type=range]), textarea")) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

// Marks what the search and the filters find; nothing is dimmed when neither is used.
function runSearch(app) {
  const text = byId("search").value, on = text.trim() !== "" || filtersOn(app.filters);
  app.found = on ? new Set(search(app.tree, app.cut, text, app.filters)) : null;
  byId("found").textContent = on ? `${amount(app.found.size)} of ${plural(app.number.filter((t) => t >= 0).length, "node")}` : "";
  if (app.layer) mark(app);
  drawOverview(app);
}

// The next node found, in the order of numbers; after the last comes the first.
function nextFound(app, step) {
  const all = app.found ? [...app.found] : [];
  if (!all.length) return;
  const after = step > 0 ? all.find((t) => t > app.selected) : all.filter((t) => t < app.selected).pop();
  choose(app, after === undefined ? all[step > 0 ? 0 : all.length - 1] : after, {});
  announce(`Node ${app.number[app.selected]}: ${branchWords(app.tree, app.selected)}.`);
}

start();
