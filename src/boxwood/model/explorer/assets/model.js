// The tree as arrays, and rows down it. Predicts as predict in Python does: the same numbers, compared in the same order.

const NO_VALUE = -1, NOT_SEEN = -3, SHARED = -1, STAYS = -2, EQUAL = 1e-12;

// The document of each response: that of the first, changed where another is different.
function documentsOf({ others = [], ...first }) {
  const changed = ({ response, tree, rows }) => ({
    ...first, response: { ...first.response, ...response }, tree: { ...first.tree, ...tree }, rows: first.rows && { ...first.rows, ...rows },
    features: first.features.map((about) => ({ ...about })),
  });
  return [first, ...others.map(changed)];
}

// Document -> tree. A row is an array with one entry per feature: null is missing; a number or [number, rest] for numeric
// features; the position of a level for others, -2 for a level that training never had.
function unpack(document) {
  const packed = document.tree, response = document.response, n = packed.kids.length;
  const tree = {
    n, response, model: document.model, features: document.features, pruning: document.pruning, given: document.rows,
    kids: packed.kids, rows: packed.rows, impurity: packed.impurity, falls: packed.falls,
    first: new Int32Array(n).fill(-1), parent: new Int32Array(n).fill(-1), depth: new Int32Array(n),
    inner: new Int32Array(n).fill(-1), splits: [], missing: packed.missing, score: packed.score, tests: packed.tests,
    surrogates: [], rivals: [], own: packed.own, sure: new Map((packed.sure || []).map(([t, low, high]) => [t, [low, high]])), heuristic: new Set(packed.heuristic),
    marks: new Map(packed.marks), decided: new Set(packed.decided), shared: new Map(packed.shared || []), spread: packed.spread,
    exposure: packed.exposure, events: packed.events, value: packed.value.map(Number), fixed: packed.fixed || [],
    bins: new Map((document.rows?.bins || []).map(([t, low, high, counts]) => [t, { low: Number(low), high: Number(high), counts }])),
    edited: new Map(), // nodes edited here, which have no known branches: { words, conditions }
  };
  for (let t = 0, next = 1, at = 0; t < n; t++) {
    if (!tree.kids[t]) continue;
    tree.inner[t] = at;
    tree.first[t] = next;
    for (let c = 0; c < tree.kids[t]; c++, next++) {
      tree.parent[next] = t;
      tree.depth[next] = tree.depth[t] + 1;
    }
    tree.splits[t] = unpackSplit(packed.splits[at], document.features);
    tree.surrogates[t] = packed.surrogates[at].map(([split, agreement, adjusted]) =>
      ({ split: unpackSplit(split, document.features), agreement, adjusted }));
    tree.rivals[t] = packed.rivals[at];
    at++;
  }
  for (const about of tree.features) {
    about.words = new Map(about.words || []);
    if (about.held) about.levels = spread(about.levels, about.held);
  }
  const width = response.labels.length;
  const ofClasses = (list) => tree.rows.map((_, t) => list.slice(t * width, (t + 1) * width));
  tree.moments = width ? ofClasses(packed.moments) : null;
  tree.weight = width ? tree.moments.map(total) : packed.weight || packed.rows;
  tree.counts = packed.counts ? ofClasses(packed.counts) : tree.moments; // class weights left out
  tree.rowWeight = width ? tree.counts.map(total) : tree.weight;
  tree.share = sharesOf(tree);
  return tree;
}

// Levels at their positions in the model; those that no node tests are not in the page.
function spread(levels, held) {
  const all = [];
  held.forEach((at, i) => { all[at] = levels[i]; });
  return all;
}

function unpackSplit([feature, breaks, third, fourth], features) {
  const kind = features[feature].kind;
  if (breaks === 0) return { feature, kind, index: new Map(third.map((level, i) => [level, fourth[i]])) };
  const cuts = breaks.map((cut) => (typeof cut === "string" ? Number(cut) : cut));
  return { feature, kind, breaks: cuts, branches: third || Array.from({ length: cuts.length + 1 }, (_, i) => i) };
}

const total = (values) => values.reduce((sum, value) => sum + value, 0);

// Share of each node in the weight of its siblings and itself.
function sharesOf(tree) {
  const share = new Float64Array(tree.n), sums = new Float64Array(tree.n);
  for (let t = 1; t < tree.n; t++) sums[tree.parent[t]] += tree.weight[t];
  share[0] = 1;
  for (let t = 1; t < tree.n; t++) if (sums[tree.parent[t]] > 0) share[t] = tree.weight[t] / sums[tree.parent[t]];
  return share;
}

// Whether nothing below a node is in the tree of row `cut` of the family; -1 is the tree as it is.
const isLeaf = (tree, t, cut) => tree.kids[t] === 0 || tree.falls[t] <= cut || tree.edited.has(t);

// Compares numbers that may have a rest ([number, rest]), as whole numbers beyond 2**53 do.
function compare(a, b) {
  const [high, low] = Array.isArray(a) ? a : [a, 0], [high2, low2] = Array.isArray(b) ? b : [b, 0];
  return high < high2 ? -1 : high > high2 ? 1 : low < low2 ? -1 : low > low2 ? 1 : 0;
}

// Number of breaks below a value.
function position(breaks, value) {
  let first = 0, count = breaks.length;
  while (count > 0) {
    const half = count >> 1;
    if (compare(breaks[first + half], value) < 0) {
      first += half + 1;
      count -= half + 1;
    } else count = half;
  }
  return first;
}

function branchOf(split, value) {
  if (value === null || value === undefined || value !== value) return NO_VALUE;
  if (split.index) {
    const branch = split.index.get(value);
    return branch === undefined ? NOT_SEEN : branch;
  }
  if (split.kind === "ordinal" && value < 0) return NOT_SEEN;
  const branch = split.branches[position(split.breaks, value)];
  return branch < 0 ? NOT_SEEN : branch;
}

// Where a row goes from an inner node, and what decided.
function decide(tree, t, row) {
  const split = tree.splits[t], branch = branchOf(split, row[split.feature]);
  if (branch >= 0) return { branch, by: "value" };
  const state = branch === NO_VALUE ? "missing" : "unseen";
  if (state === "unseen" && tree.model.unseen === "majority") return { branch: heaviest(tree, t), by: "majority", state };
  if (state === "unseen" && tree.model.unseen === "stay") return { branch: STAYS, by: "stays", state };
  for (let s = 0; s < tree.surrogates[t].length; s++) {
    const substitute = tree.surrogates[t][s].split, found = branchOf(substitute, row[substitute.feature]);
    if (found >= 0) return { branch: found, by: "surrogate", state, surrogate: s };
  }
  const goes = tree.missing[tree.inner[t]];
  return { branch: goes, by: goes === SHARED ? "shares" : goes === STAYS ? "stays" : "default", state };
}

// Branch with the most weight, the first on ties.
function heaviest(tree, t) {
  let best = 0;
  for (let c = 1; c < tree.kids[t]; c++) if (tree.weight[tree.first[t] + c] > tree.weight[tree.first[t] + best]) best = c;
  return best;
}

// A row down the tree of row `cut`: the ends of its parts, and a step for every node a part came to.
function descend(tree, row, cut) {
  const waiting = [{ node: 0, share: 1 }], ends = [], steps = [];
  while (waiting.length) {
    let { node, share } = waiting.pop();
    for (;;) {
      if (isLeaf(tree, node, cut)) {
        steps.push({ node, share, by: "leaf" });
        ends.push({ node, share });
        break;
      }
      const found = decide(tree, node, row);
      steps.push({ node, share, ...found });
      if (found.branch >= 0) {
        node = tree.first[node] + found.branch;
        continue;
      }
      const before = waiting.length;
      if (found.branch === SHARED)
        for (let c = tree.kids[node] - 1; c >= 0; c--) {
          const child = tree.first[node] + c;
          if (tree.share[child] > 0) waiting.push({ node: child, share: share * tree.share[child] });
        }
      if (waiting.length === before) ends.push({ node, share });
      break;
    }
  }
  return { ends, steps };
}

// The node whose moments a node predicts from: for an empty leaf its parent.
const momentsNode = (tree, t) => (tree.rows[t] > 0 ? t : Math.max(tree.parent[t], 0));

// Class probabilities of a node.
function probability(tree, t) {
  const { factors, smoothing, empty, labels } = tree.response;
  if (tree.decided.has(t) || (empty === "class" && tree.rows[t] === 0)) return labels.map((_, k) => (k === tree.value[t] ? 1 : 0));
  const own = tree.shared.get(t) || tree.moments[momentsNode(tree, t)];
  const mass = own.map((weight, k) => (weight + (smoothing[k] ?? 0)) * factors[k]), sum = total(mass);
  return mass.map((part) => part / sum);
}

// The class to predict: least expected cost, the lowest class on ties.
function decideClass(response, p) {
  if (!response.costs) {
    const most = Math.max(...p);
    return p.findIndex((value) => value >= most - EQUAL);
  }
  const expected = p.map((_, j) => total(p.map((value, i) => value * response.costs[i][j])));
  const least = Math.min(...expected), largest = Math.max(...response.costs.map((row) => Math.max(...row)));
  return expected.findIndex((value) => value <= least + EQUAL * largest);
}

// The prediction of a row: { value, probability (or null), ends, steps }.
function predict(tree, row, cut) {
  const { ends, steps } = descend(tree, row, cut), classes = tree.response.labels.length;
  if (!steps.some((step) => step.by === "shares")) {
    const at = ends[0].node;
    return { value: tree.value[at], probability: classes ? probability(tree, at) : null, ends, steps };
  }
  if (!classes) return { value: ends.reduce((sum, end) => sum + end.share * tree.value[end.node], 0), probability: null, ends, steps };
  const mixed = new Array(classes).fill(0);
  for (const { node, share } of ends) probability(tree, node).forEach((p, k) => { mixed[k] += share * p; });
  return { value: decideClass(tree.response, mixed), probability: mixed, ends, steps };
}

// How sure a node is of the class it predicts; null for numbers.
const confidence = (tree, t) => (tree.moments ? probability(tree, t)[tree.value[t]] : null);

// The numbers that nodes have in the tree of row `cut`, in level order; -1 = not in that tree. Branches made by hand count.
function numbering(tree, cut) {
  const number = new Int32Array(tree.n).fill(-1);
  number[0] = 0;
  for (let t = 0, next = 1; t < tree.n; t++) {
    if (number[t] < 0) continue;
    if (isLeaf(tree, t, cut)) next += branchesByHand(tree, t);
    else for (let c = 0; c < tree.kids[t]; c++) number[tree.first[t] + c] = next++;
  }
  return number;
}

// How many branches a node got by hand.
const branchesByHand = (tree, t) => tree.edited.get(t)?.conditions.length ?? 0;

// From the root down to a node.
function pathTo(tree, t) {
  const path = [];
  for (let at = t; at >= 0; at = tree.parent[at]) path.push(at);
  return path.reverse();
}

// Weights of rows, actual by predicted class, in the tree of row `cut`; rows that stay at an inner node count there.
function confusion(tree, moments, cut) {
  const k = tree.response.labels.length, number = numbering(tree, cut);
  const table = Array.from({ length: k }, () => new Array(k).fill(0));
  for (let t = 0; t < tree.n; t++) {
    if (number[t] < 0) continue;
    const own = moments[t].slice();
    if (!isLeaf(tree, t, cut))
      for (let c = 0; c < tree.kids[t]; c++) moments[tree.first[t] + c].forEach((weight, i) => { own[i] -= weight; });
    own.forEach((weight, i) => { if (weight > 1e-9) table[i][tree.value[t]] += weight; });
  }
  return table;
}
