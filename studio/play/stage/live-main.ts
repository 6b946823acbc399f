import sharp from 'sharp';
import { SETTLED } from '../../../core/play/at-rest.ts';
import { changesOf, framed } from '../../../core/play/live-frames.ts';
import { openHands, openLiveScreen, openStageKeyboard, openTitles } from '../../../native/index.ts';
import type { LiveScreen } from '../../../native/platform/live-screen.ts';
import { serveCalls } from '../../../native/process/serve.ts';
import type { Rect } from '../../../schemas/events.ts';
import { screenAtRest } from './at-rest.ts';
import { type Doer, doerOf, NO_PAUSES } from './do-act.ts';
import type { LiveStageCalls } from './live.ts';

/** The process that shows a stage to people who look at it now, and does what one of them does on it, as it comes. */

/** How often the screen is looked at while somebody waits for a change; and for so long after an act, whose change is waited for, ms. */
const LOOK_MS = 8;
const SOON_MS = 2;
const AFTER_ACT_MS = 150;
/** A smaller picture is sent as its pixels: neither side has to code it, px. */
const MOST_PLAIN = 8_000;
/** Nothing changed for so long: whoever waits is told so, and asks again, ms. */
const MOST_WAIT_MS = 10_000;
/** A larger picture is sent as JPEG, which is made sooner, px; when the screen has come to rest it is sent as it is. */
const MOST_EXACT = 250_000;
const REST_MS = 250;

async function open(): Promise<LiveStageCalls> {
  const hands = await openHands();
  process.once('exit', () => hands.releaseAll());
  const keyboard = await openStageKeyboard();
  const { width, height } = (await openTitles()).screen();
  const screen = await openLiveScreen({ width, height });
  const changes = changesOf({ width, height });
  // Opened with the first act: a layout that was changed since then counts.
  let doer: Doer | null = null;
  let acting: Promise<unknown> = Promise.resolve();
  let actedAt = Number.NEGATIVE_INFINITY;

  /** After all that was asked before. */
  function inTurn<T>(work: (doer: Doer) => Promise<T>): Promise<T> {
    const done = acting.then(() => {
      doer ??= doerOf(hands, keyboard, NO_PAUSES);
      return work(doer);
    });
    acting = done.catch(() => undefined);
    return done;
  }

  const look = (): void => {
    const rect = screen.look();
    if (rect) changes.add(rect, performance.now());
  };

  return {
    async next({ since }) {
      const until = performance.now() + MOST_WAIT_MS;
      for (;;) {
        look();
        const found = changes.since(since, performance.now(), { mostExact: MOST_EXACT, restMs: REST_MS });
        if (found) return frameOf(screen, found.rect, { n: found.n, exact: found.exact });
        if (performance.now() > until) return frameOf(screen, null, { n: since, exact: true });
        const isSoon = performance.now() - actedAt < AFTER_ACT_MS;
        await new Promise((done) => setTimeout(done, isSoon ? SOON_MS : LOOK_MS));
      }
    },
    act: (acts) =>
      inTurn(async (one) => {
        const made: string[] = [];
        actedAt = performance.now();
        for (const act of acts) {
          const char = await one.act(act);
          if (char !== null) made.push(char);
        }
        actedAt = performance.now();
        return made;
      }),
    release: () => inTurn(async (one) => one.release()),
    settle: ({ atMostMs }) =>
      inTurn(async () => {
        await hands.answered(atMostMs);
        await screenAtRest(hands, { width, height }, { ...SETTLED, atMostMs });
      }),
  };
}

async function frameOf(
  screen: LiveScreen,
  rect: Rect | null,
  { n, exact }: { n: number; exact: boolean },
): Promise<Uint8Array> {
  const { width, height } = screen;
  const head = { n, width, height, rect, pointer: screen.pointer() };
  if (!rect) return framed(head, new Uint8Array());
  const image = screen.cut(rect);
  if (rect.width * rect.height <= MOST_PLAIN) return framed({ ...head, plain: true }, image.rgb);
  const picture = sharp(image.rgb, { raw: { width: image.width, height: image.height, channels: 3 } });
  const bytes = exact
    ? await picture.png({ compressionLevel: 1, adaptiveFiltering: false }).toBuffer()
    : await picture.jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer();
  return framed(head, bytes);
}

process.on('SIGTERM', () => process.exit(1));

const opened = open();
opened.catch(() => undefined); // Told at each call.

serveCalls({
  next: async (asked) => (await opened).next(asked),
  act: async (acts) => (await opened).act(acts),
  release: async () => (await opened).release(null),
  settle: async (asked) => (await opened).settle(asked),
} satisfies LiveStageCalls);
