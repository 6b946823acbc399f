/**
 * Errors as values at boundaries (CLI, API): a stable code, a message that says what, where and what to do,
 * and plain details. A stack trace never crosses a boundary.
 */

/** Every code that a user or a script can meet, with the CLI's exit status for it. Codes are never renamed. */
export const ERROR_EXIT = {
  /** A flag or argument that cannot be taken. */
  USAGE: 2,
  /** The machine lacks something (display, ffmpeg, library, permission); the message says what to install or allow. */
  NO_DISPLAY: 3,
  NO_FFMPEG: 3,
  FFMPEG_UNSUITABLE: 3,
  NO_LIBRARY: 3,
  NO_CAGE: 3,
  NO_PERMISSION: 3,
  UNSUPPORTED_PLATFORM: 3,
  /** Something named does not exist. */
  UNKNOWN_APP: 4,
  UNKNOWN_TASK: 4,
  UNKNOWN_RECORDING: 4,
  AMBIGUOUS_ID: 4,
  UNKNOWN_DISPLAY: 4,
  UNKNOWN_WINDOW: 4,
  UNKNOWN_FORMAT: 4,
  /** A region that is negative, empty or outside every display. */
  BAD_REGION: 2,
  /** The workspace. */
  NOT_A_WORKSPACE: 5,
  WORKSPACE_UNWRITABLE: 5,
  WORKSPACE_BUSY: 5,
  WORKSPACE_DAMAGED: 5,
  /** A file made by a newer version of this tool. */
  FUTURE_VERSION: 6,
  /** A newer version of this tool has changed the workspace's database while this one was running. */
  OUTDATED: 6,
  /** A file that does not fit its schema. */
  BAD_FILE: 6,
  DISK_FULL: 7,
  /** The disk could not be read or written, though it has room: a cable, a network folder, a failing disk. */
  DISK_FAILED: 7,
  OUT_OF_MEMORY: 7,
  /** The capture process or one of its parts failed; what was written is kept. */
  CAPTURE_FAILED: 8,
  SYNC_FAILED: 8,
  RECORDING_DAMAGED: 8,
  /** An export has nothing to write, or its target is in the way. */
  NOTHING_TO_EXPORT: 9,
  TARGET_EXISTS: 9,
  /** A validator found damage. */
  INVALID_EXPORT: 10,
  /** Somebody else changed the same thing first; the page shows the new state and the user tries again. */
  CONFLICT: 11,
  UNKNOWN_WORKSPACE: 4,
  UNKNOWN_STEP: 4,
  UNKNOWN_FILE: 4,
  UNKNOWN_COMPOSITION: 4,
  /** No or a wrong token, or another Host or Origin. */
  FORBIDDEN: 12,
  /** A team's server: no session, or one that has ended. */
  SIGNED_OUT: 12,
  /** A team's server: signing in was tried too often. */
  TOO_MANY_TRIES: 12,
  /** Somebody else's recipe or checks, to which this person has not agreed. */
  NOT_AGREED: 14,
  /** A model's endpoint refused, or gave no usable answer in all its tries. */
  ENDPOINT_FAILED: 13,
  /** A team's server cannot be reached, or what answers at its address is none. */
  UNREACHABLE: 13,
  CANCELLED: 130,
  /** The program ended while it worked on this. */
  INTERRUPTED: 130,
  /** A defect of this program. */
  INTERNAL: 70,
} as const;

export type ErrorCode = keyof typeof ERROR_EXIT;

/** Plain data that goes with an error: paths, names, what was found. */
type ErrorDetails = Record<string, unknown>;

/** The form in which an error crosses a boundary. */
export type ErrorBody = { code: ErrorCode; message: string; details: ErrorDetails };

/** The one error class of this project. `message` tells the user what happened, where, and what to do. */
export class StudioError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StudioError';
    this.code = code;
    this.details = details;
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/**
 * Codes of what lasts while its cause stands and is no fault of what was asked for: the same request may succeed later, so
 * whoever holds somebody's work keeps it for that.
 */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  'DISK_FULL',
  'DISK_FAILED',
  'OUT_OF_MEMORY',
  'WORKSPACE_BUSY',
  'WORKSPACE_UNWRITABLE',
  'WORKSPACE_DAMAGED',
  'NOT_A_WORKSPACE',
  'UNKNOWN_WORKSPACE',
  'OUTDATED',
  'FORBIDDEN',
  'SIGNED_OUT',
  'CANCELLED',
  'INTERRUPTED',
]);

export const isPassing = (code: string): boolean => PASSING.has(code);

/** The file system's error codes in words. */
const FILE_ANSWERS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'it, or a part of its path, is a file and not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'something else is there already',
  ENOTEMPTY: 'the folder is not empty',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
};

/** Why a file could not be read or written: a clause without an end, for a message that names the file and what to do. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StudioError && typeof error.details.why === 'string') return error.details.why;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const issue = firstIssue(error);
  if (issue !== null) return issue;
  return FILE_ANSWERS[code] ?? error.message.replace(/\.$/, '');
}

/** Of an error of a schema the first fault and its place: its own message is a page of JSON. */
function firstIssue(error: Error): string | null {
  if (!('issues' in error && Array.isArray(error.issues))) return null;
  const [first]: { path?: unknown; message?: unknown }[] = error.issues;
  const place = Array.isArray(first?.path) ? first.path.map(String).join('.') : '';
  return `${place || 'it'}: ${String(first?.message ?? 'does not fit')}`;
}

/** A path that cannot be what it is asked to be, where nobody has said more of it. */
function fileError(error: unknown): StudioError | null {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return null;
  const reason = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!Object.hasOwn(FILE_ANSWERS, reason)) return null;
  // The name that was wanted, and not the temporary one.
  const file = wantedName('dest' in error && typeof error.dest === 'string' ? error.dest : error.path);
  const message = `${file} cannot be used: ${whyNot(error)}. Check the path, or choose another one.`;
  return new StudioError('BAD_FILE', message, { reason, file }, { cause: error });
}

/** Names under which the studio writes something before it has its own name; the first group is that name. */
const TEMPORARY = [
  /^\.(.+)-partial-\w+$/,
  /^\.(.+)-[0-9a-f]{8}\.partial$/,
  /^\.(.+?)(?:\.\d+)?\.[0-9a-f]{8}\.(?:tmp|part)$/,
];

const wantedName = (path: string): string =>
  path
    .split(/(?<=[/\\])/)
    .map((part) => {
      const name = part.replace(/[/\\]$/, '');
      const found = TEMPORARY.map((form) => form.exec(name)?.[1]).find((wanted) => wanted !== undefined);
      return found === undefined ? part : part.replace(name, () => found);
    })
    .join('');

/** Any thrown value as an error body; what is neither ours nor the machine's is INTERNAL and keeps only its message. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof StudioError) return error.toBody();
  const known = machineError(error) ?? fileError(error);
  if (known) return known.toBody();
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message, details: {} };
}

/** The error for what Node and the libraries below say when the machine is at its end; null for everything else. */
export function machineError(error: unknown): StudioError | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const file = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const make = (kind: ErrorCode, what: string): StudioError =>
    new StudioError(kind, what, { reason: code, ...(file !== null && { file }) }, { cause: error });
  const of = file === null ? '' : ` that holds ${file}`;
  // Libraries in C, and errors that crossed a thread, keep the words alone.
  if (code === 'ENOSPC' || code === 'EDQUOT' || /ENOSPC|no space left on device/i.test(error.message)) {
    return make('DISK_FULL', `The disk${of} is full. Free some space and try again.`);
  }
  if (code === 'EIO') {
    return make(
      'DISK_FAILED',
      `The disk${of} could not be read or written. Check that it is connected, then try again.`,
    );
  }
  if (code === 'ENOMEM') {
    return make('OUT_OF_MEMORY', 'The memory of this machine is used up. Close other programs and try again.');
  }
  if (code === 'EROFS') {
    return make('WORKSPACE_UNWRITABLE', `The disk${of} may only be read. Choose a folder on another disk.`);
  }
  if (file !== null && (code === 'EACCES' || code === 'EPERM')) {
    return make(
      'NO_PERMISSION',
      `This user may not read or write ${file}. Give yourself the permission and try again.`,
    );
  }
  return null;
}
