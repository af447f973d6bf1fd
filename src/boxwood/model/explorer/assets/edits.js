// Edits of the tree in view: verbs and conditions as the log of boxwood has them, which Python and `boxwood edit` replay.

// The condition of a branch exactly as Python writes it, with all levels; missing values only where they have it for themselves.
function exactWords(tree, t, split, branch) {
  const about = tree.features[split.feature], values = valuesOf(split, branch, about);
  if (about.kind === "ordinal" && !isEmpty(values)) return intervalsWords(about, plain(about.name), runsOf(about, values.levels), EXACT);
  return conditionWords(tree, { feature: split.feature, values, missing: isEmpty(values) && tree.missing[tree.inner[t]] === branch ? "yes" : "no" }, Infinity, EXACT);
}

// Ordinal levels as intervals, whose ends are words.
function runsOf({ levels }, inside) {
  const runs = [], last = levels.length - 1;
  for (let i = 0; i <= last; i++) {
    if (!inside.has(i)) continue;
    if (!inside.has(i - 1)) runs.push([i ? EXACT.level(levels[i - 1]) : null, null]);
    runs[runs.length - 1][1] = i < last ? EXACT.level(levels[i]) : null;
  }
  return runs;
}

// The conditions of all branches of a split at a node, without those that nothing goes down.
const branchConditions = (tree, t, split) => Array.from({ length: tree.kids[t] }, (_, c) => exactWords(tree, t, split, c)).filter((words) => !words.startsWith("no value of "));

// What the log holds to find a node in another tree: the conditions that lead to it, and the levels that these are about.
function placeOf(tree, node, tested) {
  const path = pathTo(tree, node), steps = path.slice(1).map((child, i) => exactWords(tree, path[i], tree.splits[path[i]], child - tree.first[path[i]]));
  const features = [...path.slice(0, -1).map((t) => tree.splits[t].feature), ...tested].filter((j) => tree.features[j].kind !== "numeric");
  const levels = [...new Set(features)].map((j) => [tree.features[j].name, tree.features[j].levels.flat().filter((level) => level !== undefined)]);
  return { ...(steps.length ? { path: steps } : {}), ...(levels.length ? { levels: Object.fromEntries(levels) } : {}) };
}

// An entry of the log; `about` holds who, when and why. A text without a character is left out.
function entryOf(tree, cut, node, verb, about, tested = []) {
  const given = Object.fromEntries(Object.entries(about).filter(([, text]) => text));
  return { ...verb, node: numbering(tree, cut)[node], ...given, ...placeOf(tree, node, tested) };
}

const logOf = (edits) => JSON.stringify({ format: "boxwood edits", version: 1, edits: edits.map(({ entry }) => entry) }, null, 1) + "\n";

// The tree with some edits, one after the other: the last one of a node counts.
function putEdits(tree, edits) {
  tree.edited = new Map(edits.map(({ node, entry }) => [node, { words: editWords(entry), conditions: entry.verb === "split" ? branchesOf(entry) : [] }]));
}

const branchesOf = ({ condition }) => (Array.isArray(condition) ? condition : [condition, `not ${condition}`]);
const editWords = (entry) => (entry.verb === "prune" ? "pruned by hand" : `split by hand: ${branchesOf(entry).join(" | ")}`);

// A node that was edited, in words for those who read or listen.
const byHand = (tree, t) => (tree.edited.has(t) ? `; † ${tree.edited.get(t).words}${branchesByHand(tree, t) ? "; its branches are computed when the log is replayed" : ""}` : "");

// Nodes and leaves of the tree of row `cut`, with the branches made by hand.
function sizeInView(tree, cut) {
  const size = { nodes: 0, leaves: 0 };
  numbering(tree, cut).forEach((number, t) => {
    if (number < 0) return;
    const made = branchesByHand(tree, t);
    size.nodes += 1 + made;
    size.leaves += isLeaf(tree, t, cut) ? made || 1 : 0;
  });
  return size;
}

// A split with one of its cuts elsewhere.
const withCut = (split, i, cut) => ({ ...split, breaks: split.breaks.map((old, at) => (at === i ? cut : old)) });

// Where each level goes that a split lists.
function sidesOf(tree, split) {
  if (split.index) return new Map(split.index);
  return new Map(tree.features[split.feature].levels.map((_, i) => [i, split.branches[position(split.breaks, i)]]).filter(([, branch]) => branch >= 0));
}

// A split by levels that go where they are put; the page treats it as one without order.
const withLevel = (tree, split, level, branch) => ({ feature: split.feature, kind: split.kind, index: sidesOf(tree, split).set(level, branch) });

// Why a split of a node cannot be made, or "".
function problemOf(tree, t, split) {
  if (split.breaks && split.breaks.some((cut, i) => i && compare(split.breaks[i - 1], cut) >= 0)) return "The cuts must rise.";
  const here = mergedRule(tree, t).find(({ feature }) => feature === split.feature);
  for (let branch = 0; branch < tree.kids[t]; branch++) {
    const values = valuesOf(split, branch, tree.features[split.feature]), own = valuesOf(tree.splits[t], branch, tree.features[split.feature]);
    if (isEmpty(own)) continue; // of missing values alone
    if (isEmpty(values) || (here && isEmpty(common(values, here.values)))) return `No value that comes to this node goes down branch ${branch + 1}.`;
  }
  return "";
}

// Whether a node, or one below it in view, was signed or overruled: no verb changes it.
const isFixed = (tree, t) => tree.fixed.some((node) => pathTo(tree, node).includes(t));
