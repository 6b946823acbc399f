import type { Workspace } from '../store/workspace.ts';

type TaskTools = { signal: AbortSignal; report(share: number, message: string): void };
/** Input and output cross threads: plain data. */
export type BackgroundTask<I, O> = (workspace: Workspace, input: I, tools: TaskTools) => Promise<O>;
