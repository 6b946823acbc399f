/**
 * The README's picture, out of a real demonstration: `npm run demo -- --out demo-output`, then
 * `node scripts/readme-picture.ts demo-output docs/images/keyframes.png`. The screen before each of four actions, as it was
 * kept, with the recorded target marked; the marks stand in this picture only, never in a keyframe.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { narrate } from '../core/annotate/narration.ts';
import type { Action } from '../schemas/actions.ts';
import type { KeyframeIndex } from '../schemas/recording.ts';

const [from = 'demo-output', out = 'docs/images/keyframes.png', ...wanted] = process.argv.slice(2);
const ranks = wanted.length > 0 ? wanted.map(Number) : [2, 4, 9, 12];
const WIDTH = 620;
const GAP = 20;
const CAPTION = 40;

// Written by `keyframes` and `actions --json`; the shapes are the schemas'.
const index = JSON.parse(readFileSync(join(from, 'keyframes', 'index.json'), 'utf8')) as KeyframeIndex;
const { actions } = JSON.parse(readFileSync(join(from, 'actions.json'), 'utf8')) as { actions: Action[] };

function xmlText(text: string): string {
  return text.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
}

async function panel(rank: number): Promise<Buffer> {
  const action = actions[rank - 1];
  const keyframe = index.keyframes.find((k) => k.action === action?.id && k.role === 'before');
  if (!action || !keyframe) throw new Error(`There is no step ${rank} in ${from}.`);
  const scale = WIDTH / keyframe.width;
  const height = Math.round(keyframe.height * scale);
  const at = (p: { x: number | null; y: number | null }) => ({
    x: ((p.x ?? 0) - keyframe.origin.x) * scale,
    y: ((p.y ?? 0) - keyframe.origin.y) * scale,
  });
  const [a, b] = [at(action.start), at(action.end)];
  const path = (action.path ?? []).map(([x, y]) => at({ x, y })).map(({ x, y }) => `${x},${y}`);
  const red = 'fill="none" stroke="#e03131" stroke-width="3"';
  const mark =
    action.kind === 'type'
      ? ''
      : `<circle cx="${a.x}" cy="${a.y}" r="13" ${red}/><circle cx="${a.x}" cy="${a.y}" r="2.5" fill="#e03131"/>`;
  const way =
    action.kind === 'drag'
      ? `<polyline points="${path.join(' ')}" ${red} stroke-dasharray="7 5"/><circle cx="${b.x}" cy="${b.y}" r="7" ${red}/>`
      : '';
  const words = `${rank}. ${narrate(action)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height + CAPTION}">${way}${mark}
    <rect y="${height}" width="${WIDTH}" height="${CAPTION}" fill="#f8f9fa"/>
    <text x="12" y="${height + 26}" font-family="DejaVu Sans" font-size="17" fill="#212529">${xmlText(words)}</text></svg>`;
  const picture = await sharp(join(from, 'keyframes', keyframe.file))
    .resize(WIDTH)
    .toBuffer();
  return sharp({ create: { width: WIDTH, height: height + CAPTION, channels: 3, background: '#ffffff' } })
    .composite([
      { input: picture, top: 0, left: 0 },
      { input: Buffer.from(svg), top: 0, left: 0 },
    ])
    .png()
    .toBuffer();
}

const panels = await Promise.all(ranks.map(panel));
const { height: tall = 0 } = await sharp(panels[0]).metadata();
const rows = Math.ceil(panels.length / 2);
const layers: OverlayOptions[] = panels.map((input, i) => ({
  input,
  left: (i % 2) * (WIDTH + GAP),
  top: Math.floor(i / 2) * (tall + GAP),
}));
await sharp({
  create: { width: 2 * WIDTH + GAP, height: rows * tall + (rows - 1) * GAP, channels: 3, background: '#ffffff' },
})
  .composite(layers)
  .png({ compressionLevel: 9, palette: true, quality: 90 })
  .toFile(out);
