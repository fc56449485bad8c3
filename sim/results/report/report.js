'use strict';
// Draws the page from the result file's groups, which stand in it as JSON. Every chart has a table
// beside it with the same numbers, and tells its parts apart by pattern and place, not colour alone.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const has = (group, name) => data[group] !== undefined && data[group][name] !== undefined;
  const values = (group, name) => data[group][name].values;
  const flat = (nested) => (Array.isArray(nested) ? nested.flat(Infinity) : [nested]);
  const attribute = (name) => data.attributes[name];
  const isRun = attribute('kind') === 'run';
  const charts = {};

  // -- words and numbers ---------------------------------------------------------------------
  const digits = (x, n = 4) => Number(x.toPrecision(n)).toString();
  const prefixed = (x, unit, steps) => {
    if (x === null || Number.isNaN(x)) return '–';
    const found = steps.find(([size]) => Math.abs(x) >= size) || steps[steps.length - 1];
    return `${digits(x / found[0])} ${found[1]}${unit}`;
  };
  const time = (x) => (x === 0 ? '0 s' : prefixed(x, 's', [[1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']]));
  const big = (x, unit) => prefixed(x, unit, [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']]);
  const bytes = (x) => prefixed(x, 'B', [[2 ** 50, 'Pi'], [2 ** 40, 'Ti'], [2 ** 30, 'Gi'], [2 ** 20, 'Mi'], [2 ** 10, 'Ki'], [1, '']]);
  const percent = (x) => (x === null ? '–' : `${(100 * x).toFixed(1)} %`);
  const plain = (name) => name.replaceAll('_', ' ');
  const byUnit = (unit) => (x) => {
    if (x === null) return '–';
    if (unit === 's') return time(x);
    if (unit === 'B') return bytes(x);
    if (unit === '1') return Math.abs(x) <= 1 ? digits(x, 4) : digits(x, 6);
    return big(x, unit ? ` ${unit}` : '').replace('  ', ' ');
  };
  const words = {
    sm: 'SMs (compute)', hbm: 'HBM', nvlink: 'NVLink', pcie: 'PCIe', nic: 'NICs',
    leaf_spine: 'leaf-spine links', spine_core: 'spine-core links', peer: 'switch-to-switch links',
    global: 'global links', socket: 'socket links', c2c: 'CPU-GPU links', dram: 'host DRAM',
    cxl: 'CXL links', pool: 'pooled memory', drive: 'drives',
  };
  const called = (name) => words[name] || plain(name);

  // -- elements ------------------------------------------------------------------------------
  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
      if (key in element && key !== 'list') element[key] = value;
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const main = document.getElementById('main');
  const section = (id, title, note) => {
    const made = make('section', { id, ariaLabel: title }, make('h2', { textContent: title }));
    if (note) made.append(make('p', { className: 'note', textContent: note }));
    main.append(made);
    document.getElementById('contents').append(
      make('li', {}, make('a', { href: `#${id}`, textContent: title })));
    return made;
  };
  const table = (columns, rows, id) => {
    const isWord = (c) => rows.every((row) => typeof row[c] === 'string' || row[c].word);
    const cell = (tag, text, word) => make(tag, { textContent: text, className: word ? 'word' : '' });
    const head = make('tr', {}, ...columns.map((name, c) => cell('th', name, isWord(c))));
    const body = make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((x, c) =>
      cell('td', typeof x === 'string' ? x : x.text, isWord(c))))));
    const made = make('table', {}, make('thead', {}, head), body);
    if (id) made.id = id;
    return make('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: columns.join(', ') }, made);
  };
  const number = (value, text) => ({ value, text });
  const folded = (title, content) => make('details', {}, make('summary', { textContent: title }), content);
  const select = (label, options, change, chosen) => {
    const box = make('select', { onchange: () => change(box.value) },
      ...options.map(([value, text]) => make('option', { value, textContent: text, selected: value === chosen })));
    return make('label', {}, label, box);
  };

  // -- charts --------------------------------------------------------------------------------
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const drawn = [];
  const chart = (parent, id, label, option, height) => {
    const box = make('div', { id, className: 'chart', role: 'img', ariaLabel: label });
    if (height) box.style.height = height;
    parent.append(box);
    const draw = () => {
      if (charts[id]) charts[id].dispose();
      charts[id] = echarts.init(box, dark.matches ? 'dark' : null, { renderer: 'svg' });
      charts[id].setOption({
        backgroundColor: 'transparent', animation: false,
        aria: { enabled: true, decal: { show: true } }, ...option(),
      });
      box.setAttribute('aria-label', label);
    };
    drawn.push(draw);
    draw();
    return draw;
  };
  const redraw = () => drawn.forEach((draw) => draw());
  dark.addEventListener('change', redraw);
  addEventListener('resize', () => Object.values(charts).forEach((c) => c.resize()));
  addEventListener('beforeprint', () => Object.values(charts).forEach((c) => c.resize()));
  const shared = { grid: { left: 8, right: 24, top: 48, bottom: 8, containLabel: true }, legend: { type: 'scroll', top: 0 } };
  const tooltip = (format, trigger = 'axis') => ({ trigger, confine: true, valueFormatter: format, axisPointer: { type: 'shadow' } });
  const timeAxis = (name) => ({ type: 'value', name, nameLocation: 'middle', nameGap: 30, axisLabel: { formatter: time } });

  /// Bars on their side, one a row, stacked by part; parts that are nothing everywhere are left out.
  const stacked = (rows, parts, of, format) => () => ({
    ...shared, tooltip: tooltip(format),
    xAxis: { type: 'value', axisLabel: { formatter: format } },
    yAxis: { type: 'category', data: rows, inverse: true, axisLabel: { width: 220, overflow: 'truncate' } },
    series: parts.map((part, p) => ({
      name: plain(part), type: 'bar', stack: 'all', barMaxWidth: 34, data: rows.map((_, r) => of(r, p)),
    })).filter((series) => series.data.some((x) => x > 0)),
  });
  const barHeight = (rows) => `${Math.min(60, 9 + 2.2 * rows)}rem`;

  // -- a run ---------------------------------------------------------------------------------
  const ledger = () => {
    const entries = values('classes', 'entry');
    const times = values('classes', 'time');
    const sizes = values('classes', 'multiplicity');
    const rows = times.map((_, c) => `class ${c}: ${sizes[c]} rank${sizes[c] === 1 ? '' : 's'}`);
    const shown = Math.min(rows.length, 40);
    const made = section('ledger', 'Where the step goes',
      'Every instant of a rank is in exactly one part; the parts sum to the step. Ranks that behave the same are one bar.');
    chart(made, 'ledger-chart', 'Time of a step by what ranks were doing, a bar per class of ranks',
      stacked(rows.slice(0, shown), entries, (c, e) => times[c][e], time), barHeight(shown));
    if (shown < rows.length) made.append(make('p', { className: 'note', textContent: `The first ${shown} of ${rows.length} classes; the table has all.` }));
    const present = entries.map((_, e) => e).filter((e) => times.some((t) => t[e] > 0));
    made.append(folded('The same as a table', table(['ranks', ...present.map((e) => plain(entries[e]))],
      rows.map((row, c) => [row, ...present.map((e) => number(times[c][e], time(times[c][e])))]), 'ledger-table')));
    if (has('waits', 'time') && values('waits', 'time').length > 0) {
      made.append(make('p', { textContent: 'Who was waited for:' }), table(['who waited', 'for rank', 'time'],
        values('waits', 'time').map((t, i) => [rows[values('waits', 'rank_class')[i]],
          number(values('waits', 'waited_for')[i], String(values('waits', 'waited_for')[i])), number(t, time(t))])));
    }
  };

  const elasticity = () => {
    if (!has('elasticity', 'slope')) {
      main.lastChild.append(make('p', { className: 'note', textContent:
        'What more of each resource would buy is in files of `weftsim explain EXPERIMENT.yaml -o FILE.h5`.' }));
      return;
    }
    const names = values('elasticity', 'resource');
    const step = values('elasticity', 'step');
    const twice = values('elasticity', 'step_doubled');
    const endless = values('elasticity', 'step_endless');
    const order = names.map((_, i) => i).sort((a, b) => twice[a] - twice[b]);
    const made = section('elasticity', 'What an upgrade buys',
      'The step simulated again with more of one resource and all else as it is. "latency": half, and none.');
    chart(made, 'elasticity-chart', 'Step time now, with twice and with endlessly much of each resource', () => ({
      ...shared, tooltip: tooltip(time), xAxis: { type: 'value', axisLabel: { formatter: time } },
      yAxis: { type: 'category', inverse: true, data: order.map((i) => called(names[i])) },
      series: [['as it is', () => step], ['twice as much', (i) => twice[i]], ['endlessly much', (i) => endless[i]]]
        .map(([name, of]) => ({ name, type: 'bar', data: order.map(of) })),
    }), barHeight(1.8 * names.length));
    made.append(table(['resource', 'elasticity', 'step at x2', 'change', 'step at infinity', 'change'],
      order.map((i) => [called(names[i]), number(0, values('elasticity', 'slope')[i].toFixed(3)), number(0, time(twice[i])),
        number(0, percent(twice[i] / step - 1)), number(0, time(endless[i])), number(0, percent(endless[i] / step - 1))]),
      'elasticity-table'));
    made.append(make('p', { className: 'note', textContent:
      'Elasticity is d ln(step) / d ln(capacity): -1 means the step shrinks as fast as the resource grows, 0 that it does not care.' }));
  };

  const critical = () => {
    if (!has('critical_path', 'time')) return;
    const parts = values('critical_path', 'part');
    const times = values('critical_path', 'time');
    const made = section('critical', 'The critical path',
      'The chain of tasks, each started the instant the one before ended, that decides how long the step is.');
    chart(made, 'critical-chart', 'Critical path by class of resources',
      stacked(['critical path'], parts.map(called), (_, p) => times[p], time), '11rem');
    const sum = times.reduce((a, b) => a + b, 0);
    made.append(folded('The same as a table', table(['class', 'time', 'share'],
      parts.map((p, i) => [called(p), number(times[i], time(times[i])), number(times[i], percent(times[i] / sum))]), 'critical-table')));
  };

  const utilisation = () => {
    if (!has('utilisation', 'mean')) return;
    const starts = values('utilisation', 'time');
    const names = values('utilisation', 'resource');
    const made = section('utilisation', 'Utilisation over the step',
      'Of the capacity of each class of resources: mean of a bin as a line, the highest of any instant in it dotted. Choose classes in the legend.');
    const shown = names.map((_, r) => r).filter((r) => values('utilisation', 'peak')[r].some((x) => x > 0));
    const line = (r, what, type) => ({
      name: called(names[r]), type: 'line', step: 'end', showSymbol: false, lineStyle: { width: what === 'mean' ? 2 : 1, type },
      data: starts.map((t, i) => [t, values('utilisation', what)[r][i]]), tooltip: { show: what === 'mean' },
    });
    chart(made, 'utilisation-chart', 'Utilisation of each class of resources over the time of a step', () => ({
      ...shared, grid: { ...shared.grid, bottom: 70 }, tooltip: { ...tooltip(percent), axisPointer: { type: 'line', label: { formatter: (p) => time(p.value) } } },
      legend: { ...shared.legend, data: shown.map((r) => called(names[r])) },
      xAxis: timeAxis('time in the step'), yAxis: { type: 'value', min: 0, max: 1, axisLabel: { formatter: percent } },
      dataZoom: [{ type: 'slider', bottom: 8, height: 22, labelFormatter: time }, { type: 'inside' }],
      series: shown.flatMap((r) => [line(r, 'mean', 'solid'), line(r, 'peak', 'dotted')]),
    }), '26rem');
  };

  const links = () => {
    if (!has('busiest_links', 'link')) return;
    const names = values('busiest_links', 'link');
    const made = section('links', 'The busiest links', 'Mean use over the step, and the groups of ranks whose traffic crosses them.');
    const crossing = (link) => values('crossings', 'link').map((l, i) => [l, i]).filter(([l]) => l === link)
      .map(([, i]) => `${values('crossings', 'purpose')[i]}, ${values('crossings', 'ranks')[i]} ranks from ${values('crossings', 'first_rank')[i]} to ${values('crossings', 'last_rank')[i]}: ${bytes(values('crossings', 'bytes')[i])}`).join('; ');
    made.append(table(['link', 'class', 'alike', 'use', 'what crosses it in a step'], names.map((link, i) => [
      link, called(values('busiest_links', 'class')[i]), number(0, String(values('busiest_links', 'members')[i])),
      number(0, percent(values('busiest_links', 'utilisation')[i])), crossing(link) || '–']), 'links-table'));
  };

  const traffic = () => {
    if (!has('traffic', 'bytes') || values('traffic', 'bytes').length === 0) return;
    const from = values('traffic', 'from_rank');
    const to = values('traffic', 'to_rank');
    const sent = values('traffic', 'bytes');
    const purposes = [...new Set(values('traffic', 'purpose'))];
    const ranks = has('classes', 'rank') ? values('classes', 'rank').length : 1 + Math.max(...from, ...to);
    const each = Math.max(1, Math.ceil(ranks / 64));
    const made = section('traffic', 'Who sends to whom over the network',
      each === 1 ? 'Bytes of a step from rank to rank.' : `Bytes of a step between groups of ${each} neighbouring ranks.`);
    let chosen = 'all';
    const cells = () => {
      const sums = new Map();
      sent.forEach((b, i) => {
        if (chosen !== 'all' && values('traffic', 'purpose')[i] !== chosen) return;
        const key = `${Math.floor(to[i] / each)},${Math.floor(from[i] / each)}`;
        sums.set(key, (sums.get(key) || 0) + b);
      });
      return [...sums].map(([key, b]) => [...key.split(',').map(Number), b]);
    };
    const labels = Array.from({ length: Math.ceil(ranks / each) }, (_, g) => String(g * each));
    made.append(make('div', { className: 'controls' }, select('traffic of', [['all', 'all purposes'], ...purposes.map((p) => [p, p])],
      (value) => { chosen = value; draw(); }, 'all')));
    const draw = chart(made, 'traffic-chart', 'Bytes sent from group of ranks to group of ranks', () => {
      const shown = cells();
      return {
        grid: { left: 8, right: 90, top: 16, bottom: 40, containLabel: true },
        tooltip: { confine: true, formatter: (p) => `from ${labels[p.value[1]]} to ${labels[p.value[0]]}: ${bytes(p.value[2])}` },
        xAxis: { type: 'category', data: labels, name: 'to rank', nameLocation: 'middle', nameGap: 28 },
        yAxis: { type: 'category', data: labels, name: 'from rank', inverse: true },
        visualMap: { min: 0, max: Math.max(...shown.map((c) => c[2])), right: 0, top: 'center', calculable: true, formatter: bytes },
        aria: { enabled: true, decal: { show: false } },
        series: [{ type: 'heatmap', data: shown }],
      };
    }, '30rem');
  };

  const memory = () => {
    if (!has('stages', 'bytes') || values('stages', 'bytes').length === 0) return;
    const content = values('stages', 'content');
    const each = values('stages', 'bytes');
    const rows = each.map((_, s) => `stage ${s}`);
    const capacity = values('memory', 'capacity');
    const made = section('memory', 'GPU memory', `At the worst instant of a step; a GPU has ${bytes(capacity)}.`);
    chart(made, 'memory-chart', 'GPU memory of each pipeline stage by content', () => {
      const option = stacked(rows, content, (s, c) => each[s][c], bytes)();
      option.xAxis.max = Math.ceil(1.05 * Math.max(capacity, ...each.map((s) => s.reduce((a, b) => a + b, 0))));
      option.series[0].markLine = { symbol: 'none', data: [{ xAxis: capacity }], label: { formatter: 'capacity' }, lineStyle: { type: 'dashed', width: 2 } };
      return option;
    }, barHeight(rows.length));
    made.append(folded('The same as a table', table(['stage', ...content, 'total'], rows.map((row, s) => [row,
      ...each[s].map((b) => number(b, bytes(b))), number(0, bytes(each[s].reduce((a, b) => a + b, 0)))]), 'memory-table')));
  };

  // -- the machine, coloured by load -----------------------------------------------------------
  const heat = (share) => `hsl(${Math.round(210 - 200 * Math.min(1, share))} 80% ${dark.matches ? 58 : 42}%)`;
  const machine = (at) => {
    const names = values('resources', 'resource');
    const pick = (name) => flat(values('resources', name)).slice(at * names.length, (at + 1) * names.length);
    const [mean, peak, members] = ['mean_utilisation', 'peak_utilisation', 'members'].map(pick);
    const of = (name) => { const i = names.indexOf(name); return i < 0 || !members[i] ? null : { mean: mean[i], peak: peak[i], members: members[i] }; };
    const boxes = [['sm', 'GPU: SMs', 40, 250], ['hbm', 'GPU: HBM', 40, 330]];
    const ways = [['nvlink', 'NVLink', 'NVSwitch'], ['pcie', 'PCIe', 'PCIe switch'], ['nic', 'NIC', 'leaf switch'],
      ['leaf_spine', 'leaf-spine', 'spine switch'], ['spine_core', 'spine-core', 'core switch'], ['peer', 'peer', 'other switches'], ['global', 'global', 'other groups']];
    const ns = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(ns, 'svg');
    svg.setAttribute('class', 'machine');
    svg.setAttribute('role', 'img');
    const put = (tag, attributes, text) => {
      const element = document.createElementNS(ns, tag);
      Object.entries(attributes).forEach(([k, v]) => element.setAttribute(k, v));
      if (text) element.textContent = text;
      svg.append(element);
    };
    const box = (x, y, title, load) => {
      put('rect', { x, y, width: 130, height: 52, rx: 6, class: 'box', ...(load ? { style: `stroke:${heat(load.peak)};stroke-width:${2 + 8 * load.mean}` } : {}) });
      put('text', { x: x + 65, y: y + 22, 'text-anchor': 'middle' }, title);
      if (load) put('text', { x: x + 65, y: y + 40, 'text-anchor': 'middle', class: 'small' }, `${percent(load.mean)} busy`);
    };
    const way = (x1, y1, x2, y2, title, load) => {
      put('line', { x1, y1, x2, y2, style: `stroke:${heat(load.peak)};stroke-width:${2 + 14 * load.mean}` });
      put('text', { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 14, 'text-anchor': 'middle' }, title);
      put('text', { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 24, 'text-anchor': 'middle', class: 'small' }, `${percent(load.mean)}, busiest ${percent(load.peak)}`);
      put('text', { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 40, 'text-anchor': 'middle', class: 'small' }, `${load.members} links`);
    };
    boxes.forEach(([name, title], i) => box(10, 14 + 110 * i, title, of(name)));
    let told = [];
    if (of('nvlink')) { way(140, 40, 330, 40, 'NVLink', of('nvlink')); box(330, 14, 'NVSwitch', null); told.push(`NVLink ${percent(of('nvlink').mean)}`); }
    let x = 140;
    ways.slice(1).forEach(([name, title, end]) => {
      const load = of(name);
      if (!load) return;
      way(x, 150, x + 190, 150, title, load);
      box(x + 190, 124, name === 'pcie' && of('nic') ? 'NIC' : end, null);
      told.push(`${title} ${percent(load.mean)}`);
      x += 320;
    });
    svg.setAttribute('viewBox', `0 0 ${Math.max(480, x + 10)} 215`);
    svg.setAttribute('aria-label', `Load of the machine: ${told.join(', ')}`);
    return svg;
  };
  const topology = (parent) => {
    const draw = () => { const old = parent.querySelector('svg.machine'); const fresh = machine(parent.point || 0); if (old) old.replaceWith(fresh); else parent.append(fresh); };
    drawn.push(draw);
    draw();
    return draw;
  };

  // -- a sweep -------------------------------------------------------------------------------
  const axes = isRun || !has('summary', 'step_time') ? [] : data.summary.step_time.dimensions;
  const labels = axes.map((axis) => values('summary', axis));
  const points = labels.reduce((n, l) => n * l.length, 1);
  const place = (point) => { const at = []; for (let a = axes.length - 1; a >= 0; --a) { at[a] = point % labels[a].length; point = Math.floor(point / labels[a].length); } return at; };
  const pointName = (p) => place(p).map((i, a) => labels[a][i]).join(' · ');
  /// Every number of a point: {name, unit, values by point, good: -1 when less is better}.
  const measures = () => {
    const found = [];
    for (const [group, variables] of Object.entries(data)) {
      if (!['summary', 'memory', 'ledger', 'communication', 'resources', 'economics'].includes(group)) continue;
      for (const [name, variable] of Object.entries(variables)) {
        const inner = variable.dimensions.slice(axes.length);
        const numeric = variable.units && variable.dimensions.slice(0, axes.length).join() === axes.join() && inner.length <= 1;
        if (!numeric) continue;
        const all = flat(variable.values);
        const parts = inner.length ? values(group, inner[0]) : [''];
        parts.forEach((part, k) => {
          const own = Array.from({ length: points }, (_, p) => all[p * parts.length + k]);
          if (own.every((x) => x === null || x === 0)) return;
          found.push({ id: [group, name, part].join('/'), name: `${part ? `${called(part)}: ` : group === 'summary' ? '' : `${group} `}${plain(name)}`,
            unit: variable.units, good: /tokens|mfu|hfu|flops/.test(name) ? 1 : -1, values: own });
        });
      }
    }
    return found;
  };

  const sweep = () => {
    const all = measures();
    const byId = (id) => all.find((m) => m.id === id);
    const options = all.map((m) => [m.id, m.name]);
    const step = byId('summary/step_time/');
    const status = flat(values('summary', 'status'));
    const best = step.values.reduce((b, x, p) => (x !== null && (b < 0 || x < step.values[b]) ? p : b), -1);
    const long = axes.map((_, a) => a).sort((a, b) => labels[b].length - labels[a].length);

    const grid = section('grid', 'The grid', 'Choose what the axes and the colour show; the other axes stand still at the values chosen.');
    const state = { x: long[0], y: axes.length > 1 ? long[1] : -1, value: step.id, at: axes.map(() => 0) };
    const fixed = make('div', { className: 'controls', id: 'fixed' });
    const chooseFixed = () => fixed.replaceChildren(...axes.map((axis, a) => a).filter((a) => a !== state.x && a !== state.y)
      .map((a) => select(axes[a], labels[a].map((l, i) => [String(i), l]), (v) => { state.at[a] = Number(v); redrawGrid(); }, String(state.at[a]))));
    const pointAt = (xi, yi) => axes.reduce((p, _, a) => p * labels[a].length + (a === state.x ? xi : a === state.y ? yi : state.at[a]), 0);
    const rowsY = () => (state.y < 0 ? ['all'] : labels[state.y]);
    grid.append(make('div', { className: 'controls' },
      select('across', axes.map((n, a) => [String(a), n]), (v) => { if (Number(v) === state.y) state.y = state.x; state.x = Number(v); chooseFixed(); redrawGrid(); }, String(state.x)),
      select('down', [['-1', 'nothing'], ...axes.map((n, a) => [String(a), n])], (v) => { state.y = Number(v) === state.x ? -1 : Number(v); chooseFixed(); redrawGrid(); }, String(state.y)),
      select('value', options, (v) => { state.value = v; redrawGrid(); }, state.value)), fixed);
    const heatMap = chart(grid, 'heat-chart', 'Heat map of the chosen value over two axes', () => {
      const m = byId(state.value);
      const cells = labels[state.x].flatMap((_, xi) => rowsY().map((_, yi) => [xi, yi, m.values[pointAt(xi, yi)]]));
      const real = cells.map((c) => c[2]).filter((x) => x !== null);
      const low = Math.min(...real); const high = Math.max(...real);
      return {
        grid: { left: 8, right: 110, top: 16, bottom: 8, containLabel: true },
        tooltip: { confine: true, formatter: (p) => `${pointName(pointAt(p.value[0], p.value[1]))}: ${byUnit(m.unit)(p.value[2])}` },
        xAxis: { type: 'category', data: labels[state.x] }, yAxis: { type: 'category', data: rowsY(), inverse: true },
        visualMap: { min: low, max: high > low ? high : low + Math.max(Math.abs(low), 1e-12) * 1e-3, right: 0, top: 'center', calculable: true, formatter: byUnit(m.unit) },
        aria: { enabled: true, decal: { show: false } },
        series: [{ type: 'heatmap', data: cells.filter((c) => c[2] !== null), label: { show: cells.length <= 150, formatter: (p) => byUnit(m.unit)(p.value[2]) } }],
      };
    });
    const lines = chart(grid, 'line-chart', 'Lines of the chosen value over the axis across', () => {
      const m = byId(state.value);
      return {
        ...shared, tooltip: tooltip(byUnit(m.unit)), xAxis: { type: 'category', data: labels[state.x] },
        yAxis: { type: 'value', scale: true, name: m.name, axisLabel: { formatter: byUnit(m.unit) } },
        series: rowsY().map((name, yi) => ({ name, type: 'line', symbol: ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'][yi % 6], symbolSize: 9,
          data: labels[state.x].map((_, xi) => m.values[pointAt(xi, yi)]) })),
      };
    });
    const redrawGrid = () => { heatMap(); lines(); };
    chooseFixed();

    const front = section('pareto', 'Trade-offs', 'Points that no other point beats in both values are filled diamonds, joined by a line.');
    const varies = (m) => new Set(m.values.filter((x) => x !== null)).size > 1;
    const cost = all.find((m) => /cost/.test(m.id) && varies(m)) || all.find((m) => /power|energy/.test(m.id) && varies(m)) || [byId('memory/total/'), ...all].find((m) => m && m !== step && new Set(m.values.filter((x) => x !== null)).size > 1) || all[1];
    const pair = { x: cost.id, y: step.id };
    front.append(make('div', { className: 'controls' }, select('across', options, (v) => { pair.x = v; pareto(); }, pair.x),
      select('up', options, (v) => { pair.y = v; pareto(); }, pair.y)));
    const pareto = chart(front, 'pareto-chart', 'Two values of every point against each other, with the Pareto front', () => {
      const x = byId(pair.x); const y = byId(pair.y);
      const done = Array.from({ length: points }, (_, p) => p).filter((p) => x.values[p] !== null && y.values[p] !== null);
      const better = (a, b) => { const dx = (x.values[a] - x.values[b]) * x.good; const dy = (y.values[a] - y.values[b]) * y.good; return dx >= 0 && dy >= 0 && (dx > 0 || dy > 0); };
      const is = new Set(done.filter((p) => !done.some((q) => better(q, p))));
      const dot = (p) => ({ value: [x.values[p], y.values[p]], name: pointName(p) });
      const ordered = [...is].sort((a, b) => x.values[a] - x.values[b]);
      return {
        ...shared, tooltip: { confine: true, formatter: (p) => `${p.name}: ${byUnit(x.unit)(p.value[0])}, ${byUnit(y.unit)(p.value[1])}` },
        xAxis: { type: 'value', scale: true, name: x.name, nameLocation: 'middle', nameGap: 28, axisLabel: { formatter: byUnit(x.unit) } },
        yAxis: { type: 'value', scale: true, name: y.name, axisLabel: { formatter: byUnit(y.unit) } },
        grid: { ...shared.grid, bottom: 32 },
        series: [{ name: 'beaten', type: 'scatter', symbol: 'circle', symbolSize: 7, data: done.filter((p) => !is.has(p)).map(dot) },
          { name: 'Pareto front', type: 'line', symbol: 'diamond', symbolSize: 14, data: ordered.map(dot) }],
      };
    });

    const entries = values('ledger', 'entry');
    const times = flat(values('ledger', 'time'));
    const bars = section('ledger', 'Where the step goes', 'Mean over ranks; the parts of a bar sum to the step. Filter the points below.');
    const filter = { text: '' };
    const shown = () => Array.from({ length: points }, (_, p) => p).filter((p) => filter.text.toLowerCase().split(/\s+/).every((w) => pointName(p).toLowerCase().includes(w)));
    const input = make('input', { type: 'search', id: 'filter', placeholder: 'e.g. 800G even', oninput: () => { filter.text = input.value; refilter(); } });
    bars.append(make('div', { className: 'controls' }, make('label', {}, 'only points whose name contains', input), make('span', { id: 'count', role: 'status' })));
    const ledgerChart = chart(bars, 'ledger-chart', 'Time of a step by what ranks were doing, a bar per point', () => {
      const chosen = shown().filter((p) => step.values[p] !== null).slice(0, 40);
      return stacked(chosen.map(pointName), entries, (r, e) => times[chosen[r] * entries.length + e], time)();
    }, '34rem');
    const holder = make('div');
    bars.append(make('p', { className: 'note', textContent: 'The chart shows the first 40 points of the filter; the table all of them. Column heads sort it.' }), holder);
    const columns = [['point', null], ...[['step_time', 'step'], ['tokens_per_second_per_gpu', 'tokens/s a GPU'], ['mfu', 'MFU']]
      .map(([id, name]) => [name, byId(`summary/${id}/`)]).filter(([, m]) => m), ['bound by', null], ['status', null]];
    let sorted = null;
    const pointTable = () => {
      const chosen = shown();
      if (sorted) chosen.sort((a, b) => sorted.sign * ((sorted.m.values[a] ?? Infinity) - (sorted.m.values[b] ?? Infinity)));
      const binding = flat(values('summary', 'binding'));
      const cell = (p, [name, m]) => (m ? byUnit(m.unit)(m.values[p]) : name === 'point' ? pointName(p) : name === 'status' ? status[p] : called(binding[p]));
      const head = columns.map(([name, m]) => make('th', { className: m ? '' : 'word' }, m ? make('button', { type: 'button', textContent: name,
        onclick: () => { sorted = { m, sign: sorted && sorted.m === m ? -sorted.sign : 1 }; pointTable(); } }) : name));
      const rows = chosen.map((p) => make('tr', { className: p === best ? 'best' : '', 'data-point': String(p) },
        ...columns.map((c) => make('td', { className: c[1] ? '' : 'word', textContent: cell(p, c) + (p === best && c[0] === 'point' ? ' (fastest)' : '') }))));
      holder.replaceChildren(make('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: 'Points' },
        make('table', { id: 'points-table' }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows))));
      document.getElementById('count').textContent = `${chosen.length} of ${points} points`;
    };
    const refilter = () => { ledgerChart(); pointTable(); };
    pointTable();

    const picture = section('machine', 'Load of the machine', 'Mean use of each class of resources over the step; colour and width grow with it, the numbers say it.');
    const drawMachine = topology(picture);
    picture.querySelector('.note').after(make('div', { className: 'controls' }, select('point', Array.from({ length: points }, (_, p) => [String(p), pointName(p)]),
      (v) => { picture.point = Number(v); drawMachine(); }, '0')));
  };

  // -- the summary ---------------------------------------------------------------------------
  const runWords = () => {
    const step = values('summary', 'step_time');
    const entries = values('ledger', 'entry').map((e, i) => [e, values('ledger', 'time')[i]]).filter(([, t]) => t > 0).sort((a, b) => b[1] - a[1]);
    const parts = entries.slice(0, 4).map(([e, t]) => `${plain(e)} ${percent(t / step)}`).join(', ');
    const made = [`A step takes ${time(step)}. Most of it goes to: ${parts}. What most of the time is bound by: ${called(values('summary', 'binding'))}.`];
    if (has('elasticity', 'explanation')) made.push(values('elasticity', 'explanation'));
    for (let i = 0; has('communication', 'purpose') && i < values('communication', 'purpose').length; ++i) {
      const [shown, hidden] = [values('communication', 'exposed')[i], values('communication', 'hidden')[i]];
      made.push(`Of communication, ${plain(values('communication', 'purpose')[i])} takes ${time(shown + hidden)} of a rank, ${time(hidden)} of it hidden behind compute; its pace is set by ${called(values('communication', 'binding')[i])}.`);
    }
    return made;
  };
  const sweepWords = () => {
    const step = flat(values('summary', 'step_time'));
    const binding = flat(values('summary', 'binding'));
    const done = step.map((_, p) => p).filter((p) => step[p] !== null);
    if (done.length === 0) return ['No point was simulated; the table says why.'];
    const order = [...done].sort((a, b) => step[a] - step[b]);
    const [best, worst, first] = [order[0], order[order.length - 1], done[0]];
    const made = [`${points} points over ${axes.join(', ')}; ${done.length} were simulated. The fastest, ${pointName(best)}, takes ${time(step[best])} a step; the slowest, ${pointName(worst)}, takes ${time(step[worst])}, ${percent(step[worst] / step[best] - 1)} more.`,
      `The first point, ${pointName(first)}, is bound by ${called(binding[first])} (${time(step[first])} a step).`];
    axes.forEach((axis, a) => {
      const changes = done.filter((p) => place(p)[a] > 0).map((p) => {
        const stride = labels.slice(a + 1).reduce((n, l) => n * l.length, 1);
        const base = p - place(p)[a] * stride;
        return step[base] === null ? null : step[p] / step[base] - 1;
      }).filter((x) => x !== null);
      if (changes.length) made.push(`Against ${axis} ${labels[a][0]}, its other values change the step by ${percent(Math.min(...changes))} to ${percent(Math.max(...changes))}, whatever the rest.`);
    });
    return made;
  };

  const summary = () => {
    const made = section('words', 'In words');
    made.classList.add('words');
    for (const text of isRun ? runWords() : sweepWords()) made.append(make('p', { textContent: text }));
    if (has('verdicts', 'text') && values('verdicts', 'text').length > 0) {
      made.append(make('h3', { textContent: `What ${axes[0]} buys` }), make('ul', {}, ...values('verdicts', 'text').slice(0, 24).map((text) => make('li', { textContent: text }))));
    }
    if (!isRun) return;
    const card = (name, text) => make('li', {}, make('span', { textContent: name }), make('b', { textContent: text }));
    const s = (name) => values('summary', name);
    made.append(make('ul', { className: 'cards', id: 'cards' }, card('step', time(s('step_time'))),
      ...(s('tokens_per_second') > 0 ? [card('tokens/s', big(s('tokens_per_second'), '')), card('tokens/s a GPU', digits(s('tokens_per_second_per_gpu'))),
        card('TFLOP/s a GPU', digits(s('model_flops_per_second_per_gpu') / 1e12)), card('MFU', percent(s('mfu'))), card('HFU', percent(s('hfu')))] : []),
      card('bound by', called(s('binding')))));
  };

  const frame = () => {
    const text = attribute('input_text') || '';
    const name = (/^# file: (.*)$/m.exec(text) || [])[1] || '';
    const title = `${isRun ? 'Run' : 'Sweep'} of ${name || 'an experiment'}`;
    document.title = `Weftsim: ${title}`;
    document.getElementById('title').textContent = title;
    document.getElementById('origin').textContent = `engine ${attribute('engine')}, seed ${attribute('seed')}, fingerprint ${attribute('fingerprint')}`;
    document.getElementById('made').textContent = `Made by weftsim ${attribute('weftsim_version')}. This page holds all it needs and loads nothing.`;
    document.getElementById('input-text').textContent = text;
  };

  frame();
  summary();
  if (isRun) {
    elasticity();
    ledger();
    topology(section('machine', 'Load of the machine', 'Mean use of each class of resources over the step; colour and width grow with it, the numbers say it.'));
    utilisation();
    critical();
    links();
    traffic();
    memory();
  } else {
    sweep();
  }
  window.weftsim = { data, charts };
})();
