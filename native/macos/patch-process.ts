import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { StudioError } from '../../schemas/errors.ts';
import type { SyncPatch } from '../platform/platform.ts';

/**
 * A sync patch (C4) painted by a small program of the OS's own. Protocol, one line each:
 * the program says `ready`; it is told `rrggbb`; it answers `painted rrggbb BEFORE AFTER` with its clock's readings around
 * the painting; end of input ends it.
 */
export type PatchProgram = {
  command: string;
  args: readonly string[];
  /** A reading of the program's clock as session µs. */
  toSession(reading: string): number;
};

const START_MS = 15_000;
const PAINT_MS = 5_000;

/** Starts the program and waits for its window. Throws SYNC_FAILED when it does not start. */
export async function openPatchProgram({ command, args, toSession }: PatchProgram): Promise<SyncPatch> {
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  let complaint = '';
  let ended = false;
  const waiting: { want: RegExp; resolve(found: RegExpExecArray): void; reject(error: Error): void }[] = [];
  const fail = (why: string): void => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(failed(command, why));
  };
  child.stdin.on('error', () => {});
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = (complaint + bytes.toString()).slice(-500);
  });
  child.once('error', (error) => fail(error.message));
  child.once('close', (code) => fail(`it ended with status ${code}. ${complaint.trim()}`));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting[0];
    const found = next?.want.exec(line);
    if (next && found) {
      waiting.shift();
      next.resolve(found);
    }
  });
  const answer = (want: RegExp, withinMs: number): Promise<RegExpExecArray> => {
    if (ended) return Promise.reject(failed(command, `it is not running. ${complaint.trim()}`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(0);
        reject(failed(command, `no answer within ${withinMs / 1000} s. ${complaint.trim()}`));
      }, withinMs);
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          act(value);
        };
      waiting.push({ want, resolve: settle(resolve), reject: settle(reject) });
    });
  };
  try {
    await answer(/^ready\b/, START_MS);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    paint: async (rgb) => {
      const hex = rgb.toString(16).padStart(6, '0');
      const painted = answer(new RegExp(`^painted ${hex} (\\S+) (\\S+)`), PAINT_MS);
      if (!ended) child.stdin.write(`${hex}\n`);
      const [, before = '', after = ''] = await painted;
      return { before: toSession(before), after: toSession(after) };
    },
    close: async () => {
      if (ended) return;
      const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
      const timer = setTimeout(() => child.kill(), PAINT_MS);
      child.stdin.end();
      await gone;
      clearTimeout(timer);
    },
  };
}

function failed(command: string, why: string): StudioError {
  return new StudioError('SYNC_FAILED', `The sync patch (${command}) cannot be shown: ${why}`, { command });
}
