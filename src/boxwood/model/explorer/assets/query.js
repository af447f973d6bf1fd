// Searching, filtering, sorting and saving: which nodes, in which order.

const COMPARISONS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b,
};
const TERM = /^(n|p|mean|rate|depth|node|impurity)\s*(<=|>=|<|>|=)\s*(-?[\d.]+(?:e-?\d+)?)(%?)$/i;

// "age n>100 leaf" -> tests that a node must all pass: words are looked for in its condition, its split and its prediction.
// A text that is a condition on features is one test.
function parseSearch(text, features) {
  const parts = readCondition(features, text);
  if (parts) return [{ about: "condition", parts }];
  const terms = text.trim().replace(/\s*(<=|>=|<|>|=)\s*(?=-?[\d.])/g, "$1").split(/\s+/).filter(Boolean);
  return terms.map((term) => {
    const found = TERM.exec(term);
    if (!found) return /^(leaf|leaves)$/i.test(term) ? { about: "leaf" } : { about: "words", text: term.toLowerCase() };
    const number = Number(found[3]);
    return { about: found[1].toLowerCase(), holds: COMPARISONS[found[2]], number: found[4] ? number / 100 : number };
  });
}

// The text in which words are looked for.
function searchable(tree, t, cut) {
  const predicted = tree.moments ? levelWords(tree.response.labels[tree.value[t]]) : amount(tree.value[t]);
  const tested = isLeaf(tree, t, cut) ? "" : tree.features[tree.splits[t].feature].name;
  return `${branchWords(tree, t, Infinity)} ${tested} ${predicted}`.toLowerCase();
}

function passes(tree, t, cut, number, test) {
  switch (test.about) {
    case "condition": return implies(tree, t, test.parts);
    case "leaf": return isLeaf(tree, t, cut);
    case "words": return searchable(tree, t, cut).includes(test.text);
    case "n": return test.holds(tree.rows[t], test.number);
    case "p": return tree.moments !== null && test.holds(confidence(tree, t), test.number);
    case "mean": case "rate": return tree.moments === null && test.holds(tree.value[t], test.number);
    case "depth": return test.holds(tree.depth[t], test.number);
    case "node": return test.holds(number, test.number);
    default: return test.holds(tree.impurity[t], test.number);
  }
}

// Nodes of the tree of row `cut` that a search finds, ascending; all filters hold too.
function search(tree, cut, text, filters) {
  const tests = parseSearch(text, tree.features), number = numbering(tree, cut), found = [];
  for (let t = 0; t < tree.n; t++)
    if (number[t] >= 0 && isWanted(tree, t, filters) && tests.every((test) => passes(tree, t, cut, number[t], test))) found.push(t);
  return found;
}

// filters: { support, confidence: shares; predicted: class number or -1 }.
function isWanted(tree, t, filters) {
  if (filters.support > 0 && tree.rowWeight[t] < filters.support * tree.rowWeight[0]) return false;
  if (!tree.moments) return true;
  return (filters.predicted < 0 || tree.value[t] === filters.predicted) && (filters.confidence <= 0 || confidence(tree, t) >= filters.confidence);
}

const filtersOn = (filters) => filters.support > 0 || filters.confidence > 0 || filters.predicted >= 0;

// One entry per leaf: node, number, rule, rows, share, predicted, confidence (or value), spread.
function leafRecords(tree, cut, filters) {
  const number = numbering(tree, cut), records = [];
  for (let t = 0; t < tree.n; t++) {
    if (number[t] < 0 || !isLeaf(tree, t, cut) || !isWanted(tree, t, filters)) continue;
    records.push({
      node: t, number: number[t], rule: (ruleWords(tree, t).join(" and ") || "all rows") + byHand(tree, t), rows: tree.rows[t],
      share: tree.rowWeight[0] > 0 ? tree.rowWeight[t] / tree.rowWeight[0] : 0, right: tree.counts ? tree.counts[t][tree.value[t]] : null,
      predicted: tree.moments ? levelWords(tree.response.labels[tree.value[t]]) : tree.value[t],
      confidence: confidence(tree, t), spread: tree.spread ? tree.spread[t] : null, impurity: tree.impurity[t],
    });
  }
  return records;
}

// Sorted by a column, numbers by size and words by their letters; equal ones stay in the order of their numbers.
function sortRecords(records, column, falling) {
  const sign = falling ? -1 : 1;
  const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  return records.slice().sort((a, b) => sign * order(a[column], b[column]) || a.number - b.number);
}

// A field of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe before it.
function csvField(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function toCsv(columns, records) {
  const lines = [columns.map(([, title]) => csvField(title)), ...records.map((record) => columns.map(([name]) => csvField(record[name])))];
  return lines.map((line) => line.join(",") + "\r\n").join("");
}
