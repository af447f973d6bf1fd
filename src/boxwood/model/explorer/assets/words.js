// Names, levels and numbers as words: nothing hidden, nothing that changes the direction of the text.

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu;

// As Python writes it.
function escaped(sign) {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[sign], digits = sign.codePointAt(0).toString(16);
  return short || (digits.length < 3 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`);
}

// Text with control characters as escapes; an empty one, or one with outer blanks, in quotes.
function plain(text) {
  const shown = text.replace(HIDDEN, escaped);
  return shown.trim() !== shown || !shown ? `"${shown}"` : shown;
}

// A level or label: text, true or false, a number, or a number by its digits in a list.
const levelWords = (level) => plain(Array.isArray(level) ? level[0] : String(level));

// A cut in the shortest form that reads back as the same number; whole numbers beyond 2**53 exactly.
function cutWords(cut) {
  if (!Array.isArray(cut)) return String(cut);
  const floor = Math.floor(cut[1]), rest = cut[1] - floor, whole = BigInt(cut[0]) + BigInt(floor);
  if (rest === 0) return String(whole);
  // Below zero the digits count down: -3 + 0.5 is -2.5.
  return whole < 0n ? `-${-whole - 1n}${String(1 - rest).slice(1)}` : `${whole}${String(rest).slice(1)}`;
}

// A number as typed: whole ones beyond 2**53 keep all digits; null when it is none.
function readNumber(text) {
  const words = text.trim().replace("−", "-");
  if (/^[+-]?(inf|infinity|∞)$/i.test(words)) return words.startsWith("-") ? -Infinity : Infinity;
  if (!words || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(words)) return null;
  if (/^[+-]?\d+$/.test(words) && !Number.isSafeInteger(Number(words))) {
    const whole = BigInt(words.replace("+", "")), near = Number(whole);
    if (Number.isFinite(near)) { const rest = Number(whole - BigInt(near)); return rest ? [near, rest] : near; }
  }
  return Number(words);
}

// A value or cut of a feature in words, and back.
const valueWords = (about, value) => (about.time && (Array.isArray(value) || Number.isFinite(value)) ? timeWords(about.time, value) : cutWords(value));
const readValue = (about, text) => (about.time ? readTime(about.time, text) : about.form ? readWritten(about.form, text) : readNumber(text));

// A number to look at: at most `digits` significant digits.
function amount(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  // A whole part is never rounded, and long ones are written in groups.
  const shown = Number.isInteger(value) && Math.abs(value) < 1e15 ? value : Number(value.toPrecision(Math.max(digits, Math.floor(Math.log10(Math.abs(value))) + 1)));
  return (Math.abs(shown) >= 1e3 && Math.abs(shown) < 1e15 ? shown.toLocaleString("en-US") : String(shown)).replace("-", "−");
}

// Below 1 %, and where one decimal would make it 100, two digits of the distance.
function percent(share) {
  const two = (part) => Number((100 * part).toPrecision(2)), shown = (100 * share).toFixed(1);
  if (share > 0 && share < 0.01) return `${two(share)} %`;
  if (share >= 1 || shown !== "100.0") return `${shown} %`;
  return share > 1 - 1e-8 ? ">99.9 %" : `${Number((100 - two(1 - share)).toFixed(8))} %`;
}

const plural = (count, word, many = word + "s") => `${amount(count)} ${count === 1 ? word : many}`;

// The prediction of a node, in words: the class with its share, the mean with its spread, the rate.
function predictionWords(tree, t) {
  const response = tree.response;
  if (response.kind === "classes") return `${levelWords(response.labels[tree.value[t]])} ${percent(confidence(tree, t))}${sureWords(tree, t)}`;
  return response.kind === "mean" ? `${amount(tree.value[t])} ± ${amount(tree.spread[t], 3)}` : `rate ${amount(tree.value[t])}`;
}

// The 95 % interval of the probability of a node of fewer than 7 rows.
const sureWords = (tree, t) => (tree.sure.has(t) ? ` [${Math.floor(100 * tree.sure.get(t)[0])}–${Math.ceil(100 * tree.sure.get(t)[1])} %]` : "");

// How the rows of a node are counted, in words.
function rowsWords(tree, t) {
  if (!tree.rows[t]) return "0 rows, as above";
  const weight = tree.rowWeight[t], weighted = Math.abs(weight - tree.rows[t]) > 1e-9 * tree.rows[t], rows = plural(tree.rows[t], "row"), { altered } = tree.response;
  if (!altered) return rows + (weighted ? `, weight ${amount(weight)}` : "");
  // The probability is not the share of the rows: smoothed, or (2) weighted by class.
  return (weighted ? `${rows}, weight ${rowsBrief(tree, t)}` : rowsBrief(tree, t) + rows.slice(amount(tree.rows[t]).length)) + (altered > 1 ? `, ${percent(tree.counts[t][tree.value[t]] / weight)}` : "");
}

// Rows of a node; where probabilities are not their shares, also how many are of the predicted class.
const rowsBrief = (tree, t) => (tree.response.altered && tree.rows[t] ? `${amount(tree.counts[t][tree.value[t]])} of ${amount(tree.rowWeight[t])}` : amount(tree.rows[t]));
