// Formatted numbers, such as 1.234,50 €, by the form of the column of training.

// A number as typed, or as the column of training writes it: 1.234,50 €; null when it is neither.
function readWritten(form, text) {
  const words = text.replace(/[\u00a0\u202f\u2009]/g, " ").replace(/\u2019/g, "'").replace(/[\u2212\u25b3]/g, "-").trim(), number = readNumber(words);
  if (number !== null || !new RegExp(`^${form.pattern}$`).test(words)) return number;
  const bare = form.units.reduce((rest, unit) => rest.split(unit).join(""), words);
  const digits = [...bare].filter((sign) => (sign >= "0" && sign <= "9") || sign === form.decimal).join("");
  return readNumber((/[-(]/.test(bare) ? "-" : "") + digits.replace(form.decimal, "."));
}
