import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from './log.ts';
import type { Pipe } from './pipe.ts';

/** How the studio process is started: Electron in Node mode or Node itself, and what it runs. */
export type StudioProgram = {
  command: string;
  args: readonly string[];
  /** Further words for `serve`. */
  flags: readonly string[];
  env: NodeJS.ProcessEnv;
};

type StudioProcess = {
  /** Where it listens, once it does; waits while it is started again. Rejects when it was given up or stopped. */
  pipe(): Promise<Pipe>;
  /** Where a capture process takes pictures of the screen while it records; null where it takes them itself. */
  screen: Pipe | null;
  /** Its process id; null while there is none. */
  pid(): number | null;
  /** Starts it again after it was given up. */
  retry(): void;
  /** Ends it: it closes a running recording first, which may take a while. */
  stop(): Promise<void>;
};

type StudioProcessOptions = {
  program: StudioProgram;
  platform: string;
  /** A Wayland session: the host shares the screen. */
  wayland: boolean;
  log: Log;
  /** It answers: at the start, and each time that it was started again. */
  onReady(pipe: Pipe): void;
  /** It ended again and again; `why` are its own last words. */
  onGivenUp(why: string): void;
};

/** Pauses before it is started again, ms. */
const PAUSES = [200, 1000, 3000];
/** After this long it counts as sound again, ms. */
const SOUND_MS = 60_000;
/** Closing a recording (keyframes, playback copy) has no bound of its own; who quits waits no longer than this, ms. */
const CLOSING_MS = 180_000;
const LAST_WORDS = 2000;

/** Starts the studio process and keeps it running. No TCP port is opened: it listens where only this user can reach. */
export function startStudio(options: StudioProcessOptions): StudioProcess {
  const { program, platform, wayland, log, onReady, onGivenUp } = options;
  const token = randomBytes(32).toString('base64url');
  const folder = platform === 'win32' ? null : mkdtempSync(join(process.env.XDG_RUNTIME_DIR || tmpdir(), 'studio-'));
  const path =
    folder === null ? `\\\\.\\pipe\\trajectory-studio-${randomBytes(16).toString('hex')}` : join(folder, 's');
  // A secret of its own: the capture process has no business with the studio's.
  const screen =
    wayland && folder !== null ? { path: join(folder, 'p'), token: randomBytes(32).toString('base64url') } : null;
  let child: ChildProcess | null = null;
  let answers = Promise.withResolvers<Pipe>();
  answers.promise.catch(() => undefined);
  let failures = 0;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    const sharing = screen ? { TRAJECTORY_STUDIO_SCREEN: `${screen.token} ${screen.path}` } : {};
    const env = { ...program.env, TRAJECTORY_STUDIO_TOKEN: token, ...sharing };
    const started = spawn(program.command, [...program.args, 'serve', '--pipe', path, '--json', ...program.flags], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    child = started;
    let said = '';
    let words = '';
    let ready: number | null = null;
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (ready !== null || !said.includes('\n')) return;
      ready = performance.now();
      const pipe = { path, token };
      answers.resolve(pipe);
      log.write(`studio: ready, process ${started.pid}`);
      onReady(pipe);
    });
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-LAST_WORDS);
      log.write(`studio: ${text}`);
    });
    // The end of the process tells; a pipe that breaks before is no news.
    started.stdin.on('error', () => undefined);
    started.once('error', (error) => {
      words += error.message;
    });
    started.once('close', (status, signal) => {
      if (child === started) child = null;
      if (stopping) return;
      log.write(`studio: ended with ${signal ?? `status ${status}`}`);
      if (ready !== null) {
        answers = Promise.withResolvers<Pipe>();
        answers.promise.catch(() => undefined);
        if (performance.now() - ready > SOUND_MS) failures = 0;
      }
      const pause = PAUSES[failures++];
      if (pause !== undefined) {
        timer = setTimeout(begin, pause);
        return;
      }
      const why = words.trim() || `it ended with ${signal ?? `status ${status}`}`;
      answers.reject(new Error(why));
      onGivenUp(why);
    });
  }

  begin();
  return {
    pipe: () => answers.promise,
    screen,
    pid: () => child?.pid ?? null,
    retry() {
      if (child || stopping) return;
      failures = 0;
      answers = Promise.withResolvers<Pipe>();
      answers.promise.catch(() => undefined);
      begin();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      answers.reject(new Error('the studio was stopped'));
      await end(child);
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The end of its input asks it to close; what does not end is ended. */
async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS);
  await ended;
  clearTimeout(timer);
}
