import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { errorResponse } from '../errors.ts';
import { uploadsOf } from '../routes/take-uploads.ts';
import type { AskedStudio } from '../studio.ts';
import type { UploadNote } from '../uploads/note.ts';
import type { Uploads } from '../uploads/uploads.ts';

/**
 * Resumable uploads by tus 1.0.0 (https://tus.io/protocols/resumable-upload): the core, creation, expiration and termination.
 * An upload is its owner's alone: to everybody else there is none.
 */

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,expiration,termination';
const PIECE = 'application/offset+octet-stream';
/** The longest Upload-Metadata, characters. */
const MOST_METADATA = 4000;

/** Answers /files/{ws}/uploads (`id` empty) and /files/{ws}/uploads/{id}. */
export async function serveUploads(
  request: Request,
  open: OpenWorkspace,
  studio: AskedStudio,
  id: string,
): Promise<Response> {
  const { principal } = studio;
  try {
    const { uploads, receipt } = uploadsOf(studio);
    // Only members come this far: a studio of one machine has no uploads.
    const owner = principal.kind === 'member' ? principal.id : '';
    if (request.method === 'OPTIONS') return options(uploads);
    if (request.headers.get('tus-resumable') !== VERSION) return otherVersion();
    if (id === '') {
      if (request.method !== 'POST') throw notSo(request.method, 'POST');
      const whole = principal.kind === 'member' && principal.rights.has('manage');
      return await begin(request, open, uploads, { owner, whole });
    }
    const note = uploads.get(owner, id);
    if (request.method === 'HEAD') return await head(note, uploads);
    if (request.method === 'PATCH') {
      const response = await append(request, note, uploads);
      // The last byte is there: it is taken in, whether or not the sender asks what became of it.
      if (response.headers.get('upload-offset') === String(note.bytes)) await receipt(note);
      return response;
    }
    if (request.method !== 'DELETE') throw notSo(request.method, 'HEAD, PATCH or DELETE');
    if (note.end === null && (await receipt(note)).state === 'checking')
      throw new StudioError('CONFLICT', 'It came whole and is being taken in. Stop its job instead.', {});
    await uploads.remove(note);
    return answered(204);
  } catch (error) {
    return refused(error);
  }
}

const notSo = (method: string, wanted: string): StudioError =>
  new StudioError('USAGE', `${method} is nothing that is done here; ${wanted} is.`, {});

function answered(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { 'tus-resumable': VERSION, 'cache-control': 'no-store', ...headers } });
}

/** The rest of the body is not waited for: it may have no end. */
function refused(error: unknown, status?: number): Response {
  const answer = errorResponse(error);
  const headers = new Headers(answer.headers);
  headers.set('tus-resumable', VERSION);
  headers.set('connection', 'close');
  return new Response(answer.body, { status: status ?? answer.status, headers });
}

const options = ({ limits }: Uploads): Response =>
  answered(204, { 'tus-version': VERSION, 'tus-extension': EXTENSIONS, 'tus-max-size': String(limits.mostBytes) });

function otherVersion(): Response {
  const answer = refused(
    new StudioError('USAGE', `Uploads are sent by tus ${VERSION}: the header Tus-Resumable says so.`, {}),
    412,
  );
  answer.headers.set('tus-version', VERSION);
  return answer;
}

/** A whole number that a header says: of digits alone, since `1e3`, `0x1`, `-0` and ` 5` mean different things to others. */
function wholeNumber(headers: Headers, name: string): number {
  const text = headers.get(name) ?? '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new StudioError('USAGE', `${name} must be a whole number of at least 0, not "${text.slice(0, 40)}".`, {});
}

async function begin(
  { headers }: Request,
  open: OpenWorkspace,
  uploads: Uploads,
  sender: { owner: string; whole: boolean },
): Promise<Response> {
  if (headers.has('upload-defer-length'))
    throw new StudioError('USAGE', 'An upload says at once how long it is (Upload-Length).', {});
  const bytes = wholeNumber(headers, 'upload-length');
  try {
    const note = await uploads.begin({ ...sender, bytes, manifest: manifestIn(headers.get('upload-metadata') ?? '') });
    return answered(201, { location: FILE_ROUTES.uploads(open.id, note.id), ...expires(note, uploads) });
  } catch (error) {
    const tooLarge = error instanceof StudioError && error.details.tooLarge === true;
    return refused(error, tooLarge ? 413 : undefined);
  }
}

/** `manifest <base64>` among `key value` pairs; other keys, a file name among them, mean nothing here. */
function manifestIn(metadata: string): string {
  if (metadata.length > MOST_METADATA)
    throw new StudioError('USAGE', `Upload-Metadata may have ${MOST_METADATA} characters.`, {});
  const value = metadata
    .split(',')
    .map((pair) => pair.trim().split(' '))
    .find(([key]) => key === 'manifest')?.[1];
  const text = Buffer.from(value ?? '', 'base64').toString('latin1');
  return /^[0-9a-f]{64}$/.test(text) ? text : '';
}

const expires = (note: UploadNote, uploads: Uploads) => ({ 'upload-expires': uploads.expiresAt(note).toUTCString() });

async function head(note: UploadNote, uploads: Uploads): Promise<Response> {
  const offset = await uploads.offset(note);
  return answered(200, {
    'upload-offset': String(offset),
    'upload-length': String(note.bytes),
    ...expires(note, uploads),
  });
}

async function append(request: Request, note: UploadNote, uploads: Uploads): Promise<Response> {
  const { headers } = request;
  if ((headers.get('content-type') ?? '').split(';')[0]?.trim() !== PIECE) {
    return refused(new StudioError('USAGE', `A piece of an upload is sent as ${PIECE}.`, {}), 415);
  }
  const from = wholeNumber(headers, 'upload-offset');
  const said = headers.has('content-length') ? wholeNumber(headers, 'content-length') : 0;
  if (note.end === null && said > note.bytes - from) {
    const message = `At most ${Math.max(0, note.bytes - from)} bytes are left of this upload, and ${said} were to come.`;
    return refused(new StudioError('BAD_FILE', message, {}), 413);
  }
  try {
    const body = request.body ?? new Blob([]).stream();
    const offset = await uploads.append(note, from, body, signedOutOf(request.signal));
    return answered(204, { 'upload-offset': String(offset), ...expires(note, uploads) });
  } catch (error) {
    const isTooMuch = error instanceof StudioError && error.code === 'BAD_FILE';
    return refused(error, isTooMuch ? 413 : undefined);
  }
}

/** Fires when the sender is signed out or has another role. A connection that is lost ends the body itself: what came is kept. */
function signedOutOf(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const look = (): void => {
    if (signal.reason instanceof StudioError) ended.abort(signal.reason);
  };
  if (signal.aborted) look();
  signal.addEventListener('abort', look, { once: true });
  return ended.signal;
}
