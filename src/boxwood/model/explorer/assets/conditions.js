// The reader of conditions: income <= 24.5 and town in {Ulm, Bonn}; views/read_condition.py reads the same language.

const SIGN = /^\s*(<=|>=|==|!=|<|>|=|≤|≥|≠|not\s+in\b|in\b|is\b)\s*/i, PLAIN = { "≤": "<=", "≥": ">=", "≠": "!=", "==": "=", is: "=" };
const AND = /^(?:\s+and\s+|\s*(?:&&|∧)\s*|\s*$)/i, OR = /^(?:\s+or\s+|\s*(?:\|\||∨)\s*)/i, INSIDE = /^\s*([,}])\s*/;
const QUOTES = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/;
const ends = (text) => AND.test(text) || OR.test(text);

// The double before a number, so that "below" is "up to" it.
function before(value) {
  if (Array.isArray(value)) return [value[0], before(value[1])];
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

// Condition -> [{ feature, values, missing }], one a feature; null for a text that is none.
function readCondition(features, text) {
  const names = features.map((about, i) => [plain(about.name), i]).sort((a, b) => b[0].length - a[0].length), found = new Map();
  let rest = text.trim();
  const skip = (length) => { rest = rest.slice(length); };

  function name() {
    const quoted = QUOTES.exec(rest);
    for (const [shown, i] of names) {
      if (rest.startsWith(shown) && !(/\w$/.test(shown) && /^\w/.test(rest.slice(shown.length)))) { skip(shown.length); return i; }
      if (quoted && unquoted(quoted) === features[i].name) { skip(quoted[0].length); return i; }
    }
    return -1;
  }
  function level(about, isEnd) {
    const quoted = QUOTES.exec(rest);
    const known = about.levels.flatMap((value, i) => spellings(value).map((shown) => [shown, i])).sort((a, b) => b[0].length - a[0].length);
    for (const [shown, i] of known) {
      if (rest.startsWith(shown) && isEnd(rest.slice(shown.length))) { skip(shown.length); return i; }
      if (quoted && unquoted(quoted) === shown) { skip(quoted[0].length); return i; }
    }
    throw new SyntaxError("no level");
  }
  function number(about, isEnd) {
    let length = 0;
    while (length < rest.length && !isEnd(rest.slice(length))) length++;
    const words = rest.slice(0, length).replace(/^(["'])(.*)\1$/, "$2");
    skip(length);
    const value = readValue(about, /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(words) ? words.replaceAll(",", "") : words);
    if (value === null || value === undefined) throw new SyntaxError("no number");
    return value;
  }
  const value = (about, isEnd) => (about.kind === "numeric" ? number : level)(about, isEnd);

  function comparison() {
    const start = rest, i = name();
    if (i < 0) return between(start);
    const about = features[i], sign = SIGN.exec(rest);
    if (!sign) throw new SyntaxError("no sign");
    skip(sign[0].length);
    const state = /^is/i.test(sign[1]) && /^(not\s+missing|known|missing)(?!\w)/i.exec(rest);
    if (state) { skip(state[0].length); return { feature: i, values: /^missing/i.test(state[1]) ? nothing(about) : everything(about), missing: /^missing/i.test(state[1]) }; }
    const word = sign[1].toLowerCase().replace(/\s+/g, " ");
    if (!/in$/.test(word)) return side(i, about, PLAIN[word] || word, value(about, ends));
    if (!rest.startsWith("{")) throw new SyntaxError("no braces");
    const parts = [];
    for (let more = true; more;) {
      skip(parts.length ? 0 : 1);
      rest = rest.trimStart();
      parts.push(side(i, about, "=", value(about, (text) => INSIDE.test(text))));
      const end = INSIDE.exec(rest);
      more = end[1] === ",";
      skip(more ? end[0].length : end[0].trimEnd().length);
    }
    const all = parts.map((part) => part.values).reduce(either);
    return { feature: i, values: word === "in" ? all : outside(all, about), missing: false };
  }
  // low < name <= high: the low end can be read once the name is known.
  function between(start) {
    for (const sign of start.matchAll(/\s*(<=|<|≤)\s*/g)) {
      rest = start.slice(sign.index + sign[0].length);
      const i = name(), about = features[i], upto = /^\s*(<=|<|≤)\s*/.exec(rest);
      if (i < 0) continue;
      const after = rest;
      rest = start.slice(0, sign.index);
      const above = side(i, about, sign[1] === "<" ? ">" : ">=", value(about, (text) => !text));
      rest = after;
      if (!upto) return above;
      skip(upto[0].length);
      return { ...above, values: common(above.values, side(i, about, PLAIN[upto[1]] || upto[1], value(about, ends)).values) };
    }
    throw new SyntaxError("no name");
  }
  function side(feature, about, sign, at) {
    if (about.kind !== "numeric") {
      if (about.kind === "nominal" && sign !== "=" && sign !== "!=") throw new SyntaxError("no order");
      const holds = { "<": (i) => i < at, "<=": (i) => i <= at, ">": (i) => i > at, ">=": (i) => i >= at, "=": (i) => i === at, "!=": (i) => i !== at }[sign];
      return { feature, values: { levels: new Set(about.levels.map((_, i) => i).filter(holds)) }, missing: false };
    }
    if (about.zero_one && /^!?=$/.test(sign) && (at === 0 || at === 1)) return { feature, values: { intervals: (at === 1) === (sign === "=") ? [[0, null]] : [[null, before(1)]] }, missing: false };
    const low = at === -Infinity ? null : before(at), less = low === null ? [] : [[null, low]];
    const intervals = { "<": less, "<=": [[null, at]], ">": [[at, null]], ">=": [[low, null]], "=": [[low, at]], "!=": [...less, [at, null]] }[sign];
    return { feature, values: { intervals }, missing: false };
  }

  try {
    do {
      let part = comparison();
      for (let or = OR.exec(rest); or; or = OR.exec(rest)) {
        skip(or[0].length);
        const missing = /^missing(?=\s|$)/i.exec(rest), other = missing ? null : comparison();
        if (missing) skip(missing[0].length);
        if (other && other.feature !== part.feature) return null;
        part = { ...part, values: other ? either(part.values, other.values) : part.values, missing: part.missing || !other || other.missing };
      }
      const old = found.get(part.feature);
      found.set(part.feature, old ? { ...part, values: common(old.values, part.values), missing: old.missing && part.missing } : part);
      const and = AND.exec(rest);
      if (!and) return null;
      skip(and[0].length);
    } while (rest);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return [...found.values()];
}

// Truth values and whole numbers as Python writes them, too.
function spellings(level) {
  if (typeof level === "boolean") return [String(level), level ? "True" : "False"];
  if (!Number.isInteger(level)) return [levelWords(level)];
  const words = Object.is(level, -0) ? "-0" : String(level);
  return [words, `${words}.0`];
}
const unquoted = (found) => (found[1] ?? found[2]).replace(/\\(.)/g, "$1");
const nothing = (about) => (about.kind === "numeric" ? { intervals: [] } : { levels: new Set() });
const everything = (about) => (about.kind === "numeric" ? { intervals: [[null, null]] } : { levels: new Set(about.levels.keys()) });

// Values that are in one of two sets.
function either(a, b) {
  if (a.levels) return { levels: new Set([...a.levels, ...b.levels]) };
  const sorted = [...a.intervals, ...b.intervals].sort(([x], [y]) => (x === null ? -1 : y === null ? 1 : compare(x, y))), intervals = [];
  for (const [above, upto] of sorted) {
    const last = intervals[intervals.length - 1];
    if (!last || (last[1] !== null && above !== null && compare(last[1], above) < 0)) intervals.push([above, upto]);
    else if (last[1] !== null && (upto === null || compare(last[1], upto) < 0)) last[1] = upto;
  }
  return { intervals };
}

// Known values that a set leaves out.
function outside(values, about) {
  if (values.levels) return { levels: new Set([...about.levels.keys()].filter((i) => !values.levels.has(i))) };
  const ends = values.intervals.flat();
  return { intervals: [null, ...ends.filter((_, i) => i % 2)].map((above, i) => [above, ends[2 * i] ?? null]) };
}

// Whether all known values that come to a node fulfil a condition.
function implies(tree, node, parts) {
  const rule = new Map(mergedRule(tree, node).map((part) => [part.feature, part.values]));
  return parts.every(({ feature, values, missing }) => {
    const here = rule.get(feature);
    if (!here) return false;
    if (isEmpty(here)) return missing;
    if (here.levels) return [...here.levels].every((level) => values.levels.has(level));
    const both = common(here, values).intervals;
    return both.length === here.intervals.length && both.every(([above, upto], i) => same(above, here.intervals[i][0]) && same(upto, here.intervals[i][1]));
  });
}

const same = (a, b) => (a === null || b === null ? a === b : compare(a, b) === 0);
