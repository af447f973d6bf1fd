// Dates and times: whole numbers of a unit, whose nanoseconds are `size`, as the words of Python write them, and back.

const DAY = 86400000000000n, SECOND = 1000000000n;

// Quotient and rest of whole numbers, the rest never negative.
function floorDivide(a, b) { const rest = ((a % b) + b) % b; return [(a - rest) / b, rest]; }

const wholeOf = (value) => (Array.isArray(value) ? BigInt(value[0]) + BigInt(Math.floor(value[1])) : BigInt(Math.floor(value)));

const two = (value) => String(value).padStart(2, "0");

// Hours and minutes; seconds and their decimals where there are some.
function clockWords(nanoseconds) {
  const seconds = nanoseconds / SECOND, rest = nanoseconds % SECOND;
  const late = seconds % 60n || rest ? `:${two(seconds % 60n)}` : "";
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}${late}${rest ? `.${String(rest).padStart(9, "0").replace(/0+$/, "")}` : ""}`;
}

function spanWords(total) {
  const [days, rest] = [(total < 0n ? -total : total) / DAY, (total < 0n ? -total : total) % DAY];
  const clock = clockWords(rest), full = clock.split(":").length === 3 ? clock : `${clock}:00`;
  const words = [days || !rest ? `${days} day${days === 1n ? "" : "s"}` : "", rest ? full : ""].filter(Boolean).join(" ");
  return total < 0n ? `-${words}` : words;
}

// Seconds that the clocks of a time zone are ahead of UTC at an instant in milliseconds.
function secondsAhead(zone, instant) {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (fixed) return (fixed[1] === "-" ? -1 : 1) * 60 * (60 * Number(fixed[2]) + Number(fixed[3]));
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" });
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000 - Math.floor(instant / 1000);
  } catch { return 0; }
}

// A count of the unit of a feature as a date, a time or a length of time.
function timeWords({ kind, size, zone }, value) {
  const count = wholeOf(value), total = count * BigInt(size);
  if (kind === "duration") return spanWords(total);
  const [days, rest] = floorDivide(total, DAY);
  if (kind === "time" && days === 0n) return clockWords(rest);
  if (days < -719162n || days > 2932896n) return `${count} after 1970-01-01`;
  const ahead = zone ? secondsAhead(zone, Number(floorDivide(total, 1000000n)[0])) : 0, [there, passed] = floorDivide(total + BigInt(ahead) * SECOND, DAY);
  const date = new Date(Number(there) * 86400000).toISOString().slice(0, 10);
  if (!zone) return BigInt(size) === DAY ? date : `${date} ${clockWords(passed)}`;
  return `${date} ${clockWords(passed)}${ahead < 0 ? "-" : "+"}${clockWords(BigInt(Math.abs(ahead)) * SECOND)}`;
}

const TIME_FORM = /^(?:(\d{4})-(\d\d)-(\d\d))?[T ]?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;
const SPAN_FORM = /^([-−])?\s*(?:(\d+) days?)?\s*(?:(\d+):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?$/;

const clockOf = (hours, minutes, seconds, digits) => (BigInt(hours || 0) * 3600n + BigInt(minutes || 0) * 60n + BigInt(seconds || 0)) * SECOND + BigInt((digits || "").padEnd(9, "0"));

// Nanoseconds of a text, null when it is none: a time zone is required where the feature has one, and only there.
function nanosecondsOf({ kind, zone }, text) {
  const words = text.trim();
  if (kind === "duration") {
    const span = words && SPAN_FORM.exec(words);
    if (!span) return null;
    const total = BigInt(span[2] || 0) * DAY + clockOf(span[3], span[4], span[5], span[6]);
    return span[1] ? -total : total;
  }
  const found = words && TIME_FORM.exec(words);
  if (!found || (kind === "time") === Boolean(found[1]) || (kind === "time" && !found[4]) || Boolean(found[8]) !== Boolean(zone)) return null;
  const passed = clockOf(found[4], found[5], found[6], found[7]);
  if (kind === "time") return passed;
  const date = new Date(0);
  date.setUTCFullYear(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
  if (date.getUTCDate() !== Number(found[3])) return null;
  const away = found[8] && found[8] !== "Z" ? /(\d\d):?(\d\d)(?::(\d\d))?/.exec(found[8]) : null;
  const ahead = away ? clockOf(...away.slice(1)) : 0n;
  return BigInt(date.getTime()) * 1000000n + passed - (found[8] && found[8][0] === "-" ? -ahead : ahead);
}

// A text as a count of the unit that it has begun; null when it is none.
function readTime(time, text) {
  const total = nanosecondsOf(time, text);
  if (total === null) return null;
  const [count] = floorDivide(total, BigInt(time.size)), near = Number(count), rest = Number(count - BigInt(near));
  return rest ? [near, rest] : near;
}

// What is above a cut begins one later.
const nextCount = (cut) => (Array.isArray(cut) ? [cut[0], cut[1] + 1] : cut + 1);

// A date or time as SQL.
function sqlTime(time, value) {
  const words = timeWords(time, value), type = time.kind === "date" || time.kind === "time" ? time.kind.toUpperCase() : "TIMESTAMP";
  return `${type}${time.zone ? " WITH TIME ZONE" : ""} '${type === "TIMESTAMP" && words.length === 10 ? `${words} 00:00` : words}'`;
}
