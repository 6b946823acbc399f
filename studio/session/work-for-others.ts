import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../native/log/log.ts';
import { errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import { whileBusy } from '../store/patience.ts';
import { openPlace } from '../store/place.ts';
import type { Claimed, WorkQueue } from '../store/work.ts';
import { type Background, openBackground } from './background.ts';
import type { TaskName } from './background-tasks.ts';
import { WORKED_TASKS } from './background-with-workers.ts';

/** Between two questions for work while there is none, ms. */
const IDLE_MS = 500;
/** How often it is said that a piece is still worked on, ms; after five times as long without it another takes it. */
const BEAT_MS = 3000;
const LEASE_MS = 15_000;
/** After a database that did not answer, ms. */
const AGAIN_MS = 1000;

type Worker = {
  signal: AbortSignal;
  /** A piece is begun, or over. */
  told(text: string): void;
};

/**
 * Does the work of servers on this workspace, one piece after another, until `signal`; what it is at then is given back. Throws
 * what openPlace throws, USAGE for a workspace that is not in PostgreSQL, OUTDATED once a newer program has changed the database.
 */
export async function workForOthers(dir: string, { signal, told }: Worker): Promise<void> {
  const workspace = await whileBusy(() => openPlace(dir, { create: false, busyMs: 0 }));
  const { work } = workspace;
  const background = openBackground(workspace.dir);
  try {
    if (work === null) {
      throw new StudioError(
        'USAGE',
        `${dir} has its database in its folder, and one process works on it: the studio itself. Workers need one in PostgreSQL (docs/postgresql.md).`,
        { dir },
      );
    }
    const worker = `${process.pid}-${randomUUID()}`;
    while (!signal.aborted) {
      const piece = await work.claim(worker, WORKED_TASKS).catch((error: unknown) => {
        const { code } = errorBody(error);
        if (!isPassing(code) || code === 'OUTDATED') throw error;
        log.warn('no work taken', { error });
        return undefined;
      });
      if (piece) await doPiece({ work, worker, background, signal, told }, piece);
      else await sleep(piece === null ? IDLE_MS : AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    await work.leave(worker).catch(() => undefined);
  } finally {
    await background.close();
    workspace.close();
  }
}

type At = Worker & { work: WorkQueue; worker: string; background: Background };

async function doPiece({ work, worker, background, signal, told }: At, piece: Claimed): Promise<void> {
  const { task, attempt } = piece;
  const facts = { name: task, job: piece.id, attempt };
  const control = new AbortController();
  const at: { share: number; message: string | null } = { share: 0, message: null };
  let heard = performance.now();
  let [isLost, isOutdated] = [false, false];
  const beat = setInterval(() => {
    work.beat(worker, piece, at).then(
      (fate) => {
        heard = performance.now();
        isLost ||= fate === 'lost';
        if (fate !== 'go on') control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
      },
      (error: unknown) => {
        log.warn('work not told', { ...facts, error });
        if (errorBody(error).code === 'OUTDATED') isOutdated = true;
        // By now another has it.
        if (isOutdated || performance.now() - heard > LEASE_MS)
          control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
      },
    );
  }, BEAT_MS);
  log.info('work began', facts);
  told(`${task}, attempt ${attempt}`);
  const over = (outcome: Parameters<WorkQueue['end']>[2]): Promise<boolean> =>
    untilTold(() => work.end(worker, piece, outcome));
  try {
    const result = await background.run(task as TaskName, piece.input as never, {
      alone: true,
      signal: AbortSignal.any([control.signal, signal]),
      report(share, message) {
        at.share = share;
        at.message = message;
      },
    });
    const counts = await over({ result });
    log.info('work ended', { ...facts, why: counts ? 'done' : 'lost' });
    told(counts ? `${task}: done` : `${task}: another worker had it by then`);
  } catch (error) {
    const body = errorBody(error);
    log.warn('work ended', { ...facts, code: body.code, error });
    told(`${task}: ${body.message}`);
    if (isLost) return;
    // A worker of the newer version takes it at once.
    if (isOutdated || body.code === 'OUTDATED' || (signal.aborted && !control.signal.aborted))
      await work.giveBack(worker, piece).catch(() => undefined);
    else await over({ error: body, again: !control.signal.aborted && isPassing(body.code) }).catch(() => undefined);
  } finally {
    clearInterval(beat);
  }
}

/** How a piece ended is said for as long as it may still count. */
async function untilTold<T>(tell: () => Promise<T>): Promise<T> {
  const until = performance.now() + 4 * LEASE_MS;
  for (;;) {
    try {
      return await tell();
    } catch (error) {
      const { code } = errorBody(error);
      if (!isPassing(code) || code === 'OUTDATED' || performance.now() > until) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
