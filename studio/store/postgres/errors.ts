import { type ErrorBody, type ErrorCode, StudioError } from '../../../schemas/errors.ts';
import { damaged, isDatabaseBusy, LOCKED, lockedError, sqliteCode } from '../errors.ts';

/** Errors of PostgreSQL as ours, where a person can do something about them. Codes: its manual, appendix A. */

/** Kept beside the words of an error: the connection went before anything was committed. */
const LOST = 'lost';
/** It went while a commit was under way, or a statement that changes something: whether that was done is not known. */
const UNSURE = 'unsure';

/** Two who change the same at once, a deadlock, a lock that somebody keeps: the same work passes when it is done again. */
const CLASHES = new Set(['40001', '40P01', '55P03']);
/** The server was ended, is starting, or takes nobody more; or the network says so. */
const AWAY = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);
const AWAY_WORDS =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/;
/** Rights of roles. */
const NO_RIGHTS = new Set(['42501', '25006']);
const NO_ENTRANCE = new Set(['28000', '28P01']);

export function isAway(error: unknown): boolean {
  const code = sqliteCode(error);
  return AWAY.has(code) || code.startsWith('08') || (error instanceof Error && AWAY_WORDS.test(error.message));
}

/** Of a prepared statement: its name is not known, or is taken. */
const OTHER_NAMES = new Set(['26000', '42P05']);
/** A table has another form than when a statement was prepared; PostgreSQL has no code for it alone. */
const OTHER_PLAN = /cached plan must not change result type/;

/** What was prepared by this connection holds no more: by its `name`, or its `plan`. On another one the same passes. */
export function isForgotten(error: unknown): 'name' | 'plan' | null {
  if (OTHER_NAMES.has(sqliteCode(error))) return 'name';
  return error instanceof Error && OTHER_PLAN.test(error.message) ? 'plan' : null;
}

/** Whether the whole of it may be done again: nothing of it was kept. */
export const mayDoAgain = (error: unknown): boolean =>
  isDatabaseBusy(error) || (error instanceof StudioError && error.details.reason === LOST);

/** What failed only since the database did not answer, or others kept it locked, for longer than it is waited for. */
export const isDatabaseAway = ({ code, details }: ErrorBody): boolean =>
  code === 'WORKSPACE_BUSY' && [LOCKED, LOST, UNSURE].some((reason) => reason === details.reason);

/** `committing`: what was asked for may have been done although the answer did not come. */
export function postgresError(error: unknown, where: string, { committing = false } = {}): unknown {
  if (error instanceof StudioError) return error;
  const code = sqliteCode(error);
  const words = (error instanceof Error && error.message) || code;
  const make = (kind: ErrorCode, text: string, reason: string = code): StudioError =>
    new StudioError(kind, text, { database: where, reason }, { cause: error });
  if (CLASHES.has(code) || isForgotten(error) !== null) return lockedError(where);
  if (isAway(error)) {
    const after = committing ? 'It is not known whether the last change was kept: look before you make it again.' : '';
    const text = `The database ${where} does not answer (${words}). Check that PostgreSQL runs there and that the network lets this machine through, then try again. ${after}`;
    return make('WORKSPACE_BUSY', text.trim(), committing ? UNSURE : LOST);
  }
  if (code === 'ENOTFOUND')
    return make('USAGE', `There is no machine of the name in ${where} (${words}). Check the address.`);
  if (NO_ENTRANCE.has(code)) {
    const text = `The database ${where} lets this user not in (${words}). Check the name and the password in the address.`;
    return make('WORKSPACE_UNWRITABLE', text);
  }
  if (code === '3D000') {
    return make('NOT_A_WORKSPACE', `${where}: ${words}. Make the database first (createdb), or check the address.`);
  }
  if (NO_RIGHTS.has(code)) {
    const text = `The user of ${where} may not do this there (${words}). Make it the owner of the database, or grant it to it.`;
    return make('WORKSPACE_UNWRITABLE', text);
  }
  if (code === '53100') return make('DISK_FULL', `The disk of the database ${where} is full. Free some space there.`);
  if (code === '53200') return make('OUT_OF_MEMORY', `The memory of the database ${where} is used up.`);
  if (code === '58030') return make('DISK_FAILED', `The disk of the database ${where} failed (${words}).`);
  if (code === '22021') {
    return make('USAGE', 'A text holds the character 0, which PostgreSQL keeps in no text. Remove it and try again.');
  }
  if (code.startsWith('XX')) return damaged(where, words, error);
  if (code === '42P01' || code === '42703') return damaged(where, `it is not as this program made it: ${words}`, error);
  return error;
}
