import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ERROR_EXIT, type ErrorBody, type ErrorCode } from '../../schemas/errors.ts';
import { runHere } from '../../studio/cli/run-for-tests.ts';
import type { VirtualDisplay } from './display.ts';
import { descendants, type Exit, mustNotWarn, type Ran, run, type Started } from './process.ts';
import { findRecordings, readEvents, readFrames } from './recordings.ts';
import { until } from './until.ts';

/** The studio as a user has it: its command line. */

const ROOT = path.join(import.meta.dirname, '..', '..');
const VERSION: string = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version;
export const CLI = path.join(ROOT, 'studio', 'cli', 'main.ts');

export type Said = Ran & {
  /** The last line of stdout that is JSON; null when there is none. */
  json: unknown;
  /** The error that it ended with; null when it ended well. */
  error: Pick<ErrorBody, 'code' | 'message'> | null;
};

type Where = { env?: NodeJS.ProcessEnv; timeoutMs?: number };

/**
 * Runs one command to its end: with an environment in a process of its own, otherwise in this one, which is as true (main.ts
 * only hands over the words) and saves the start of a process that loads the whole studio.
 */
export async function studio(args: readonly string[], { env, timeoutMs = 180_000 }: Where = {}): Promise<Said> {
  return said(
    env
      ? await run(process.execPath, [CLI, ...args], { env, timeoutMs })
      : { ...(await runHere(args, VERSION)), signal: null },
  );
}

/** Like `studio`, but throws with the command's own words unless it ended well. */
export async function studioMust(args: readonly string[], where: Where = {}): Promise<Said> {
  const result = await studio(args, where);
  if (result.status !== 0) {
    throw new Error(
      `studio ${args.join(' ')} ended with ${result.status ?? result.signal}: ${result.stderr || result.stdout}`,
    );
  }
  return result;
}

function said(ran: Ran): Said {
  const lines = [...jsonLines(ran.stdout), ...jsonLines(ran.stderr)];
  return { ...ran, json: jsonLines(ran.stdout).at(-1) ?? null, error: ran.status === 0 ? null : errorIn(lines, ran) };
}

function jsonLines(text: string): unknown[] {
  const whole = parse(text.trim());
  return whole === undefined
    ? text
        .split('\n')
        .map(parse)
        .filter((value) => value !== undefined)
    : [whole];
}

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error's body as JSON (bare or under `error`), or its code at the start of a line for people. */
function errorIn(lines: unknown[], ran: Ran): Said['error'] {
  for (const line of lines) {
    const body = field(line, 'error') ?? line;
    const code = field(body, 'code');
    if (typeof code === 'string' && code in ERROR_EXIT) {
      // Just checked to be one of the codes.
      return { code: code as ErrorCode, message: String(field(body, 'message') ?? '') };
    }
  }
  const word = ran.stderr.match(/\b[A-Z][A-Z_]{3,}\b/g)?.find((found) => found in ERROR_EXIT);
  return word ? { code: word as ErrorCode, message: ran.stderr.trim() } : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** A new path for a workspace that does not exist yet; `remove` deletes whatever became of it. */
export type NewWorkspace = { path: string; remove(): void };

export function newWorkspace(): NewWorkspace {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-e2e-'));
  return {
    path: path.join(parent, 'workspace'),
    remove: () => fs.rmSync(parent, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The one line of `record --json` (issue: what a user can do). */
export type RecordLine = {
  recording: string;
  folder: string;
  verdict: unknown;
  frames: number;
  dropped: number;
  events: number;
  sync: unknown;
  /** The playback copy that is still being made, and by which process. */
  playback: { pid: number } | null;
  /** What the task's checks say, where it was recorded on a stage. */
  checks?: { passed: boolean; checks: { id: string; why: string }[] } | null;
};

export type Recorder = {
  started: Started;
  /** The recording's folder, once there. */
  folder: string;
  /** Sends a signal (default SIGINT, as Ctrl+C does) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ exit: Exit; line: RecordLine }>;
  /** Waits for an end that comes by itself. */
  ended(timeoutMs?: number): Promise<{ exit: Exit; line: RecordLine | null }>;
};

export type RecordOptions = {
  workspace: string;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  playback?: boolean;
  /**
   * Checks the clock at the begin and the end, as every recording does unless a user says otherwise. A test that does not look
   * at it is seconds shorter without.
   */
  syncCheck?: boolean;
  /** Starts it as a user does, `npm run studio -- record`, from this tree of the project. */
  tree?: string;
};

/**
 * Starts `record` on a display and resolves when what the person does from now on is recorded: the first frame is written
 * and the sync check at the start is over.
 */
export async function startRecorder(
  display: Pick<VirtualDisplay, 'launch'>,
  options: RecordOptions,
): Promise<Recorder> {
  const known = new Set(findRecordings(options.workspace));
  const { syncCheck = false, args = [] } = options;
  const started = await launchRecord(display, { ...options, args: syncCheck ? args : [...args, '--no-sync-check'] });
  const folder = await until(
    'the recording to begin',
    () => {
      if (started.exit()) throw new Error(`record ended at once: ${started.stderr()}${started.stdout()}`);
      const found = findRecordings(options.workspace).find((name) => !known.has(name));
      return found && begun(found) && found;
    },
    { timeoutMs: 60_000, seen: () => started.stderr() },
  );
  const ended = async (timeoutMs = 120_000) => {
    const exit = await until('record to end', () => started.exit(), { timeoutMs, seen: started.stderr });
    // Printed by `record --json`, whose fields lifecycle.e2e.ts checks.
    return { exit, line: (jsonLines(started.stdout()).at(-1) ?? null) as RecordLine | null };
  };
  return {
    started,
    folder,
    ended,
    async stop(signal = 'SIGINT') {
      // npm hands signals on in its own way; a terminal sends Ctrl+C to all of them.
      // Below npm's own shell, which has the same words.
      const studio = options.tree ? descendants(started.pid, 'studio/cli/main.ts record').at(-1) : null;
      process.kill(studio?.pid ?? started.pid, signal);
      const { exit, line } = await ended();
      if (!line) throw new Error(`record printed no line: ${started.stderr()}`);
      mustNotWarn(started);
      return { exit, line };
    },
  };
}

/** Starts `record` without waiting for anything; the display ends it when it stops. */
export async function launchRecord(
  display: Pick<VirtualDisplay, 'launch'>,
  { workspace, args = [], env, playback = false, tree }: RecordOptions,
): Promise<Started> {
  const app = args.includes('--app') ? [] : ['--app', 'gimp', '--goal', 'Do what the script says'];
  // It is made behind the command, where it would disturb what a test looks at next.
  const copy = playback || args.includes('--no-playback') ? [] : ['--no-playback'];
  const words = ['record', '--workspace', workspace, ...app, ...copy, '--json', ...args];
  if (tree) return display.launch('npm', ['run', '--silent', '--prefix', tree, 'studio', '--', ...words], env);
  return display.launch(process.execPath, [CLI, ...words], env);
}

function begun(folder: string): boolean {
  const events = readEvents(folder, 'torn-end-allowed');
  const resumed = events.some((event) => event.type === 'resume' && event.reason === 'sync');
  return resumed && readFrames(folder, 'torn-end-allowed').length > 0;
}
