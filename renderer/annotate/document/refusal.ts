import { ERROR_EXIT } from '../../../schemas/errors.ts';

/**
 * What to do when the server did not take a gesture.
 * - `retry`: it was not reached, or it cannot write just now: the gesture waits and is sent again under the same id.
 * - `conflict`: somebody else changed the same thing first.
 * - `refused`: it will never be taken.
 * - `defect`: it failed inside; tried a few times more, then told.
 */
type Refusal = { what: 'retry' | 'conflict' | 'refused' | 'defect'; message: string };

/** Lasting while the cause stands, and no fault of the gesture. */
const WAIT = new Set<string>([
  'WORKSPACE_BUSY',
  'WORKSPACE_UNWRITABLE',
  'DISK_FULL',
  'FORBIDDEN',
  'UNKNOWN_WORKSPACE',
  'CANCELLED',
]);
/** Codes that oRPC itself gives to an answer that no procedure made. */
const ORPC_REFUSED = new Set(['BAD_REQUEST', 'UNPROCESSABLE_CONTENT', 'PAYLOAD_TOO_LARGE', 'METHOD_NOT_SUPPORTED']);
const ORPC_DEFECT = new Set(['INTERNAL', 'INTERNAL_SERVER_ERROR']);

export function refusalOf(error: unknown): Refusal {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'CONFLICT') return { what: 'conflict', message };
  if (code !== null && ORPC_DEFECT.has(code)) return { what: 'defect', message };
  if (code !== null && WAIT.has(code)) return { what: 'retry', message };
  if (code !== null && (code in ERROR_EXIT || ORPC_REFUSED.has(code))) return { what: 'refused', message };
  return { what: 'retry', message: 'The studio does not answer.' };
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  // oRPC puts what a procedure threw into `data`; the outer code then only repeats the HTTP status.
  if ('data' in error) {
    const inner = codeOf(error.data);
    if (inner !== null) return inner;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
