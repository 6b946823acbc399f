import { ORPCError, ValidationError } from '@orpc/server';
import { ERROR_EXIT, type ErrorBody, type ErrorCode, errorBody, StudioError } from '../../schemas/errors.ts';

/** HTTP status for each code. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  USAGE: 400,
  BAD_REGION: 400,
  SIGNED_OUT: 401,
  FORBIDDEN: 403,
  NOT_AGREED: 403,
  AMBIGUOUS_ID: 409,
  CONFLICT: 409,
  TARGET_EXISTS: 409,
  NOTHING_TO_EXPORT: 409,
  WORKSPACE_BUSY: 409,
  BAD_FILE: 422,
  FUTURE_VERSION: 422,
  RECORDING_DAMAGED: 422,
  INVALID_EXPORT: 422,
  NOT_A_WORKSPACE: 422,
  WORKSPACE_DAMAGED: 422,
  WORKSPACE_UNWRITABLE: 422,
  TOO_MANY_TRIES: 429,
  CANCELLED: 499,
  ENDPOINT_FAILED: 502,
  UNREACHABLE: 502,
  INTERRUPTED: 503,
  OUTDATED: 503,
  NO_DISPLAY: 503,
  NO_FFMPEG: 503,
  FFMPEG_UNSUITABLE: 503,
  NO_LIBRARY: 503,
  NO_CAGE: 503,
  NO_PERMISSION: 503,
  UNSUPPORTED_PLATFORM: 503,
  DISK_FULL: 507,
  DISK_FAILED: 503,
  OUT_OF_MEMORY: 503,
};

function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? (code.startsWith('UNKNOWN_') ? 404 : 500);
}

/** oRPC's own codes for requests that cannot be taken. */
const FROM_ORPC: Readonly<Record<string, ErrorCode>> = {
  BAD_REQUEST: 'USAGE',
  NOT_FOUND: 'UNKNOWN_FILE',
  METHOD_NOT_SUPPORTED: 'USAGE',
  PAYLOAD_TOO_LARGE: 'USAGE',
  CLIENT_CLOSED_REQUEST: 'CANCELLED',
};

/** The faults of a request's fields, in words. */
function describeIssues(error: ValidationError): { message: string; issues: { field: string; message: string }[] } {
  const issues = error.issues.slice(0, 20).map(({ path = [], message }) => ({
    field: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message,
  }));
  const [first] = issues;
  const message = first ? `${first.field || 'input'}: ${first.message}.` : 'The request does not fit.';
  return { message, issues };
}

/** Any thrown value as what crosses the boundary. A stack trace never does, nor what an unknown error's message may tell. */
export function apiErrorBody(error: unknown): ErrorBody {
  if (error instanceof StudioError) return error.toBody();
  if (error instanceof ORPCError) {
    if (error.code in ERROR_EXIT)
      return { code: error.code as ErrorCode, message: error.message, details: plain(error.data) };
    const cause: unknown = error.cause;
    if (error.code === 'BAD_REQUEST' && cause instanceof ValidationError) {
      const { message, issues } = describeIssues(cause);
      return { code: 'USAGE', message, details: { issues } };
    }
    const code = FROM_ORPC[error.code];
    if (code) return { code, message: error.message, details: {} };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return { code: 'CANCELLED', message: 'The request was given up.', details: {} };
  }
  const body = errorBody(error instanceof ORPCError ? (error.cause ?? error) : error);
  if (body.code !== 'INTERNAL') return body;
  // One line: some libraries put a whole stack into the message.
  return { code: 'INTERNAL', message: `A defect of this program: ${body.message.split('\n')[0]}`, details: {} };
}

const plain = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}; // Looked at.

/** The same for oRPC, which sends `code`, `message` and `data` (our details). */
export function toOrpcError(error: unknown): ORPCError<string, unknown> {
  const { code, message, details } = apiErrorBody(error);
  return new ORPCError(code, { status: statusOf(code), message, data: details });
}

/** The same for a plain route. */
export function errorResponse(error: unknown): Response {
  const body = apiErrorBody(error);
  return Response.json(body, { status: statusOf(body.code), headers: { 'cache-control': 'no-store' } });
}
