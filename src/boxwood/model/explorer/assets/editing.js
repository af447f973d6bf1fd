// Edit: other splits for the chosen node, pruning, undo and redo; what was done is saved as a log to replay.

function setUpEditing(app) {
  app.who = el("input", { type: "text", id: "who", maxlength: 200, autocomplete: "off" });
  app.why = el("input", { type: "text", id: "why", autocomplete: "off" });
  byId("view-edit").replaceChildren(
    el("p", { class: "faint" }, "Edits change this page only. Save the log and replay it: boxwood edit model.box data.csv --log edits.json -o new.box"),
    el("div", { class: "fields" }, el("label", {}, "Who ", app.who), el("label", {}, "Why ", app.why)),
    el("div", { id: "edit-node" }), el("div", { class: "block" }, el("h3", {}, "Log"), el("ol", { id: "edit-log", class: "steps" }),
      el("div", { class: "buttons" },
        el("button", { id: "edit-undo", onclick: () => step(app, app.edits, app.undone, "Undone") }, "Undo"),
        el("button", { id: "edit-redo", onclick: () => step(app, app.undone, app.edits, "Done again") }, "Redo"),
        el("button", { id: "edit-save", onclick: () => saveFile("edits.json", "application/json", logOf(app.edits)) }, "Save log"))));
}

// Takes a verb for the chosen node.
function takeEdit(app, verb, tested) {
  const about = { who: app.who.value.trim(), when: new Date().toISOString(), why: app.why.value.trim() };
  app.edits.push({ node: app.selected, entry: entryOf(app.tree, app.cut, app.selected, verb, about, tested) });
  app.undone = [];
  app.why.value = "";
  showEdited(app, `Node ${app.number[app.selected]} ${editWords(verb)}.`);
}

// Moves the last edit of one list to the end of another.
function step(app, from, to, words) {
  const moved = from.pop();
  to.push(moved);
  showEdited(app, `${words}: node ${moved.entry.node} ${editWords(moved.entry)}.`, moved.node);
}

function showEdited(app, words, node = app.selected) {
  putEdits(app.tree, app.edits);
  app.bands = null;
  app.selected = node;
  keepShown(app);
  rearrange(app);
  refresh(app);
  announce(words);
  // The button that was pressed may have been removed.
  if (document.activeElement === document.body) byId("view-edit").focus({ preventScroll: true });
}

function showEditing(app) {
  const { edits, undone } = app;
  byId("edit-log").replaceChildren(...edits.map(({ entry }) => el("li", {}, `node ${entry.node} ${editWords(entry)}${entry.why ? ` (${entry.why})` : ""}`)));
  for (const [id, list] of [["edit-undo", edits], ["edit-redo", undone], ["edit-save", edits]]) byId(id).disabled = !list.length;
  app.draft = null;
  byId("edit-node").replaceChildren(...editBlocks(app, app.selected).filter(Boolean));
}

function editBlocks(app, t) {
  const { tree } = app, leaf = isLeaf(tree, t, app.cut), head = el("h2", {}, `Node ${app.number[t]}: ${branchWords(tree, t)}`);
  if (app.cut !== Math.max(tree.pruning.selected, app.firstCut))
    return [head, el("p", {}, "Edits are made to the tree that the model predicts with."), el("button", { id: "edit-selected", onclick: () => cutAt(app, Math.max(tree.pruning.selected, app.firstCut)) }, "Show it")];
  if (isFixed(tree, t)) return [head, el("p", {}, "A node here was signed or overruled, or its split was forced. To change it, edit it in Python or on the command line with force.")];
  const prune = (!leaf || branchesByHand(tree, t)) && el("div", { class: "buttons" }, el("button", { id: "edit-prune", onclick: () => takeEdit(app, { verb: "prune" }) }, "Prune here"));
  return [head, tree.edited.has(t) ? el("p", { class: "kind" }, byHand(tree, t).slice(2)) : null, prune, ...(tree.kids[t] ? [draftBlock(app, t), takeRivals(app, t)] : []), freeBlock(app, t)];
}

// The split of a node with other cuts, or other sides of its levels.
function draftBlock(app, t) {
  const { tree } = app, about = tree.features[tree.splits[t].feature], name = plain(about.name);
  const words = el("p", { class: "faint", role: "status" }), take = el("button", { id: "edit-split", onclick: () => takeEdit(app, { verb: "split", condition: branchConditions(tree, t, app.draft) }, [app.draft.feature]) }, "Split so");
  app.draft = tree.splits[t];
  const change = (draft) => {
    app.draft = draft;
    const found = draft && branchConditions(tree, t, draft), problem = draft ? problemOf(tree, t, draft) : "This is no value.";
    take.disabled = problem !== "" || (!isLeaf(tree, t, app.cut) && found.join() === branchConditions(tree, t, tree.splits[t]).join());
    words.textContent = problem || found.join(" | ");
  };
  const controls = about.kind === "numeric" ? cutControls(app, t, name, change) : sideControls(app, t, name, change);
  change(app.draft);
  return el("div", { class: "block" }, el("h3", {}, about.kind === "numeric" ? `Move the cut of ${name}` : `Regroup the levels of ${name}`), controls, words, el("div", { class: "buttons" }, take));
}

function cutControls(app, t, name, change) {
  const { tree } = app, { breaks, feature } = tree.splits[t], bins = tree.bins.get(t);
  return breaks.map((cut, i) => {
    const controls = numberControls(app, feature, `cut${i}`, { value: cut, name: `cut ${i + 1} of ${name}`, scale: bins ? { ...bins, ticks: [] } : scaleOf(tree, feature) }), [, typed] = controls.parts;
    const moved = () => change(typed.hasAttribute("aria-invalid") ? null : withCut(app.draft || tree.splits[t], i, controls.read()));
    const picture = bins && histogram(bins, tree.features[feature].whole, controls, moved);
    for (const part of controls.parts) part.addEventListener("input", () => { moved(); picture?.place(); });
    return el("div", { class: "cut" }, picture?.drawn, el("div", { class: "controls" }, controls.parts), bins ? null : controls.after);
  });
}

// The rows given at a node over the values of its feature, by class, with a line at the cut; a press or a drag moves it.
function histogram({ low, high, counts }, whole, controls, moved) {
  const wide = 184 / counts[0].length, sums = counts[0].map((_, i) => total(counts.map((line) => line[i]))), most = Math.max(...sums), tall = (count) => (60 * count) / most;
  const bars = counts.flatMap((line, k) => line.map((count, i) => {
    const below = total(counts.slice(0, k).map((other) => other[i]));
    return count > 0 ? svg("rect", { x: 8 + wide * i, y: 60 - tall(below + count), width: wide * 0.92, height: tall(count), fill: paint(k) }) : null;
  }));
  const line = svg("path", { class: "now" }), drawn = svg("svg", { class: "bins", viewBox: "0 0 200 60", preserveAspectRatio: "none", role: "img", "aria-label": "The rows given at this node, and the cut" }, bars, line);
  const place = () => line.setAttribute("d", `M${8 + 184 * Math.min(Math.max((plainNumber(controls.read()) - low) / (high - low), 0), 1)} 0v60`);
  const pull = (event) => {
    if (!event.buttons) return;
    const frame = drawn.getBoundingClientRect(), share = Math.min(Math.max((200 * (event.clientX - frame.left)) / frame.width - 8, 0), 184) / 184, value = niceStep(low + share * (high - low), high - low);
    controls.set(whole ? Math.round(value) : value);
    moved();
    place();
  };
  drawn.addEventListener("pointerdown", pull);
  drawn.addEventListener("pointermove", pull);
  place();
  return { drawn, place };
}

// A group of buttons for each branch. A press takes a level to the next branch, and so does a drag to the branch it is dropped on.
function sideControls(app, t, name, change) {
  const { tree } = app, about = tree.features[tree.splits[t].feature], box = el("div", { class: "sides", role: "group", "aria-label": `Levels of ${name}` });
  const branches = Array.from({ length: tree.kids[t] }, (_, c) => c).filter((c) => !isEmpty(valuesOf(tree.splits[t], c, about)));
  const put = (level, branch) => { change(withLevel(tree, app.draft, level, branch)); show(level); };
  const show = (focused) => {
    const sides = sidesOf(tree, app.draft);
    const button = (level, branch) => el("button", {
      draggable: "true", "data-level": level, "aria-label": `${levelWords(about.levels[level])}, branch ${branch + 1}`,
      onclick: () => put(level, branches[(branches.indexOf(branch) + 1) % branches.length]),
      ondragstart: (event) => event.dataTransfer.setData("text/plain", String(level)),
    }, levelWords(about.levels[level]));
    box.replaceChildren(...branches.map((branch) => el("div", {
      class: "side", ondragover: (event) => event.preventDefault(),
      ondrop: (event) => { event.preventDefault(); const level = Number(event.dataTransfer.getData("text/plain")); if (sides.has(level)) put(level, branch); },
    }, el("span", { class: "faint" }, `branch ${branch + 1}`), [...sides].filter(([, to]) => to === branch).map(([level]) => button(level, branch)))));
    box.querySelector(`[data-level="${focused}"]`)?.focus();
  };
  box.addEventListener("keydown", (event) => {
    const all = [...box.querySelectorAll("button")], step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    all[(all.indexOf(event.target) + step + all.length) % all.length].focus();
  });
  show();
  return box;
}

// The competing splits of a node that the page holds with all their conditions.
function takeRivals(app, t) {
  const { tree } = app, kept = !tree.own && !isLeaf(tree, t, app.cut), rivals = tree.rivals[t].map(([words, score, condition], i) => ({ words, score, condition, number: i + 1 })).filter(({ condition }) => condition);
  if (!rivals.length) return null;
  const take = ({ condition, number }) => takeEdit(app, { verb: "split", condition, ...(kept ? { competitor: number } : {}) });
  return el("div", { class: "block" }, el("h3", {}, "Take a competing split"), el("ul", { class: "branches" }, rivals.map((rival) => el("li", {},
    el("button", { class: "link", "data-rival": rival.number, onclick: () => take(rival) }, rival.words), el("span", { class: "faint" }, ` score ${amount(rival.score)}`)))));
}

// Any condition on one feature.
function freeBlock(app, t) {
  const { tree } = app, typed = el("input", { type: "text", id: "edit-condition", autocomplete: "off", spellcheck: "false", placeholder: "age <= 14", "aria-label": "Condition" });
  const take = el("button", { id: "edit-by-condition", disabled: true, onclick: () => takeEdit(app, { verb: "split", condition: typed.value.trim() }, readCondition(tree.features, typed.value).map(({ feature }) => feature)) }, "Split so");
  typed.addEventListener("input", () => { take.disabled = readCondition(tree.features, typed.value)?.length !== 1; });
  return el("div", { class: "block" }, el("h3", {}, "Split by a condition"), el("div", { class: "controls" }, typed, take));
}
