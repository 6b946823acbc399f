import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { lastBytesIn } from '../../files/bounded.ts';
import { stageFolder } from './home.ts';

/** Where the programs of a stage run: in a cage, or beside everything else on systems that allow none. */
export type StagePlace = {
  caged: boolean;
  /** The home's path as the programs see it. */
  home: string;
  /** Limits of the system, in words. */
  notes: readonly string[];
  /** Starts the display; resolves with its name when it answers. Throws CAPTURE_FAILED. */
  startServer(server: { env: Record<string, string>; args: readonly string[] }): Promise<string>;
  run(program: Program): StartedOnStage;
  /** Bubblewrap's process; null where there is no cage. */
  pid: number | null;
};

export type Program = {
  command: string;
  args: readonly string[];
  env: Readonly<NodeJS.ProcessEnv>;
  /** The name of its log. */
  log: string;
};

export type StartedOnStage = {
  /** How it ended, in words (`status 1`); null while it runs, or when nothing was wrong. */
  failed(): string | null;
  /** Whether it ended, well or not. */
  ended(): boolean;
};

export const START_MS = 20_000;

/** A program's log, in the stage's folder. */
export const logOf = (name: string): string => join('log', `${name.replaceAll(/[^\w.-]/g, '_')}.log`);

export function withLog<T>(id: string, name: string, work: (fd: number) => T): T {
  const fd = openSync(join(stageFolder(id), logOf(name)), 'a', 0o600);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

export const failed = (message: string): StudioError => new StudioError('CAPTURE_FAILED', message, {});
export const serverLate = (): StudioError => failed('The virtual display did not start in time.');
/** With the last that it printed, since its log goes away with its stage. */
export const serverEnded = (id: string): StudioError =>
  failed(`The virtual display (Xvfb) ended at once${lastPrinted(id, 'Xvfb')}.`);
export const cageLate = (): StudioError => failed('The cage of the stage (bubblewrap) did not answer in time.');
export const cageEnded = (id: string): StudioError =>
  failed(`The cage of the stage (bubblewrap) ended at once${lastPrinted(id, 'cage')}.`);

function lastPrinted(id: string, log: string): string {
  try {
    const lines = lastBytesIn(stageFolder(id), logOf(log), 1000).toString('utf8').split('\n');
    const last = lines.map((line) => line.trim()).findLast((line) => line !== '');
    return last === undefined ? '' : `, and printed: “${last.slice(0, 300)}”`;
  } catch {
    return ''; // It was not started, or its stage is going away.
  }
}
