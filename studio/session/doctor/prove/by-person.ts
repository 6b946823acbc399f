import sharp from 'sharp';
import { openPersonStage } from '../../../../native/index.ts';
import type { Platform } from '../../../../native/platform/platform.ts';
import type { FullWindow, FullWindowInput } from '../../../../native/platform/stage.ts';
import { StudioError } from '../../../../schemas/errors.ts';
import { PATCH_SIZE, type Paint, paintSteps } from '../../../capture/sync.ts';
import { openFolder } from '../../../recordings/closed.ts';
import { compareHands, type HandsProof } from './own-hands.ts';
import type { Proof } from './proof.ts';
import { FPS, factsOf, recordProof } from './record-proof.ts';

/**
 * `doctor --prove` where no program may make inputs for others (Wayland): our window fills the display that is recorded and
 * paints the patch of the sync check, and the person uses mouse and keyboard in it. What the compositor told the window of
 * must be in the recording.
 */
const PAINTS = 30;
const WHOLE_MS = 20_000;
/** Ends it before its time. */
const END_KEY = 'Escape';
const LOOK_MS = 4;
/** How long the picture of a paint is waited for. */
const PICTURED_MS = 1000;

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

type Options = { program: string; progress(text: string): void };

export async function proveByPerson(
  platform: Platform,
  { program, progress }: Options,
): Promise<NonNullable<Proof['result']>> {
  const displays = platform.displays();
  const display = displays.find(({ primary }) => primary) ?? displays[0];
  if (!display) throw new StudioError('NO_DISPLAY', 'The compositor names no display.', {});
  progress('starting the recorder; share the screen when the desktop asks for it …');
  return await recordProof(
    { program, target: { kind: 'display', display: display.id }, paints: { start: 0, end: 0 } },
    async ({ send, pictured }) => {
      // Larger than the patch that is looked for, in pixels of the desktop's, which may be several of the display's.
      const window = await openPersonStage(display, drawing, PATCH_SIZE + 16);
      try {
        progress(
          `our window fills the screen for ${WHOLE_MS / 1000} seconds: click, drag, turn the wheel and type in it …`,
        );
        const told: FullWindowInput[] = [];
        const paint = async (): Promise<void> => send({ type: 'painted', paints: await paintAll(window, pictured) });
        // Awaited together: a window that is lost while it is painted ends both, and is told once.
        await Promise.all([until(window, told), paint()]);
        return told;
      } finally {
        window.close();
      }
    },
    ({ done, ...made }) => {
      progress('comparing what came back …');
      const { exact, of, wrong }: HandsProof = compareHands(done, openFolder(made.folder).input().events);
      return { injection: 'your own hands', actions: { exact, of, wrong }, texts: [], ...factsOf(made) };
    },
  );
}

/** Takes what the person does, until the time is over, Escape is let go or the window is closed. */
async function until(window: FullWindow, told: FullWindowInput[]): Promise<void> {
  const end = performance.now() + WHOLE_MS;
  for (let over = false; !over && !window.isClosed() && performance.now() < end; ) {
    window.turn();
    for (const input of window.told()) {
      told.push(input);
      over ||= input.type === 'keyup' && input.code === END_KEY;
    }
    await sleep(LOOK_MS);
  }
}

async function paintAll(window: FullWindow, pictured: () => number): Promise<Paint[]> {
  const paints: Paint[] = [];
  for (const { rgb, wait } of paintSteps(PAINTS, FPS)) {
    if (window.isClosed()) break;
    const before = pictured();
    paints.push({ rgb, ...(await window.paint(rgb)) });
    // Two paints that a busy compositor shows in one picture would say nothing of its time.
    for (let waited = 0; pictured() === before && waited < PICTURED_MS; waited += LOOK_MS) await sleep(LOOK_MS);
    await sleep(wait);
  }
  return paints;
}

const SAID = ['Click, drag, turn the wheel and type here.', 'Nothing secret. It ends by itself, or with Esc.'];

/** The window's picture, in the order of its bytes. */
async function drawing({ width, height }: { width: number; height: number }): Promise<Uint8Array> {
  const size = Math.max(14, Math.round(Math.min(width / 28, height / 16)));
  const middle = height / 2;
  const lines = [
    `<text x="50%" y="${middle}" font-size="${size}" fill="#f4f4f5">${SAID[0]}</text>`,
    `<text x="50%" y="${middle + 1.6 * size}" font-size="${0.6 * size}" fill="#a1a1aa">${SAID[1]}</text>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g font-family="sans-serif" text-anchor="middle">${lines.join('')}</g></svg>`;
  const pixels = await sharp({ create: { width, height, channels: 4, background: '#27272a' } })
    .composite([{ input: Buffer.from(svg) }])
    .raw()
    .toBuffer();
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const red = pixels[at] ?? 0;
    pixels[at] = pixels[at + 2] ?? 0;
    pixels[at + 2] = red;
  }
  return pixels;
}
