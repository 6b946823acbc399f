import type { Mask } from '../store/mask.ts';
import type { Workspace } from '../store/workspace.ts';

type TaskTools = { signal: AbortSignal; report(share: number, message: string): void };
/** Input and output cross threads: plain data. */
export type BackgroundTask<I, O> = (workspace: Workspace, input: I, tools: TaskTools) => Promise<O>;

/** `mask`: of whom it is made for; left out, of nobody. */
export type MadeFor = { mask?: Mask | undefined };
