// node answers.mjs < cases.json: the page's predictions of rows, compared with Python's; prints the differences.

import { readFileSync } from "node:fs";

// The scripts come as the page holds them, not as they lie in the folder.
const { script, cases } = JSON.parse(readFileSync(0, "utf-8"));
const { unpack, predict, numbering, readCondition, implies, placeOf } = new Function(`"use strict";\n${script}\nreturn { unpack, predict, numbering, readCondition, implies, placeOf };`)();
const near = (a, b) => a === b || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a), Math.abs(b)) || (Number.isNaN(a) && Number.isNaN(b));
const infinite = { Infinity: Infinity, "-Infinity": -Infinity };
const read = (value) => (typeof value === "string" ? infinite[value] : value);

const wrong = [];
for (const { name, document, cuts, conditions = {}, paths = [] } of cases) {
  const tree = unpack(document);
  paths.forEach((path, t) => {
    const found = placeOf(tree, t, []).path || [];
    if (path && JSON.stringify(found) !== JSON.stringify(path) && wrong.length < 20) wrong.push({ name, t, found, expected: path });
  });
  for (const [text, nodes] of Object.entries(conditions)) {
    const parts = readCondition(tree.features, text), found = parts && [...tree.kids.keys()].filter((t) => implies(tree, t, parts));
    if (JSON.stringify(found) !== JSON.stringify(nodes) && wrong.length < 20) wrong.push({ name, text, found, expected: nodes });
  }
  for (const { cut, rows, value, probability, node } of cuts) {
    const number = numbering(tree, cut);
    rows.forEach((row, i) => {
      const found = predict(tree, row.map(read), cut);
      const largest = found.ends.reduce((best, end) => (end.share > best.share + 1e-12 || (end.share >= best.share - 1e-12 && end.node < best.node) ? end : best));
      const same = near(found.value, value[i]) && number[largest.node] === node[i] && (!probability || probability[i].every((p, k) => near(p, found.probability[k])));
      if (!same && wrong.length < 20) wrong.push({ name, cut, row, found: [found.value, found.probability, number[largest.node]], expected: [value[i], probability && probability[i], node[i]] });
    });
  }
}
console.log(JSON.stringify({ trees: cases.length, rows: cases.reduce((sum, { cuts }) => sum + cuts.reduce((all, { rows }) => all + rows.length, 0), 0), wrong }));
