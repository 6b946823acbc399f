import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { combine, type Found, looksAtScreen } from '../../../core/play/checks.ts';
import { endingInWords } from '../../../native/process/ending.ts';
import { startProcess } from '../../../native/process/start-process.ts';
import { protocol } from '../../../native/process/supervise.ts';
import type { Check, CheckReport, CheckResult, Checks } from '../../../schemas/checks.ts';
import type { CheckPlace } from './read.ts';

/** The order of the process that looks, and its messages: a result for each check, in their order. */
export type CheckOrder = { type: 'look'; checks: Check[]; place: CheckPlace; live: boolean };
/** First that it has started. `found`: what there is, apart from what is wanted. */
export type FromChecker = { type: 'started' } | { type: 'result'; result: CheckResult; found: Found };

/** How long one check may take, and how much memory may be used for it, MB. */
const CHECK_MS = 20_000;
/** The same for a text that is read on the screen: its reader starts first. */
const READ_MS = 90_000;
/** How long the process that looks may take to start, ms: no check's time, however busy the machine is. */
const START_MS = 60_000;
const MOST_MEMORY_MB = 768;

/**
 * Looks at an outcome by the checks of a task. `env` has the display to look at, null where there is none. A check that takes
 * too long or ends the process that looks has the score 0 and says so; the others go on. Rejects only by `signal`.
 */
export async function evaluateChecks(
  checks: Checks,
  place: CheckPlace,
  env: NodeJS.ProcessEnv | null,
  { signal, checkMs = CHECK_MS }: { signal?: AbortSignal; checkMs?: number } = {},
): Promise<CheckReport> {
  const results: CheckResult[] = [];
  while (results.length < checks.checks.length) {
    signal?.throwIfAborted();
    const left = checks.checks.slice(results.length);
    const why = await lookOnce(
      { type: 'look', checks: left, place, live: env !== null },
      env ?? process.env,
      checkMs,
      (result) => results.push(result),
    );
    const check = checks.checks[results.length];
    if (check && why !== null) results.push({ id: check.id, score: 0, why, screen: looksAtScreen(check), able: false });
  }
  return combine(checks, results);
}

/** Everything that one check can look at, whether it passes or not; looked at as by `evaluateChecks`. */
export async function lookFor(check: Check, place: CheckPlace, env: NodeJS.ProcessEnv | null): Promise<Found> {
  let seen: Found | null = null;
  const order: CheckOrder = { type: 'look', checks: [check], place, live: env !== null };
  const why = await lookOnce(order, env ?? process.env, CHECK_MS, (_, found) => {
    seen = found;
  });
  return seen ?? { of: 'none', why: why ?? 'it could not be looked at' };
}

/** Resolves with null after the last check, or with why the next one got no result. */
async function lookOnce(
  order: CheckOrder,
  env: NodeJS.ProcessEnv,
  checkMs: number,
  onResult: (result: CheckResult, found: Found) => void,
): Promise<string | null> {
  // Its temporary files are in a folder that is removed after it, since it may be killed with some open.
  const scratch = mkdtempSync(join(tmpdir(), 'trajectory-studio-check-'));
  let hasStarted = false;
  let done = 0;
  const limit = (): number => {
    if (!hasStarted) return START_MS;
    return order.checks[done]?.kind === 'shown' ? Math.max(checkMs, READ_MS) : checkMs;
  };
  try {
    const child = startProcess<CheckOrder, FromChecker>(new URL('./checks-main.ts', import.meta.url), {
      env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch },
      memoryMb: MOST_MEMORY_MB,
      accepts: protocol<FromChecker>({ started: true, result: true }),
      silentMs: limit,
      onMessage(message) {
        hasStarted = true;
        if (message.type === 'started') return;
        onResult(message.result, message.found);
        done++;
        if (done === order.checks.length) void child.kill();
      },
    });
    child.send(order);
    const ending = await child.ended;
    if (done === order.checks.length) return null;
    if (ending.why === 'unstarted') return `the process that looks cannot be started: ${endingInWords(ending)}`;
    if (ending.why !== 'silent') return `looking at it ended the process that looked (status ${ending.status})`;
    return hasStarted
      ? `looking at it took longer than ${limit() / 1000} s, so it was ended`
      : `the process that looks did not start within ${START_MS / 1000} s`;
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
