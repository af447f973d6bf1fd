// Conditions of branches, merged along a path into one rule: in words, and as SQL.

// Which values of the feature go down a branch: { levels: Set } or { intervals: [[above, upto], ...] }; null is no end.
function valuesOf(split, branch, feature) {
  if (split.index) return { levels: new Set([...split.index].filter(([, to]) => to === branch).map(([level]) => level)) };
  if (feature.kind === "ordinal")
    return { levels: new Set(feature.levels.map((_, i) => i).filter((i) => split.branches[position(split.breaks, i)] === branch)) };
  const intervals = [];
  split.branches.forEach((to, i) => {
    if (to !== branch) return;
    const above = i ? split.breaks[i - 1] : null, upto = i < split.breaks.length ? split.breaks[i] : null;
    const last = intervals[intervals.length - 1];
    if (last && last[1] !== null && above !== null && compare(last[1], above) === 0) last[1] = upto;
    else intervals.push([above, upto]);
  });
  return { intervals };
}

// Values that are in both.
function common(a, b) {
  if (a.levels) return { levels: new Set([...a.levels].filter((level) => b.levels.has(level))) };
  const intervals = [];
  for (const [above, upto] of a.intervals)
    for (const [above2, upto2] of b.intervals) {
      const low = above === null ? above2 : above2 === null ? above : compare(above, above2) < 0 ? above2 : above;
      const high = upto === null ? upto2 : upto2 === null ? upto : compare(upto, upto2) < 0 ? upto : upto2;
      if (low === null || high === null || compare(low, high) < 0) intervals.push([low, high]);
    }
  return { intervals };
}

const isEmpty = (values) => (values.levels ? values.levels.size : values.intervals.length) === 0;

// Whether rows without a value come down a branch: "yes", "no", "surrogates" or "shared".
function missingAt(tree, t, branch) {
  if (tree.model.refuses_missing) return "refused";
  if (tree.surrogates[t].length) return "surrogates";
  const goes = tree.missing[tree.inner[t]];
  return goes === branch ? "yes" : goes === SHARED ? "shared" : "no";
}

const STRICTEST = ["refused", "no", "surrogates", "shared", "yes"];

// The conditions on the path to a node, one per feature, in the order in which features are first tested.
function mergedRule(tree, node) {
  const found = new Map(), path = pathTo(tree, node);
  for (let i = 0; i + 1 < path.length; i++) {
    const t = path[i], split = tree.splits[t], branch = path[i + 1] - tree.first[t];
    const values = valuesOf(split, branch, tree.features[split.feature]), missing = missingAt(tree, t, branch);
    const old = found.get(split.feature);
    found.set(split.feature, !old ? { feature: split.feature, values, missing } : {
      feature: split.feature,
      values: common(old.values, values),
      missing: STRICTEST[Math.min(STRICTEST.indexOf(old.missing), STRICTEST.indexOf(missing))],
    });
  }
  return [...found.values()];
}

// The same as lists of words.
const ruleWords = (tree, node) => mergedRule(tree, node).map((condition) => conditionWords(tree, condition));

// The condition of the branch into a node; "all rows" at the root.
function branchWords(tree, node, most = 4) {
  const t = tree.parent[node];
  if (t < 0) return "all rows";
  const split = tree.splits[t], branch = node - tree.first[t];
  const values = valuesOf(split, branch, tree.features[split.feature]);
  return conditionWords(tree, { feature: split.feature, values, missing: missingAt(tree, t, branch) }, most);
}

// The condition by which a split (of a surrogate, of a runner-up) sends rows to a branch.
const splitWords = (tree, split, branch) =>
  conditionWords(tree, { feature: split.feature, values: valuesOf(split, branch, tree.features[split.feature]), missing: "no" }, 4);

// How the page writes conditions, and how Python does.
const SHOWN = { sign: "≤", level: levelWords }, EXACT = { sign: "<=", level: (level) => (typeof level === "boolean" ? (level ? "True" : "False") : levelWords(level)) };
const MISSING_WORDS = { yes: " or missing", shared: " (missing: shared out)", surrogates: "", no: "", refused: "" };

function conditionWords(tree, { feature, values, missing }, most = Infinity, style = SHOWN) {
  const about = tree.features[feature], name = plain(about.name);
  if (isEmpty(values)) return missing === "yes" ? `${name} is missing` : `no value of ${name}`;
  return (values.levels ? levelsWords(name, about, values.levels, most, style) : numberWords(about, name, values.intervals, style)) + (most < Infinity && missing === "shared" ? "" : MISSING_WORDS[missing]);
}

function levelsWords(name, about, levels, most, { sign, level }) {
  const place = (i) => (about.rank ? about.rank[i] : i);
  const sorted = [...levels].sort((a, b) => place(a) - place(b)), words = sorted.map((i) => level(about.levels[i]));
  const last = about.levels.length - 1, whole = sorted[sorted.length - 1] - sorted[0] + 1 === sorted.length;
  if (about.kind === "ordinal" && whole) {
    if (sorted.length === last + 1) return `${name} is known`;
    if (sorted.length === 1) return `${name} = ${words[0]}`;
    if (sorted[0] === 0) return `${name} ${sign} ${words[words.length - 1]}`;
    return sorted[sorted.length - 1] === last ? `${name} > ${level(about.levels[sorted[0] - 1])}` : `${words[0]} ${sign} ${name} ${sign} ${words[words.length - 1]}`;
  }
  if (words.length === 1) return `${name} = ${words[0]}`;
  if (words.length <= most) return `${name} in {${words.join(", ")}}`;
  const named = Math.max(most - 1, 1);
  return `${name} in {${words.slice(0, named).join(", ")} and ${words.length - named} more}`;
}

// Numbers by name: of a feature of 0 and 1 the one that is left, of others intervals.
function numberWords(about, name, intervals, style) {
  const holds = (x) => intervals.some(([above, upto]) => (above === null || compare(above, x) < 0) && (upto === null || compare(x, upto) <= 0));
  const left = about.zero_one ? [0, 1].filter(holds) : [];
  return left.length === 1 ? `${name} = ${left[0]}` : intervalsWords(about, name, intervals, style);
}

// Thresholds of the tree come with their words where a script would write the number otherwise.
const intervalsWords = (about, name, intervals, { sign }) => intervals.map(([above, upto]) => {
  const shown = (cut) => (about.words && about.words.get(cut)) || valueWords(about, cut);
  if (above === null) return upto === null ? `${name} is known` : `${name} ${sign} ${shown(upto)}`;
  return upto === null ? `${name} > ${shown(above)}` : `${shown(above)} < ${name} ${sign} ${shown(upto)}`;
}).join(" or ");

// A rule as one line: "age ≤ 41.5 and sex = female: survived = yes 92.1 % (120 rows)".
function ruleLine(tree, node) {
  const conditions = ruleWords(tree, node);
  return `${conditions.length ? conditions.join(" and ") : "all rows"}: ${plain(tree.response.name)} = ${predictionWords(tree, node)} (${rowsWords(tree, node)})`;
}

const sqlName = (name) => `"${name.replace(/"/g, '""')}"`;

function sqlLevel(level) {
  if (typeof level === "string") return `'${level.replace(/'/g, "''")}'`;
  return Array.isArray(level) ? level[0] : typeof level === "boolean" ? (level ? "TRUE" : "FALSE") : String(level);
}

function sqlNumber(cut) {
  if (Array.isArray(cut) || Number.isFinite(cut)) return cutWords(cut);
  return `CAST('${cut > 0 ? "Infinity" : "-Infinity"}' AS DOUBLE PRECISION)`;
}

// One condition as SQL; a row without a value passes only where a rule without surrogates sends it to this branch.
function sqlCondition(tree, { feature, values, missing }) {
  const about = tree.features[feature], name = sqlName(about.name), parts = [];
  if (values.levels && values.levels.size) parts.push(`${name} IN (${[...values.levels].map((i) => sqlLevel(about.levels[i])).join(", ")})`);
  for (const [above, upto] of values.intervals || []) {
    const time = about.time && about.time.kind !== "duration" ? about.time : null;
    const ends = [
      above === null ? "" : time ? `${name} >= ${sqlTime(time, nextCount(above))}` : `${name} > ${sqlNumber(above)}`,
      upto === null ? "" : time ? `${name} < ${sqlTime(time, nextCount(upto))}` : `${name} <= ${sqlNumber(upto)}`,
    ].filter(Boolean);
    parts.push(ends.length ? ends.join(" AND ") : `${name} IS NOT NULL`);
  }
  if (missing === "yes") parts.push(`${name} IS NULL`);
  if (!parts.length) return "1 = 0";
  return parts.length > 1 ? `(${parts.map((part) => (part.includes(" AND ") ? `(${part})` : part)).join(" OR ")})` : parts[0];
}

// The rule of a node as a condition for WHERE. A comment, without names, adds what a condition cannot express.
function ruleSql(tree, node) {
  const rule = mergedRule(tree, node), notes = [];
  if (rule.some(({ missing }) => missing === "surrogates")) notes.push("rows with a missing value that surrogate splits would send here are left out");
  if (rule.some(({ missing }) => missing === "shared")) notes.push("rows with a missing value come here with a share only; they are left out");
  const lines = rule.map((condition) => sqlCondition(tree, condition));
  return notes.map((note) => `/* ${note} */\n`).join("") + (lines.length ? lines.join("\n  AND ") : "1 = 1");
}
