import sharp from 'sharp';

/** A made-up application: buttons in a grid whose colour says what was done with them. Every picture differs. */

export type SceneStep =
  | { kind: 'click' | 'double' | 'right' | 'press' | 'scroll'; cell: number }
  | { kind: 'type'; cell: number; text: string }
  | { kind: 'drag'; cell: number; to: number };

export type Scene = { width: number; height: number };

const COLUMNS = 6;
const ROWS = 5;
const CELLS = COLUMNS * ROWS;
const NAMES = ['Open', 'Save', 'Cut', 'Copy', 'Paste', 'Crop', 'Rotate', 'Flip', 'Sharpen', 'Blur', 'Levels', 'Curves'];

/** The element's name as it stands on the screen. */
export const cellName = (cell: number): string => {
  const name = NAMES[cell % NAMES.length] ?? '';
  return cell < NAMES.length ? name : `${name} ${Math.floor(cell / NAMES.length) + 1}`;
};

/** The outer edge of a cell's button, px. */
export function cellBox({ width, height }: Scene, cell: number) {
  const top = Math.round(height * 0.12);
  const [w, h] = [Math.floor(width / COLUMNS), Math.floor((height - top) / ROWS)];
  const [column, row] = [cell % COLUMNS, Math.floor(cell / COLUMNS) % ROWS];
  const [dx, dy] = [Math.round(w * 0.14), Math.round(h * 0.24)];
  return { x: column * w + dx, y: top + row * h + dy, width: w - 2 * dx, height: h - 2 * dy };
}

export function cellCentre(scene: Scene, cell: number): [number, number] {
  const { x, y, width, height } = cellBox(scene, cell);
  return [x + Math.floor(width / 2), y + Math.floor(height / 2)];
}

/**
 * The steps of a recording: mostly clicks, as people work, with a drag, a text, a key and a scroll now and then.
 */
export function sceneSteps(count: number): SceneStep[] {
  const pattern = ['click', 'click', 'type', 'press', 'drag', 'click', 'double', 'scroll', 'click', 'right'] as const;
  return Array.from({ length: count }, (_, i): SceneStep => {
    const kind = pattern[i % pattern.length] ?? 'click';
    const cell = (i * 7) % CELLS;
    if (kind === 'type') return { kind, cell, text: `note ${i + 1}` };
    if (kind === 'drag') return { kind, cell, to: (cell + 8) % CELLS };
    return { kind, cell };
  });
}

/** The screen after `done`, as raw blue, green, red, 0. */
export async function drawScene(scene: Scene, done: readonly SceneStep[]): Promise<Buffer> {
  const { width, height } = scene;
  const last = done.at(-1);
  const touched = new Map(done.map((step, i) => [step.kind === 'drag' ? step.to : step.cell, i]));
  const size = Math.round(height / 45);
  const cells = Array.from({ length: CELLS }, (_, cell) => {
    const box = cellBox(scene, cell);
    const [cx, cy] = cellCentre(scene, cell);
    const at = touched.get(cell);
    const fill = at === undefined ? '#f4f5f7' : `hsl(${(at * 47) % 360} 55% 72%)`;
    const frame = last && last.cell === cell ? '#1c63d5' : '#8a919c';
    return `<rect x="${box.x + 0.5}" y="${box.y + 0.5}" width="${box.width - 1}" height="${box.height - 1}" rx="3" fill="${fill}" stroke="${frame}"/>
      <text x="${cx}" y="${cy - size}" text-anchor="middle" font-size="${size}" fill="#1b1f24">${cellName(cell)}</text>`;
  });
  const said = last ? `${done.length}: ${last.kind} ${cellName(last.cell)}` : 'Ready';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">
    <defs><linearGradient id="g"><stop offset="0" stop-color="#dfe7f3"/><stop offset="1" stop-color="#f7efe3"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#g)"/>
    <rect width="${width}" height="${Math.round(height * 0.06)}" fill="#2d3640"/>
    <text x="12" y="${Math.round(height * 0.04)}" font-size="${size}" fill="#fff">Scene editor</text>
    <text x="12" y="${Math.round(height * 0.1)}" font-size="${size}" fill="#1b1f24">${said}</text>${cells.join('')}</svg>`;
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let i = 0; i < data.length; i += 4) {
    const red = data[i] ?? 0;
    data[i] = data[i + 2] ?? 0;
    data[i + 2] = red;
    data[i + 3] = 0;
  }
  return data;
}
