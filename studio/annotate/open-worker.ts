import { parentPort } from 'node:worker_threads';
import { type ErrorBody, errorBody } from '../../schemas/errors.ts';
import { openFolder } from './opened.ts';

/** A thread that derives recordings' steps and frames, so that a long one keeps nobody else waiting. */

export type OpenRequest = { n: number; folder: string; key: string };
/** `text`: the `Opened` as JSON, which crosses threads faster than the objects. */
export type OpenReport = { n: number; text: string } | { n: number; error: ErrorBody };

parentPort?.on('message', ({ n, folder, key }: OpenRequest) => {
  parentPort?.postMessage(report(n, folder, key));
});

function report(n: number, folder: string, key: string): OpenReport {
  try {
    return { n, text: JSON.stringify(openFolder(folder, key)) };
  } catch (error) {
    return { n, error: errorBody(error) };
  }
}
