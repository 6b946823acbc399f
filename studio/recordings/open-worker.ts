import { parentPort } from 'node:worker_threads';
import { type ErrorBody, errorBody } from '../../schemas/errors.ts';
import { derivedText, type KeptText } from './derived.ts';

/** A thread that derives recordings' steps and frames, so that a long one keeps nobody else waiting. */

export type OpenJob = { n: number; folder: string; key: string };
/** The derived file as JSON, which crosses threads faster than the objects. */
export type OpenReport = { n: number; text: KeptText } | { n: number; error: ErrorBody };

parentPort?.on('message', ({ n, folder, key }: OpenJob) => {
  parentPort?.postMessage(report(n, folder, key));
});

function report(n: number, folder: string, key: string): OpenReport {
  try {
    return { n, text: derivedText(folder, key) };
  } catch (error) {
    return { n, error: errorBody(error) };
  }
}
