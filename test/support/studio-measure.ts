import http from 'node:http';
import type { Page } from 'playwright-core';

/** Times measured inside the page: from the moment the browser saw the key to the moment its effect was painted. */

/**
 * Presses a key and gives the ms until `ready(arg)` held in an animation frame and that frame was handed to the screen.
 * `ready` runs in the page: it sees nothing of this file.
 */
export async function keyToPaint<A>(page: Page, key: string, ready: (arg: A) => boolean, arg: A): Promise<number> {
  await page.evaluate(`globalThis.measured = (${measureInPage})('keydown', ${ready}, ${JSON.stringify(arg)}); 0`);
  await page.keyboard.press(key);
  return page.evaluate<number>('globalThis.measured');
}

/** The same for a text that is put into the field with the focus in one piece. */
export async function textToPaint<A>(page: Page, text: string, ready: (arg: A) => boolean, arg: A): Promise<number> {
  await page.evaluate(`globalThis.measured = (${measureInPage})('input', ${ready}, ${JSON.stringify(arg)}); 0`);
  await page.keyboard.insertText(text);
  return page.evaluate<number>('globalThis.measured');
}

/**
 * Goes to an address and gives the ms from there until `ready(arg)` was painted, over every page that goes on to the next by
 * itself, as the one that logs in does.
 */
export async function loadToPaint<A>(page: Page, address: string, ready: (arg: A) => boolean, arg: A): Promise<number> {
  const began = Date.now();
  await page.goto(address, { waitUntil: 'commit' });
  for (;;)
    try {
      return (await page.evaluate<number>(`(${loadInPage})(${ready}, ${JSON.stringify(arg)})`)) - began;
    } catch (error) {
      if (!/context was destroyed/.test(String(error))) throw error;
    }
}

// A function from here on is sent to the page as its source.
function measureInPage(type: string, ready: (arg: unknown) => boolean, arg: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`nothing came of it within 20 s: ${JSON.stringify(arg)}`)), 20_000);
    const begin = (event: Event) => {
      const look = () => {
        if (!ready(arg)) {
          requestAnimationFrame(look);
          return;
        }
        // A message posted in a frame arrives after that frame was painted.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - event.timeStamp);
        channel.port2.postMessage(0);
      };
      requestAnimationFrame(look);
    };
    addEventListener(type, begin, { once: true, capture: true });
  });
}

function loadInPage(ready: (arg: unknown) => boolean, arg: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the page was not there within 20 s')), 20_000);
    const look = () => {
      if (!ready(arg)) {
        requestAnimationFrame(look);
        return;
      }
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(Date.now());
      channel.port2.postMessage(0);
    };
    look();
  });
}

export type Frames = { count: number; ms: number; longest: number; perSecond: number; over20ms: number };

/** Frames that the page paints while `work` goes on. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    const store = globalThis as { frameTimes?: number[]; stopFrames?: boolean };
    store.frameTimes = times;
    store.stopFrames = false;
    const tick = (t: number) => {
      times.push(t);
      if (!store.stopFrames) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await work();
  const times = await page.evaluate(() => {
    const store = globalThis as { frameTimes?: number[]; stopFrames?: boolean };
    store.stopFrames = true;
    return store.frameTimes ?? [];
  });
  const gaps = times.slice(1).map((t, i) => t - (times[i] ?? t));
  const ms = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    count: gaps.length,
    ms,
    longest: Math.max(0, ...gaps),
    perSecond: (gaps.length * 1000) / ms,
    over20ms: gaps.filter((gap) => gap > 20).length,
  };
}

/** The value that `share` of the numbers (0 to 1) are at most. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export type PlainViewer = { address: string; close(): Promise<void> };

/**
 * A page that one would write in a minute, to compare with: a page that shows pictures one after another with `<img src>`, a
 * key for the next. `pictures` are PNG files' bytes.
 */
export async function startPlainViewer(pictures: readonly Buffer[]): Promise<PlainViewer> {
  const page = `<!doctype html><title>Plain viewer</title><style>body{margin:0}</style><img id="p" src="/0.png">
    <script>let n = 0; const p = document.getElementById('p');
    addEventListener('keydown', () => { n++; p.src = '/' + n + '.png'; });</script>`;
  const server = http.createServer((request, answer) => {
    const picture = pictures[Number(/^\/(\d+)\.png$/.exec(request.url ?? '')?.[1] ?? -1)];
    const head = { 'content-type': picture ? 'image/png' : 'text/html', 'cache-control': 'private, max-age=3600' };
    answer.writeHead(200, head).end(picture ?? page);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    address: `http://127.0.0.1:${address.port}/`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
