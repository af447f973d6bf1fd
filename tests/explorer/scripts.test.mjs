// node --test: the functions of the page that compute, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explorer as e } from "./load.mjs";

// A document of classes from a nested list: [rows of each class] for a leaf, { at, split, missing, surrogates, kids } else.
const FEATURES = [
  { name: "age", kind: "numeric", levels: [] },
  { name: "colour", kind: "nominal", levels: ["red", "it's", 'say "hi"', "grey", "gold"] },
  { name: "grade", kind: "ordinal", levels: ["low", "mid", "high", "top"] },
  { name: 'the "id"', kind: "numeric", levels: [] },
];

function documentOf(root, falls = {}) {
  const packed = { kids: [], rows: [], value: [], impurity: [], splits: [], missing: [], score: [], surrogates: [], rivals: [], heuristic: [], moments: [], falls: [] };
  const counts = (node) => (Array.isArray(node) ? node : node.kids.map(counts).reduce((a, b) => a.map((x, i) => x + b[i])));
  for (let waiting = [root]; waiting.length; ) {
    const node = waiting.shift(), mine = counts(node), t = packed.kids.length;
    packed.kids.push(Array.isArray(node) ? 0 : node.kids.length);
    packed.rows.push(mine[0] + mine[1]);
    packed.moments.push(...mine);
    packed.value.push(mine[1] > mine[0] ? 1 : 0);
    packed.impurity.push(0);
    packed.falls.push(falls[t] ?? (Array.isArray(node) ? 0 : 9));
    if (Array.isArray(node)) continue;
    packed.splits.push(node.split);
    packed.missing.push(node.missing ?? -2);
    packed.score.push(0.1);
    packed.surrogates.push(node.surrogates || []);
    packed.rivals.push([]);
    waiting.push(...node.kids);
  }
  const response = { kind: "classes", name: "y", labels: ["no", "yes"], factors: [1, 1], smoothing: 0, empty: "distribution", costs: null };
  return { model: { algorithm: "cart", measure: "gini", unseen: "missing", refuses_missing: false, notes: [] }, response, features: FEATURES, tree: packed, pruning: { alphas: [0], leaves: [2], grown: 2 }, rows: null };
}

const treeOf = (root, falls) => e.unpack(documentOf(root, falls));
const AGE = (cut, ...kids) => ({ split: [0, [cut]], missing: 0, kids });

// A tree of `n` nodes that grows at random places, as arrays.
function randomTree(seed, n) {
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const root = [1, 0], leaves = [{ holder: null, at: 0 }];
  let whole = root, size = 1;
  while (size < n) {
    const [{ holder, at }] = leaves.splice(Math.floor(random() * leaves.length), 1), kids = Array.from({ length: 2 + Math.floor(random() * 3) }, () => [1 + Math.floor(random() * 9), Math.floor(random() * 9)]);
    const node = { split: [0, kids.slice(1).map((_, i) => i + 1)], kids };
    if (holder) holder.kids[at] = node;
    else whole = node;
    kids.forEach((_, i) => leaves.push({ holder: node, at: i }));
    size += kids.length;
  }
  return treeOf(whole);
}

test("boxes never overlap, parents are in the middle, children in order", () => {
  for (const [seed, n] of [[1, 2], [2, 30], [3, 400], [4, 3000], [5, 77], [6, 150]]) {
    const tree = randomTree(seed, n), open = new Uint8Array(tree.n).map((_, t) => (t * seed) % 7 !== 3);
    const nodes = e.visibleNodes(tree, open, -1), y = e.tidy(tree, nodes), levels = new Map(), shown = new Set(nodes);
    assert.equal(Math.min(...nodes.map((t) => y[t])), 0);
    for (const t of nodes) {
      if (!levels.has(tree.depth[t])) levels.set(tree.depth[t], []);
      levels.get(tree.depth[t]).push(y[t]);
      if (!tree.kids[t] || !shown.has(tree.first[t])) continue;
      const last = tree.first[t] + tree.kids[t] - 1;
      assert.ok(Math.abs(y[t] - (y[tree.first[t]] + y[last]) / 2) < 1e-6);
    }
    for (const level of levels.values()) for (let i = 1; i < level.length; i++) assert.ok(level[i] - level[i - 1] >= 1 - 1e-6, "level order is order from top to bottom");
  }
});

test("parts have at most so many ends and levels, and hold each node once", () => {
  for (const [seed, n] of [[1, 2], [2, 30], [3, 400], [4, 3000], [5, 77]]) {
    const tree = randomTree(seed, n), cuts = e.partsBelow(tree, -1, { ends: 12, levels: 4 }), drawn = new Int32Array(tree.n);
    for (const root of [...cuts.keys()].filter((t) => !t || cuts[t])) {
      const open = cuts.map((is, t) => (t === root || !is ? 1 : 0)), nodes = e.visibleNodes(tree, open, -1, root);
      assert.ok(nodes.filter((t) => !tree.kids[t] || !open[t]).length <= 12);
      assert.ok(Math.max(...nodes.map((t) => tree.depth[t])) - tree.depth[root] <= 4);
      for (const t of nodes) drawn[t] += 1;
    }
    assert.ok(drawn.every((times, t) => times === (t && cuts[t] ? 2 : 1)), "at the edge of one part, and the root of another");
  }
});

test("what no cut can make smaller is one part", () => {
  const tree = treeOf({ split: [0, Array.from({ length: 39 }, (_, i) => i + 1)], missing: 0, kids: Array.from({ length: 40 }, () => [1, 2]) });
  assert.ok(e.partsBelow(tree, -1, { ends: 12, levels: 4 }).every((is) => !is));
});

test("a small branch is beside a deep one, not below it", () => {
  const deep = AGE(1, AGE(2, AGE(3, [1, 0], [0, 1]), AGE(4, [1, 0], [0, 1])), AGE(5, AGE(6, [1, 0], [0, 1]), [0, 1]));
  const tree = treeOf(AGE(0, deep, [5, 0])), open = new Uint8Array(tree.n).fill(1), nodes = e.visibleNodes(tree, open, -1);
  const y = e.tidy(tree, nodes);
  assert.ok(Math.max(...nodes.map((t) => y[t])) < 7, "fewer rows than leaves");
  assert.equal(y[2] - y[1], 1);
});

test("a path of ten thousand nodes is laid out without recursion", () => {
  const packed = documentOf([1, 1]);
  const n = 10001, kids = Array.from({ length: n }, (_, t) => (t % 2 === 0 && t < n - 1 ? 2 : 0));
  const inner = kids.filter(Boolean).length;
  Object.assign(packed.tree, { kids, rows: kids.map((_, t) => n - t), value: kids.map(() => 0), impurity: kids.map(() => 0), falls: kids.map((k) => (k ? 9 : 0)), moments: kids.flatMap((_, t) => [n - t, 0]),
    splits: Array.from({ length: inner }, (_, i) => [0, [i], [1, 0]]), missing: Array(inner).fill(0), score: Array(inner).fill(0), surrogates: Array(inner).fill([]), rivals: Array(inner).fill([]) });
  const tree = e.unpack(packed), nodes = e.visibleNodes(tree, new Uint8Array(n).fill(1), -1);
  assert.equal(nodes.length, n);
  assert.ok(e.tidy(tree, nodes).every(Number.isFinite));
  assert.equal(e.predict(tree, [9999, null, null, null], -1).ends[0].node, 1);
  assert.equal(e.bands(tree, -1).depth, 5000);
});

test("at most sixty boxes are open at first, those with most rows", () => {
  const tree = randomTree(9, 900), nodes = e.visibleNodes(tree, e.openMost(tree, -1, 60), -1);
  assert.ok(nodes.length <= 60 && nodes.length > 50);
  const small = AGE(1, AGE(2, [90, 0], [0, 90]), AGE(3, [1, 0], [0, 1]));
  assert.deepEqual(e.visibleNodes(treeOf(small), e.openMost(treeOf(small), -1, 5), -1), [0, 1, 2, 3, 4]);
});

test("the children of the root are open, however many they are", () => {
  const wide = treeOf({ split: [0, Array.from({ length: 15 }, (_, i) => i)], kids: Array.from({ length: 16 }, (_, i) => (i ? [i, 1] : AGE(99, [50, 0], [0, 50]))) });
  assert.equal(e.visibleNodes(wide, e.openMost(wide, -1, 4), -1).length, 17);
});

test("a node's own figure is laid out as a tree of its own", () => {
  const tree = randomTree(7, 300), open = new Uint8Array(tree.n).fill(1), root = tree.kids.findIndex((k, t) => t > 4 && k > 0);
  const nodes = e.visibleNodes(tree, open, -1, root), y = e.tidy(tree, nodes);
  assert.equal(nodes[0], root);
  assert.ok(nodes.every((t) => t === root || nodes.includes(tree.parent[t])));
  assert.equal(Math.min(...nodes.map((t) => y[t])), 0);
});

test("items of 0 and 1 are shown and read as equal to one of them", () => {
  const packed = documentOf(AGE(0.5, [3, 0], [0, 3])), wanted = { support: 0, confidence: 0, predicted: -1 };
  packed.features = FEATURES.map((about, j) => (j ? about : { ...about, zero_one: true }));
  const tree = e.unpack(packed);
  assert.deepEqual([e.branchWords(tree, 1), e.branchWords(tree, 2)], ["age = 0 or missing", "age = 1"]);
  assert.deepEqual(e.search(tree, -1, "age = 1", wanted), [2]);
  assert.deepEqual(e.search(tree, -1, "age != 0", wanted), [2]);
  assert.equal(e.ruleSql(tree, 2), '"age" > 0.5');
});

test("levels that no node tests are not in the page", () => {
  const packed = documentOf({ split: [1, 0, [1, 3], [0, 1]], missing: 0, kids: [[3, 0], [0, 3]] });
  packed.features = FEATURES.map((about, j) => (j === 1 ? { ...about, levels: ["it's", "grey"], held: [1, 3] } : about));
  const tree = e.unpack(packed);
  assert.deepEqual([e.branchWords(tree, 1), e.branchWords(tree, 2)], ["colour = it's or missing", "colour = grey"]);
  assert.deepEqual(e.search(tree, -1, "colour = grey", { support: 0, confidence: 0, predicted: -1 }), [2]);
});

test("bands lie within those of their parents and are as wide as their rows", () => {
  const tree = randomTree(11, 300), { left, right } = e.bands(tree, -1);
  for (let t = 1; t < tree.n; t++) {
    assert.ok(left[t] >= left[tree.parent[t]] - 1e-12 && right[t] <= right[tree.parent[t]] + 1e-12);
    assert.ok(Math.abs(right[t] - left[t] - tree.weight[t] / tree.weight[0]) < 1e-9);
  }
});

test("a rule merges what is tested several times", () => {
  const tree = treeOf(AGE(40, AGE(10, [1, 0], AGE(20, [5, 0], [0, 5])), [0, 9]));
  assert.deepEqual(e.ruleWords(tree, 6), ["20 < age ≤ 40"]);
  assert.deepEqual(e.ruleWords(tree, 5), ["10 < age ≤ 20"]);
  assert.deepEqual(e.ruleWords(tree, 3), ["age ≤ 10 or missing"]);
  assert.deepEqual(e.ruleWords(tree, 0), []);
  assert.equal(e.ruleLine(tree, 6), "20 < age ≤ 40: y = yes 100.0 % (5 rows)");
  assert.equal(e.ruleSql(tree, 6), '"age" > 20 AND "age" <= 40');
  assert.equal(e.ruleSql(tree, 3), '("age" <= 10 OR "age" IS NULL)');
  assert.equal(e.ruleSql(tree, 0), "1 = 1");
});

test("sets of levels, grades and missing values in words and SQL", () => {
  const sets = { split: [1, 0, [0, 1, 2, 3, 4], [0, 0, 0, 1, 1]], missing: 1, kids: [{ split: [1, 0, [0, 1, 2], [0, 1, 1]], missing: -2, kids: [[3, 0], [0, 3]] }, { split: [2, [0.5, 2.5]], missing: 1, kids: [[1, 0], [4, 0], [0, 2]] }] };
  const tree = treeOf(sets);
  assert.deepEqual(e.ruleWords(tree, 4), ['colour in {it\'s, say "hi"}']);
  assert.equal(e.ruleSql(tree, 4), `"colour" IN ('it''s', 'say "hi"')`);
  assert.deepEqual(e.ruleWords(tree, 6), ["colour in {grey, gold} or missing", "mid ≤ grade ≤ high or missing"]);
  assert.equal(e.branchWords(tree, 1), 'colour in {red, it\'s, say "hi"}');
  assert.equal(e.branchWords(tree, 1, 2), "colour in {red and 2 more}");
  assert.equal(e.branchWords(tree, 5), "grade = low");
  assert.equal(e.branchWords(tree, 7), "grade = top");
});

test("a branch of missing values alone, names with quotes, and notes that a condition cannot express", () => {
  const alone = treeOf({ split: [3, [5]], missing: 2, kids: [[2, 0], [0, 2], [1, 1]] });
  assert.equal(e.branchWords(alone, 3), 'the "id" is missing');
  assert.equal(e.ruleSql(alone, 3), '"the ""id""" IS NULL');
  const tree_of_surrogates = treeOf({ split: [0, [5]], missing: 0, surrogates: [[[3, [7]], 0.9, 0.5]], kids: [[2, 0], [0, 2]] });
  assert.match(e.ruleSql(tree_of_surrogates, 1), /^\/\* rows with a missing value that surrogate splits would send here are left out \*\/\n"age" <= 5$/);
  const shared = treeOf({ split: [0, [5]], missing: -1, kids: [[2, 0], [0, 2]] });
  assert.match(e.ruleSql(shared, 2), /come here with a share only/);
  assert.equal(e.ruleWords(shared, 2)[0], "age > 5 (missing: shared out)");
});

test("whole numbers beyond 2**53 are compared, shown and read with all digits", () => {
  assert.equal(e.cutWords([2 ** 60, 1]), "1152921504606846977");
  assert.equal(e.cutWords([2 ** 60, 0.5]), "1152921504606846976.5");
  assert.equal(e.cutWords([-(2 ** 60), -0.5]), "-1152921504606846976.5");
  assert.equal(e.cutWords([-(2 ** 60), 0.5]), "-1152921504606846975.5");
  assert.deepEqual(e.readNumber("1152921504606846977"), [2 ** 60, 1]);
  assert.equal(e.readNumber("1152921504606846976"), 2 ** 60);
  const tree = treeOf({ split: [0, [[2 ** 60, 0.5]]], missing: 0, kids: [[2, 0], [0, 2]] });
  assert.equal(e.predict(tree, [e.readNumber("1152921504606846976")], -1).value, 0);
  assert.equal(e.predict(tree, [e.readNumber("1152921504606846977")], -1).value, 1);
});

test("what people type is read as a number, or not at all", () => {
  const good = [["1.5", 1.5], [" −3 ", -3], ["+.5", 0.5], ["1e3", 1000], ["inf", Infinity], ["-Infinity", -Infinity], ["5.", 5]];
  for (const [text, number] of good) assert.equal(e.readNumber(text), number);
  for (const text of ["", "x", "1,5", "0x10", "1 2", "--1", "NaN"]) assert.equal(e.readNumber(text), null);
});

test("text that would hide, move or run is shown as escapes", () => {
  assert.equal(e.plain("two\nlines"), "two\\nlines");
  assert.equal(e.plain("\u202eabc"), "\\u202eabc");
  assert.equal(e.plain(""), '""');
  assert.equal(e.plain(" x"), '" x"');
  assert.equal(e.plain("\ud800"), "\\ud800");
  assert.equal(e.plain("年齢 🌳"), "年齢 🌳");
  assert.equal(e.levelWords(["1180591620717411303424"]), "1180591620717411303424");
});

test("searching by words and numbers", () => {
  const tree = treeOf(AGE(40, { split: [1, 0, [0, 1], [0, 1]], missing: 0, kids: [[90, 10], [1, 9]] }, [0, 50]));
  const off = { support: 0, confidence: 0, predicted: -1 }, find = (text, filters = off) => e.search(tree, -1, text, filters);
  assert.deepEqual(find("age"), [0, 1, 2]);
  assert.deepEqual(find("red"), [3]);
  assert.deepEqual(find("COLOUR leaf"), [3, 4]);
  assert.deepEqual(find("n>=100"), [0, 1, 3]);
  assert.deepEqual(find("p > 0.95"), [2]);
  assert.deepEqual(find("p>95%"), [2]);
  assert.deepEqual(find("depth=2 n<50"), [4]);
  assert.deepEqual(find("node=1"), [1]);
  assert.deepEqual(find("", { support: 0.3, confidence: 0, predicted: -1 }), [0, 1, 2, 3]);
  assert.deepEqual(find("", { support: 0, confidence: 0.9, predicted: -1 }), [2, 3, 4]);
  assert.deepEqual(find("leaf", { support: 0, confidence: 0, predicted: 1 }), [2, 4]);
  assert.deepEqual(find("zebra"), []);
});

test("leaves are listed, sorted and saved; formulas of spreadsheets do not run", () => {
  const tree = treeOf(AGE(40, [10, 2], AGE(50, [0, 5], [30, 0])));
  const records = e.leafRecords(tree, -1, { support: 0, confidence: 0, predicted: -1 });
  assert.deepEqual(records.map(({ number, rows }) => [number, rows]), [[1, 12], [3, 5], [4, 30]]);
  assert.deepEqual(e.sortRecords(records, "rows", true).map(({ number }) => number), [4, 1, 3]);
  assert.deepEqual(e.sortRecords(records, "predicted", false).map(({ predicted }) => predicted), ["no", "no", "yes"]);
  assert.equal(e.csvField("=1+1"), "'=1+1");
  assert.equal(e.csvField('a,"b"'), '"a,""b"""');
  assert.equal(e.csvField(-1.5), "-1.5");
  assert.equal(e.toCsv([["rows", "rows"], ["rule", "rule"]], records.slice(0, 1)), "rows,rule\r\n12,age ≤ 40 or missing\r\n");
});

test("numbers of nodes, leaves and confusion follow the slider", () => {
  const tree = treeOf(AGE(40, AGE(20, [10, 2], [1, 9]), [0, 5]), { 0: 2, 1: 1 });
  assert.deepEqual([...e.numbering(tree, 0)], [0, 1, 2, 3, 4]);
  assert.deepEqual([...e.numbering(tree, 1)], [0, 1, 2, -1, -1]);
  assert.deepEqual([...e.numbering(tree, 2)], [0, -1, -1, -1, -1]);
  assert.deepEqual(e.confusion(tree, tree.moments, 0), [[10, 1], [2, 14]]);
  assert.deepEqual(e.confusion(tree, tree.moments, 2), [[0, 11], [0, 16]]);
  assert.equal(e.predict(tree, [30], 0).value, 1);
  assert.equal(e.predict(tree, [30], 1).ends[0].node, 1);
});

test("amounts, shares and cuts to look at", () => {
  assert.equal(e.amount(1234567), "1,234,567");
  assert.equal(e.amount(-0.000012346), "−0.00001235");
  assert.equal(e.amount(null), "–");
  assert.equal(e.percent(0.99996), "99.996 %");
  assert.equal(e.percent(0.00004), "0.004 %");
  assert.equal(e.percent(1e-12), "1e-10 %");
  assert.equal(e.percent(1 - 1e-12), ">99.9 %");
  assert.equal(e.percent(0.0083), "0.83 %");
  assert.equal(e.percent(1), "100.0 %");
  assert.equal(e.cutWords(24.808349999999), "24.808349999999");
});

test("rows of a class are beside shares that are weighted or smoothed", () => {
  const document = documentOf(AGE(40, [8, 2], [2, 8]));
  assert.equal(e.rowsWords(e.unpack(document), 1), "10 rows");
  document.response.altered = 1;
  assert.equal(e.rowsWords(e.unpack(document), 1), "8 of 10 rows");
  Object.assign(document.response, { altered: 2 });
  Object.assign(document.tree, { counts: document.tree.moments, moments: document.tree.moments.map((count, k) => count * (k % 2 ? 1 : 50)), value: [0, 0, 0] });
  const tree = e.unpack(document);
  assert.equal(e.rowsWords(tree, 2), "2 of 10 rows, 20.0 %");
  assert.equal(tree.weight[2], 108);
  assert.equal(e.leafRecords(tree, -1, { support: 0, confidence: 0, predicted: -1 })[1].right, 2);
});
