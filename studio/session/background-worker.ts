import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorBody, errorBody, StudioError } from '../../schemas/errors.ts';
import { whileBusy } from '../store/patience.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { TASKS, type TaskName } from './background-tasks.ts';

/** A thread that works on one workspace for background.ts: what is asked for by `begin` runs until it ends or `stop` comes. */

export type Order =
  | { type: 'begin'; n: number; task: TaskName; input: unknown }
  | { type: 'stop'; n: number }
  | { type: 'end' };
export type WorkerReport =
  | { type: 'progress'; n: number; share: number; message: string }
  | { type: 'done'; n: number; value: unknown }
  | { type: 'failed'; n: number; error: ErrorBody };

/** Progress is told at most this often, ms. */
const REPORT_MS = 100;

// background.ts gives it in this form.
const { dir } = workerData as { dir: string };
const running = new Map<number, AbortController>();
let workspace: Promise<Workspace> | null = null;

const tell = (report: WorkerReport): void => parentPort?.postMessage(report);

parentPort?.on('message', (order: Order) => {
  if (order.type === 'begin') void run(order);
  else if (order.type === 'stop') running.get(order.n)?.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
  else void end();
});

async function run({ n, task, input }: Extract<Order, { type: 'begin' }>): Promise<void> {
  const control = new AbortController();
  running.set(n, control);
  let told = Number.NEGATIVE_INFINITY;
  const report = (share: number, message: string): void => {
    if (performance.now() - told < REPORT_MS) return;
    told = performance.now();
    tell({ type: 'progress', n, share, message });
  };
  try {
    workspace ??= whileBusy(() => openWorkspace(dir, { create: false, busyMs: 0 }));
    workspace.catch(() => {
      workspace = null;
    });
    // The input is that task's own: background.ts sends none else.
    const value = await TASKS[task](await workspace, input as never, { signal: control.signal, report });
    const done: WorkerReport = { type: 'done', n, value };
    // Bytes go over as they are; anything else is copied.
    parentPort?.postMessage(done, value instanceof Uint8Array ? [value.buffer] : []);
  } catch (error) {
    tell({ type: 'failed', n, error: errorBody(error) });
  } finally {
    running.delete(n);
  }
}

async function end(): Promise<void> {
  const open = await workspace?.catch(() => null);
  open?.close();
  parentPort?.close();
}
