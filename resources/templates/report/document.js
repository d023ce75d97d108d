"use strict";
/* Charts as couplant.report.charts.chart packs them; those of one quantity to the right are linked. */

(() => {
  const view = { hidden: new Set(), spans: new Map() };

  function inOrder(chart) {
    return chart.panels.flatMap((panel) => panel.lines);
  }

  function fullSpan(quantity) {
    const lines = report.charts.filter((chart) => chart.x === quantity).flatMap(inOrder).map((line) => column(line.x)).filter((x) => x.length);
    return lines.length ? [Math.min(...lines.map((x) => x[0])), Math.max(...lines.map((x) => x[x.length - 1]))] : [0, 1];
  }

  /* Along a logarithmic axis spans are those of the logarithm. */
  function along(chart) {
    return chart.log ? { to: Math.log10, from: (v) => 10 ** v } : { to: (v) => v, from: (v) => v };
  }

  function setSpan(chart, from, to) {
    show(chart, from, to);
    tell(follow, chart.x, ...view.spans.get(chart.x));
  }

  function follow(quantity, from, to) {
    const chart = report.charts.find((one) => one.x === quantity);
    if (chart) show(chart, from, to);
  }

  function show(chart, from, to) {
    const { to: map, from: back } = along(chart);
    const [low, high] = fullSpan(chart.x).map(map);
    const length = Math.min(Math.max(map(to) - map(from), 1e-4 * (high - low)), high - low);
    const start = Math.min(Math.max(map(from), low), high - length);
    view.spans.set(chart.x, [back(start), back(start + length)]);
    const [min, max] = view.spans.get(chart.x);
    for (const plot of plots) if (plot.chart.x === chart.x) plot.u.setScale("x", { min, max });
  }

  function zoomBy(chart, factor, centre = null) {
    const { to: map, from: back } = along(chart);
    const [from, to] = view.spans.get(chart.x).map(map), middle = centre === null ? (from + to) / 2 : map(centre);
    setSpan(chart, back(middle - (middle - from) * factor), back(middle + (to - middle) * factor));
  }

  function moveBy(chart, part) {
    const { to: map, from: back } = along(chart);
    const [from, to] = view.spans.get(chart.x).map(map);
    setSpan(chart, back(from + part * (to - from)), back(to + part * (to - from)));
  }

  function selected(chart, u) {
    if (u.select.width < 4) return;
    const ends = [u.select.left, u.select.left + u.select.width].map((at) => u.posToVal(at, "x"));
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    setSpan(chart, ...ends);
  }

  /* uPlot wants one x for all curves of a panel. */
  function table(panel) {
    const shown = panel.lines.filter((line) => !view.hidden.has(line.label));
    const values = (line) => (panel.log && !panel.linear ? column(line.y).map((v) => (v > 0 ? v : null)) : column(line.y));
    if (!shown.length) return { shown, data: [[0, 1]] };
    const joined = shown.some((line) => line.x !== shown[0].x);
    const data = joined ? uPlot.join(shown.map((line) => [column(line.x), values(line)])) : [column(shown[0].x), ...shown.map(values)];
    return { shown, data };
  }

  function rows(panel) {
    const names = { splits: () => panel.rows.map((_, i) => i + 0.5), values: () => panel.rows, filter: (u, splits) => splits };
    return { ...names, label: undefined, size: axisWidth, grid: { show: false }, ticks: { show: false } };
  }

  function series(line) {
    const style = { stroke: shade(line.colour) };
    if (!line.width) return { ...style, paths: () => null, points: { show: true, size: 3, fill: shade(line.colour), width: 0 } };
    const paths = line.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
    return { ...style, width: line.width, dash: line.dash, paths, points: { show: false } };
  }

  /* What lies in the shown span, without what is beyond the limits of the panel. */
  function range(panel) {
    return (u, min, max) => {
      if (min === null || max === null || !Number.isFinite(min)) return panel.log ? [0.1, 1] : [0, 1];
      const [low, high] = [Math.max(min, panel.limits[0] ?? min), Math.min(max, panel.limits[1] ?? max)];
      if (panel.rows.length) return [0, panel.rows.length];
      if (panel.log && !panel.linear) return [low / 1.2, high * 1.2];
      if (panel.linear) return aboutZero(low, high, panel.linear);
      const margin = 0.05 * (high - low || Math.abs(high) || 1);
      return [low - margin, high + margin];
    };
  }

  function aboutZero(low, high, linear) {
    const ends = [low, high].map((v) => Math.asinh(v / linear)), margin = 0.05 * (ends[1] - ends[0] || 1);
    return [linear * Math.sinh(ends[0] - margin), linear * Math.sinh(ends[1] + margin)];
  }

  function place(u, span, scale) {
    const ends = span.map((v) => u.valToPos(v, scale, true));
    return [Math.min(...ends), Math.abs(ends[1] - ends[0])];
  }

  function behind(panel) {
    return (u) => {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      for (const band of panel.bands) {
        ctx.fillStyle = shade(band.colour) + (band.colour === "grid" ? "" : "2b");
        const [start, length] = place(u, [band.low, band.high], band.upwards ? "y" : "x");
        if (band.upwards) ctx.fillRect(bbox.left, start, bbox.width, length); else ctx.fillRect(start, bbox.top, length, bbox.height);
      }
      for (const one of panel.marks) {
        ctx.strokeStyle = shade(one.colour);
        ctx.lineWidth = 1.3 * uPlot.pxRatio;
        ctx.setLineDash([5 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
        const [at] = place(u, [one.at, one.at], one.upwards ? "y" : "x");
        ctx.beginPath();
        if (one.upwards) { ctx.moveTo(bbox.left, at); ctx.lineTo(bbox.left + bbox.width, at); } else { ctx.moveTo(at, bbox.top); ctx.lineTo(at, bbox.top + bbox.height); }
        ctx.stroke();
      }
      ctx.restore();
    };
  }

  function plot(root, chart, panel, last, readings) {
    const { shown, data } = table(panel);
    const both = axes(last ? chart.x : "", panel.y, panel.linear ? bothSides : panel.log ? decades : undefined, panel.height < 150 ? 22 : 32);
    if (panel.rows.length) Object.assign(both[1], rows(panel));
    if (last && chart.log) both[0].values = decades;
    const options = {
      width: width(root), height: panel.height + (last ? 44 : 6), legend: { show: false }, padding: [8, 12, 0, 0],
      scales: { x: { time: false, distr: chart.log ? 3 : 1, range: () => view.spans.get(chart.x) }, y: { distr: panel.linear ? 4 : panel.log ? 3 : 1, asinh: panel.linear || 1, range: range(panel), dir: panel.rows.length ? -1 : 1 } },
      cursor: {
        y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 },
        sync: { key: chart.x, scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        bind: { dblclick: () => () => { setSpan(chart, ...fullSpan(chart.x)); return null; } },
      },
      series: [{}, ...shown.map((line) => series(line))], axes: both,
      hooks: { setSelect: [(u) => selected(chart, u)], ready: [(u) => pinched(u, (factor, at) => zoomBy(chart, factor, at))], drawClear: [behind(panel)], setCursor: [(u) => readings(panel, shown, u)] },
    };
    return { chart, u: new uPlot(options, data, root) };
  }

  function width(root) {
    return onPaper ? 640 : Math.max(root.clientWidth, 240);
  }

  function toggle(label) {
    if (!view.hidden.delete(label)) view.hidden.add(label);
    draw();
  }

  /* One entry for each label; it reads the values of all panels. Returns what shows them at the cursor. */
  function legend(root, chart) {
    const entries = new Map(), texts = new Map();
    const put = (label, item, kind, stroke) => {
      const value = document.createElement("b");
      item.replaceChildren(mark(kind, stroke), label, " ", value);
      entries.set(label, { item, value });
    };
    for (const line of inOrder(chart)) {
      if (!line.label || entries.has(line.label)) continue;
      put(line.label, button("", "Show or hide", !view.hidden.has(line.label), () => toggle(line.label)), line.dash.length ? "late" : "", shade(line.colour));
    }
    for (const one of chart.panels.flatMap((panel) => panel.bands)) if (one.label && !entries.has(one.label)) put(one.label, document.createElement("span"), "band", shade(one.colour));
    for (const one of chart.panels.flatMap((panel) => panel.marks)) if (one.label && !entries.has(one.label)) put(one.label, document.createElement("span"), "late", shade(one.colour));
    root.replaceChildren(...[...entries.values()].map((entry) => entry.item));
    return (panel, shown, u) => {
      const i = u.cursor.idx, gone = i === null || i === undefined || u.cursor.left < 0;
      texts.set(panel, new Map(gone ? [] : shown.map((line, n) => [line.label, text(u.data[n + 1][i])])));
      for (const [label, { value }] of entries) value.textContent = chart.panels.map((one) => texts.get(one)?.get(label)).filter((found) => found && found !== "—").join("; ");
    };
  }

  function controls(root, chart) {
    root.replaceChildren(
      button("◀", "Earlier", null, () => moveBy(chart, -0.5)), button("−", "Zoom out", null, () => zoomBy(chart, 2)),
      button("all", "All of it", null, () => setSpan(chart, ...fullSpan(chart.x))),
      button("+", "Zoom in", null, () => zoomBy(chart, 0.5)), button("▶", "Later", null, () => moveBy(chart, 0.5)));
  }

  function drawChart(section) {
    const chart = report.charts[Number(section.dataset.chart)], root = section.querySelector(".chart");
    root.replaceChildren();
    controls(section.querySelector(".choice"), chart);
    const readings = legend(section.querySelector(".legend"), chart);
    return chart.panels.map((panel, i) => plot(root, chart, panel, i === chart.panels.length - 1, readings));
  }

  function draw() {
    for (const { u } of plots) u.destroy();
    plots = [...document.querySelectorAll("[data-chart]")].flatMap(drawChart);
  }

  function forPrint(on) {
    onPaper = on;
    draw();
  }

  widenAxes(report.charts.flatMap((chart) => chart.panels.flatMap((panel) => panel.rows)));
  followers.push(follow);
  for (const chart of report.charts) view.spans.set(chart.x, fullSpan(chart.x));
  draw();
  dark.addEventListener("change", draw);
  window.addEventListener("resize", () => { for (const { u } of plots) u.setSize({ width: width(u.root.parentElement), height: u.height }); });
  window.addEventListener("beforeprint", () => forPrint(true));
  window.addEventListener("afterprint", () => forPrint(false));
})();
