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
  /** A file that does not fit its schema. */
  BAD_FILE: 6,
  DISK_FULL: 7,
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
  /** No or a wrong token, or another Host or Origin. */
  FORBIDDEN: 12,
  /** A model's endpoint refused, or gave no usable answer in all its tries. */
  ENDPOINT_FAILED: 13,
  CANCELLED: 130,
  /** The program ended while it worked on this. */
  INTERRUPTED: 130,
  /** A defect of this program. */
  INTERNAL: 70,
} as const;

export type ErrorCode = keyof typeof ERROR_EXIT;

/** Plain data that goes with an error: paths, names, what was found. */
type ErrorDetails = Record<string, unknown>;

/** What crosses a boundary. */
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

  /** The process's exit status for this error. */
  get exitStatus(): number {
    return ERROR_EXIT[this.code];
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Any thrown value as an error body; what is not a StudioError is INTERNAL and keeps only its message. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof StudioError) return error.toBody();
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message, details: {} };
}
