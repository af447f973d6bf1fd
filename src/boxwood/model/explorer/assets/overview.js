// The overview: all nodes of the tree in view as bands, one row per level, as wide as their share of the rows.

function setUpOverview(app) {
  const canvas = byId("overview");
  canvas.addEventListener("click", (event) => { const t = bandAt(app, canvas, event); if (t >= 0) choose(app, t, {}); });
  canvas.addEventListener("pointermove", (event) => { const t = bandAt(app, canvas, event); canvas.title = t < 0 ? "" : `${branchWords(app.tree, t)}: ${predictionWords(app.tree, t)}, ${rowsWords(app.tree, t)}`; });
  new ResizeObserver(() => drawOverview(app)).observe(canvas);
  addEventListener("tabs", () => drawOverview(app));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawOverview(app));
}

// Height of a level: as many as fit, 24 pixels at most.
const bandHeight = (app, height) => Math.min(height / (app.bands.depth + 1), 24);

function drawOverview(app) {
  const canvas = byId("overview"), { width, height } = canvas.getBoundingClientRect(), dense = devicePixelRatio || 1;
  if (!width || !height) return;
  if (!app.bands || app.bands.cut !== app.cut) app.bands = { ...bands(app.tree, app.cut), cut: app.cut };
  canvas.width = width * dense;
  canvas.height = height * dense;
  const pen = canvas.getContext("2d"), high = bandHeight(app, height), style = getComputedStyle(document.documentElement), { left, right, number } = app.bands;
  pen.scale(dense, dense);
  for (let t = 0; t < app.tree.n; t++) {
    const wide = (right[t] - left[t]) * width;
    if (number[t] < 0 || wide < 0.05) continue;
    const { colour: fillColour, strength } = shade(app, t);
    pen.globalAlpha = app.found !== null && !app.found.has(t) ? strength * 0.2 : strength;
    pen.fillStyle = fillColour;
    const gap = wide > 3 ? 1 : 0;
    pen.fillRect(left[t] * width, app.tree.depth[t] * high, wide - gap, high - (high > 4 ? 1 : 0));
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 2;
  for (const [nodes, name] of [[document.body.classList.contains("trying") ? app.live : [], "--live"], [pathTo(app.tree, app.selected), "--ink"]]) {
    pen.strokeStyle = style.getPropertyValue(name).trim();
    for (const t of nodes) if (number[t] >= 0) pen.strokeRect(left[t] * width + 1, app.tree.depth[t] * high + 1, Math.max((right[t] - left[t]) * width - 2, 1), Math.max(high - 3, 1));
  }
}

function bandAt(app, canvas, event) {
  const frame = canvas.getBoundingClientRect(), x = (event.clientX - frame.left) / frame.width, level = Math.floor((event.clientY - frame.top) / bandHeight(app, frame.height));
  const { left, right, number } = app.bands;
  for (let t = 0; t < app.tree.n; t++) if (number[t] >= 0 && app.tree.depth[t] === level && x >= left[t] && x < right[t]) return t;
  return -1;
}
