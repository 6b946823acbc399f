import { ERROR_EXIT, isPassing } from '../../schemas/errors.ts';
import { tr } from '../language/tr.ts';

/**
 * The ways to go on when the server did not take a gesture.
 * - `retry`: it was not reached, or it cannot write just now: the gesture waits and is sent again under the same id.
 * - `conflict`: somebody else changed the same thing first.
 * - `refused`: it will never be taken: its own content is not allowed.
 * - `defect`: it failed for another reason than itself (a defect, a recording that cannot be read): tried a few times more,
 *   then it is kept, shown, and the person says what becomes of it.
 */
export type Refusal = { what: 'retry' | 'conflict' | 'refused' | 'defect'; message: string };

export const NO_ANSWER = tr('The studio does not answer.');
/** The gesture itself is at fault. */
const REFUSED = new Set<string>(['USAGE', 'UNKNOWN_STEP', 'BAD_REGION', 'UNKNOWN_TASK', 'UNKNOWN_APP', 'AMBIGUOUS_ID']);
/** Codes that oRPC itself gives to an answer that no procedure made. */
const ORPC_REFUSED = new Set(['BAD_REQUEST', 'UNPROCESSABLE_CONTENT', 'PAYLOAD_TOO_LARGE', 'METHOD_NOT_SUPPORTED']);
const ORPC_DEFECT = 'INTERNAL_SERVER_ERROR';

export function documentRefusal(error: unknown): Refusal {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === null) return { what: 'retry', message: NO_ANSWER };
  if (code === 'CONFLICT') return { what: 'conflict', message };
  if (isPassing(code)) return { what: 'retry', message };
  if (REFUSED.has(code) || ORPC_REFUSED.has(code)) return { what: 'refused', message };
  if (code in ERROR_EXIT || code === ORPC_DEFECT) return { what: 'defect', message };
  return { what: 'retry', message: NO_ANSWER };
}

/** A gesture or an act that failed again and again for another reason than itself. It waits at the head of its queue. */
export type Stuck = { id: string; label: string; message: string };

/** Tries in a row that fail inside the studio before the person is asked. */
export const DEFECT_TRIES = 3;

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  // oRPC puts what a procedure threw into `data`; the outer code then only repeats the HTTP status.
  if ('data' in error) {
    const inner = codeOf(error.data);
    if (inner !== null) return inner;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
