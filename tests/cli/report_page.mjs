// Opens reports in a headless Chromium as a person would: no error, no request, the file's numbers,
// charts that are drawn, a filter that works, keyboard, light and dark, print.
// Arguments: the weftsim binary, the source tree, a directory for screenshots (may be empty).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const [binary, source, pictures] = process.argv.slice(2);
const SKIP = 77;
const skip = (why) => { console.log(`skipped: ${why}`); process.exit(SKIP); };

const modules = join(source, 'sim/results/report/node_modules');
if (!existsSync(join(modules, 'playwright-core'))) skip('no playwright-core: scripts/fetch-echarts fetches it');
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
if (!browserPath) skip('no chromium: install the Debian package chromium');
const { chromium } = createRequire(join(modules, 'x'))('playwright-core');

const directory = mkdtempSync(join(tmpdir(), 'weftsim-report-'));
const run = (...words) => execFileSync(binary, words, { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 28 });
const cases = join(source, 'tests/cli');

const open = async (browser, file, scheme = 'light') => {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1200, height: 900 } });
  const troubles = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) troubles.push(`asks for ${request.url()}`); });
  await page.goto(`file://${join(directory, file)}`);
  await page.waitForFunction(() => window.weftsim !== undefined);
  return { page, troubles };
};
const picture = async (page, name) => {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};
/// Every chart has marks of a size.
const expectDrawn = async (page, ids) => {
  for (const id of ids) {
    const marks = await page.$$eval(`#${id} svg path, #${id} svg rect`, (all) => all.filter((e) => { const b = e.getBoundingClientRect(); return b.width > 1 && b.height > 0; }).length);
    assert.ok(marks > 3, `${id} has ${marks} marks`);
  }
};
const cells = (page, id) => page.$$eval(`#${id} tbody tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
const seconds = (text) => { const [, number, unit] = /^(-?[\d.e-]+) (|m|µ|n)s$/.exec(text); return Number(number) * { '': 1, m: 1e-3, 'µ': 1e-6, n: 1e-9 }[unit]; };
const sizeOf = (text) => { const [, number, unit] = /^(-?[\d.e+-]+) (|Ki|Mi|Gi|Ti|Pi)B$/.exec(text); return Number(number) * { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 }[unit]; };
const expectSeconds = (text, value, what) => assert.ok(Math.abs(seconds(text) - value) <= 6e-4 * Math.abs(value), `${what}: ${text} for ${value}`);

const testRun = async (browser) => {
  const file = JSON.parse(run('explain', join(cases, 'small.yaml'), '-q', '-o', 'run.h5', '--format', 'json'));
  run('report', 'run.h5', '-o', 'run.html');
  const { page, troubles } = await open(browser, 'run.html');
  await expectDrawn(page, ['elasticity-chart', 'ledger-chart', 'utilisation-chart', 'critical-chart', 'memory-chart', 'memory-time-chart']);
  assert.ok(await page.$('svg.machine rect'));

  const card = await page.$eval('#cards li b', (e) => e.textContent);
  expectSeconds(card, file.summary.step_time.values, 'step');
  const rows = await cells(page, 'elasticity-table');
  assert.equal(rows.length, file.elasticity.resource.values.length);
  const doubled = [...file.elasticity.step_doubled.values].sort((a, b) => a - b);
  rows.forEach((row, i) => expectSeconds(row[2], doubled[i], `row ${i} at x2`));
  const path = await cells(page, 'critical-table');
  path.forEach((row, i) => expectSeconds(row[1], file.critical_path.time.values[i], `critical path ${row[0]}`));
  assert.ok((await page.textContent('#words')).includes(file.elasticity.explanation.values), 'the explanation stands in the summary');

  // Memory over the step: the peaks of the table are those of the file.
  const memory = file.memory_over_time;
  const stage = memory.of_stage.values[0];
  const inGpu = memory.bytes.values.filter((_, p) => memory.of_stage.values[p] === stage && memory.tier.values[p] === 'GPU memory');
  const peak = Math.max(...memory.time.values.map((_, t) => inGpu.reduce((sum, bytes) => sum + bytes[t], 0)));
  assert.equal(peak, file.memory.total.values, 'the peak is the footprint');
  const peaks = await cells(page, 'memory-time-table');
  assert.equal(peaks[0][1], 'GPU memory');
  assert.ok(Math.abs(sizeOf(peaks[0][2]) - peak) <= 6e-4 * peak, `${peaks[0][2]} for ${peak}`);

  // The network: a line for every pair of boxes with cables, with words for those who see no colour.
  const lines = await page.$$eval('svg.loads path.way', (all) => all.map((e) => e.querySelector('title').textContent));
  const between = file.load_ways.from_box.values.filter((from, w) => from !== file.load_ways.to_box.values[w]);
  assert.equal(lines.length, between.length);
  const cables = lines.map((words) => Number(/: (\d+) /.exec(words)[1])).reduce((a, b) => a + b, 0);
  assert.equal(cables, file.load_ways.cables.values.reduce((a, b) => a + b, 0));

  // What groups send sums to what the file's ranks send.
  const groups = await cells(page, 'groups-table');
  const sent = file.group_traffic.bytes.values.reduce((sum, b, g) => sum + b * file.group_traffic.groups.values[g], 0);
  const shown = groups.map((row) => sizeOf(row[4])).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(shown - sent) <= 1e-3 * sent, `groups send ${shown} of ${sent}`);

  // By keyboard alone: the first stops are the way past the head and the table of contents.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'A');
  const unnamed = await page.$$eval('.chart, svg.machine', (all) => all.filter((e) => !e.getAttribute('aria-label')).length);
  assert.equal(unnamed, 0, 'every picture has words');

  await picture(page, 'run-light');
  const pdf = await page.pdf();
  assert.ok(pdf.length > 20000, 'prints');
  assert.deepEqual(troubles, []);
  const other = await open(browser, 'run.html', 'dark');
  const paper = await other.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, 'rgb(13, 17, 23)');
  await picture(other.page, 'run-dark');
  assert.deepEqual(other.troubles, []);
};

const testSweep = async (browser) => {
  const name = 'small-sweep.yaml';
  const file = JSON.parse(run('sweep', join(cases, name), '-q', '-o', 'sweep.h5', '--format', 'json'));
  run('report', 'sweep.h5', '-o', 'sweep.html');
  assert.ok(statSync(join(directory, 'sweep.html')).size < 3e6);
  const { page, troubles } = await open(browser, 'sweep.html');
  await expectDrawn(page, ['heat-chart', 'line-chart', 'pareto-chart', 'ledger-chart']);
  const steps = file.summary.step_time.values.flat(Infinity);
  const rows = await cells(page, 'points-table');
  assert.equal(rows.length, steps.length);
  rows.forEach((row, p) => { if (steps[p] !== null) expectSeconds(row[1], steps[p], row[0]); });

  // What the first axis buys stands on the first screen, with the file's numbers.
  const buys = await cells(page, 'buys-table');
  const bottom = await page.$eval('#buys-table', (e) => e.getBoundingClientRect().bottom);
  assert.ok(bottom < 900, `the answer ends at ${bottom} of 900`);
  buys.forEach((row, r) => {
    const [before, after] = [steps[r], steps[buys.length + r]];
    if (before === null || after === null) return;
    expectSeconds(row[1], before, row[0]);
    expectSeconds(row[2], after, row[0]);
    assert.equal(row[3], `${(100 * (after / before - 1)).toFixed(1)} %`);
  });
  assert.ok((await page.textContent('#words')).includes('The largest share of it is bound by'));

  const word = file.summary[file.summary.step_time.dimensions[0]].values[1];
  await page.fill('#filter', word);
  const kept = await cells(page, 'points-table');
  assert.ok(kept.length > 0 && kept.length < rows.length, `the filter keeps ${kept.length} of ${rows.length}`);
  assert.ok(kept.every((row) => row[0].includes(word)));
  await page.fill('#filter', '');
  await page.click('#points-table th button');
  const order = (await cells(page, 'points-table')).map((row) => row[1]).filter((t) => t !== '–').map(seconds);
  assert.deepEqual(order, [...order].sort((a, b) => a - b), 'sorts by step');

  // The chosen axis is the one that is drawn.
  const across = await page.$('#grid select');
  const before = await page.evaluate(() => JSON.stringify(window.weftsim.charts['heat-chart'].getOption().xAxis[0].data));
  const options = await across.$$eval('option', (all) => all.map((o) => [o.value, o.selected]));
  const another = options.find(([, selected]) => !selected);
  if (another) {
    await across.selectOption(another[0]);
    const after = await page.evaluate(() => JSON.stringify(window.weftsim.charts['heat-chart'].getOption().xAxis[0].data));
    assert.notEqual(after, before);
  }
  await picture(page, 'sweep-light');
  assert.deepEqual(troubles, []);
};

let browser;
try {
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  await testRun(browser);
  await testSweep(browser);
  console.log('the reports show what their files hold');
} catch (error) {
  if (!String(error.stderr).includes('built without')) throw error;
  console.log('skipped: weftsim was built without ECharts');
  process.exitCode = SKIP;
} finally {
  if (browser) await browser.close();
  rmSync(directory, { recursive: true, force: true });
}
