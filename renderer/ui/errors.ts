import { tr } from '../language/tr.ts';

/** An error as the page shows it: a stable code of schemas/errors.ts (or OFFLINE), and what happened and what to do. */
type PageError = { code: string; message: string };

/** The studio did not answer at all: not one of its own codes. */
export const OFFLINE = 'OFFLINE';
const OFFLINE_MESSAGE = tr('The studio does not answer. It may have been stopped; start it again with npm start.');

/**
 * Any thrown value as `{code, message}`: what the API sent, a failed fetch (OFFLINE), or a defect of the page (INTERNAL).
 * Never throws.
 */
export function toError(error: unknown): PageError {
  if (error instanceof TypeError && isNetworkFailure(error.message)) return { code: OFFLINE, message: OFFLINE_MESSAGE };
  const found = codeAndMessage(error);
  if (found) return found;
  if (error instanceof Error) return { code: 'INTERNAL', message: error.message || error.name };
  return { code: 'INTERNAL', message: String(error) };
}

/** True for a request that the page itself gave up: not an error to show. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The words of Chromium, Firefox and Safari for a request that never reached a server. */
function isNetworkFailure(message: string): boolean {
  return /failed to fetch|networkerror|load failed|network error|terminated/i.test(message);
}

function codeAndMessage(error: unknown): PageError | null {
  if (typeof error !== 'object' || error === null) return null;
  if (!('code' in error && 'message' in error)) return null;
  const { code, message } = error;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  // The studio's own code travels in `data` when the transport adds its own.
  const data = 'data' in error ? codeAndMessage(error.data) : null;
  return data ?? { code, message };
}
