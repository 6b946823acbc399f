import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, xKeycodeToCode } from '../input/keys.ts';
import { type HookKey, keyMatcher } from './match-keys.ts';
import { openRawKeys, type RawKey, type RawKeys } from './raw-keys.ts';
import { startXvfb, type TestServer } from './xvfb-for-tests.ts';

/** uiohook in a process of its own: it keeps one display for good. Prints one JSON line a key. */
const HOOK = `
const { uIOhook } = require(process.argv[1]);
for (const type of ['keydown', 'keyup'])
  uIOhook.on(type, (e) => console.log(JSON.stringify({ time: e.time, down: type === 'keydown', keycode: e.keycode })));
uIOhook.start();
console.log('ready');
process.stdin.on('end', () => process.exit(0)).resume();
`;

let server: TestServer;
let hook: ChildProcess;
let raw: RawKeys;
const hooked: HookKey[] = [];
let wake: () => void = () => {};

beforeAll(async () => {
  server = await startXvfb();
  server.run('setxkbmap', '-layout', 'de');
  const uiohook = createRequire(import.meta.url).resolve('uiohook-napi');
  hook = spawn(process.execPath, ['-e', HOOK, uiohook], { env: server.env, stdio: ['pipe', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) => {
    createInterface({ input: hook.stdout! }).on('line', (line) => {
      if (line === 'ready') resolve();
      else hooked.push(JSON.parse(line));
      wake();
    });
  });
  raw = openRawKeys(server.name)!;
  // The hook says ready before its XRecord context is: send a harmless key until one comes through.
  while (hooked.length === 0) {
    server.run('xdotool', 'key', 'F13');
    await heard(1, 300);
  }
  await heard(99, 200);
  raw.drain();
});
afterAll(async () => {
  raw.close();
  hook.stdin?.end();
  await server.close();
});

/** Resolves when `count` hook events have come, or after `ms`. */
function heard(count: number, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      wake = () => {};
      resolve();
    };
    const timer = setTimeout(done, ms);
    wake = () => {
      if (hooked.length >= count) done();
    };
    wake();
  });
}

/** The raw keys up to those behind what was hooked: the raw stream is another one, and its last key may come later. */
async function rawKeys(): Promise<RawKey[]> {
  const keys: RawKey[] = [];
  const missing = (): unknown[] => {
    keys.push(...raw.drain());
    return hooked.filter((event) => !keys.some(isBehind(event)));
  };
  await expect.poll(missing, { timeout: 5000 }).toEqual([]);
  return keys;
}

/** The hook's time is when XRecord wrote it down: on a busy machine some ms after the key. */
const isBehind = (event: HookKey) => (key: RawKey) =>
  key.down === event.down && event.time >= key.time && event.time - key.time < 100;

test('< on a German keyboard: uiohook says 0, the raw key behind it says IntlBackslash', async () => {
  hooked.length = 0;
  server.run('xdotool', 'key', 'less');
  await heard(2, 3000);
  const keys = await rawKeys();
  expect(hooked.map(({ down, keycode }) => [down, keycode])).toEqual([
    [true, 0],
    [false, 0],
  ]);
  for (const event of hooked) {
    const key = keys.find(isBehind(event));
    expect(xKeycodeToCode(key?.keycode ?? 0)).toBe('IntlBackslash');
    // xdotool is a program (I4).
    expect(key?.xtest).toBe(true);
  }
});

test('every key of a shifted word is matched, each to the key that uiohook names', async () => {
  hooked.length = 0;
  server.run('xdotool', 'type', '--delay', '5', 'Aa>b');
  await heard(12, 5000);
  const matcher = keyMatcher();
  matcher.add(await rawKeys());
  const codes = hooked
    .filter(({ down }) => down)
    .map((event) => {
      const match = matcher.match(event);
      return [xKeycodeToCode(match?.xKeycode ?? 0), codeOf(event.keycode)];
    });
  expect(codes).toEqual([
    ['ShiftLeft', 'ShiftLeft'],
    ['KeyA', 'KeyA'],
    ['KeyA', 'KeyA'],
    ['ShiftLeft', 'ShiftLeft'],
    ['IntlBackslash', null],
    ['KeyB', 'KeyB'],
  ]);
});

test('a key held down repeats in uiohook only, and the matcher says so', async () => {
  hooked.length = 0;
  server.run('xset', 'r', 'rate', '200', '25');
  server.run('xdotool', 'keydown', 'a');
  await heard(4, 3000);
  server.run('xdotool', 'keyup', 'a');
  await heard(99, 200);
  const matcher = keyMatcher();
  matcher.add(raw.drain());
  const repeats = hooked.filter(({ down }) => down).map((event) => matcher.match(event)?.repeat);
  expect(repeats[0]).toBe(false);
  expect(repeats.length).toBeGreaterThanOrEqual(4);
  expect(repeats.slice(1)).toEqual(repeats.slice(1).map(() => true));
});

test('a display that is not there gives null', () => {
  expect(openRawKeys(':6399')).toBeNull();
});
