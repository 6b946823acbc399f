import { serveCalls } from '../../native/process/serve.ts';
import { derivedText, type KeptText } from './derived.ts';

/** A thread that derives recordings' steps and frames, so that a long one keeps nobody else waiting. */
const calls = {
  /** The derived file as JSON, which crosses threads faster than the objects. */
  open: ({ folder, key }: { folder: string; key: string }): KeptText => derivedText(folder, key),
};
export type OpenCalls = typeof calls;
serveCalls(calls);
