import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Preflight, preflightSchema } from '../../../schemas/api/models.ts';

const MAIN = fileURLToPath(new URL('./preflight-main.ts', import.meta.url));
/** The longest that it may take: a display that hangs is a display that is not there. */
const WITHIN_MS = 30_000;

type PreflightOptions = {
  /** Wayland: the desktop app shares the screen. */
  shared?: boolean;
  main?: string;
  withinMs?: number;
};

/**
 * Everything there is to record, and everything that is missing; `folder` is where recordings go. Never throws, never takes
 * the studio down.
 */
export async function preflight(folder: string, options: PreflightOptions = {}): Promise<Preflight> {
  const { main = MAIN, withinMs = WITHIN_MS, shared = false } = options;
  const { promise, resolve } = Promise.withResolvers<{ stdout: string; why: string }>();
  execFile(
    process.execPath,
    [main, folder, ...(shared ? ['--shared'] : [])],
    { timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: 16e6 },
    (error, stdout, stderr) => {
      const said = stderr.trim().split('\n').at(-1) ?? '';
      const how = error?.killed
        ? `it took longer than ${withinMs / 1000} s`
        : (error?.signal ?? `status ${error?.code}`);
      resolve({ stdout, why: `${how}. ${said}`.slice(0, 300) });
    },
  );
  const { stdout, why } = await promise;
  try {
    return preflightSchema.parse(JSON.parse(stdout));
  } catch {
    const fix = 'Start the studio inside a desktop session, and see `npm run studio -- doctor`.';
    const check = { id: 'preflight', status: 'fail' as const, what: `looking at this machine failed: ${why}`, fix };
    return { status: 'fail', checks: [check], displays: [], windows: [], freeBytes: null };
  }
}
