import type { ErrorBody } from '../../schemas/errors.ts';
import { protocol } from './supervise.ts';

/** Between openCaller (calls.ts) and serveCalls (serve.ts). */
export type CallOrder =
  | { type: 'call'; n: number; name: string; input: unknown }
  | { type: 'stop'; n: number }
  | { type: 'leave' };
export type CallAnswer =
  | { type: 'progress'; n: number; share: number; message: string }
  | { type: 'done'; n: number; value: unknown }
  | { type: 'failed'; n: number; error: ErrorBody };

export const isOrder = protocol<CallOrder>({ call: true, stop: true, leave: true });
export const isAnswer = protocol<CallAnswer>({ progress: true, done: true, failed: true });

/** What a call gets beside its input. Progress is told now and then, however often it is reported. */
export type CallContext = { signal: AbortSignal; report(share: number, message: string): void };

/** The functions that a process or thread offers, by name. */
// biome-ignore lint/suspicious/noExplicitAny: any function of one input is one; `Caller` has the types of each.
export type Calls = Record<string, (input: any, context: CallContext) => unknown>;
