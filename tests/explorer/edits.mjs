// node edits.mjs < cases.json: logs of random edits by the functions of the page.

import { readFileSync } from "node:fs";

const { script, cases } = JSON.parse(readFileSync(0, "utf-8"));
const e = new Function(`"use strict";\n${script}\nreturn { unpack, numbering, isLeaf, putEdits, entryOf, logOf, branchConditions, withCut, withLevel, sidesOf, problemOf };`)();

function edited(tree, cut, random) {
  const edits = [], pick = (list) => list[Math.floor(random() * list.length)];
  for (let tries = 0; tries < 60 && edits.length < 6; tries++) {
    const number = e.numbering(tree, cut), t = pick([...tree.kids.keys()].filter((node) => number[node] >= 0 && tree.kids[node] && (node || edits.length === 5))), split = t === undefined ? null : tree.splits[t];
    if (!split) continue;
    const rivals = tree.rivals[t].filter(([, , condition]) => condition), kind = random();
    let verb = null, tested = [];
    if (kind < 0.3 && !e.isLeaf(tree, t, cut)) verb = { verb: "prune" };
    else if (kind < 0.5 && rivals.length) verb = { verb: "split", condition: pick(rivals)[2] };
    else {
      const changed = split.kind === "numeric" ? e.withCut(split, 0, Array.isArray(split.breaks[0]) ? split.breaks[0] : split.breaks[0] + (random() - 0.5) / 8) : e.withLevel(tree, split, ...pick([...e.sidesOf(tree, split)]));
      if (e.problemOf(tree, t, changed) === "") verb = { verb: "split", condition: e.branchConditions(tree, t, changed) };
      tested = [split.feature];
    }
    if (verb) edits.push({ node: t, entry: e.entryOf(tree, cut, t, verb, { who: "王伟" }, tested) });
    e.putEdits(tree, edits);
  }
  return JSON.parse(e.logOf(edits));
}

console.log(JSON.stringify(cases.map(({ document, seed }) => {
  let state = 104729 * (seed + 1);
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return edited(e.unpack(document), document.pruning.selected, random);
})));
