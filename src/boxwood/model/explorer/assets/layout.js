// Where boxes are: a tidy tree from left to right, and bands of an overview. Both take time in proportion to the nodes.

// Nodes to draw, ascending: the root, and the children of open nodes that are not leaves of the tree of row `cut`.
function visibleNodes(tree, open, cut, root = 0) {
  const shown = new Uint8Array(tree.n), nodes = [];
  for (let t = root; t < tree.n; t++) {
    const up = tree.parent[t];
    if (t !== root && !(shown[up] && open[up] && !isLeaf(tree, up, cut))) continue;
    shown[t] = 1;
    nodes.push(t);
  }
  return nodes;
}

// Which nodes to open so that at most `most` boxes are drawn: always the one with most rows; the root in any case.
function openMost(tree, cut, most) {
  const open = new Uint8Array(tree.n), waiting = [0];
  let boxes = 1;
  while (waiting.length) {
    let best = 0;
    for (let i = 1; i < waiting.length; i++) if (tree.rows[waiting[i]] > tree.rows[waiting[best]]) best = i;
    const [t] = waiting.splice(best, 1);
    if (isLeaf(tree, t, cut) || (t && boxes + tree.kids[t] > most)) continue;
    open[t] = 1;
    boxes += tree.kids[t];
    for (let c = 0; c < tree.kids[t]; c++) waiting.push(tree.first[t] + c);
  }
  return open;
}

// Where a tree is cut so that its parts have at most so many ends and levels (Kundu and Misra 1977): from the leaves up, a
// node parts with the children that reach too deep, then with those of most ends. All children are drawn beside it.
function partsBelow(tree, cut, most) {
  const number = numbering(tree, cut), cuts = new Uint8Array(tree.n), ends = new Int32Array(tree.n).fill(1), levels = new Int32Array(tree.n);
  for (let t = tree.n - 1; t >= 0; t--) {
    if (number[t] < 0 || isLeaf(tree, t, cut)) continue;
    const kids = Array.from({ length: tree.kids[t] }, (_, c) => tree.first[t] + c), sum = () => kids.reduce((all, c) => all + ends[c], 0);
    const inOrder = kids.filter((c) => levels[c]).sort((a, b) => (levels[b] >= most.levels) - (levels[a] >= most.levels) || ends[b] - ends[a]);
    for (const c of inOrder) {
      if (levels[c] < most.levels && sum() <= most.ends) break;
      cuts[c] = 1;
      ends[c] = 1;
      levels[c] = 0;
    }
    ends[t] = sum();
    levels[t] = 1 + Math.max(...kids.map((c) => levels[c]));
  }
  return cuts;
}

// Height of every visible node, in steps of one: children in order and at least one step apart, parents in the middle.
// Reingold and Tilford (1981) for any number of children, in linear time by Buchheim, Junger and Leipert (2002).
function tidy(tree, nodes) {
  const n = tree.n, shown = new Uint8Array(n), [root] = nodes;
  const at = { mid: new Float64Array(n), place: new Float64Array(n), mod: new Float64Array(n), shift: new Float64Array(n),
    change: new Float64Array(n), thread: new Int32Array(n).fill(-1), ancestor: new Int32Array(n) };
  for (const t of nodes) { shown[t] = 1; at.ancestor[t] = t; }
  const isOpen = (t) => tree.kids[t] > 0 && shown[tree.first[t]] === 1;
  at.upper = (t) => (isOpen(t) ? tree.first[t] : at.thread[t]);
  at.lower = (t) => (isOpen(t) ? tree.first[t] + tree.kids[t] - 1 : at.thread[t]);
  for (let i = nodes.length - 1; i >= 0; i--) if (isOpen(nodes[i])) joinChildren(tree, nodes[i], at);
  const y = new Float64Array(n), moved = new Float64Array(n);
  let least = Infinity;
  for (const t of nodes) {
    const by = t === root ? 0 : moved[tree.parent[t]];
    y[t] = (t === root ? at.mid[t] : at.place[t]) + by;
    moved[t] = by + (t === root ? 0 : at.mod[t]);
    least = Math.min(least, y[t]);
  }
  for (const t of nodes) y[t] -= least;
  return y;
}

// Puts the finished branches of a node next to each other.
function joinChildren(tree, t, at) {
  const first = tree.first[t], last = first + tree.kids[t] - 1;
  let anchor = first;
  for (let c = first; c <= last; c++) {
    at.place[c] = c === first ? at.mid[c] : at.place[c - 1] + 1;
    at.mod[c] = at.place[c] - at.mid[c];
    if (c > first) anchor = keepApart(tree, c, first, anchor, at);
  }
  let shift = 0, change = 0;
  for (let c = last; c >= first; c--) {
    at.place[c] += shift;
    at.mod[c] += shift;
    change += at.change[c];
    shift += at.shift[c] + change;
  }
  at.mid[t] = (at.place[first] + at.place[last]) / 2;
}

// Moves the branch of `c` down until its upper edge is clear of the lower edge of the branches before it.
function keepApart(tree, c, first, anchor, at) {
  const { upper, lower } = at;
  let inside = c, outside = c, before = c - 1, outer = first;
  let sInside = at.mod[inside], sOutside = at.mod[outside], sBefore = at.mod[before], sOuter = at.mod[outer];
  for (;;) {
    const down = lower(before), up = upper(inside);
    if (down < 0 || up < 0) break;
    before = down;
    inside = up;
    outer = upper(outer);
    outside = lower(outside);
    at.ancestor[outside] = c;
    const gap = at.place[before] + sBefore - (at.place[inside] + sInside) + 1;
    if (gap > 0) {
      const from = tree.parent[at.ancestor[before]] === tree.parent[c] ? at.ancestor[before] : anchor, between = c - from;
      at.change[c] -= gap / between;
      at.shift[c] += gap;
      at.change[from] += gap / between;
      at.place[c] += gap;
      at.mod[c] += gap;
      sInside += gap;
      sOutside += gap;
    }
    sBefore += at.mod[before];
    sInside += at.mod[inside];
    sOuter += at.mod[outer];
    sOutside += at.mod[outside];
  }
  if (lower(before) >= 0 && lower(outside) < 0) {
    at.thread[outside] = lower(before);
    at.mod[outside] += sBefore - sOutside;
  }
  if (upper(inside) >= 0 && upper(outer) < 0) {
    at.thread[outer] = upper(inside);
    at.mod[outer] += sInside - sOuter;
    return c;
  }
  return anchor;
}

// Left and right end of every node of the tree of row `cut` in an overview from 0 to 1, by shares of the weight.
function bands(tree, cut) {
  const number = numbering(tree, cut), left = new Float64Array(tree.n), right = new Float64Array(tree.n);
  right[0] = 1;
  let depth = 0;
  for (let t = 0; t < tree.n; t++) {
    if (number[t] < 0) continue;
    depth = Math.max(depth, tree.depth[t]);
    if (isLeaf(tree, t, cut)) continue;
    const unit = tree.weight[t] > 0 ? (right[t] - left[t]) / tree.weight[t] : 0;
    let x = left[t];
    for (let c = 0; c < tree.kids[t]; c++) {
      left[tree.first[t] + c] = x;
      x = Math.min(x + unit * tree.weight[tree.first[t] + c], right[t]);
      right[tree.first[t] + c] = x;
    }
  }
  return { left, right, depth, number };
}
