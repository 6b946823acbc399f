import { workerData } from 'node:worker_threads';
import type { CallContext } from '../../native/process/call-protocol.ts';
import { serveCalls } from '../../native/process/serve.ts';
import { whileBusy } from '../store/patience.ts';
import { openPlace } from '../store/place.ts';
import type { Workspace } from '../store/workspace.ts';
import { TASKS, type TaskName } from './background-tasks.ts';

/** A thread that works on one workspace for background.ts. It closes the database itself, when it is let go. */

// background.ts gives it in this form.
const { dir } = workerData as { dir: string };
let workspace: Promise<Workspace> | null = null;

const calls = {
  async run({ task, input }: { task: TaskName; input: unknown }, context: CallContext): Promise<unknown> {
    const loading = TASKS[task]();
    // A fault of its code comes below; until then nobody hears it.
    loading.catch(() => undefined);
    workspace ??= whileBusy(() => openPlace(dir, { create: false, busyMs: 0 }));
    workspace.catch(() => {
      workspace = null;
    });
    const open = await workspace;
    const work = await loading;
    // The input is that task's own: background.ts sends none else.
    return work(open, input as never, context);
  },
  /** Loads the code of a task that is asked for next. */
  async prepare({ task }: { task: TaskName }): Promise<void> {
    await TASKS[task]();
  },
};
export type BackgroundCalls = typeof calls;
serveCalls(calls, async () => {
  const open = await workspace?.catch(() => null);
  open?.close();
});
