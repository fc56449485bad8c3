'use strict';
// The network box by box and cable by cable, tiers from the nodes up. How busy a line is shows in
// its width and its words, not in its colour alone.
const weftsimLoadMap = ({ boxes, ways, heat, percent, called }) => {
  const ns = 'http://www.w3.org/2000/svg';
  const WIDTH = 1000;
  const tiers = ['node', 'leaf', 'spine', 'core'].map((tier) => boxes.map((_, b) => b).filter((b) => boxes[b].tier === tier))
    .filter((row) => row.length > 0);
  const short = (name) => name.replace(/^(.*?)(\d+) to \1(\d+)$/, '$1$2–$3');
  const element = (tag, attributes, text, title) => {
    const made = document.createElementNS(ns, tag);
    Object.entries(attributes).forEach(([k, v]) => made.setAttribute(k, v));
    if (text) made.textContent = text;
    if (title) { const words = document.createElementNS(ns, 'title'); words.textContent = title; made.append(words); }
    return made;
  };

  // -- places --------------------------------------------------------------------------------
  const tall = tiers.map((row) => (WIDTH / row.length >= 84 ? 44 : 118));
  const gap = 96;
  const at = {};
  let y = tall.reduce((sum, t) => sum + t + gap, 0) - gap + 44;
  const height = y + 6;
  tiers.forEach((row, t) => {
    y -= tall[t];
    const slot = WIDTH / row.length;
    const width = Math.min(150, 0.86 * slot);
    row.forEach((b, i) => { at[b] = { x: slot * (i + 0.5), y, width, height: tall[t], tier: t }; });
    y -= gap;
  });

  const svg = element('svg', { class: 'machine loads', role: 'img', viewBox: `0 0 ${WIDTH} ${height}` });
  const words = (way) => `${boxes[way.from].name} – ${boxes[way.to].name}: ${way.cables} ${called(way.kind)}, ${percent(way.mean)} in the mean, busiest ${percent(way.peak)}`;
  const drawn = ways.filter((way) => way.from !== way.to).sort((a, b) => a.peak - b.peak);
  drawn.forEach((way) => {
    const [low, high] = at[way.from].y >= at[way.to].y ? [at[way.from], at[way.to]] : [at[way.to], at[way.from]];
    const path = low.tier === high.tier
      ? `M${low.x},${low.y} Q${(low.x + high.x) / 2},${low.y - 16 - Math.min(60, Math.abs(low.x - high.x) / 6)} ${high.x},${high.y}`
      : `M${low.x},${low.y} L${high.x},${high.y + high.height}`;
    svg.append(element('path', { d: path, class: 'way', style: `stroke:${heat(way.peak)};stroke-width:${(0.7 + 7 * way.peak).toFixed(2)}` }, '', words(way)));
  });
  if (drawn.length <= 24) {
    drawn.forEach((way) => {
      const [a, b] = [at[way.from], at[way.to]];
      const low = a.y >= b.y ? a : b;
      const high = low === a ? b : a;
      // A third of the way up, where lines to the same switch are still apart.
      const x = low.x + (high.x - low.x) / 3;
      const up = low.tier === high.tier ? low.y - 14 : low.y + (high.y + high.height - low.y) / 3;
      svg.append(element('text', { x, y: up, 'text-anchor': 'middle', class: 'small' }, percent(way.peak)));
    });
  }
  boxes.forEach((box, b) => {
    const place = at[b];
    const load = box.tier === 'node' ? `stroke:${heat(box.inside)};stroke-width:${(1 + 4 * box.inside).toFixed(2)}` : '';
    const title = `${box.name}${box.members > 1 ? `, ${box.members} of them` : ''}${box.tier === 'node' ? `: busiest link inside ${percent(box.inside)}` : ''}`;
    svg.append(element('rect', { x: place.x - place.width / 2, y: place.y, width: place.width, height: place.height, rx: 4, class: 'box', style: load }, '', title));
    const upright = place.height > 44;
    const turn = upright ? { transform: `rotate(-90 ${place.x} ${place.y + place.height / 2})` } : {};
    const middle = place.y + place.height / 2;
    const inside = box.tier === 'node' && !upright;
    svg.append(element('text', { x: place.x, y: inside ? middle - 3 : middle + 4, 'text-anchor': 'middle', ...turn }, short(box.name)));
    if (inside) svg.append(element('text', { x: place.x, y: middle + 13, 'text-anchor': 'middle', class: 'small' }, `inside ${percent(box.inside)}`));
  });
  const busiest = drawn.length ? drawn[drawn.length - 1] : null;
  svg.setAttribute('aria-label', `Load of ${ways.reduce((n, w) => n + w.cables, 0)} cables between ${boxes.length} boxes${busiest ? `; busiest: ${words(busiest)}` : ''}`);
  return svg;
};
