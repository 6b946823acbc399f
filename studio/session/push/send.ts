import { setTimeout as sleep } from 'node:timers/promises';
import { bytesInWords } from '../../../core/words.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import {
  UPLOAD_PROTOCOL,
  type UploadReceipt,
  type UploadWelcome,
  uploadsContract,
} from '../../../schemas/api/uploads.ts';
import { ERROR_EXIT, type ErrorCode, StudioError } from '../../../schemas/errors.ts';
import { isMadeAgain } from '../../import/archive/confirm.ts';
import { isCarried } from '../../import/carried.ts';
import type { Parcel } from './parcel.ts';
import { askServer, askTeam, passes, refusalIn, type TeamServer, type WireAnswer } from './wire.ts';

/** Sends a parcel by tus 1.0.0, from where the server has it, until the server has confirmed every hash. */

export type PushPatience = {
  /** The first wait after a failure, and the longest, ms: each is twice the one before. */
  firstMs: number;
  mostMs: number;
  /** Without a byte of progress for so long it is given up, ms. */
  giveUpMs: number;
};

export const PUSH_PATIENCE: PushPatience = { firstMs: 1000, mostMs: 30_000, giveUpMs: 300_000 };

const CHUNK_BYTES = 8 * 1024 ** 2;
const LEAST_CHUNK = 64 * 1024;
/** How often it is asked what becomes of an upload that came whole, ms. */
const ASK_MS = [200, 500, 1000, 2000] as const;
/** A clock that is off by more is told, ms. */
const CLOCK_MS = 5 * 60_000;
const TUS = { 'tus-resumable': '1.0.0' };

const welcomeSchema = uploadsContract.uploads.welcome['~orpc'].outputSchema!;
const receiptSchema = uploadsContract.uploads.receipt['~orpc'].outputSchema!;
const foundSchema = uploadsContract.uploads.find['~orpc'].outputSchema!;

/** Who one is at a server, and what it takes. Throws UNREACHABLE, SIGNED_OUT, FORBIDDEN, FUTURE_VERSION. */
export async function greet(server: TeamServer, signal: AbortSignal): Promise<UploadWelcome> {
  const welcome = await askTeam(server, '/api/uploads/welcome', welcomeSchema, { signal });
  if (welcome.protocol === UPLOAD_PROTOCOL) return welcome;
  const isOlder = welcome.protocol < UPLOAD_PROTOCOL;
  throw new StudioError(
    'FUTURE_VERSION',
    `${server.origin} runs version ${welcome.version} of the studio, which is ${isOlder ? 'older' : 'newer'} than this one in how recordings are sent. Update ${isOlder ? 'the server' : 'this program'}; nothing was sent.`,
    { server: welcome.version },
  );
}

/**
 * The same of a server that has a part of the recording: it is there, so while it begins anew or the network is away it is asked
 * again, as later while bytes are sent. One that was never reached may be a wrong address, which is said at once.
 */
export async function greetAgain(
  server: TeamServer,
  { signal, report, patience = PUSH_PATIENCE }: Pick<Sending, 'signal' | 'report' | 'patience'>,
): Promise<UploadWelcome> {
  const beganAt = performance.now();
  for (let wait = patience.firstMs; ; wait = Math.min(patience.mostMs, 2 * wait)) {
    try {
      return await greet(server, signal);
    } catch (error) {
      if (!passes(error) || performance.now() - beganAt > patience.giveUpMs) throw error;
      report(0, againIn(wait, error));
      await pause(wait, signal);
    }
  }
}

/** Throws FUTURE_VERSION for an archive that a server of this version does not read; one without compositions is an older one. */
export function refuseUnreadable({ archive }: Pick<Parcel, 'archive'>, welcome: UploadWelcome, origin: string): void {
  if (archive <= welcome.archives) return;
  throw new StudioError(
    'FUTURE_VERSION',
    `${origin} runs version ${welcome.version} of the studio, which is older than this one and does not read archives of version ${archive}. Update the server; nothing was sent.`,
    { server: welcome.version, archive },
  );
}

/** A clock that differs much from the server's, in words; null: it does not. */
export function clockWarning({ now }: UploadWelcome, here = Date.now()): string | null {
  const off = here - Date.parse(now);
  if (Math.abs(off) <= CLOCK_MS) return null;
  const minutes = Math.round(Math.abs(off) / 60_000);
  return `the clock of this machine is ${minutes} minutes ${off > 0 ? 'ahead of' : 'behind'} the server's: times of recordings are shown so. Set it right; nothing is lost by it`;
}

export type Sending = {
  server: TeamServer;
  ws: string;
  parcel: Parcel;
  /** The upload that was begun before; null without one. */
  upload: string | null;
  /** Told as soon as there is another one, so that it is noted. */
  begun(upload: string): void;
  signal: AbortSignal;
  report(share: number, message: string): void;
  patience?: PushPatience;
  chunkBytes?: number;
};

export type SentParcel = {
  receipt: UploadReceipt;
  /** Bytes that were sent, those of pieces that did not arrive whole among them. */
  sentBytes: number;
  /** How often the connection was lost. */
  failures: number;
};

/**
 * Throws what `askTeam` throws, UNREACHABLE when nothing goes on for too long, and what the server refused the archive with. What
 * arrived stays there; the next call goes on after it.
 */
export async function sendParcel(sending: Sending): Promise<SentParcel> {
  const { parcel, patience = PUSH_PATIENCE, signal, report } = sending;
  const state: State = {
    upload: sending.upload,
    chunk: sending.chunkBytes ?? CHUNK_BYTES,
    sentBytes: 0,
    failures: 0,
    lost: 0,
    furthest: -1,
    movedAt: performance.now(),
  };
  let wait = patience.firstMs;
  for (;;) {
    const before = state.furthest;
    try {
      const receipt = await goOn(sending, state);
      refuseUnconfirmed(parcel, receipt, sending.server);
      return { receipt, sentBytes: state.sentBytes, failures: state.failures };
    } catch (error) {
      if (!passes(error)) throw error;
      state.failures++;
      if (state.furthest > before) wait = patience.firstMs;
      if (performance.now() - state.movedAt > patience.giveUpMs) throw error;
      const share = Math.max(0, state.furthest) / parcel.bytes;
      report(0.9 * share, againIn(wait, error));
      await pause(wait, signal);
      wait = Math.min(patience.mostMs, 2 * wait);
    }
  }
}

type State = {
  upload: string | null;
  chunk: number;
  sentBytes: number;
  failures: number;
  /** How many uploads the server no longer knew. */
  lost: number;
  /** The furthest byte that the server said it has. */
  furthest: number;
  movedAt: number;
};

const againIn = (ms: number, error: unknown): string =>
  `${error instanceof Error ? error.message : String(error)} Trying again in ${Math.ceil(ms / 1000)} s`;

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Spread, so that ten recorders do not come back at once.
  const spread = ms * (0.75 + 0.5 * Math.random());
  await sleep(spread, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
}

async function goOn(sending: Sending, state: State): Promise<UploadReceipt> {
  const { parcel, report } = sending;
  for (;;) {
    state.upload ??= await beginOrFind(sending);
    let offset = await offsetOf(sending, state.upload);
    if (offset === null) {
      // Expired, removed, or never told: it is begun anew, but not for ever.
      if (++state.lost > 3) throw new StudioError('UNREACHABLE', `${sending.server.origin} forgets what is sent.`, {});
      state.upload = null;
      continue;
    }
    moved(state, offset);
    while (offset < parcel.bytes) {
      report((0.9 * offset) / parcel.bytes, `sending: ${bytesInWords(offset)} of ${bytesInWords(parcel.bytes)}`);
      offset = await sendPiece(sending, state, offset);
      moved(state, offset);
    }
    const receipt = await awaitReceipt(sending, state);
    if (receipt !== null) return receipt;
    state.upload = null;
  }
}

function moved(state: State, offset: number): void {
  if (offset <= state.furthest) return;
  state.furthest = offset;
  state.movedAt = performance.now();
}

async function beginOrFind({ server, ws, parcel, signal, begun }: Sending): Promise<string> {
  const path = `/api/workspaces/${encodeURIComponent(ws)}/uploads/find?manifest=${parcel.manifest}`;
  const known = await askTeam(server, path, foundSchema, { signal });
  if (known) {
    begun(known.upload);
    return known.upload;
  }
  const answer = await askServer(server, FILE_ROUTES.uploads(ws), {
    method: 'POST',
    headers: {
      ...TUS,
      'upload-length': String(parcel.bytes),
      'upload-metadata': `manifest ${Buffer.from(parcel.manifest).toString('base64')}`,
    },
    body: { bytes: 0, pieces: nothing() },
    signal,
  });
  const id = answer.status === 201 ? /\/uploads\/([0-9a-f-]{36})$/.exec(answer.headers.location ?? '')?.[1] : undefined;
  if (id === undefined) throw refusalIn(answer, server);
  begun(id);
  return id;
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** How many bytes the server has; null where it does not know the upload. */
async function offsetOf({ server, ws, parcel, signal }: Sending, upload: string): Promise<number | null> {
  const answer = await askServer(server, FILE_ROUTES.uploads(ws, upload), { method: 'HEAD', headers: TUS, signal });
  if (answer.status === 404 || answer.status === 410) return null;
  if (answer.status !== 200) return refuseHead(answer, server, signal);
  const offset = numberIn(answer, 'upload-offset');
  // Another archive than this one: it was packed anew since.
  if (numberIn(answer, 'upload-length') !== parcel.bytes || offset === null || offset > parcel.bytes) return null;
  return offset;
}

/** A HEAD has no words: a question that has some says why. */
async function refuseHead(answer: WireAnswer, server: TeamServer, signal: AbortSignal): Promise<never> {
  await greet(server, signal);
  throw refusalIn(answer, server);
}

function numberIn({ headers }: WireAnswer, name: string): number | null {
  const text = headers[name];
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

/** Sends one piece; gives how many bytes the server has then. */
async function sendPiece(sending: Sending, state: State, from: number): Promise<number> {
  const { server, ws, parcel, signal } = sending;
  const to = Math.min(parcel.bytes, from + state.chunk);
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of parcel.read(from, to)) {
      state.sentBytes += piece.length;
      yield piece;
    }
  }
  const answer = await askServer(server, FILE_ROUTES.uploads(ws, state.upload!), {
    method: 'PATCH',
    headers: { ...TUS, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
    body: { bytes: to - from, pieces: counted() },
    signal,
  });
  if (answer.status === 204) return numberIn(answer, 'upload-offset') ?? from;
  const refusal = refusalIn(answer, server);
  // Some proxies take small bodies alone.
  if (refusal.details.tooLarge === true && state.chunk > LEAST_CHUNK) {
    state.chunk = Math.max(LEAST_CHUNK, Math.floor(state.chunk / 4));
    return from;
  }
  // The server is elsewhere than we thought, or forgot it: its offset is asked for again.
  if (answer.status === 409 || answer.status === 404) throw asPassing(refusal);
  throw refusal;
}

const asPassing = ({ code, message, details }: StudioError): StudioError =>
  new StudioError(code, message, { ...details, passes: true });

/** Waits until the upload is taken in; null where the server has forgotten it. Throws what it was refused with. */
async function awaitReceipt({ server, ws, signal, report }: Sending, state: State): Promise<UploadReceipt | null> {
  const path = `/api/workspaces/${encodeURIComponent(ws)}/uploads/${encodeURIComponent(state.upload!)}`;
  for (let asked = 0; ; asked++) {
    const receipt = await askTeam(server, path, receiptSchema, { signal }).catch((error: unknown) => {
      if (error instanceof StudioError && error.code === 'UNKNOWN_FILE') return null;
      throw error;
    });
    if (receipt === null || receipt.state === 'taken') return receipt;
    if (receipt.state === 'refused') {
      const { code = 'BAD_FILE', message = 'it was refused' } = receipt.error ?? {};
      const known = Object.hasOwn(ERROR_EXIT, code) ? (code as ErrorCode) : 'BAD_FILE';
      throw new StudioError(known, `${server.origin} did not take the recording: ${message}`, {});
    }
    if (receipt.state === 'receiving')
      throw asPassing(new StudioError('INTERRUPTED', `${server.origin} has less than it said.`, {}));
    // It stands there whole: what keeps it (a full disk) is the server's to mend, and it tries again by itself.
    const why = receipt.error ? `the server waits: ${receipt.error.message}` : (receipt.message ?? 'checking');
    report(0.9 + 0.1 * receipt.progress, `at the server: ${why}`);
    await pause(ASK_MS[Math.min(asked, ASK_MS.length - 1)]!, signal);
  }
}

/** Throws BAD_FILE unless the server has read every file of the recording with the hash that it has here. */
function refuseUnconfirmed(parcel: Parcel, receipt: UploadReceipt, { origin }: TeamServer): void {
  const there = new Map(receipt.files.map(({ path, sha256 }) => [path, sha256]));
  const missing = parcel.files.find(({ path, sha256 }) => {
    const [place, , ...rest] = path.split('/');
    if (place !== 'recordings' || isCarried(rest)) return false;
    return there.get(path) !== sha256 && !(isMadeAgain(rest) && !there.has(path));
  });
  if (!missing && receipt.manifest === parcel.manifest) return;
  throw new StudioError(
    'BAD_FILE',
    `${origin} did not confirm ${missing?.path ?? 'the list of files'}: it has another content there. The recording stays here; push it again, and tell the server's administrator.`,
    { file: missing?.path },
  );
}
