// The leaves as a table: the same tree to read, to sort and to save.

// Rows shown at first; a button shows the others.
const FIRST_LEAVES = 200;

function leafColumns({ response }) {
  const last = { classes: [["predicted", "predicted"], ["confidence", "confidence"]], mean: [["predicted", (response.words || [])[0]], ["spread", (response.words || [])[1]]], rate: [["predicted", "rate"]] }[response.kind];
  const right = response.altered ? [["right", "of the predicted class"]] : [];
  return [["number", "node"], ["rule", "rule"], ["rows", "rows"], ["share", "share"], ...last, ...right];
}

function showLeaves(app) {
  const records = sortRecords(leafRecords(app.tree, app.cut, app.filters), app.order.column, app.order.falling), columns = leafColumns(app.tree);
  const shown = app.allLeaves ? records : records.slice(0, FIRST_LEAVES);
  byId("leaf-count").textContent = plural(records.length, "leaf", "leaves") + (filtersOn(app.filters) ? " that pass the filters" : "");
  const cell = (record, name) => (name === "confidence" ? percent(record[name]) + sureWords(app.tree, record.node) : name === "share" ? percent(record[name]) : typeof record[name] === "number" ? amount(record[name], 5) : record[name]);
  const row = (record) => el("tr", { class: record.node === app.selected ? "selected" : null }, columns.map(([name]) => (name === "number"
    ? el("td", { class: "number" }, el("button", { class: "link", onclick: () => { showTab("tab-tree"); choose(app, record.node, { focus: true }); } }, amount(record.number)))
    : el("td", { class: name === "rule" || (name === "predicted" && app.tree.moments) ? null : "number" }, name === "predicted" && app.tree.moments ? [swatch(app.tree.value[record.node]), " ", record.predicted] : cell(record, name)))));
  const more = shown.length < records.length ? [el("tr", {}, el("td", { colspan: columns.length }, el("button", { onclick: () => { app.allLeaves = true; showLeaves(app); } }, `Show all ${amount(records.length)}`)))] : [];
  byId("leaves").replaceChildren(
    el("thead", {}, el("tr", {}, columns.map(([name, title]) => heading(app, name, title)))), el("tbody", {}, shown.map(row), more));
}

function heading(app, name, title) {
  const { column, falling } = app.order, sorted = column === name;
  const sort = () => { app.order = { column: name, falling: sorted ? !falling : !["rule", "number"].includes(name) }; showLeaves(app); byId(`sort-${name}`).focus(); };
  return el("th", { scope: "col", class: name === "rule" ? null : "number", "aria-sort": sorted ? (falling ? "descending" : "ascending") : null },
    el("button", { class: "sort", id: `sort-${name}`, onclick: sort }, title, el("span", { "aria-hidden": "true" }, sorted ? (falling ? " ▾" : " ▴") : "")));
}

function saveLeaves(app) {
  const records = sortRecords(leafRecords(app.tree, app.cut, app.filters), app.order.column, app.order.falling);
  // A byte-order mark, so that spreadsheets read the names of all scripts right.
  saveFile("leaves.csv", "text/csv;charset=utf-8", "\ufeff" + toCsv(leafColumns(app.tree), records));
}
