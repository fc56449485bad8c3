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
    if (!has('traffic', 'bytes') || values('traffic', 'bytes').length === 0) {
      if (has('group_traffic', 'bytes') && values('group_traffic', 'bytes').length > 0) groupTraffic(section('traffic', 'Who sends to whom'));
      return;
    }
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
    groupTraffic(made);
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

  /// Over the step, a tier of a stage at a time.
  const memoryOverTime = () => {
    if (!has('memory_over_time', 'bytes')) return;
    const parts = rowsOf('memory_over_time', { stage: 'of_stage', tier: 'tier', capacity: 'capacity', content: 'content', bytes: 'bytes' });
    const starts = values('memory_over_time', 'time');
    const stages = values('memory_over_time', 'stage');
    const tiers = [...new Set(parts.map((p) => p.tier))];
    const of = (stage, tier) => parts.filter((p) => p.stage === stage && p.tier === tier);
    const levels = (rows) => starts.map((_, t) => rows.reduce((sum, p) => sum + p.bytes[t], 0));
    const peak = (stage, tier) => Math.max(0, ...levels(of(stage, tier)));
    const chosen = { stage: stages.reduce((a, b) => (peak(b, tiers[0]) > peak(a, tiers[0]) ? b : a)), tier: tiers[0] };
    const made = section('memory-time', 'Memory over the step',
      'What lies in each tier, at the fullest instant of each bin: the highest is the peak. The dotted line counts micro-batches whose activations a GPU keeps.');
    made.append(make('div', { className: 'controls' },
      select('stage', stages.map((s) => [String(s), `stage ${s}`]), (v) => { chosen.stage = Number(v); draw(); }, String(chosen.stage)),
      select('tier', tiers.map((t) => [t, t]), (v) => { chosen.tier = v; draw(); }, chosen.tier)));
    const draw = chart(made, 'memory-time-chart', 'Memory of a tier over the step, by content', () => {
      const rows = of(chosen.stage, chosen.tier).filter((p) => p.bytes.some((b) => b > 0));
      // Lines stack over categories alone, so a bin is one; the last edge repeats the last bin.
      const edges = [...starts, starts.length > 1 ? starts[starts.length - 1] + starts[1] : 1];
      const line = (y) => [...y, y[y.length - 1]];
      const capacity = rows.length ? rows[0].capacity : 0;
      const most = peak(chosen.stage, chosen.tier);
      const top = Math.max(1.05 * most, Math.min(1.05 * capacity, 1.6 * most), 1);
      const tick = 2 ** Math.ceil(Math.log2(top / 8));
      const kept = values('memory_over_time', 'micro_batches')[stages.indexOf(chosen.stage)];
      return {
        ...shared, grid: { ...shared.grid, right: 130, bottom: 28 }, tooltip: { ...tooltip(bytes), axisPointer: { type: 'line', label: { formatter: (p) => time(p.value) } } },
        xAxis: { ...timeAxis('time in the step'), type: 'category', boundaryGap: false, data: edges, axisLabel: { formatter: (t) => time(Number(Number(t).toPrecision(3))) } },
        yAxis: [{ type: 'value', axisLabel: { formatter: bytes }, interval: tick, max: Math.ceil(top / tick) * tick },
          { type: 'value', name: 'micro-batches', minInterval: 1, splitLine: { show: false }, position: 'right', offset: 72 }],
        series: [...rows.map((p, i) => ({
          name: plain(p.content), type: 'line', stack: 'all', step: 'end', showSymbol: false, data: line(p.bytes),
          lineStyle: { width: 1.5, type: ['solid', 'dashed', 'dotted'][i % 3] }, areaStyle: { opacity: 0.55 },
          endLabel: { show: p.bytes[p.bytes.length - 1] > 0.02 * Math.max(...levels(rows)), formatter: '{a}' },
          ...(i === 0 ? { markLine: { symbol: 'none', silent: true, data: [{ yAxis: capacity }], label: { formatter: 'capacity', position: 'insideStartTop' }, lineStyle: { type: 'dashed', width: 2 } } } : {}),
        })), ...(chosen.tier === tiers[0] ? [{ name: 'micro-batches kept', type: 'line', step: 'end', showSymbol: false, yAxisIndex: 1, data: line(kept),
          lineStyle: { width: 2, type: 'dotted' }, tooltip: { valueFormatter: (x) => digits(x) } }] : [])],
      };
    }, '26rem');
    made.append(folded('Peaks as a table', table(['stage', 'tier', 'at the peak', 'capacity', 'of it'], stages.flatMap((s) => tiers.filter((t) => of(s, t).length).map((t) => {
      const [most, capacity] = [peak(s, t), of(s, t)[0].capacity];
      return [`stage ${s}`, t, number(most, bytes(most)), number(capacity, bytes(capacity)), number(most / capacity, percent(most / capacity))];
    })), 'memory-time-table')));
  };

  /// Sums over the groups of a purpose that send between the same stages.
  const groupTraffic = (made) => {
    if (!has('group_traffic', 'bytes') || values('group_traffic', 'bytes').length === 0) return;
    const rows = rowsOf('group_traffic', { purpose: 'purpose', from: 'from_stage', to: 'to_stage', ranks: 'ranks', groups: 'groups', bytes: 'bytes', nic: 'nic_bytes' });
    const sums = new Map();
    for (const row of rows) {
      const key = [row.purpose, row.from, row.to, row.ranks].join();
      const sum = sums.get(key) || { ...row, groups: 0, bytes: 0, nic: 0 };
      sum.groups += row.groups; sum.bytes += row.groups * row.bytes; sum.nic += row.groups * row.nic;
      sums.set(key, sum);
    }
    const where = (s) => (s.from === s.to ? `inside stage ${s.from}` : `stage ${s.from} to stage ${s.to}`);
    made.append(make('p', { className: 'note', textContent: 'Between and inside groups of ranks, over every link, in a step:' }),
      table(['purpose', 'where', 'groups', 'ranks of each', 'bytes', 'of a group', 'over NICs'], [...sums.values()].map((s) => [plain(s.purpose), where(s),
        number(s.groups, String(s.groups)), number(s.ranks, String(s.ranks)), number(s.bytes, bytes(s.bytes)), number(0, bytes(s.bytes / s.groups)), number(s.nic, bytes(s.nic))]), 'groups-table'));
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
  /// What was watched cable by cable, as objects.
  const rowsOf = (group, names) => values(group, Object.values(names)[0]).map((_, i) =>
    Object.fromEntries(Object.entries(names).map(([as, name]) => [as, values(group, name)[i]])));
  const loads = () => {
    if (!has('load_ways', 'way') || values('load_ways', 'way').length === 0) return;
    const boxes = rowsOf('load_boxes', { name: 'name', tier: 'tier', members: 'members', inside: 'inside' });
    const ways = rowsOf('load_ways', { from: 'from_box', to: 'to_box', kind: 'class', cables: 'cables', mean: 'mean', peak: 'peak' });
    const bundles = ['node', 'leaf', 'spine', 'core'].map((tier) => {
      const own = boxes.filter((b) => b.tier === tier);
      const most = Math.max(0, ...own.map((b) => b.members));
      return most > 1 ? `the ${own.reduce((n, b) => n + b.members, 0)} of tier ${tier} are drawn as ${own.length} boxes of up to ${most} neighbours` : '';
    }).filter((words) => words);
    const cables = ways.reduce((n, w) => n + w.cables, 0);
    const made = section('loads', 'Load of the network, cable by cable',
      `Use over the step of the busiest direction of a cable: a wider, warmer line is busier. ${cables} cables in ${ways.length} lines; cables of one class between the same two boxes are one line${bundles.length ? `; ${bundles.join('; ')}` : ''}. A node's frame is its busiest link inside.`);
    const draw = () => {
      const fresh = weftsimLoadMap({ boxes, ways, heat, percent, called });
      const old = made.querySelector('svg.loads');
      if (old) old.replaceWith(fresh); else made.querySelector('.note').after(fresh);
    };
    drawn.push(draw);
    draw();
    const busy = [...ways].sort((a, b) => b.peak - a.peak).slice(0, 100);
    made.append(folded(`The busiest ${busy.length === ways.length ? '' : `${busy.length} of ${ways.length} `}lines as a table`,
      table(['from', 'to', 'class', 'cables', 'mean use', 'busiest'], busy.map((w) => [boxes[w.from].name, boxes[w.to].name, called(w.kind),
        number(w.cables, String(w.cables)), number(w.mean, percent(w.mean)), number(w.peak, percent(w.peak))]), 'loads-table')));
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
  /// A bare number says little without its axis.
  const labelled = (a, i) => (/^[0-9.]+$/.test(labels[a][i]) ? `${axes[a].split('.').pop()} ${labels[a][i]}` : labels[a][i]);
  const pointName = (p) => place(p).map((i, a) => labelled(a, i)).join(' · ');
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
          if (own.every((x) => x === null || x === 0) || (group === 'summary' && ['seeds', 'instances', 'activities'].includes(name))) return;
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
    const rowsY = () => (state.y < 0 ? ['all'] : labels[state.y].map((_, i) => labelled(state.y, i)));
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
    const cost = all.find((m) => /cost/.test(m.id) && varies(m)) || all.find((m) => /power|energy/.test(m.id) && varies(m)) || all.find((m) => /^resources.capacity.(nic|leaf_spine)/.test(m.id) && varies(m)) || [byId('memory/total/'), ...all].find((m) => m && m !== step && new Set(m.values.filter((x) => x !== null)).size > 1) || all[1];
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
        grid: { ...shared.grid, right: 48, bottom: 32 },
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
      .map(([id, name]) => [name, byId(`summary/${id}/`)]).filter(([, m]) => m), ['largest share bound by', null], ['status', null]];
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
    const made = [`A step takes ${time(step)}. Most of it goes to: ${parts}. The largest share of it is bound by ${called(values('summary', 'binding'))}${has('elasticity', 'slope') ? '; what gains most is another question' : '; what an upgrade buys is asked with weftsim explain'}.`];
    if (has('elasticity', 'explanation')) made.push(values('elasticity', 'explanation'));
    for (let i = 0; has('communication', 'purpose') && i < values('communication', 'purpose').length; ++i) {
      const [shown, hidden] = [values('communication', 'exposed')[i], values('communication', 'hidden')[i]];
      made.push(`Of communication, ${plain(values('communication', 'purpose')[i])} takes ${time(shown + hidden)} of a rank, ${time(hidden)} of it hidden behind compute; its pace is set by ${called(values('communication', 'binding')[i])}.`);
    }
    return made;
  };
  // What the first axis buys: each of its values against the first, whatever the other axes say.
  const rest = axes.length ? points / labels[0].length : 0;
  const restName = (r) => place(r).slice(1).map((i, a) => labelled(a + 1, i)).join(', ');
  const range = (all, text) => { const [low, high] = [Math.min(...all), Math.max(...all)].map(text); return low === high ? low : `${low} to ${high}`; };
  const inWords = (list) => (list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list[list.length - 1]}`);
  const bindsFirst = (step) => {
    const done = Array.from({ length: rest }, (_, r) => r).filter((r) => step[r] !== null);
    if (done.length === 0) return '';
    const entries = values('ledger', 'entry');
    const times = flat(values('ledger', 'time'));
    const share = (name) => done.map((p) => times[p * entries.length + entries.indexOf(name)] / step[p]);
    const parts = entries.map((e) => [e, share(e)]).filter(([, all]) => Math.max(...all) >= 0.005).sort((a, b) => Math.max(...b[1]) - Math.max(...a[1]));
    const bound = [...new Set(done.map((p) => called(flat(values('summary', 'binding'))[p])))];
    return `With ${labelled(0, 0)} a step takes ${range(done.map((p) => step[p]), time)}. The largest share of it is bound by ${inWords(bound)}; it goes to ${inWords(parts.slice(0, 6).map(([e, all]) => `${plain(e)} (${range(all, percent)})`))}.`;
  };
  const buysWords = (step) => labels[0].slice(1).map((_, i) => {
    const gains = Array.from({ length: rest }, (_, r) => [r, step[r], step[(i + 1) * rest + r]])
      .filter(([, a, b]) => a !== null && b !== null).map(([r, a, b]) => [r, b / a - 1]).sort((a, b) => a[1] - b[1]);
    if (gains.length === 0) return '';
    const words = (x) => (Math.abs(x) < 5e-4 ? 'by nothing' : `by ${percent(Math.abs(x))}${x > 0 ? ' (longer)' : ''}`);
    const [best, worst] = [gains[0], gains[gains.length - 1]];
    const where = ([r]) => (rest > 1 ? ` with ${restName(r)}` : '');
    return `${labelled(0, i + 1)} shortens it ${words(best[1])}${where(best)}${rest > 1 && best[1] !== worst[1] ? `, ${words(worst[1])}${where(worst)}` : ''}.`;
  }).filter((text) => text);
  const buysTable = (step) => table([axes.slice(1).map((a) => a.split('.').pop()).join(', ') || 'all', ...labels[0].flatMap((_, v) => (v ? [labelled(0, v), 'change'] : [labelled(0, v)]))],
    Array.from({ length: rest }, (_, r) => [restName(r) || 'step', ...labels[0].flatMap((_, v) => {
      const [a, b] = [step[r], step[v * rest + r]];
      return v ? [number(b, time(b)), number(b, a === null || b === null ? '–' : percent(b / a - 1))] : [number(a, time(a))];
    })]), 'buys-table');
  const sweepWords = (made) => {
    const step = flat(values('summary', 'step_time'));
    const done = step.map((_, p) => p).filter((p) => step[p] !== null);
    const say = (text) => { if (text) made.append(make('p', { textContent: text })); };
    if (done.length === 0) { say('No point was simulated; the table says why.'); return; }
    const several = labels[0].length > 1 && labels[0].length <= 8;
    say(bindsFirst(step));
    if (several) {
      say(buysWords(step).join(' '));
      if (rest <= 16) made.append(buysTable(step));
    }
    const order = [...done].sort((a, b) => step[a] - step[b]);
    const [best, worst] = [order[0], order[order.length - 1]];
    say(`Of ${points} points over ${inWords(axes)} ${done.length === points ? 'all' : done.length} were simulated. The fastest, ${pointName(best)}, takes ${time(step[best])} a step; the slowest, ${pointName(worst)}, ${time(step[worst])}: ${percent(step[worst] / step[best] - 1)} more.`);
    if (has('verdicts', 'text') && values('verdicts', 'text').length > 0) {
      made.append(folded(`Why: what ${axes[0]} changes, point by point`, make('ul', {}, ...values('verdicts', 'text').slice(0, 24).map((text) => make('li', { textContent: text })))));
    }
  };

  /// The resource whose double shortens the step most.
  const gainsMost = () => {
    if (!has('elasticity', 'step_doubled')) return [];
    const twice = values('elasticity', 'step_doubled');
    const best = twice.indexOf(Math.min(...twice));
    const name = values('elasticity', 'resource')[best];
    return [make('li', {}, make('span', { textContent: name === 'latency' ? 'half the latencies give' : `largest gain: twice ${called(name)}` }),
      make('b', { textContent: percent(twice[best] / values('elasticity', 'step') - 1) }))];
  };

  const summary = () => {
    const made = section('words', 'In words');
    made.classList.add('words');
    if (!isRun) { sweepWords(made); return; }
    const card = (name, text) => make('li', {}, make('span', { textContent: name }), make('b', { textContent: text }));
    const s = (name) => values('summary', name);
    made.append(make('ul', { className: 'cards', id: 'cards' }, card('step', time(s('step_time'))),
      ...(s('tokens_per_second') > 0 ? [card('tokens/s', big(s('tokens_per_second'), '')), card('tokens/s a GPU', digits(s('tokens_per_second_per_gpu'))),
        card('TFLOP/s a GPU', digits(s('model_flops_per_second_per_gpu') / 1e12)), card('MFU', percent(s('mfu'))), card('HFU', percent(s('hfu')))] : []),
      card('largest share bound by', called(s('binding'))), ...gainsMost()));
    for (const text of runWords()) made.append(make('p', { textContent: text }));
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
    loads();
    utilisation();
    critical();
    links();
    traffic();
    memory();
    memoryOverTime();
  } else {
    sweep();
  }
  window.weftsim = { data, charts };
})();
