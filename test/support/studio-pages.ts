import type { Page } from 'playwright-core';
import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
import { heard } from './studio-browser.ts';
import type { StudioServer } from './studio-server.ts';
import { until } from './until.ts';

/** The annotation page as a person works it: by keys, and by role and name. */

export type AnnotatePage = {
  opened: OpenedRecording;
  step(n: number): Step;
  /** The step in hand, from 0. */
  current(): Promise<number>;
  /** Moves there by the arrows. */
  goTo(n: number): Promise<void>;
  /** The words of the list for a step in sight: `Step 3: Click on the [Open], done`. */
  label(n: number): Promise<string>;
  /** Names the element of the step in hand. `at once`: the text comes in one piece, as by pasting. */
  name(text: string, how?: 'typed' | 'at once'): Promise<void>;
  /** The picture of the step in hand as it is painted, R, G, B. At 100 % and whole in the window. */
  paintedPixels(): Promise<Buffer>;
  /** Where the picture lies in the window, CSS px. */
  stageArea(): Promise<{ x: number; y: number; width: number; height: number }>;
};

type Server = Pick<StudioServer, 'api' | 'origin'>;

/** Opens a recording's annotation page, unless it is open, and waits until its steps are there. */
export async function annotatePage(page: Page, server: Server, ws: string, recording: string): Promise<AnnotatePage> {
  const address = `${server.origin}/w/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}`;
  // The step in hand stands behind it.
  if (page.url().split('?')[0] !== address) await page.goto(address);
  const list = page.getByRole('tree', { name: 'Subtasks and steps' });
  const now = list.locator('[aria-current=step]');
  await now.waitFor();
  await heard(page);
  const opened = await server.api.recordings.open({ ws, recording });
  const items = list.locator('[role=treeitem][aria-level="2"]');
  const current = async () => Number(/^Step (\d+):/.exec((await now.getAttribute('aria-label')) ?? '')?.[1]) - 1;
  const self: AnnotatePage = {
    opened,
    step(n) {
      const step = opened.steps[n];
      if (!step) throw new Error(`the recording has ${opened.steps.length} steps, not ${n + 1}`);
      return step;
    },
    current,
    async goTo(n) {
      for (let at = await current(); at !== n; at = await current()) {
        await page.keyboard.press(n > at ? 'ArrowDown' : 'ArrowUp');
        await until(`the step after ${at + 1}`, async () => (await current()) !== at);
      }
    },
    label: async (n) =>
      (await items.and(page.locator(`[data-action="${self.step(n).id}"]`)).getAttribute('aria-label')) ?? '',
    async name(text, how = 'typed') {
      await page.keyboard.press('e');
      if (how === 'typed') await page.keyboard.type(text);
      else await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
    },
    async paintedPixels() {
      const id = self.step(await current()).id;
      await page.locator(`canvas[data-testid=picture][data-step="${id}"][data-state=ready]`).waitFor();
      const base64 = await page.evaluate(readPicture, opened.views[0]?.rect ?? { width: 0, height: 0 });
      return Buffer.from(base64, 'base64');
    },
    async stageArea() {
      const picture = page.getByTestId('picture');
      await page.locator('canvas[data-testid=picture][data-state=ready]').waitFor();
      const box = await picture.boundingBox();
      if (!box) throw new Error('the picture is not in sight');
      const number = async (name: string) => Number(await picture.getAttribute(`data-${name}`));
      const [x, y, scale] = [await number('x'), await number('y'), await number('scale')];
      const { rect } = opened.views[0] ?? { rect: { width: 0, height: 0 } };
      return { x: box.x + x, y: box.y + y, width: rect.width * scale, height: rect.height * scale };
    },
  };
  return self;
}

/** In the page: the picture's part of the canvas, R, G, B, as base64. Throws unless it stands there pixel by pixel. */
function readPicture({ width, height }: { width: number; height: number }): string {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-testid=picture]');
  const context = canvas?.getContext('2d');
  if (!canvas || !context) throw new Error('there is no picture');
  const { scale, x, y } = canvas.dataset;
  if (scale !== '1' || devicePixelRatio !== 1) throw new Error(`the picture stands at ${scale}, not at 100 %`);
  const [left, top] = [Math.round(Number(x)), Math.round(Number(y))];
  if (left < 0 || top < 0 || left + width > canvas.width || top + height > canvas.height) {
    throw new Error('the picture is not whole in the window');
  }
  const { data } = context.getImageData(left, top, width, height);
  const rgb = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    rgb[to++] = data[from] ?? 0;
    rgb[to++] = data[from + 1] ?? 0;
    rgb[to++] = data[from + 2] ?? 0;
  }
  const parts: string[] = [];
  for (let at = 0; at < rgb.length; at += 30_000) parts.push(String.fromCharCode(...rgb.subarray(at, at + 30_000)));
  return btoa(parts.join(''));
}
