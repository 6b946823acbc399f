import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createGlancer } from '../../studio/capture/glancer.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { MAGENTA, openTerminal } from '../support/private.ts';
import { must } from '../support/process.ts';
import { soon } from '../support/studio-expect.ts';

/** The pictures that one chooses by show the screen, and nothing of what the lists leave out. */

let display: VirtualDisplay;
onDisplay({ width: 800, height: 500 }, (made) => {
  ({ display } = made);
});

/** How many pixels are of about this colour. */
async function shareOf(picture: string | null | undefined, [r = 0, g = 0, b = 0]: readonly number[]): Promise<number> {
  if (!picture) return 0;
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
  const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
  let found = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    const far = Math.abs(pixels[i]! - r) + Math.abs(pixels[i + 1]! - g) + Math.abs(pixels[i + 2]! - b);
    if (far < 90) found++;
  }
  return found / (pixels.length / 3);
}

it('a display and its windows, without what a list leaves out', async () => {
  const vault = await openTerminal(display, 'KeePass vault', 'Vault', MAGENTA);
  const work = await openTerminal(display, 'work', 'Work', [0x10, 0x10, 0x30]);
  const move = (id: string, ...place: number[]) =>
    must(
      'xdotool',
      ['windowmove', '--sync', id, ...place.slice(0, 2).map(String), 'windowsize', id, ...place.slice(2).map(String)],
      { env: display.env },
    );
  await move(vault.id, 20, 40, 300, 200);
  await move(work.id, 400, 240, 300, 200);
  const glancer = createGlancer({ env: display.env });
  const take = (lists: { exclude?: string[]; only?: string[] }) =>
    glancer.take({ exclude: [], only: [], view: { x: 400, y: 240, width: 200, height: 100 }, ...lists });
  try {
    await soon(async () => shareOf((await take({})).displays[0]?.picture, MAGENTA)).toBeGreaterThan(0.1);
    const all = await take({});
    expect(await shareOf(all.windows.find(({ id }) => id === vault.id)?.picture, MAGENTA)).toBeGreaterThan(0.8);
    expect(await shareOf(all.view, [0x10, 0x10, 0x30])).toBeGreaterThan(0.5);

    // Not the one in front, so that pictures are taken, with a hole where it lies.
    await must('xdotool', ['windowactivate', '--sync', work.id], { env: display.env });
    for (const lists of [{ exclude: ['keepass'] }, { only: ['work'] }]) {
      const some = await take(lists);
      const without = some.windows.find(({ id }) => id === vault.id);
      expect(without).toEqual({ id: vault.id, leftOut: true, picture: null });
      expect(some.displays[0]?.picture).toMatch(/^data:image\/jpeg/);
      expect(await shareOf(some.displays[0]?.picture, MAGENTA)).toBe(0);
      expect(await shareOf(some.windows.find(({ id }) => id === work.id)?.picture, [0x10, 0x10, 0x30])).toBeGreaterThan(
        0.5,
      );
    }
    // In front: nothing at all, as its menus may lie anywhere.
    await must('xdotool', ['windowactivate', '--sync', vault.id], { env: display.env });
    expect(await take({ exclude: ['keepass'] })).toEqual({
      displays: [{ id: 1, picture: null }],
      windows: [
        { id: vault.id, leftOut: true, picture: null },
        { id: work.id, leftOut: false, picture: null },
      ],
      view: null,
    });
    // Minimised: it is in no picture, and there is none of it.
    await must('xdotool', ['windowminimize', '--sync', vault.id], { env: display.env });
    await soon(async () => (await take({})).windows.map(({ id }) => id)).toEqual([work.id]);
  } finally {
    glancer.close();
  }
});

it('a display that is gone gives no pictures, and ends nothing but the process that asked', async () => {
  const glancer = createGlancer({ env: { ...display.env, DISPLAY: ':9999' } });
  expect(await glancer.take({ exclude: [], only: [], view: null })).toEqual({ displays: [], windows: [], view: null });
  glancer.close();
});
