import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawEvent } from '../../schemas/events.ts';
import { type Recorder, startRecorder } from '../support/cli.ts';
import type { Started } from '../support/process.ts';
import { readEvents } from '../support/recordings.ts';
import { sleep, until } from '../support/until.ts';
import type { WaylandSession } from './session.ts';

/** A person in a Wayland session: a native program over the whole screen, a recorder, and hands. */
export const LEFT = 0x110;
export const RIGHT = 0x111;
type Told = { type: string; [key: string]: unknown };
export type NativeWindow = { told(): Told[]; heard(type: string, count?: number): Promise<unknown> };

type Pointing = { scale?: number; recorder?: Recorder; left?: number };

export function personIn(session: WaylandSession) {
  let windows = 0;
  /** Programs of a test, ended with it. */
  const open: Started[] = [];

  /** A native program over the whole screen, and what it was told. */
  async function openWindow(): Promise<NativeWindow> {
    const log = join(session.folder, `window-${windows++}.jsonl`);
    const started = await session.launch(process.execPath, [join(import.meta.dirname, 'window.ts'), log]);
    open.push(started);
    const told = (): Told[] =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line))
        : [];
    const heard = (type: string, count = 1) =>
      until(`${count} times "${type}"`, () => told().filter((one) => one.type === type).length >= count, {
        seen: () => `${started.stderr()} ${JSON.stringify(told().slice(-3))}`,
      });
    await heard('shown');
    return { told, heard };
  }

  async function record(workspace: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Recorder> {
    const recorder = await startRecorder(session, { workspace, args, env });
    open.push(recorder.started);
    return recorder;
  }

  /**
   * Moves to (x, y), px of the display, and rests, as a hand does before it presses. `scale`: how many of them are one
   * pixel of the window's. `recorder`: the rest is as long as the compositor needs to tell the recorder of the place, which
   * without a graphics card may be long where pictures are large. `left`: where the display begins.
   */
  async function point(window: NativeWindow | null, x: number, y: number, how: Pointing = {}): Promise<void> {
    const { scale = 1, recorder, left = 0 } = how;
    const isThere = () => {
      const last = window?.told().findLast((one) => one.type === 'move' || one.type === 'enter');
      if (window && (last?.x !== x / scale || last.y !== y / scale)) return false;
      const recorded = recorder && readEvents(recorder.folder, 'torn-end-allowed').findLast((e) => e.type === 'move');
      return !recorder || (recorded?.x === left + x && recorded.y === y);
    };
    await until(`the pointer at ${x},${y}`, async () => {
      // Again: a window that has just come up may be told of a place before it lies where it stays.
      await session.act({ kind: 'place', x: x + 6, y });
      if (recorder) await sleep(500);
      await session.act({ kind: 'place', x, y });
      return until('the word of it', isThere, { timeoutMs: recorder ? 3000 : 500, everyMs: 10 }).catch(() => false);
    });
    await sleep(60);
  }

  async function click(code: number, heldMs = 30): Promise<void> {
    await session.act({ kind: 'button', code, down: true });
    await sleep(heldMs);
    await session.act({ kind: 'button', code, down: false });
  }
  async function press(...codes: number[]): Promise<void> {
    for (const code of codes) await session.act({ kind: 'key', code, down: true });
    for (const code of codes.toReversed()) await session.act({ kind: 'key', code, down: false });
  }
  /** Ends every program that was begun. */
  async function leave(): Promise<void> {
    for (const one of open.splice(0)) await one.stop();
  }
  return { openWindow, record, point, click, press, leave };
}

export const pointerEvents = (events: readonly RawEvent[]) =>
  events.flatMap((e) => (e.type === 'down' || e.type === 'up' ? [[e.type, e.button, e.x, e.y]] : []));
